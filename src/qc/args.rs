//! What a builtin sees of the call that runs it: arguments and results.

use crate::math::{Mat3x4, Vec3};
use crate::runtime::SkelId;

/// An entity of the engine: whatever number the engine likes to know it by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Entity(pub u64);

/// A function of the script that an argument names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Function(pub u64);

/// An address in the script's memory that an argument holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Pointer(pub u64);

/// The arguments and the result of one builtin call; an engine implements it over its own globals.
///
/// Arguments are counted from 0. One that was not passed, or is of another type than is asked for, reads as 0, the empty
/// string, or entity 0: nothing here fails. Numbers may be anything; the builtins check them.
pub trait Args {
    /// How many arguments were passed. Builtins with optional ones go by it.
    fn argc(&self) -> usize;
    /// A float.
    fn float(&self, argument: usize) -> f32;
    /// As many arguments from the first on as there are values. What is no float among them may give any number: it is not
    /// used.
    fn floats(&self, values: &mut [f32]) {
        for (argument, value) in values.iter_mut().enumerate() {
            *value = self.float(argument);
        }
    }
    /// A vector.
    fn vector(&self, argument: usize) -> Vec3;
    /// A string's bytes, without a terminator.
    fn string(&self, argument: usize) -> &[u8];
    /// An entity, which may be the world or a removed one.
    fn entity(&self, argument: usize) -> Entity;
    /// An integer: the argument's bits, not a float's value.
    fn int(&self, argument: usize) -> i32;
    /// A function of the script.
    fn function(&self, argument: usize) -> Function;
    /// An address.
    fn pointer(&self, argument: usize) -> Pointer;

    /// Gives the call's result: a float.
    fn return_float(&mut self, value: f32);
    /// Gives the call's result: a vector.
    fn return_vector(&mut self, value: Vec3);
    /// Gives the call's result: a string that the engine keeps as it keeps its temporary ones.
    fn return_string(&mut self, value: &[u8]);
    /// Gives the call's result: a pointer through which the script reads and writes `bones`, twelve floats each.
    ///
    /// The matrices stay at their address until `object` is gone. An engine whose scripts use real addresses takes that of
    /// the slice; one with addresses of its own maps them to the object
    /// and forgets them when the object is gone.
    fn return_bones(&mut self, object: SkelId, bones: &mut [Mat3x4]);
    /// Gives the call's result: the null pointer.
    fn return_null(&mut self);

    /// Overwrites an argument that the script reads back (`__inout`, `__out`) with a float.
    fn set_float(&mut self, argument: usize, value: f32);
    /// Overwrites an argument that the script reads back with an integer's bits.
    fn set_int(&mut self, argument: usize, value: i32);
    /// Overwrites an argument that the script reads back with a temporary string.
    fn set_string(&mut self, argument: usize, value: &[u8]);
}
