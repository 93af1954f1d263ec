//! Sources of files on disk.
//!
//! The trait [`FileSource`](crate::FileSource) stands for any source; [`Folder`] is that of a folder.

mod folder;
mod open;
pub(crate) mod source;

pub use folder::Folder;
