//! Arguments and results of builtin calls.

use crate::math::{Mat3x4, Vec3};
use crate::runtime::ObjectId;

/// Entity of the engine, by any number that identifies it there.
///
/// # Example
/// ```
/// # mod engine { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/qc_host.rs")); }
/// use engine::Engine; // examples/qc_host.rs
/// use skelobj::qc::{Entity, Field, Host};
///
/// let (mut runtime, mut engine) = Engine::with_mannequin()?;
/// let monster = Entity(1);
/// engine.set_float_field(monster, Field::modelindex, 1.0);
/// let head = engine.text("head");
/// let tag = engine.call(&mut runtime, "gettagindex", &[monster.0 as f32, head]);
/// assert_eq!(tag, 13.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Entity(pub u64);

/// Function of the script, by the number in a function argument.
///
/// # Example
/// An engine may keep the function and call it later, as [`Host::call_with_event`](super::Host::call_with_event) does.
/// ```
/// # mod engine { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/qc_host.rs")); }
/// use engine::Engine; // examples/qc_host.rs
/// use skelobj::qc::{Args, Function};
///
/// let (_, mut engine) = Engine::with_mannequin()?;
/// engine.arguments = vec![[7.0, 0.0, 0.0]];
/// let mut pending: Vec<Function> = Vec::new();
/// pending.push(engine.function(0));
/// assert_eq!(pending, [Function(7)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Function(pub u64);

/// Address in the script's memory, as a pointer argument holds it.
///
/// # Example
/// An engine whose script addresses are offsets in one block reads memory like this:
/// ```
/// use skelobj::qc::Pointer;
///
/// fn read_memory(memory: &[u32], pointer: Pointer, words: &mut [u32]) -> bool {
///     let start = usize::try_from(pointer.0 / 4).ok();
///     let Some(source) = start.and_then(|start| memory.get(start..)?.get(..words.len())) else { return false };
///     words.copy_from_slice(source);
///     true
/// }
///
/// let mut words = [0; 2];
/// assert!(read_memory(&[10, 20, 30], Pointer(4), &mut words));
/// assert_eq!(words, [20, 30]);
/// assert!(!read_memory(&[10, 20, 30], Pointer(8), &mut words));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Pointer(pub u64);

