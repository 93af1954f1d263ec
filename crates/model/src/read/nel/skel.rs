//! Skeletons (CSkeletonShape, versions 0 and 1).

use std::collections::HashMap;
use std::sync::Arc;

use super::super::finite_skeleton;
use super::matrix::{FROM_QUAKE, TO_QUAKE, matrix};
use super::poses::TrackPoses;
use super::stream::Stream;
use crate::math::{Mat3x4, Quat};
use crate::model::rest::{Channels, Rest, RestBone};
use crate::model::{Animation, AnimationSource, Bone, Fixup, Model, ModelError, ModelProblem, Name, Skeleton};

/// Minimum cosine of half the angle between two rotations that count as equal.
const SAME: f32 = 0.999;

/// Reads a skeleton after its class name.
///
/// The bind pose is that of the skin. Where no track drives a bone, NeL shows default values, which may differ much
/// from the bind pose; they become the animation "default".
pub(super) fn read(mut stream: Stream) -> Result<Model, ModelError> {
    stream.enter("skeleton");
    let at = stream.offset();
    let version = stream.version(1)?;
    let count = stream.count(100)?;
    let count_of_bones = u32::try_from(count).unwrap_or(u32::MAX);
    finite_skeleton::check_count("skeleton", at, count_of_bones)?;
    let mut read: Vec<SkinBone> = stream.reserve(count)?;
    let mut rest = Rest::default();
    for bone in 0..count {
        let bone = SkinBone::read(&mut stream, bone)?;
        rest.numbers.insert(bone.name.clone(), read.len());
        rest.bones.push(bone.rest);
        read.push(bone);
    }
    stream.enter("skeleton");
    bone_map(&mut stream, count, &mut rest.numbers)?;
    if version >= 1 {
        for _ in 0..stream.count(9)? {
            stream.version(0)?;
            stream.skip::<f32>()?;
            stream.list::<u8>()?;
        }
    }
    rest.in_quake_axes =
        read.iter().find(|bone| bone.rest.parent.is_none()).is_some_and(SkinBone::is_moved_from_outside);

    let skeleton = skeleton(&mut stream, at, &read)?.with_rest(rest);
    let mut animations = Vec::new();
    if count > 0 {
        let poses = Arc::new(TrackPoses::of_defaults(&skeleton));
        let still = Animation::frames("default", 0, 1, Animation::DEFAULT_RATE, true);
        animations.push(Animation { source: AnimationSource::Evaluated { poses, count: 1 }, ..still });
    }
    Ok(Model { skeleton, animations, warnings: stream.finish(), ..Model::default() })
}

/// Bone as the file stores it.
struct SkinBone {
    name: Name,
    rest: RestBone,
    /// Transform from the skin to local space of the bone, and its inverse.
    inverse_bind: Mat3x4,
    bind: Mat3x4,
    /// Scale of the skin of this bone alone.
    skin_scale: [f32; 3],
}

impl SkinBone {
    fn read(stream: &mut Stream, bone: usize) -> Result<Self, ModelError> {
        stream.enter("bone");
        let at = stream.offset();
        let version = stream.version(2)?;
        let name = stream.string()?;
        let name = stream.file.name("bone", at, name)?;
        drop(stream.reserve::<(Name, usize, RestBone)>(1)?);
        let inverse_bind = matrix(stream)?;
        let at_parent = stream.offset();
        let parent = stream.get::<i32>()?;
        let max = bone as i64 - 1;
        if !(-1..=max).contains(&parent.into()) {
            let problem = ModelProblem::OutOfRange { field: "parent", found: parent.into(), min: -1, max };
            return Err(ModelError::new("bone", at_parent, problem));
        }
        let inherits_scale = !stream.flag()?;
        if version >= 1 {
            stream.skip::<f32>()?;
        }
        let position = stream.versioned::<[f32; 3]>()?;
        stream.versioned::<[f32; 3]>()?;
        let rotation = stream.versioned::<[f32; 4]>()?;
        let scale = stream.versioned::<[f32; 3]>()?;
        let pivot = stream.versioned::<[f32; 3]>()?;
        let mut skin_scale: [f32; 3] = if version >= 2 { stream.get()? } else { [1.0; 3] };
        let mut bad = 0;
        if !skin_scale.iter().all(|v| v.is_finite()) {
            skin_scale = [1.0; 3];
            bad += 1;
        }
        let channels = Channels::from_file(position, rotation, scale, pivot, &mut bad);
        // A bone that scales its skin to zero has no place in the bind pose.
        let (inverse_bind, bind) = match inverse_bind.inverse() {
            Some(bind) if inverse_bind.is_finite() => (inverse_bind, bind),
            _ => {
                bad += 1;
                (Mat3x4::IDENTITY, Mat3x4::IDENTITY)
            }
        };
        stream.warn_not_finite(at, bad);
        let rest = RestBone { channels, parent: usize::try_from(parent).ok(), inherits_scale };
        Ok(Self { name, rest, inverse_bind, bind, skin_scale })
    }

    /// Returns `true` if this root is unturned because the game turns the whole object. Its default values are then in
    /// the axes of 3ds Max's Biped, which are Quake's.
    fn is_moved_from_outside(&self) -> bool {
        let default = self.rest.channels.rotation.as_quat();
        let same = |a: Quat, b: Quat| a.dot(b).abs() > SAME;
        same(default, Quat::IDENTITY) && !same(default, self.bind.rotation())
    }
}

/// Reads the stored map from names to bone numbers.
fn bone_map(stream: &mut Stream, count: usize, numbers: &mut HashMap<Name, usize>) -> Result<(), ModelError> {
    for _ in 0..stream.count(8)? {
        let at = stream.offset();
        let name = stream.string()?;
        let bone = stream.get::<u32>()? as usize;
        if bone >= count {
            stream.warn(at, Fixup::Dropped("the name of a bone that does not exist"));
            continue;
        }
        let name = stream.file.name("skeleton", at, name)?;
        drop(stream.reserve::<(Name, usize)>(1)?);
        numbers.insert(name, bone);
    }
    Ok(())
}

/// Builds the bind pose in Quake's axes.
fn skeleton(stream: &mut Stream, at: usize, read: &[SkinBone]) -> Result<Skeleton, ModelError> {
    let mut bones = stream.reserve(read.len())?;
    let mut inverse_bind = stream.reserve(read.len())?;
    let mut bad = 0;
    for bone in read {
        let above = bone.rest.parent.and_then(|parent| read.get(parent)).map(|parent| parent.inverse_bind);
        let bind = above.unwrap_or(TO_QUAKE) * bone.bind;
        bones.push(Bone { name: bone.name.clone(), parent: bone.rest.parent, bind });
        let [x, y, z] = bone.skin_scale;
        let stretch = Mat3x4([x, 0.0, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, 0.0, z, 0.0]);
        let inverse = stretch * bone.inverse_bind * FROM_QUAKE;
        bad += usize::from(!inverse.is_finite());
        inverse_bind.push(if inverse.is_finite() { inverse } else { Mat3x4::IDENTITY });
    }
    stream.warn_not_finite(at, bad);
    Ok(finite_skeleton::skeleton(&mut stream.file, "skeleton", || at, bones)?.with_inverse_bind(inverse_bind))
}
