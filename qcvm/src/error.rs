//! Errors of progs files.

use std::fmt;

use crate::shown::Shown;

/// Tables of a progs file.
///
/// # Example
/// ```
/// use skelobj_qcvm::{Progs, ProgsError, Table};
///
/// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
/// let mut damaged = bytes.to_vec();
/// damaged[12..16].copy_from_slice(&9999u32.to_le_bytes()); // the header's number of statements
/// let error = Progs::load(&damaged).unwrap_err();
/// assert!(matches!(error, ProgsError::TableRange { table: Table::Statements, count: 9999, .. }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Table {
    /// Instructions.
    Statements,
    /// Names, types and offsets of globals.
    GlobalDefs,
    /// Names, types and offsets of entity fields.
    FieldDefs,
    /// Functions and builtins.
    Functions,
    /// Pool of NUL-terminated strings.
    Strings,
    /// Initial values of the globals.
    Globals,
}

/// Reasons why [`Progs::load`](super::Progs::load) refuses a file.
///
/// # Example
/// ```
/// use skelobj_qcvm::{Progs, ProgsError};
///
/// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
/// let mut other = bytes.to_vec();
/// other[0] = 5;
/// let error = Progs::load(&other).unwrap_err();
/// assert_eq!(error, ProgsError::Version { version: 5, secondary: 0 });
/// assert_eq!(error.to_string(), "progs version 5 (0x0), expected 6 or FTE's 7");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProgsError {
    /// The file is shorter than its header.
    ShortHeader {
        /// Length of the file in bytes.
        length: usize,
        /// Length of the header of this version in bytes.
        header: usize,
    },
    /// The version is neither 6 nor FTE's 7.
    Version {
        /// Version of the file.
        version: u32,
        /// Second version word of version 7, 0 for other versions.
        secondary: u32,
    },
    /// The file is game code of Hexen II, whose builtins and opcodes differ.
    HexenII {
        /// Checksum of the file's definitions: 38488, 26905 for the mission pack, 14046 for the demo.
        crc: u32,
    },
    /// Some tables are compressed, which is not supported.
    Compressed {
        /// Mask of the compressed tables.
        blocks: u32,
    },
    /// A table does not fit in the file.
    TableRange {
        /// Table that does not fit.
        table: Table,
        /// Start of the table in bytes.
        offset: u32,
        /// Number of entries in the header.
        count: u32,
        /// Length of the file in bytes.
        length: usize,
    },
    /// A table has too many entries for the machine's address space, or too few to run.
    TableSize {
        /// Table with the wrong size.
        table: Table,
        /// Number of entries in the table.
        count: u32,
        /// Minimum number of entries allowed.
        min: u32,
        /// Maximum number of entries allowed.
        max: u32,
    },
    /// A string offset lies beyond the end of the string pool.
    StringOffset {
        /// Table that holds the offset.
        table: Table,
        /// Entry of that table.
        index: u32,
        /// String offset in bytes.
        offset: u32,
        /// Size of the string pool in bytes.
        pool: usize,
    },
    /// A global or field definition refers to words that do not exist.
    DefRange {
        /// [`Table::GlobalDefs`] or [`Table::FieldDefs`].
        table: Table,
        /// Entry of that table.
        index: u32,
        /// First word of the definition.
        offset: u32,
        /// Number of words that exist.
        limit: u32,
    },
    /// A function starts beyond the last statement.
    FunctionEntry {
        /// Number of the function.
        function: u32,
        /// Statement that the function starts at.
        statement: u32,
        /// Number of statements in the progs.
        limit: u32,
    },
    /// A function's locals or parameters lie beyond the globals.
    Locals {
        /// Number of the function.
        function: u32,
        /// First word of the locals.
        start: u32,
        /// Number of words for locals and parameters.
        words: u64,
        /// Number of globals in the progs.
        limit: u32,
    },
    /// A function's parameter takes more words than the globals for arguments have.
    ParameterSize {
        /// Number of the function.
        function: u32,
        /// Index of the parameter, from 0.
        parameter: usize,
        /// Size of the parameter in words.
        words: u8,
    },
    /// A statement has an opcode that this machine does not run.
    Opcode {
        /// Number of the statement.
        statement: u32,
        /// Name of the function that contains the statement.
        function: String,
        /// Opcode of the statement.
        opcode: u32,
    },
    /// A statement's operand is beyond the globals.
    Operand {
        /// Number of the statement.
        statement: u32,
        /// Name of the function that contains the statement.
        function: String,
        /// Opcode of the statement.
        opcode: u32,
        /// Global that the operand refers to.
        operand: u32,
        /// Number of globals in the progs.
        limit: u32,
    },
    /// A statement jumps out of the code.
    Jump {
        /// Number of the statement.
        statement: u32,
        /// Name of the function that contains the statement.
        function: String,
        /// Statement that the jump leads to.
        target: i64,
        /// Number of statements in the progs.
        limit: u32,
    },
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Table::Statements => "statements",
            Table::GlobalDefs => "global definitions",
            Table::FieldDefs => "field definitions",
            Table::Functions => "functions",
            Table::Strings => "strings",
            Table::Globals => "globals",
        })
    }
}

