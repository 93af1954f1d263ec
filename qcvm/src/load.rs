//! Loading of [`Progs`], with every check that running them relies on.

use super::argument_types::ArgumentWrites;
use super::decode::decode;
use super::error::{ProgsError, Table};
use super::opcode::{Instruction, Op, Shape};
use super::progs::{Builtin, Definition, Entry, Function, FunctionId, Progs, Type};
use super::{ARGUMENTS, FIRST_ARGUMENT, MAX_GLOBALS, MAX_STATEMENTS, MAX_STRINGS, RESERVED_GLOBALS};
use std::sync::OnceLock;

const HEADER: usize = 60;
const EXTENDED_HEADER: usize = 92;
/// Mark of FTE's files with statements of four 16-bit words: "1FTE" xor "PROG".
const FTE16: u32 = u32::from_le_bytes([b'1' ^ b'P', b'F' ^ b'R', b'T' ^ b'O', b'E' ^ b'G']);
/// Mark of FTE's files with statements of four 32-bit words: "1FTE" xor "32B ".
const FTE32: u32 = u32::from_le_bytes([b'1' ^ b'3', b'F' ^ b'2', b'T' ^ b'B', b'E' ^ b' ']);
/// Checksums of the definitions of Hexen II: the game, its mission pack, and its demo.
const HEXEN_II: [u32; 3] = [38488, 26905, 14046];
const FUNCTION_SIZE: u32 = 36;
/// Maximum number of words in an entity: the reach of 16-bit field offsets.
const MAX_ENTITY_WORDS: u32 = 1 << 16;

/// Returns the little-endian word at `offset`; 0 outside, which table checks have ruled out.
pub(super) fn word(bytes: &[u8], offset: usize) -> u32 {
    bytes.get(offset..).and_then(|b| b.first_chunk()).map_or(0, |b| u32::from_le_bytes(*b))
}

fn half(bytes: &[u8], offset: usize) -> u16 {
    bytes.get(offset..).and_then(|b| b.first_chunk()).map_or(0, |b| u16::from_le_bytes(*b))
}

/// Returns the bytes of a table whose header words are at `field`: offset, then count of entries of `size` bytes.
fn table(bytes: &[u8], table: Table, field: usize, size: u32) -> Result<&[u8], ProgsError> {
    let (offset, count) = (word(bytes, field), word(bytes, field + 4));
    let end = u64::from(offset) + u64::from(count) * u64::from(size);
    let range = usize::try_from(end).ok().and_then(|end| bytes.get(offset as usize..end));
    range.ok_or(ProgsError::TableRange { table, offset, count, length: bytes.len() })
}

fn at_most(table: Table, count: usize, min: u32, max: u32) -> Result<(), ProgsError> {
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    if (min..=max).contains(&count) { Ok(()) } else { Err(ProgsError::TableSize { table, count, min, max }) }
}

impl Progs {
    /// Loads a progs file of version 6, or of FTE's version 7 with 16-bit or 32-bit statements.
    ///
    /// Every table, string offset, definition and function is checked here, once, and so are each statement's opcode,
    /// operands and jumps. The [checksum](Progs::crc) differs between server and client code; only those of Hexen II
    /// are refused.
    ///
    /// # Errors
    /// A [`ProgsError`] with the first defect and its position in the file.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Progs, ProgsError};
    ///
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/game.dat"));
    /// assert!(Progs::load(bytes)?.function(b"spawn_monster").is_some());
    /// assert!(matches!(Progs::load(&bytes[..100]), Err(ProgsError::TableRange { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load(bytes: &[u8]) -> Result<Progs, ProgsError> {
        let short = |header| ProgsError::ShortHeader { length: bytes.len(), header };
        if bytes.len() < HEADER {
            return Err(short(HEADER));
        }
        let version = word(bytes, 0);
        let wide = match version {
            6 => false,
            7 if bytes.len() < EXTENDED_HEADER => return Err(short(EXTENDED_HEADER)),
            7 => match word(bytes, 88) {
                FTE16 => false,
                FTE32 => true,
                secondary => return Err(ProgsError::Version { version, secondary }),
            },
            _ => return Err(ProgsError::Version { version, secondary: 0 }),
        };
        if version == 6 && HEXEN_II.contains(&word(bytes, 4)) {
            return Err(ProgsError::HexenII { crc: word(bytes, 4) });
        }
        if version == 7 && word(bytes, 84) != 0 {
            return Err(ProgsError::Compressed { blocks: word(bytes, 84) });
        }

        let (statement_size, def_size) = if wide { (16, 12) } else { (8, 8) };
        let statements = table(bytes, Table::Statements, 8, statement_size)?;
        let global_defs = table(bytes, Table::GlobalDefs, 16, def_size)?;
        let field_defs = table(bytes, Table::FieldDefs, 24, def_size)?;
        let functions = table(bytes, Table::Functions, 32, FUNCTION_SIZE)?;
        let strings = table(bytes, Table::Strings, 40, 1)?;
        let globals = table(bytes, Table::Globals, 48, 4)?;
        let entity_words = word(bytes, 56);
        at_most(Table::Statements, statements.len() / statement_size as usize, 0, MAX_STATEMENTS)?;
        at_most(Table::Strings, strings.len(), 0, MAX_STRINGS)?;
        at_most(Table::Globals, globals.len() / 4, RESERVED_GLOBALS, MAX_GLOBALS)?;
        at_most(Table::FieldDefs, entity_words as usize, 0, MAX_ENTITY_WORDS)?;

