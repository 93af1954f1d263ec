//! Joints of rapier in a snapshot.

use std::fmt::Display;

use rapier3d::prelude::{ImpulseJointSet, RigidBodyHandle};
use serde::ser::{Error, Impossible, SerializeStruct, Serializer};
use serde::{Serialize, de::DeserializeOwned};

use super::serializer_methods::{no_parts, no_values, no_wrappers, unexpected};

/// Serializes joints in an order that does not depend on the history of the set.
///
/// rapier keeps the bodies to wake and the pairs of bodies to join in hash sets. The bodies are sorted; the pairs,
/// which rapier writes but never uses, are omitted.
pub(super) fn serialize<S: Serializer>(joints: &ImpulseJointSet, serializer: S) -> Result<S::Ok, S::Error> {
    joints.serialize(OfStruct(serializer))
}

/// Serializer that accepts a struct only.
struct OfStruct<S>(S);

/// Serializer of a struct's fields, with the number of replaced fields seen so far.
struct Fields<S>(S, u8);

impl<S: SerializeStruct> SerializeStruct for Fields<S> {
    type Ok = S::Ok;
    type Error = S::Error;

    fn serialize_field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<(), S::Error> {
        self.1 += u8::from(matches!(key, "to_wake_up" | "to_join"));
        match key {
            "to_wake_up" => {
                let mut bodies: Vec<RigidBodyHandle> = list(value).map_err(S::Error::custom)?;
                bodies.sort_unstable_by_key(|body| body.into_raw_parts());
                self.0.serialize_field(key, &bodies)
            }
            "to_join" => self.0.serialize_field(key, &Vec::<RigidBodyHandle>::new()),
            _ => self.0.serialize_field(key, value),
        }
    }

    fn end(self) -> Result<S::Ok, S::Error> {
        if self.1 != 2 {
            return Err(S::Error::custom("rapier's joints have other fields"));
        }
        self.0.end()
    }
}

/// Returns the elements of a set of unknown type as a list.
fn list<T: DeserializeOwned>(set: &(impl Serialize + ?Sized)) -> postcard::Result<Vec<T>> {
    postcard::from_bytes(&postcard::to_allocvec(set)?)
}

impl<S: Serializer> Serializer for OfStruct<S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = Impossible<S::Ok, S::Error>;
    type SerializeTuple = Impossible<S::Ok, S::Error>;
    type SerializeTupleStruct = Impossible<S::Ok, S::Error>;
    type SerializeTupleVariant = Impossible<S::Ok, S::Error>;
    type SerializeMap = Impossible<S::Ok, S::Error>;
    type SerializeStruct = Fields<S::SerializeStruct>;
    type SerializeStructVariant = Impossible<S::Ok, S::Error>;

    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Self::SerializeStruct, S::Error> {
        Ok(Fields(self.0.serialize_struct(name, len)?, 0))
    }

    no_values! {
        serialize_bool(bool);
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_u8(u8);
        serialize_u16(u16);
        serialize_u32(u32);
        serialize_u64(u64);
        serialize_f32(f32);
        serialize_f64(f64);
        serialize_char(char);
        serialize_str(&str);
        serialize_bytes(&[u8]);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
    }

    no_parts! {
        serialize_seq(Option<usize>) -> SerializeSeq;
        serialize_tuple(usize) -> SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> SerializeTupleVariant;
        serialize_map(Option<usize>) -> SerializeMap;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> SerializeStructVariant;
    }

    no_wrappers! {
        serialize_some();
        serialize_newtype_struct(&'static str);
        serialize_newtype_variant(&'static str, u32, &'static str);
    }

    fn collect_str<T: ?Sized + Display>(self, _: &T) -> Result<S::Ok, S::Error> {
        unexpected()
    }
}
