//! Requests of other sites' pages and of strangers, which are refused.

use super::request::Request;
use super::response::Response;
use super::token::Token;

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

fn is_of(origin: &[u8], host: &[u8]) -> bool {
    origin.strip_prefix(b"http://").is_some_and(|name| name.eq_ignore_ascii_case(host))
}
