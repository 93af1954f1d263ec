//! Evaluation of tracks and default values into parent-relative matrices.

use std::ops::Range;
use std::sync::Arc;

use glam::DVec3;

use super::curve::Range as Bounds;
use super::matrix::{FROM_QUAKE, TO_QUAKE};
use super::track::{Track, Type};
use super::track_set::TrackSet;
use crate::math::Mat3x4;
use crate::model::rest::{Channels, Rest, RestBone, SMALLEST_SCALE};
use crate::model::{PoseEvaluator, PoseParameters, Skeleton};

/// Largest number of a bone, beyond the size of any model.
const LARGEST: f32 = 1e30;

/// Largest scale and translation of a bone whose poses are examined, so that none is beyond [`LARGEST`].
const FARTHEST: f64 = 1e15;

/// Bounds of a bone in model space, at all times.
#[derive(Clone, Copy)]
struct Bone {
    /// Scale in local space.
    scale: Bounds,
    /// Factor by which its matrix lengthens a vector.
    factor: f64,
    /// Length of its translation.
    place: f64,
}

/// Part of a bone's motion that a track can drive.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Channel {
    Position,
    Rotation,
    Scale,
    Pivot,
}

impl Channel {
    /// Returns `true` if the values of the track are of the type that this channel has.
    fn is_driven_by(self, track: &Track) -> bool {
        track.moves(if self == Self::Rotation { Type::Quat } else { Type::Vector })
    }
}

/// Returns the bone and channel that a track of this name drives. A name without a bone drives the whole object.
pub(super) fn channel(name: &[u8]) -> Option<(&[u8], Channel)> {
    let (bone, value) = match name.iter().rposition(|&byte| byte == b'.') {
        Some(dot) => (name.get(..dot)?, name.get(dot + 1..)?),
        None => (&[][..], name),
    };
    let channel = match value {
        b"pos" => Channel::Position,
        b"rotquat" => Channel::Rotation,
        b"scale" => Channel::Scale,
        b"pivot" => Channel::Pivot,
        _ => return None,
    };
    Some((bone, channel))
}

/// Numbers of the tracks that drive each channel, in the order of [`Channels`].
#[derive(Clone, Copy, Default, Debug)]
struct Drive([Option<u32>; 4]);

/// Poses of a skeleton: bones follow their tracks, or default values where they have none.
#[derive(Debug)]
pub(super) struct TrackPoses {
    tracks: Arc<TrackSet>,
    rest: Arc<Rest>,
    drives: Vec<Drive>,
    object: Drive,
    /// Transform above the roots, excluding the motion of the object.
    above: Mat3x4,
    /// `true` if the poses show default values only, without an animation.
    of_defaults: bool,
}

impl TrackPoses {
    /// Creates the poses of a skeleton at its default values.
    pub fn of_defaults(skeleton: &Skeleton) -> Self {
        Self { of_defaults: true, ..Self::driving(Arc::default(), skeleton) }
    }

    /// Creates the poses of tracks on the bones that they name. A channel without a track does not move.
    pub fn alone(tracks: Arc<TrackSet>, skeleton: &Skeleton) -> Self {
        let mut rest = Rest::of(skeleton, Mat3x4::IDENTITY);
        rest.in_quake_axes = true;
        Self::new(tracks, Arc::new(rest))
    }

    /// Creates the poses of tracks on the bones of a skeleton.
    fn driving(tracks: Arc<TrackSet>, skeleton: &Skeleton) -> Self {
        let rest = skeleton.rest().cloned().unwrap_or_else(|| Arc::new(Rest::of(skeleton, FROM_QUAKE)));
        Self::new(tracks, rest)
    }

    fn new(tracks: Arc<TrackSet>, rest: Arc<Rest>) -> Self {
        let mut drives = vec![Drive::default(); rest.bones.len()];
        let mut object = Drive::default();
        for (number, (name, track)) in tracks.iter().enumerate() {
            let Some((bone, channel)) = channel(name.as_bytes()) else { continue };
            if !channel.is_driven_by(track) {
                continue;
            }
            let drive = if bone.is_empty() {
                Some(&mut object)
            } else {
                rest.numbers.get(bone).and_then(|&bone| drives.get_mut(bone))
            };
            if let Some(drive) = drive {
                drive.0[channel as usize] = Some(number as u32);
            }
        }
        // Roots of a skeleton that the game rotates as a whole are in Quake's axes unless a track moves the object or
        // rotates a root.
        let turned = |drive: &Drive| drive.0[Channel::Rotation as usize].is_some();
        let moved = |drive: &Drive| drive.0.iter().any(Option::is_some);
        let roots = rest.bones.iter().zip(&drives).filter(|(bone, _)| bone.parent.is_none());
        let stays = rest.in_quake_axes && !moved(&object) && !roots.map(|(_, drive)| drive).any(turned);
        let above = if stays { Mat3x4::IDENTITY } else { TO_QUAKE };
        Self { tracks, rest, drives, object, above, of_defaults: false }
    }

