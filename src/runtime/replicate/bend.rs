//! Rotations of bones as the joints of a doll determine them.

use std::f32::consts::{PI, TAU};

use glam::{Quat, Vec3};
use skelobj_model::internal::{acosf, atan2f};

use super::recover::{Sight, Sights};
use crate::doll::{Doll, JointKind};
use crate::model::Model;
use crate::ragdoll::{joint_frame, reference_pose};

/// Joint of a doll that limits how a bone rotates relative to one of its ancestors.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct BoneJoint {
    pub bone: usize,
    ancestor: usize,
    /// Frame of the joint in the ancestor's axes.
    frame1: Quat,
    /// Frame of the joint in the bone's axes.
    frame2: Quat,
    freedom: Freedom,
    /// Range of the bone's twist about the frame's Z and the hinge of its child; `None` if the bone cannot twist.
    twist: Option<([f32; 2], Hinge)>,
}

/// Hinge with a child that bends in one plane, which shows how the bone is twisted.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Hinge {
    child: usize,
    frame1: Quat,
    frame2: Quat,
    /// Stops as angles of the child, radians.
    stops: [f32; 2],
}

/// Sines of a child's bend: up to the first one, its plane is not seen; from the second one on, it is exact.
const SEEN: [f32; 2] = [0.01, 0.04];

/// Axes of the joint's frame about which a bone can rotate.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Freedom {
    /// No axis.
    Fixed,
    /// X.
    Hinge,
    /// X and Y.
    Universal,
}

/// Returns the joints of a doll that determine more of a bone's rotation than the positions of its children do.
pub(super) fn joints(doll: &Doll, model: &Model) -> Vec<BoneJoint> {
    let skeleton = &model.skeleton;
    let reference = reference_pose(doll, model);
    let rotation = |bone: usize| reference.get(bone).map_or(Quat::IDENTITY, |matrix| matrix.rotation());
    let bone_of = |body: usize| skeleton.find(doll.bodies.get(body)?.bone.as_bytes());
    let hangs_on = |bone: usize, ancestor: usize| {
        std::iter::successors(skeleton.parent(bone), |bone| skeleton.parent(*bone)).any(|other| other == ancestor)
    };
    let (mut found, mut hinges, mut cones): (Vec<BoneJoint>, Vec<_>, Vec<_>) = Default::default();
    for joint in doll.joints.iter().filter(|joint| joint.enabled) {
        let freedom = match joint.kind {
            JointKind::Fixed | JointKind::Slider => Freedom::Fixed,
            JointKind::Hinge => Freedom::Hinge,
            JointKind::Universal | JointKind::Hinge2 | JointKind::Cone => Freedom::Universal,
            JointKind::Point => continue,
        };
        let (Some(one), Some(two)) = (bone_of(joint.body1), joint.body2.and_then(bone_of)) else { continue };
        let (bone, ancestor) = match (hangs_on(two, one), hangs_on(one, two)) {
            (true, _) => (two, one),
            (_, true) => (one, two),
            _ => continue,
        };
        if found.iter().all(|other| other.bone != bone) {
            let frame = joint_frame(joint, Vec3::ZERO).rotation;
            let [frame1, frame2] = [ancestor, bone].map(|bone| rotation(bone).inverse() * frame);
            let stops = |range: Option<(f32, f32)>| {
                range.map_or([-PI, PI], |(lo, hi)| if bone == two { [-hi, -lo] } else { [lo, hi] })
            };
            match joint.kind {
                JointKind::Hinge => {
                    hinges.push((ancestor, Hinge { child: bone, frame1, frame2, stops: stops(joint.range(0)) }))
                }
                JointKind::Cone => cones.push((bone, stops(joint.twist_range()))),
                _ => {}
            }
            found.push(BoneJoint { bone, ancestor, frame1, frame2, freedom, twist: None });
        }
    }
    for joint in &mut found {
        let cone = cones.iter().find(|(bone, _)| *bone == joint.bone);
        let hinge = hinges.iter().find(|(ancestor, _)| *ancestor == joint.bone);
        joint.twist = cone.zip(hinge).map(|((_, range), (_, hinge))| (*range, *hinge));
    }
    found
}

