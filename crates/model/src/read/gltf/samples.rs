//! Times at which an animation is sampled, and the samples at which it moves.

use super::Gltf;
use super::channel::Channel;
use super::document::extras;
use crate::layout::gltf::STATED_RATES;
use crate::limits::{Limit, Limits};
use crate::model::{Animation, ModelError, ModelProblem};

/// Sampling rate of keys without a usable rate, poses per second.
const RATE: f64 = 30.0;
/// Range of usable rates, poses per second. Bones turn on a circle, blended poses on its chord, so the rate must not be
/// low.
const RATES: std::ops::RangeInclusive<f64> = 20.0..=120.0;
/// Difference up to which times are equal, as a fraction of a step.
const SAME: f64 = 1e-4;
/// Distance between a key and a pose up to which the key may belong to the pose, as a fraction of a step.
const NEAR: f64 = 1e-3;

/// Times at which an animation is sampled.
pub(super) struct Samples {
    /// Rate, poses per second.
    pub rate: f64,
    pub count: usize,
    /// Stated loop mode.
    pub loops: Option<bool>,
    /// `true` for each pose that may differ from the previous one; the first pose does.
    new: Vec<bool>,
}

impl Samples {
    /// Samples an animation. `ends` is a buffer that is reused from call to call.
    pub fn new(
        gltf: &mut Gltf,
        animation: usize,
        channels: &[Channel],
        ends: &mut Vec<u32>,
    ) -> Result<Self, ModelError> {
        let said = extras(gltf.root.animations[animation].extras);
        let loops = said.as_ref().and_then(|said| said.number("loop")).map(|loops| loops != 0.0);
        let said = said.and_then(|said| said.number("rate")).filter(|&rate| STATED_RATES.contains(&(rate as f32)));
        let last = channels.iter().map(|channel| channel.keys.last).fold(0.0, f64::max);
        let mut rate = said.or_else(|| common(channels)).unwrap_or(RATE);
        let steps = (last * rate - SAME).ceil().max(0.0);
        Limits::check(Limit::Frames, steps as usize, gltf.limits.frames)
            .map_err(|exceeded| gltf.error("animations", animation, ModelProblem::LimitExceeded(exceeded)))?;
        let rounded = (last * rate).round();
        let whole = rounded > 0.0 && (last * rate - rounded).abs() <= 0.02;
        let steps = if whole { rounded } else { steps };
        if said.is_none() && steps == 0.0 {
            rate = Animation::DEFAULT_RATE.into();
        } else if !whole && steps > 0.0 {
            // With this rate the last pose is that of the last key.
            rate = steps / last;
        }
        let count = steps as usize + 1;
        if let Some(more) = count.checked_sub(ends.len()) {
            gltf.charge("animations", animation, more as u64 * size_of::<u32>() as u64)?;
            ends.resize(count, 0);
        }
        let ends = &mut ends[..count];
        ends.fill(0);
        let new = new(gltf, animation, channels, rate, ends)?;
        debug_assert_eq!(new.len(), count, "every pose is new or not");
        Ok(Self { rate, count, loops, new })
    }

    /// Returns numbers that are equal for animations sampled at the same times.
    pub fn identity(&self) -> [u64; 4] {
        [self.rate.to_bits(), self.count as u64, self.loops.map_or(2, u64::from), 0]
    }

    /// Returns `true` if a pose may differ from the previous one.
    pub fn is_new(&self, pose: usize) -> bool {
        debug_assert!(pose < self.new.len(), "the pose is one of the samples");
        self.new.get(pose).copied().unwrap_or(false)
    }

    /// Returns the number of poses that may differ from the previous one.
    pub fn changes(&self) -> usize {
        self.new.iter().filter(|&&new| new).count()
    }
}

/// Returns which poses may differ from the previous one. The cost depends on the sum of keys and poses, not on their
/// product: `ends` has a zero for each pose, and a movement notes at its first pose the number of the pose after its
/// last.
fn new(
    gltf: &mut Gltf,
    animation: usize,
    channels: &[Channel],
    rate: f64,
    ends: &mut [u32],
) -> Result<Vec<bool>, ModelError> {
    for channel in channels {
        // Many channels may share an array of keys, so examining it again is charged like memory.
        gltf.charge("animations", animation, channel.keys.times.len() as u64)?;
        for (from, to) in channel.movements() {
            // The interval reaches from the pose at or before its start to the pose at or after its end; all but the
            // first may be new.
            let first = (from * rate - NEAR).floor().max(0.0) as usize + 1;
            let end = (to * rate + NEAR).ceil() as u32;
            if let Some(longest) = ends.get_mut(first) {
                *longest = end.saturating_add(1).max(*longest);
            }
        }
    }
    let mut new = gltf.reserve("animations", animation, ends.len() as u64)?;
    let mut moves_until = 0;
    new.extend((0..).zip(&*ends).map(|(pose, &end)| {
        moves_until = end.max(moves_until);
        pose == 0 || pose < moves_until
    }));
    Ok(new)
}

/// Returns the rate of the keys of every channel, or a multiple of it, within [`RATES`].
fn common(channels: &[Channel]) -> Option<f64> {
    let keys = || channels.iter().map(|channel| &channel.keys).filter(|keys| keys.last > 0.0);
    let rates: Option<Vec<f64>> = keys().map(|keys| keys.rate).collect();
    let rates = rates?;
    let highest = rates.iter().copied().reduce(f64::max)?;
    let fits = |rate: f64| rates.iter().all(|own| (rate / own - (rate / own).round()).abs() < 1e-3);
    let multiples = (1..=64).map(|times| highest * f64::from(times));
    multiples.take_while(|rate| rate <= RATES.end()).find(|&rate| rate >= *RATES.start() && fits(rate))
}
