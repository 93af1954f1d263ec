//! Bones that get a body, and the tree of the bodies.

use std::collections::BTreeSet;

use skelobj_model::internal::Shown;

use super::FitNote;
use super::anatomy::{Meaning, Part};
use super::skin::{Skin, Vertex};
use crate::math::{Mat3x4, Vec3};
use crate::model::{Model, Name, Skeleton};

/// Body to be fitted.
#[derive(Clone, Debug)]
pub(super) struct Limb {
    /// Bone of the body.
    pub(super) bone: usize,
    /// Body to which a joint holds this one.
    pub(super) parent: Option<usize>,
    /// `true` if the skeleton does not say so: the body's bone descends from no other body's.
    pub(super) is_joined: bool,
    /// Bone toward which the limb extends.
    pub(super) toward: Option<usize>,
    /// Vertices that move with the body, model space.
    pub(super) points: Vec<Vec3>,
    /// Vertices that the body moves by more than half, model space.
    pub(super) moved: Vec<Vec3>,
    /// Points of the skin that move half with the body and half with the one that a joint holds to it, model space.
    pub(super) border: Vec<Vec3>,
}

/// Bodies of a model.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// Bodies, parents before children once all are joined.
    pub(super) limbs: Vec<Limb>,
    /// Diagonal of the model's bounds, Quake units.
    pub(super) size: f32,
    pub(super) notes: Vec<FitNote>,
}

impl Tree {
    /// Returns the bones of two bodies of which the first can hold the second one instead of the body that does: the
    /// skeleton does not say what holds it.
    pub(super) fn rejoinable(&self, pair: [usize; 2]) -> Option<[usize; 2]> {
        let is_below = |mut body: usize, above: usize| {
            while let Some(parent) = self.limbs[body].parent {
                body = parent;
                if body == above {
                    return true;
                }
            }
            false
        };
        let [a, b] = pair;
        let found =
            [[a, b], [b, a]].into_iter().find(|&[holder, held]| self.limbs[held].is_joined && !is_below(holder, held));
        found.map(|bodies| bodies.map(|body| self.limbs[body].bone))
    }

    /// Returns `true` if the skeleton has a bone with a body above that of a body.
    pub(super) fn is_held(&self, body: usize) -> bool {
        self.limbs[body].parent.is_some() && !self.limbs[body].is_joined
    }
}

/// Extent of a bone's vertices that deserves a body, as a share of the model's size; less for named limbs.
const LARGE: f32 = 0.05;
const LARGE_LIMB: f32 = 0.015;
/// Greatest such extent where there are too many bodies.
const LARGEST: f32 = 0.5;
/// Distance between two bones that makes a limb, as a share of the model's size.
const LONG: f32 = 0.03;

