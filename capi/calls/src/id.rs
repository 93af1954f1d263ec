//! Ids of C: a struct for each kind of thing, so that a C compiler refuses one in the place of another.
//!
//! The struct holds the [`IdBits`] of the id: slot and use below, and the kind of thing above, which is checked when a
//! host gets around the compiler.

use std::fmt::{Display, Formatter};

use skelobj::physics::{LevelBodyId, WaterId};
use skelobj::runtime::{IdBits, ObjectId};

use crate::error::{Failure, Result, SkelobjStatus};

/// Kind of thing, which bits 24 to 27 of its id state.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SkelobjKind {
    /// Nothing: the id is all zeros.
    None = 0,
    /// World: a runtime with its objects, ragdolls and physics.
    World = 1,
    /// Model.
    Model = 2,
    /// Doll.
    Doll = 3,
    /// Player of three models.
    Player = 4,
    /// Level from a BSP file.
    Level = 5,
    /// Snapshot of a world.
    Snapshot = 6,
    /// Receiver of bones from a network.
    Receiver = 7,
    /// Skeletal object of a world.
    Object = 8,
    /// Level body of a world: a floor, a wall, a door, or the box of an entity.
    LevelBody = 9,
    /// Body of water in a world.
    Water = 10,
}

impl SkelobjKind {
    const ALL: [Self; 10] = [
        Self::World,
        Self::Model,
        Self::Doll,
        Self::Player,
        Self::Level,
        Self::Snapshot,
        Self::Receiver,
        Self::Object,
        Self::LevelBody,
        Self::Water,
    ];

    /// Returns the kind with a number.
    pub(crate) fn from_number(number: i32) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as i32 == number)
    }

    /// Returns the noun with its article.
    fn a_noun(self) -> &'static str {
        match self {
            Self::None => "a nothing",
            Self::World => "a world",
            Self::Model => "a model",
            Self::Doll => "a doll",
            Self::Player => "a player",
            Self::Level => "a level",
            Self::Snapshot => "a snapshot",
            Self::Receiver => "a receiver",
            Self::Object => "an object",
            Self::LevelBody => "a level body",
            Self::Water => "a body of water",
        }
    }

    fn noun(self) -> &'static str {
        self.a_noun().split_once(' ').map_or("", |(_, noun)| noun)
    }
}

/// Id of a world; all zeros are none.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SkelobjWorld {
    /// Kind in bits 24 to 27, number below; 0 is none.
    pub id: u32,
}

/// Id of a model; all zeros are none.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SkelobjModel {
    /// Kind in bits 24 to 27, number below; 0 is none.
    pub id: u32,
}

/// Id of a doll; all zeros are none.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SkelobjDoll {
    /// Kind in bits 24 to 27, number below; 0 is none.
    pub id: u32,
}

/// Id of a player; all zeros are none.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SkelobjPlayer {
    /// Kind in bits 24 to 27, number below; 0 is none.
    pub id: u32,
}

/// Id of a level; all zeros are none.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SkelobjLevel {
    /// Kind in bits 24 to 27, number below; 0 is none.
    pub id: u32,
}

/// Id of a snapshot; all zeros are none.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SkelobjSnapshot {
    /// Kind in bits 24 to 27, number below; 0 is none.
    pub id: u32,
}

/// Id of a receiver of bones; all zeros are none.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SkelobjReceiver {
    /// Kind in bits 24 to 27, number below; 0 is none.
    pub id: u32,
}

/// Id of a skeletal object of a world; all zeros are none.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SkelobjObject {
    /// Kind in bits 24 to 27, number below; 0 is none.
    pub id: u32,
}

/// Id of a level body of a world; all zeros are none.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SkelobjLevelBody {
    /// Kind in bits 24 to 27, number below; 0 is none.
    pub id: u32,
}

/// Id of a body of water in a world; all zeros are none.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SkelobjWater {
    /// Kind in bits 24 to 27, number below; 0 is none.
    pub id: u32,
}

/// Id struct of one kind of thing.
pub(crate) trait Id: Copy + Display {
    const KIND: SkelobjKind;
    const NONE: Self;

    /// Returns the id with these bits, whatever their kind.
    fn from_bits(bits: u32) -> Self;

    /// Returns the bits as C gave them.
    fn bits(self) -> u32;

