//! Files of the page, as `web/build.sh` builds them.

/// File of the page.
pub struct Part {
    /// Name in a folder, and path on the server.
    pub name: &'static str,
    /// Media type.
    pub kind: &'static str,
    /// Contents.
    pub bytes: &'static [u8],
}

/// Page that loads the other parts.
pub const INDEX: Part =
    Part { name: "index.html", kind: "text/html; charset=utf-8", bytes: include_bytes!("../../web/index.html") };

/// Parts that the page loads: compressed files, which the page itself unpacks.
pub const LOADED: [Part; 3] = [
    Part { name: "page.js.gz", kind: "application/gzip", bytes: include_bytes!("../../web/page.js.gz") },
    Part { name: "worker.js.gz", kind: "application/gzip", bytes: include_bytes!("../../web/worker.js.gz") },
    Part { name: "skelobj.wasm.gz", kind: "application/gzip", bytes: include_bytes!("../../web/skelobj.wasm.gz") },
];

/// Licences of everything in the parts.
pub const LICENCES: Part =
    Part { name: "licences.txt", kind: "text/plain; charset=utf-8", bytes: include_bytes!("../../web/licences.txt") };

/// Returns all parts.
pub fn all() -> impl Iterator<Item = Part> {
    [INDEX].into_iter().chain(LOADED).chain([LICENCES])
}
