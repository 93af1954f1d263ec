//! Loaded and checked progs files.

use super::UNNAMED_GLOBALS;
use super::argument_types::{ArgumentWrites, TypeSource};
use super::fault::{Fault, Location};
use super::opcode::Instruction;
use std::collections::HashMap;
use std::ffi::CStr;
use std::sync::OnceLock;

/// Type of a global or of an entity field.
///
/// # Example
/// ```
/// use skelobj_qcvm::Type;
/// # use skelobj_qcvm::Progs;
/// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
/// let progs = Progs::load(bytes)?;
/// let origin = progs.field(b"origin").ok_or("no origin")?;
/// assert_eq!(origin.kind, Type::Vector);
/// let kills = progs.global(b"kills").ok_or("no kills")?;
/// assert_eq!(kills.kind, Type::Float);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Type {
    /// No value.
    Void,
    /// String handle.
    String,
    /// Float of 32 bits.
    Float,
    /// Vector of three floats.
    Vector,
    /// Entity number.
    Entity,
    /// Offset of an entity field.
    Field,
    /// Function number.
    Function,
    /// Address.
    Pointer,
    /// Integer of 32 bits.
    Integer,
    /// Type added by later versions of FTE's compiler, by its number.
    Other(u16),
}

impl Type {
    /// Returns the type of a definition; the upper bits are flags.
    pub(super) fn new(bits: u32) -> Self {
        match bits & 0x3fff {
            0 => Type::Void,
            1 => Type::String,
            2 => Type::Float,
            3 => Type::Vector,
            4 => Type::Entity,
            5 => Type::Field,
            6 => Type::Function,
            7 => Type::Pointer,
            8 => Type::Integer,
            other => Type::Other(other as u16),
        }
    }

    /// Returns the least number of 32-bit words that a value of the type takes.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::Type;
    ///
    /// assert_eq!(Type::Vector.words(), 3);
    /// assert_eq!(Type::Entity.words(), 1);
    /// assert_eq!(Type::Void.words(), 0);
    /// ```
    #[must_use]
    pub fn words(self) -> u32 {
        match self {
            Type::Void => 0,
            Type::Vector => 3,
            _ => 1,
        }
    }
}

/// Global variable found by name, valid for every machine that runs the same progs.
///
/// # Example
/// ```
/// use skelobj_qcvm::{Machine, Progs};
///
/// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
/// let time = progs.global(b"time").ok_or("no time")?;
/// let mut machine = Machine::new(progs.into());
/// machine.set_global_float(time, 12.5);
/// assert_eq!(machine.global_float(time), 12.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Global {
    /// First word in the table of globals.
    pub offset: u32,
    /// Type of the global.
    pub kind: Type,
}

impl Global {
    /// Returns a vector out of the scripts' reach, for use in place of one that the progs does not name; numbered from
    /// 0.
    fn unnamed(number: u32) -> Self {
        Global { offset: UNNAMED_GLOBALS + 3 * number, kind: Type::Vector }
    }
}

/// Entity field found by name, valid for every machine that runs the same progs.
///
/// # Example
/// ```
/// use skelobj_qcvm::{Machine, Progs};
///
/// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
/// let health = progs.field(b"health").ok_or("no health")?;
/// let mut machine = Machine::new(progs.into());
/// let monster = machine.spawn_entity()?;
/// machine.set_field_float(monster, health, 100.0)?;
/// assert_eq!(machine.field_float(monster, health)?, 100.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Field {
    /// First word in an entity.
    pub offset: u32,
    /// Type of the field.
    pub kind: Type,
}

/// Number of a function, as QuakeC's function values hold it. 0 is the null function.
///
/// # Example
/// A field such as `think` holds a function; its first word is the number.
/// ```
/// # use skelobj_qcvm::Progs;
/// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
/// let progs = Progs::load(bytes)?;
/// use skelobj_qcvm::FunctionId;
///
/// let open_door = progs.function(b"open_door").ok_or("no open_door")?;
/// let word_of_a_field = open_door.0;
/// assert_eq!(progs.function_name(FunctionId(word_of_a_field)), b"open_door");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FunctionId(pub u32);

