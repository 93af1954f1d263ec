//! Tracks of an `.anim` file (CAnimation, versions 0 to 2), by name.

use super::stream::{Kind, Pointer, Stream};
use super::track::Track;
use crate::limits::Limits;
use crate::model::{Fixup, ModelError, ModelProblem, ModelWarning, Name};

/// First bytes of an animation.
pub(crate) const MAGIC: &[u8] = b"NEL_ANIM";

/// Tracks of an `.anim` file, by name.
///
/// The name determines what a track drives: `bone.pos`, `bone.rotquat` and so on move a bone, `pos` and `rotquat` the
/// whole object. The game gives other names their meaning; they count for the duration only.
#[derive(Clone, Debug, Default)]
pub(super) struct TrackSet {
    tracks: Vec<Track>,
    /// Track number of each name, sorted by name.
    names: Vec<(Name, usize)>,
    /// End of the last track, or the later end that the file states, seconds.
    pub end: f32,
}

impl TrackSet {
    /// Reads an `.anim` file; returns the warnings of the reader, too.
    pub fn read(bytes: &[u8], limits: &Limits) -> Result<(Self, Vec<ModelWarning>), ModelError> {
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
        // Of equal names the last one counts.
        set.names.reverse();
        set.names.sort_by(|a, b| a.0.cmp(&b.0));
        set.names.dedup_by(|earlier, kept| earlier.0 == kept.0);
        set.end = set.tracks.iter().map(|track| track.end).fold(0.0, f32::max);
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
        Ok((set, stream.finish()))
    }

    /// Returns an iterator over all named tracks, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&Name, &Track)> {
        self.names.iter().filter_map(|(name, track)| Some((name, self.tracks.get(*track)?)))
    }

    /// Returns the track at a position of [`iter`](Self::iter).
    pub fn numbered(&self, number: usize) -> Option<&Track> {
        self.names.get(number).and_then(|own| self.tracks.get(own.1))
    }
}

/// Reads all tracks, and the track number at each position of the stored list. A track may occur at several positions.
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
