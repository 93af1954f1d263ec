//! Rules about the shapes of bodies and the places of joints.

use glam::Vec3;
use rapier3d::parry::bounding_volume::BoundingVolume as _;
use rapier3d::parry::query;

use super::super::body_shape::{half_extents, masses};
use super::super::tuning::{
    DEEP_OVERLAP, FAR_FROM_JOINT, FAR_FROM_LIMB, MAX_SHAPE_RATIO, MIN_SHAPE_RATIO, MIN_SKIN_VERTICES, STRAY_VERTICES,
};
use super::check_scene::{Scene, SceneBody};
use crate::doll::draft::Draft;
use crate::doll::{Body, DollProblemKind, OnModelProblem};
use crate::math::Mat3x4;
use crate::model::Influences;
use crate::pose;

/// Reports a doll that was made for a model of another size, instead of what is wrong with each of its bodies. Returns
/// `true` if it is one.
pub(super) fn other_scale(draft: &mut Draft, scene: &Scene) -> bool {
    let skins = scene.skins();
    let factor = |vertices: fn(&Skin) -> Option<[Vec3; 2]>, is_odd: fn(&f32) -> bool| {
        let ratios = draft.doll.bodies.iter().zip(&skins).filter_map(|(body, skin)| {
            let (shape, vertices) = (extents(body), sides(vertices(skin)?));
            // Vertices in a line have no thickness to compare.
            Some([shape[0] / vertices[0], shape[1] / vertices[1]]).filter(|[_, thick]| thick.is_finite())
        });
        let ratios: Vec<[f32; 2]> = ratios.collect();
        let odd = ratios.iter().filter(|ratios| ratios.iter().all(is_odd)).count();
        // The ends of shapes reach into those at their joints: thickness tells the scale.
        let mut thick: Vec<f32> = ratios.iter().map(|[_, ratio]| *ratio).collect();
        thick.sort_by(f32::total_cmp);
        // A body or two may be odd ones, and others as they should be.
        (ratios.len() > 2 && 4 * odd >= 3 * ratios.len()).then(|| thick[thick.len() / 2])
    };
    let large = factor(|skin| skin.moved, |ratio| *ratio > MAX_SHAPE_RATIO);
    let Some(factor) = large.or_else(|| factor(|skin| skin.own, |ratio| *ratio < MIN_SHAPE_RATIO)) else {
        return false;
    };
    let problem = DollProblemKind::OnModel(OnModelProblem::OtherScale { factor });
    draft.problems.add(&draft.bodies[0].name, || problem);
    true
}

/// Reports masses that the simulation cannot use in a doll of this size.
pub(super) fn unusable_masses(draft: &mut Draft, scene: &Scene) {
    let [least, most] = masses(scene.size);
    for (body, places) in draft.doll.bodies.iter().zip(&draft.bodies) {
        let (value, used) = (body.mass, body.mass.clamp(least, most));
        if value != used {
            let problem = DollProblemKind::BeyondSimulation { attribute: "mass", value, used };
            draft.problems.add(places.or_name(&places.mass), || problem);
        }
    }
}

/// Reports bodies far from their limbs: what hits the body is not where the limb is seen.
pub(super) fn far_bodies(draft: &mut Draft, scene: &Scene) {
    for (number, (body, skin)) in draft.doll.bodies.iter().zip(scene.skins()).enumerate() {
        let Some([low, high]) = skin.moved else { continue };
        // A small body at its joint is near enough.
        let placed = &scene.bodies[number];
        let joint = placed.at(&scene.reference).inverse() * scene.reference[placed.bone].origin();
        let (low, high) = (low.min(joint), high.max(joint));
        let half = half_extents(body);
        let distance = (low - half).max(-half - high).max(Vec3::ZERO).length();
        if distance > FAR_FROM_LIMB * extents(body)[0].max((high - low).max_element()) {
            let places = &draft.bodies[number];
            let place = places.or_name(&places.offset);
            draft.problems.add(place, || DollProblemKind::OnModel(OnModelProblem::BodyFar { distance }));
        }
    }
}

