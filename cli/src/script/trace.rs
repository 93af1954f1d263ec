//! Trace of a script's calls.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::game::Game;
use crate::out::tell_line;

/// Maximum length of a trace, bytes.
const MAX_TRACE: usize = 1 << 23;

/// Trace of a script's calls on standard error.
pub struct Trace {
    /// Number of calls that were left out.
    left_out: Arc<AtomicU64>,
    /// Names that stand for no builtin of the progs.
    pub unused: Vec<String>,
}

impl Trace {
    /// Starts to trace the builtins with the names given, in which `*` stands for any text.
    pub fn start(game: &mut Game, names: &[String]) -> Self {
        let unused = RefCell::new(names.to_vec());
        let is_traced = |builtin: &str| {
            unused.borrow_mut().retain(|name| !matches(name, builtin));
            names.iter().any(|name| matches(name, builtin))
        };
        let left_out = Arc::new(AtomicU64::new(0));
        let (mut room, cut) = (MAX_TRACE, left_out.clone());
        let (output, frame, label) = (game.output.clone(), game.frame.clone(), game.label);
        game.environment.set_trace(is_traced, move |call| {
            let line = format!("frame {}, {:.3} s: {label}{call}", frame.load(Ordering::Relaxed), call.time);
            match room.checked_sub(line.len() + 1) {
                Some(left) => {
                    room = left;
                    output.tell_line(line);
                }
                None => {
                    if cut.fetch_add(1, Ordering::Relaxed) == 0 {
                        output.tell_line(format_args!("skelobj: {label}the trace ends here, at 8 MiB"));
                    }
                    room = 0;
                }
            }
        });
        Self { left_out, unused: unused.into_inner() }
    }

    /// Prints how many calls were left out.
    pub fn report_left_out(&self, label: &str) {
        match self.left_out.load(Ordering::Relaxed) {
            0 => {}
            more => tell_line(format_args!("skelobj: {label}{more} more calls are not traced")),
        }
    }
}

/// Returns `true` if a name is a text in which `*` stands for any text.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut name) = name.strip_prefix(start) else { return false };
    let (middle, end) = rest.rsplit_once('*').unwrap_or(("", rest));
    for piece in middle.split('*') {
        let Some((_, after)) = name.split_once(piece) else { return false };
        name = after;
    }
    name.ends_with(end)
}
