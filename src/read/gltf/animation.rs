//! Animations, sampled.

use std::collections::HashMap;

use gltf_json::animation::Property;

use super::super::cursor::{finite_or_identity, finite_or_zero};
use super::Gltf;
use super::channel::{Channel, Keys};
use super::document::extras;
use super::mesh::Drawn;
use super::nodes::Nodes;
use super::rig::Rig;
use crate::layout::gltf::{MORPHING, STATED_RATES, WEIGHING, matrix_to_quake};
use crate::math::Mat3x4;
use crate::model::{Animation, Fixup, ModelError, ModelProblem, Name};

/// Poses a second where keys have no rate of their own ...
const RATE: f64 = 30.0;
/// ... between these: bones turn on a circle, blended poses on its chord.
const RATES: std::ops::RangeInclusive<f64> = 20.0..=120.0;
/// The most poses of an animation, unless it has more keys.
const POSES: f64 = 65536.0;
/// Closer than this part of their size, or of 1, the numbers of two poses are the same.
const SAME: f32 = 1e-4;

/// What there is to do for an animation.
struct Plan<'a> {
    index: usize,
    channels: Vec<Channel<'a>>,
    samples: Samples,
}

/// The moments at which an animation is sampled.
struct Samples {
    rate: f64,
    count: usize,
    /// Whether the file says that it loops.
    loops: Option<bool>,
}

impl<'a> Gltf<'a> {
    /// All animations, with the frames they are made of. Where there are no bones, meshes get frames of vertices.
    pub fn animations(
        &mut self,
        nodes: &Nodes,
        rig: &Rig,
        meshes: &mut [Drawn],
    ) -> Result<(Vec<Mat3x4>, Vec<Animation>), ModelError> {
        let root = self.root;
        let mut seen = HashMap::new();
        let mut plans = Vec::new();
        for index in 0..root.animations.len() {
            let channels = self.channels(index, rig, &mut seen)?;
            if channels.is_empty() {
                self.warn("animations", index, Fixup::Dropped("an animation that moves nothing"));
                continue;
            }
            let samples = self.samples(index, &channels)?;
            plans.push(Plan { index, channels, samples });
        }
        let bones = rig.hierarchy.nodes.len();
        let poses = plans.iter().map(|plan| plan.samples.count).fold(0, usize::saturating_add);
        let mut frames = self.reserve("animations", 0, poses.saturating_mul(bones) as u64)?;
        if bones == 0 {
            for mesh in meshes.iter_mut().map(|drawn| &mut drawn.mesh).filter(|mesh| !mesh.morphs.is_empty()) {
                let count = poses.saturating_mul(mesh.positions.len()) as u64;
                mesh.frames.positions = self.reserve("animations", 0, count)?;
                mesh.frames.normals = self.reserve("animations", 0, count)?;
            }
        }

        let mut animations = self.reserve("animations", 0, plans.len() as u64)?;
        let mut first = 0;
        for Plan { index, channels, mut samples } in plans {
            let may_close = samples.count > 1 && samples.loops != Some(false);
            let closes = if bones == 0 {
                let morphs: u64 = meshes.iter().map(|drawn| drawn.mesh.morphs.len() as u64).sum();
                self.spend(index, 2 * WEIGHING * morphs)?;
                let closes = may_close && closed(&channels, &samples, meshes);
                samples.count -= usize::from(closes);
                self.vertex_frames(index, &channels, &samples, meshes)?;
                closes
            } else {
                self.bone_frames(index, &channels, &samples, nodes, rig, &mut frames);
                let last = frames.len() - bones;
                let closes = may_close && frames[first * bones..].iter().zip(&frames[last..]).all(same);
                if closes {
                    samples.count -= 1;
                    frames.truncate(last);
                }
                closes
            };
            let name = root.animations[index].name.as_deref().unwrap_or_default();
            self.file.charge("animations", 0, name.len() as u64)?;
            let (start, count) = (first as u32, samples.count as u32);
            let looping = closes || samples.loops == Some(true);
            animations.push(Animation::frames(Name::from(name), start, count, samples.rate as f32, looping));
            first += samples.count;
        }
        Ok((frames, animations))
    }