/// Builtin that a progs declares.
///
/// # Example
/// A host looks every builtin up once and keeps a table, in which [`index`](Self::index) finds it.
/// ```
/// # use skelobj_qcvm::Progs;
/// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
/// let progs = Progs::load(bytes)?;
/// use skelobj_qcvm::stdlib::lookup;
///
/// let table: Vec<_> = progs.builtins().iter().map(|builtin| lookup(builtin.number, &builtin.name)).collect();
/// let remove = progs.builtins().iter().find(|builtin| builtin.number == 15).ok_or("no remove")?;
/// assert_eq!(table[remove.index as usize].map(|builtin| builtin.name), Some("remove"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Builtin {
    /// Place in [`Progs::builtins`], for hosts that keep a table.
    pub index: u32,
    /// Number of the builtin; 0 means that it is bound only by name.
    pub number: u32,
    /// Function that calls the builtin.
    pub function: FunctionId,
    /// Name of the builtin, empty if the compiler stripped it.
    pub name: Box<[u8]>,
}

impl Builtin {
    /// Returns the fault of a host that lacks this builtin.
    ///
    /// # Example
    /// ```
    /// # use skelobj_qcvm::Progs;
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// let progs = Progs::load(bytes)?;
    /// let schedule = progs.builtins().iter().find(|builtin| &*builtin.name == b"schedule").ok_or("no schedule")?;
    /// assert_eq!(schedule.unknown().to_string(), "unknown builtin \"schedule\"");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cold]
    #[must_use]
    pub fn unknown(&self) -> Fault {
        Fault::UnknownBuiltin { number: self.number, name: self.name.clone() }
    }
}

/// Target of calls to a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    Statement(u32),
    /// Index in the table of builtins.
    Builtin(u32),
    Null,
}

/// Locals and parameters of a function, all inside the table of globals, and its names.
#[derive(Clone, Copy, Debug)]
pub(super) struct Function {
    pub(super) first_local: u32,
    pub(super) locals: u32,
    pub(super) parameters: u8,
    pub(super) sizes: [u8; 8],
    pub(super) name: u32,
    pub(super) file: u32,
}

/// Name, type and offset as in the file; the name is an offset in the string pool.
#[derive(Clone, Copy, Debug)]
pub(super) struct Definition {
    pub(super) name: u32,
    pub(super) kind: Type,
    pub(super) offset: u32,
}

/// Compiled QuakeC program, checked so that running it needs no further trust. [`Progs::load`] makes it.
///
/// # Example
/// ```
/// use skelobj_qcvm::stdlib::lookup;
/// # use skelobj_qcvm::Progs;
/// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
/// let progs = Progs::load(bytes)?;
/// assert_eq!(progs.version(), 6);
///
/// // The builtins that a host must provide in addition to the standard library:
/// let own = progs.builtins().iter().filter(|builtin| lookup(builtin.number, &builtin.name).is_none());
/// assert!(own.map(|builtin| &*builtin.name).eq([&b"add_score"[..], b"schedule"]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Progs {
    pub(super) code: Vec<Instruction>,
    /// Copies that consecutive stores make, word by word: from which global to which.
    pub(super) copies: Vec<[u16; 2]>,
    pub(super) functions: Vec<Function>,
    /// Targets of calls, by function.
    pub(super) entries: Vec<Entry>,
    pub(super) builtins: Vec<Builtin>,
    pub(super) global_defs: Vec<Definition>,
    pub(super) field_defs: Vec<Definition>,
    pub(super) strings: Vec<u8>,
    pub(super) globals: Vec<u32>,
    pub(super) entity_words: u32,
    pub(super) version: u32,
    pub(super) crc: u32,
    /// Numbers of global definitions, globals, field definitions and statements in the file.
    pub(super) sizes: [u32; 4],
    pub(super) argument_writes: ArgumentWrites,
    /// Types of the globals of one word by offset, `None` where definitions differ; filled when a message needs one.
    pub(super) word_types: OnceLock<HashMap<u32, Option<Type>>>,
    /// Lines of the statements in their source files; empty if unknown.
    pub(super) lines: Vec<u32>,
}

/// Number of bytes that names are cut to. It bounds the work that a hostile string pool can cause.
const NAME_LIMIT: usize = 256;

