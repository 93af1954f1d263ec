//! Statements that put the arguments of calls in place. A progs does not state the types of a builtin's parameters, so
//! messages take them from there.

use super::{ARGUMENTS, FIRST_ARGUMENT, Type};

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
    /// The statement states it.
    Stated(Type),
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
                word if word == first => {
                    return Some(if has_parts { TypeSource::Stated(Type::Vector) } else { source });
                }
                word if word == first + 1 || word == first + 2 => has_parts = true,
                _ => (),
            }
        }
        None
    }
}

/// Returns the source of the type that a statement writes, and the global that it writes.
fn written(opcode: u32, [a, b, c]: [u32; 3]) -> Option<(TypeSource, u32)> {
    let stated = |kind, place| (TypeSource::Stated(kind), place);
    Some(match opcode {
        1 | 2 | 5 | 6 | 8 | 10..=23 | 44..=48 | 62..=65 | 92..=94 => stated(Type::Float, c),
        3 | 4 | 7 | 9 | 25 | 95..=97 => stated(Type::Vector, c),
        24 => (TypeSource::Field(b), c),
        26 => stated(Type::String, c),
        27 => stated(Type::Entity, c),
        28 => stated(Type::Field, c),
        29 => stated(Type::Function, c),
        31 => (TypeSource::Global(a), b),
        32 => stated(Type::Vector, b),
        33 => stated(Type::String, b),
        34 => stated(Type::Entity, b),
        35 => stated(Type::Field, b),
        36 => stated(Type::Function, b),
        113 => stated(Type::Integer, b),
        126 => stated(Type::Integer, c),
        152 => stated(Type::Pointer, b),
        153 => stated(Type::Pointer, c),
        _ => return None,
    })
}
