//! Standard library: builtins that every Quake engine has and that need only a machine.
//!
//! [`TABLE`] lists them under the numbers of FTE and DarkPlaces: numbers, vectors, strings, entities, printing. A host
//! looks up the builtins that a progs declares once, with [`lookup`], and runs them with [`StdBuiltin::call`].
//! [`Console`] is a host with nothing else.
//!
//! NaN and infinities in arguments are treated as 0 where a result would be computed from them, and
//! [`StdHost::mistake`] reports them. No builtin returns a non-finite number; `ftos`, `vtos` and `sprintf` write one
//! as text.

mod buffers;
mod call;
mod compare;
mod cvars;
mod digest;
mod engine;
mod entities;
mod extensions;
mod files;
mod format;
mod hashes;
mod host;
mod incoming;
mod math;
mod memory;
mod messages;
mod mistake;
mod number;
mod print;
mod replace;
mod strings;
mod table;
mod tokens;
mod vectors;

use crate::{Fault, Machine};
pub(crate) use buffers::Buffers;
use call::Call;
pub(crate) use call::finite;
pub use cvars::Cvars;
pub use extensions::{EXTENSIONS, Extension};
pub(crate) use files::Files;
pub(crate) use hashes::Tables;
pub use host::{Console, StdHost};
pub use incoming::{MessageReader, ReadProblem};
pub(crate) use math::anglemod;
pub use messages::{MessageLog, MessagePart, Written};
pub use mistake::Mistake;
pub use table::TABLE;
pub(crate) use tokens::Tokens;

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
    /// Number of the builtin; 0 for builtins that are bound only by name.
    pub number: u32,
    /// Name of the builtin.
    pub name: &'static str,
    /// Other names of the builtin.
    pub aliases: &'static [&'static str],
    /// QuakeC type of the builtin as FTE writes it, with `optional`.
    pub signature: &'static str,
    /// Description of the builtin, one or more sentences.
    pub doc: &'static str,
    /// Number of arguments that are not optional; 0 for a builtin with any number.
    required: u8,
    function: fn(&mut Call<'_>) -> Result<(), Fault>,
}

impl StdBuiltin {
    /// Runs the builtin with the arguments that `machine` holds.
    ///
    /// # Errors
    /// [`Fault::Script`] from `error`, and any fault of an invalid entity, field or string, or of exhausted limits.
    ///
    /// # Example
    /// A host provides a builtin under another name:
    /// ```
    /// use skelobj_qcvm::stdlib::{Console, lookup};
    /// use skelobj_qcvm::{Builtin, Fault, Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut console = Console::new(&progs, |_| ());
    /// let mut game = |machine: &mut Machine, builtin: &Builtin| -> Result<(), Fault> {
    ///     match &*builtin.name {
    ///         b"add_score" => lookup(37, b"floor").ok_or_else(|| builtin.unknown())?.call(machine, &mut console),
    ///         _ => Err(builtin.unknown()),
    ///     }
    /// };
    ///
    /// let mut machine = Machine::new(progs.into());
    /// machine.set_argument(0, [2.9f32.to_bits(), 0, 0]);
    /// machine.call(machine.find_function(b"add_score").ok_or("no add_score")?, &mut game)?;
    /// assert_eq!(machine.result_float(), 2.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn call(&self, machine: &mut Machine, host: &mut dyn StdHost) -> Result<(), Fault> {
        if machine.argc() < usize::from(self.required) {
            self.complete_arguments(machine, host);
        }
        (self.function)(&mut Call { machine, host, builtin: self })
    }
}

impl std::fmt::Debug for StdBuiltin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} #{}", self.name, self.number)
    }
}

impl StdBuiltin {
    /// Takes missing arguments from the last call.
    #[cold]
    fn complete_arguments(&self, machine: &mut Machine, host: &mut dyn StdHost) {
        let (passed, required) = (machine.argc(), usize::from(self.required));
        let parameters = self.signature.split_once('(').map_or("", |(_, parameters)| parameters).split(',');
        machine
            .require_arguments(parameters.filter_map(|parameter| parameter.split_whitespace().next()).take(required));
        host.mistake(machine, self, Mistake::MissingArguments { passed, required });
    }

    fn has_name(&self, name: &[u8]) -> bool {
        self.name.as_bytes() == name || self.aliases.iter().any(|alias| alias.as_bytes() == name)
    }
}

/// Returns the builtin with a number or, if the number is 0, with a name or alias.
///
/// [`Builtin::number`](crate::Builtin::number) and [`Builtin::name`](crate::Builtin::name) are the arguments for a
/// builtin that a progs declares. Names are compared case-sensitively.
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
    TABLE.iter().find(|builtin| if number == 0 { builtin.has_name(name) } else { builtin.number == number })
}
