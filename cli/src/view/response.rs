//! Responses, written with bounds on the time.

use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::request::Timed;

/// Time in which a client must have read a response.
const PATIENCE: Duration = Duration::from_secs(60);
/// Time for which, and number of bytes up to which, the rest of a request is dropped, so that the client reads the
/// response.
const LINGER: Duration = Duration::from_secs(1);
const MAX_DROPPED: u64 = 4 << 20;
/// Size of a part of the contents that is written at once, bytes.
const PART: usize = 64 << 10;

/// Headers of each response. Nothing is loaded from elsewhere, shown in other sites' frames, or kept. The page states a
/// stricter policy, which names its script.
const HEADERS: &str = "\
Content-Security-Policy: default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; \
connect-src 'self' blob: data:; style-src 'unsafe-inline'; img-src 'self' blob: data:; font-src data:; \
base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r
X-Content-Type-Options: nosniff\r
Cross-Origin-Resource-Policy: same-origin\r
Cross-Origin-Opener-Policy: same-origin\r
Referrer-Policy: no-referrer\r
Cache-Control: no-store\r
Connection: close\r
";

/// Response to a request.
pub struct Response {
    status: u16,
    kind: &'static str,
    body: Body,
    /// Revision that the response belongs to.
    revision: Option<u64>,
    /// Methods of the path, for a request with another one.
    allow: Option<&'static str>,
}

impl Response {
    fn new(status: u16, kind: &'static str, body: Body) -> Self {
        Self { status, kind, body, revision: None, allow: None }
    }

    /// Creates a response of a sentence.
    pub fn text(status: u16, text: impl Into<String>) -> Self {
        Self::new(status, "text/plain; charset=utf-8", Body::Own((text.into() + "\n").into_bytes()))
    }

    /// Creates a response of JSON.
    pub fn json(value: &Value) -> Self {
        Self::new(200, "application/json", Body::Own(value.to_string().into_bytes()))
    }

    /// Creates a response of a part of the page.
    pub fn part(kind: &'static str, bytes: &'static [u8]) -> Self {
        Self::new(200, kind, Body::Fixed(bytes))
    }

    /// Creates a response of a file of the scene, at a revision.
    pub fn file(bytes: Arc<[u8]>, revision: u64) -> Self {
        Self { revision: Some(revision), ..Self::new(200, "application/octet-stream", Body::Shared(bytes)) }
    }

    /// Creates a response without contents, at a revision.
    pub fn done(revision: u64) -> Self {
        Self { revision: Some(revision), ..Self::new(204, "", Body::Fixed(&[])) }
    }

    /// Creates a response for a path that has only these methods.
    pub fn not_allowed(methods: &'static str) -> Self {
        Self { allow: Some(methods), ..Self::text(405, format!("expected {methods}")) }
    }

    /// Tells a client to send the body that it holds back.
    pub fn go_on(mut stream: &TcpStream) -> io::Result<()> {
        stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")
    }

    /// Writes the response, and ends the connection.
    pub fn send(&self, stream: &TcpStream) -> io::Result<()> {
        let body = self.body.bytes();
        let mut head = format!("HTTP/1.1 {} {}\r\n{HEADERS}", self.status, reason(self.status));
        if self.status != 204 {
            head.push_str(&format!("Content-Type: {}\r\nContent-Length: {}\r\n", self.kind, body.len()));
        }
        if let Some(revision) = self.revision {
            head.push_str(&format!("ETag: \"{revision}\"\r\n"));
        }
        if let Some(methods) = self.allow {
            head.push_str(&format!("Allow: {methods}\r\n"));
        }
        head.push_str("\r\n");
        let end = Instant::now() + PATIENCE;
        [head.as_bytes()].into_iter().chain(body.chunks(PART)).try_for_each(|part| write(stream, part, end))?;
        stream.shutdown(Shutdown::Write)?;
        drain(stream);
        Ok(())
    }
}

/// Contents of a response.
enum Body {
    Fixed(&'static [u8]),
    Own(Vec<u8>),
    Shared(Arc<[u8]>),
}

impl Body {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Fixed(bytes) => bytes,
            Self::Own(bytes) => bytes,
            Self::Shared(bytes) => bytes,
        }
    }
}

fn write(mut stream: &TcpStream, mut bytes: &[u8], end: Instant) -> io::Result<()> {
    while !bytes.is_empty() {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        stream.set_write_timeout(Some(left))?;
        match stream.write(bytes)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            written => bytes = &bytes[written..],
        }
    }
    Ok(())
}

/// Drops what the client still sends: closing before would discard the response on its way.
fn drain(stream: &TcpStream) {
    let timed = Timed { stream, end: Instant::now() + LINGER };
    // The client may have left.
    let _ = io::copy(&mut timed.take(MAX_DROPPED), &mut io::sink());
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        204 => "No Content",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        409 => "Conflict",
        411 => "Length Required",
        413 => "Content Too Large",
        428 => "Precondition Required",
        431 => "Request Header Fields Too Large",
        _ => "Internal Server Error",
    }
}
