//! Requests, read with bounds on their size and on the time.

use std::io::{self, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::response::Response;

/// Maximum size of the line and the headers of a request, bytes.
const LARGEST_HEAD: usize = 16 << 10;
/// Maximum number of headers.
const MAX_HEADERS: usize = 64;
/// Time in which a client must have sent the head of a request, and then its body.
const PATIENCE: Duration = Duration::from_secs(10);

/// Request whose body is not read yet.
pub struct Request<'a> {
    stream: &'a TcpStream,
    /// Method in capitals.
    pub method: String,
    /// Path before `?`, as it was sent.
    pub path: String,
    /// Part after `?`.
    pub query: String,
    headers: Vec<(String, Vec<u8>)>,
    /// Beginning of the body.
    rest: Vec<u8>,
}

impl<'a> Request<'a> {
    /// Reads the line and the headers of a request.
    ///
    /// # Errors
    /// `None` if the client left or was too slow, otherwise the answer for a request that is not valid.
    pub fn read(stream: &'a TcpStream) -> Result<Self, Option<Response>> {
        let mut timed = Timed { stream, end: Instant::now() + PATIENCE };
        let mut bytes = Vec::new();
        loop {
            let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
            let mut head = httparse::Request::new(&mut headers);
            match head.parse(&bytes) {
                Ok(httparse::Status::Complete(size)) => return Self::of(stream, &head, bytes[size..].to_vec()),
                Ok(httparse::Status::Partial) if bytes.len() >= LARGEST_HEAD => {
                    return Err(Some(Response::text(431, "the headers are too large")));
                }
                Ok(httparse::Status::Partial) => {}
                Err(httparse::Error::TooManyHeaders) => {
                    return Err(Some(Response::text(431, "there are too many headers")));
                }
                Err(_) => return Err(Some(Response::text(400, "this is not a request of HTTP/1.1"))),
            }
            let mut chunk = [0; 2048];
            match timed.read(&mut chunk) {
                Ok(0) | Err(_) => return Err(None),
                Ok(size) => bytes.extend_from_slice(&chunk[..size]),
            }
        }
    }

    fn of(stream: &'a TcpStream, head: &httparse::Request, rest: Vec<u8>) -> Result<Self, Option<Response>> {
        let target = head.path.unwrap_or_default();
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let headers = head.headers.iter().map(|header| (header.name.to_ascii_lowercase(), header.value.to_vec()));
        let headers: Vec<(String, Vec<u8>)> = headers.collect();
        for known in ["host", "origin", "sec-fetch-site", "x-skelobj-token", "if-match", "content-length"] {
            if headers.iter().filter(|(name, _)| name == known).count() > 1 {
                return Err(Some(Response::text(400, format!("the header {known} is stated twice"))));
            }
        }
        let method = head.method.unwrap_or_default().to_owned();
        Ok(Self { stream, method, path: path.to_owned(), query: query.to_owned(), headers, rest })
    }

    /// Returns the value of a header, by its name in small letters.
    pub fn header(&self, name: &str) -> Option<&[u8]> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_slice())
    }

    /// Returns the number that a header states.
    pub fn number(&self, name: &str) -> Option<u64> {
        let digits = std::str::from_utf8(self.header(name)?).ok()?;
        // Quotes are those of an entity tag.
        let digits = digits.strip_prefix('"').and_then(|tag| tag.strip_suffix('"')).unwrap_or(digits);
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
    }

    /// Reads the body.
    ///
    /// # Errors
    /// The answer for a body that is larger than `most` bytes or of unknown size, of which nothing is read, or `None`
    /// if the client left or was too slow.
    pub fn body(&mut self, most: usize) -> Result<Vec<u8>, Option<Response>> {
        if self.header("transfer-encoding").is_some() || self.header("content-length").is_none() {
            return Err(Some(Response::text(411, "the size of the body is not stated")));
        }
        let size = self.number("content-length");
        let size = size.ok_or_else(|| Some(Response::text(400, "the size of the body is not a number")))?;
        if size > most as u64 {
            return Err(Some(Response::text(413, format!("the body has {size} bytes: expected at most {most}"))));
        }
        let size = size as usize;
        if self.header("expect").is_some_and(|value| value.eq_ignore_ascii_case(b"100-continue")) {
            Response::go_on(self.stream).map_err(|_| None)?;
        }
        let mut body = std::mem::take(&mut self.rest);
        body.truncate(size);
        let missing = (size - body.len()) as u64;
        let timed = Timed { stream: self.stream, end: Instant::now() + PATIENCE };
        timed.take(missing).read_to_end(&mut body).map_err(|_| None)?;
        if body.len() < size { Err(None) } else { Ok(body) }
    }
}

/// Stream that is read until a moment.
pub struct Timed<'a> {
    /// Connection.
    pub stream: &'a TcpStream,
    /// Moment from which on reading fails.
    pub end: Instant,
}

impl Read for Timed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        self.stream.read(buffer)
    }
}
