//! Standard library: builtins that every Quake engine has and that need only a machine.
//!
//! [`TABLE`] lists them under the numbers of FTE and DarkPlaces: numbers, vectors, strings, entities, printing. A host
//! looks up the builtins that a progs declares once, with [`lookup`], and runs them with [`StdBuiltin::call`].
//! [`Console`] is a host that has nothing else.
//!
//! NaN and infinities in arguments count as 0 where a result would be computed from them, and [`StdHost::not_finite`]
//! reports them. No builtin returns a non-finite number; `ftos`, `vtos` and `sprintf` write one as text.

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

/// Builtin of the standard library.
///
/// # Example
/// ```
/// use skelobj_qcvm::stdlib::lookup;
///
/// let vlen = lookup(12, b"vlen").ok_or("no vlen")?;
/// assert_eq!(vlen.signature, "float(vector v)");
/// assert_eq!(vlen.doc, "Returns the length of a vector.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct StdBuiltin {
    /// Number of the builtin.
    pub number: u32,
    /// Name of the builtin.
    pub name: &'static str,
    /// QuakeC type of the builtin as FTE writes it, with `optional`.
    pub signature: &'static str,
    /// Description of the builtin, one or more sentences.
    pub doc: &'static str,
    function: fn(&mut Call<'_>) -> Result<(), Fault>,
}

impl StdBuiltin {
    /// Runs the builtin with the arguments that `machine` holds.
    ///
    /// # Errors
    /// [`Fault::Script`] from `error`, and any fault of an invalid entity, field or string, or of exhausted limits.
    ///
    /// # Example
    /// A host gives a builtin to scripts under another name:
    /// ```
    /// use skelobj_qcvm::stdlib::{Console, StdHost, lookup};
    /// use skelobj_qcvm::{Builtin, Builtins, Fault, Machine};
    /// # use skelobj_qcvm::Progs;
    ///
    /// struct Game(Console);
    ///
    /// impl Builtins for Game {
    ///     fn call(&mut self, machine: &mut Machine, builtin: &Builtin) -> Result<(), Fault> {
    ///         match &*builtin.name {
    ///             b"add_score" => lookup(37, b"floor").ok_or_else(|| builtin.unknown())?.call(machine, &mut self.0),
    ///             _ => self.0.call(machine, builtin),
    ///         }
    ///     }
    /// }
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// # let progs = std::sync::Arc::new(Progs::load(bytes)?);
    /// # let mut game = Game(Console::new(&progs, |_| ()));
    /// # let mut machine = Machine::new(progs);
    /// # machine.set_argument(0, [2.9f32.to_bits(), 0, 0]);
    /// # machine.call(machine.find_function(b"add_score").ok_or("no add_score")?, &mut game)?;
    /// # assert_eq!(machine.result_float(), 2.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn call(&self, machine: &mut Machine, host: &mut dyn StdHost) -> Result<(), Fault> {
        (self.function)(&mut Call { machine, host, name: self.name })
    }
}

impl std::fmt::Debug for StdBuiltin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} #{}", self.name, self.number)
    }
}

/// Returns the builtin with a number or, if the number is 0, with a name.
///
/// [`Builtin::number`](crate::Builtin::number) and [`Builtin::name`](crate::Builtin::name) are the arguments for a
/// builtin that a progs declares. Names are compared with case.
///
/// # Example
/// ```
/// use skelobj_qcvm::stdlib::lookup;
///
/// assert_eq!(lookup(26, b"").map(|builtin| builtin.name), Some("ftos"));
/// assert_eq!(lookup(0, b"sprintf").map(|builtin| builtin.number), Some(627));
/// assert!(lookup(0, b"skel_create").is_none());
/// ```
#[must_use]
pub fn lookup(number: u32, name: &[u8]) -> Option<&'static StdBuiltin> {
    TABLE.iter().find(|builtin| if number == 0 { builtin.name.as_bytes() == name } else { builtin.number == number })
}

/// Extensions that the standard library provides completely.
pub const EXTENSIONS: &[&str] = &[
    "DP_QC_ASINACOSATANATAN2TAN",
    "DP_QC_ETOS",
    "DP_QC_FINDFLOAT",
    "DP_QC_MINMAXBOUND",
    "DP_QC_RANDOMVEC",
    "DP_QC_SINCOSSQRTPOW",
    "DP_QC_VECTOANGLES_WITH_ROLL",
];
