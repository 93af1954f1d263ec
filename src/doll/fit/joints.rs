//! Joints between bodies: their types, axes, stops and friction.

use glam::Vec2;
use skelobj_model::internal;

use super::anatomy::{Meaning, Part};
use super::axes::{self, Rule, STRAY_LIMB, Stance};
use super::bones::{Limb, Tree};
use super::masses::Mass;
use super::mirror::Mirror;
use super::motion::{Motion, Turn};
use super::overlap::nearest;
use super::ranges::{self, Range, Stops};
use super::shapes::{Solid, half_turn};
use super::swing::{off_x, swing_and_twist, whole};
use crate::doll::JointKind;
use crate::math::{Mat3x4, Quat, Vec3};

/// Joint of a fitted doll.
#[derive(Clone, Debug)]
pub(super) struct Joint {
    pub(super) parent: usize,
    pub(super) child: usize,
    pub(super) kind: JointKind,
    /// Rotation from the joint's axes to model space.
    pub(super) frame: Quat,
    pub(super) stops: Option<Stops>,
    pub(super) reason: Reason,
    pub(super) friction: Friction,
    /// Place of the joint relative to the child's bone.
    pub(super) offset: Option<Vec3>,
    /// Change of the joint because of drops.
    pub(super) change: Change,
}

/// Change of a joint because of drops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Change {
    None,
    /// More room or more friction.
    Eased,
    /// A fixed joint.
    Fixed,
}

/// Friction of a joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Friction {
    /// Torque, mass * units^2 / s^2.
    pub(super) torque: f32,
    /// Share of the torque of what hangs on the joint.
    pub(super) share: f32,
}

/// Origin of a joint's type and least ranges.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Reason {
    /// Name of the bone.
    Anatomy(Part),
    /// Animations turn it about one axis.
    OneAxis,
    /// Animations turn it about several axes.
    ManyAxes,
    /// Animations never turn it.
    Still,
    /// Link of a rope or tail.
    Link,
    /// Nothing tells.
    Unknown,
}

/// Share of the torque of what hangs on a joint that its friction holds, for an arm of [`ARM`] and longer ones. With
/// half of it, limbs are whipped deeper into floors: by a seventh for a rope, and by a quarter for a figure.
const FRICTION: f32 = 0.26;
/// Distance of what hangs on a joint, Quake units: a shorter pendulum swings faster, and needs more friction to rest.
const ARM: f32 = 12.0;
/// Greatest share of the torque that friction holds.
const STIFFEST: f32 = 1.5;
const GRAVITY: f32 = 800.0;
/// Distance of a joint from both bodies, as a share of the model's size, from which it is moved between them.
const FAR: f32 = 0.03;
/// Distance of a bone from both bodies, as a share of the longer one's length, from which its joint is moved.
const FAR_FROM_BONE: f32 = 0.4;
/// Size of a model, Quake units, below which a fall throws limbs past narrow stops: it moves by several times its own
/// length in a step of the simulation.
const TINY: f32 = 8.0;
/// Size of a figure, Quake units, below which stops by anatomy get more room, radians, for the same reason.
const SMALL: f32 = 24.0;
const ROOM: f32 = 0.25;
/// Number of bodies from which joints without a meaning get wide stops: a fall throws short bodies in long rows past
/// narrow ones, and what is caught beyond them never rests.
const CROWD: usize = 32;
/// Rotation below which a joint rests, radians.
const STILL: f32 = 0.02;

/// Allowance for a joint that drops throw past its stops.
#[derive(Clone, Copy, Debug)]
struct Allowance {
    /// Room beyond each stop, radians.
    room: f32,
    /// Narrower range of a cone, as a share of the wider one. A limb is easily thrown past the narrow sides of a flat
    /// cone: a foot by 1.6 radians at 0.33, by 0.4 at 0.67.
    roundness: f32,
    /// Friction, as a multiple of the usual one.
    friction: f32,
}

