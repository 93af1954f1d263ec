//! Inter-Quake Models, version 2.

mod extension;
mod quantized_pose;
mod vertex_arrays;

use std::collections::HashMap;

use super::{WriteError, check};
use crate::model::{Animation, AnimationSource, Bounds, Model, Name};

/// Bytes of the header.
const HEADER: usize = 124;

/// Writes a model as an IQM file, version 2, with FTE's extensions where they are needed.
///
/// - **Poses** become translation, rotation and scale, quantised to 16 bits over the range of each channel. Shear is
///   lost; other errors are at most a 65535th of that range.
/// - **Vertices** keep their values: weights and colours become bytes only if bytes hold them exactly. An array that
///   only some meshes have is filled for the others: bone 0 for influences, white for colours, zeros for the rest.
/// - **Animations** with a list of frames get their own frames, as do those that show the bind pose. If all show the
///   bind pose, none is written, which readers understand in the same way.
/// - **Joints** are written in the pose in which skins are bound. If that differs from the bind pose, as in some glTF
///   files, a frame shows the bind pose. Named bones without a bind pose, as in files that contain only animations, are
///   written in the pose of the first frame.
///
/// IQM cannot hold action numbers, vertex frames, tags, attachments, hit boxes and triangle groups. A model without
/// bones is written in its bind pose. A mesh keeps one of several custom arrays with the same name and number of
/// components. [`Format::losses`](crate::Format::losses) lists what a model loses. Reading and writing a file
/// repeatedly gives the same bytes only if nothing rotates: the length of a quantised quaternion is not exactly 1 and
/// becomes scale.
///
/// # Errors
/// The variants of [`WriteError`] for a model that contradicts itself. Every file that is written can be read.
///
/// ```
/// use skelobj::math::{Mat3x4, Vec3};
/// use skelobj::model::{Bone, Model, Skeleton};
/// use skelobj::write;
/// let bone = Bone { name: "root".into(), parent: None, bind: Mat3x4::from_translation(Vec3::Z) };
/// let model = Model { skeleton: Skeleton::new(vec![bone])?, ..Model::default() };
/// let read = Model::load("stick.iqm", &write::iqm(&model)?, |_| None)?;
/// assert_eq!(read.skeleton, model.skeleton);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn iqm(model: &Model) -> Result<Vec<u8>, WriteError> {
    check::model(model)?;
    if model.animations.iter().any(|a| matches!(a.source, AnimationSource::Evaluated { .. })) {
        return iqm(&model.baked());
    }
    let rests_elsewhere = quantized_pose::bound_elsewhere(&model.skeleton).is_some();
    if rests_elsewhere && model.animations.is_empty() {
        // Joints are in the pose that binds the skin, so only an animation can show the rest pose.
        let rest = Animation::frames("base", 0, 1, Animation::DEFAULT_RATE, true);
        let animations = vec![Animation { source: AnimationSource::BindPose, ..rest }];
        return iqm(&Model { animations, ..model.clone() });
    }
    check::reach(model, &quantized_pose::stored_skeleton(&model.skeleton))?;
    let mut writer = Writer { model, out: vec![0; HEADER], text: Text::new() };
    let mut header = Header::default();
    let plan = FramePlan::new(model, rests_elsewhere);
    writer.meshes(&mut header);
    writer.joints(&mut header, &plan);
    writer.poses(&mut header, &plan);
    writer.animations(&mut header, &plan);
    writer.bounds(&mut header, &plan);
    writer.comments(&mut header);
    writer.extensions(&mut header, &plan);
    writer.finish(header)
}

/// Number of records and offset of the first, as in the header.
#[derive(Clone, Copy, Default)]
struct Table {
    count: u32,
    offset: u32,
}

#[derive(Default)]
struct Header {
    meshes: Table,
    vertex_arrays: Table,
    vertex_count: u32,
    triangles: Table,
    joints: Table,
    poses: Table,
    animations: Table,
    frames: Table,
    channels: u32,
    bounds_offset: u32,
    comments: Table,
    extensions: Table,
}

/// File so far. The header is filled in at the end, the text block comes last.
struct Writer<'m> {
    model: &'m Model,
    out: Vec<u8>,
    text: Text<'m>,
}

impl<'m> Writer<'m> {
    /// Pads to four bytes and returns the offset. Offsets beyond 32 bits are caught at the end.
    fn align(&mut self) -> u32 {
        self.out.resize(self.out.len().next_multiple_of(4), 0);
        self.out.len() as u32
    }

    fn u32s(&mut self, values: &[u32]) {
        self.out.extend(values.iter().flat_map(|v| v.to_le_bytes()));
    }

    fn f32s(&mut self, values: &[f32]) {
        self.out.extend(values.iter().flat_map(|v| v.to_le_bytes()));
    }

    fn animations(&mut self, header: &mut Header, plan: &FramePlan<'m>) {
        header.animations = Table { count: plan.runs.len() as u32, offset: self.align() };
        for (animation, &(first, count)) in self.model.animations.iter().zip(&plan.runs) {
            let name = self.text.offset(&animation.name);
            self.u32s(&[name, first, count]);
            self.f32s(&[animation.rate]);
            self.u32s(&[animation.looping.into()]);
        }
    }

