//! Planes, and the tree of planes that divides a level into leaves.

use glam::Vec3;

use super::bsp_error::{BspError, BspFixup, BspProblem, Ledger};
use super::lump::Lump;
use crate::limits::LimitExceeded;

/// Plane; its front is the half-space `normal . p > distance`.
#[derive(Clone, Copy)]
pub(super) struct Plane {
    pub normal: Vec3,
    pub distance: f32,
}

impl Plane {
    /// Returns the signed distance of a point, positive in front of the plane.
    pub fn above(&self, point: Vec3) -> f32 {
        self.normal.dot(point) - self.distance
    }
}

/// Returns the planes of a lump, which are the first fields of its records.
pub(super) fn planes(lump: &Lump<'_>, ledger: &mut Ledger) -> Result<Vec<Plane>, BspError> {
    lump.within(0, ledger.allowance.memory((lump.len() * size_of::<Plane>()) as u64))?;
    let mut planes = Vec::with_capacity(lump.len());
    for (number, record) in lump.records().enumerate() {
        let normal = lump.place(number, "normal", record, 0)?;
        let distance = record.f32(12);
        if !distance.is_finite() || distance.abs() > 4.0 * crate::out_of_range::FARTHEST {
            return Err(lump.error(number, BspProblem::NotFinite { field: "distance" }));
        }
        let length = normal.length();
        let plane = if (length - 1.0).abs() < 1e-3 {
            Plane { normal, distance }
        } else if length > 1e-6 {
            ledger.warn("planes", number, BspFixup::Normal);
            Plane { normal: normal / length, distance: distance / length }
        } else {
            return Err(lump.error(number, BspProblem::NoNormal));
        };
        planes.push(plane);
    }
    Ok(planes)
}

/// Node: its plane, and the children in front of and behind it.
pub(super) struct Node {
    pub plane: usize,
    pub children: [Child; 2],
}

#[derive(Clone, Copy)]
pub(super) enum Child {
    Node(usize),
    Leaf(usize),
}

impl Child {
    /// Decodes a child from a signed number: a node, or -1 - leaf.
    pub fn signed(number: i32) -> Self {
        if number >= 0 { Self::Node(number as usize) } else { Self::Leaf(!number as usize) }
    }

    /// Decodes a child from 16 bits, of which only numbers past the last node mean leaves.
    pub fn short(number: u16, nodes: usize) -> Self {
        let number = usize::from(number);
        if number < nodes { Self::Node(number) } else { Self::Leaf(0xffff - number) }
    }
}

/// Tree without cycles, with every index in it checked.
pub(super) struct Tree<'p> {
    planes: &'p [Plane],
    nodes: Vec<Node>,
    leaves: usize,
    /// Number of the last listing of leaves that visited each node.
    visited: Vec<u32>,
    visit: u32,
}

/// Memory of a node and of the counters that find cycles, bytes.
const NODE_MEMORY: usize = 64;

/// Work of listing a leaf or node among others.
const VISIT_WORK: u64 = 4;

impl<'p> Tree<'p> {
    pub fn new(
        lump: &Lump<'_>,
        nodes: impl Iterator<Item = (i64, [Child; 2])>,
        planes: &'p [Plane],
        leaves: usize,
        ledger: &mut Ledger,
    ) -> Result<Self, BspError> {
        let count = lump.len();
        lump.within(0, ledger.allowance.memory((count * NODE_MEMORY) as u64))?;
        let mut checked = Vec::with_capacity(count);
        for (number, (plane, children)) in nodes.enumerate() {
            let plane = lump.index(number, "plane", plane, planes.len())?;
            for child in children {
                match child {
                    Child::Node(node) => lump.index(number, "child", node as i64, count)?,
                    Child::Leaf(leaf) => lump.index(number, "leaf", leaf as i64, leaves)?,
                };
            }
            checked.push(Node { plane, children });
        }
        debug_assert_eq!(checked.len(), count, "every record is a node");
        let tree = Self { planes, nodes: checked, leaves, visited: vec![0; count], visit: 0 };
        match tree.cycle() {
            Some(node) => Err(lump.error(node, BspProblem::Cycle)),
            None => Ok(tree),
        }
    }

