//! Line numbers of statements, from the file that compilers write beside a progs.

use std::fmt;

use super::error::Table;
use super::load::word;
use super::progs::Progs;

/// First bytes of a file of line numbers.
const MAGIC: &[u8; 4] = b"LNOF";
/// Number of bytes before the line numbers: the magic bytes, the version, and the sizes of four tables of the progs.
const HEADER: usize = 24;
/// Tables whose sizes the header repeats, in its order.
const TABLES: [Table; 4] = [Table::GlobalDefs, Table::Globals, Table::FieldDefs, Table::Statements];

/// Reasons why [`Progs::load_lines`] refuses a file.
///
/// # Example
/// ```
/// use skelobj_qcvm::{LinesError, Progs};
///
/// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
/// let mut progs = Progs::load(bytes)?;
/// let error = progs.load_lines(b"LNOF\x02\0\0\0................").unwrap_err();
/// assert_eq!(error, LinesError::Version(2));
/// assert_eq!(error.to_string(), "line numbers of version 2, expected 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LinesError {
    /// The file does not start with `LNOF` or is shorter than its header.
    NotLines,
    /// The version, given here, is not 1.
    Version(u32),
    /// The file was written for another progs, usually an older one: a table has another size.
    OtherProgs {
        /// Table of the progs.
        table: Table,
        /// Number of entries that the file states.
        found: u32,
        /// Number of entries in the progs.
        expected: u32,
    },
    /// The file has not one line number for each statement.
    Length {
        /// Number of bytes in the file.
        found: usize,
        /// Number of bytes that the statements of the progs need.
        expected: usize,
    },
}

impl fmt::Display for LinesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotLines => f.write_str("not a file of line numbers (LNOF)"),
            Self::Version(version) => write!(f, "line numbers of version {version}, expected 1"),
            Self::OtherProgs { table, found, expected } => {
                write!(f, "line numbers of another progs with {found} {table}, expected {expected}")
            }
            Self::Length { found, expected } => write!(f, "{found} bytes of line numbers, expected {expected}"),
        }
    }
}

impl std::error::Error for LinesError {}

impl Progs {
    /// Loads the line numbers of the statements, so that errors name lines.
    ///
    /// `bytes` is the `.lno` file that fteqcc or gmqcc writes beside the progs: version 1 of FTE's format, with or
    /// without the columns of gmqcc, which are not kept. A later call replaces the line numbers.
    ///
    /// # Errors
    /// A [`LinesError`] if the file is damaged or belongs to another progs; the line numbers do not change.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::stdlib::Console;
    /// use skelobj_qcvm::{Machine, Progs};
    ///
    /// let mut progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// progs.load_lines(&std::fs::read("examples/game.lno")?)?;
    /// let mut console = Console::new(&progs, |_| ());
    /// let mut machine = Machine::new(progs.into());
    /// let press_button = machine.find_function(b"press_button").ok_or("no press_button")?;
    /// let error = machine.call(press_button, &mut console).unwrap_err();
    /// assert_eq!(error.to_string(), "game.qc:53: press_button: unknown builtin \"schedule\"");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load_lines(&mut self, bytes: &[u8]) -> Result<(), LinesError> {
        if !bytes.starts_with(MAGIC) || bytes.len() < HEADER {
            return Err(LinesError::NotLines);
        }
        match word(bytes, 4) {
            1 => (),
            version => return Err(LinesError::Version(version)),
        }
        for (number, (table, expected)) in TABLES.into_iter().zip(self.sizes).enumerate() {
            let found = word(bytes, 8 + 4 * number);
            if found != expected {
                return Err(LinesError::OtherProgs { table, found, expected });
            }
        }
        let expected = HEADER + 4 * self.code.len();
        // After the lines, gmqcc writes the columns.
        if ![expected, expected + 4 * self.code.len()].contains(&bytes.len()) {
            return Err(LinesError::Length { found: bytes.len(), expected });
        }
        let lines = bytes.get(HEADER..expected).unwrap_or_default();
        self.lines = lines.chunks_exact(4).map(|line| word(line, 0)).collect();
        Ok(())
    }

    /// Returns the line of a statement in its source file; `None` without [line numbers](Self::load_lines), and for a
    /// statement that the compiler added.
    #[must_use]
    pub fn line(&self, statement: u32) -> Option<u32> {
        self.lines.get(statement as usize).copied().filter(|line| (1..=i32::MAX as u32).contains(line))
    }
}
