//! File formats of models: one enum, one table.

mod foreign;
mod load;
mod player;
mod table;

use crate::model::Model;
use crate::write::{WriteError, Writer};
use table::{Row, TABLE};

/// A file format of models.
///
/// ```
/// use skelobj::Format;
/// let format = Format::detect(b"IDP3\x0f\0\0\0").unwrap();
/// assert_eq!((format, format.extension(), format.is_writable()), (Format::Md3, "md3", false));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Format {
    /// Inter-Quake Model.
    Iqm,
    /// DarkPlaces model.
    Dpm,
    /// Zymotic model.
    Zym,
    /// ActorX mesh (Unreal Engine).
    Psk,
    /// ActorX animations (Unreal Engine).
    Psa,
    /// Quake III model.
    Md3,
    /// Half-Life studio model.
    HalfLife,
    /// NeL shape or skeleton.
    NelShape,
    /// NeL animation.
    NelAnimation,
    /// Doom 3 mesh.
    Md5Mesh,
    /// Doom 3 animation.
    Md5Animation,
    /// FTE's list of a Doom 3 mesh and its animations.
    Md5List,
    /// Binary glTF 2.0.
    Glb,
    /// glTF 2.0 as text.
    Gltf,
}

impl Format {
    /// Iterates over all formats, also over those that this build of the crate lacks.
    #[must_use]
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        TABLE.iter().map(|row| row.format)
    }

    /// Tells the format of a file by its first bytes, and of text files by their first words.
    ///
    /// Formats that need a feature of the crate are detected without it.
    #[must_use]
    pub fn detect(bytes: &[u8]) -> Option<Self> {
        TABLE.iter().find(|row| (row.detect)(bytes)).map(|row| row.format)
    }

    /// Finds the format whose files have this extension, without the dot; case does not matter.
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<Self> {
        let has = |row: &&Row| row.extensions.iter().any(|own| own.eq_ignore_ascii_case(extension));
        TABLE.iter().find(has).map(|row| row.format)
    }

    /// Returns the format's name, for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the usual extension of its files, without the dot; empty for a format without one.
    #[must_use]
    pub fn extension(self) -> &'static str {
        self.extensions().first().unwrap_or(&"")
    }

    /// Returns all extensions of its files, without the dot; the usual one comes first.
    #[must_use]
    pub fn extensions(self) -> &'static [&'static str] {
        self.row().extensions
    }

    /// Lists the files beside a model that [`Model::load`] asks for: `{name}` stands for the model's name, `{stem}` for
    /// that without its extension, `{number}` for two digits, `{stored}` for names that the file itself holds.
    #[must_use]
    pub fn side_files(self) -> &'static [&'static str] {
        self.row().side_files
    }

    /// Returns whether this build of the crate can [`write`](Self::write) the format.
    #[must_use]
    pub fn is_writable(self) -> bool {
        matches!(self.row().writer, Writer::BuiltIn { .. })
    }

    /// Writes a model in this format.
    ///
    /// # Errors
    /// A format that is only read, or not built in; parts of the model that contradict each other.
    pub fn write(self, model: &Model) -> Result<Vec<u8>, WriteError> {
        match self.row().writer {
            Writer::BuiltIn { write, .. } => write(model),
            Writer::NotBuiltIn { feature } => Err(WriteError::NotBuiltIn { feature }),
            Writer::Absent => Err(WriteError::ReadOnly { format: self.name() }),
        }
    }

    /// Lists what a model has and a file of this format has no place for, in words for people; empty when nothing is
    /// lost but precision, and for formats that are not [writable](Self::is_writable).
    #[must_use]
    pub fn losses(self, model: &Model) -> Vec<&'static str> {
        match self.row().writer {
            Writer::BuiltIn { losses, .. } => losses(model),
            Writer::NotBuiltIn { .. } | Writer::Absent => Vec::new(),
        }
    }

    fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }
}
