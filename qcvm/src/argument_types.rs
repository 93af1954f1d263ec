//! Statements that put the arguments of calls in place. A progs does not state the types of a builtin's parameters, so
//! messages take them from there.

use super::{ARGUMENTS, FIRST_ARGUMENT};

/// Numbers of types in a progs.
const STRING: u32 = 1;
const FLOAT: u32 = 2;
const VECTOR: u32 = 3;
const ENTITY: u32 = 4;
const FIELD: u32 = 5;
const FUNCTION: u32 = 6;
const POINTER: u32 = 7;
const INTEGER: u32 = 8;

/// Statements of a progs that write arguments, and calls, which end the writing; in the order of the statements.
#[derive(Debug, Default)]
pub(super) struct ArgumentWrites(Vec<Write>);

#[derive(Clone, Copy, Debug)]
struct Write {
    statement: u32,
    /// Word of the arguments that is written, and the source of its type; `None` for a call.
    word: Option<(u8, TypeSource)>,
}

/// Source of the type of an argument.
#[derive(Clone, Copy, Debug)]
pub(super) enum TypeSource {
    /// Number of the type.
    Number(u32),
    /// Global that was copied. Compilers copy words of all types as floats.
    Global(u32),
    /// Global with the offset of the field that was read.
    Field(u32),
}

impl ArgumentWrites {
    /// Notes what a statement writes; the operands are those in the file.
    pub(super) fn note(&mut self, statement: u32, [opcode, a, b, c]: [u32; 4]) {
        if matches!(opcode, 51..=59 | 105..=112) {
            self.0.push(Write { statement, word: None });
        } else if let Some((source, place)) = written(opcode, [a, b, c]) {
            let word = place.checked_sub(FIRST_ARGUMENT).filter(|word| (*word as usize) < 3 * ARGUMENTS);
            if let Some(word) = word {
                self.0.push(Write { statement, word: Some((word as u8, source)) });
            }
        }
    }

    /// Returns the source of the type of argument `number` of the call at a statement.
    pub(super) fn source(&self, call: u32, number: usize) -> Option<TypeSource> {
        let before = self.0.get(..self.0.partition_point(|write| write.statement < call))?;
        let first = 3 * number;
        let mut has_parts = false;
        for write in before.iter().rev() {
            let (word, source) = write.word?;
            match usize::from(word) {
                word if word == first => return Some(if has_parts { TypeSource::Number(VECTOR) } else { source }),
                word if word == first + 1 || word == first + 2 => has_parts = true,
                _ => (),
            }
        }
        None
    }
}

/// Returns the source of the type that a statement writes, and the global that it writes.
fn written(opcode: u32, [a, b, c]: [u32; 3]) -> Option<(TypeSource, u32)> {
    let number = |kind, place| (TypeSource::Number(kind), place);
    Some(match opcode {
        1 | 2 | 5 | 6 | 8 | 10..=23 | 44..=48 | 62..=65 | 92..=94 => number(FLOAT, c),
        3 | 4 | 7 | 9 | 25 | 95..=97 => number(VECTOR, c),
        24 => (TypeSource::Field(b), c),
        26 => number(STRING, c),
        27 => number(ENTITY, c),
        28 => number(FIELD, c),
        29 => number(FUNCTION, c),
        31 => (TypeSource::Global(a), b),
        32 => number(VECTOR, b),
        33 => number(STRING, b),
        34 => number(ENTITY, b),
        35 => number(FIELD, b),
        36 => number(FUNCTION, b),
        113 => number(INTEGER, b),
        126 => number(INTEGER, c),
        152 => number(POINTER, b),
        153 => number(POINTER, c),
        _ => return None,
    })
}
