//! The tracks of an `.anim` file (CAnimation, versions 0 to 2), by name.

use super::stream::{Kind, Pointer, Stream};
use super::track::Track;
use crate::limits::Limits;
use crate::model::{Fixup, ModelError, ModelProblem, ModelWarning, Name};

/// The first bytes of an animation.
pub(crate) const MAGIC: &[u8] = b"NEL_ANIM";

/// The tracks of an `.anim` file, by name.
///
/// `bone.pos`, `bone.rotquat` and so on move bones; `pos` and `rotquat` the object they belong to; `name` with
/// `MorphFactor` behind it says how much of a morph there is, in percent; other names mean what the game makes of them.
#[derive(Clone, Debug, Default)]
pub struct TrackSet {
    tracks: Vec<Track>,
    /// Sorted by name.
    names: Vec<(Name, usize)>,
    end: f32,
    warnings: Vec<ModelWarning>,
}

impl TrackSet {
    /// Reads an `.anim` file.
    ///
    /// # Errors
    /// Tracks of unknown classes, names without a track, keys at no finite time, lists that run past the end.
    pub fn read(bytes: &[u8]) -> Result<Self, ModelError> {
        Self::read_within(&Limits::DEFAULT, bytes)
    }

    /// Reads an `.anim` file that must stay within `limits`.
    ///
    /// # Errors
    /// The errors of [`read`](Self::read), and [`ModelProblem::LimitExceeded`].
    pub fn read_within(limits: &Limits, bytes: &[u8]) -> Result<Self, ModelError> {
        let mut stream = Stream::new(bytes, limits, "header")?;
        if stream.take(MAGIC.len())? != MAGIC {
            return Err(ModelError::new("header", 0, ModelProblem::UnknownFormat));
        }
        let version = stream.version(2)?;
        stream.string()?;
        let count = stream.count(8)?;
        let mut listed = stream.reserve::<(usize, &[u8], u32)>(count)?;
        for _ in 0..count {
            let at = stream.offset();
            listed.push((at, stream.string()?, stream.get()?));
        }
        let (tracks, order) = tracks(&mut stream)?;
        stream.enter("header");
        let mut set = Self { tracks, ..Self::default() };
        set.names = stream.reserve(count)?;
        for (at, name, number) in listed {
            let Some(&track) = order.get(number as usize) else {
                let max = order.len() as i64 - 1;
                let problem = ModelProblem::OutOfRange { field: "track", found: number.into(), min: 0, max };
                return Err(ModelError::new("header", at, problem));
            };
            set.names.push((stream.file.name("header", at, name)?, track));
        }
        // Of equal names the last counts.
        set.names.reverse();
        set.names.sort_by(|a, b| a.0.cmp(&b.0));
        set.names.dedup_by(|earlier, kept| earlier.0 == kept.0);
        set.end = set.tracks.iter().map(Track::end).fold(0.0, f32::max);
        if version >= 1 {
            set.end = set.end.max(stream.get()?);
        }
        if version >= 2 {
            // Shapes that the animation spawns.
            for _ in 0..stream.count(4)? {
                stream.string()?;
            }
        }
        if !set.end.is_finite() {
            set.end = 0.0;
            stream.warn(0, Fixup::NotFinite(1));
        }
        set.warnings = stream.finish();
        Ok(set)
    }

    /// Finds the track of this name; case matters.
    pub fn track(&self, name: &[u8]) -> Option<&Track> {
        let at = self.names.binary_search_by(|own| own.0.as_bytes().cmp(name)).ok()?;
        self.names.get(at).and_then(|own| self.tracks.get(own.1))
    }

    /// Iterates over all tracks that have a name, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&Name, &Track)> {
        self.names.iter().filter_map(|(name, track)| Some((name, self.tracks.get(*track)?)))
    }

    /// The track at a place of [`iter`](Self::iter).
    pub(super) fn numbered(&self, number: usize) -> Option<&Track> {
        self.names.get(number).and_then(|own| self.tracks.get(own.1))
    }

    /// Takes the warnings of reading out of the set.
    pub(super) fn take_warnings(&mut self) -> Vec<ModelWarning> {
        std::mem::take(&mut self.warnings)
    }

    /// Returns when the last track ends, or later if the file says so; seconds.
    pub fn end(&self) -> f32 {
        self.end
    }
}

/// All tracks, and which of them stands at each place of the file's list: one may stand there several times.
fn tracks(stream: &mut Stream) -> Result<(Vec<Track>, Vec<usize>), ModelError> {
    stream.enter("tracks");
    let count = stream.count(8)?;
    let mut tracks: Vec<Track> = stream.reserve(count)?;
    let mut order = stream.reserve(count)?;
    for _ in 0..count {
        stream.enter("tracks");
        let missing = stream.error(ModelProblem::Missing { what: "track" });
        match stream.pointer(Kind::Track)? {
            Pointer::New(id, class) => {
                let track = Track::read(stream, class)?;
                stream.keep(id, tracks.len());
                order.push(tracks.len());
                tracks.push(track);
            }
            Pointer::Seen(Some(track)) => order.push(track),
            Pointer::Seen(None) | Pointer::Null => return Err(missing),
        }
    }
    Ok((tracks, order))
}