        let mut progs = Progs {
            code: Vec::new(),
            copies: Vec::new(),
            functions: Vec::new(),
            entries: Vec::new(),
            builtins: Vec::new(),
            global_defs: Vec::new(),
            field_defs: Vec::new(),
            strings: strings.to_vec(),
            globals: globals.chunks_exact(4).map(|b| word(b, 0)).collect(),
            entity_words,
            version,
            crc: word(bytes, 4),
            sizes: [20, 52, 28, 12].map(|field| word(bytes, field)),
            argument_writes: ArgumentWrites::default(),
            word_types: OnceLock::new(),
            lines: Vec::new(),
        };
        let count = progs.globals.len() as u32;
        progs.global_defs = progs.definitions(Table::GlobalDefs, global_defs, wide, count)?;
        progs.field_defs = progs.definitions(Table::FieldDefs, field_defs, wide, entity_words)?;
        progs.read_functions(functions, statements.len() as u32 / statement_size)?;
        progs.read_statements(statements, wide)?;
        Ok(progs)
    }

    fn check_string(&self, table: Table, index: u32, offset: u32) -> Result<(), ProgsError> {
        if offset == 0 || (offset as usize) < self.strings.len() {
            return Ok(());
        }
        Err(ProgsError::StringOffset { table, index, offset, pool: self.strings.len() })
    }

    fn definitions(&self, table: Table, bytes: &[u8], wide: bool, limit: u32) -> Result<Vec<Definition>, ProgsError> {
        let size = if wide { 12 } else { 8 };
        let mut defs = Vec::with_capacity(bytes.len() / size);
        for (index, b) in (0u32..).zip(bytes.chunks_exact(size)) {
            let (kind, offset, name) = if wide {
                (word(b, 0), word(b, 4), word(b, 8))
            } else {
                (u32::from(half(b, 0)), u32::from(half(b, 2)), word(b, 4))
            };
            self.check_string(table, index, name)?;
            let kind = Type::new(kind);
            if u64::from(offset) + u64::from(kind.words()) > u64::from(limit) {
                return Err(ProgsError::DefRange { table, index, offset, limit });
            }
            defs.push(Definition { name, kind, offset });
        }
        Ok(defs)
    }

    fn read_functions(&mut self, bytes: &[u8], statements: u32) -> Result<(), ProgsError> {
        let limit = self.globals.len() as u32;
        for (index, b) in (0u32..).zip(bytes.chunks_exact(FUNCTION_SIZE as usize)) {
            let (first, first_local, locals) = (word(b, 0) as i32, word(b, 4), word(b, 8));
            let (name, file, parameters) = (word(b, 16), word(b, 20), word(b, 24) as i32);
            let sizes: [u8; ARGUMENTS] = b.get(28..).and_then(|b| b.first_chunk().copied()).unwrap_or_default();
            self.check_string(Table::Functions, index, name)?;
            self.check_string(Table::Functions, index, file)?;
            let entry = match first {
                0 if self.name(name).is_empty() || index == 0 => Entry::Null,
                ..=0 => {
                    let builtin = self.builtins.len() as u32;
                    self.builtins.push(Builtin {
                        index: builtin,
                        number: first.unsigned_abs(),
                        function: FunctionId(index),
                        name: self.name(name).into(),
                    });
                    Entry::Builtin(builtin)
                }
                _ if first as u32 >= statements => {
                    let statement = first as u32;
                    return Err(ProgsError::FunctionEntry { function: index, statement, limit: statements });
                }
                _ => Entry::Statement(first as u32),
            };
            // Negative counts mark variable arguments, which only builtins can read.
            let parameters = parameters.clamp(0, ARGUMENTS as i32) as u8;
            // New versions of fteqcc count locals beyond the globals, which no statement can refer to.
            let locals = locals.min(limit.saturating_sub(first_local));
            let function = Function { first_local, locals, parameters, sizes, name, file };
            if matches!(entry, Entry::Statement(_)) {
                function.check(index, limit)?;
            }
            self.functions.push(function);
            self.entries.push(entry);
        }
        Ok(())
    }

    fn read_statements(&mut self, bytes: &[u8], wide: bool) -> Result<(), ProgsError> {
        let size = if wide { 16 } else { 8 };
        let limit = bytes.len() as u32 / size as u32;
        let mut code = Vec::with_capacity(limit as usize);
        for (statement, b) in (0u32..).zip(bytes.chunks_exact(size)) {
            let raw = if wide {
                [word(b, 0), word(b, 4), word(b, 8), word(b, 12)]
            } else {
                [half(b, 0), half(b, 2), half(b, 4), half(b, 6)].map(u32::from)
            };
            code.push(self.instruction(statement, limit, raw, wide)?);
            self.argument_writes.note(statement, raw);
        }
        self.copies = join_stores(&mut code);
        join_tests(&mut code);
        self.code = code;
        Ok(())
    }

    fn instruction(
        &self,
        statement: u32,
        limit: u32,
        [opcode, a, b, c]: [u32; 4],
        wide: bool,
    ) -> Result<Instruction, ProgsError> {
        let Some((op, shape, argc)) = decode(opcode) else {
            return Err(ProgsError::Opcode { statement, function: self.function_at(statement), opcode });
        };
        let globals = self.globals.len() as u32;
        let global = |operand: u32| {
            if operand < globals {
                return Ok(operand);
            }
            let function = self.function_at(statement);
            Err(ProgsError::Operand { statement, function, opcode, operand, limit: globals })
        };
        let jump = |operand: u32| {
            let distance = if wide { operand as i32 } else { i32::from(operand as u16 as i16) };
            let target = i64::from(statement) + i64::from(distance);
            match u32::try_from(target) {
                Ok(target) if target < limit => Ok(target),
                _ => Err(ProgsError::Jump { statement, function: self.function_at(statement), target, limit }),
            }
        };
        let [a, b, c] = match shape {
            Shape::Abc => [global(a)?, global(b)?, global(c)?],
            Shape::Ab => [global(a)?, global(b)?, 0],
            Shape::Ac => [global(a)?, 0, global(c)?],
            Shape::A => [global(a)?, 0, 0],
            Shape::C => [0, 0, global(c)?],
            Shape::Jump => [jump(a)?, 0, 0],
            Shape::AJump => [global(a)?, jump(b)?, 0],
            Shape::AbJump => [global(a)?, global(b)?, jump(c)?],
            Shape::ALimits => [global(a)?, b, c],
            // The word before the array is its last index.
            Shape::Array => [global(a.wrapping_sub(1))? + 1, global(b)?, global(c)?],
        };
        Ok(Instruction { op, argc, more: 0, a, b, c })
    }
}

