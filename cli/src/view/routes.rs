//! Paths of the server. None of them is a path of the file system.

use std::time::Duration;

use skelobj::doll;

use super::guard::Guard;
use super::parts::{self, Part};
use super::request::Request;
use super::response::Response;
use super::scene::{Scene, SceneFile};
use super::watch::{Refusal, Watched};
use crate::out::tell_error;

/// Maximum size of a doll that the page writes, bytes.
const LARGEST_DOLL: usize = 1 << 20;
/// Maximum number of seconds for which a page waits for a change before it asks again.
const LONGEST_WAIT: u64 = 25;

/// Answers a request.
///
/// # Errors
/// `None` if the client left or was too slow; otherwise the answer that refuses the request.
pub fn answer(request: &mut Request, guard: &Guard, watched: &Watched) -> Result<Response, Option<Response>> {
    guard.check_site(request)?;
    if let Some(part) = part(&request.path) {
        get(request)?;
        return Ok(Response::part(part.kind, part.bytes));
    }
    guard.check_token(request)?;
    match request.path.as_str() {
        "/api/scene" => {
            get(request)?;
            Ok(Response::json(&watched.describe()))
        }
        "/api/wait" => {
            get(request)?;
            let revision = number(request, "revision=");
            let revision = revision.ok_or_else(|| Response::text(400, "expected revision= and a number"))?;
            let seconds = number(request, "seconds=").filter(|seconds| *seconds <= LONGEST_WAIT);
            let seconds =
                seconds.ok_or_else(|| Response::text(400, format!("expected seconds= and 0 to {LONGEST_WAIT}")))?;
            watched.wait(revision, Duration::from_secs(seconds));
            Ok(Response::json(&watched.describe()))
        }
        "/api/doll" if request.method == "PUT" => save(request, watched),
        "/api/doll" => Err(Some(Response::not_allowed("PUT"))),
        path => {
            let (scene, revision) = watched.scene();
            let name = path.strip_prefix("/api/file/");
            let file = name.and_then(|name| file(&scene, name));
            let file = file.ok_or_else(|| Response::text(404, "there is nothing at this path"))?;
            get(request)?;
            // The page reads UTF-8 alone.
            let bytes = match name {
                Some("doll") => doll::decode(&file.bytes).as_bytes().into(),
                _ => file.bytes.clone(),
            };
            Ok(Response::file(bytes, revision))
        }
    }
}

fn get(request: &Request) -> Result<(), Response> {
    if request.method == "GET" { Ok(()) } else { Err(Response::not_allowed("GET")) }
}

/// Returns a number of the query, by its name with the equals sign.
fn number(request: &Request, name: &str) -> Option<u64> {
    request.query.split('&').find_map(|part| part.strip_prefix(name))?.parse().ok()
}

/// Returns the part of the page at a path.
fn part(path: &str) -> Option<Part> {
    match path {
        "/" => Some(parts::INDEX),
        path => parts::all().find(|part| path.strip_prefix('/') == Some(part.name)),
    }
}

fn file<'a>(scene: &'a Scene, name: &str) -> Option<&'a SceneFile> {
    match name {
        "model" => scene.model.as_ref(),
        "doll" => scene.doll.as_ref(),
        "level" => scene.level.as_ref(),
        "palette" => scene.palette.as_ref(),
        name => scene.side.get(name.strip_prefix("side/")?.parse::<usize>().ok()?),
    }
}

fn save(request: &mut Request, watched: &Watched) -> Result<Response, Option<Response>> {
    let revision = request.number("if-match");
    let revision = revision.ok_or_else(|| Response::text(428, "expected If-Match with the revision of the doll"))?;
    let text = request.body(LARGEST_DOLL)?;
    let text = std::str::from_utf8(&text).ok().filter(|text| !text.contains('\0'));
    let text = text.ok_or_else(|| Response::text(400, "the doll is not a text in UTF-8"))?;
    watched.save(text, revision).map(Response::done).map_err(|refusal| {
        Some(match refusal {
            Refusal::Changed => Response::text(409, "the doll on disk has changed since it was loaded"),
            Refusal::NotWritable(why) => Response::text(403, why),
            Refusal::Failed(error) => {
                tell_error(&error);
                Response::text(500, error.to_string())
            }
        })
    })
}
