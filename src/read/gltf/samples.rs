//! When an animation is sampled, and at which of these moments it moves.

use super::Gltf;
use super::channel::Channel;
use super::document::extras;
use crate::layout::gltf::STATED_RATES;
use crate::limits::Limits;
use crate::model::{Animation, ModelError, ModelProblem};

/// Poses a second where keys have no rate of their own ...
const RATE: f64 = 30.0;
/// ... between these: bones turn on a circle, blended poses on its chord.
const RATES: std::ops::RangeInclusive<f64> = 20.0..=120.0;
/// Times closer than this part of a step are the same.
const SAME: f64 = 1e-4;
/// Keys this part of a step beside a pose may be meant to stand at it.
const NEAR: f64 = 1e-3;

/// The moments at which an animation is sampled.
pub(super) struct Samples {
    /// Poses a second.
    pub rate: f64,
    pub count: usize,
    /// Whether the file says that it loops.
    pub loops: Option<bool>,
    /// Which poses may differ from the one before; the first does.
    new: Vec<bool>,
}

impl Samples {
    /// `ends` is room that is kept from one animation to the next.
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
        Limits::check("frames", steps as usize, gltf.limits.frames)
            .map_err(|exceeded| gltf.error("animations", animation, ModelProblem::LimitExceeded(exceeded)))?;
        let rounded = (last * rate).round();
        let whole = rounded > 0.0 && (last * rate - rounded).abs() <= 0.02;
        let steps = if whole { rounded } else { steps };
        if said.is_none() && steps == 0.0 {
            rate = Animation::DEFAULT_RATE.into();
        } else if !whole && steps > 0.0 {
            // So that the last pose is the last key's.
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
        Ok(Self { rate, count, loops, new })
    }

    /// Numbers that are equal for animations that are sampled alike.
    pub fn identity(&self) -> [u64; 4] {
        [self.rate.to_bits(), self.count as u64, self.loops.map_or(2, u64::from), 0]
    }

    /// Whether a pose may differ from the one before.
    pub fn is_new(&self, pose: usize) -> bool {
        self.new.get(pose).copied().unwrap_or(false)
    }

    /// How many poses may differ from the one before.
    pub fn changes(&self) -> usize {
        self.new.iter().filter(|&&new| new).count()
    }
}

/// Which poses may differ from the one before. What this costs depends on the keys and the poses, not on their product:
/// in `ends`, a zero for each pose, a movement notes at its first pose which one comes after its last.
fn new(
    gltf: &mut Gltf,
    animation: usize,
    channels: &[Channel],
    rate: f64,
    ends: &mut [u32],
) -> Result<Vec<bool>, ModelError> {
    for channel in channels {
        // Arrays of keys may be shared: what is looked through again counts as if it were kept.
        gltf.charge("animations", animation, channel.keys.times.len() as u64)?;
        for (from, to) in channel.movements() {
            // From the pose at or before the start to the one at or after the end; those behind the first may be new.
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

/// The rate at which every channel has its keys, or a multiple of it, within [`RATES`].
fn common(channels: &[Channel]) -> Option<f64> {
    let keys = || channels.iter().map(|channel| &channel.keys).filter(|keys| keys.last > 0.0);
    let rates: Option<Vec<f64>> = keys().map(|keys| keys.rate).collect();
    let rates = rates?;
    let highest = rates.iter().copied().reduce(f64::max)?;
    let fits = |rate: f64| rates.iter().all(|own| (rate / own - (rate / own).round()).abs() < 1e-3);
    let multiples = (1..=64).map(|times| highest * f64::from(times));
    multiples.take_while(|rate| rate <= RATES.end()).find(|&rate| rate >= *RATES.start() && fits(rate))
}
