//! Interface from the standard library to the program that the machine runs in.

use super::{Cvars, MessageLog, MessageReader, Mistake, StdBuiltin, lookup};
use crate::{Builtin, Builtins, Fault, Machine, Progs};

/// Interface from the standard library to its host, in addition to the machine. Only [`print`](Self::print) has no
/// default.
///
/// # Example
/// A host that has the standard library and keeps what scripts print:
/// ```
/// use skelobj_qcvm::stdlib::{StdHost, lookup};
/// use skelobj_qcvm::{Builtin, Builtins, Fault, Machine, Progs};
///
/// #[derive(Default)]
/// struct Game {
///     console: String,
/// }
///
/// impl StdHost for Game {
///     fn print(&mut self, text: &[u8]) {
///         self.console += &String::from_utf8_lossy(text);
///     }
/// }
///
/// impl Builtins for Game {
///     fn call(&mut self, machine: &mut Machine, builtin: &Builtin) -> Result<(), Fault> {
///         match lookup(builtin.number, &builtin.name) {
///             Some(standard) => standard.call(machine, self),
///             None => Err(builtin.unknown()),
///         }
///     }
/// }
///
/// let progs = Progs::load(&std::fs::read("examples/hello.dat")?)?;
/// let mut machine = Machine::new(progs.into());
/// let mut game = Game::default();
/// let main = machine.find_function(b"main").ok_or("no main")?;
/// machine.call(main, &mut game)?;
/// assert_eq!(game.console, "Hello from QuakeC: 3628800\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait StdHost {
    /// Prints the text of `print` and `dprint`: bytes of no particular encoding, with the newlines of the script.
    fn print(&mut self, text: &[u8]);

    /// Reports a mistake of a call that the builtin passed over. The default does nothing.
    ///
    /// `machine` still holds the arguments, and knows the [place](Machine::call_location) of the call.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::Machine;
    /// use skelobj_qcvm::stdlib::{Mistake, StdBuiltin, StdHost};
    ///
    /// struct Game;
    ///
    /// impl StdHost for Game {
    ///     fn print(&mut self, text: &[u8]) {
    ///         print!("{}", String::from_utf8_lossy(text));
    ///     }
    ///
    ///     fn mistake(&mut self, machine: &mut Machine, builtin: &StdBuiltin, mistake: Mistake) {
    ///         let place = machine.call_location().map_or(String::new(), |location| format!("{location}: "));
    ///         self.print(format!("{place}{}: {mistake}\n", builtin.name).as_bytes());
    ///     }
    /// }
    /// ```
    fn mistake(&mut self, machine: &mut Machine, builtin: &StdBuiltin, mistake: Mistake) {
        let _ = (machine, builtin, mistake);
    }

    /// Receives the name of the map that a script changes to with `changelevel`. The default does nothing.
    fn change_level(&mut self, map: &[u8]) {
        let _ = map;
    }

    /// Returns `true` if the host has an extension that [`EXTENSIONS`](super::EXTENSIONS) lacks, for `checkextension`.
    ///
    /// Names should be compared case-insensitively. The default supports no extensions.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::stdlib::StdHost;
    ///
    /// struct Game;
    ///
    /// impl StdHost for Game {
    ///     fn print(&mut self, _text: &[u8]) {}
    ///
    ///     fn has_extension(&self, name: &[u8]) -> bool {
    ///         name.eq_ignore_ascii_case(b"FTE_CSQC_SKELETONOBJECTS")
    ///     }
    /// }
    /// assert!(Game.has_extension(b"fte_csqc_skeletonobjects"));
    /// ```
    fn has_extension(&self, name: &[u8]) -> bool {
        let _ = name;
        false
    }

    /// Returns the console variables that `cvar`, `cvar_set` and their relatives use.
    ///
    /// The default has none: every variable reads as 0 and as an empty text.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::stdlib::{Cvars, StdHost};
    ///
    /// #[derive(Default)]
    /// struct Game {
    ///     cvars: Cvars,
    /// }
    ///
    /// impl StdHost for Game {
    ///     fn print(&mut self, _text: &[u8]) {}
    ///
    ///     fn cvars(&mut self) -> Option<&mut Cvars> {
    ///         Some(&mut self.cvars)
    ///     }
    /// }
    /// ```
    fn cvars(&mut self) -> Option<&mut Cvars> {
        None
    }

    /// Returns the log that `WriteByte` and its relatives write to. The default has none: they do nothing.
    fn messages(&mut self) -> Option<&mut MessageLog> {
        None
    }

    /// Returns the message that `readbyte` and its relatives read, `None` while the script may read none.
    ///
    /// Without a message these builtins end the script. The default has none.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::stdlib::{MessageReader, StdHost, Written};
    ///
    /// struct Client {
    ///     /// Message of the server, while `CSQC_Ent_Update` runs.
    ///     incoming: Option<MessageReader>,
    /// }
    ///
    /// impl StdHost for Client {
    ///     fn print(&mut self, _text: &[u8]) {}
    ///
    ///     fn incoming(&mut self) -> Option<&mut MessageReader> {
    ///         self.incoming.as_mut()
    ///     }
    /// }
    ///
    /// let mut client = Client { incoming: Some(MessageReader::new([Written::Short(100)])) };
    /// assert_eq!(client.incoming().map(|message| message.size()), Some(2));
    /// ```
    fn incoming(&mut self) -> Option<&mut MessageReader> {
        None
    }

    /// Returns the contents of a file that a script asks for, `None` if there is none. The default has no files.
    ///
    /// The name is a relative path of at most 128 bytes that may be a file on every system: no part is empty, begins
    /// with `.` or `-`, ends with `.` or a space, or is a device of Windows such as `nul`, and none has a control
    /// character or one of `\:*?"<>|`. The contents count as memory of the script while the file is open.
    ///
    /// # Example
    /// ```
    /// use std::collections::BTreeMap;
    ///
    /// use skelobj_qcvm::stdlib::StdHost;
    ///
    /// #[derive(Default)]
    /// struct Game {
    ///     files: BTreeMap<Vec<u8>, Vec<u8>>,
    /// }
    ///
    /// impl StdHost for Game {
    ///     fn print(&mut self, _text: &[u8]) {}
    ///
    ///     fn read_file(&mut self, name: &[u8]) -> Option<Vec<u8>> {
    ///         self.files.get(name).cloned()
    ///     }
    ///
    ///     fn write_file(&mut self, name: &[u8], contents: &[u8]) {
    ///         self.files.insert(name.to_vec(), contents.to_vec());
    ///     }
    ///
    ///     fn file_names(&mut self) -> Vec<Box<[u8]>> {
    ///         self.files.keys().map(|name| name.as_slice().into()).collect()
    ///     }
    /// }
    ///
    /// let mut game = Game::default();
    /// game.write_file(b"scores.txt", b"ranger 10\n");
    /// assert_eq!(game.read_file(b"scores.txt").as_deref(), Some(&b"ranger 10\n"[..]));
    /// assert_eq!(game.file_names().len(), 1);
    /// ```
    fn read_file(&mut self, name: &[u8]) -> Option<Vec<u8>> {
        let _ = name;
        None
    }

    /// Returns the size of a file that a script asks for, in bytes; `None` if there is none.
    ///
    /// `fexists` asks for nothing else, `fopen` asks before it reads the file. The default reads it; a host whose files
    /// may be large should look the size up.
    fn file_size(&mut self, name: &[u8]) -> Option<u64> {
        self.read_file(name).map(|contents| contents.len() as u64)
    }

    /// Receives the contents of a file that a script has written and closed. The default drops them.
    fn write_file(&mut self, name: &[u8], contents: &[u8]) {
        let _ = (name, contents);
    }

    /// Returns the names of the files that a script may search. The default has none.
    ///
    /// A name that ends in a slash is that of a folder. It counts as the work of looking into the folder, and is never
    /// found.
    fn file_names(&mut self) -> Vec<Box<[u8]>> {
        Vec::new()
    }

    /// Returns the text of the map's entities for `getentitytoken`. The default is empty.
    fn entity_text(&self) -> &[u8] {
        &[]
    }

    /// Returns `true` if the host has a builtin, for `checkbuiltin`. The default has the standard library.
    fn has_builtin(&self, builtin: &Builtin) -> bool {
        lookup(builtin.number, &builtin.name).is_some()
    }

    /// Returns a word of the host's memory for the builtins that copy it, as
    /// [`Builtins::read_host`](crate::Builtins::read_host) does for the machine. The default has none.
    fn read_memory(&mut self, region: u32, offset: u32) -> Option<u32> {
        let _ = (region, offset);
        None
    }

    /// Overwrites a word of the host's memory, as [`Builtins::write_host`](crate::Builtins::write_host) does. The
    /// default has none.
    fn write_memory(&mut self, region: u32, offset: u32, bits: u32) -> Option<()> {
        let _ = (region, offset, bits);
        None
    }

    /// Returns the factors of pitch and roll in the results of `vectoangles`: FTE's `r_meshpitch` and `r_meshroll`.
    ///
    /// The default is Quake's -1 and 1.
    fn mesh_angle_factors(&self) -> [f32; 2] {
        [-1.0, 1.0]
    }
}

