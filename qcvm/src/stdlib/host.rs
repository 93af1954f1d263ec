//! What the standard library needs of the program that the machine runs in.

use super::{StdBuiltin, lookup};
use crate::{Builtin, Builtins, Fault, Machine, Progs};

/// What the standard library needs besides the machine.
pub trait StdHost {
    /// Prints text as `print` and `dprint` give it: bytes of no particular encoding, with newlines where the script wants
    /// them.
    fn print(&mut self, text: &[u8]);

    /// Learns that a script passed a NaN or an infinity to a builtin, which took it as 0. The default ignores that.
    fn not_finite(&mut self, builtin: &'static str) {
        let _ = builtin;
    }

    /// Whether `checkextension` answers yes to a name that [`EXTENSIONS`](super::EXTENSIONS) lacks; case should not matter.
    /// The default knows none.
    fn has_extension(&self, name: &[u8]) -> bool {
        let _ = name;
        false
    }

    /// The factors of pitch and roll in the results of `vectoangles`, FTE's `r_meshpitch` and `r_meshroll`. The default is
    /// Quake's -1 and 1.
    fn mesh_angle_factors(&self) -> [f32; 2] {
        [-1.0, 1.0]
    }
}

/// Where printed text goes.
type Output = dyn FnMut(&[u8]) + Send;

/// A host that has the standard library and nothing else.
///
/// ```
/// use skelobj_qcvm::stdlib::Console;
/// use skelobj_qcvm::{Machine, Progs};
/// use std::sync::{Arc, Mutex};
///
/// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/hello.dat"));
/// let progs = Arc::new(Progs::load(bytes)?);
/// let printed = Arc::new(Mutex::new(Vec::new()));
/// let output = printed.clone();
/// let mut console = Console::new(&progs, move |text| output.lock().unwrap().extend_from_slice(text));
/// let mut machine = Machine::new(progs);
/// let main = machine.find_function(b"main").ok_or("no main")?;
/// machine.call(main, &mut console)?;
/// assert_eq!(*printed.lock().unwrap(), b"Hello from QuakeC: 3628800\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Console {
    /// The builtins of the progs, by their place in it.
    builtins: Vec<Option<&'static StdBuiltin>>,
    output: Box<Output>,
}

impl Console {
    /// A host for machines that run `progs`; `output` gets what is printed.
    pub fn new(progs: &Progs, output: impl FnMut(&[u8]) + Send + 'static) -> Self {
        let builtins = progs.builtins().iter().map(|builtin| lookup(builtin.number, &builtin.name)).collect();
        Self { builtins, output: Box::new(output) }
    }
}

impl std::fmt::Debug for Console {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Console").field("builtins", &self.builtins).finish_non_exhaustive()
    }
}

impl StdHost for Console {
    fn print(&mut self, text: &[u8]) {
        (self.output)(text);
    }
}

impl Builtins for Console {
    fn call(&mut self, machine: &mut Machine, builtin: &Builtin) -> Result<(), Fault> {
        match self.builtins.get(builtin.index as usize).copied().flatten() {
            Some(found) => found.call(machine, self),
            None => Err(builtin.unknown()),
        }
    }
}
