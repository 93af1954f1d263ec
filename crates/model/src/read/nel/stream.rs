//! NeL's serialised streams: versions, counts, strings and object ids in sequence, without lengths or tags.

use std::collections::HashMap;

use super::super::cursor::{Cursor, File, Scalar};
use crate::limits::Limits;
use crate::model::{Fixup, ModelError, ModelProblem, ModelWarning};

/// File that is read from its first byte to its last.
pub(super) struct Stream<'a> {
    /// Memory budget and warnings.
    pub file: File<'a>,
    rest: Cursor<'a>,
    section: &'static str,
    objects: HashMap<u64, Object>,
}

/// Object that an earlier pointer refers to.
struct Object {
    kind: Kind,
    /// Index under which the reader keeps the object, once it is read.
    place: Option<usize>,
}

/// Type of object that a pointer refers to.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Root,
    Geometry,
    VertexProgram,
    Texture,
    LodTexture,
    Track,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Root => "shape",
            Self::Geometry => "mesh geometry",
            Self::VertexProgram => "vertex program",
            Self::Texture => "texture",
            Self::LodTexture => "character texture",
            Self::Track => "track",
        }
    }
}

/// Contents of a pointer.
pub(super) enum Pointer<'a> {
    /// Null pointer.
    Null,
    /// Object that was read before, with the index under which its reader keeps it; `None` while it is being read.
    Seen(Option<usize>),
    /// Object that follows: its id and, unless its class is fixed, the name of its class.
    New(u64, &'a [u8]),
}

impl<'a> Stream<'a> {
    pub fn new(bytes: &'a [u8], limits: &Limits, section: &'static str) -> Result<Self, ModelError> {
        let file = File::new(bytes, limits);
        let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        let rest = file.table(section, 0, length, 1)?;
        Ok(Self { file, rest, section, objects: HashMap::new() })
    }

    /// Enters `section`; returns the previous section.
    pub fn enter(&mut self, section: &'static str) -> &'static str {
        self.rest = self.rest.in_section(section);
        std::mem::replace(&mut self.section, section)
    }

    /// Returns the current position in the file, bytes.
    pub fn offset(&self) -> usize {
        self.rest.offset()
    }

    /// Returns the error of `problem` at the current position.
    pub fn error(&self, problem: ModelProblem) -> ModelError {
        self.rest.error(problem)
    }

    /// Adds a warning about a repair in the current section.
    pub fn warn(&mut self, offset: usize, fixup: Fixup) {
        self.file.warn(self.section, offset, fixup);
    }

    /// Adds a warning about `count` non-finite values, unless `count` is 0.
    pub fn warn_not_finite(&mut self, offset: usize, count: usize) {
        self.file.warn_not_finite(self.section, offset, count);
    }

    /// Returns an empty vector with room for `count` elements, charged to the budget.
    pub fn reserve<T>(&mut self, count: usize) -> Result<Vec<T>, ModelError> {
        self.file.reserve(self.section, self.rest.offset(), count as u64)
    }

    /// Returns the warnings, with one more if unread bytes are left.
    pub fn finish(mut self) -> Vec<ModelWarning> {
        if !self.rest.rest().is_empty() {
            self.warn(self.offset(), Fixup::Tolerated("bytes after the end of the contents"));
        }
        self.file.warnings
    }

    pub fn take(&mut self, count: usize) -> Result<&'a [u8], ModelError> {
        self.rest.take(count)
    }

    pub fn get<T: Scalar>(&mut self) -> Result<T, ModelError> {
        self.rest.get()
    }

    pub fn flag(&mut self) -> Result<bool, ModelError> {
        Ok(self.get::<u8>()? != 0)
    }

    pub fn skip<T: Scalar>(&mut self) -> Result<(), ModelError> {
        self.take(T::SIZE).map(drop)
    }

    /// Reads a version, which is a byte, or 255 followed by four bytes. A version above `newest` has an unknown layout
    /// and is refused.
    pub fn version(&mut self, newest: u32) -> Result<u32, ModelError> {
        const EXPECTED: [&str; 11] = [
            "0",
            "at most 1",
            "at most 2",
            "at most 3",
            "at most 4",
            "at most 5",
            "at most 6",
            "at most 7",
            "at most 8",
            "at most 9",
            "at most 10",
        ];
        let start = self.rest;
        let mut version = u32::from(self.get::<u8>()?);
        if version == 0xff {
            version = self.get()?;
        }
        if version > newest {
            let expected = EXPECTED.get(newest as usize).copied().unwrap_or("older");
            return Err(start.error(ModelProblem::UnsupportedVersion { found: version, expected }));
        }
        Ok(version)
    }

    /// Reads the number of elements of a list whose elements take at least `least` bytes each.
    pub fn count(&mut self, least: usize) -> Result<usize, ModelError> {
        let start = self.rest;
        let count = self.rest.ranged::<i32>("count", 0..=i64::from(i32::MAX))? as u64;
        let needed = count.saturating_mul(least as u64);
        let available = self.rest.rest().len();
        if needed > available as u64 {
            return Err(start.error(ModelProblem::PastEnd { needed, available }));
        }
        Ok(count as usize)
    }

    /// Reads `count` elements of `size` bytes each.
    pub fn elements(&mut self, count: usize, size: usize) -> Result<&'a [u8], ModelError> {
        let needed = (count as u64).saturating_mul(size as u64);
        let available = self.rest.rest().len();
        match usize::try_from(needed) {
            Ok(needed) if needed <= available => self.take(needed),
            _ => Err(self.error(ModelProblem::PastEnd { needed, available })),
        }
    }

    /// Reads a list of numbers as bytes.
    pub fn list<T: Scalar>(&mut self) -> Result<&'a [u8], ModelError> {
        let count = self.count(T::SIZE)?;
        self.elements(count, T::SIZE)
    }

    pub fn string(&mut self) -> Result<&'a [u8], ModelError> {
        let length = self.get::<u32>()?;
        self.elements(length as usize, 1)
    }

    /// Reads a value with a version, always 0, before it, as default tracks store values.
    pub fn versioned<T: Scalar>(&mut self) -> Result<T, ModelError> {
        self.version(0)?;
        self.get()
    }

    /// Reads a pointer to an object whose class name is stored.
    pub fn pointer(&mut self, kind: Kind) -> Result<Pointer<'a>, ModelError> {
        match self.id(kind)? {
            Pointer::New(id, _) => Ok(Pointer::New(id, self.string()?)),
            known => Ok(known),
        }
    }

    /// Reads a pointer to an object of a fixed class.
    pub fn id(&mut self, kind: Kind) -> Result<Pointer<'a>, ModelError> {
        let start = self.rest;
        let [low, high] = self.get::<[u32; 2]>()?;
        let id = u64::from(low) | u64::from(high) << 32;
        if id == 0 {
            return Ok(Pointer::Null);
        }
        match self.objects.get(&id) {
            Some(object) if object.kind == kind => Ok(Pointer::Seen(object.place)),
            Some(_) => Err(start.error(ModelProblem::WrongClass { expected: kind.name() })),
            None => {
                // The object is noted before its body is read, so that reading a body that refers to itself terminates.
                self.reserve::<(u64, Object)>(1)?;
                self.objects.insert(id, Object { kind, place: None });
                Ok(Pointer::New(id, &[]))
            }
        }
    }

    /// Notes the index under which the reader keeps the object of this id.
    pub fn keep(&mut self, id: u64, place: usize) {
        if let Some(object) = self.objects.get_mut(&id) {
            object.place = Some(place);
        }
    }
}
