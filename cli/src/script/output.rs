//! Output of a script.

use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::error::CliError;

/// Output of a script, shared by the environment, which prints, and the frame loop, which checks for errors.
#[derive(Clone)]
pub struct SharedOutput(Arc<Mutex<Output>>);

impl SharedOutput {
    /// Creates the output of a script.
    pub fn new() -> Self {
        Self(Arc::new(Mutex::new(Output { out: io::BufWriter::new(io::stdout()), failed: None })))
    }

    fn lock(&self) -> MutexGuard<'_, Output> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Prints a text of a script, to which its lines and characters belong, without other control characters; after an
    /// error, nothing is printed.
    pub fn print(&self, text: &str) {
        let is_harmful = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
        let text = match text.contains(is_harmful) {
            true => Cow::Owned(text.replace("\r\n", "\n").replace(is_harmful, "\u{fffd}")),
            false => Cow::Borrowed(text),
        };
        let mut output = self.lock();
        if output.failed.is_none() {
            output.failed = output.out.write_all(text.as_bytes()).err();
        }
    }

    /// Returns `true` if a print has failed.
    pub fn has_failed(&self) -> bool {
        self.lock().failed.is_some()
    }

    /// Flushes the output; returns its first error.
    pub fn finish(&self) -> Result<(), CliError> {
        let mut output = self.lock();
        let flushed = output.out.flush();
        match output.failed.take() {
            Some(error) => Err(CliError::Output(error)),
            None => flushed.map_err(CliError::Output),
        }
    }
}

/// Standard output and its first error.
struct Output {
    out: io::BufWriter<io::Stdout>,
    failed: Option<io::Error>,
}
