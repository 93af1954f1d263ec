//! Animations as channels of keys.

use serde_json::{Value, json};

use super::mesh::is_written;
use super::skeleton::Place;
use super::{Writer, named, number};
use crate::layout::gltf::{MORPHING, STATED_RATES, WEIGHING};
use crate::math::Mat3x4;
use crate::model::{Animation, Mesh};
use crate::write::WriteError;

/// Values that differ by less than this part of their size, or of 1, hold still.
const STILL: f32 = 1e-6;

/// The channels of one animation.
struct Channels {
    /// The accessor of the keys' times, and of one at the start.
    times: usize,
    start: Option<usize>,
    channels: Vec<Value>,
    samplers: Vec<Value>,
}

impl Writer<'_> {
    /// All animations; with channels for all bones if `every`, else for those that do not rest.
    pub fn animations(&mut self, every: bool) -> Result<Vec<Value>, WriteError> {
        let model = self.model;
        let framed = |mesh: &Mesh| is_written(mesh) && !mesh.frames.positions.is_empty();
        if model.skeleton.is_empty() && !model.meshes.iter().any(framed) {
            return Ok(Vec::new());
        }
        let rest = self.rest();
        let mut written = Vec::new();
        let mut start = None;
        for animation in &model.animations {
            // One that loops ends as it begins.
            let poses: Vec<usize> = (0..animation.pose_count()).chain(animation.looping.then_some(0)).collect();
            let rate = animation.rate.clamp(*STATED_RATES.start(), *STATED_RATES.end());
            let times: Vec<[f32; 1]> = (0..poses.len()).map(|key| [key as f32 / rate]).collect();
            let times = self.binary.bounded(&times, None);
            let mut channels = Channels { times, start, channels: Vec::new(), samplers: Vec::new() };
            if rest.is_empty() {
                self.weights(animation, &poses, &mut channels)?;
            } else {
                self.bones(animation, &poses, &rest, every, &mut channels)?;
            }
            start = channels.start;
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
            // An animation in which nothing moves has its length from this.
            _ => self.channel(channels, (0, "rotation"), channels.times, &rotations),
        }
        Ok(())
    }

    /// A channel for a property of a bone, if it needs one.
    fn property<const N: usize>(
        &mut self,
        channels: &mut Channels,
        target: (usize, &str),
        values: &[[f32; N]],
        rest: [f32; N],
        every: bool,
    ) {
        let Some(&first) = values.first() else { return };
        if !holds_still(values) {
            self.channel(channels, target, channels.times, values);
        } else if every || !same(&first, &rest) {
            let start = *channels.start.get_or_insert_with(|| self.binary.bounded(&[[0.0]], None));
            self.channel(channels, target, start, &[first]);
        }
    }

    fn channel<const N: usize>(
        &mut self,
        channels: &mut Channels,
        (node, path): (usize, &str),
        input: usize,
        values: &[[f32; N]],
    ) {
        let output = self.binary.floats(values, None);
        channels.channels.push(json!({
            "sampler": channels.samplers.len(),
            "target": { "node": node, "path": path },
        }));
        channels.samplers.push(json!({ "input": input, "output": output }));
    }

    /// Which of the targets, one a frame, each mesh shows.
    fn weights(&mut self, animation: &Animation, poses: &[usize], channels: &mut Channels) -> Result<(), WriteError> {
        let model = self.model;
        let written = model.meshes.iter().filter(|mesh| is_written(mesh));
        for (node, mesh) in written.enumerate() {
            let frames = mesh.frames.positions.len().checked_div(mesh.positions.len()).unwrap_or(0);
            if frames == 0 {
                continue;
            }
            // What a reader has to do at most.
            let [keys, targets, vertices] = [poses.len(), frames, mesh.positions.len()].map(|count| count as u64);
            let work = (keys + 2).saturating_mul(targets * WEIGHING).saturating_add(keys.saturating_mul(vertices));
            self.morphing = self.morphing.saturating_add(work);
            if self.morphing > MORPHING {
                return Err(WriteError::VertexFrames { frames });
            }
            let mut weights = vec![[0.0]; poses.len() * frames];
            for (key, &pose) in poses.iter().enumerate() {
                let shown = animation.frame_of(pose).filter(|&frame| frame < frames);
                if let Some(weight) = shown.and_then(|frame| weights.get_mut(key * frames + frame)) {
                    *weight = [1.0];
                }
            }
            self.channel(channels, (node, "weights"), channels.times, &weights);
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