/// Receiver of printed text.
type Output = dyn FnMut(&[u8]) + Send;

/// Host that has the standard library and nothing else.
///
/// # Example
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
    /// Builtins of the progs, by their position in it.
    builtins: Vec<Option<&'static StdBuiltin>>,
    output: Box<Output>,
    /// Console variables of the script.
    pub cvars: Cvars,
    /// Network messages that the script wrote.
    pub messages: MessageLog,
}

impl Console {
    /// Creates a host for machines that run `progs`; `output` receives printed text.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Machine, Progs, stdlib::Console};
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/hello.dat"));
    /// # let progs = std::sync::Arc::new(Progs::load(bytes)?);
    /// let mut console = Console::new(&progs, |text| print!("{}", String::from_utf8_lossy(text)));
    /// let mut machine = Machine::new(progs);
    /// let main = machine.find_function(b"main").ok_or("no main")?;
    /// machine.call(main, &mut console)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(progs: &Progs, output: impl FnMut(&[u8]) + Send + 'static) -> Self {
        let builtins = progs.builtins().iter().map(|builtin| lookup(builtin.number, &builtin.name)).collect();
        Self { builtins, output: Box::new(output), cvars: Cvars::default(), messages: MessageLog::default() }
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

    fn cvars(&mut self) -> Option<&mut Cvars> {
        Some(&mut self.cvars)
    }

    fn messages(&mut self) -> Option<&mut MessageLog> {
        Some(&mut self.messages)
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
