//! Requests of other sites' pages, of strangers and of clients without manners.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use super::client::{Response, Server, folder};

#[test]
fn pages_of_other_sites_are_refused() {
    let server = Server::start(&[], &folder("sites"));
    let (port, token) = (server.port, &server.token);
    let own = format!("Host: 127.0.0.1:{port}");
    let refused = [
        "Host: evil.example".to_owned(),
        format!("Host: evil.example:{port}"),
        "Host: 127.0.0.1".to_owned(),
        format!("Host: 127.0.0.1:{}", port ^ 1),
        format!("Host: 127.0.0.1:{port}.evil.example"),
        format!("Host: 0.0.0.0:{port}"),
        "Accept: */*".to_owned(),
        format!("{own}\r\nOrigin: http://evil.example"),
        format!("{own}\r\nOrigin: null"),
        format!("{own}\r\nOrigin: "),
        format!("{own}\r\nOrigin: https://127.0.0.1:{port}"),
        format!("{own}\r\nOrigin: http://127.0.0.1:{}", port ^ 1),
        format!("{own}\r\nOrigin: http://localhost:{port}"),
        format!("{own}\r\nSec-Fetch-Site: cross-site"),
        format!("{own}\r\nSec-Fetch-Site: same-site"),
    ];
    for headers in &refused {
        for line in ["GET /", "GET /page.js.gz", "GET /api/scene", "PUT /api/doll", "OPTIONS /api/doll"] {
            let answer = server.raw(format!("{line} HTTP/1.1\r\n{headers}\r\nX-Skelobj-Token: {token}\r\n\r\n"));
            assert_eq!(answer.status, 403, "{line} {headers}");
            assert!(!answer.head.contains("access-control"), "{}", answer.head);
        }
    }
    let accepted = [
        own.clone(),
        format!("Host: localhost:{port}"),
        format!("{own}\r\nOrigin: http://127.0.0.1:{port}\r\nSec-Fetch-Site: same-origin"),
        format!("Host: LocalHost:{port}\r\nOrigin: http://localhost:{port}\r\nSec-Fetch-Site: same-origin"),
        format!("{own}\r\nSec-Fetch-Site: none"),
    ];
    for headers in accepted {
        let answer = server.raw(format!("GET /api/scene HTTP/1.1\r\n{headers}\r\nX-Skelobj-Token: {token}\r\n\r\n"));
        assert_eq!(answer.status, 200, "{headers}: {}", answer.text());
    }
}

#[test]
fn only_the_token_opens_the_scene() {
    let folder = folder("token");
    let server = Server::start(&["m.iqm"], &folder);
    let token = &server.token;
    assert!(token.len() == 32 && token.bytes().all(|byte| byte.is_ascii_hexdigit()), "{token}");
    assert_ne!(*token, Server::start(&["m.iqm"], &folder).token);
    let zeros = "0".repeat(32);
    let flipped = format!("{}{}", &token[..31], if token.ends_with('0') { '1' } else { '0' });
    for path in ["/api/scene", "/api/file/model", "/api/file/doll", "/api/wait?revision=0&seconds=9", "/api/nothing"] {
        let host = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}", server.port);
        assert_eq!(server.raw(format!("{host}\r\n\r\n")).status, 403, "{path}");
        for stated in ["", &zeros, &flipped, &token[..31], &format!("{token}0"), &token.to_uppercase().repeat(2)] {
            let answer = server.raw(format!("{host}\r\nX-Skelobj-Token: {stated}\r\n\r\n"));
            assert_eq!(answer.status, 403, "{path} {stated}");
        }
        let twice = server.raw(format!("{host}\r\nX-Skelobj-Token: {zeros}\r\nX-Skelobj-Token: {token}\r\n\r\n"));
        assert_eq!(twice.status, 400);
    }
    let in_address = format!("GET /api/scene?token={token} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", server.port);
    assert_eq!(server.raw(in_address).status, 403);
    assert_eq!(server.get("/api/scene").status, 200);
}

#[test]
fn no_path_leads_to_other_files() {
    let folder = folder("paths");
    std::fs::write(folder.join("secret.txt"), "a secret").unwrap();
    let server = Server::start(&["m.iqm"], &folder);
    let absolute = folder.join("secret.txt").display().to_string();
    let paths = [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/..\\secret.txt",
        "/./secret.txt",
        "/secret.txt",
        "//secret.txt",
        "/m.doll",
        "/index.html/../secret.txt",
        "/api/file/../secret.txt",
        "/api/file/secret.txt",
        "/api/file/side/0",
        "/api/file/side/-1",
        "/api/file/side/99999999999999999999999",
        "/api/file/side/../../secret.txt",
        "/api/file/side/%2e%2e%2fsecret.txt",
        "/api/file/model/../../secret.txt",
        "/api/file/model%00",
        "http://127.0.0.1/secret.txt",
        "file:///etc/passwd",
        "*",
        &absolute,
        &format!("/api/file/{absolute}"),
        &format!("/api/file/side/{absolute}"),
    ];
    for path in paths {
        let answer = server.get(path);
        assert_eq!(answer.status, 404, "{path}");
        assert!(!answer.text().contains("secret"), "{path}");
        assert_eq!(server.send(&format!("PUT {path}"), &["If-Match: 1", "Content-Length: 1"], b"x").status, 404);
    }
    assert_eq!(std::fs::read(folder.join("secret.txt")).unwrap(), b"a secret");
}

