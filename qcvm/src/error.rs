//! What can be wrong with a progs file.

use std::fmt;

/// The tables of a progs file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Table {
    /// The instructions.
    Statements,
    /// Names, types and places of globals.
    GlobalDefs,
    /// Names, types and places of entity fields.
    FieldDefs,
    /// Functions and builtins.
    Functions,
    /// The pool of NUL-terminated strings.
    Strings,
    /// The values that globals start with.
    Globals,
}

/// Why a progs file is refused by [`Progs::load`](super::Progs::load).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProgsError {
    /// The file is shorter than its header.
    ShortHeader {
        /// Length of the file in bytes.
        length: usize,
        /// Length of the header of its version in bytes.
        header: usize,
    },
    /// The file is of a version other than 6 and FTE's 7.
    Version {
        /// The version.
        version: u32,
        /// The second version word of version 7, 0 for others.
        secondary: u32,
    },
    /// Some tables are compressed, which engines stopped reading long ago.
    Compressed {
        /// The mask of compressed tables.
        blocks: u32,
    },
    /// A table does not fit in the file.
    TableRange {
        /// The table.
        table: Table,
        /// Where it starts, in bytes.
        offset: u32,
        /// How many entries it claims.
        count: u32,
        /// Length of the file in bytes.
        length: usize,
    },
    /// A table is too large for the machine's address space, or too small to run.
    TableSize {
        /// The table.
        table: Table,
        /// How many entries it has.
        count: u32,
        /// The fewest it may have.
        min: u32,
        /// The most it may have.
        max: u32,
    },
    /// A string offset lies behind the end of the string pool.
    StringOffset {
        /// The table that holds the offset.
        table: Table,
        /// The entry of that table.
        index: u32,
        /// The offset.
        offset: u32,
        /// The size of the pool in bytes.
        pool: usize,
    },
    /// A global or field definition names words that do not exist.
    DefRange {
        /// [`Table::GlobalDefs`] or [`Table::FieldDefs`].
        table: Table,
        /// The entry of that table.
        index: u32,
        /// The word it starts at.
        offset: u32,
        /// The number of words there are.
        limit: u32,
    },
    /// A function starts behind the last statement.
    FunctionEntry {
        /// The function's number.
        function: u32,
        /// The statement it claims to start at.
        statement: u32,
        /// The number of statements.
        limit: u32,
    },
    /// A function's locals or parameters are not globals.
    Locals {
        /// The function's number.
        function: u32,
        /// The first word.
        start: u32,
        /// The number of words.
        words: u64,
        /// The number of globals.
        limit: u32,
    },
    /// A function's parameter takes more words than arguments are passed in.
    ParameterSize {
        /// The function's number.
        function: u32,
        /// The parameter, from 0.
        parameter: usize,
        /// Its size in words.
        words: u8,
    },
    /// A statement's opcode is not one that this machine runs.
    Opcode {
        /// The statement.
        statement: u32,
        /// The function it belongs to.
        function: String,
        /// The opcode.
        opcode: u32,
    },
    /// A statement's operand is not a global.
    Operand {
        /// The statement.
        statement: u32,
        /// The function it belongs to.
        function: String,
        /// The opcode.
        opcode: u32,
        /// The operand.
        operand: u32,
        /// The number of globals.
        limit: u32,
    },
    /// A statement jumps out of the code.
    Jump {
        /// The statement.
        statement: u32,
        /// The function it belongs to.
        function: String,
        /// The statement it jumps to.
        target: i64,
        /// The number of statements.
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
                write!(f, "{length} bytes are too few for a progs header of {header}")
            }
            ProgsError::Version { version, secondary } => {
                write!(f, "progs version {version} ({secondary:#x}), expected 6 or FTE's 7")
            }
            ProgsError::Compressed { blocks } => write!(f, "compressed tables ({blocks:#x}) are not supported"),
            ProgsError::TableRange { table, offset, count, length } => {
                write!(f, "{count} {table} at byte {offset} do not fit in a file of {length} bytes")
            }
            ProgsError::TableSize { table, count, min, max } => {
                write!(f, "{count} {table}, expected {min} to {max}")
            }
            ProgsError::StringOffset { table, index, offset, pool } => {
                write!(f, "{table}, entry {index}: string offset {offset} in a pool of {pool} bytes")
            }
            ProgsError::DefRange { table, index, offset, limit } => {
                write!(f, "{table}, entry {index}: word {offset} of {limit}")
            }
            ProgsError::FunctionEntry { function, statement, limit } => {
                write!(f, "function {function} starts at statement {statement} of {limit}")
            }
            ProgsError::Locals { function, start, words, limit } => {
                write!(f, "function {function} has {words} words of locals at {start} of {limit} globals")
            }
            ProgsError::ParameterSize { function, parameter, words } => {
                write!(f, "function {function}, parameter {parameter}: {words} words")
            }
            ProgsError::Opcode { statement, function, opcode } => {
                write!(f, "{function}, statement {statement}: opcode {opcode} is not supported")
            }
            ProgsError::Operand { statement, function, opcode, operand, limit } => {
                write!(f, "{function}, statement {statement}: opcode {opcode} uses global {operand} of {limit}")
            }
            ProgsError::Jump { statement, function, target, limit } => {
                write!(f, "{function}, statement {statement}: jump to statement {target} of {limit}")
            }
        }
    }
}

impl std::error::Error for ProgsError {}
