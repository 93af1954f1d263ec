//! Skinning palettes, for renderers.

use std::cell::Cell;

use fearless_simd::Simd;

use super::blend::Weighted;
use super::sample::{Poses, Room};
use super::{PoseSource, sample};
use crate::math::Mat3x4;
use crate::math::rows::{Factor, Rows, each_in_model_space};
use crate::model::Skeleton;
use crate::simd::dispatch;

/// Computes a skinning palette: `out[bone] = model[bone] * inverse_bind[bone]`.
///
/// Each matrix moves a vertex from the bind pose to the pose, both in model space. The function writes only the bones
/// that all three slices have. See `Runtime::write_palette` for a skeletal object's
/// palette.
///
/// ```
/// use skelobj::{math::{Mat3x4, Vec3}, pose};
///
/// let mannequin = skelobj::assets::mannequin();
/// let skeleton = &mannequin.skeleton;
/// let mut palette = vec![Mat3x4::ZERO; skeleton.len()];
/// pose::palette(skeleton.bind_model(), skeleton.inverse_bind(), &mut palette);
/// let vertex = Vec3::from(mannequin.meshes[0].positions[0]);
/// assert!(palette[0].transform_point(vertex).distance(vertex) < 1e-3); // the bind pose moves no vertex
/// ```
pub fn palette(model: &[Mat3x4], inverse_bind: &[Mat3x4], out: &mut [Mat3x4]) {
    let bones = model.len().min(inverse_bind.len()).min(out.len());
    let (model, inverse_bind, out) = (&model[..bones], &inverse_bind[..bones], &mut out[..bones]);
    dispatch!(simd => palette_on(simd, model, inverse_bind, out));
}

#[inline(always)]
fn palette_on<S: Simd>(simd: S, model: &[Mat3x4], inverse_bind: &[Mat3x4], out: &mut [Mat3x4]) {
    for (out, (model, inverse_bind)) in out.iter_mut().zip(model.iter().zip(inverse_bind)) {
        Rows::load(simd, model).into_left().times(&Factor::load(simd, inverse_bind)).store(out);
    }
}

/// Computes a skinning palette from matrices in local space, in one pass; the bits are those of
/// [`to_model_space`](super::to_model_space) and [`palette`].
///
/// The function writes only the bones that all four slices have.
///
/// ```
/// use skelobj::{math::{Mat3x4, Vec3}, pose};
///
/// let mannequin = skelobj::assets::mannequin();
/// let skeleton = &mannequin.skeleton;
/// let mut palette = vec![Mat3x4::ZERO; skeleton.len()];
/// pose::raw::local_to_palette(skeleton.parents(), skeleton.bind_local(), skeleton.inverse_bind(), &mut palette);
/// let vertex = Vec3::from(mannequin.meshes[0].positions[0]);
/// assert!(palette[0].transform_point(vertex).distance(vertex) < 1e-3); // the bind pose moves no vertex
/// ```
pub fn local_to_palette(parents: &[i32], local: &[Mat3x4], inverse_bind: &[Mat3x4], out: &mut [Mat3x4]) {
    let bones = parents.len().min(local.len()).min(inverse_bind.len()).min(out.len());
    let out = &mut out[..bones];
    with_scratch(bones, |model| dispatch!(simd => local_on(simd, parents, local, inverse_bind, model, out)));
}

#[inline(always)]
fn local_on<S: Simd>(
    simd: S,
    parents: &[i32],
    local: &[Mat3x4],
    inverse_bind: &[Mat3x4],
    model: &mut [Mat3x4],
    out: &mut [Mat3x4],
) {
    let local = &local[..model.len()];
    posed_on(
        simd,
        parents,
        #[inline(always)]
        |bone| Factor::load(simd, &local[bone]),
        inverse_bind,
        model,
        out,
    );
}

/// Computes a palette of the matrices that `local` returns; `model` is scratch memory for the matrices in model space.
#[inline(always)]
fn posed_on<S: Simd>(
    simd: S,
    parents: &[i32],
    local: impl Fn(usize) -> Factor<S>,
    inverse_bind: &[Mat3x4],
    model: &mut [Mat3x4],
    out: &mut [Mat3x4],
) {
    let bones = model.len();
    debug_assert!(inverse_bind.len().min(out.len()) >= bones, "every bone has an inverse and a place");
    // Cut here, where the compiler sees that all slices are equally long.
    let (inverse_bind, out) = (&inverse_bind[..bones], &mut out[..bones]);
    each_in_model_space(
        simd,
        parents,
        model,
        local,
        #[inline(always)]
        |bone, matrix| matrix.times(&Factor::load(simd, &inverse_bind[bone])).store(&mut out[bone]),
    );
}

