//! Animations as channels of keys.

use serde_json::{Value, json};

use super::mesh_nodes::is_written;
use super::skeleton::Place;
use super::{Writer, named, number};
use crate::layout::gltf::STATED_RATES;
use crate::math::Mat3x4;
use crate::model::{Animation, Mesh};
use crate::write::WriteError;

/// Relative difference, or absolute difference below 1, up to which values are equal.
const STILL: f32 = 1e-6;

/// Maximum number of channels of all animations: each is an object in the text of the file, and a small file can have
/// thousands of animations of thousands of bones that do not move.
const MAX_CHANNELS: usize = 1 << 18;

/// Channels of one animation.
struct Channels {
    /// Number of channels that there may be.
    allowed: usize,
    /// Duration of a pose, seconds.
    step: f64,
    channels: Vec<Value>,
    samplers: Vec<Value>,
}

impl Channels {
    fn check(&self) -> Result<(), WriteError> {
        if self.channels.len() > self.allowed {
            return Err(WriteError::TooManyChannels { allowed: MAX_CHANNELS });
        }
        Ok(())
    }
}

impl Writer<'_> {
    /// Returns all animations: with channels for all bones if `every`, otherwise for those that are not at rest.
    pub fn animations(&mut self, every: bool) -> Result<Vec<Value>, WriteError> {
        let model = self.model;
        let moves = |mesh: &Mesh| is_written(mesh) && mesh.is_morphed();
        if model.skeleton.is_empty() && !model.meshes.iter().any(moves) {
            return Ok(Vec::new());
        }
        let rest = self.rest();
        let mut written = Vec::new();
        let mut allowed = MAX_CHANNELS;
        for animation in &model.animations {
            // A looping animation ends with its first pose.
            let poses: Vec<usize> = (0..animation.pose_count()).chain(animation.looping.then_some(0)).collect();
            let rate = animation.rate.clamp(*STATED_RATES.start(), *STATED_RATES.end());
            let step = f64::from(rate).recip();
            let mut channels = Channels { allowed, step, channels: Vec::new(), samplers: Vec::new() };
            if !rest.is_empty() {
                self.bones(animation, &poses, &rest, every, &mut channels)?;
            }
            self.weights(animation, &poses, rest.is_empty(), &mut channels)?;
            channels.check()?;
            allowed -= channels.channels.len();
            let object = json!({
                "channels": channels.channels,
                "samplers": channels.samplers,
                "extras": { "loop": animation.looping, "rate": number(rate) },
            });
            written.push(named(object, &animation.name));
        }
        Ok(written)
    }

    fn bones(
        &mut self,
        animation: &Animation,
        poses: &[usize],
        rest: &[Place],
        every: bool,
        channels: &mut Channels,
    ) -> Result<(), WriteError> {
        let mut still = true;
        let mut first = None;
        for (bone, rest) in rest.iter().enumerate() {
            channels.check()?;
            self.binary.room(poses.len().saturating_mul(size_of::<Place>()))?;
            let mut places: Vec<Place> = Vec::with_capacity(poses.len());
            for &pose in poses {
                let matrix = self.model.pose(animation, pose).get(bone).copied().unwrap_or(Mat3x4::IDENTITY);
                places.push(Place::of(&matrix).near(places.last().unwrap_or(rest)));
            }
            let rotations: Vec<_> = places.iter().map(|place| place.rotation).collect();
            let translations: Vec<_> = places.iter().map(|place| place.translation).collect();
            let scales: Vec<_> = places.iter().map(|place| place.scale).collect();
            still &= holds_still(&rotations) && holds_still(&translations) && holds_still(&scales);
            self.property(channels, (bone, "translation"), &translations, rest.translation, every);
            self.property(channels, (bone, "scale"), &scales, rest.scale, every);
            match first {
                Some(_) => self.property(channels, (bone, "rotation"), &rotations, rest.rotation, every),
                None => first = Some(rotations),
            }
        }
        let rotations = first.unwrap_or_default();
        match rest.first() {
            Some(rest) if !still => self.property(channels, (0, "rotation"), &rotations, rest.rotation, every),
            // This channel gives an animation without motion its duration.
            _ => self.channel(channels, (0, "rotation"), &rotations),
        }
        Ok(())
    }

    /// Adds a channel for a property of a bone, if it needs one.
    fn property<const N: usize>(
        &mut self,
        channels: &mut Channels,
        target: (usize, &str),
        values: &[[f32; N]],
        rest: [f32; N],
        every: bool,
    ) {
        let Some(first) = values.first() else { return };
        if !holds_still(values) {
            self.channel(channels, target, values);
        } else if every || !same(first, &rest) {
            self.channel(channels, target, &[*first]);
        }
    }

    fn channel<const N: usize>(&mut self, channels: &mut Channels, target: (usize, &str), values: &[[f32; N]]) {
        self.keys(channels, target, values.as_flattened(), N, N);
    }

    /// Adds a channel with a key for each `key` numbers, elements of `width` each, without keys between two equal ones.
    fn keys(&mut self, channels: &mut Channels, (node, path): (usize, &str), values: &[f32], key: usize, width: usize) {
        let keys: Vec<&[f32]> = values.chunks_exact(key).collect();
        let last = keys.len().saturating_sub(1);
        let is_held = |at: usize| at > 0 && at < last && keys[at - 1] == keys[at] && keys[at] == keys[at + 1];
        let kept: Vec<usize> = (0..keys.len()).filter(|&at| !is_held(at)).collect();
        let times: Vec<f32> = kept.iter().map(|&at| (at as f64 * channels.step) as f32).collect();
        let values: Vec<f32> = kept.iter().flat_map(|&at| keys[at]).copied().collect();
        let (input, output) = (self.binary.track(&times, 1, true), self.binary.track(&values, width, false));
        channels.channels.push(json!({
            "sampler": channels.samplers.len(),
            "target": { "node": node, "path": path },
        }));
        channels.samplers.push(json!({ "input": input, "output": output }));
    }

    /// Adds the strengths of the targets of each mesh: of its morphs, or of its frames, of which one shows. Targets
    /// that stay at zero are written if `every`.
    fn weights(
        &mut self,
        animation: &Animation,
        poses: &[usize],
        every: bool,
        channels: &mut Channels,
    ) -> Result<(), WriteError> {
        let model = self.model;
        let written = model.meshes.iter().filter(|mesh| is_written(mesh));
        for (mesh, node) in written.zip(self.mesh_nodes.clone()) {
            let frames = mesh.frames.positions.len().checked_div(mesh.positions.len()).unwrap_or(0);
            let targets = if frames > 0 { frames } else { mesh.morphs.len() };
            if targets == 0 || !mesh.is_morphed() {
                continue;
            }
            self.binary.room(poses.len().saturating_mul(targets).saturating_mul(size_of::<f32>()))?;
            let mut weights = vec![0.0; poses.len() * targets];
            for (weights, &pose) in weights.chunks_exact_mut(targets).zip(poses) {
                let Some(frame) = animation.frame_of(pose) else { continue };
                if frames > 0 {
                    weights.iter_mut().skip(frame).take(1).for_each(|weight| *weight = 1.0);
                } else if let Some(strengths) = mesh.morph_weights.chunks_exact(targets).nth(frame) {
                    weights.copy_from_slice(strengths);
                }
            }
            if every || weights.iter().any(|&weight| weight != 0.0) {
                self.keys(channels, (node, "weights"), &weights, targets, 1);
            }
        }
        Ok(())
    }
}

fn holds_still<const N: usize>(values: &[[f32; N]]) -> bool {
    values.first().is_none_or(|first| values.iter().all(|value| same(value, first)))
}

fn same<const N: usize>(a: &[f32; N], b: &[f32; N]) -> bool {
    let size = a.iter().fold(1.0, |size: f32, value| size.max(value.abs()));
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= STILL * size)
}
