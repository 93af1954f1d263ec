//! Model file formats and the table that describes them.

pub(crate) mod bundle;
mod fast_turns;
pub(crate) mod foreign;
mod load;
mod player_folder;
mod table;

use crate::model::Model;
use crate::write::{WriteError, Writer};
use table::{Row, TABLE};

/// File format of models.
///
/// [`detect`](Self::detect) finds the format of a file; [`Model::load`] reads every format, [`write`](Self::write)
/// writes some.
///
/// ```
/// use skelobj::Format;
/// let format = Format::detect(b"IDP3\x0f\0\0\0").unwrap();
/// assert_eq!((format, format.extension(), format.is_writable()), (Format::Md3, "md3", false));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Format {
    /// Inter-Quake Model (`.iqm`), versions 1 and 2.
    Iqm,
    /// DarkPlaces model (`.dpm`).
    Dpm,
    /// Zymotic model (`.zym`).
    Zym,
    /// ActorX mesh of the Unreal Engine (`.psk`, `.pskx`).
    Psk,
    /// ActorX animations of the Unreal Engine (`.psa`).
    Psa,
    /// Quake III model (`.md3`).
    Md3,
    /// Half-Life studio model (`.mdl`).
    HalfLife,
    /// NeL shape or skeleton (`.shape`, `.skel`).
    NelShape,
    /// NeL animation (`.anim`).
    NelAnimation,
    /// Doom 3 mesh (`.md5mesh`).
    Md5Mesh,
    /// Doom 3 animation (`.md5anim`).
    Md5Animation,
    /// FTE's text list of a Doom 3 mesh and its animations.
    Md5List,
    /// Binary glTF 2.0 (`.glb`).
    Glb,
    /// Text glTF 2.0 (`.gltf`).
    Gltf,
}

