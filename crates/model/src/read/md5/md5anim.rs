//! `.md5anim` files: joints in parent space, and the components that change from frame to frame.

use super::super::cursor::finite_or_identity;
use super::super::finite_skeleton;
use super::{Md5, matrix, narrow};
use crate::math::{Mat3x4, Vec3};
use crate::model::{Animation, Bounds, Fixup, Model, ModelError, ModelProblem, Name, Skeleton};

/// Defined flags: three of position, three of rotation.
const FLAGS: u32 = 0x3f;

/// Components of a joint that come from the frames.
struct Channels {
    flags: u32,
    start: u32,
    /// Position and rotation of the base frame.
    base: [f64; 6],
}

/// Parts that were read so far.
#[derive(Default)]
struct Reading {
    frame_count: u32,
    rate: f64,
    rate_at: usize,
    component_count: u32,
    hierarchy: Vec<(Name, Option<usize>)>,
    channels: Vec<Channels>,
    has_base: bool,
    bounds: Vec<Bounds>,
    frames: Vec<Mat3x4>,
    frames_read: u32,
    /// Components of the current frame.
    components: Vec<f64>,
    bad: usize,
}

/// Reads an animation file.
pub(super) fn read(mut md5: Md5) -> Result<Model, ModelError> {
    let mut reading = Reading::default();
    loop {
        md5.words.section = "header";
        let mut ahead = md5.words.clone();
        let Some(word) = ahead.next() else { break };
        let before = std::mem::replace(&mut md5.words, ahead);
        match word {
            // The joints that were read depend on these numbers.
            b"numFrames" | b"numJoints" | b"numAnimatedComponents" if !reading.channels.is_empty() => {
                md5.words = before;
                return Err(md5.words.unexpected("bounds, baseframe or frame"));
            }
            b"numFrames" => reading.frame_count = md5.words.count("numFrames", 1, "frame 0{}".len())?,
            b"frameRate" => (reading.rate_at, reading.rate) = (md5.words.offset(), md5.words.number()?),
            b"numAnimatedComponents" => reading.component_count = md5.words.count("numAnimatedComponents", 0, 1)?,
            b"hierarchy" if reading.channels.is_empty() => reading.hierarchy(&mut md5)?,
            b"bounds" => reading.bounds(&mut md5)?,
            b"baseframe" => reading.base_frame(&mut md5)?,
            b"frame" => reading.frame(&mut md5)?,
            _ if md5.directive(word)? => {}
            _ => {
                md5.words = before;
                return Err(md5.words.unexpected("hierarchy, bounds, baseframe or frame"));
            }
        }
    }
    if reading.frames_read < reading.frame_count || reading.frame_count == 0 {
        return Err(md5.missing("frame"));
    }
    md5.check_version();
    let rate = md5.file.rate("header", reading.rate_at, reading.rate as f32);
    md5.file.warn_not_finite("frame", 0, reading.bad);
    debug_assert_eq!(reading.hierarchy.len(), reading.channels.len(), "every joint has channels");
    debug_assert_eq!(
        reading.frames.len(),
        reading.frame_count as usize * reading.channels.len(),
        "every frame has a matrix for each joint"
    );
    let skeleton =
        Skeleton::without_bind(reading.hierarchy).map_err(|e| finite_skeleton::problem("hierarchy", 0, e))?;
    let animations = vec![Animation::frames("", 0, reading.frame_count, rate, true)];
    let Reading { frames, bounds, .. } = reading;
    let (comments, warnings) = (md5.comments, std::mem::take(&mut md5.file.warnings));
    Ok(Model { skeleton, animations, frames, bounds, comments, warnings, ..Model::default() })
}

impl Reading {
    fn hierarchy(&mut self, md5: &mut Md5) -> Result<(), ModelError> {
        md5.words.section = "hierarchy";
        if md5.joints == 0 {
            return Err(md5.missing("numJoints"));
        }
        md5.words.require("{")?;
        for index in 0..md5.joints {
            self.hierarchy.push(md5.joint(index)?);
            let flags = md5.words.whole("flags", 0..=i64::from(u32::MAX))? as u32 & FLAGS;
            let last = i64::from(self.component_count) - i64::from(flags.count_ones());
            // A joint without flags may have any first component.
            let range = if flags == 0 { i64::MIN..=i64::MAX } else { 0..=last };
            let start = md5.words.whole("first component", range)? as u32;
            self.channels.push(Channels { flags, start, base: [0.0; 6] });
        }
        md5.words.require("}")?;
        Ok(())
    }

