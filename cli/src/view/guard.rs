//! Requests of other sites' pages and of strangers, which are refused.

use std::fmt::Write as _;
use std::hint;

use super::request::Request;
use super::response::Response;
use crate::error::CliError;

/// Names of this server in the header `Host`.
pub struct Guard {
    hosts: [String; 2],
    /// Secret in the address that the command opens.
    pub token: Token,
}

impl Guard {
    /// Creates the guard of a server at a port.
    pub fn new(port: u16, token: Token) -> Self {
        Self { hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}")], token }
    }

    /// Refuses a request that a page of another site caused, or that reached this server under another name.
    pub fn check_site(&self, request: &Request) -> Result<(), Response> {
        let host = request.header("host").unwrap_or_default();
        // The name of another site may lead to this machine, too (DNS rebinding).
        let is_own = self.hosts.iter().any(|own| own.as_bytes().eq_ignore_ascii_case(host));
        if !is_own {
            return Err(Response::text(403, format!("the host is not {}", self.hosts[0])));
        }
        if request.header("origin").is_some_and(|origin| !is_of(origin, host)) {
            return Err(Response::text(403, "the request is from a page of another origin"));
        }
        match request.header("sec-fetch-site") {
            None | Some(b"same-origin" | b"none") => Ok(()),
            Some(_) => Err(Response::text(403, "the request is from a page of another site")),
        }
    }

    /// Refuses a request without the token.
    pub fn check_token(&self, request: &Request) -> Result<(), Response> {
        match request.header("x-skelobj-token") {
            Some(stated) if self.token.matches(stated) => Ok(()),
            Some(_) => Err(Response::text(403, "the token is not that of this server: open the address it printed")),
            None => Err(Response::text(403, "the token is missing: open the address that the command printed")),
        }
    }
}

/// Secret that tells the page of this server from other pages: a random number of 128 bits in hexadecimal.
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

fn is_of(origin: &[u8], host: &[u8]) -> bool {
    origin.strip_prefix(b"http://").is_some_and(|name| name.eq_ignore_ascii_case(host))
}
