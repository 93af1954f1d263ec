//! Arenas of rapier in a snapshot: their stated lengths and their lists of free slots.
//!
//! rapier's sets keep their items in arenas, whose fields are private and are restored unchecked. Iterating over an
//! arena counts its stated length down and overflows if the length is too small; inserting follows the list of free
//! slots and panics if the list leads to a used one. Serializing a set shows both.

use std::fmt::Error;

use serde::Serialize;
use serde::ser::{Impossible, SerializeSeq, SerializeStruct, SerializeStructVariant, Serializer};

use super::serializer_methods::{no_parts, no_values, no_wrappers, unexpected};

/// Returns `true` if the arena of one of rapier's sets has as many items as it states, and if its list of free slots
/// has each of them once.
pub(super) fn has_sound_arena(set: &impl Serialize) -> bool {
    matches!(set.serialize(Look::Set), Ok(Seen::Arena(arena)) if arena.is_sound())
}

/// Part of a set to look for; everything else is an error, and is not looked into.
#[derive(Clone, Copy)]
enum Look {
    /// Set with an arena.
    Set,
    /// Arena.
    Arena,
    /// Number, or nothing.
    Number,
    /// List of the slots of an arena.
    Slots,
    /// Slot of an arena.
    Slot,
}

/// Part of a set that was found.
enum Seen {
    Arena(Arena),
    Number(Option<u64>),
    Slots(Vec<Slot>),
    Slot(Slot),
}

#[derive(Default)]
struct Arena {
    slots: Vec<Slot>,
    first_free: Option<u64>,
    length: Option<u64>,
}

#[derive(Clone, Copy)]
enum Slot {
    Used,
    Free { next: Option<u64> },
}

impl Arena {
    fn is_sound(&self) -> bool {
        let used = self.slots.iter().filter(|slot| matches!(slot, Slot::Used)).count();
        let (mut next, mut free) = (self.first_free, 0);
        // A cyclic list is longer than all slots.
        while let Some(number) = next
            && free < self.slots.len()
        {
            let slot = usize::try_from(number).ok().and_then(|number| self.slots.get(number));
            let Some(Slot::Free { next: after }) = slot else { return false };
            next = *after;
            free += 1;
        }
        next.is_none() && used + free == self.slots.len() && self.length == Some(used as u64)
    }
}

/// Parts of a value, as far as they are looked for.
enum Parts {
    Set(Option<Arena>),
    Arena(Arena),
    Slots(Vec<Slot>),
    Slot(Slot),
}

impl Parts {
    fn field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        match (self, key) {
            (Self::Set(found), _) => {
                if let Ok(Seen::Arena(arena)) = value.serialize(Look::Arena) {
                    *found = Some(arena);
                }
            }
            (Self::Arena(arena), "items") => match value.serialize(Look::Slots)? {
                Seen::Slots(slots) => arena.slots = slots,
                _ => return unexpected(),
            },
            (Self::Arena(arena), "free_list_head") => arena.first_free = number(value)?,
            (Self::Arena(arena), "len") => arena.length = number(value)?,
            (Self::Slot(Slot::Free { next }), "next_free") => *next = number(value)?,
            _ => {}
        }
        Ok(())
    }

    fn end(self) -> Result<Seen, Error> {
        match self {
            Self::Set(Some(arena)) | Self::Arena(arena) => Ok(Seen::Arena(arena)),
            Self::Set(None) => unexpected(),
            Self::Slots(slots) => Ok(Seen::Slots(slots)),
            Self::Slot(slot) => Ok(Seen::Slot(slot)),
        }
    }
}

fn number<T: ?Sized + Serialize>(value: &T) -> Result<Option<u64>, Error> {
    match value.serialize(Look::Number)? {
        Seen::Number(number) => Ok(number),
        _ => unexpected(),
    }
}

impl SerializeStruct for Parts {
    type Ok = Seen;
    type Error = Error;

    fn serialize_field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        self.field(key, value)
    }

    fn end(self) -> Result<Seen, Error> {
        Self::end(self)
    }
}

impl SerializeStructVariant for Parts {
    type Ok = Seen;
    type Error = Error;

    fn serialize_field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        self.field(key, value)
    }

    fn end(self) -> Result<Seen, Error> {
        Self::end(self)
    }
}

impl SerializeSeq for Parts {
    type Ok = Seen;
    type Error = Error;

    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Error> {
        match (self, value.serialize(Look::Slot)?) {
            (Self::Slots(slots), Seen::Slot(slot)) => slots.push(slot),
            _ => return unexpected(),
        }
        Ok(())
    }

    fn end(self) -> Result<Seen, Error> {
        Self::end(self)
    }
}

impl Serializer for Look {
    type Ok = Seen;
    type Error = Error;
    type SerializeSeq = Parts;
    type SerializeTuple = Impossible<Seen, Error>;
    type SerializeTupleStruct = Impossible<Seen, Error>;
    type SerializeTupleVariant = Impossible<Seen, Error>;
    type SerializeMap = Impossible<Seen, Error>;
    type SerializeStruct = Parts;
    type SerializeStructVariant = Parts;

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Parts, Error> {
        match (self, name) {
            (Self::Set, _) => Ok(Parts::Set(None)),
            (Self::Arena, "Arena") => Ok(Parts::Arena(Arena::default())),
            _ => unexpected(),
        }
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Parts, Error> {
        match self {
            Self::Slots => Ok(Parts::Slots(Vec::new())),
            _ => unexpected(),
        }
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts, Error> {
        match (self, variant) {
            (Self::Slot, "Occupied") => Ok(Parts::Slot(Slot::Used)),
            (Self::Slot, "Free") => Ok(Parts::Slot(Slot::Free { next: None })),
            _ => unexpected(),
        }
    }

    fn serialize_u32(self, number: u32) -> Result<Seen, Error> {
        self.serialize_u64(number.into())
    }

    fn serialize_u64(self, number: u64) -> Result<Seen, Error> {
        match self {
            Self::Number => Ok(Seen::Number(Some(number))),
            _ => unexpected(),
        }
    }

    fn serialize_none(self) -> Result<Seen, Error> {
        match self {
            Self::Number => Ok(Seen::Number(None)),
            _ => unexpected(),
        }
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<Seen, Error> {
        match self {
            Self::Number => value.serialize(self),
            _ => unexpected(),
        }
    }

    no_values! {
        serialize_bool(bool);
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_u8(u8);
        serialize_u16(u16);
        serialize_f32(f32);
        serialize_f64(f64);
        serialize_char(char);
        serialize_str(&str);
        serialize_bytes(&[u8]);
        serialize_unit();
        serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
    }

    no_parts! {
        serialize_tuple(usize) -> SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> SerializeTupleVariant;
        serialize_map(Option<usize>) -> SerializeMap;
    }

    no_wrappers! {
        serialize_newtype_struct(&'static str);
        serialize_newtype_variant(&'static str, u32, &'static str);
    }
}