impl Allowance {
    /// Allowances in the order in which they are tried.
    const ALL: [Self; 6] = [
        Self { room: 0.0, roundness: 0.5, friction: 1.0 },
        Self { room: 0.1, roundness: 0.65, friction: 1.0 },
        Self { room: 0.2, roundness: 0.85, friction: 1.5 },
        Self { room: 0.3, roundness: 1.0, friction: 3.0 },
        Self { room: 0.6, roundness: 1.0, friction: 3.0 },
        Self { room: 1.0, roundness: 1.0, friction: 5.0 },
    ];
}

/// Everything that joints depend on.
#[derive(Clone, Copy)]
pub(super) struct Figure<'a> {
    pub(super) tree: &'a Tree,
    pub(super) solids: &'a [Solid],
    pub(super) masses: &'a [Mass],
    pub(super) reference: &'a [Mat3x4],
    pub(super) meanings: &'a [Meaning],
    pub(super) mirror: &'a Mirror,
    pub(super) motion: &'a Motion,
    /// Parent and child of each joint, bodies.
    pub(super) pairs: &'a [[usize; 2]],
    /// Number of times that drops threw each body past the stops of its joint.
    pub(super) thrown: &'a [usize],
    /// Friction of all joints, as a multiple of the usual one.
    pub(super) friction: f32,
}

/// Returns the joints of the pairs of bodies, in their order.
pub(super) fn joints(figure: &Figure) -> Vec<Joint> {
    let stance = stance(figure);
    let number: Vec<Option<usize>> =
        (0..figure.solids.len()).map(|body| figure.pairs.iter().position(|pair| pair[1] == body)).collect();
    let farthest = figure.motion.turns.iter().flatten().map(|turn| whole(turn.rotation)).fold(0.0, f32::max);
    let is_animated = figure.motion.poses >= 5 && farthest > 0.2;
    let mut joints: Vec<Option<Joint>> = vec![None; figure.pairs.len()];
    for (at, &[parent, child]) in figure.pairs.iter().enumerate() {
        if joints[at].is_some() {
            continue;
        }
        // A joint and its mirror image get the motion of both.
        let partner = figure.mirror.right_of[child].and_then(|right| number[right]).filter(|&other| {
            let above = figure.pairs[other][0];
            above == parent || figure.mirror.right_of[parent] == Some(above)
        });
        if figure.mirror.is_right[child] && has_left(figure, &number, parent, child) {
            continue;
        }
        let left = figure.mirror.left;
        let is_right = figure.mirror.is_right[child] || axes::is_right(meaning(figure, child).side);
        let image = |turn: &Turn| {
            let rotation = half_turn(left) * turn.rotation * half_turn(left).inverse();
            Turn { rotation: rotation.normalize(), ..*turn }
        };
        let own = &figure.motion.turns[at];
        let mut turns: Vec<Turn> = if is_right { own.iter().map(image).collect() } else { own.clone() };
        if let Some(other) = partner {
            turns.extend(figure.motion.turns[other].iter().map(image));
        }
        let thrown = partner.map_or(0, |other| figure.thrown[figure.pairs[other][1]]).max(figure.thrown[child]);
        let mut joint = fit(figure, stance.as_ref(), [parent, child], is_right, &turns, is_animated, thrown);
        if is_right {
            joint.frame = axes::turned(joint.frame, left);
        }
        if let Some(other) = partner {
            let [parent, child] = figure.pairs[other];
            let frame = axes::turned(joint.frame, left);
            let offset = offset(figure, parent, child);
            joints[other] = Some(Joint { parent, child, frame, offset, ..joint.clone() });
        }
        joints[at] = Some(joint);
    }
    joints.into_iter().flatten().collect()
}

/// Returns `true` if a joint on the right is fitted together with one on the left.
fn has_left(figure: &Figure, number: &[Option<usize>], parent: usize, child: usize) -> bool {
    let left = figure.mirror.right_of.iter().position(|right| *right == Some(child));
    left.and_then(|left| number[left]).is_some_and(|joint| {
        let above = figure.pairs[joint][0];
        above == parent || figure.mirror.right_of[above] == Some(parent)
    })
}

