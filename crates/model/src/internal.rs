//! Functions that `skelobj` needs and nobody else: no promise holds for them, and the list may only shrink.

pub use crate::files::source::{NoFile, ask, write_cannot_read, write_no_such, write_not_plain};
pub use crate::format::foreign::has_no_bones;
pub use crate::level::liquid_volume::Part;
pub use crate::math::script_number::{all_finite, finite_number, handle, id_number};
pub use crate::model::frame_state::is_limp_frame;
pub use crate::model::suggest::{nearest, nearest_cost};
#[cfg(feature = "serde")]
pub use crate::object::saved::SavedPose;
pub use crate::out_of_range::FARTHEST;
pub use crate::pose::size::{LARGEST, is_usable};
pub use crate::pose::survey::{Moment, survey};
pub use crate::pose::trace::{PosedSkin, trace_hit_boxes};
pub use crate::shown::{Shown, ShownLength, counted};
pub use crate::trig::{acosf, asinf, atan2, atan2f, cos, cosf, portable_range, powf, sin, sinf, tanf};

use std::sync::Arc;

use glam::{Quat, Vec3, Vec4};

use crate::level::{BrushEntity, Level, LiquidVolume, SolidVolume};
use crate::limits::{Limit, LimitExceeded, Limits};
use crate::math::{Axes, EntityTransform, Mat3x4};
use crate::model::{Blend, FrameState, Model};
use crate::object::{Build, ObjectError, SkeletalObject};
use crate::out_of_range::OutOfRange;
use crate::pose::RootMotion;

/// Functions in place of methods, which would stand on a public type's page.
macro_rules! functions {
    ($($name:ident($($argument:ident: $kind:ty),*) $(-> $result:ty)? = $method:path;)*) => {$(
        #[inline]
        pub fn $name($($argument: $kind),*) $(-> $result)? {
            $method($($argument),*)
        }
    )*};
}

functions! {
    axes_from_angles_f64(angles: Vec3) -> Axes = Axes::from_angles_f64;
    factor(transform: &EntityTransform) -> f32 = EntityTransform::factor;
    is_scaled(matrix: &Mat3x4) -> bool = Mat3x4::is_scaled;
    is_within(matrix: &Mat3x4, most: f32) -> bool = Mat3x4::is_within;
    known_rotation(matrix: &Mat3x4) -> Option<Quat> = Mat3x4::known_rotation;
    rows(matrix: &Mat3x4) -> [Vec4; 3] = Mat3x4::rows;
    stretch(matrix: &Mat3x4) -> Mat3x4 = Mat3x4::stretch;
    toward(matrix: &Mat3x4, other: &Mat3x4, share: f32) -> Mat3x4 = Mat3x4::toward;
    unscaled(matrix: &Mat3x4, is_scaled: bool) -> Mat3x4 = Mat3x4::unscaled;

    active(frame: &FrameState) -> impl Iterator<Item = &Blend> = FrameState::active;
    is_finite_frame(frame: &FrameState) -> bool = FrameState::is_finite;
    with_f32_times(frame: FrameState) -> FrameState = FrameState::with_f32_times;
    poses_within(root: &RootMotion, model: &Model, frame: &FrameState, seconds: f64) -> u64 = RootMotion::poses_within;
    skin_size(model: &Model) -> u64 = Model::skin_size;

    bones_in_place(object: &mut SkeletalObject) -> &mut [Mat3x4] = SkeletalObject::bones_in_place;
    make_model_space(object: &mut SkeletalObject) = SkeletalObject::make_model_space;
    replace_model_space_pose(object: &mut SkeletalObject, bones: &[Mat3x4]) = SkeletalObject::replace_model_space_pose;
    unbuild(object: &mut SkeletalObject) = SkeletalObject::unbuild;
    written_by_ragdoll(object: &mut SkeletalObject) -> &mut [Mat3x4] = SkeletalObject::written_by_ragdoll;
    build_shared(object: &mut SkeletalObject, source: &Arc<Model>, frame: &FrameState, build: &Build)
        -> Result<(), ObjectError> = SkeletalObject::build_shared;

    division(volume: &LiquidVolume, part: Part) -> Option<((Vec3, f32), [Part; 2])> = LiquidVolume::division;
    entry(volume: &SolidVolume, from: Vec3, to: Vec3) -> Option<f32> = SolidVolume::entry;
    root(volume: &LiquidVolume) -> Part = LiquidVolume::root;
    touches(volume: &LiquidVolume, centre: Vec3, half: Vec3) -> bool = LiquidVolume::touches;
    tree(volume: &SolidVolume) -> &LiquidVolume = SolidVolume::tree;
    water_entities(level: &Level) -> impl Iterator<Item = (usize, &BrushEntity)> = Level::water_entities;

    check_limit(limit: Limit, needed: usize, allowed: u32) -> Result<(), LimitExceeded> = Limits::check;
    check_place(name: &'static str, place: Vec3) -> Result<(), OutOfRange> = OutOfRange::check_place;
    check_room(needed: usize, found: usize) -> Result<(), ObjectError> = ObjectError::check_room;
}

#[cfg(feature = "serde")]
functions! {
    load(object: &mut SkeletalObject, saved: SavedPose) = SkeletalObject::load;
    save(object: &SkeletalObject) -> SavedPose = SkeletalObject::save;
    is_sound(volume: &LiquidVolume) -> bool = LiquidVolume::is_sound;
}

#[inline]
pub fn check_number(
    is_allowed: bool,
    name: &'static str,
    value: impl Into<f64>,
    expected: &'static str,
) -> Result<(), OutOfRange> {
    OutOfRange::check(is_allowed, name, value, expected)
}

#[inline]
pub fn check_numbers(
    name: &'static str,
    values: impl IntoIterator<Item = f32>,
    most: f32,
    expected: &'static str,
) -> Result<(), OutOfRange> {
    OutOfRange::check_all(name, values, most, expected)
}

#[inline]
pub fn cut(volume: &LiquidVolume, from: Vec3, to: Vec3, found: impl FnMut(f32, f32)) {
    volume.cut(from, to, found);
}
