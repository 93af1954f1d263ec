//! Network messages that client code reads, and the builtins that read them.

use std::fmt;

use super::call::Call;
use super::messages::Written;
use crate::{Fault, Location, Machine};

/// Number that a read past the end of a message returns.
const PAST_END: f32 = -1.0;
/// Degrees of a unit of an angle.
const ANGLE: f32 = 360.0 / 65536.0;

/// Kind of a value in a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Byte,
    Char,
    Short,
    Long,
    Coord,
    Angle,
    Float,
    String,
    Entity,
}

impl Kind {
    fn of(written: &Written) -> Self {
        match written {
            Written::Byte(_) => Self::Byte,
            Written::Char(_) => Self::Char,
            Written::Short(_) => Self::Short,
            Written::Long(_) => Self::Long,
            Written::Coord(_) => Self::Coord,
            Written::Angle(_) => Self::Angle,
            Written::Float(_) => Self::Float,
            Written::String(_) => Self::String,
            Written::Entity(_) => Self::Entity,
        }
    }

    /// Returns `true` if code may read a value of one kind as another: they have the same bits in every engine.
    fn reads_as(self, other: Self) -> bool {
        self == other || matches!((self, other), (Self::Byte, Self::Char) | (Self::Char, Self::Byte))
    }
}

/// Message for `readbyte` and its relatives, in the order in which its parts were written.
///
/// The message has the bytes that FTE and DarkPlaces send: coordinates are floats, angles have 16 bits, and numbers of
/// entities, too. A read past the end returns -1 or an empty text.
///
/// # Example
/// ```
/// use skelobj_qcvm::stdlib::{MessageReader, Written};
///
/// let message = MessageReader::new([Written::Byte(7), Written::Coord(-12.5), Written::String((*b"ogre").into())]);
/// assert_eq!((message.size(), message.unread()), (10, 10)); // a zero ends a text
/// assert_eq!(message.problem(), None); // no code has read it
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MessageReader {
    bytes: Vec<u8>,
    /// Kinds of the parts, and where they begin.
    parts: Vec<(usize, Kind)>,
    at: usize,
    problem: Option<ReadProblem>,
}

impl MessageReader {
    /// Creates a message of parts that were written one after the other.
    pub fn new(written: impl IntoIterator<Item = Written>) -> Self {
        let mut message = Self::default();
        for part in written {
            message.parts.push((message.bytes.len(), Kind::of(&part)));
            match part {
                Written::Byte(value) => message.bytes.push(value),
                Written::Char(value) => message.bytes.push(value as u8),
                Written::Short(value) => message.bytes.extend(value.to_le_bytes()),
                Written::Long(value) => message.bytes.extend(value.to_le_bytes()),
                Written::Coord(value) | Written::Float(value) => message.bytes.extend(value.to_le_bytes()),
                Written::Angle(degrees) => {
                    message.bytes.extend(((degrees / ANGLE).round() as i64 as u16).to_le_bytes())
                }
                Written::Entity(number) => message.bytes.extend((number as u16).to_le_bytes()),
                Written::String(text) => {
                    message.bytes.extend(&text);
                    message.bytes.push(0);
                }
            }
        }
        message
    }

    /// Returns the size of the message in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the number of bytes that no code has read.
    #[must_use]
    pub fn unread(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Returns the first mistake of the code that reads the message: a read past its end, or of another kind than what
    /// was written there.
    #[must_use]
    pub fn problem(&self) -> Option<&ReadProblem> {
        self.problem.as_ref()
    }

    /// Reads some bytes, `None` past the end.
    fn read<const N: usize>(&mut self, kind: Kind, place: &Place<'_>) -> Option<[u8; N]> {
        self.check(kind, N, place);
        let bytes = self.bytes.get(self.at..).and_then(|rest| rest.first_chunk()).copied();
        self.at = if bytes.is_some() { self.at + N } else { self.bytes.len() };
        bytes
    }

    /// Reads a text to its zero, or to the end.
    fn read_text(&mut self, place: &Place<'_>) -> Vec<u8> {
        self.check(Kind::String, 1, place);
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let length = rest.iter().position(|byte| *byte == 0);
        let text = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default().to_vec();
        self.at = (self.at + text.len() + 1).min(self.bytes.len());
        text
    }

    /// Notes the first mistake.
    fn check(&mut self, read: Kind, size: usize, place: &Place<'_>) {
        if self.problem.is_some() {
            return;
        }
        let number = self.parts.partition_point(|(start, _)| *start <= self.at);
        let part = number.checked_sub(1).and_then(|number| self.parts.get(number));
        let mistake = match part {
            _ if self.unread() < size => Mistake::PastEnd(self.size()),
            Some((start, written)) if *start == self.at && read.reads_as(*written) => return,
            Some((_, written)) => Mistake::Kind(*written),
            None => return,
        };
        self.problem = Some(ReadProblem { read: place.builtin, mistake, location: place.machine.call_location() });
    }
}

/// Running builtin.
struct Place<'a> {
    builtin: &'static str,
    machine: &'a Machine,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mistake {
    PastEnd(usize),
    Kind(Kind),
}