fn meaning<'a>(figure: &Figure<'a>, body: usize) -> &'a Meaning {
    &figure.meanings[figure.tree.limbs[body].bone]
}

/// Returns the directions of a figure that stands upright on two legs, or has a head above its pelvis.
pub(super) fn stance(figure: &Figure) -> Option<Stance> {
    let bodies = |part: Part| (0..figure.solids.len()).filter(move |&body| meaning(figure, body).part == part);
    let at = |body: usize| figure.reference[figure.tree.limbs[body].bone].origin();
    let [thighs, arms] = [Part::Thigh, Part::UpperArm].map(|part| bodies(part).count());
    let centre = |part: Part| {
        let places: Vec<Vec3> = bodies(part).map(at).collect();
        (!places.is_empty()).then(|| places.iter().sum::<Vec3>() / places.len() as f32)
    };
    let low = centre(Part::Pelvis).or(centre(Part::Thigh)).or(centre(Part::Spine))?;
    let high = centre(Part::Head).or(centre(Part::UpperArm))?;
    let is_upright = (high - low).try_normalize().is_some_and(|up| up.z > 0.7);
    if thighs > 2 || arms > 2 || thighs + arms == 0 || !is_upright {
        return None;
    }
    let left = (figure.mirror.left - Vec3::Z * figure.mirror.left.z).try_normalize()?;
    Some(Stance { forward: left.cross(Vec3::Z), left, up: Vec3::Z })
}

/// Returns the direction of a limb, from its joint.
fn direction(figure: &Figure, body: usize) -> Vec3 {
    let limb = &figure.tree.limbs[body];
    let from = figure.reference[limb.bone].origin();
    let end = limb.toward.map(|bone| figure.reference[bone].origin());
    let way = end.unwrap_or(figure.solids[body].centre) - from;
    if way.length() > 0.01 * figure.tree.size {
        return way.normalize_or(Vec3::Z);
    }
    let above = limb.parent.map(|parent| from - figure.reference[figure.tree.limbs[parent].bone].origin());
    above.and_then(Vec3::try_normalize).unwrap_or(Vec3::Z)
}

fn fit(
    figure: &Figure,
    stance: Option<&Stance>,
    [parent, child]: [usize; 2],
    is_right: bool,
    turns: &[Turn],
    is_animated: bool,
    thrown: usize,
) -> Joint {
    let allowance = Allowance::ALL[thrown.min(Allowance::ALL.len() - 1)];
    let limb = &figure.tree.limbs[child];
    let left = figure.mirror.left;
    let as_left = |v: Vec3| if is_right { v - left * (2.0 * left.dot(v)) } else { v };
    let (above, along) = (as_left(direction(figure, parent)), as_left(direction(figure, child)));
    let part = meaning(figure, child).part;
    let rule = stance.and_then(|stance| axes::anatomical(part, stance, above, along)).map(|rule| match () {
        () if figure.tree.size < TINY => Rule { ranges: rule.ranges.map(|range| range.widened(2.0 * ROOM)), ..rule },
        () if figure.tree.size < SMALL => Rule { ranges: rule.ranges.map(|range| range.widened(ROOM)), ..rule },
        () => rule,
    });
    let moves = turns.iter().map(|turn| whole(turn.rotation)).fold(0.0, f32::max);
    let is_link = is_link(figure, child);
    let (kind, frame, stops, reason) = match rule {
        Some(rule) => {
            let (kind, frame, stops) = by_anatomy(&rule, turns, allowance.roundness);
            (kind, frame, Some(stops), Reason::Anatomy(part))
        }
        None if moves < STILL && (is_animated || limb.is_joined) && !is_link => {
            (JointKind::Fixed, Quat::IDENTITY, None, Reason::Still)
        }
        None => by_motion(figure, along, turns, moves, is_link, allowance.roundness),
    };
    let is_fixed = thrown >= Allowance::ALL.len();
    let change = match thrown {
        0 => Change::None,
        _ if kind == JointKind::Fixed => Change::None,
        _ if is_fixed => Change::Fixed,
        _ => Change::Eased,
    };
    let (kind, stops) = match stops.filter(|_| !is_fixed) {
        Some(stops) => (kind, Some(stops.with_room(allowance.room))),
        None => (JointKind::Fixed, None),
    };
    let friction = friction(figure, child, allowance.friction * figure.friction);
    Joint { parent, child, kind, frame, stops, reason, friction, offset: offset(figure, parent, child), change }
}

