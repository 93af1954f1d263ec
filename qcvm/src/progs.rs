//! A loaded and checked progs file.

use super::UNNAMED_GLOBALS;
use super::fault::Fault;
use super::opcode::Instruction;
use std::ffi::CStr;

/// The type of a global or of an entity field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Type {
    /// No value.
    Void,
    /// A string handle.
    String,
    /// A 32-bit float.
    Float,
    /// Three floats.
    Vector,
    /// An entity number.
    Entity,
    /// The place of an entity field.
    Field,
    /// A function number.
    Function,
    /// An address.
    Pointer,
    /// A 32-bit integer.
    Integer,
    /// Any later type of FTE's compiler, by its number.
    Other(u16),
}

impl Type {
    /// The type of a definition, whose upper bits are flags.
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

    /// The number of words a value of the type is known to take.
    #[must_use]
    pub fn words(self) -> u32 {
        match self {
            Type::Void => 0,
            Type::Vector => 3,
            _ => 1,
        }
    }
}

/// A global variable found by name: valid for every machine that runs the same progs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Global {
    /// Its first word in the table of globals.
    pub offset: u32,
    /// Its type.
    pub kind: Type,
}

impl Global {
    /// A vector that the host has in place of one that the progs does not name, from 0 on: no script reaches it.
    fn unnamed(number: u32) -> Self {
        Global { offset: UNNAMED_GLOBALS + 3 * number, kind: Type::Vector }
    }
}

/// An entity field found by name: valid for every machine that runs the same progs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Field {
    /// Its first word in an entity.
    pub offset: u32,
    /// Its type.
    pub kind: Type,
}

/// The number of a function, as QuakeC's function values hold it. 0 is the null function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FunctionId(pub u32);

/// A builtin that a progs declares.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Builtin {
    /// Its place in [`Progs::builtins`], for hosts that look each builtin up once and keep a table.
    pub index: u32,
    /// Its number; 0 means that it is bound by its name alone.
    pub number: u32,
    /// The function that it is.
    pub function: FunctionId,
    /// Its name, empty where the compiler has stripped it.
    pub name: Box<[u8]>,
}

impl Builtin {
    /// What a host answers that has no such builtin.
    #[cold]
    #[must_use]
    pub fn unknown(&self) -> Fault {
        Fault::UnknownBuiltin { number: self.number, name: self.name.clone() }
    }
}

/// Where calls to a function go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    Statement(u32),
    /// An index in the table of builtins.
    Builtin(u32),
    Null,
}

/// A function's locals and parameters, all inside the table of globals, and its names.
#[derive(Clone, Copy, Debug)]
pub(super) struct Function {
    pub(super) first_local: u32,
    pub(super) locals: u32,
    pub(super) parameters: u8,
    pub(super) sizes: [u8; 8],
    pub(super) name: u32,
    pub(super) file: u32,
}

/// A name, type and place as in the file, the name still an offset in the string pool.
#[derive(Clone, Copy, Debug)]
pub(super) struct Definition {
    pub(super) name: u32,
    pub(super) kind: Type,
    pub(super) offset: u32,
}

/// A progs file, checked so that running it needs no further trust: made by [`Progs::load`].
#[derive(Debug)]
pub struct Progs {
    pub(super) code: Vec<Instruction>,
    /// What stores in a row copy, word by word: from which global to which.
    pub(super) copies: Vec<[u16; 2]>,
    pub(super) functions: Vec<Function>,
    /// Where calls to each function go.
    pub(super) entries: Vec<Entry>,
    pub(super) builtins: Vec<Builtin>,
    pub(super) global_defs: Vec<Definition>,
    pub(super) field_defs: Vec<Definition>,
    pub(super) strings: Vec<u8>,
    pub(super) globals: Vec<u32>,
    pub(super) entity_words: u32,
    pub(super) version: u32,
    pub(super) crc: u32,
}

/// The longest name that is looked at, in bytes; it bounds the work that a hostile string pool can cause.
const NAME_LIMIT: usize = 256;

impl Progs {
    /// The version of the file: 6, or 7 for FTE's.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The checksum of the definitions it was compiled with. Engines compare it; nothing here does.
    #[must_use]
    pub fn crc(&self) -> u32 {
        self.crc
    }

    /// The number of statements.
    #[must_use]
    pub fn statements(&self) -> usize {
        self.code.len()
    }

    /// The builtins it declares, in the order of their functions.
    #[must_use]
    pub fn builtins(&self) -> &[Builtin] {
        &self.builtins
    }

    /// The function called `name`, with a body or builtin.
    #[must_use]
    pub fn function(&self, name: &[u8]) -> Option<FunctionId> {
        if name.is_empty() {
            return None;
        }
        let index = self.functions.iter().position(|f| self.is_named(f.name, name))?;
        Some(FunctionId(index as u32))
    }

    /// The global called `name`; compilers may strip the names of those that they think unused.
    #[must_use]
    pub fn global(&self, name: &[u8]) -> Option<Global> {
        let def = self.find(&self.global_defs, name)?;
        Some(Global { offset: def.offset, kind: def.kind })
    }

    /// The globals `v_forward`, `v_right` and `v_up`.
    ///
    /// Compilers leave out the names of globals that no function mentions. The vectors that take their places are out of
    /// reach of the progs, so that what one builtin leaves there the next one finds.
    #[must_use]
    pub fn axes(&self) -> [Global; 3] {
        let names: [(&[u8], u32); 3] = [(b"v_forward", 0), (b"v_right", 1), (b"v_up", 2)];
        names.map(|(name, number)| self.global(name).unwrap_or(Global::unnamed(number)))
    }

    /// The entity field called `name`.
    #[must_use]
    pub fn field(&self, name: &[u8]) -> Option<Field> {
        let def = self.find(&self.field_defs, name)?;
        Some(Field { offset: def.offset, kind: def.kind })
    }

    /// The entity fields with their names, in the file's order; vectors are followed by their three components.
    pub fn fields(&self) -> impl Iterator<Item = (&[u8], Field)> {
        self.field_defs.iter().map(|d| (self.name(d.name), Field { offset: d.offset, kind: d.kind }))
    }

    /// The name of a function; empty if there is none.
    #[must_use]
    pub fn function_name(&self, function: FunctionId) -> &[u8] {
        self.functions.get(function.0 as usize).map_or(&[], |f| self.name(f.name))
    }

    /// The source file of a function; empty if unknown.
    #[must_use]
    pub fn function_file(&self, function: FunctionId) -> &[u8] {
        self.functions.get(function.0 as usize).map_or(&[], |f| self.name(f.file))
    }

    /// The string at `offset` of the pool, without its NUL; a string that the pool's end cuts ends there.
    pub(super) fn string(&self, offset: u32) -> Option<&[u8]> {
        if offset == 0 {
            return Some(&[]);
        }
        let rest = self.strings.get(offset as usize..)?;
        // Many times as fast as a loop over the bytes.
        Some(CStr::from_bytes_until_nul(rest).map_or(rest, CStr::to_bytes))
    }

    pub(super) fn name(&self, offset: u32) -> &[u8] {
        let rest = self.strings.get(offset as usize..).unwrap_or(&[]);
        let rest = rest.get(..NAME_LIMIT).unwrap_or(rest);
        rest.iter().position(|&byte| byte == 0).and_then(|end| rest.get(..end)).unwrap_or(rest)
    }

    /// The name of the function that `statement` lies in, for messages.
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
