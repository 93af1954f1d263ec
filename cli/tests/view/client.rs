//! Server of a test, and a client that sends whatever bytes a test asks for.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

pub fn skelobj(args: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_skelobj")).args(args).current_dir(folder).output().unwrap()
}

/// Creates a folder for a test with a model, `m.iqm`, and its doll, `m.doll`.
pub fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("view").join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let dolls = Path::new(env!("CARGO_MANIFEST_DIR")).join("../dolls");
    std::fs::copy(dolls.join("rope.iqm"), folder.join("m.iqm")).unwrap();
    std::fs::copy(dolls.join("rope.doll"), folder.join("m.doll")).unwrap();
    folder
}

/// Running server, ended when dropped.
pub struct Server {
    child: Child,
    pub port: u16,
    pub token: String,
}

impl Server {
    pub fn start(args: &[&str], folder: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_skelobj"));
        command.args(["view", "--no-open"]).args(args).current_dir(folder).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let rest = line.trim_end().strip_prefix("http://127.0.0.1:").unwrap();
        let (port, token) = rest.split_once("/?token=").unwrap();
        Self { child, port: port.parse().unwrap(), token: token.to_owned() }
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        // Below the seconds for which `wait` asks: one that was not told of a change fails the test.
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream
    }

    /// Sends bytes as they are.
    pub fn raw(&self, request: impl AsRef<[u8]>) -> Response {
        let mut stream = self.connect();
        stream.write_all(request.as_ref()).unwrap();
        Response::read(&mut stream)
    }

    /// Sends a request with the headers of a page of this server, and with further ones.
    pub fn send(&self, line: &str, headers: &[&str], body: &[u8]) -> Response {
        let mut request = format!("{line} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n", self.port);
        request.push_str(&format!("X-Skelobj-Token: {}\r\nSec-Fetch-Site: same-origin\r\n", self.token));
        headers.iter().for_each(|header| request.push_str(&format!("{header}\r\n")));
        self.raw([request.as_bytes(), b"\r\n", body].concat())
    }

    pub fn get(&self, path: &str) -> Response {
        self.send(&format!("GET {path}"), &[], &[])
    }

    pub fn scene(&self) -> Value {
        self.get("/api/scene").json()
    }

    /// Waits for a change of the files, and returns the scene.
    pub fn wait(&self, revision: u64) -> Value {
        self.get(&format!("/api/wait?revision={revision}&seconds=25")).json()
    }

    /// Writes the doll as the page does.
    pub fn put(&self, text: &[u8], revision: u64) -> Response {
        let headers = [&format!("Content-Length: {}", text.len()), &format!("If-Match: \"{revision}\"")];
        self.send("PUT /api/doll", &headers.map(String::as_str), text)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

pub struct Response {
    pub status: u16,
    /// Line and headers in small letters.
    pub head: String,
    pub body: Vec<u8>,
}

impl Response {
    pub fn read(stream: &mut TcpStream) -> Self {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let end = bytes.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("no response");
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap().to_lowercase();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Self { status, head, body: bytes[end + 4..].to_vec() }
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub fn json(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.text());
        serde_json::from_slice(&self.body).unwrap()
    }
}
