//! Animations, their frames, and the bounds of each frame.

use super::super::cursor::{Scalar, finite_or_identity};
use super::skeleton::{Pose, bake, derive_w};
use super::{Iqm, Table};
use crate::math::Mat3x4;
use crate::model::{Animation, AnimationSource, Bounds, Fixup, ModelError, ModelProblem};

/// Bit of an animation's flags: the animation loops.
const LOOP: u32 = 1;

impl Iqm<'_> {
    /// Returns all frames as parent-relative matrices, frame-major.
    pub fn frames(&mut self, poses: &[Pose]) -> Result<Vec<Mat3x4>, ModelError> {
        let Table { count, offset } = self.header.frames;
        let at = offset as usize;
        if count == 0 {
            return Ok(Vec::new());
        }
        if poses.is_empty() {
            return Err(ModelError::new("frames", at, ModelProblem::Missing { what: "poses" }));
        }
        let channels: u32 = poses.iter().map(|pose| pose.mask.count_ones()).sum();
        if channels != self.header.channels {
            let problem = ModelProblem::Mismatch {
                field: "num_framechannels",
                found: self.header.channels.into(),
                expected: channels.into(),
            };
            return Err(ModelError::new("frames", at, problem));
        }
        let data = self.file.table("frames", offset, count, channels as usize * u16::SIZE)?;
        let mut frames = self.file.reserve("frames", at, u64::from(count) * poses.len() as u64)?;

        let derives_w = self.derives_w();
        let mut bad = 0;
        let mut numbers = data.rest().chunks_exact(u16::SIZE).map(u16::parse::<false>);
        for _ in 0..count {
            for pose in poses {
                let mut channels = pose.offset;
                let mut mask = pose.mask;
                while mask != 0 {
                    let c = mask.trailing_zeros() as usize;
                    channels[c] += f32::from(numbers.next().unwrap_or(0)) * pose.scale[c];
                    mask &= mask - 1;
                }
                if derives_w {
                    derive_w(&mut channels);
                }
                self.make_rigid(&mut channels);
                frames.push(finite_or_identity(bake(channels), &mut bad));
            }
        }
        debug_assert_eq!(numbers.len(), 0, "the masks count the numbers");
        self.file.warn_not_finite("frames", at, bad);
        Ok(frames)
    }

    /// Returns the bounds of each frame; none if the file has none, or one that is non-finite.
    pub fn bounds(&mut self) -> Result<Vec<Bounds>, ModelError> {
        const SIZE: usize = 32;
        if self.header.bounds_offset == 0 {
            return Ok(Vec::new());
        }
        let count = self.header.frames.count;
        let table = self.file.table("bounds", self.header.bounds_offset, count, SIZE)?;
        let mut bounds = self.file.reserve("bounds", table.offset(), count.into())?;
        for mut record in table.records(SIZE) {
            let at = record.offset();
            let [mins, maxs] = record.get::<[[f32; 3]; 2]>()?;
            let [xy_radius, radius] = record.get::<[f32; 2]>()?;
            if !mins.iter().chain(&maxs).chain(&[xy_radius, radius]).all(|v| v.is_finite()) {
                self.file.warn("bounds", at, Fixup::Dropped("non-finite bounds"));
                return Ok(Vec::new());
            }
            bounds.push(Bounds { mins, maxs, xy_radius, radius });
        }
        Ok(bounds)
    }

    /// Returns the animations of the file.
    pub fn animations(&mut self) -> Result<Vec<Animation>, ModelError> {
        const SIZE: usize = 20;
        let table = self.table("anims", self.header.animations, SIZE)?;
        let count = self.header.animations.count;
        let mut animations = self.file.reserve("anims", table.offset(), count.into())?;
        for mut record in table.records(SIZE) {
            let at = record.offset();
            let name = self.name("anims", &mut record)?;
            let [first, stated] = record.get::<[u32; 2]>()?;
            let rate = record.get::<f32>()?;
            let looping = record.get::<u32>()? & LOOP != 0;
            let rate = self.file.rate("anims", at, rate);
            let kept = stated.min(self.header.frames.count.saturating_sub(first));
            let mut animation = Animation::frames(name, first, kept, rate, looping);
            if kept == 0 {
                animation.source = AnimationSource::BindPose;
                self.file.warn("anims", at, Fixup::AnimationOutside);
            } else if kept < stated {
                self.file.warn("anims", at, Fixup::AnimationCut { stated, kept });
            }
            animations.push(animation);
        }
        Ok(animations)
    }
}