impl fmt::Display for ProgsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProgsError::ShortHeader { length, header } => {
                let bytes = if *length == 1 { "byte is" } else { "bytes are" };
                write!(f, "{length} {bytes} too few for a progs header of {header} bytes")
            }
            // Versions are small numbers: this is another file.
            ProgsError::Version { version, .. } if *version > 0xff => {
                let start = version.to_le_bytes();
                write!(f, "not compiled QuakeC: it begins with \"{}\", expected version 6 or ", start.escape_ascii())?;
                f.write_str("FTE's 7")
            }
            ProgsError::Version { version, secondary } => {
                write!(f, "progs version {version} ({secondary:#x}), expected 6 or FTE's 7")
            }
            ProgsError::HexenII { crc } => write!(f, "game code of Hexen II (checksum {crc}) is not supported"),
            ProgsError::Compressed { blocks } => write!(f, "compressed tables ({blocks:#x}) are not supported"),
            ProgsError::TableRange { table, offset, count, length } => {
                write!(f, "{count} {table} at byte {offset} do not fit in a file of {length} bytes")
            }
            ProgsError::TableSize { table, count, min, max } => {
                write!(f, "{count} {table}, expected {min} to {max}")
            }
            ProgsError::StringOffset { table, index, offset, pool } => {
                write!(f, "{table}, entry {index}: string offset {offset} is outside the pool of {pool} bytes")
            }
            ProgsError::DefRange { table, index, offset, limit } => {
                write!(f, "{table}, entry {index}: a value at word {offset} does not fit in {limit} words")
            }
            ProgsError::FunctionEntry { function, statement, limit } => {
                write!(f, "function {function} starts at statement {statement}, but there are {limit}")
            }
            ProgsError::Locals { function, start, words, limit } => {
                write!(f, "function {function}: {words} words of locals at {start} do not fit in {limit} globals")
            }
            ProgsError::ParameterSize { function, parameter, words } => {
                write!(
                    f,
                    "function {function}, parameter {parameter}: {words} words do not fit in the globals for arguments"
                )
            }
            ProgsError::Opcode { statement, function, opcode } => {
                write!(f, "{}, statement {statement}: opcode {opcode} is not supported", Shown::of(function))
            }
            ProgsError::Operand { statement, function, opcode, operand, limit } => {
                write!(
                    f,
                    "{}, statement {statement}: opcode {opcode} uses global {operand}, but there are {limit}",
                    Shown::of(function)
                )
            }
            ProgsError::Jump { statement, function, target, limit } => {
                write!(
                    f,
                    "{}, statement {statement}: jump to statement {target}, but there are {limit}",
                    Shown::of(function)
                )
            }
        }
    }
}

impl std::error::Error for ProgsError {}