    fn bounds(&mut self, md5: &mut Md5) -> Result<(), ModelError> {
        md5.words.section = "bounds";
        if self.channels.is_empty() {
            return Err(md5.missing("hierarchy"));
        }
        md5.words.require("{")?;
        let at = md5.words.offset();
        self.bounds = md5.file.reserve("bounds", at, self.frame_count.into())?;
        let mut count = 0;
        while md5.words.peek() == Some(b'(') {
            let (mins, maxs) = (narrow(md5.words.vector()?), narrow(md5.words.vector()?));
            count += 1;
            if count <= self.frame_count {
                self.bounds.push(bounds(mins, maxs));
            }
        }
        md5.words.require("}")?;
        if count > self.frame_count {
            md5.file.warn("bounds", at, Fixup::Tolerated("more bounds than frames"));
        } else if count < self.frame_count {
            md5.file.warn("bounds", at, Fixup::Dropped("a list of bounds with fewer entries than frames"));
            self.bounds.clear();
        }
        Ok(())
    }

    fn base_frame(&mut self, md5: &mut Md5) -> Result<(), ModelError> {
        md5.words.section = "baseframe";
        if self.channels.is_empty() {
            return Err(md5.missing("hierarchy"));
        }
        md5.words.require("{")?;
        for channels in &mut self.channels {
            let ([x, y, z], [qx, qy, qz]) = (md5.words.vector()?, md5.words.vector()?);
            channels.base = [x, y, z, qx, qy, qz];
        }
        md5.words.require("}")?;
        self.has_base = true;
        Ok(())
    }

    fn frame(&mut self, md5: &mut Md5) -> Result<(), ModelError> {
        md5.words.section = "frame";
        if !self.has_base {
            return Err(md5.missing("baseframe"));
        }
        let at = md5.words.offset();
        if self.frames_read == 0 {
            let matrices = u64::from(self.frame_count) * self.channels.len() as u64;
            self.frames = md5.file.reserve("frame", at, matrices)?;
        }
        if self.frames_read >= self.frame_count {
            let (found, max) = (self.frames_read.into(), i64::from(self.frame_count) - 1);
            let problem = ModelProblem::OutOfRange { field: "number of frames", found, min: 0, max };
            return Err(ModelError::new("frame", at, problem));
        }
        md5.words.index("frame", self.frames_read)?;
        md5.words.require("{")?;
        self.components.clear();
        for _ in 0..self.component_count {
            self.components.push(md5.words.number()?);
        }
        md5.words.require("}")?;
        for channels in &self.channels {
            debug_assert!(
                channels.flags == 0 || (channels.start + channels.flags.count_ones()) as usize <= self.components.len(),
                "components were checked"
            );
            let moving = self.components.get(channels.start as usize..).unwrap_or_default();
            let [x, y, z, qx, qy, qz] = channels.in_frame(moving);
            self.frames.push(finite_or_identity(matrix([x, y, z], [qx, qy, qz]), &mut self.bad));
        }
        self.frames_read += 1;
        Ok(())
    }
}

impl Channels {
    /// Returns the six components of the joint in a frame whose changing components are `moving`.
    fn in_frame(&self, moving: &[f64]) -> [f64; 6] {
        let mut values = self.base;
        let mut moving = moving.iter();
        for (bit, value) in values.iter_mut().enumerate() {
            if self.flags & 1 << bit != 0
                && let Some(&moved) = moving.next()
            {
                *value = moved;
            }
        }
        values
    }
}

/// Returns the bounds of a box, whose radii are the distances of its farthest corner.
fn bounds(mins: [f32; 3], maxs: [f32; 3]) -> Bounds {
    let farthest = Vec3::from(mins).abs().max(Vec3::from(maxs).abs());
    // The radius of a box may overflow an f32.
    let radius = |v: Vec3| v.length().min(f32::MAX);
    Bounds { mins, maxs, xy_radius: radius(farthest.with_z(0.0)), radius: radius(farthest) }
}