impl Progs {
    /// Returns the version of the file: 6, or 7 for FTE's format.
    ///
    /// # Example
    /// ```
    /// # use skelobj_qcvm::Progs;
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// let progs = Progs::load(bytes)?;
    /// assert_eq!(progs.version(), 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Returns the checksum of the system definitions that the progs was compiled with.
    ///
    /// Engines compare it to refuse game code made for other definitions. This crate does not check it.
    ///
    /// # Example
    /// ```
    /// # use skelobj_qcvm::Progs;
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// let progs = Progs::load(bytes)?;
    /// const QUAKE: u32 = 5927;
    /// assert_ne!(progs.crc(), QUAKE, "not made for Quake's server");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn crc(&self) -> u32 {
        self.crc
    }

    /// Returns the number of statements.
    #[must_use]
    pub fn statements(&self) -> usize {
        self.code.len()
    }

    /// Returns the builtins that the progs declares, in the order of their functions.
    ///
    /// # Example
    /// ```
    /// # use skelobj_qcvm::Progs;
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// let progs = Progs::load(bytes)?;
    /// assert!(progs.builtins().iter().any(|builtin| builtin.number == 14 && &*builtin.name == b"spawn"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn builtins(&self) -> &[Builtin] {
        &self.builtins
    }

    /// Returns the first function with this name, a QuakeC function or a builtin.
    ///
    /// # Example
    /// ```
    /// # use skelobj_qcvm::Progs;
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// let progs = Progs::load(bytes)?;
    /// assert!(progs.function(b"damage").is_some());
    /// assert!(progs.function(b"spawn").is_some());
    /// assert!(progs.function(b"health").is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn function(&self, name: &[u8]) -> Option<FunctionId> {
        if name.is_empty() {
            return None;
        }
        let index = self.functions.iter().position(|f| self.is_named(f.name, name))?;
        Some(FunctionId(index as u32))
    }

    /// Returns the global with this name.
    ///
    /// Compilers may strip the names of globals that the code does not use.
    ///
    /// # Example
    /// ```
    /// # use skelobj_qcvm::Progs;
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// let progs = Progs::load(bytes)?;
    /// assert!(progs.global(b"kills").is_some());
    /// assert!(progs.global(b"deaths").is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn global(&self, name: &[u8]) -> Option<Global> {
        let def = self.find(&self.global_defs, name)?;
        Some(Global { offset: def.offset, kind: def.kind })
    }

    /// Returns an iterator over the globals that have names, in the file's order.
    ///
    /// # Example
    /// ```
    /// # use skelobj_qcvm::Progs;
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// let progs = Progs::load(bytes)?;
    /// let kills = progs.global(b"kills");
    /// assert!(progs.globals().any(|(name, global)| name == b"kills" && Some(global) == kills));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn globals(&self) -> impl Iterator<Item = (&[u8], Global)> {
        self.global_defs.iter().map(|d| (self.name(d.name), Global { offset: d.offset, kind: d.kind }))
    }

    /// Returns the globals `v_forward`, `v_right` and `v_up`.
    ///
    /// Compilers strip the names of globals that no function mentions. For a global without a name this returns a
    /// vector out of the script's reach, so that one builtin still finds what another has stored.
    ///
    /// # Example
    /// ```
    /// # use skelobj_qcvm::Progs;
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// let progs = Progs::load(bytes)?;
    /// assert!(progs.global(b"v_forward").is_none());
    /// let [forward, right, up] = progs.axes();
    /// assert_eq!(forward.kind, skelobj_qcvm::Type::Vector);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn axes(&self) -> [Global; 3] {
        let names: [(&[u8], u32); 3] = [(b"v_forward", 0), (b"v_right", 1), (b"v_up", 2)];
        names.map(|(name, number)| self.global(name).unwrap_or(Global::unnamed(number)))
    }

    /// Returns the entity field with this name.
    ///
    /// # Example
    /// ```
    /// # use skelobj_qcvm::Progs;
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// let progs = Progs::load(bytes)?;
    /// assert!(progs.field(b"health").is_some());
    /// assert!(progs.field(b"armorvalue").is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn field(&self, name: &[u8]) -> Option<Field> {
        let def = self.find(&self.field_defs, name)?;
        Some(Field { offset: def.offset, kind: def.kind })
    }

    /// Returns an iterator over the entity fields with their names, in the file's order. The three components of a
    /// vector follow it.
    ///
    /// # Example
    /// ```
    /// # use skelobj_qcvm::Progs;
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// let progs = Progs::load(bytes)?;
    /// let components = progs.fields().filter(|(name, _)| name.starts_with(b"origin_")).count();
    /// assert_eq!(components, 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fields(&self) -> impl Iterator<Item = (&[u8], Field)> {
        self.field_defs.iter().map(|d| (self.name(d.name), Field { offset: d.offset, kind: d.kind }))
    }

    /// Returns the name of a function, cut to 256 bytes; empty if there is no such function.
    ///
    /// # Example
    /// ```
    /// # use skelobj_qcvm::Progs;
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// let progs = Progs::load(bytes)?;
    /// let damage = progs.function(b"damage").ok_or("no damage")?;
    /// assert_eq!(progs.function_name(damage), b"damage");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn function_name(&self, function: FunctionId) -> &[u8] {
        self.functions.get(function.0 as usize).map_or(&[], |f| self.name(f.name))
    }

    /// Returns the name of a function's source file, cut to 256 bytes; empty if the progs does not name it.
    ///
    /// # Example
    /// ```
    /// # use skelobj_qcvm::Progs;
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// let progs = Progs::load(bytes)?;
    /// let damage = progs.function(b"damage").ok_or("no damage")?;
    /// assert_eq!(progs.function_file(damage), b"game.qc");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn function_file(&self, function: FunctionId) -> &[u8] {
        self.functions.get(function.0 as usize).map_or(&[], |f| self.name(f.file))
    }

    /// Returns the string at `offset` of the pool, without its NUL; the pool's end also ends a string.
    pub(super) fn string(&self, offset: u32) -> Option<&[u8]> {
        if offset == 0 {
            return Some(&[]);
        }
        let rest = self.strings.get(offset as usize..)?;
        // Much faster than a loop over the bytes.
        Some(CStr::from_bytes_until_nul(rest).map_or(rest, CStr::to_bytes))
    }

    pub(super) fn name(&self, offset: u32) -> &[u8] {
        let rest = self.strings.get(offset as usize..).unwrap_or(&[]);
        let rest = rest.get(..NAME_LIMIT).unwrap_or(rest);
        rest.iter().position(|&byte| byte == 0).and_then(|end| rest.get(..end)).unwrap_or(rest)
    }

    /// Returns the type of an argument of the call at a statement, if the statements before it tell.
    pub(super) fn argument_type(&self, call: u32, number: usize) -> Option<Type> {
        let is_word = |definition: &&Definition| definition.kind.words() == 1;
        match self.argument_writes.source(call, number)? {
            TypeSource::Stated(kind) => Some(kind),
            TypeSource::Global(offset) => {
                let types = self.word_types.get_or_init(|| {
                    let mut types = HashMap::new();
                    for Definition { kind, offset, .. } in self.global_defs.iter().filter(is_word) {
                        let known = types.entry(*offset).or_insert(Some(*kind));
                        *known = known.filter(|known| known == kind);
                    }
                    types
                });
                types.get(&offset).copied().flatten()
            }
            TypeSource::Field(global) => {
                let offset = *self.globals.get(global as usize)?;
                let mut definitions = self.field_defs.iter().filter(is_word);
                definitions.find(|definition| definition.offset == offset).map(|definition| definition.kind)
            }
        }
    }

    /// Returns the place of a statement in a function, for messages.
    pub(super) fn location(&self, function: FunctionId, statement: u32) -> Location {
        let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
        Location {
            function: text(self.function_name(function)),
            file: text(self.function_file(function)),
            statement,
            line: self.line(statement),
        }
    }

    /// Returns the name of the function that contains `statement`, for messages.
    pub(super) fn function_at(&self, statement: u32) -> String {
        let starts = self.entries.iter().zip(&self.functions).filter_map(|(entry, f)| match *entry {
            Entry::Statement(start) if start <= statement => Some((start, f.name)),
            _ => None,
        });
        let name = starts.max_by_key(|&(start, _)| start).map_or(&[][..], |(_, name)| self.name(name));
        String::from_utf8_lossy(name).into_owned()
    }

    fn is_named(&self, offset: u32, name: &[u8]) -> bool {
        let rest = self.strings.get(offset as usize..).unwrap_or(&[]);
        rest.strip_prefix(name).is_some_and(|tail| matches!(tail.first(), None | Some(0)))
    }

    fn find(&self, defs: &[Definition], name: &[u8]) -> Option<Definition> {
        if name.is_empty() {
            return None;
        }
        defs.iter().copied().find(|d| self.is_named(d.name, name))
    }
}