impl Format {
    /// Returns an iterator over all formats, including those that this build of the crate cannot read.
    ///
    /// ```
    /// use skelobj::Format;
    ///
    /// let writable: Vec<&str> = Format::all().filter(|format| format.is_writable()).map(Format::extension).collect();
    /// assert!(writable.contains(&"iqm"));
    /// ```
    #[must_use]
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        TABLE.iter().map(|row| row.format)
    }

    /// Detects the format of a file by its first bytes, or by its first words if it is text.
    ///
    /// Returns `None` for an unknown format. Formats that need a feature of the crate are detected without the feature.
    ///
    /// ```
    /// use skelobj::{Format, assets};
    ///
    /// assert_eq!(Format::detect(assets::MANNEQUIN_IQM), Some(Format::Iqm));
    /// assert_eq!(Format::detect(b"MD5Version 10\ncommandline \"\"\nnumJoints 1\n"), Some(Format::Md5Mesh));
    /// assert_eq!(Format::detect(assets::MANNEQUIN_DOLL), None);
    /// ```
    #[must_use]
    pub fn detect(bytes: &[u8]) -> Option<Self> {
        TABLE.iter().find(|row| (row.detect)(bytes)).map(|row| row.format)
    }

    /// Returns the format with this file extension, written without the dot in any case.
    ///
    /// Returns `None` for an unknown extension. [`detect`](Self::detect) is safer if the file is available.
    ///
    /// ```
    /// use skelobj::Format;
    ///
    /// assert_eq!(Format::from_extension("PSK"), Some(Format::Psk));
    /// assert_eq!(Format::from_extension("fbx"), None);
    /// ```
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<Self> {
        let has = |row: &&Row| row.extensions.iter().any(|own| own.eq_ignore_ascii_case(extension));
        TABLE.iter().find(has).map(|row| row.format)
    }

    /// Returns the name of the format for messages.
    ///
    /// ```
    /// assert_eq!(skelobj::Format::Md5Mesh.name(), "Doom 3 mesh");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the usual file extension of the format without the dot, or an empty string if the format has none.
    ///
    /// ```
    /// use skelobj::Format;
    ///
    /// assert_eq!(Format::HalfLife.extension(), "mdl");
    /// assert_eq!(Format::Md5List.extension(), "");
    /// ```
    #[must_use]
    pub fn extension(self) -> &'static str {
        self.extensions().first().unwrap_or(&"")
    }

    /// Returns all file extensions of the format without the dot, the usual one first.
    ///
    /// ```
    /// use skelobj::Format;
    ///
    /// // What a file dialog offers.
    /// let patterns: Vec<String> = Format::all().flat_map(Format::extensions).map(|ext| format!("*.{ext}")).collect();
    /// assert!(patterns.contains(&"*.skel".to_owned()));
    /// ```
    #[must_use]
    pub fn extensions(self) -> &'static [&'static str] {
        self.row().extensions
    }

    /// Returns the patterns of the side files that [`Model::load`] requests.
    ///
    /// In a pattern, `{name}` is replaced with the name of the model, `{stem}` with that name without its extension,
    /// `{number}` with two digits and `{stored}` with names that the file itself stores.
    ///
    /// ```
    /// use skelobj::Format;
    ///
    /// // progs/ogre.psk: progs/ogre.psa with its animations, progs/ogre.psk.framegroups with its animation list.
    /// assert_eq!(Format::Psk.side_files(), ["{stem}.psa", "{name}.framegroups"]);
    /// ```
    #[must_use]
    pub fn side_files(self) -> &'static [&'static str] {
        self.row().side_files
    }

    /// Returns `true` if this build of the crate can [`write`](Self::write) the format.
    ///
    /// ```
    /// use skelobj::Format;
    ///
    /// assert!(Format::Iqm.is_writable());
    /// assert!(!Format::Md3.is_writable());
    /// assert_eq!(Format::Glb.is_writable(), cfg!(feature = "gltf"));
    /// ```
    #[must_use]
    pub fn is_writable(self) -> bool {
        matches!(self.row().writer, Writer::BuiltIn { .. })
    }

    /// Returns a model as a file of this format.
    ///
    /// # Errors
    /// [`WriteError::ReadOnly`] for a format without a writer, [`WriteError::NotBuiltIn`] if this build lacks the
    /// writer, and the errors of [`write::iqm`](crate::write::iqm) and of binary glTF for a model that contradicts
    /// itself.
    ///
    /// ```
    /// use skelobj::write::WriteError;
    /// use skelobj::{Format, Model, assets};
    ///
    /// let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?;
    /// let bytes = Format::Iqm.write(&model)?;
    /// assert_eq!(Model::load("copy.iqm", &bytes, |_| None)?.skeleton.names(), model.skeleton.names());
    /// assert_eq!(Format::Md3.write(&model), Err(WriteError::ReadOnly { format: "Quake III model" }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(self, model: &Model) -> Result<Vec<u8>, WriteError> {
        match self.row().writer {
            Writer::BuiltIn { write, .. } => write(model),
            Writer::NotBuiltIn { feature } => Err(WriteError::NotBuiltIn { feature }),
            Writer::Absent => Err(WriteError::ReadOnly { format: self.name() }),
        }
    }

    /// Returns descriptions of the parts of a model that a file of this format cannot hold.
    ///
    /// The list is empty if only precision is lost, and for formats that are not [writable](Self::is_writable).
    ///
    /// ```
    /// use skelobj::model::Tag;
    /// use skelobj::{Format, Model, assets};
    ///
    /// let mut model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?;
    /// assert!(!Format::Iqm.losses(&model).contains(&"tags"));
    /// model.tags.push(Tag { name: "tag_weapon".into(), frames: Vec::new() });
    /// assert!(Format::Iqm.losses(&model).contains(&"tags"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn losses(self, model: &Model) -> Vec<&'static str> {
        match self.row().writer {
            Writer::BuiltIn { losses, .. } => losses(model),
            Writer::NotBuiltIn { .. } | Writer::Absent => Vec::new(),
        }
    }

    /// Returns the table row of the format.
    fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }
}
