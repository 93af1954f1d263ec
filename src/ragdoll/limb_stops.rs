//! Limbs that reach, and chains that aim, within the stops of a doll.

use std::f32::consts::PI;

use skelobj_model::internal::atan2f;

use crate::doll::{Doll, Joint, JointKind, ReferencePose};
use crate::math::{Quat, Vec3};
use crate::model::{FrameState, Model, Name};
use crate::pose::{Aim, Reach};

/// Returns a reach with the hinge and the least and greatest bend of the doll's joint in the middle of the limb; `None`
/// if the doll has no hinge there.
///
/// The joint is a [`Hinge`](JointKind::Hinge) whose one body is on the limb's middle bone, and whose other is above it.
/// Stops are angles from the reference pose of the doll; the limb opens to the side on which they leave more room.
///
/// ```
/// use skelobj::doll::Doll;
/// use skelobj::math::Vec3;
/// use skelobj::pose::Reach;
/// use skelobj::{assets, ragdoll};
/// let doll = Doll::parse(assets::MANNEQUIN_DOLL).doll;
/// let mut object = assets::mannequin_object();
/// let leg = Reach::parse(&object.model().skeleton, "thigh_l, shin_l, foot_l")?;
/// let leg = ragdoll::within_stops(&doll, object.model(), leg).expect("a knee"); // once for a model
/// assert!(leg.hinge.is_some() && (leg.bend[0] - 0.63).abs() < 0.05); // it bends by 2.5 radians
/// object.reach(&leg, Vec3::new(8.0, 4.0, 20.0))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn within_stops(doll: &Doll, model: &Model, reach: Reach) -> Option<Reach> {
    let [start, middle, end] = reach.bones();
    let skeleton = &model.skeleton;
    // Most bodies are told by their names alone, and no other bone is looked for.
    let middle_name = skeleton.name(middle).filter(|name| skeleton.find(name.as_bytes()) == Some(middle))?;
    let bone_name = |body: usize| doll.bodies.get(body).map(|body| &body.bone);
    let is_above = |bone: usize| {
        std::iter::successors(skeleton.parent(middle), |bone| skeleton.parent(*bone)).any(|above| above == bone)
    };
    let (joint, turns_parent) =
        doll.joints.iter().filter(|joint| joint.kind == JointKind::Hinge).find_map(|joint| {
            let (one, two) = (bone_name(joint.body1)?, bone_name(joint.body2?)?);
            let is_child =
                |child, parent: &Name| child == middle_name && skeleton.find(parent.as_bytes()).is_some_and(is_above);
            let turns_parent = is_child(two, one);
            (turns_parent || is_child(one, two)).then_some((joint, turns_parent))
        })?;
    let reference = |bone: usize| match doll.reference {
        ReferencePose::Animation { index, time } => {
            model.tag_matrix(bone, &FrameState::single(index as usize, time.into()))
        }
        ReferencePose::BindPose => Some(skeleton.bind_model()[bone]),
    };
    let (start, middle, end) = (reference(start)?, reference(middle)?, reference(end)?);
    let into_bone = middle.inverse()?;
    let axis = joint.axis.try_normalize()?;
    let [upper, lower] = [start, end].map(|bone| bone.origin() - middle.origin());
    // The stops are those of body 1 seen from body 2.
    let stops = joint.range(0).map(|(lo, hi)| if turns_parent { [-hi, -lo] } else { [lo, hi] });
    // A limb bends by half a turn at most, even if its joint could turn further.
    let stops = stops.map(|ends| ends.map(|stop| stop.clamp(-PI, PI)));
    // In the middle of the range, the limb is on the side on which the stops leave more room.
    let halfway = Quat::from_axis_angle(axis, stops.map_or(0.0, |[lo, hi]| (lo + hi) / 2.0)) * lower;
    let opens = axis.dot(upper.cross(halfway));
    let sign = 1f32.copysign(if opens == 0.0 { axis.dot(upper.cross(lower)) } else { opens });
    let hinge = axis * sign;
    let across = |vector: Vec3| vector.reject_from(hinge);
    let angle = atan2f(opens.abs(), across(upper).dot(across(halfway)));
    let bend = stops.map_or([0.0, PI], |[lo, hi]| {
        let half = (hi - lo) / 2.0;
        [angle - half, angle + half].map(|end| end.clamp(0.0, PI))
    });
    let hinge = into_bone.transform_vector(hinge).try_normalize()?;
    (hinge.is_finite() && bend.iter().all(|angle| angle.is_finite()))
        .then(|| reach.with_hinge(Some(hinge)).with_bend(bend))
}

/// Returns an aim whose limit is the sum of the narrowest stops of its bones; `None` if the doll has no joint there.
///
/// The joint of a bone is the one between a body on the bone and a body above it. Its narrowest stop is the smallest
/// turn from the doll's reference pose to a stop of any axis or to an end of the twist: whatever the direction of a
/// target, no joint turns further, if the pose is the reference pose and the shares are in proportion to the stops. A
/// joint without stops allows half a turn. Bones without a joint add nothing.
///
/// ```
/// use skelobj::doll::Doll;
/// use skelobj::pose::Aim;
/// use skelobj::{assets, ragdoll};
/// let doll = Doll::parse(assets::MANNEQUIN_DOLL).doll;
/// let mannequin = assets::mannequin();
/// let look = Aim::parse(&mannequin.skeleton, "head")?;
/// let look = ragdoll::aim_within_stops(&doll, &mannequin, look).expect("a neck"); // once for a model
/// assert_eq!(look.limit, 0.8); // the head tilts by 0.8 radians, nods by 0.9 and turns by 1.4
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn aim_within_stops(doll: &Doll, model: &Model, aim: Aim) -> Option<Aim> {
    let skeleton = &model.skeleton;
    let bone = |body: usize| doll.bodies.get(body).and_then(|body| skeleton.find(body.bone.as_bytes()));
    let joint_of = |wanted: usize| {
        let is_above = |above: usize| {
            std::iter::successors(skeleton.parent(wanted), |bone| skeleton.parent(*bone)).any(|bone| bone == above)
        };
        doll.joints.iter().find(|joint| {
            let ends = bone(joint.body1).zip(joint.body2.and_then(bone));
            ends.is_some_and(|(one, two)| (two == wanted && is_above(one)) || (one == wanted && is_above(two)))
        })
    };
    let narrowest = |joint: &Joint| {
        let stops = [joint.range(0), joint.range(1), joint.twist_range()].into_iter().flatten();
        stops.map(|(lo, hi)| hi.min(-lo).max(0.0)).fold(PI, f32::min)
    };
    let mut limits = aim.bones().filter_map(joint_of).map(narrowest);
    let first = limits.next()?;
    let limit = limits.fold(first, |sum, limit| sum + limit).min(PI);
    Some(aim.with_limit(limit))
}