/// Returns the bodies of a model, joined along the skeleton.
pub(super) fn tree(
    model: &Model,
    reference: &[Mat3x4],
    skin: &Skin,
    meanings: &[Meaning],
    most: usize,
    left_out: &BTreeSet<usize>,
) -> Tree {
    let skeleton = &model.skeleton;
    let lengths = [reference.len(), meanings.len()];
    debug_assert_eq!(lengths, [skeleton.len(); 2], "every bone has a place and a meaning");
    let own = Extents::of(skeleton, reference, &skin.vertices, model);
    let mut is_body = chosen(skeleton, reference, &own, meanings, left_out, most);
    limit(skeleton, &own, &mut is_body, most);
    let mut tree = Tree { size: own.size, ..Tree::default() };
    let mut body_of: Vec<Option<usize>> = Vec::with_capacity(skeleton.len());
    for (bone, &is_own) in is_body.iter().enumerate() {
        let above = skeleton.parent(bone).and_then(|parent| body_of[parent]);
        if !is_own {
            body_of.push(above);
            if !is_writable(&skeleton.names()[bone]) {
                tree.notes.push(FitNote::Unwritable { bone: skeleton.names()[bone].clone() });
            } else if own.count[bone] > 0
                && let Some(body) = above
            {
                let into = tree.limbs[body].bone;
                tree.notes.push(FitNote::Folded {
                    bone: skeleton.names()[bone].clone(),
                    into: skeleton.names()[into].clone(),
                });
            }
            continue;
        }
        debug_assert!(above.is_none_or(|above| above < tree.limbs.len()), "parents stand before children");
        body_of.push(Some(tree.limbs.len()));
        tree.limbs.push(Limb {
            bone,
            parent: above,
            is_joined: false,
            toward: None,
            points: Vec::new(),
            moved: Vec::new(),
            border: Vec::new(),
        });
    }
    let strongest: Vec<(Option<usize>, f32)> = skin.vertices.iter().map(|vertex| strongest(vertex, &body_of)).collect();
    let bodies: Vec<Option<usize>> = strongest.iter().map(|(body, _)| *body).collect();
    // A neck would make the box of a chest reach to the chin.
    let is_neck = |vertex: &Vertex, body: usize, tree: &Tree| {
        let bone = vertex.strongest_bone();
        bone != tree.limbs[body].bone && meanings.get(bone).is_some_and(|meaning| meaning.part == Part::Neck)
    };
    for (vertex, &(body, share)) in skin.vertices.iter().zip(&strongest) {
        let Some(body) = body else { continue };
        if !is_neck(vertex, body, &tree) {
            tree.limbs[body].points.push(vertex.at);
            if share > 0.5 {
                tree.limbs[body].moved.push(vertex.at);
            }
        }
    }
    // Where triangles are large, a joint may be far from the nearest vertices of its bodies.
    for edge in &skin.edges {
        let ends = edge.map(|vertex| &skin.vertices[vertex as usize]);
        let [Some(a), Some(b)] = edge.map(|vertex| bodies[vertex as usize]) else { continue };
        if tree.limbs[a].parent != Some(b) && tree.limbs[b].parent != Some(a) {
            continue;
        }
        let border = border(ends, [a, b], &body_of);
        for (vertex, body) in ends.into_iter().zip([a, b]) {
            if !is_neck(vertex, body, &tree) {
                tree.limbs[body].border.push(border);
            }
        }
    }
    for (body, bone) in ends(skeleton, reference, &tree, meanings, &is_body).into_iter().enumerate() {
        tree.limbs[body].toward = bone;
    }
    tree
}

/// Extents of the vertices that each bone moves most.
struct Extents {
    count: Vec<usize>,
    mins: Vec<Vec3>,
    maxs: Vec<Vec3>,
    size: f32,
    has_skin: bool,
}

impl Extents {
    fn of(skeleton: &Skeleton, reference: &[Mat3x4], vertices: &[Vertex], model: &Model) -> Self {
        let bones = skeleton.len();
        let mut own = Self {
            count: vec![0; bones],
            mins: vec![Vec3::INFINITY; bones],
            maxs: vec![Vec3::NEG_INFINITY; bones],
            size: 0.0,
            has_skin: true,
        };
        for vertex in vertices {
            own.add(vertex.strongest_bone(), vertex.at);
        }
        // Hit boxes stand in for a skin.
        if vertices.is_empty() {
            for hit_box in model.hit_boxes.iter().filter(|hit_box| hit_box.bone < bones) {
                for corner in corners(hit_box.mins, hit_box.maxs) {
                    own.add(hit_box.bone, reference[hit_box.bone].transform_point(corner));
                }
            }
        }
        if own.count.iter().all(|&count| count == 0) {
            own.has_skin = false;
            for (bone, place) in reference.iter().enumerate() {
                own.add(bone, place.origin());
                if let Some(parent) = skeleton.parent(bone) {
                    own.add(parent, place.origin());
                }
            }
        }
        let whole = own.mins.iter().zip(&own.maxs).filter(|(min, max)| min.cmple(**max).all());
        let (min, max) =
            whole.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |all, (min, max)| (all.0.min(*min), all.1.max(*max)));
        let size = (max - min).length();
        own.size = if size.is_finite() && size > 1e-3 { size } else { 1.0 };
        own
    }

    fn add(&mut self, bone: usize, at: Vec3) {
        if at.is_finite() && at.abs().max_element() < 1e5 {
            self.count[bone] += 1;
            self.mins[bone] = self.mins[bone].min(at);
            self.maxs[bone] = self.maxs[bone].max(at);
        }
    }

    fn extent(&self, bone: usize) -> f32 {
        if self.count[bone] == 0 { 0.0 } else { (self.maxs[bone] - self.mins[bone]).length() / self.size }
    }

    /// Adds the vertices of a folded bone to another.
    fn fold(&mut self, bone: usize, into: usize) {
        if self.count[bone] > 0 {
            self.count[into] += self.count[bone];
            self.mins[into] = self.mins[into].min(self.mins[bone]);
            self.maxs[into] = self.maxs[into].max(self.maxs[bone]);
        }
    }
}

