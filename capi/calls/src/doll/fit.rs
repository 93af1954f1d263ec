//! Dolls fitted to models.

use std::ffi::c_char;

use skelobj::doll::{FitOptions, fit};
use skelobj::model::Name;

use crate::SkelobjStatus;
use crate::error::Failure;
use crate::guard;
use crate::id::SkelobjModel;
use crate::numbers::{self, count};
use crate::pointer::{Def, In, Out};
use crate::table;

/// Options of skelobj_doll_fit. Get one from skelobj_default_fit_def.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjFitDef {
    /// Proof that the def was initialised.
    pub cookie: u32,
    /// Maximum number of bodies, 1 to 256; the smallest are left out. Default 48.
    pub max_bodies: i32,
    /// 1 to fit bodies along the bones of a model whose skin has fewer than four vertices. Default 0, a failure.
    pub without_skin: i32,
    /// Name of the model for the first line of the text. Default null: no name.
    pub name: In<c_char>,
}

/// Returns the default options.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_default_fit_def() -> SkelobjFitDef {
    let max_bodies = count(FitOptions::default().max_bodies);
    SkelobjFitDef { cookie: SkelobjFitDef::COOKIE, max_bodies, without_skin: 0, name: In::NULL }
}

/// Writes the text of a .doll file for a model, with comments that tell the origin of its numbers, and its length (may
/// be null). `def` may be null for the default. The text is the same in each call, and rarely longer than 64 KB.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_doll_fit(
    model: SkelobjModel,
    def: In<SkelobjFitDef>,
    buffer: Out<c_char>,
    capacity: usize,
    length: Out<usize>,
) -> SkelobjStatus {
    guard::status(|| {
        let (buffer, length) = (buffer.buffer(capacity)?, length.wanted()?);
        let (loaded, def) = (table::model(model)?, def.def_or(skelobj_default_fit_def)?);
        let mut options = FitOptions::default();
        options.max_bodies = match numbers::size(def.max_bodies)? {
            bodies @ 1..=FitOptions::MAX_BODIES => bodies,
            _ => return Err(Failure::number("max_bodies", "1 to 256")),
        };
        options.without_skin = def.without_skin != 0;
        if !def.name.is_null() {
            options.name = Name::new(def.name.bytes()?);
        }
        let fitted =
            fit(loaded.model(), &options).map_err(|error| Failure::new(SkelobjStatus::Ragdoll, error.to_string()))?;
        buffer.fill_text(&fitted.text, length)
    })
}