    fn track(&self, drive: &Drive, channel: Channel) -> Option<&Track> {
        let number = drive.0.get(channel as usize).copied().flatten()?;
        debug_assert!(self.tracks.numbered(number as usize).is_some(), "drives hold numbers of tracks");
        self.tracks.numbered(number as usize)
    }

    fn channels(&self, drive: &Drive, rest: &Channels, time: f64) -> Channels {
        let vector = |channel| self.track(drive, channel).and_then(|track| track.vector_at(time));
        let rotation = self.track(drive, Channel::Rotation).and_then(|track| track.rotation_at(time));
        Channels {
            position: vector(Channel::Position).unwrap_or(rest.position),
            rotation: rotation.unwrap_or(rest.rotation),
            scale: vector(Channel::Scale).unwrap_or(rest.scale),
            pivot: vector(Channel::Pivot).unwrap_or(rest.pivot),
        }
    }

    fn scale(&self, bone: usize, time: f64) -> Option<DVec3> {
        let (drive, rest) = (self.drives.get(bone)?, self.rest.bones.get(bone)?);
        let track = self.track(drive, Channel::Scale).and_then(|track| track.vector_at(time));
        Some(track.unwrap_or(rest.channels.scale))
    }

    /// Returns the scales of a drive at all times, and the greatest length of the translation that it makes of its
    /// channels.
    fn reach(&self, drive: &Drive, rest: &Channels) -> (Bounds, f64) {
        let range =
            |channel, rest: DVec3| self.track(drive, channel).map_or(Bounds::EMPTY, Track::range_of_vectors).with(rest);
        let scale = range(Channel::Scale, rest.scale);
        let [position, pivot] = [(Channel::Position, rest.position), (Channel::Pivot, rest.pivot)]
            .map(|(channel, rest)| range(channel, rest).largest());
        (scale, 3f64.sqrt() * (position + pivot + scale.largest() * pivot))
    }

    fn relative(&self, drive: &Drive, bone: &RestBone, time: f64) -> Mat3x4 {
        let channels = self.channels(drive, &bone.channels, time);
        match bone.parent {
            None => {
                self.above * self.channels(&self.object, &Channels::IDENTITY, time).matrix(None) * channels.matrix(None)
            }
            Some(_) if bone.inherits_scale => channels.matrix(None),
            Some(parent) => channels.matrix(self.scale(parent, time)),
        }
    }
}

impl PoseEvaluator for TrackPoses {
    fn evaluate(&self, time: f64, _: &PoseParameters, bones: Range<usize>, out: &mut [Mat3x4]) {
        debug_assert_eq!(self.drives.len(), self.rest.bones.len(), "every bone has a drive");
        let all = self.drives.iter().zip(&self.rest.bones);
        for (out, (drive, bone)) in out.iter_mut().zip(all.skip(bones.start).take(bones.len())) {
            let relative = self.relative(drive, bone, time);
            *out = if relative.is_within(LARGEST) { relative } else { Mat3x4::IDENTITY };
        }
    }

    fn retargeted(&self, skeleton: &Skeleton) -> Option<Arc<dyn PoseEvaluator>> {
        Some(Arc::new(Self { of_defaults: self.of_defaults, ..Self::driving(self.tracks.clone(), skeleton) }))
    }

    fn bone_out_of_reach(&self, skeleton: &Skeleton) -> Option<usize> {
        let (object_scale, object_origin) = self.reach(&self.object, &Channels::IDENTITY);
        let mut whole: Vec<Bone> = Vec::with_capacity(self.drives.len());
        for (bone, (drive, rest)) in self.drives.iter().zip(&self.rest.bones).enumerate() {
            let (scale, origin) = self.reach(drive, &rest.channels);
            let root = Bone { scale: object_scale, factor: object_scale.largest(), place: object_origin };
            let parent = rest.parent.and_then(|parent| whole.get(parent)).copied();
            debug_assert!(rest.parent.is_none_or(|parent| parent < bone), "parents stand before children");
            let above = parent.unwrap_or(root);
            let divided = match parent {
                Some(parent) if !rest.inherits_scale => parent.scale.smallest().max(SMALLEST_SCALE),
                _ => 1.0,
            };
            let factor = above.factor * scale.largest() / divided;
            let place = above.place + above.factor * origin;
            let inverse_bind = skeleton.inverse_bind().get(bone).map_or(&[0.0; 12], |matrix| &matrix.0);
            let fixed = inverse_bind.iter().fold(1.0, |most, number| f64::max(most, number.abs().into()));
            let local = scale.largest().max(origin).max(root.factor).max(object_origin);
            let is_in_reach = local <= FARTHEST && 4.0 * factor * fixed + place <= LARGEST.into();
            if !is_in_reach {
                return Some(bone);
            }
            whole.push(Bone { scale, factor, place });
        }
        None
    }

    fn duration(&self) -> Option<f32> {
        Some(self.tracks.end).filter(|&end| end > 0.0)
    }

    fn is_pure(&self) -> bool {
        true
    }

    fn is_rest_pose(&self) -> bool {
        self.of_defaults
    }
}
