//! Checks of dolls.

use std::ffi::c_char;

use skelobj::Doll;
use skelobj::ragdoll::{DollCheck, DropTest};

use super::{ParsedDoll, characters};
use crate::error::Failure;
use crate::guard;
use crate::id::{Id, SkelobjDoll, SkelobjModel};
use crate::numbers;
use crate::pointer::{Def, In};
use crate::table::{self, Entry};

/// Limits of a check. Get one from skelobj_default_check_def.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjCheckDef {
    /// Proof that the def was initialised.
    pub cookie: u32,
    /// Number of drops, 0 to 10000. Default 20.
    pub drops: i32,
    /// Maximum gap of a joint at rest, units, of a doll of the mannequin's size; the limit follows the size in steps of
    /// two. Eight times as much is allowed while falling. Default 0.5.
    pub max_gap: f32,
    /// Maximum time to come to rest, 0 to 600 seconds. Default 8.
    pub max_sleep: f32,
    /// Maximum excess of a joint beyond a stop, radians. Default 0.5.
    pub max_stop_excess: f32,
    /// Maximum excess of a slider beyond a stop, units, of a doll of the mannequin's size. Default 4.
    pub max_slide_excess: f32,
}

/// Returns the default limits.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_default_check_def() -> SkelobjCheckDef {
    let DollCheck { drops, max_gap, max_sleep, max_stop_excess, max_slide_excess, .. } = DollCheck::default();
    let cookie = SkelobjCheckDef::COOKIE;
    SkelobjCheckDef { cookie, drops: drops as i32, max_gap, max_sleep, max_stop_excess, max_slide_excess }
}

/// Checks the text of a .doll file on a model, as `skelobj check` does: beyond what skelobj_doll_lint finds, joints far
/// from their bodies, odd shapes, animations beyond stops, and drops that break the limits of `def` (null for the
/// default). Returns the id of a doll whose problems (skelobj_doll_problems) are those of the check; none on failure.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_doll_check(
    source: In<c_char>,
    size: usize,
    model: SkelobjModel,
    def: In<SkelobjCheckDef>,
) -> SkelobjDoll {
    guard::value(SkelobjDoll::NONE, || {
        let def = def.def_or(skelobj_default_check_def)?;
        let (source, loaded) = (characters(&source, size)?, table::model(model)?);
        let mut check = DollCheck::default();
        check.drops = match numbers::size(def.drops)? as u64 {
            drops @ 0..=DollCheck::MAX_DROPS => drops,
            _ => return Err(Failure::number("drops", "0 to 10000")),
        };
        let limits = [def.max_gap, def.max_sleep, def.max_stop_excess, def.max_slide_excess];
        if !limits.iter().all(|limit| limit.is_finite() && *limit >= 0.0) {
            return Err(Failure::number("a limit", "a finite number, at least 0"));
        }
        if def.max_sleep > DropTest::MAX_SECONDS {
            return Err(Failure::number("max_sleep", "0 to 600 seconds"));
        }
        check.max_gap = def.max_gap;
        check.max_sleep = def.max_sleep;
        check.max_stop_excess = def.max_stop_excess;
        check.max_slide_excess = def.max_slide_excess;
        let problems = check.run(&source, loaded.model()).problems;
        let doll = Doll::parse_for(&source, &loaded.model().skeleton).doll.into();
        table::insert(Entry::Doll(ParsedDoll { doll, problems }.into()))
    })
}
