//! Runs of a script after each change of its files: `--watch`.

use std::collections::BTreeSet;
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
const MOST_FILES: usize = 4096;

/// Paths of the files that a run has read or looked for.
#[derive(Clone, Default)]
pub struct FilesRead(Arc<Mutex<BTreeSet<PathBuf>>>);

impl FilesRead {
    pub fn add(&self, path: &Path) {
        let mut paths = self.paths();
        if paths.len() < MOST_FILES {
            paths.insert(path.to_owned());
        }
    }

    /// Adds the file of a folder that a name stands for, whether it exists or not.
    pub fn add_in(&self, folder: &Path, name: &str) {
        if is_plain_path(name) {
            let found = Folder::new(folder).find(name).ok().flatten();
            self.add(&found.unwrap_or_else(|| folder.join(name)));
        }
    }

    fn paths(&self) -> MutexGuard<'_, BTreeSet<PathBuf>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stamps(&self) -> Vec<Stamp> {
        self.paths().iter().map(|path| Stamp::of(path)).collect()
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
        let before = read.stamps();
        let changed = wait(&read, &before);
        tell_line(format_args!("skelobj: {} has changed, the script runs again", changed.display()));
    }
}

/// Waits until a file has changed, and no file changes any more. Returns the first one that has.
fn wait(read: &FilesRead, before: &[Stamp]) -> PathBuf {
    loop {
        thread::sleep(PERIOD);
        let mut now = read.stamps();
        let Some(changed) = before.iter().zip(&now).find(|(old, new)| old != new).map(|(old, _)| old.path().to_owned())
        else {
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