/// Reports joints far from their bodies: the bodies swing on long invisible arms.
pub(super) fn far_joints(draft: &mut Draft, scene: &Scene) {
    let lengths: Vec<f32> = draft.doll.bodies.iter().map(|body| extents(body)[0]).collect();
    for ((joint, placed), places) in draft.doll.joints.iter().zip(&scene.joints).zip(&draft.joints) {
        // A joint to the world may hang its body on a string.
        let Some(body2) = joint.body2 else { continue };
        let distance = |body: usize| scene.bodies[body].distance(placed.anchor);
        let near = if distance(body2) <= distance(joint.body1) { body2 } else { joint.body1 };
        let distance = distance(near);
        if distance > FAR_FROM_JOINT * lengths[joint.body1].max(lengths[body2]) {
            let body = draft.doll.bodies[near].name.clone();
            draft.problems.add(&places.name, || DollProblemKind::OnModel(OnModelProblem::JointFar { distance, body }));
        }
    }
}

/// Reports bodies that overlap without a joint: they never collide, as the simulation would push them apart forever.
pub(super) fn overlaps(draft: &mut Draft, scene: &Scene) {
    let doll = &draft.doll;
    let pair = |a: usize, b: usize| (a.min(b), a.max(b));
    let jointed: std::collections::HashSet<(usize, usize)> =
        doll.joints.iter().filter_map(|joint| Some(pair(joint.body1, joint.body2?))).collect();
    let thin: Vec<f32> = doll.bodies.iter().map(|body| extents(body)[2]).collect();
    // A second body of a name, or on a bone, overlaps others because of that.
    let reported = draft.problems.places();
    for later in (0..doll.bodies.len()).filter(|later| !reported.contains(&draft.bodies[*later].name)) {
        for earlier in 0..later {
            if jointed.contains(&(earlier, later)) {
                continue;
            }
            let depth = scene.bodies[earlier].depth(&scene.bodies[later]);
            if depth > DEEP_OVERLAP * thin[earlier].min(thin[later]) {
                let (body, line) = (doll.bodies[earlier].name.clone(), doll.bodies[earlier].line);
                draft.problems.add(&draft.bodies[later].name, || {
                    DollProblemKind::OnModel(OnModelProblem::Overlap { body, line, depth })
                });
            }
        }
    }
}

/// Reports shapes far larger or smaller than their limbs: the limb sinks into the floor, or floats above it.
pub(super) fn odd_sizes(draft: &mut Draft, scene: &Scene) {
    for ((body, placed), places) in draft.doll.bodies.iter().zip(scene.skins()).zip(&draft.bodies) {
        let shape = extents(body);
        let place = places.or_name(&places.size);
        // Parts may be flat, such as a cape, or lines: thin bodies get through the floor, so theirs may be thicker.
        let moved = placed.moved.map(|bounds| {
            let moved = sides(bounds);
            [moved[0], moved[1].max(moved[0] / MAX_SHAPE_RATIO)]
        });
        let large = moved
            .and_then(|moved| shape.into_iter().zip(moved).find(|(shape, moved)| *shape > MAX_SHAPE_RATIO * moved));
        if let Some((shape, vertices)) = large {
            draft.problems.add(place, || DollProblemKind::OnModel(OnModelProblem::ShapeTooLarge { shape, vertices }));
        }
        // What hangs on further bones may be left out, such as fingers, or all of a character but its pony tail.
        if let Some([vertices, ..]) = placed.own.map(sides).filter(|own| shape[0] < MIN_SHAPE_RATIO * own[0]) {
            let shape = shape[0];
            draft.problems.add(place, || DollProblemKind::OnModel(OnModelProblem::ShapeTooSmall { shape, vertices }));
        }
    }
}

/// Returns the extents of a body's shape, longest first, Quake units.
pub(super) fn extents(body: &Body) -> [f32; 3] {
    let half = half_extents(body);
    sides([-half, half])
}

/// Returns the sides of a box, longest first.
fn sides([low, high]: [Vec3; 2]) -> [f32; 3] {
    let mut sides = (high - low).to_array();
    sides.sort_by(|a, b| b.total_cmp(a));
    sides
}

impl SceneBody {
    /// Returns the distance of a point from the shape, 0 inside.
    fn distance(&self, point: Vec3) -> f32 {
        self.collider.shape().distance_to_point(self.collider.position(), point, true)
    }

