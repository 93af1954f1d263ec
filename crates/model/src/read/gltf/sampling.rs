//! Sampling of animations.

use std::collections::{BTreeMap, HashMap};

use super::super::cursor::{finite_or_identity, finite_or_zero};
use super::Gltf;
use super::channel::{Channel, Moments, Seen};
use super::nodes::Nodes;
use super::primitives::Drawn;
use super::rig::Rig;
use super::samples::Samples;
use super::schema::Property;
use crate::layout::gltf::matrix_to_quake;
use crate::math::Mat3x4;
use crate::model::{Animation, AnimationSource, Fixup, ModelError, Name};

/// Relative difference, or absolute difference below 1, up to which the numbers of two poses are equal.
const SAME: f32 = 1e-4;

/// Channels and samples of an animation.
struct Plan {
    index: usize,
    channels: Vec<Channel>,
    samples: Samples,
    /// Number of an earlier plan with the same result.
    same_as: Option<usize>,
}

impl Plan {
    /// Returns the channel of one property of a node.
    fn channel(&self, node: usize, property: Property) -> Option<&Channel> {
        debug_assert!(
            self.channels.is_sorted_by(|a, b| (a.node, a.property) < (b.node, b.property)),
            "channels are sorted by node and property"
        );
        let found = self.channels.binary_search_by_key(&(node, property), |channel| (channel.node, channel.property));
        found.ok().and_then(|place| self.channels.get(place))
    }
}

/// Mesh whose morphs an animation moves.
struct Morphed<'m> {
    drawn: &'m mut Drawn,
    /// Number of morphs.
    count: usize,
}