    fn bounds(&mut self, header: &mut Header, plan: &FramePlan<'m>) {
        if self.model.bounds.is_empty() || plan.frames.is_empty() {
            return;
        }
        header.bounds_offset = self.align();
        let bind = bind_bounds(self.model);
        for frame in &plan.frames {
            let bounds = frame.and_then(|frame| self.model.bounds.get(frame)).unwrap_or(&bind);
            self.f32s(&bounds.mins);
            self.f32s(&bounds.maxs);
            self.f32s(&[bounds.xy_radius, bounds.radius]);
        }
    }

    fn comments(&mut self, header: &mut Header) {
        let offset = self.align();
        for comment in &self.model.comments {
            self.out.extend_from_slice(comment.as_bytes());
            self.out.push(0);
        }
        header.comments = Table { count: self.out.len() as u32 - offset, offset };
    }

    fn finish(mut self, h: Header) -> Result<Vec<u8>, WriteError> {
        let text = Table { count: self.text.block.len() as u32, offset: self.align() };
        self.out.append(&mut self.text.block);
        let Ok(size) = u32::try_from(self.out.len()) else {
            return Err(WriteError::TooLarge { bytes: self.out.len() });
        };
        const VERSION: u32 = 2;
        const NO_ADJACENCY: u32 = 0;
        let mut header = b"INTERQUAKEMODEL\0".to_vec();
        let mut put = |values: &[u32]| header.extend(values.iter().flat_map(|v| v.to_le_bytes()));
        put(&[VERSION, size, self.model.flags, text.count, text.offset, h.meshes.count, h.meshes.offset]);
        put(&[h.vertex_arrays.count, h.vertex_count, h.vertex_arrays.offset]);
        put(&[h.triangles.count, h.triangles.offset, NO_ADJACENCY]);
        for table in [h.joints, h.poses, h.animations] {
            put(&[table.count, table.offset]);
        }
        put(&[h.frames.count, h.channels, h.frames.offset, h.bounds_offset]);
        for table in [h.comments, h.extensions] {
            put(&[table.count, table.offset]);
        }
        self.out.splice(..HEADER, header);
        Ok(self.out)
    }
}

/// Text block with each name once; offset 0 is the empty name.
struct Text<'m> {
    block: Vec<u8>,
    offsets: HashMap<&'m [u8], u32>,
}

impl<'m> Text<'m> {
    fn new() -> Self {
        Self { block: vec![0], offsets: HashMap::from([(&[][..], 0)]) }
    }

    fn offset(&mut self, name: &'m Name) -> u32 {
        self.bytes(name.as_bytes())
    }

    fn bytes(&mut self, bytes: &'m [u8]) -> u32 {
        *self.offsets.entry(bytes).or_insert_with(|| {
            let offset = self.block.len() as u32;
            self.block.extend_from_slice(bytes);
            self.block.push(0);
            offset
        })
    }
}

/// Frames of the file, and the range of each animation among them.
struct FramePlan<'m> {
    model: &'m Model,
    /// Frames of the model, then frames that animations need for themselves; `None` is the bind pose.
    frames: Vec<Option<usize>>,
    /// First frame and number of frames of each animation; empty if no animation is written.
    runs: Vec<(u32, u32)>,
}

impl<'m> FramePlan<'m> {
    /// Plans the frames. With `rests_elsewhere` readers do not take the joints for the bind pose.
    fn new(model: &'m Model, rests_elsewhere: bool) -> Self {
        let mut plan = Self { model, frames: Vec::new(), runs: Vec::new() };
        if model.skeleton.is_empty() {
            return plan;
        }
        plan.frames.extend((0..model.frame_count()).map(Some));
        let is_rest = |animation: &Animation| animation.source == AnimationSource::BindPose;
        if !rests_elsewhere && model.animations.iter().all(is_rest) {
            return plan;
        }
        // All that show the bind pose share one frame.
        let mut bind = None;
        for animation in &model.animations {
            let first = plan.frames.len() as u32;
            let run = match &animation.source {
                AnimationSource::Frames { first, count } => (*first, *count),
                AnimationSource::List(frames) => {
                    plan.frames.extend(frames.iter().map(|&frame| Some(frame as usize)));
                    (first, frames.len() as u32)
                }
                // Evaluated animations were baked before.
                AnimationSource::BindPose | AnimationSource::Evaluated { .. } => {
                    let frame = *bind.get_or_insert(first);
                    if frame == first {
                        plan.frames.push(None);
                    }
                    (frame, 1)
                }
            };
            plan.runs.push(run);
        }
        plan
    }

    /// Returns the parent-relative matrices of a frame of the plan.
    fn matrices(&self, frame: Option<usize>) -> &'m [crate::math::Mat3x4] {
        frame.and_then(|frame| self.model.frame(frame)).unwrap_or(self.model.skeleton.bind_local())
    }
}

/// Returns the bounds of the skin in the bind pose.
fn bind_bounds(model: &Model) -> Bounds {
    let mut positions = model.meshes.iter().flat_map(|mesh| &mesh.positions);
    let start = positions.clone().next().copied().unwrap_or_default();
    let zero = Bounds { mins: start, maxs: start, xy_radius: 0.0, radius: 0.0 };
    positions.by_ref().fold(zero, |bounds, &[x, y, z]| Bounds {
        mins: [bounds.mins[0].min(x), bounds.mins[1].min(y), bounds.mins[2].min(z)],
        maxs: [bounds.maxs[0].max(x), bounds.maxs[1].max(y), bounds.maxs[2].max(z)],
        xy_radius: bounds.xy_radius.max(x.hypot(y)),
        radius: bounds.radius.max(x.hypot(y).hypot(z)),
    })
}