/// First mistake of the code that reads a [`MessageReader`], with the place of the call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadProblem {
    /// Builtin that reads.
    read: &'static str,
    mistake: Mistake,
    location: Option<Location>,
}

impl fmt::Display for ReadProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(location) = &self.location {
            write!(f, "{location}: ")?;
        }
        match self.mistake {
            Mistake::PastEnd(size) => {
                write!(f, "{} reads past the end of the message, which has {size} bytes", self.read)
            }
            Mistake::Kind(written) => write!(f, "{} reads what Write{written:?} wrote", self.read),
        }
    }
}

/// Reads bytes of the message, `None` past its end.
fn read<const N: usize>(call: &mut Call<'_>, kind: Kind) -> Result<Option<[u8; N]>, Fault> {
    let Some(message) = call.host.incoming() else { return Err(no_message(call)) };
    Ok(message.read(kind, &Place { builtin: call.builtin.name, machine: call.machine }))
}

/// Returns the fault of a call outside of the functions that read messages.
fn no_message(call: &Call<'_>) -> Fault {
    call.fault("there is no message to read")
}

/// Returns a number to the script, or -1 past the end of the message.
fn give<const N: usize>(call: &mut Call<'_>, kind: Kind, value: impl Fn([u8; N]) -> f32) -> Result<(), Fault> {
    let value = read(call, kind)?.map_or(PAST_END, value);
    call.return_float(value)
}

/// Runs `readbyte` (#360).
pub(super) fn byte(call: &mut Call<'_>) -> Result<(), Fault> {
    give(call, Kind::Byte, |bytes| u8::from_le_bytes(bytes).into())
}

/// Runs `readchar` (#361).
pub(super) fn char(call: &mut Call<'_>) -> Result<(), Fault> {
    give(call, Kind::Char, |bytes| i8::from_le_bytes(bytes).into())
}

/// Runs `readshort` (#362).
pub(super) fn short(call: &mut Call<'_>) -> Result<(), Fault> {
    give(call, Kind::Short, |bytes| i16::from_le_bytes(bytes).into())
}

/// Runs `readlong` (#363).
pub(super) fn long(call: &mut Call<'_>) -> Result<(), Fault> {
    give(call, Kind::Long, |bytes| i32::from_le_bytes(bytes) as f32)
}

/// Runs `readint`, which returns an integer.
pub(super) fn int(call: &mut Call<'_>) -> Result<(), Fault> {
    let value = read(call, Kind::Long)?.map_or(-1, i32::from_le_bytes);
    call.machine.return_bits(value as u32);
    Ok(())
}

/// Runs `readcoord` (#364).
pub(super) fn coord(call: &mut Call<'_>) -> Result<(), Fault> {
    give(call, Kind::Coord, f32::from_le_bytes)
}

/// Runs `readangle` (#365).
pub(super) fn angle(call: &mut Call<'_>) -> Result<(), Fault> {
    give(call, Kind::Angle, |bytes| f32::from(i16::from_le_bytes(bytes)) * ANGLE)
}

/// Runs `readstring` (#366).
pub(super) fn string(call: &mut Call<'_>) -> Result<(), Fault> {
    let Some(message) = call.host.incoming() else { return Err(no_message(call)) };
    let text = message.read_text(&Place { builtin: call.builtin.name, machine: call.machine });
    call.charge_bytes(text.len())?;
    call.return_string(&text)
}

/// Runs `readfloat` (#367).
pub(super) fn float(call: &mut Call<'_>) -> Result<(), Fault> {
    give(call, Kind::Float, f32::from_le_bytes)
}

/// Runs `readentitynum` (#368).
pub(super) fn entity(call: &mut Call<'_>) -> Result<(), Fault> {
    give(call, Kind::Entity, |bytes| u16::from_le_bytes(bytes).into())
}
