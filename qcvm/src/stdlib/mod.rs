//! The builtins that every Quake engine has and that need only a machine: numbers, vectors, strings, entities, printing.
//!
//! [`TABLE`] lists them by number, as FTE and DarkPlaces number them. A host finds the builtins that a progs declares once,
//! with [`lookup`], and runs them with [`StdBuiltin::call`]; [`Console`] is a host that has nothing else.
//!
//! NaN and infinities in arguments count as 0 where a result would be computed from them, and the host is told:
//! see [`StdHost::not_finite`]. No builtin returns one; `ftos`, `vtos` and `sprintf` write them as text.

mod call;
mod entities;
mod format;
mod host;
mod math;
mod number;
mod print;
mod strings;
mod table;
mod vectors;

use crate::{Fault, Machine};
use call::Call;
pub use host::{Console, StdHost};
pub use table::TABLE;

/// A builtin of the standard library.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct StdBuiltin {
    /// Its number.
    pub number: u32,
    /// Its name.
    pub name: &'static str,
    /// Its QuakeC type as FTE writes it, with `optional`.
    pub signature: &'static str,
    /// What it does, one or more sentences.
    pub doc: &'static str,
    function: fn(&mut Call<'_>) -> Result<(), Fault>,
}

impl StdBuiltin {
    /// Runs it with the call that `machine` is in.
    ///
    /// # Errors
    /// [`Fault::Script`] of `error`, and any fault of an invalid entity, field or string, or of exhausted limits.
    pub fn call(&self, machine: &mut Machine, host: &mut dyn StdHost) -> Result<(), Fault> {
        (self.function)(&mut Call { machine, host, name: self.name })
    }
}

impl std::fmt::Debug for StdBuiltin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} #{}", self.name, self.number)
    }
}

/// The builtin of a number, or, if that is 0, of a name: what [`Builtin::number`](crate::Builtin::number) and
/// [`Builtin::name`](crate::Builtin::name) of a progs ask for.
#[must_use]
pub fn lookup(number: u32, name: &[u8]) -> Option<&'static StdBuiltin> {
    TABLE.iter().find(|builtin| if number == 0 { builtin.name.as_bytes() == name } else { builtin.number == number })
}

/// The extensions that the standard library provides as a whole.
pub const EXTENSIONS: &[&str] = &[
    "DP_QC_ASINACOSATANATAN2TAN",
    "DP_QC_ETOS",
    "DP_QC_FINDFLOAT",
    "DP_QC_MINMAXBOUND",
    "DP_QC_RANDOMVEC",
    "DP_QC_SINCOSSQRTPOW",
    "DP_QC_VECTOANGLES_WITH_ROLL",
];