impl Gltf<'_> {
    /// Samples all animations and returns them with their frames: poses of bones, and strengths of morphs. Equal
    /// consecutive poses share a frame.
    pub fn animations(
        &mut self,
        nodes: &Nodes,
        rig: &Rig,
        meshes: &mut [Drawn],
    ) -> Result<(Vec<Mat3x4>, Vec<Animation>), ModelError> {
        let plans = self.plans(rig, meshes)?;
        let mut moved = vec![false; nodes.order.len()];
        for channel in plans.iter().flat_map(|plan| &plan.channels) {
            moved[channel.node] |= channel.property == Property::Weights;
        }
        let has_morphs = |drawn: &&mut Drawn| !drawn.mesh.morphs.is_empty() && moved[drawn.node];
        let mut morphed: Vec<Morphed> = meshes
            .iter_mut()
            .filter(has_morphs)
            .map(|drawn| Morphed { count: drawn.mesh.morphs.len(), drawn })
            .collect();

        let bones = rig.hierarchy.nodes.len();
        let own = plans.iter().filter(|plan| plan.same_as.is_none());
        let rows = own.map(|plan| plan.samples.changes()).fold(0, usize::saturating_add);
        let mut frames: Vec<Mat3x4> = self.reserve("animations", 0, rows.saturating_mul(bones) as u64)?;
        for Morphed { drawn, count } in &mut morphed {
            drawn.mesh.morph_weights = self.reserve("animations", 0, rows.saturating_mul(*count) as u64)?;
        }
        let still = |(bone, &node): (usize, &usize)| matrix_to_quake(&rig.hierarchy.relative(bone, nodes.locals[node]));
        let still: Vec<Mat3x4> = rig.hierarchy.nodes.iter().enumerate().map(still).collect();

        let mut animations: Vec<Animation> = self.reserve("animations", 0, plans.len() as u64)?;
        let mut first = 0;
        for plan in &plans {
            let name = self.root.animations[plan.index].name.as_deref().unwrap_or_default();
            debug_assert!(plan.same_as.is_none_or(|same| same < animations.len()), "a plan repeats an earlier one");
            self.file.charge("animations", 0, name.len() as u64)?;
            if let Some(same) = plan.same_as.and_then(|same| animations.get(same)) {
                if let AnimationSource::List(list) = &same.source {
                    self.charge("animations", plan.index, size_of_val(&list[..]) as u64)?;
                }
                let same = Animation { name: Name::from(name), ..same.clone() };
                animations.push(same);
                continue;
            }
            let mut list: Vec<u32> = self.reserve("animations", plan.index, plan.samples.count as u64)?;
            let (mut bad, mut next) = (0, first);
            for pose in 0..plan.samples.count {
                if plan.samples.is_new(pose) {
                    let time = pose as f64 / plan.samples.rate;
                    bone_frame(plan, time, nodes, rig, &still, &mut frames, &mut bad);
                    morphed.iter_mut().for_each(|mesh| mesh.frame(plan, time, &mut bad));
                    if next > first && is_repeated(&frames, bones, &morphed) {
                        truncate(next, &mut frames, bones, &mut morphed);
                    } else {
                        next += 1;
                    }
                }
                debug_assert!(next > first, "the first pose is new");
                list.push(next as u32 - 1);
            }
            if bad > 0 {
                self.warn("animations", plan.index, Fixup::NotFinite(bad));
            }
            let may_close = plan.samples.count > 1 && plan.samples.loops != Some(false);
            let closes = may_close && closes(first, next - 1, &frames, bones, &morphed);
            if closes {
                let last = list.pop();
                if list.last() != last.as_ref() {
                    next -= 1;
                    truncate(next, &mut frames, bones, &mut morphed);
                }
            }
            let looping = closes || plan.samples.loops == Some(true);
            let (first_frame, count) = (first as u32, list.len() as u32);
            let mut animation =
                Animation::frames(Name::from(name), first_frame, count, plan.samples.rate as f32, looping);
            if next - first < list.len() {
                animation.source = AnimationSource::List(list);
            }
            animations.push(animation);
            first = next;
        }
        Ok((frames, animations))
    }

    fn plans(&mut self, rig: &Rig, meshes: &[Drawn]) -> Result<Vec<Plan>, ModelError> {
        let mut has_morphs = vec![false; self.root.nodes.len()];
        for drawn in meshes {
            has_morphs[drawn.node] |= !drawn.mesh.morphs.is_empty();
        }
        let mut seen = Seen::default();
        let mut plans: Vec<Plan> = Vec::new();
        let mut sames = HashMap::new();
        let mut ends = Vec::new();
        for index in 0..self.root.animations.len() {
            let channels = self.channels(index, rig, &has_morphs, &mut seen)?;
            if channels.is_empty() {
                self.warn("animations", index, Fixup::Dropped("an animation without effect on bones or morphs"));
                continue;
            }
            let samples = Samples::new(self, index, &channels, &mut ends)?;
            let mut key: Vec<_> = channels.iter().map(Channel::identity).collect();
            key.push(samples.identity());
            let same_as = *sames.entry(key).or_insert(plans.len());
            plans.push(Plan { index, channels, samples, same_as: Some(same_as).filter(|&same| same < plans.len()) });
        }
        Ok(plans)
    }

    /// Returns the channels that move bones or morphs. Of two channels for the same property the last counts.
    fn channels(
        &mut self,
        animation: usize,
        rig: &Rig,
        has_morphs: &[bool],
        seen: &mut Seen,
    ) -> Result<Vec<Channel>, ModelError> {
        let count = self.root.animations[animation].channels.len();
        let mut channels: BTreeMap<(usize, Property), Channel> = BTreeMap::new();
        self.file.charge("animations", 0, count as u64 * size_of::<Channel>() as u64)?;
        let mut dropped = false;
        for channel in 0..count {
            let Some(channel) = self.channel(animation, channel, seen)? else {
                dropped = true;
                continue;
            };
            let moves = match channel.property {
                Property::Weights => has_morphs[channel.node],
                _ => rig.hierarchy.bones[channel.node].is_some(),
            };
            if moves {
                channels.insert((channel.node, channel.property), channel);
            }
        }
        if dropped {
            self.warn("animations", animation, Fixup::Dropped("a channel without a node or with unreadable data"));
        }
        Ok(channels.into_values().collect())
    }
}

