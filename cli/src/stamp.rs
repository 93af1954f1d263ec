//! State of files that are watched.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Time between two looks at watched files.
pub const PERIOD: Duration = Duration::from_millis(250);
/// Age from which on a file with the same time and size has the same contents.
const SETTLED: Duration = Duration::from_secs(2);

/// State of a file that differs after most changes of its contents.
#[derive(PartialEq)]
pub struct Stamp {
    path: PathBuf,
    /// Time of the last change and size, bytes; `None` for a missing file.
    file: Option<(SystemTime, u64)>,
    is_folder: bool,
}

impl Stamp {
    pub fn of(path: &Path) -> Self {
        let file = fs::metadata(path).ok();
        let is_folder = file.as_ref().is_some_and(fs::Metadata::is_dir);
        let stamp = file.and_then(|file| Some((file.modified().ok()?, file.len())));
        Self { path: path.to_owned(), file: stamp, is_folder }
    }

    /// Returns `true` if the file changed so recently that it may change again without another time.
    pub fn is_fresh(&self) -> bool {
        let age = self.file.and_then(|(changed, _)| SystemTime::now().duration_since(changed).ok());
        !self.is_folder && age.is_some_and(|age| age < SETTLED)
    }
}
