//! Builtin that finds how a ragdoll gets up.

use std::collections::HashSet;

use crate::math::Vec3;
use crate::model::Model;
use crate::qc::call::{BONES_A_STATEMENT, Call};
use crate::qc::dialect::same_name;
use crate::qc::{Dialect, Host, MatchedFrame};
use crate::ragdoll::{MatchError, PoseMatch, Ragdoll};
use crate::runtime::RagdollCommandError;

/// Bytes that cost as much as the beginning of a comparison.
const NAME: usize = 8;
/// Bytes of a name that are searched in the time of one QuakeC statement.
const BYTES_A_STATEMENT: u64 = 4;

/// Runs `skel_matchpose`: finds the pose nearest to the ragdoll of argument 0 in the animations of argument 1, no
/// farther away than argument 2. Argument 3 is the model that has the animations, by default the entity's.
pub(crate) fn matchpose(call: &mut Call<'_, impl Host + ?Sized>) {
    call.host.return_float(0.0);
    let entity = call.host.entity(0);
    let tolerance = match call.float(2) {
        0.0 => Ragdoll::NEAR_POSE,
        tolerance => tolerance,
    };
    let model = if call.host.argc() > 3 { call.model(3) } else { call.entity_model(entity) };
    let Some(id) = call.entity_object(entity) else { return };
    let Some((model_id, model)) = model.id().and_then(|id| Some((id, call.runtime.model(id)?.clone()))) else {
        return;
    };
    let length = call.host.string(1).len() as u64;
    if !call.host.charge(length) {
        return;
    }
    let words = Words::new(call.host.string(1), call.dialect());
    if !call.host.charge(words.cost(&model)) {
        return;
    }
    let animations: Vec<usize> = words.animations(&model).collect();
    if !call.host.charge(cost(&model, &animations)) {
        return;
    }
    match call.runtime.match_pose(id, model_id, &animations, tolerance) {
        Ok(found) => {
            let PoseMatch { animation, time, origin, .. } = found;
            let Vec3 { y: yaw, .. } = found.entity().angles;
            call.host.set_matched_frame(&MatchedFrame { origin, yaw, time: time as f32 });
            call.host.return_float((animation + 1) as f32);
        }
        // The script learns from the result that it cannot get up.
        Err(RagdollCommandError::NoMatch(MatchError::TooFar { .. })) => {}
        Err(error) => call.complain(&error),
    }
}

/// Words of a list, which select animations by name. Case and bytes are folded, so that each search is linear.
struct Words {
    dialect: Dialect,
    plain: HashSet<String>,
    /// Words with asterisks.
    patterns: Vec<String>,
    bytes: usize,
}

impl Words {
    fn new(list: &[u8], dialect: Dialect) -> Self {
        let words = list.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let (patterns, plain): (Vec<_>, Vec<_>) =
            words.map(|word| folded(word, dialect)).partition(|word| word.contains('*'));
        Self { dialect, plain: plain.into_iter().collect(), patterns, bytes: list.len() }
    }

    /// Returns the cost of comparing the words with the names of a model, in statements.
    fn cost(&self, model: &Model) -> u64 {
        let names: usize = model.animations.iter().map(|animation| NAME + animation.name.as_bytes().len()).sum();
        let in_patterns: usize = self.patterns.iter().map(|pattern| NAME + pattern.len()).sum();
        let searches = names as u64 * self.patterns.len() as u64 / BYTES_A_STATEMENT
            + in_patterns as u64 * model.animations.len() as u64;
        (self.bytes + names) as u64 + searches
    }

    /// Returns the numbers of the animations whose names fit one of the words.
    fn animations(&self, model: &Model) -> impl Iterator<Item = usize> {
        let fits_any =
            |name: &str| self.plain.contains(name) || self.patterns.iter().any(|pattern| fits(pattern, name));
        (0..model.animations.len())
            .filter(move |&number| fits_any(&folded(model.animations[number].name.as_bytes(), self.dialect)))
    }
}

/// Returns one character for each byte, whose search takes time in proportion to its length, in lower case if the
/// dialect ignores case.
fn folded(text: &[u8], dialect: Dialect) -> String {
    let fold = |byte: u8| if same_name(dialect, b"a", b"A") { byte.to_ascii_lowercase() } else { byte };
    text.iter().map(|&byte| char::from(fold(byte))).collect()
}

/// Returns `true` if a name fits a pattern, whose asterisks stand for any bytes.
fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = name.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let last = parts.next_back().unwrap_or_default();
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// Returns the cost of a search in these animations, in QuakeC statements.
fn cost(model: &Model, animations: &[usize]) -> u64 {
    let poses = |animation: &usize| model.animations[*animation].pose_count().min(Ragdoll::MATCHED_POSES) as u64;
    animations.iter().map(poses).sum::<u64>() * model.skeleton.len() as u64 / BONES_A_STATEMENT
}
