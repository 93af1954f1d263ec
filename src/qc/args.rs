//! The arguments and results of a builtin call.

use crate::math::{Mat3x4, Vec3};
use crate::runtime::SkelId;

/// An entity of the engine, by any number that identifies it there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Entity(pub u64);

/// A function of the script, as an argument refers to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Function(pub u64);

/// An address in the script's memory, as an argument holds it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Pointer(pub u64);

/// The arguments and the result of one builtin call; an engine implements it over its own globals.
///
/// Arguments are counted from 0. An argument that was not passed, or is of another type than the one read, reads as 0, the
/// empty string, or entity 0: no method fails. Numbers may be any; the builtins check them.
pub trait Args {
    /// Returns the number of arguments passed. Builtins with optional arguments depend on it.
    fn argc(&self) -> usize;
    /// Returns a float argument.
    fn float(&self, argument: usize) -> f32;
    /// Reads float arguments from the first on, as many as there are values. An argument of another type may give any
    /// number; the builtins do not use it.
    fn floats(&self, values: &mut [f32]) {
        for (argument, value) in values.iter_mut().enumerate() {
            *value = self.float(argument);
        }
    }
    /// Returns a vector argument.
    fn vector(&self, argument: usize) -> Vec3;
    /// Returns the bytes of a string argument, without a terminator.
    fn string(&self, argument: usize) -> &[u8];
    /// Returns an entity argument, which may be the world or a removed entity.
    fn entity(&self, argument: usize) -> Entity;
    /// Returns an integer argument: the argument's bits, not a float's value.
    fn int(&self, argument: usize) -> i32;
    /// Returns a function argument.
    fn function(&self, argument: usize) -> Function;
    /// Returns an address argument.
    fn pointer(&self, argument: usize) -> Pointer;

    /// Sets the call's result to a float.
    fn return_float(&mut self, value: f32);
    /// Sets the call's result to a vector.
    fn return_vector(&mut self, value: Vec3);
    /// Sets the call's result to a string that the engine keeps as long as its temporary strings.
    fn return_string(&mut self, value: &[u8]);
    /// Sets the call's result to a pointer through which the script reads and writes `bones`, twelve floats each.
    ///
    /// The matrices stay at their address until `object` is gone. An engine whose scripts use real addresses takes that of
    /// the slice; one with addresses of its own maps them to the object
    /// and forgets them when the object is gone.
    fn return_bones(&mut self, object: SkelId, bones: &mut [Mat3x4]);
    /// Sets the call's result to the null pointer.
    fn return_null(&mut self);

    /// Overwrites an argument that the script reads back (`__inout`, `__out`) with a float.
    fn set_float(&mut self, argument: usize, value: f32);
    /// Overwrites an argument that the script reads back with an integer's bits.
    fn set_int(&mut self, argument: usize, value: i32);
    /// Overwrites an argument that the script reads back with a temporary string.
    fn set_string(&mut self, argument: usize, value: &[u8]);
}