/// Returns the corners of a box.
pub(super) fn corners(mins: [f32; 3], maxs: [f32; 3]) -> impl Iterator<Item = Vec3> {
    (0..8).map(move |corner| {
        Vec3::from(std::array::from_fn(|axis| if corner >> axis & 1 == 0 { mins[axis] } else { maxs[axis] }))
    })
}

/// Returns for every bone whether it gets a body. Where there are more than `most`, bones without a meaning share
/// bodies, so that all rows of bones get coarser alike.
fn chosen(
    skeleton: &Skeleton,
    reference: &[Mat3x4],
    own: &Extents,
    meanings: &[Meaning],
    left_out: &BTreeSet<usize>,
    most: usize,
) -> Vec<bool> {
    let count = |is_body: &[bool]| is_body.iter().filter(|body| **body).count();
    let large = |share| large(skeleton, reference, own, meanings, left_out, share);
    let mut is_body = large(LARGE);
    let mut share = LARGE;
    while count(&is_body) > most && share < LARGEST {
        share *= 1.1;
        let coarser = large(share);
        // Too few bodies are worse than some that are left out afterwards.
        if count(&coarser) * 2 < most {
            break;
        }
        is_body = coarser;
    }
    is_body
}

/// Returns `true` for a name that every engine reads back from a doll, and that looks in an editor like what it is.
fn is_writable(name: &Name) -> bool {
    Shown::of(name).is_visible() && !name.as_bytes().contains(&b'"')
}

/// Returns for every bone whether it gets a body. `share` is the extent that deserves one, as a share of the model's
/// size, of bones without a meaning; bones `left_out` get none.
fn large(
    skeleton: &Skeleton,
    reference: &[Mat3x4],
    own: &Extents,
    meanings: &[Meaning],
    left_out: &BTreeSet<usize>,
    share: f32,
) -> Vec<bool> {
    let bones = skeleton.len();
    let mut first = std::collections::HashMap::new();
    for (bone, name) in skeleton.names().iter().enumerate() {
        first.entry(name).or_insert(bone);
    }
    // A doll finds a bone by its name: of several with one name, the first.
    let has_name = |bone: usize| {
        let name = &skeleton.names()[bone];
        first.get(name) == Some(&bone) && is_writable(name) && !left_out.contains(&bone)
    };
    let mut all = Extents { count: own.count.clone(), mins: own.mins.clone(), maxs: own.maxs.clone(), ..*own };
    let mut is_body = vec![false; bones];
    let mut below = vec![false; bones];
    for bone in (0..bones).rev() {
        let part = meanings[bone].part;
        let large = match part {
            Part::Small | Part::Helper | Part::Clavicle | Part::Neck => f32::INFINITY,
            Part::Unknown => share,
            _ => LARGE_LIMB,
        };
        let is_large = all.extent(bone) >= large || part == Part::Unknown && all.extent(bone) >= share;
        // Without a skin, every bone that leads to another is a limb.
        let is_limb = own.has_skin || below[bone] || !matches!(part, Part::Unknown);
        is_body[bone] = is_large && is_limb && all.count[bone] > 0 && has_name(bone) && reference[bone].is_finite();
        if let Some(parent) = skeleton.parent(bone) {
            below[parent] = true;
            if !is_body[bone] {
                all.fold(bone, parent);
            }
        }
    }
    // What no body carries would stay behind in a fall.
    let mut carried = vec![false; bones];
    for bone in 0..bones {
        carried[bone] = skeleton.parent(bone).is_some_and(|parent| carried[parent]) || is_body[bone];
        let matters = own.has_skin && own.count[bone] > 0;
        if !carried[bone] && matters && has_name(bone) && reference[bone].is_finite() {
            (is_body[bone], carried[bone]) = (true, true);
        }
    }
    if !is_body.contains(&true)
        && let Some(bone) = (0..bones).find(|&bone| has_name(bone) && reference[bone].is_finite())
    {
        is_body[bone] = true;
    }
    is_body
}

