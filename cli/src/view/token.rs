//! Secret that tells the page of this server from other pages.

use std::fmt::Write as _;
use std::hint;

use crate::error::CliError;

/// Random number of 128 bits in hexadecimal.
pub struct Token(String);

impl Token {
    /// Draws a token from the random numbers of the operating system.
    pub fn draw() -> Result<Self, CliError> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|error| CliError::Serve(format!("no random numbers: {error}")))?;
        let mut text = String::with_capacity(32);
        for byte in bytes {
            let _ = write!(text, "{byte:02x}");
        }
        Ok(Self(text))
    }

    /// Returns the hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns `true` if a request states this token. The time does not depend on how many digits match.
    pub fn matches(&self, stated: &[u8]) -> bool {
        let pairs = self.0.bytes().zip(stated.iter());
        let difference = pairs.fold(0, |difference, (a, b)| hint::black_box(difference | (a ^ b)));
        stated.len() == self.0.len() && difference == 0
    }
}