#[test]
fn a_body_of_a_gigabyte_is_refused_before_it_is_read() {
    let folder = folder("gigabyte");
    let before = std::fs::read(folder.join("m.doll")).unwrap();
    let server = Server::start(&["m.iqm"], &folder);
    let request = |headers: &str| {
        let (port, token) = (server.port, &server.token);
        let site = format!("Host: 127.0.0.1:{port}\r\nX-Skelobj-Token: {token}\r\nIf-Match: 1");
        format!("PUT /api/doll HTTP/1.1\r\n{site}\r\n{headers}\r\n\r\n")
    };
    let refused = [
        ("Content-Length: 1073741824", 413),
        ("Content-Length: 1073741824\r\nExpect: 100-continue", 413),
        ("Content-Length: 1048577", 413),
        ("Transfer-Encoding: chunked", 411),
        ("Transfer-Encoding: chunked\r\nContent-Length: 3", 411),
        ("Accept: */*", 411),
        ("Content-Length: 99999999999999999999999999", 400),
        ("Content-Length: -1", 400),
        ("Content-Length: 3\r\nContent-Length: 3", 400),
    ];
    for (headers, status) in refused {
        let mut stream = server.connect();
        stream.write_all(request(headers).as_bytes()).unwrap();
        // The answer comes while the body has not been sent.
        let answer = Response::read(&mut stream);
        assert_eq!(answer.status, status, "{headers}: {}", answer.text());
        let taken = flood(&mut stream);
        assert!(taken < 32 << 20, "{headers}: {taken} bytes were taken");
    }
    assert_eq!(std::fs::read(folder.join("m.doll")).unwrap(), before);
    assert_eq!(server.scene()["revision"], 1);
}

/// Sends up to a gigabyte, and returns how much of it is taken, bytes.
fn flood(stream: &mut TcpStream) -> usize {
    let part = [b'a'; 1 << 16];
    (0..1 << 30).step_by(part.len()).take_while(|_| stream.write_all(&part).is_ok()).count() * part.len()
}

#[test]
fn large_heads_are_refused() {
    let server = Server::start(&[], &folder("heads"));
    let host = format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n", server.port);
    let long = format!("{host}X: {}\r\n\r\n", "x".repeat(20_000));
    assert_eq!(server.raw(long).status, 431);
    assert_eq!(server.raw(format!("GET /{} HTTP/1.1\r\n", "x".repeat(20_000))).status, 431);
    assert_eq!(server.raw(format!("{host}{}\r\n", "x: y\r\n".repeat(100))).status, 431);
    for noise in ["\x16\x03\x01\x02\x00\x01\x00", "hello\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET  / HTTP/1.1\r\n\r\n"]
    {
        assert_eq!(server.raw(noise).status, 400, "{noise:?}");
    }
}

#[test]
fn slow_clients_do_not_stop_others() {
    let folder = folder("slow");
    let server = Server::start(&["m.iqm"], &folder);
    let host = format!("Host: 127.0.0.1:{}\r\nX-Skelobj-Token: {}\r\n", server.port, server.token);
    let beginnings = [
        String::new(),
        "GET / HT".to_owned(),
        format!("GET / HTTP/1.1\r\n{host}"),
        format!("PUT /api/doll HTTP/1.1\r\n{host}If-Match: 1\r\nContent-Length: 1000\r\n\r\nbody"),
        format!("GET /api/wait?revision=1&seconds=25 HTTP/1.1\r\n{host}\r\n"),
    ];
    let begin = |beginning: &String| {
        let mut stream = server.connect();
        stream.write_all(beginning.as_bytes()).unwrap();
        stream
    };
    let slow: Vec<TcpStream> = (0..10).flat_map(|_| beginnings.iter().map(begin)).collect();
    assert_eq!(server.get("/").status, 200);
    let saved = server.put(b"body a b\n", 1);
    assert_eq!(saved.status, 204, "{}", saved.text());
    // Those that wait hear of it.
    for stream in slow.iter().skip(4).step_by(5) {
        assert_eq!(Response::read(&mut stream.try_clone().unwrap()).json()["revision"], 2);
    }
    // The others are sent away in the end, without an answer and without effect.
    for stream in slow.iter().take(4) {
        assert_eq!(stream.try_clone().unwrap().read(&mut [0]).unwrap_or(0), 0);
    }
    assert_eq!(std::fs::read(folder.join("m.doll")).unwrap(), b"body a b\n");
}

#[test]
fn a_client_that_sends_too_much_is_refused() {
    let server = Server::start(&["m.iqm"], &folder("hears"));
    let text = vec![b'a'; 3 << 20];
    for (headers, status) in [("Content-Length: 3145728", 413), ("Transfer-Encoding: chunked", 411)] {
        // The answer is read only after all was sent.
        let answer = server.send("PUT /api/doll", &["If-Match: 1", headers], &text);
        assert_eq!(answer.status, status, "{}", answer.text());
    }
}

#[test]
fn connections_beyond_the_maximum_are_closed() {
    let server = Server::start(&[], &folder("many"));
    let request = format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", server.port);
    let ask = |mut stream: TcpStream| {
        let _ = stream.write_all(request.as_bytes());
        stream.read_exact(&mut [0; 12]).is_ok()
    };
    let idle: Vec<TcpStream> = (0..64).map(|_| server.connect()).collect();
    assert!(!ask(server.connect()));
    drop(idle);
    // The places are free as soon as the server sees the others leave.
    while !ask(server.connect()) {}
}
