//! Runs of a script after each change of its files: `--watch`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use skelobj::is_plain_path;

use super::args::ScriptArgs;
use crate::error::CliError;
use crate::folder::Folder;
use crate::out::{tell_error, tell_line};
use crate::stamp::{PERIOD, Stamp};

/// Maximum number of files that are watched.
const MAX_FILES: usize = 4096;

/// Files that a run has read or looked for, as they were before.
#[derive(Clone, Default)]
pub struct FilesRead(Arc<Mutex<BTreeMap<PathBuf, Stamp>>>);

impl FilesRead {
    /// Adds a file that is about to be read, so that a change during the run is seen.
    pub fn add(&self, path: &Path) {
        let mut files = self.files();
        if files.len() < MAX_FILES && !files.contains_key(path) {
            files.insert(path.to_owned(), Stamp::of(path));
        }
    }

    /// Adds the file of a folder that a name stands for, whether it exists or not.
    pub fn add_in(&self, folder: &Path, name: &str) {
        if is_plain_path(name) {
            let found = Folder::new(folder).find(name).ok().flatten();
            self.add(&found.unwrap_or_else(|| folder.join(name)));
        }
    }

    fn files(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Stamp>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the files as they are now.
    fn stamps(&self) -> Vec<Stamp> {
        self.files().keys().map(|path| Stamp::of(path)).collect()
    }

    /// Returns the first file that is not as it was.
    fn changed(&self, now: &[Stamp]) -> Option<PathBuf> {
        self.files().iter().zip(now).find(|((_, before), now)| before != now).map(|((path, _), _)| path.clone())
    }
}

/// Runs a script, and again after each change of a file that it has read, without end.
///
/// # Errors
/// Those of standard output, and [`CliError::Overwrite`]; other errors are printed.
pub fn repeat(args: &ScriptArgs) -> Result<(), CliError> {
    super::refuse_existing(args)?;
    // Each run replaces what the one before has written.
    let args = ScriptArgs { force: true, ..args.clone() };
    loop {
        let read = FilesRead::default();
        match super::run_once(&args, &read) {
            Err(error @ CliError::Output(_)) => return Err(error),
            Err(error) => tell_error(&error),
            Ok(()) => {}
        }
        let changed = wait(&read);
        tell_line(format_args!("skelobj: {} has changed, the script runs again", changed.display()));
    }
}

/// Waits until a file has changed, and no file changes any more. Returns the first one that has.
fn wait(read: &FilesRead) -> PathBuf {
    loop {
        let mut now = read.stamps();
        let Some(changed) = read.changed(&now) else {
            thread::sleep(PERIOD);
            continue;
        };
        loop {
            thread::sleep(PERIOD);
            let next = read.stamps();
            if next == now {
                return changed;
            }
            now = next;
        }
    }
}