/// Appends the pose of all bones at a time.
fn bone_frame(
    plan: &Plan,
    time: f64,
    nodes: &Nodes,
    rig: &Rig,
    still: &[Mat3x4],
    frames: &mut Vec<Mat3x4>,
    bad: &mut usize,
) {
    let start = frames.len();
    frames.extend_from_slice(still);
    let mut moments = Moments::at(time);
    for of_node in plan.channels.chunk_by(|a, b| a.node == b.node) {
        let Some(node) = of_node.first().map(|channel| channel.node) else { continue };
        let Some(bone) = rig.hierarchy.bones[node].map(usize::from) else { continue };
        let mut place = nodes.places[node];
        let mut moves = false;
        for channel in of_node {
            let moment = moments.of(channel);
            match channel.property {
                Property::Translation => place.translation = channel.vector(moment),
                Property::Rotation => place.rotation = channel.rotation(moment),
                Property::Scale => place.scale = channel.vector(moment),
                Property::Weights => continue,
            }
            moves = true;
        }
        if moves {
            let matrix = matrix_to_quake(&rig.hierarchy.relative(bone, place.matrix()));
            frames[start + bone] = finite_or_identity(matrix, bad);
        }
    }
}

impl Morphed<'_> {
    /// Appends the strength of each morph at a time, relative to the strength baked into the mesh.
    fn frame(&mut self, plan: &Plan, time: f64, bad: &mut usize) {
        let Drawn { mesh, node, weights } = &mut *self.drawn;
        let start = mesh.morph_weights.len();
        mesh.morph_weights.resize(start + self.count, 0.0);
        let Some(channel) = plan.channel(*node, Property::Weights) else { return };
        let moment = channel.moment(time);
        let added = mesh.morph_weights.get_mut(start..).unwrap_or_default();
        for (index, added) in added.iter_mut().enumerate() {
            let own = weights.get(index).copied().unwrap_or(0.0);
            *added = channel.weight(moment, index, self.count) as f32 - own;
        }
        finite_or_zero(added, bad);
    }

    /// Returns the strengths of a frame.
    fn strengths(&self, frame: usize) -> &[f32] {
        debug_assert!((frame + 1) * self.count <= self.drawn.mesh.morph_weights.len(), "the frame has strengths");
        self.drawn.mesh.morph_weights.get(frame * self.count..(frame + 1) * self.count).unwrap_or_default()
    }
}

/// Returns `true` if the last frame equals the one before.
fn is_repeated(frames: &[Mat3x4], bones: usize, morphed: &[Morphed]) -> bool {
    debug_assert!(frames.len() >= 2 * bones, "a frame stands before the last one");
    let repeats = |all: &[f32], count: usize| {
        let (rest, last) = all.split_at_checked(all.len().saturating_sub(count)).unwrap_or_default();
        rest.ends_with(last)
    };
    let (rest, last) = frames.split_at_checked(frames.len().saturating_sub(bones)).unwrap_or_default();
    rest.ends_with(last) && morphed.iter().all(|mesh| repeats(&mesh.drawn.mesh.morph_weights, mesh.count))
}

/// Removes the frames from number `count` on.
fn truncate(count: usize, frames: &mut Vec<Mat3x4>, bones: usize, morphed: &mut [Morphed]) {
    frames.truncate(count * bones);
    for mesh in morphed {
        mesh.drawn.mesh.morph_weights.truncate(count * mesh.count);
    }
}

/// Returns `true` if two frames are equal up to rounding.
fn closes(first: usize, last: usize, frames: &[Mat3x4], bones: usize, morphed: &[Morphed]) -> bool {
    debug_assert!(first <= last && (last + 1) * bones <= frames.len(), "both frames exist");
    let pose = |frame: usize| frames.get(frame * bones..(frame + 1) * bones).unwrap_or_default();
    let same = |(a, b): (&f32, &f32)| (a - b).abs() <= SAME * a.abs().max(1.0);
    let numbers = |frame: usize| pose(frame).iter().flat_map(|matrix| &matrix.0);
    numbers(first).zip(numbers(last)).all(same)
        && morphed.iter().all(|mesh| mesh.strengths(first).iter().zip(mesh.strengths(last)).all(same))
}