    /// Returns a node that is its own ancestor.
    ///
    /// Removing nodes without parents again and again leaves no node, unless there are such nodes.
    fn cycle(&self) -> Option<usize> {
        let mut parents = vec![0u32; self.nodes.len()];
        for child in self.nodes.iter().flat_map(|node| node.children) {
            if let Child::Node(child) = child
                && let Some(parents) = parents.get_mut(child)
            {
                debug_assert!(child < self.nodes.len(), "every index was checked");
                *parents += 1;
            }
        }
        let mut free: Vec<usize> =
            (0..).zip(&parents).filter(|(_, count)| **count == 0).map(|(node, _)| node).collect();
        while let Some(node) = free.pop() {
            for child in self.nodes.get(node).into_iter().flat_map(|node| node.children) {
                if let Child::Node(child) = child
                    && let Some(parents) = parents.get_mut(child)
                {
                    debug_assert!(*parents > 0, "every child was counted");
                    *parents -= 1;
                    if *parents == 0 {
                        free.push(child);
                    }
                }
            }
        }
        parents.iter().position(|&count| count > 0)
    }

    /// Returns the root of a brush model in the tree.
    pub fn head(&self, models: &Lump<'_>, model: usize, number: i32) -> Result<Child, BspError> {
        let head = Child::signed(number);
        match head {
            Child::Node(node) => models.index(model, "headnode", node as i64, self.nodes.len())?,
            Child::Leaf(leaf) => models.index(model, "headnode", leaf as i64, self.leaves)?,
        };
        Ok(head)
    }

    /// Returns the plane of a node, and its children in front and behind.
    pub fn node(&self, number: usize) -> Option<(Plane, [Child; 2])> {
        debug_assert!(number < self.nodes.len(), "every index was checked");
        let node = self.nodes.get(number)?;
        Some((*self.planes.get(node.plane)?, node.children))
    }

    /// Returns the leaf that contains a point; the index is always valid because every index was checked.
    pub fn leaf(&self, head: Child, point: Vec3, ledger: &mut Ledger) -> Result<usize, LimitExceeded> {
        let mut child = head;
        loop {
            ledger.allowance.work(1)?;
            let node = match child {
                Child::Leaf(leaf) => return Ok(leaf),
                Child::Node(node) => self.nodes.get(node),
            };
            debug_assert!(node.is_some_and(|node| node.plane < self.planes.len()), "every index was checked");
            let Some(node) = node else { return Ok(self.leaves) };
            let Some(plane) = self.planes.get(node.plane) else { return Ok(self.leaves) };
            let [front, back] = node.children;
            child = if plane.above(point) < 0.0 { back } else { front };
        }
    }

    /// Returns all leaves under a node, each once, in order.
    pub fn leaves(&mut self, head: Child, ledger: &mut Ledger) -> Result<Vec<usize>, LimitExceeded> {
        self.visit += 1;
        let mut leaves = Vec::new();
        let mut open = vec![head];
        while let Some(child) = open.pop() {
            ledger.allowance.work(VISIT_WORK)?;
            match child {
                Child::Leaf(leaf) => leaves.push(leaf),
                Child::Node(number) => {
                    debug_assert!(number < self.nodes.len().min(self.visited.len()), "every index was checked");
                    if let (Some(node), Some(visited)) = (self.nodes.get(number), self.visited.get_mut(number))
                        && std::mem::replace(visited, self.visit) != self.visit
                    {
                        open.extend(node.children);
                    }
                }
            }
        }
        leaves.sort_unstable();
        leaves.dedup();
        Ok(leaves)
    }
}
