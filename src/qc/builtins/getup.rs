//! Builtin that finds how a ragdoll gets up.

use crate::math::Vec3;
use crate::model::Model;
use crate::qc::call::{BONES_A_STATEMENT, Call, NAMES_A_STATEMENT};
use crate::qc::{Dialect, Host, MatchedPose};
use crate::ragdoll::{MatchError, PoseMatch, Ragdoll};
use crate::runtime::RagdollCommandError;

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
    let names = call.host.string(1).to_vec();
    let words = names.split(u8::is_ascii_whitespace).count() as u64;
    let compared = words * model.animations.len() as u64 / NAMES_A_STATEMENT + names.len() as u64;
    if !call.host.charge(compared) {
        return;
    }
    let animations = named(&model, &names, call.dialect());
    if !call.host.charge(cost(&model, &animations)) {
        return;
    }
    match call.runtime.match_pose(id, model_id, &animations, tolerance) {
        Ok(found) => {
            let PoseMatch { animation, time, origin, .. } = found;
            let Vec3 { y: yaw, .. } = found.entity().angles;
            call.host.set_matched_pose(&MatchedPose { origin, yaw, time: time as f32 });
            call.host.return_float((animation + 1) as f32);
        }
        // The script learns from the result that it cannot get up.
        Err(RagdollCommandError::NoMatch(MatchError::TooFar { .. })) => {}
        Err(error) => call.complain(&error),
    }
}

/// Returns the animations whose names are in a list of words, in which `*` stands for any text.
fn named(model: &Model, words: &[u8], dialect: Dialect) -> Vec<usize> {
    let words: Vec<&[u8]> = words.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    let is_wanted = |name: &[u8]| words.iter().any(|word| fits(word, name, dialect));
    (0..model.animations.len()).filter(|&number| is_wanted(model.animations[number].name.as_bytes())).collect()
}

/// Returns `true` if a name fits a word in which `*` stands for any text.
fn fits(word: &[u8], name: &[u8], dialect: Dialect) -> bool {
    let mut parts = word.split(|byte| *byte == b'*');
    let first = parts.next().unwrap_or_default();
    if name.len() < first.len() || !dialect.same_name(&name[..first.len()], first) {
        return false;
    }
    let mut rest = &name[first.len()..];
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let found = (0..=rest.len().saturating_sub(part.len()))
            .find(|&at| rest.get(at..at + part.len()).is_some_and(|piece| dialect.same_name(piece, part)));
        let Some(at) = found else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.len() >= last.len() && dialect.same_name(&rest[rest.len() - last.len()..], last)
}

/// Returns the cost of a search in these animations, in QuakeC statements.
fn cost(model: &Model, animations: &[usize]) -> u64 {
    let poses = |animation: &usize| model.animations[*animation].pose_count().min(Ragdoll::MATCHED_POSES) as u64;
    animations.iter().map(poses).sum::<u64>() * model.skeleton.len() as u64 / BONES_A_STATEMENT
}
