//! Server on this machine: connections, each with its thread, up to a number.

use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use super::guard::{Guard, Token};
use super::request::Request;
use super::routes;
use super::watch::Watched;
use crate::error::CliError;

/// Maximum number of connections at a time.
const MAX_CONNECTIONS: usize = 64;
/// Stack of the thread of a connection, bytes.
const STACK: usize = 256 << 10;

/// Server that listens on 127.0.0.1.
pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
    address: String,
}

struct Shared {
    guard: Guard,
    watched: Watched,
    connections: AtomicUsize,
}

impl Server {
    /// Listens at a port; 0 finds a free one.
    pub fn new(port: u16, watched: Watched) -> Result<Self, CliError> {
        let fail = |error: io::Error| {
            let advice = match error.kind() {
                io::ErrorKind::AddrInUse => "; state another --port, or leave it out for a free one",
                _ => "",
            };
            CliError::Serve(format!("127.0.0.1:{port}: {error}{advice}"))
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(fail)?;
        let port = listener.local_addr().map_err(fail)?.port();
        let guard = Guard::new(port, Token::draw()?);
        let address = format!("http://127.0.0.1:{port}/?token={}", guard.token.as_str());
        let shared = Arc::new(Shared { guard, watched, connections: AtomicUsize::new(0) });
        Ok(Self { listener, shared, address })
    }

    /// Returns the address of the page, with the token.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Serves the page until the process ends.
    pub fn run(&self) -> Result<(), CliError> {
        let shared = self.shared.clone();
        let watcher = thread::Builder::new().spawn(move || shared.watched.watch());
        watcher.map_err(|error| CliError::Serve(error.to_string()))?;
        loop {
            match self.listener.accept() {
                Ok((stream, _)) => self.begin(stream),
                // Such as too many open files: the connections at hand end soon.
                Err(_) => thread::sleep(Duration::from_millis(50)),
            }
        }
    }

    fn begin(&self, stream: TcpStream) {
        // Further connections are closed: clients try again.
        let Some(place) = Place::take(&self.shared) else { return };
        // A thread that cannot start drops the connection.
        let _ = thread::Builder::new().stack_size(STACK).spawn(move || serve(&stream, &place.0));
    }
}

/// Place among the connections, free again when dropped.
struct Place(Arc<Shared>);

impl Place {
    fn take(shared: &Arc<Shared>) -> Option<Self> {
        if shared.connections.fetch_add(1, Ordering::AcqRel) >= MAX_CONNECTIONS {
            shared.connections.fetch_sub(1, Ordering::AcqRel);
            return None;
        }
        Some(Self(shared.clone()))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::AcqRel);
    }
}

fn serve(stream: &TcpStream, shared: &Shared) {
    let _ = stream.set_nodelay(true);
    let answer =
        Request::read(stream).and_then(|mut request| routes::answer(&mut request, &shared.guard, &shared.watched));
    if let Ok(response) | Err(Some(response)) = answer {
        // A client that left needs no answer.
        let _ = response.send(stream);
    }
}