    /// Returns the depth to which another shape overlaps this one, 0 if they do not.
    fn depth(&self, other: &Self) -> f32 {
        let (a, b) = (&self.collider, &other.collider);
        if !a.compute_aabb().intersects(&b.compute_aabb()) {
            return 0.0;
        }
        let contact = query::contact(a.position(), a.shape(), b.position(), b.shape(), 0.0);
        contact.ok().flatten().map_or(0.0, |contact| (-contact.dist).max(0.0))
    }
}

/// Box around a body's vertices, along the body's axes from its centre; `None` for too few vertices.
struct Skin {
    /// Vertices that the body moves.
    moved: Option<[Vec3; 2]>,
    /// Vertices of the body's own bone.
    own: Option<[Vec3; 2]>,
}

/// Coordinates of vertices along each axis.
type Coordinates = [Vec<f32>; 3];

impl Scene<'_> {
    /// Returns the skin of each body.
    fn skins(&self) -> Vec<Skin> {
        let mut skins: Vec<[Coordinates; 2]> = self.bodies.iter().map(|_| Default::default()).collect();
        let frames: Vec<_> = self.bodies.iter().map(|b| b.at(&self.reference).inverse()).collect();
        let mut palette = vec![Mat3x4::ZERO; self.reference.len()];
        pose::palette(&self.reference, self.model.skeleton.inverse_bind(), &mut palette);
        for mesh in &self.model.meshes {
            for (position, influences) in mesh.positions.iter().zip(&mesh.influences) {
                let Some(body) = self.driver(influences) else { continue };
                let at = (frames[body] * posed(Vec3::from(*position), influences, &palette)).to_array();
                let own = share(influences, |bone| bone == self.bodies[body].bone) > 0.5;
                let lists = if own { 2 } else { 1 };
                for list in skins[body].iter_mut().take(lists) {
                    list.iter_mut().zip(at).for_each(|(list, value)| list.push(value));
                }
            }
        }
        let bounds = |axes: Coordinates| {
            let count = axes[0].len();
            let [x, y, z] = axes.map(bounds);
            let [low, high] = [Vec3::new(x[0], y[0], z[0]), Vec3::new(x[1], y[1], z[1])];
            (count >= MIN_SKIN_VERTICES && low.is_finite() && high.is_finite()).then_some([low, high])
        };
        skins.into_iter().map(|skin| skin.map(bounds)).map(|[moved, own]| Skin { moved, own }).collect()
    }

    /// Returns the body that moves a vertex by more than half.
    fn driver(&self, influences: &Influences) -> Option<usize> {
        let driver = |bone: usize| self.drivers.get(bone).copied().flatten();
        let mut drivers = influences.bones.iter().map(|bone| driver(usize::from(*bone)));
        drivers.find(|body| share(influences, |bone| driver(bone) == *body) > 0.5).flatten()
    }
}

/// Returns the share of a vertex that some bones move.
fn share(influences: &Influences, of: impl Fn(usize) -> bool) -> f32 {
    let bones = influences.bones.iter().zip(influences.weights);
    bones.filter(|(bone, _)| of(usize::from(**bone))).map(|(_, weight)| weight).sum()
}

/// Returns the position of a vertex on posed bones.
fn posed(position: Vec3, influences: &Influences, palette: &[Mat3x4]) -> Vec3 {
    let bones = influences.bones.iter().zip(influences.weights).filter(|(_, weight)| *weight > 0.0);
    let moved = bones.filter_map(|(bone, weight)| {
        let matrix = palette.get(usize::from(*bone))?;
        Some((matrix.transform_point(position) * weight, weight))
    });
    let (sum, weights) = moved.fold((Vec3::ZERO, 0.0), |all, one| (all.0 + one.0, all.1 + one.1));
    sum / weights
}

/// Returns the lowest and highest of coordinates without stray ones.
fn bounds(mut coordinates: Vec<f32>) -> [f32; 2] {
    coordinates.sort_by(f32::total_cmp);
    let stray = (coordinates.len() as f32 * STRAY_VERTICES) as usize;
    match coordinates.get(stray..coordinates.len() - stray) {
        Some([first, .., last]) => [*first, *last],
        _ => [0.0; 2],
    }
}
