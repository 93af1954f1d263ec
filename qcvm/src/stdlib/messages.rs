//! Network messages that scripts write, and the builtins that write them.

use super::call::Call;
use crate::Fault;
use crate::shown::Shown;

/// Maximum number of parts that a log keeps.
const MOST: usize = 1 << 16;
/// Maximum number of bytes of text that a log keeps.
const MAX_TEXT: usize = 1 << 20;

/// Part of a network message, written by one call of a builtin.
///
/// # Example
/// ```
/// use skelobj_qcvm::stdlib::{MessageLog, MessagePart, Written};
///
/// let mut log = MessageLog::default();
/// log.push(MessagePart { destination: 0, written: Written::Byte(23) }); // SVC_TEMPENTITY
/// assert_eq!(log.parts()[0].written, Written::Byte(23));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct MessagePart {
    /// Argument `to`: 0 `MSG_BROADCAST`, 1 `MSG_ONE`, 2 `MSG_ALL`, 3 `MSG_INIT`, 4 `MSG_MULTICAST`, 5 `MSG_ENTITY`.
    pub destination: i32,
    /// Value with its type.
    pub written: Written,
}

/// Value of a [`MessagePart`], as its builtin reduces it.
///
/// # Example
/// ```
/// use skelobj_qcvm::stdlib::Written;
///
/// let text = Written::String(b"exploded".as_slice().into());
/// assert_ne!(text, Written::Entity(8));
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Written {
    /// Value of `WriteByte`, its low 8 bits.
    Byte(u8),
    /// Value of `WriteChar`, its low 8 bits.
    Char(i8),
    /// Value of `WriteShort`, its low 16 bits.
    Short(i16),
    /// Value of `WriteLong` and of `WriteInt`.
    Long(i32),
    /// Value of `WriteCoord`, Quake units.
    Coord(f32),
    /// Value of `WriteAngle`, degrees.
    Angle(f32),
    /// Value of `WriteFloat`.
    Float(f32),
    /// Text of `WriteString`, without a terminator.
    String(Box<[u8]>),
    /// Number of the entity of `WriteEntity`.
    Entity(u32),
}

impl std::fmt::Display for Written {
    /// Writes the type and the value: `Coord 12.25`, `String "boom"`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Byte(value) => write!(f, "Byte {value}"),
            Self::Char(value) => write!(f, "Char {value}"),
            Self::Short(value) => write!(f, "Short {value}"),
            Self::Long(value) => write!(f, "Long {value}"),
            Self::Coord(value) => write!(f, "Coord {value}"),
            Self::Angle(value) => write!(f, "Angle {value}"),
            Self::Float(value) => write!(f, "Float {value}"),
            Self::String(text) => write!(f, "String \"{}\"", Shown::of(text)),
            Self::Entity(number) => write!(f, "Entity {number}"),
        }
    }
}

/// Log of the parts that scripts wrote.
///
/// A log keeps 65,536 parts with 1 MiB of text; further parts are dropped until the host takes the log.
///
/// # Example
/// ```
/// use skelobj_qcvm::stdlib::{MessageLog, MessagePart, Written};
///
/// let mut log = MessageLog::default();
/// log.push(MessagePart { destination: 5, written: Written::Float(0.5) });
/// assert_eq!(log.take().len(), 1);
/// assert!(log.parts().is_empty());
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MessageLog {
    parts: Vec<MessagePart>,
    text: usize,
    dropped: u64,
}

impl MessageLog {
    /// Adds a part, unless the log is full.
    pub fn push(&mut self, part: MessagePart) {
        let text = if let Written::String(text) = &part.written { text.len() } else { 0 };
        if self.parts.len() >= MOST || self.text + text > MAX_TEXT {
            self.dropped += 1;
            return;
        }
        self.text += text;
        self.parts.push(part);
    }

    /// Returns the parts in the order in which they were written.
    #[must_use]
    pub fn parts(&self) -> &[MessagePart] {
        &self.parts
    }

    /// Returns the number of parts that were dropped because the log was full.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Returns the parts and empties the log.
    pub fn take(&mut self) -> Vec<MessagePart> {
        self.text = 0;
        std::mem::take(&mut self.parts)
    }
}

fn write(call: &mut Call<'_>, written: Written) -> Result<(), Fault> {
    let destination = call.integer(0);
    if let Some(log) = call.host.messages() {
        log.push(MessagePart { destination, written });
    }
    Ok(())
}

/// Runs `WriteByte` (#52).
pub(super) fn byte(call: &mut Call<'_>) -> Result<(), Fault> {
    let value = call.integer(1) as u8;
    write(call, Written::Byte(value))
}

/// Runs `WriteChar` (#53).
pub(super) fn char(call: &mut Call<'_>) -> Result<(), Fault> {
    let value = call.integer(1) as i8;
    write(call, Written::Char(value))
}

/// Runs `WriteShort` (#54).
pub(super) fn short(call: &mut Call<'_>) -> Result<(), Fault> {
    let value = call.integer(1) as i16;
    write(call, Written::Short(value))
}

/// Runs `WriteLong` (#55).
pub(super) fn long(call: &mut Call<'_>) -> Result<(), Fault> {
    let value = call.integer(1);
    write(call, Written::Long(value))
}

/// Runs `WriteInt`, which takes an integer.
pub(super) fn int(call: &mut Call<'_>) -> Result<(), Fault> {
    let value = call.machine.argument_bits(1) as i32;
    write(call, Written::Long(value))
}

/// Runs `WriteCoord` (#56).
pub(super) fn coord(call: &mut Call<'_>) -> Result<(), Fault> {
    let value = call.float(1);
    write(call, Written::Coord(value))
}

/// Runs `WriteAngle` (#57).
pub(super) fn angle(call: &mut Call<'_>) -> Result<(), Fault> {
    let value = call.float(1);
    write(call, Written::Angle(value))
}

/// Runs `WriteFloat` (#280).
pub(super) fn float(call: &mut Call<'_>) -> Result<(), Fault> {
    let value = call.float(1);
    write(call, Written::Float(value))
}

/// Runs `WriteString` (#58).
pub(super) fn string(call: &mut Call<'_>) -> Result<(), Fault> {
    let text = call.string(1)?.into();
    write(call, Written::String(text))
}

/// Runs `WriteEntity` (#59).
pub(super) fn entity(call: &mut Call<'_>) -> Result<(), Fault> {
    let entity = call.machine.argument_entity(1)?;
    write(call, Written::Entity(entity))
}
