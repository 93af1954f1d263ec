//! Kinds of files that `draw` writes.

use std::path::Path;

use crate::error::CliError;

/// Kind of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Output {
    /// Film strip.
    Png,
    /// Motion that loops.
    Gif,
    /// Model with its motion, for viewers.
    Glb,
}

impl Output {
    /// Returns the kind that the ending of a name tells.
    ///
    /// # Errors
    /// [`CliError::PictureName`] for any other ending.
    pub fn of(path: &Path) -> Result<Self, CliError> {
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        match ending.as_str() {
            "png" => Ok(Self::Png),
            "gif" => Ok(Self::Gif),
            "glb" => Ok(Self::Glb),
            _ => Err(CliError::PictureName(path.to_owned())),
        }
    }
}
