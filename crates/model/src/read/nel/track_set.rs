//! Tracks of an `.anim` file (CAnimation, versions 0 to 2), by name.

use super::stream::{Kind, Pointer, Stream};
use super::track::Track;
use crate::limits::Limits;
use crate::model::{Fixup, ModelError, ModelProblem, ModelWarning, Name};
use crate::options::LoadOptions;

/// First bytes of an animation.
pub(crate) const MAGIC: &[u8] = b"NEL_ANIM";

/// Tracks of an `.anim` file, by name.
///
/// The name determines what a track drives. `bone.pos`, `bone.rotquat` and so on move a bone; `pos` and `rotquat` move
/// the whole object; `NAMEMorphFactor` is the weight of the morph `NAME` in percent. The game gives other names their
/// meaning. [`Model::load`](crate::Model::load) reads the tracks that move bones as an animation.
///
/// ```
/// use skelobj::read::nel::{TrackSet, TrackValue};
///
/// let tracks = TrackSet::read(&std::fs::read("../../tests/data/examples/glow.anim")?)?;
/// for (name, track) in tracks.iter() {
///     assert_eq!((name.to_string(), track.value_at(0.0)), ("glow".to_owned(), Some(TrackValue::Float(0.5))));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct TrackSet {
    tracks: Vec<Track>,
    /// Track number of each name, sorted by name.
    names: Vec<(Name, usize)>,
    end: f32,
    warnings: Vec<ModelWarning>,
}

impl TrackSet {
    /// Reads an `.anim` file.
    ///
    /// # Errors
    /// A [`ModelError`] for a track of an unknown class, a name without a track, a key at a non-finite time, a list
    /// that runs past the end, or contents beyond the default [`Limits`].
    ///
    /// ```
    /// use skelobj::{model::ModelProblem, read::nel::TrackSet};
    ///
    /// let error = TrackSet::read(b"NEL_ANIM").unwrap_err(); // ends before the version
    /// assert!(matches!(error.problem, ModelProblem::PastEnd { .. }));
    /// assert!(TrackSet::read(b"MD5Version 10").is_err());
    /// ```
    pub fn read(bytes: &[u8]) -> Result<Self, ModelError> {
        Self::read_with(&LoadOptions::DEFAULT, bytes)
    }

    /// Reads an `.anim` file with options, of which the limits apply.
    ///
    /// # Errors
    /// The errors of [`read`](Self::read), and [`ModelProblem::LimitExceeded`] for contents beyond the limits.
    ///
    /// ```
    /// use skelobj::{LoadOptions, read::nel::TrackSet};
    ///
    /// let bytes = std::fs::read("../../tests/data/examples/glow.anim")?;
    /// let mut options = LoadOptions::default();
    /// options.limits.memory = 64;
    /// let error = TrackSet::read_with(&options, &bytes).unwrap_err();
    /// assert!(error.to_string().contains("bytes of memory, the limit is 64"), "{error}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_with(options: &LoadOptions, bytes: &[u8]) -> Result<Self, ModelError> {
        Self::read_within(&options.limits, bytes)
    }

    pub(super) fn read_within(limits: &Limits, bytes: &[u8]) -> Result<Self, ModelError> {
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

    /// Returns the track of this name; case matters.
    ///
    /// ```
    /// use skelobj::read::nel::TrackSet;
    ///
    /// let tracks = TrackSet::read(&std::fs::read("../../tests/data/examples/glow.anim")?)?;
    /// assert!(tracks.track("glow").is_some());
    /// assert!(tracks.track("Glow").is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn track(&self, name: impl AsRef<[u8]>) -> Option<&Track> {
        let name = name.as_ref();
        let at = self.names.binary_search_by(|own| own.0.as_bytes().cmp(name)).ok()?;
        self.names.get(at).and_then(|own| self.tracks.get(own.1))
    }

    /// Returns an iterator over all named tracks, sorted by name.
    ///
    /// ```
    /// use skelobj::read::nel::TrackSet;
    ///
    /// let tracks = TrackSet::read(&std::fs::read("../../tests/data/examples/glow.anim")?)?;
    /// // The tracks that the game reads itself: their names have no part after a dot.
    /// let names = tracks.iter().map(|(name, _)| name.to_string());
    /// let names: Vec<String> = names.filter(|name| !name.contains('.')).collect();
    /// assert_eq!(names, ["glow"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (&Name, &Track)> {
        self.names.iter().filter_map(|(name, track)| Some((name, self.tracks.get(*track)?)))
    }

    /// Returns the track at a position of [`iter`](Self::iter).
    pub(super) fn numbered(&self, number: usize) -> Option<&Track> {
        self.names.get(number).and_then(|own| self.tracks.get(own.1))
    }

    /// Takes the warnings of the reader out of the set.
    pub(super) fn take_warnings(&mut self) -> Vec<ModelWarning> {
        std::mem::take(&mut self.warnings)
    }

    /// Returns the end of the last track, or the later end that the file states, seconds.
    ///
    /// ```
    /// use skelobj::read::nel::TrackSet;
    ///
    /// let tracks = TrackSet::read(&std::fs::read("../../tests/data/examples/glow.anim")?)?;
    /// assert_eq!(tracks.end(), 0.0); // constants have no duration
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn end(&self) -> f32 {
        self.end
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