    /// The channels that move something: bones, or vertices where there are no bones. Of two for the same, the last.
    fn channels(
        &mut self,
        animation: usize,
        rig: &Rig,
        seen: &mut HashMap<usize, Option<Keys>>,
    ) -> Result<Vec<Channel<'a>>, ModelError> {
        let count = self.root.animations[animation].channels.len();
        let mut channels: HashMap<(usize, u8), Channel<'a>> = HashMap::new();
        self.file.charge("animations", 0, count as u64 * size_of::<Channel>() as u64)?;
        for channel in 0..count {
            let Some(channel) = self.channel(animation, channel, seen)? else {
                self.warn("animations", animation, Fixup::Dropped("a channel"));
                continue;
            };
            let weights = channel.property == Property::MorphTargetWeights;
            let moves =
                if weights { rig.hierarchy.nodes.is_empty() } else { rig.hierarchy.bones[channel.node].is_some() };
            if moves {
                channels.insert((channel.node, channel.property as u8), channel);
            }
        }
        let mut channels: Vec<_> = channels.into_values().collect();
        channels.sort_by_key(|channel| (channel.node, channel.property as u8));
        Ok(channels)
    }

    fn samples(&self, animation: usize, channels: &[Channel]) -> Result<Samples, ModelError> {
        let said = extras(&self.root.animations[animation].extras);
        let loops = said.as_ref().and_then(|said| said.number("loop")).map(|loops| loops != 0.0);
        let said = said.and_then(|said| said.number("rate")).filter(|&rate| STATED_RATES.contains(&(rate as f32)));
        let last = channels.iter().map(|channel| channel.keys.last).fold(0.0, f64::max);
        let mut rate = said.or_else(|| common(channels)).unwrap_or(RATE);
        let steps = (last * rate - SAME as f64).ceil().max(0.0);
        let keys = channels.iter().map(|channel| channel.keys.count).max().unwrap_or(0);
        let most = POSES.max(keys as f64);
        if steps >= most {
            let (found, max) = (steps as i64, most as i64);
            let problem = ModelProblem::OutOfRange { field: "number of poses", found, min: 1, max };
            return Err(self.error("animations", animation, problem));
        }
        let rounded = (last * rate).round();
        let whole = rounded > 0.0 && (last * rate - rounded).abs() <= 0.02;
        let steps = if whole { rounded } else { steps };
        if said.is_none() && steps == 0.0 {
            rate = Animation::DEFAULT_RATE.into();
        } else if !whole && steps > 0.0 {
            // So that the last pose is the last key's.
            rate = steps / last;
        }
        Ok(Samples { rate, count: steps as usize + 1, loops })
    }

    fn bone_frames(
        &mut self,
        animation: usize,
        channels: &[Channel],
        samples: &Samples,
        nodes: &Nodes,
        rig: &Rig,
        frames: &mut Vec<Mat3x4>,
    ) {
        let still = |(bone, &node): (usize, &usize)| matrix_to_quake(&rig.hierarchy.relative(bone, nodes.locals[node]));
        let still: Vec<Mat3x4> = rig.hierarchy.nodes.iter().enumerate().map(still).collect();
        let mut bad = 0;
        for sample in 0..samples.count {
            let time = sample as f64 / samples.rate;
            let start = frames.len();
            frames.extend_from_slice(&still);
            for of_node in channels.chunk_by(|a, b| a.node == b.node) {
                let Some(node) = of_node.first().map(|channel| channel.node) else { continue };
                let Some(bone) = rig.hierarchy.bones[node].map(usize::from) else { continue };
                let mut place = nodes.places[node];
                for channel in of_node {
                    match channel.property {
                        Property::Translation => place.translation = channel.vector(time),
                        Property::Rotation => place.rotation = channel.rotation(time),
                        Property::Scale => place.scale = channel.vector(time),
                        Property::MorphTargetWeights => {}
                    }
                }
                let matrix = matrix_to_quake(&rig.hierarchy.relative(bone, place.matrix()));
                frames[start + bone] = finite_or_identity(matrix, &mut bad);
            }
        }
        if bad > 0 {
            self.warn("animations", animation, Fixup::NotFinite(bad));
        }
    }

    fn vertex_frames(
        &mut self,
        animation: usize,
        channels: &[Channel],
        samples: &Samples,
        meshes: &mut [Drawn],
    ) -> Result<(), ModelError> {
        let mut bad = 0;
        for Drawn { mesh, node, weights } in meshes.iter_mut().filter(|drawn| !drawn.mesh.morphs.is_empty()) {
            let channel = channels.iter().find(|channel| channel.node == *node);
            for sample in 0..samples.count {
                let start = mesh.frames.positions.len();
                mesh.frames.positions.extend_from_slice(&mesh.positions);
                mesh.frames.normals.extend_from_slice(&mesh.normals);
                let (positions, normals) = (&mut mesh.frames.positions[start..], &mut mesh.frames.normals[start..]);
                let channel = channel.map(|channel| (channel, channel.moment(sample as f64 / samples.rate)));
                for (index, morph) in mesh.morphs.iter().enumerate() {
                    let own = weights.get(index).copied().unwrap_or(0.0);
                    let count = mesh.morphs.len();
                    let weight = channel.map_or(own, |(channel, at)| channel.weight(at, index, count) as f32);
                    self.spend(animation, WEIGHING)?;
                    if weight != own {
                        self.spend(animation, morph.vertices.len() as u64)?;
                        morph.apply(weight - own, positions, normals);
                    }
                }
                for normal in normals {
                    *normal = crate::math::Vec3::from(*normal).normalize_or(crate::math::Vec3::Z).to_array();
                }
                finite_or_zero(positions.as_flattened_mut(), &mut bad);
            }
        }
        if bad > 0 {
            self.warn("animations", animation, Fixup::NotFinite(bad));
        }
        Ok(())
    }

    /// Takes work on frames of vertices into account, and refuses too much of it.
    fn spend(&mut self, animation: usize, vertices: u64) -> Result<(), ModelError> {
        self.morphing = self.morphing.saturating_add(vertices);
        if self.morphing <= MORPHING {
            return Ok(());
        }
        let (found, max) = (self.morphing as i64, MORPHING as i64);
        let problem = ModelProblem::OutOfRange { field: "number of vertices that morphs move", found, min: 0, max };
        Err(self.error("animations", animation, problem))
    }
}