/// Joins consecutive stores, and the call that their arguments are for, so that they run as one; returns the copies
/// that they make, word by word.
///
/// Each store records how many follow it, so a jump may lead to any of them. Stores with operands beyond 16 bits stay
/// separate.
fn join_stores(code: &mut [Instruction]) -> Vec<[u16; 2]> {
    let is_near = |i: &Instruction| i.op.is_store() && i.a.max(i.b) <= u32::from(u16::MAX) - 2;
    let words = |store: &Instruction| if store.op == Op::StoreV { 3 } else { 1 };
    let mut copies = Vec::new();
    let mut rest = code;
    while let Some(start) = rest.iter().position(is_near) {
        // No call has that many arguments; other sequences of that length run in pieces.
        let run = rest.get_mut(start..).unwrap_or_default();
        let length = run.iter().take(usize::from(u8::MAX) - 1).take_while(|i| is_near(i)).count();
        let (run, after) = run.split_at_mut(length);
        let call = after.first().filter(|next| next.op == Op::Call).copied();
        if length > 1 || call.is_some() {
            let (op, argc, c) = call.map_or((Op::Stores, 0, 0), |call| (Op::Arguments, call.argc, call.a));
            let end = copies.len() as u32 + run.iter().map(words).sum::<u32>();
            let more = length as u8 - 1 + u8::from(call.is_some());
            for (store, more) in run.iter_mut().zip((0..=more).rev()) {
                let start = copies.len() as u32;
                copies.extend((0..words(store)).map(|word| [(store.a + word) as u16, (store.b + word) as u16]));
                *store = Instruction { op, argc, more, a: start, b: end, c };
            }
        }
        rest = after;
    }
    copies
}

/// Replaces comparisons by operations that include the test of the result, where that is the next statement.
///
/// The statement that tests stays, since a jump may lead to it.
fn join_tests(code: &mut [Instruction]) {
    let mut rest = code;
    while let [compare, after @ ..] = rest {
        let tests = |next: &Instruction| matches!(next.op, Op::IfNot | Op::IfNotF) && next.a == compare.c;
        if let Some(op) = compare.op.with_test().filter(|_| after.first().is_some_and(tests)) {
            compare.op = op;
        }
        rest = after;
    }
}

impl Function {
    /// Checks that parameters fit in the globals for arguments, and that parameters and locals lie within the globals.
    fn check(&self, function: u32, limit: u32) -> Result<(), ProgsError> {
        let mut words = 0u64;
        for (parameter, &size) in self.sizes.iter().take(usize::from(self.parameters)).enumerate() {
            if FIRST_ARGUMENT as usize + parameter * 3 + usize::from(size) > RESERVED_GLOBALS as usize {
                return Err(ProgsError::ParameterSize { function, parameter, words: size });
            }
            words += u64::from(size);
        }
        let words = words.max(u64::from(self.locals));
        if u64::from(self.first_local) + words > u64::from(limit) {
            return Err(ProgsError::Locals { function, start: self.first_local, words, limit });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_marks_of_fte_are_the_documented_numbers() {
        assert_eq!((FTE16, FTE32), (0x021b_1461, 0x6516_7402));
    }
}