fn by_anatomy(rule: &Rule, turns: &[Turn], roundness: f32) -> (JointKind, Quat, Stops) {
    let twist = |turn: &Turn| swing_and_twist(rule.frame.inverse() * turn.rotation * rule.frame, Vec2::ZERO).1;
    let is_untwisted = turns.iter().all(|turn| twist(turn).abs() <= STRAY_LIMB);
    if rule.is_straight && is_untwisted {
        return (JointKind::Universal, rule.frame, ranges::universal(rule.frame, turns, rule.ranges));
    }
    if !rule.is_hinge {
        return (JointKind::Cone, rule.frame, ranges::cone(rule.frame, turns, rule.ranges, roundness));
    }
    let axis = rule.frame * Vec3::X;
    // Motion knows the axis better than anatomy does.
    let shown = axes::hinge_axis(turns).map(|shown| if shown.dot(axis) < 0.0 { -shown } else { shown });
    let shown = shown.filter(|shown| shown.dot(axis) > 0.6);
    let frame = shown.and_then(|shown| hinge_frame(shown, rule.frame * Vec3::Z)).unwrap_or(rule.frame);
    let off = turns.iter().map(|turn| off_x(frame.inverse() * turn.rotation * frame)).fold(0.0, f32::max);
    if off <= STRAY_LIMB {
        return (JointKind::Hinge, frame, ranges::hinge(frame, turns, rule.ranges[0]));
    }
    let wide = [rule.ranges[0], Range::even(0.35), Range::even(0.5)];
    if is_untwisted {
        return (JointKind::Universal, rule.frame, ranges::universal(rule.frame, turns, wide));
    }
    (JointKind::Cone, rule.frame, ranges::cone(rule.frame, turns, wide, roundness))
}

/// Returns the rotation with this X axis, and a Z axis near another direction.
fn hinge_frame(axis: Vec3, along: Vec3) -> Option<Quat> {
    let along = along - axis * axis.dot(along);
    axes::frame(axis, along.try_normalize().unwrap_or(axis.any_orthonormal_vector()))
}

fn by_motion(
    figure: &Figure,
    along: Vec3,
    turns: &[Turn],
    moves: f32,
    is_link: bool,
    roundness: f32,
) -> (JointKind, Quat, Option<Stops>, Reason) {
    if let Some(axis) = axes::hinge_axis(turns)
        && !is_link
        && let Some(frame) = hinge_frame(axis, along)
    {
        let stops = ranges::hinge(frame, turns, Range::even(0.1));
        return (JointKind::Hinge, frame, Some(stops), Reason::OneAxis);
    }
    let main = axes::main_axis(turns).filter(|axis| axis.dot(along).abs() < 0.9);
    let frame = main.and_then(|axis| axes::frame(axis, along));
    let frame = frame.or_else(|| axes::frame(steady_perpendicular(along), along)).unwrap_or(Quat::IDENTITY);
    let (size, is_crowded) = (figure.tree.size, figure.tree.limbs.len() > CROWD);
    let shown = if moves >= STILL { Reason::ManyAxes } else { Reason::Unknown };
    let (least, reason) = match () {
        () if is_link && is_crowded => ([Range::even(2.0), Range::even(2.0), Range::even(1.0)], Reason::Link),
        () if is_link && size >= TINY => ([Range::even(0.7), Range::even(0.7), Range::even(0.3)], Reason::Link),
        () if is_crowded => ([Range::even(1.5), Range::even(1.5), Range::even(0.3)], shown),
        () if size < TINY => ([Range::FULL; 3], shown),
        () if moves >= STILL => ([Range::even(0.25), Range::even(0.25), Range::even(0.15)], shown),
        () => ([Range::even(0.5), Range::even(0.5), Range::even(0.25)], shown),
    };
    (JointKind::Cone, frame, Some(ranges::cone(frame, turns, least, roundness)), reason)
}