/// The rate at which every channel has its keys, or a multiple of it, within [`RATES`].
fn common(channels: &[Channel]) -> Option<f64> {
    let keys = || channels.iter().map(|channel| channel.keys).filter(|keys| keys.last > 0.0);
    let rates: Option<Vec<f64>> = keys().map(|keys| keys.rate).collect();
    let rates = rates?;
    let highest = rates.iter().copied().reduce(f64::max)?;
    let fits = |rate: f64| rates.iter().all(|own| (rate / own - (rate / own).round()).abs() < 1e-3);
    let multiples = (1..=64).map(|times| highest * f64::from(times));
    multiples.take_while(|rate| rate <= RATES.end()).find(|&rate| rate >= *RATES.start() && fits(rate))
}

/// Whether all morphs weigh the same at the end as at the start.
fn closed(channels: &[Channel], samples: &Samples, meshes: &[Drawn]) -> bool {
    let end = (samples.count - 1) as f64 / samples.rate;
    channels.iter().all(|channel| {
        let drawn = meshes.iter().find(|drawn| drawn.node == channel.node);
        let count = drawn.map_or(0, |drawn| drawn.mesh.morphs.len());
        let (start, end) = (channel.moment(0.0), channel.moment(end));
        let weight = |moment, morph| channel.weight(moment, morph, count);
        (0..count).all(|morph| (weight(start, morph) - weight(end, morph)).abs() <= f64::from(SAME))
    })
}

fn same((a, b): (&Mat3x4, &Mat3x4)) -> bool {
    a.0.iter().zip(&b.0).all(|(a, b)| (a - b).abs() <= SAME * a.abs().max(1.0))
}