/// Poses a model and computes its skinning palette, in one pass, for entities that have no skeletal object.
///
/// The bits are those of [`sample`](super::sample) and [`local_to_palette`]. Returns the number of bones written: all
/// that the model has, or as many as fit into `out`.
///
/// ```
/// use skelobj::{math::Mat3x4, model::FrameState, pose::{self, PoseSource}};
///
/// let mannequin = skelobj::assets::mannequin();
/// let source = PoseSource { model: &mannequin, frame: &FrameState::single(2, 0.1) };
/// let mut palette = [Mat3x4::ZERO; 21];
/// assert_eq!(pose::sample_palette(source, &mut palette), 21);
/// let (chest, head) = (palette[10], palette[12]);
/// assert_ne!(chest, head);
/// ```
pub fn sample_palette(source: PoseSource<'_>, out: &mut [Mat3x4]) -> usize {
    let skeleton = &source.model.skeleton;
    let (parents, inverse_bind) = (skeleton.parents(), skeleton.inverse_bind());
    let bones = skeleton.len().min(out.len());
    let out = &mut out[..bones];
    let mut room: Room<'_, 8> = [(&[], 0.0); 8];
    match source.group(0..bones).map(|group| group.poses(0..bones, &mut room)) {
        Some(Poses::Baked(count @ 1..)) => with_scratch(bones, |model| {
            let poses = &room[..count];
            dispatch!(simd => sampled_on(simd, parents, poses, inverse_bind, model, out));
        }),
        _ => with_scratch(2 * bones, |room| {
            let (local, model) = room.split_at_mut(bones);
            sample(source, 0..bones, local);
            dispatch!(simd => local_on(simd, parents, local, inverse_bind, model, out));
        }),
    }
    bones
}

/// Computes a palette of a weighted sum of poses, compiled for the numbers of poses that one and two animations have.
#[inline(always)]
fn sampled_on<S: Simd>(
    simd: S,
    parents: &[i32],
    poses: &Weighted<'_>,
    inverse_bind: &[Mat3x4],
    model: &mut [Mat3x4],
    out: &mut [Mat3x4],
) {
    debug_assert!(!poses.is_empty(), "a pose without sources is sampled elsewhere");
    match *poses {
        [a, b] => posed_on(simd, parents, summed(simd, model.len(), [a, b], &[]), inverse_bind, model, out),
        [a, b, c, d] => posed_on(simd, parents, summed(simd, model.len(), [a, b, c, d], &[]), inverse_bind, model, out),
        [a, ref rest @ ..] => posed_on(simd, parents, summed(simd, model.len(), [a], rest), inverse_bind, model, out),
        [] => {}
    }
}

/// Returns a function that computes the weighted sum of a bone in the `first` poses and the `rest`.
#[inline(always)]
fn summed<'a, S: Simd, const N: usize>(
    simd: S,
    bones: usize,
    first: [(&'a [Mat3x4], f32); N],
    rest: &'a Weighted<'a>,
) -> impl Fn(usize) -> Factor<S> {
    let first = first.map(|(pose, weight)| (&pose[..bones], weight));
    debug_assert!(rest.iter().all(|(pose, _)| pose.len() >= bones), "every pose has the bones of the sum");
    #[inline(always)]
    move |bone| {
        let (pose, weight) = first[0];
        let mut sum = Rows::load(simd, &pose[bone]).scaled(weight);
        for (pose, weight) in &first[1..] {
            sum = sum.plus(Rows::load(simd, &pose[bone]).scaled(*weight));
        }
        for (pose, weight) in rest {
            sum = sum.plus(Rows::load(simd, &pose[bone]).scaled(*weight));
        }
        sum.into_factor()
    }
}

/// Writes the matrices that [`bone_in_model_space`](super::bone_in_model_space) returns, with AVX2 at half of the cost.
///
/// `local` and `out` must have as many bones as the skeleton.
pub(crate) fn bones_in_model_space(skeleton: &Skeleton, local: &[Mat3x4], out: &mut [Mat3x4]) {
    debug_assert_eq!([local.len(), out.len()], [skeleton.len(); 2], "every bone has a matrix and a place");
    with_scratch(skeleton.len(), |scratch| skeleton.branches().to_model_space(local, scratch, out));
}

thread_local! {
    static SCRATCH: Cell<Vec<Mat3x4>> = const { Cell::new(Vec::new()) };
}

/// Calls `with` with scratch memory of this thread, which holds arbitrary matrices.
///
/// The memory grows to the largest skeleton and is kept, as zeroing it costs more than posing does.
fn with_scratch(bones: usize, with: impl FnOnce(&mut [Mat3x4])) {
    let mut scratch = SCRATCH.take();
    if scratch.len() < bones {
        scratch.resize(bones, Mat3x4::ZERO);
    }
    with(&mut scratch[..bones]);
    SCRATCH.set(scratch);
}