/// Folds the smallest bodies without children until few enough are left.
fn limit(skeleton: &Skeleton, own: &Extents, is_body: &mut [bool], most: usize) {
    debug_assert_eq!(is_body.len(), skeleton.len(), "every bone has a body or none");
    let mut count = is_body.iter().filter(|body| **body).count();
    let above = |bone: usize, is_body: &[bool]| {
        let mut above = std::iter::successors(skeleton.parent(bone), |&bone| skeleton.parent(bone));
        above.find(|&bone| is_body[bone])
    };
    while count > most {
        let mut leaf: Vec<bool> = is_body.to_vec();
        for bone in (0..is_body.len()).filter(|&bone| is_body[bone]) {
            if let Some(parent) = above(bone, is_body) {
                leaf[parent] = false;
            }
        }
        let mut leaves: Vec<usize> = (0..is_body.len()).filter(|&bone| leaf[bone]).collect();
        leaves.sort_by(|a, b| own.extent(*a).total_cmp(&own.extent(*b)).then(a.cmp(b)));
        // Half of the leaves at a time keeps the work small.
        let surplus = (count - most).min(leaves.len().div_ceil(2)).max(1);
        for bone in leaves.into_iter().take(surplus) {
            is_body[bone] = false;
            debug_assert!(count > 0, "bodies were counted");
            count -= 1;
        }
    }
}

/// Returns the body that moves a vertex most, and its share of the vertex.
fn strongest(vertex: &Vertex, body_of: &[Option<usize>]) -> (Option<usize>, f32) {
    let bodies = vertex.bones.map(|(bone, weight)| (body_of.get(usize::from(bone)).copied().flatten(), weight));
    let mut most = (None, 0.0);
    for (body, _) in bodies.iter().filter(|(body, weight)| body.is_some() && *weight > 0.0) {
        let sum: f32 = bodies.iter().filter(|(other, _)| other == body).map(|(_, weight)| weight).sum();
        if sum > most.1 {
            most = (*body, sum);
        }
    }
    most
}

/// Returns the point of an edge at which two bodies, each of which moves one end most, move the skin alike.
fn border(ends: [&Vertex; 2], bodies: [usize; 2], body_of: &[Option<usize>]) -> Vec3 {
    let [lead_a, lead_b] = [0, 1].map(|end| {
        let share = |body: usize| {
            let own = |bone: &&(u16, f32)| body_of.get(usize::from(bone.0)).copied().flatten() == Some(body);
            ends[end].bones.iter().filter(own).map(|(_, weight)| weight).sum::<f32>()
        };
        let all: f32 = ends[end].bones.iter().map(|(_, weight)| weight).sum();
        ((share(bodies[end]) - share(bodies[1 - end])) / all).max(0.0)
    });
    let part = lead_a / (lead_a + lead_b);
    ends[0].at.lerp(ends[1].at, if part.is_finite() { part } else { 0.5 })
}

/// Returns for every body the bone at its other end: of its only child, or of the next part of the limb.
fn ends(
    skeleton: &Skeleton,
    reference: &[Mat3x4],
    tree: &Tree,
    meanings: &[Meaning],
    is_body: &[bool],
) -> Vec<Option<usize>> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); tree.limbs.len()];
    for limb in &tree.limbs {
        if let Some(parent) = limb.parent {
            children[parent].push(limb.bone);
        }
    }
    if tree.limbs.iter().all(|limb| limb.points.is_empty()) {
        // Without a skin, a limb ends where its bone's farthest child begins.
        for (body, limb) in tree.limbs.iter().enumerate() {
            let below = (0..skeleton.len()).filter(|&bone| skeleton.parent(bone) == Some(limb.bone) && !is_body[bone]);
            let far = |bone: &usize| reference[*bone].origin().distance(reference[limb.bone].origin());
            if children[body].is_empty() {
                children[body].extend(below.max_by(|a, b| far(a).total_cmp(&far(b))));
            }
        }
    }
    let end = |(limb, children): (&Limb, &Vec<usize>)| {
        let part = |bone: usize| meanings[bone].part;
        let next = match part(limb.bone) {
            Part::Thigh => Some(Part::Shin),
            Part::Shin => Some(Part::Foot),
            Part::UpperArm => Some(Part::Forearm),
            Part::Forearm => Some(Part::Hand),
            _ => None,
        };
        let named = children.iter().copied().find(|&bone| next == Some(part(bone)));
        let bone = match (named, children.as_slice()) {
            (Some(bone), _) => bone,
            (None, [only]) => *only,
            _ => return None,
        };
        let length = reference[bone].origin().distance(reference[limb.bone].origin());
        // A doll names the end of a limb, too.
        let is_first = skeleton.find(skeleton.names()[bone].as_bytes()) == Some(bone);
        let has_name = is_first && is_writable(&skeleton.names()[bone]);
        (length.is_finite() && length >= LONG * tree.size && has_name).then_some(bone)
    };
    tree.limbs.iter().zip(&children).map(end).collect()
}
