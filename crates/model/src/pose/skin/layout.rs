//! Order in which the vertices of a mesh are skinned: four at a time, those with equal influences together.

use std::collections::HashMap;

use super::matrix_table::{CAPACITY, MATRIX};
use crate::model::{Influences, Mesh};

/// Number of vertices with equal influences from which one matrix for four of them, with unused lanes, costs less than
/// one for each.
const WORTH_SHARING: usize = 3;

/// Number of vertices whose floats can be numbered; further ones are left out.
const MAX_VERTICES: usize = (u32::MAX / 3) as usize;

/// Four vertices in a row: three times the number of the first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Row(pub u32);

/// Any four vertices, of which the last may be repeated: three times their numbers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Each(pub [u32; 4]);

/// Bones that move a vertex, without those that have no weight.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Blend {
    /// Positions of the bones' matrices in the floats of a table.
    pub offsets: [u32; 4],
    pub weights: [f32; 4],
}

/// Number of influences, and the vertices that have them.
#[derive(Debug)]
struct Run {
    bones: [u16; 4],
    weights: [f32; 4],
    count: usize,
    vertices: Vec<u32>,
}

/// Blend that many vertices have in common.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Shared {
    pub blend: Blend,
    /// Number of influences.
    pub count: usize,
    /// Number of groups in rows, and of others.
    pub rows: usize,
    pub each: usize,
}

/// Blends of groups in which each vertex has another, all of the same number of influences.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Single {
    pub rows: Vec<[Blend; 4]>,
    pub each: Vec<[Blend; 4]>,
}

/// Part of a mesh whose bones fit into a table. The groups of `shared` come first.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Part {
    /// Bones of the table.
    pub bones: Vec<u16>,
    pub shared: Vec<Shared>,
    /// Groups that are not in `shared`, by number of influences.
    pub single: [Single; 5],
}

/// Order of a mesh's vertices. Vertices without influences are in no part; their groups come last.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Layout {
    pub rows: Vec<Row>,
    pub each: Vec<Each>,
    pub parts: Vec<Part>,
}

impl Layout {
    pub fn new(mesh: &Mesh) -> Self {
        let vertices = mesh.positions.len().min(MAX_VERTICES) as u32;
        let mut layout = Self::default();
        let runs = runs((0..vertices).zip(&mesh.influences));
        let mut runs = runs.as_slice();
        while !runs.is_empty() {
            let (part, rest) = Part::begin(runs);
            debug_assert!(rest.len() < runs.len(), "a table holds the bones of any vertex");
            layout.add_part(part, &runs[..runs.len() - rest.len()]);
            runs = rest;
        }
        let unmoved: Vec<u32> = (0..vertices).skip(mesh.influences.len()).collect();
        layout.add_run(&unmoved);
        layout
    }

    fn add_part(&mut self, mut part: Part, runs: &[Run]) {
        let places: HashMap<u16, u32> = part.bones.iter().copied().zip((0..).step_by(MATRIX)).collect();
        let blend = |run: &Run| {
            let mut offsets = [0; 4];
            for (offset, bone) in offsets.iter_mut().zip(&run.bones[..run.count]) {
                debug_assert!(places.contains_key(bone), "the table has the bones of its runs");
                *offset = places.get(bone).copied().unwrap_or(0);
            }
            Blend { offsets, weights: run.weights }
        };
        let (shared, single): (Vec<&Run>, Vec<&Run>) = runs.iter().partition(|run| run.vertices.len() >= WORTH_SHARING);
        for run in shared {
            let before = (self.rows.len(), self.each.len());
            self.add_run(&run.vertices);
            let (rows, each) = (self.rows.len() - before.0, self.each.len() - before.1);
            part.shared.push(Shared { blend: blend(run), count: run.count, rows, each });
        }
        for (count, blends) in part.single.iter_mut().enumerate() {
            let alike = single.iter().filter(|run| run.count == count);
            let mut alike: Vec<(u32, Blend)> =
                alike.flat_map(|run| run.vertices.iter().map(|&vertex| (vertex, blend(run)))).collect();
            alike.sort_unstable_by_key(|(vertex, _)| *vertex);
            for four in alike.chunks(4) {
                let vertices: Vec<u32> = four.iter().map(|(vertex, _)| *vertex).collect();
                let is_row = self.add_group(&vertices);
                let lane = |lane: usize| four[lane.min(four.len() - 1)].1;
                let lanes = [lane(0), lane(1), lane(2), lane(3)];
                if is_row { blends.rows.push(lanes) } else { blends.each.push(lanes) }
            }
        }
        self.parts.push(part);
    }

    /// Adds the groups of vertices with equal influences.
    fn add_run(&mut self, vertices: &[u32]) {
        let rows = || vertices.chunk_by(|a, b| a + 1 == *b);
        let mut rest = Vec::new();
        for row in rows() {
            let fours = row.chunks_exact(4);
            // The last group of the only row takes vertices again rather than leave lanes unused.
            match row.len() == vertices.len() && row.len() > 4 {
                true if !fours.remainder().is_empty() => _ = self.add_group(&row[row.len() - 4..]),
                _ => rest.extend_from_slice(fours.remainder()),
            }
            fours.for_each(|four| _ = self.add_group(four));
        }
        rest.chunks(4).for_each(|four| _ = self.add_group(four));
    }

    /// Adds the group of one to four vertices in ascending order; returns `true` if they are in a row.
    fn add_group(&mut self, vertices: &[u32]) -> bool {
        debug_assert!((1..=4).contains(&vertices.len()), "a group has one to four vertices");
        debug_assert!(vertices.is_sorted(), "vertices ascend");
        let lane = |lane: usize| vertices[lane.min(vertices.len() - 1)];
        // Padding with the last vertex may make fewer than four look like a row.
        let is_row = vertices.len() == 4 && lane(3) - lane(0) == 3;
        match is_row {
            true => self.rows.push(Row(3 * lane(0))),
            false => self.each.push(Each([0, 1, 2, 3].map(|number| 3 * lane(number)))),
        }
        is_row
    }
}

impl Part {
    /// Returns a part with the bones of the first runs, as many as a table holds, and the other runs.
    fn begin(runs: &[Run]) -> (Self, &[Run]) {
        let mut part = Self::default();
        let mut known = vec![false; 1 << 16];
        for (number, run) in runs.iter().enumerate() {
            let bones = &run.bones[..run.count];
            // A bone that a run names twice counts twice here.
            if part.bones.len() + bones.iter().filter(|&&bone| !known[usize::from(bone)]).count() > CAPACITY {
                return (part, &runs[number..]);
            }
            for &bone in bones {
                if !std::mem::replace(&mut known[usize::from(bone)], true) {
                    part.bones.push(bone);
                }
            }
        }
        (part, &[])
    }
}

/// Returns the runs of vertices with equal influences, in the order of their first vertices.
fn runs<'a>(vertices: impl Iterator<Item = (u32, &'a Influences)>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut known = HashMap::new();
    for (vertex, influences) in vertices {
        let (mut bones, mut weights, mut count) = ([0; 4], [0.0; 4], 0);
        for (&bone, &weight) in influences.bones.iter().zip(&influences.weights).filter(|(_, weight)| **weight > 0.0) {
            (bones[count], weights[count]) = (bone, weight);
            count += 1;
        }
        let run = *known.entry((bones, weights.map(f32::to_bits))).or_insert(runs.len());
        match runs.get_mut(run) {
            Some(run) => run.vertices.push(vertex),
            None => runs.push(Run { bones, weights, count, vertices: vec![vertex] }),
        }
    }
    runs
}