/// Returns the coordinate axis that is most perpendicular to a direction.
fn steady_perpendicular(along: Vec3) -> Vec3 {
    let axes = [Vec3::Y, Vec3::X, Vec3::Z];
    axes.into_iter().find(|axis| axis.dot(along).abs() < 0.6).unwrap_or(Vec3::Y)
}

/// Returns `true` for a body in a row of at least three without branches and without names of limbs.
fn is_link(figure: &Figure, child: usize) -> bool {
    let limbs: &[Limb] = &figure.tree.limbs;
    let is_plain = |body: usize| meaning(figure, body).part == Part::Unknown && !limbs[body].is_joined;
    let only_child = |body: usize| {
        let mut children = (0..limbs.len()).filter(|&other| limbs[other].parent == Some(body));
        children.next().filter(|_| children.next().is_none())
    };
    if !is_plain(child) {
        return false;
    }
    let mut row = 1;
    let mut body = child;
    while let Some(next) = only_child(body).filter(|&next| is_plain(next)) {
        (body, row) = (next, row + 1);
    }
    let mut body = child;
    while let Some(above) = limbs[body].parent.filter(|&above| only_child(above).is_some()) {
        (body, row) = (above, row + 1);
    }
    row >= 3
}

/// Returns the friction for a joint: a share of the torque of the bodies that hang on it, or a multiple of that.
fn friction(figure: &Figure, child: usize, multiple: f32) -> Friction {
    let limbs = &figure.tree.limbs;
    let hangs = |mut body: usize| {
        while body != child {
            match limbs[body].parent {
                Some(parent) => body = parent,
                None => return false,
            }
        }
        true
    };
    let (mut mass, mut moment) = (0.0, Vec3::ZERO);
    for body in (0..limbs.len()).filter(|&body| hangs(body)) {
        mass += figure.masses[body].mass;
        moment += figure.solids[body].centre * figure.masses[body].mass;
    }
    let arm = (moment / mass).distance(figure.reference[limbs[child].bone].origin());
    let arm = arm.max(0.02 * figure.tree.size);
    let share = (FRICTION * ARM / arm).clamp(FRICTION, STIFFEST) * multiple;
    Friction { torque: share * GRAVITY * mass * arm, share }
}

/// Returns the place of a joint whose bone is far from both bodies, in the bone's frame.
fn offset(figure: &Figure, parent: usize, child: usize) -> Option<Vec3> {
    let limb = &figure.tree.limbs[child];
    let bone = &figure.reference[limb.bone];
    let solids = [parent, child].map(|body| &figure.solids[body]);
    let [a, b] = nearest(solids[0], solids[1]);
    // In a wide gap, the joint stays at the child.
    let between = if a.distance(b) > FAR * figure.tree.size { b } else { (a + b) / 2.0 };
    // A bone of the skeleton's own says better than shapes where a limb bends.
    let longest = solids.map(Solid::length).into_iter().fold(0.0, f32::max);
    let far = |solid: &Solid| match limb.is_joined {
        true => FAR * figure.tree.size + solid.half.x * 0.5,
        false => FAR_FROM_BONE * longest,
    };
    let near =
        solids.iter().any(|solid| super::overlap::project(solid, bone.origin()).distance(bone.origin()) < far(solid));
    if near {
        None
    } else {
        internal::unscaled(bone, internal::is_scaled(bone)).inverse().map(|inverse| inverse.transform_point(between))
    }
}