/// Arguments and result of one builtin call. An engine implements this trait over the globals of its machine.
///
/// Arguments are counted from 0. An argument that was not passed, or has another type than the one read, reads as 0,
/// the empty string or entity 0: no method fails. Floats may be NaN or infinite; the builtins check them.
///
/// [`Host`](super::Host) shows an implementation.
///
/// # Example
/// A builtin that runs on any machine:
/// ```
/// # mod engine { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/qc_host.rs")); }
/// use engine::Engine; // examples/qc_host.rs
/// use skelobj::qc::Args;
///
/// fn vlen(call: &mut impl Args) {
///     let length = call.vector(0).length();
///     call.return_float(length);
/// }
///
/// let (_, mut engine) = Engine::with_mannequin()?;
/// engine.arguments = vec![[3.0, 4.0, 0.0]];
/// vlen(&mut engine);
/// assert_eq!(engine.result[0], 5.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Args {
    /// Returns the number of arguments passed. Builtins with optional arguments depend on it.
    ///
    /// # Example
    /// ```
    /// # mod engine { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/qc_host.rs")); }
    /// use engine::Engine; // examples/qc_host.rs
    /// use skelobj::qc::Args;
    ///
    /// /// QuakeC's `float(optional float max) random`.
    /// fn random(call: &mut impl Args, number: f32) {
    ///     let max = if call.argc() > 0 { call.float(0) } else { 1.0 };
    ///     call.return_float(number * max);
    /// }
    ///
    /// let (_, mut engine) = Engine::with_mannequin()?;
    /// random(&mut engine, 0.5);
    /// assert_eq!(engine.result[0], 0.5);
    /// engine.arguments = vec![[10.0, 0.0, 0.0]];
    /// random(&mut engine, 0.5);
    /// assert_eq!(engine.result[0], 5.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn argc(&self) -> usize;
    /// Returns a float argument.
    ///
    /// # Example
    /// ```
    /// # mod engine { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/qc_host.rs")); }
    /// use engine::Engine; // examples/qc_host.rs
    /// use skelobj::qc::Args;
    ///
    /// let (_, mut engine) = Engine::with_mannequin()?;
    /// engine.arguments = vec![[1.5, 0.0, 0.0]];
    /// assert_eq!(engine.float(0), 1.5);
    /// assert_eq!(engine.float(1), 0.0); // not passed
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn float(&self, argument: usize) -> f32;
    /// Reads as many float arguments as `values` has elements, starting with the first.
    ///
    /// An argument of another type may give any number; the builtins do not use it. The default calls
    /// [`float`](Self::float) for each.
    ///
    /// # Example
    /// ```
    /// # mod engine { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/qc_host.rs")); }
    /// use engine::Engine; // examples/qc_host.rs
    /// use skelobj::qc::Args;
    ///
    /// let (_, mut engine) = Engine::with_mannequin()?;
    /// engine.arguments = vec![[1.0, 0.0, 0.0], [2.0, 0.0, 0.0]];
    /// let mut values = [9.0; 3];
    /// engine.floats(&mut values);
    /// assert_eq!(values, [1.0, 2.0, 0.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn floats(&self, values: &mut [f32]) {
        for (argument, value) in values.iter_mut().enumerate() {
            *value = self.float(argument);
        }
    }
    /// Returns a vector argument.
    ///
    /// # Example
    /// ```
    /// # mod engine { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/qc_host.rs")); }
    /// use engine::Engine; // examples/qc_host.rs
    /// use skelobj::math::Vec3;
    /// use skelobj::qc::Args;
    ///
    /// let (_, mut engine) = Engine::with_mannequin()?;
    /// engine.arguments = vec![[0.0, 90.0, 0.0]];
    /// assert_eq!(engine.vector(0), Vec3::new(0.0, 90.0, 0.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn vector(&self, argument: usize) -> Vec3;
    /// Returns the bytes of a string argument, without a terminator.
    ///
    /// # Example
    /// ```
    /// # mod engine { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/qc_host.rs")); }
    /// use engine::Engine; // examples/qc_host.rs
    /// use skelobj::qc::Args;
    ///
    /// let (_, mut engine) = Engine::with_mannequin()?;
    /// let name = engine.text("hand_r");
    /// engine.arguments = vec![[name, 0.0, 0.0]];
    /// assert_eq!(engine.string(0), b"hand_r");
    /// assert_eq!(engine.string(1), b""); // not passed
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn string(&self, argument: usize) -> &[u8];
    /// Returns an entity argument, which may be the world or a removed entity.
    fn entity(&self, argument: usize) -> Entity;
    /// Returns an integer argument: the argument's bits, not a float's value. The default returns those of
    /// [`float`](Self::float).
    fn int(&self, argument: usize) -> i32 {
        self.float(argument).to_bits() as i32
    }
    /// Returns a function argument, which only `processmodelevents` has. The default returns function 0.
    fn function(&self, argument: usize) -> Function {
        let _ = argument;
        Function(0)
    }
    /// Returns an address argument, which only `skel_build_ptr` has. The default returns the null pointer, for machines
    /// without pointers.
    fn pointer(&self, argument: usize) -> Pointer {
        let _ = argument;
        Pointer(0)
    }

    /// Sets the call's result to a float.
    ///
    /// # Example
    /// ```
    /// # mod engine { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/qc_host.rs")); }
    /// use engine::Engine; // examples/qc_host.rs
    ///
    /// let (mut runtime, mut engine) = Engine::with_mannequin()?;
    /// let duration = engine.call(&mut runtime, "frameduration", &[1.0, 2.0]);
    /// assert_eq!(duration, 0.6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn return_float(&mut self, value: f32);
    /// Sets the call's result to a vector.
    ///
    /// # Example
    /// ```
    /// # mod engine { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/qc_host.rs")); }
    /// use engine::Engine; // examples/qc_host.rs
    ///
    /// let (mut runtime, mut engine) = Engine::with_mannequin()?;
    /// let object = engine.call(&mut runtime, "skel_create", &[1.0]);
    /// engine.call(&mut runtime, "skel_build", &[object, 1.0, 1.0, 0.0, 0.0, 0.0]);
    /// engine.call(&mut runtime, "skel_get_boneabs", &[object, 13.0]);
    /// let [_x, _y, z] = engine.result; // of the head, in model space
    /// assert!((50.0..60.0).contains(&z));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn return_vector(&mut self, value: Vec3);
    /// Sets the call's result to a string, which the engine keeps as long as its temporary strings.
    ///
    /// # Example
    /// ```
    /// # mod engine { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/qc_host.rs")); }
    /// use engine::Engine; // examples/qc_host.rs
    ///
    /// let (mut runtime, mut engine) = Engine::with_mannequin()?;
    /// let object = engine.call(&mut runtime, "skel_create", &[1.0]);
    /// let name = engine.call(&mut runtime, "skel_get_bonename", &[object, 13.0]);
    /// assert_eq!(engine.strings[name as usize], b"head");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn return_string(&mut self, value: &[u8]);
    /// Sets the call's result to a pointer through which the script reads and writes `bones`, twelve floats each.
    ///
    /// The matrices stay at their address until `object` is deleted. An engine whose scripts use real addresses returns
    /// the address of the slice. An engine with its own address space maps an address to the object, and frees it when
    /// the object is deleted. The default returns the null pointer, for machines without pointers.
    fn return_bones(&mut self, object: ObjectId, bones: &mut [Mat3x4]) {
        let _ = (object, bones);
        self.return_null();
    }
    /// Sets the call's result to the null pointer. The default returns the float 0, whose bits are those of an address
    /// of 32 bits.
    fn return_null(&mut self) {
        self.return_float(0.0);
    }

    /// Overwrites an argument that the script reads back (`__inout`, `__out`) with a float.
    ///
    /// # Example
    /// ```
    /// # mod engine { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/qc_host.rs")); }
    /// use engine::Engine; // examples/qc_host.rs
    ///
    /// let (mut runtime, mut engine) = Engine::with_mannequin()?;
    /// let found = engine.call(&mut runtime, "getnextmodelevent", &[1.0, 1.0, 0.0, 0.9, 0.0, 0.0]);
    /// assert_eq!(found, 1.0);
    /// let [moment, ..] = engine.arguments[2]; // the script's `basetime`
    /// assert!(moment > 0.0 && moment < 0.9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn set_float(&mut self, argument: usize, value: f32);
    /// Overwrites an argument that the script reads back with the bits of an integer. The default passes them to
    /// [`set_float`](Self::set_float).
    fn set_int(&mut self, argument: usize, value: i32) {
        self.set_float(argument, f32::from_bits(value as u32));
    }
    /// Overwrites an argument that the script reads back with a temporary string.
    ///
    /// Only `getnextmodelevent` and `getmodeleventidx` return strings this way. The default does nothing.
    ///
    /// # Example
    /// ```
    /// # mod engine { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/qc_host.rs")); }
    /// use engine::Engine; // examples/qc_host.rs
    ///
    /// let (mut runtime, mut engine) = Engine::with_mannequin()?;
    /// engine.call(&mut runtime, "getmodeleventidx", &[1.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    /// let [data, ..] = engine.arguments[5]; // the script's `data`
    /// assert!(engine.strings[data as usize].starts_with(b"footstep_"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn set_string(&mut self, argument: usize, value: &[u8]) {
        let _ = (argument, value);
    }
}