impl BoneJoint {
    /// Returns the bone's rotation that brings a child nearest to its position, within the freedom of the joint.
    pub fn bend(&self, sights: &Sights, rotations: &[Quat]) -> Option<Quat> {
        debug_assert!(self.ancestor < rotations.len(), "ancestors stand before their descendants");
        let sight = sights.farthest(self.bone)?;
        let ancestor = rotations.get(self.ancestor)?;
        let outside = *ancestor * self.frame1;
        let (from, to) = (self.frame2.inverse() * sight.bind, outside.inverse() * sight.now);
        let turn = match self.freedom {
            Freedom::Fixed => Quat::IDENTITY,
            Freedom::Hinge => arc_about(Vec3::X, from, to)?,
            // All turns that bring one to the other have axes in the plane between the two; this is the one whose axis
            // lies between X and Y; along Z, any axis does.
            Freedom::Universal => {
                let axis = Vec3::Z.cross(from - to).try_normalize().or_else(|| Vec3::Z.cross(from).try_normalize());
                arc_about(axis.unwrap_or(Vec3::X), from, to)?
            }
        };
        let bent =
            Some((outside * turn * self.frame2.inverse()).normalize()).filter(|rotation| rotation.is_finite())?;
        let Some((range, hinge)) = self.twist else { return Some(bent) };
        let Some(child) = sights.farthest(hinge.child) else { return Some(bent) };
        let bent = sight.align(bent);
        let turns_back = (bent * self.frame2 * Vec3::Z).dot(sight.now) < 0.0;
        let range = if turns_back { [-range[1], -range[0]] } else { range };
        Some(hinge.twist(sight, child, bent, range))
    }
}

impl Hinge {
    /// Twists a bone about the direction of its child within a range, so that the hinge can bend the child toward its
    /// own child.
    fn twist(&self, sight: &Sight, child: &Sight, bone: Quat, range: [f32; 2]) -> Quat {
        let (along, now, bind) = (sight.now, child.now, self.frame2.inverse() * child.bind);
        let axis = bone * self.frame1 * Vec3::X;
        let (aside, bent) = (axis.reject_from(along), now.reject_from(along));
        let seen = ((bent.length() - SEEN[0]) / (SEEN[1] - SEEN[0])).clamp(0.0, 1.0);
        let across = along.cross(aside).dot(bent);
        // Two twists keep the child's angle with the axis; one of them bends the hinge backward.
        let kept = (bind.x - axis.dot(along) * now.dot(along)) / (aside.length() * bent.length());
        let (middle, off) = (atan2f(across, aside.dot(bent)), acosf(kept.clamp(-1.0, 1.0)));
        let twisted = |angle: f32| Quat::from_axis_angle(along, angle) * bone;
        let unlikely = |angle: &f32| {
            let turn = arc_about(Vec3::X, bind, (twisted(*angle) * self.frame1).inverse() * now);
            let turn = turn.map_or(0.0, |turn| nearest_turn(2.0 * atan2f(turn.x, turn.w)));
            outside(turn, self.stops).abs() + outside(*angle, range).abs()
        };
        let angles = [middle - off, middle + off].map(nearest_turn);
        let best = angles.into_iter().min_by(|one, two| unlikely(one).total_cmp(&unlikely(two))).unwrap_or(0.0);
        let rotation = twisted((best - outside(best, range)) * seen);
        if seen > 0.0 && rotation.is_finite() { rotation.normalize() } else { bone }
    }
}

/// Returns how far an angle is outside a range.
fn outside(angle: f32, [lo, hi]: [f32; 2]) -> f32 {
    angle - angle.clamp(lo, hi.max(lo))
}

/// Returns an angle within half a turn of 0.
fn nearest_turn(angle: f32) -> f32 {
    angle - TAU * (angle / TAU).round()
}

/// Returns the turn about a unit axis that brings `from` nearest to `to`; `None` for directions along the axis.
fn arc_about(axis: Vec3, from: Vec3, to: Vec3) -> Option<Quat> {
    let (from, to) =
        (from.reject_from_normalized(axis).try_normalize()?, to.reject_from_normalized(axis).try_normalize()?);
    // Half of the angle, without its sine or cosine.
    let turn = Quat::from_xyzw(0.0, 0.0, 0.0, 1.0 + from.dot(to)) + quat(axis * axis.dot(from.cross(to)));
    Some(if turn.length_squared() > 1e-10 { turn.normalize() } else { quat(axis) })
}

fn quat(imaginary: Vec3) -> Quat {
    Quat::from_xyzw(imaginary.x, imaginary.y, imaginary.z, 0.0)
}