    /// Returns the id of a number that Rust has.
    #[inline]
    fn from_number(number: u32) -> Self {
        let bits = IdBits::from_bits(number).and_then(|bits| bits.with_kind(Self::KIND as u8));
        bits.map_or(Self::NONE, |bits| Self::from_bits(bits.bits()))
    }

    #[inline]
    fn is_none(self) -> bool {
        self.bits() == 0
    }

    /// Returns the parts of an id of this kind, or why it is none.
    #[inline]
    fn checked(self) -> Result<IdBits> {
        match IdBits::from_bits(self.bits()) {
            Some(bits) if bits.kind() == Self::KIND as u8 => Ok(bits),
            _ => Err(self.refused()),
        }
    }

    /// Returns the failure of an id that nothing has.
    #[cold]
    fn refused(self) -> Failure {
        let (wanted, bits) = (Self::KIND.a_noun(), self.bits());
        let kind = IdBits::from_bits(bits).and_then(|id| SkelobjKind::from_number(id.kind().into()));
        let text = match kind {
            _ if bits == 0 => format!("the id of {wanted} is needed, but it is 0"),
            Some(kind) if kind == Self::KIND => {
                format!("{self} does not exist: its id was never given out, or it was freed")
            }
            Some(kind) => {
                format!("the id of {wanted} is needed, but it is that of {} {}", kind.noun(), number_of(bits))
            }
            None => format!("the id of {wanted} is needed, but {bits:#x} is not an id"),
        };
        Failure::new(SkelobjStatus::BadId, text)
    }
}

fn number_of(bits: u32) -> u32 {
    IdBits::from_bits(bits).map_or(0, IdBits::number)
}

macro_rules! ids {
    ($($name:ident = $kind:ident;)*) => {$(
        impl Id for $name {
            const KIND: SkelobjKind = SkelobjKind::$kind;
            const NONE: Self = Self { id: 0 };

            #[inline]
            fn from_bits(id: u32) -> Self {
                Self { id }
            }

            #[inline]
            fn bits(self) -> u32 {
                self.id
            }
        }

        impl Display for $name {
            fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
                write!(f, "{} {}", SkelobjKind::$kind.noun(), number_of(self.id))
            }
        }
    )*};
}

ids! {
    SkelobjWorld = World;
    SkelobjModel = Model;
    SkelobjDoll = Doll;
    SkelobjPlayer = Player;
    SkelobjLevel = Level;
    SkelobjSnapshot = Snapshot;
    SkelobjReceiver = Receiver;
    SkelobjObject = Object;
    SkelobjLevelBody = LevelBody;
    SkelobjWater = Water;
}

macro_rules! ids_of_a_world {
    ($($name:ident: $id:ident;)*) => {$(
        impl From<$id> for $name {
            #[inline]
            fn from(id: $id) -> Self {
                Self::from_number(id.get())
            }
        }

        impl From<Option<$id>> for $name {
            fn from(id: Option<$id>) -> Self {
                id.map_or(Self::NONE, Self::from)
            }
        }

        impl $name {
            /// Returns the id that Rust has.
            #[inline]
            pub(crate) fn get(self) -> Result<$id> {
                $id::new(self.checked()?.number()).ok_or_else(|| self.refused())
            }
        }
    )*};
}

ids_of_a_world! {
    SkelobjObject: ObjectId;
    SkelobjLevelBody: LevelBodyId;
    SkelobjWater: WaterId;
}

impl SkelobjObject {
    /// Returns the id that Rust has, or `None` for none.
    pub(crate) fn get_or_none(self) -> Result<Option<ObjectId>> {
        if self.is_none() { Ok(None) } else { self.get().map(Some) }
    }
}

/// Returns the number that QuakeC has for an object, 1 to 16777215, which a float holds exactly; 0 for none and for ids
/// of anything else. Whether an object has it is not looked up.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_object_number(object: SkelobjObject) -> i32 {
    // A number of 24 bits fits.
    object.checked().map_or(0, |bits| bits.number() as i32)
}

/// Returns the id of the object with the number that QuakeC has; none for 0, and for numbers that no object can have.
/// Whether an object has it is not looked up: calls refuse the id if none has.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_object_from_number(number: i32) -> SkelobjObject {
    u32::try_from(number).ok().and_then(ObjectId::new).into()
}
