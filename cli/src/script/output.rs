//! Output of a script.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, IsTerminal as _, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::error::CliError;
use crate::out;

/// Output of a script, shared by the environment, which prints, and the frame loop, which checks for errors.
#[derive(Clone)]
pub struct SharedOutput(Arc<Mutex<Output>>);

impl SharedOutput {
    /// Creates the output of a script.
    pub fn new() -> Self {
        let out = io::stdout();
        let is_terminal = out.is_terminal();
        Self(Arc::new(Mutex::new(Output { out: io::BufWriter::new(out), is_terminal, failed: None })))
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
            if output.is_terminal && text.contains('\n') {
                output.flush();
            }
        }
    }

    /// Writes what was printed, so that a process that is killed later does not lose it.
    pub fn flush(&self) {
        self.lock().flush();
    }

    /// Prints one line to standard error, after what was printed before.
    pub fn tell_line(&self, text: impl fmt::Display) {
        self.flush();
        out::tell_line(text);
    }

    /// Returns `true` if a print has failed.
    pub fn has_failed(&self) -> bool {
        self.lock().failed.is_some()
    }

    /// Flushes the output; returns its first error.
    pub fn finish(&self) -> Result<(), CliError> {
        let mut output = self.lock();
        output.flush();
        output.failed.take().map_or(Ok(()), |error| Err(CliError::Output(error)))
    }
}

/// Standard output and its first error.
struct Output {
    out: io::BufWriter<io::Stdout>,
    is_terminal: bool,
    failed: Option<io::Error>,
}

impl Output {
    fn flush(&mut self) {
        if self.failed.is_none() {
            self.failed = self.out.flush().err();
        }
    }
}
