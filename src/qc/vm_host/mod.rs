//! Builtins on the machine of `skelobj-qcvm`.

mod environment;
mod fields;
mod script;

use std::cell::Cell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

pub use environment::Environment;
use environment::PendingCall;

use crate::math::{Axes, Mat3x4, Vec3};
use crate::model::{FrameFields, Name};
use crate::qc::vm::stdlib::StdHost;
use crate::qc::vm::{self, Fault, Global, Machine};
use crate::qc::{
    Args, Dialect, EXTENSIONS, Entity, Field, Function, Host, MatchedPose, ModelRef, Pointer, Rules, ScriptHost,
    SingleFrame, TagInfo,
};
use crate::runtime::{Runtime, SkelId, Stepped};
use crate::skeleton::SkeletalObject;

/// Runtime and environment of a script, the host that [`Machine::call`] takes for progs that use the builtins.
///
/// Machines with their own environments may use the same runtime in turn (difference 47).
///
/// # Example
/// The example `spinning_bone.qc` spawns a turret whose think function turns a bone.
/// ```
/// use std::sync::Arc;
///
/// use skelobj::qc::vm::{Machine, Progs};
/// use skelobj::qc::{Environment, VmHost};
/// use skelobj::{Runtime, assets};
///
/// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/quakec/spinning_bone.dat"));
/// let progs = Arc::new(Progs::load(bytes)?);
/// let mut environment = Environment::new(&progs, |text| print!("{text}"));
/// let mut runtime = Runtime::default();
/// runtime.set_files(|name: &str| (name == "mannequin.iqm").then(|| assets::MANNEQUIN_IQM.to_vec()));
/// let mut machine = Machine::new(progs);
/// let mut host = VmHost { runtime: &mut runtime, environment: &mut environment };
///
/// let main = machine.find_function(b"main").ok_or("no main")?;
/// machine.call(main, &mut host)?;
/// let turret = 1; // the first entity after the world
/// let this = machine.progs().global(b"self").ok_or("no self")?;
/// let think = machine.find_function(b"turret_think").ok_or("no turret_think")?;
/// for _frame in 0..10 {
///     machine.set_global(this, turret);
///     machine.call(think, &mut host)?; // prints where the left hand is
///     host.step(&mut machine, 1.0 / 60.0);
/// }
/// let skeletonindex = machine.progs().field(b"skeletonindex").ok_or("no skeletonindex")?;
/// assert_ne!(machine.field_float(turret, skeletonindex)?, 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct VmHost<'a> {
    /// Runtime that the builtins work on.
    pub runtime: &'a mut Runtime,
    /// Environment of the called machine.
    pub environment: &'a mut Environment,
}

impl VmHost<'_> {
    /// Ends the host's frame as [`Runtime::step`] does, and frees the addresses that deleted objects had in `machine`.
    ///
    /// `frame_time` is in seconds. Returns the steps made and the time dropped. If several machines share one runtime
    /// (difference 47), the host steps once, and calls [`forget_deleted`](Self::forget_deleted) for the other machines.
    ///
    /// # Example
    /// ```
    /// # use skelobj::qc::vm::{Machine, Progs};
    /// # use skelobj::qc::{Environment, VmHost};
    /// # use skelobj::{Runtime, assets};
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/quakec/spinning_bone.dat"));
    /// # let progs = std::sync::Arc::new(Progs::load(bytes)?);
    /// # let mut runtime = Runtime::default();
    /// # runtime.set_files(|name: &str| (name == "mannequin.iqm").then(|| assets::MANNEQUIN_IQM.to_vec()));
    /// # let mut environment = Environment::new(&progs, |_| ());
    /// # let mut machine = Machine::new(progs);
    /// let mut host = VmHost { runtime: &mut runtime, environment: &mut environment };
    /// let frame_time = 1.0 / 60.0;
    /// // Run the script's frame: StartFrame, think functions. Then:
    /// host.step(&mut machine, frame_time);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn step(&mut self, machine: &mut Machine, frame_time: f32) -> Stepped {
        let stepped = self.runtime.step(frame_time);
        self.forget_deleted(machine);
        stepped
    }

    /// Frees the addresses that `machine` has for the memory of deleted objects.
    ///
    /// # Example
    /// Server and client code share a runtime:
    /// ```
    /// # use skelobj::qc::vm::{Machine, Progs};
    /// # use skelobj::qc::{Environment, VmHost};
    /// # use skelobj::{Runtime, assets};
    /// # let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/quakec/spinning_bone.dat"));
    /// # let progs = std::sync::Arc::new(Progs::load(bytes)?);
    /// # let mut runtime = Runtime::default();
    /// # runtime.set_files(|name: &str| (name == "mannequin.iqm").then(|| assets::MANNEQUIN_IQM.to_vec()));
    /// # let mut server_environment = Environment::new(&progs, |_| ());
    /// # let mut client_environment = Environment::new(&progs, |_| ());
    /// # let mut server = Machine::new(progs.clone());
    /// # let mut client = Machine::new(progs);
    /// # let frame_time = 1.0 / 60.0;
    /// VmHost { runtime: &mut runtime, environment: &mut server_environment }.step(&mut server, frame_time);
    /// VmHost { runtime: &mut runtime, environment: &mut client_environment }.forget_deleted(&mut client);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn forget_deleted(&mut self, machine: &mut Machine) {
        machine.retain_host(|region| self.object(region).is_some());
    }

    /// Makes the calls that a builtin requested.
    #[cold]
    fn call_pending(&mut self, machine: &mut Machine) -> Result<(), Fault> {
        // The calls overwrite the arguments, which the script may read back.
        let arguments = [0, 1, 2, 3, 4, 5, 6, 7].map(|number| machine.argument_bits(number));
        // No string is collected before the builtin returns, so events with equal data share one.
        let mut strings: HashMap<Name, u32> = HashMap::new();
        for call in std::mem::take(&mut self.environment.pending) {
            let data = match strings.entry(call.data) {
                Entry::Occupied(string) => *string.get(),
                Entry::Vacant(place) => {
                    let string = machine.temporary_string(place.key().as_bytes())?;
                    *place.insert(string)
                }
            };
            machine.set_argument(0, [call.time.to_bits(), 0, 0]);
            machine.set_argument(1, [call.code as u32, 0, 0]);
            machine.set_argument(2, [data, 0, 0]);
            machine.call(call.function, self)?;
        }
        for (number, bits) in arguments.into_iter().enumerate() {
            machine.set_argument_bits(number, bits);
        }
        Ok(())
    }

    /// Runs a builtin of the standard library.
    #[inline(never)]
    fn call_standard(&mut self, machine: &mut Machine, builtin: &vm::Builtin) -> Result<(), Fault> {
        match self.environment.standard.get(builtin.index as usize).copied().flatten() {
            Some(found) => found.call(machine, self),
            None => Err(builtin.unknown()),
        }
    }

    /// Returns the object that a region of host memory belongs to.
    fn object(&self, region: u32) -> Option<&SkeletalObject> {
        self.runtime.object(SkelId::new(region)?)
    }
}

impl vm::Builtins for VmHost<'_> {
    #[inline(always)]
    fn call(&mut self, machine: &mut Machine, builtin: &vm::Builtin) -> Result<(), Fault> {
        let Some(found) = self.environment.builtins.get(builtin.index as usize).copied().flatten() else {
            return self.call_standard(machine, builtin);
        };
        let mut call = MachineCall { machine, environment: self.environment, fault: Cell::new(None) };
        found.call(self.runtime, &mut call);
        if let Some(fault) = call.fault.into_inner() {
            return Err(fault);
        }
        // With `?` the compiler would pass the `Ok` of both paths through memory.
        if !self.environment.pending.is_empty()
            && let Err(fault) = self.call_pending(machine)
        {
            return Err(fault);
        }
        Ok(())
    }

    fn read_host(&mut self, region: u32, offset: u32) -> Option<u32> {
        let object = self.object(region)?;
        let floats: &[f32] = bytemuck::cast_slice(object.pose().bones());
        floats.get(offset as usize / 4).map(|float| float.to_bits())
    }

    fn write_host(&mut self, region: u32, offset: u32, bits: u32) -> Option<()> {
        let object = self.runtime.object_mut(SkelId::new(region)?)?;
        let floats: &mut [f32] = bytemuck::cast_slice_mut(object.bones_mut());
        *floats.get_mut(offset as usize / 4)? = f32::from_bits(bits);
        Some(())
    }
}

impl StdHost for VmHost<'_> {
    fn print(&mut self, text: &[u8]) {
        self.environment.print(&String::from_utf8_lossy(text));
    }

    fn not_finite(&mut self, builtin: &'static str) {
        self.environment.not_finite(builtin);
    }

    fn has_extension(&self, name: &[u8]) -> bool {
        EXTENSIONS.iter().any(|extension| extension.as_bytes().eq_ignore_ascii_case(name))
    }

    fn mesh_angle_factors(&self) -> [f32; 2] {
        let settings = self.runtime.settings();
        [settings.mesh_pitch, settings.mesh_roll]
    }
}

/// Host without memory, for reads while a builtin borrows the environment.
struct NoHost;

impl vm::Builtins for NoHost {
    fn call(&mut self, _: &mut Machine, builtin: &vm::Builtin) -> Result<(), Fault> {
        Err(builtin.unknown())
    }
}

/// Running builtin in a machine.
pub(super) struct MachineCall<'a> {
    pub(super) machine: &'a mut Machine,
    pub(super) environment: &'a mut Environment,
    /// First fault of arguments or results.
    fault: Cell<Option<Fault>>,
}

impl MachineCall<'_> {
    #[inline]
    pub(super) fn check<T: Default>(&self, result: Result<T, Fault>) -> T {
        result.unwrap_or_else(|fault| {
            self.fail(fault);
            T::default()
        })
    }

    #[cold]
    fn fail(&self, fault: Fault) {
        let first = self.fault.take().unwrap_or(fault);
        self.fault.set(Some(first));
    }

    #[inline]
    pub(super) fn entity_number(entity: Entity) -> u32 {
        u32::try_from(entity.0).unwrap_or(u32::MAX)
    }

    /// Returns the words of an entity and of all entities after it; records a fault and returns none for an invalid
    /// entity.
    #[inline]
    fn words(&self, entity: Entity) -> &[u32] {
        let number = Self::entity_number(entity);
        if let Some(words) = self.machine.fields_from(number) {
            return words;
        }
        self.fail(Fault::BadEntity(number));
        &[]
    }

    fn set_field(&mut self, entity: Entity, field: Field, bits: u32) {
        if let Some(field) = self.environment.fields.get(field) {
            let set = self.machine.set_field_at(Self::entity_number(entity), field, bits);
            self.check(set);
        }
    }

    #[inline]
    pub(super) fn set_vector_global(&mut self, global: Option<Global>, value: Vec3) {
        if let Some(global) = global {
            self.machine.set_global_vector(global, value.to_array());
        }
    }
}

impl Args for MachineCall<'_> {
    #[inline]
    fn argc(&self) -> usize {
        self.machine.argc()
    }

    #[inline]
    fn float(&self, argument: usize) -> f32 {
        self.machine.argument_float(argument)
    }

    #[inline]
    fn floats(&self, values: &mut [f32]) {
        self.machine.argument_floats(values);
    }

    #[inline]
    fn vector(&self, argument: usize) -> Vec3 {
        Vec3::from(self.machine.argument_vector(argument))
    }

    fn string(&self, argument: usize) -> &[u8] {
        self.check(self.machine.argument_string(argument))
    }

    #[inline]
    fn entity(&self, argument: usize) -> Entity {
        Entity(u64::from(self.check(self.machine.argument_entity(argument))))
    }

    #[inline]
    fn int(&self, argument: usize) -> i32 {
        self.machine.argument_bits(argument) as i32
    }

    fn function(&self, argument: usize) -> Function {
        Function(u64::from(self.machine.argument_bits(argument)))
    }

    fn pointer(&self, argument: usize) -> Pointer {
        Pointer(u64::from(self.machine.argument_bits(argument)))
    }

    #[inline]
    fn return_float(&mut self, value: f32) {
        self.machine.return_float(value);
    }

    #[inline]
    fn return_vector(&mut self, value: Vec3) {
        self.machine.return_vector(value.to_array());
    }

    fn return_string(&mut self, value: &[u8]) {
        let returned = self.machine.return_string(value);
        self.check(returned);
    }

    fn return_bones(&mut self, object: SkelId, bones: &mut [Mat3x4]) {
        let bytes = u32::try_from(size_of_val(bones)).unwrap_or(0);
        let mapped = self.machine.map_host(object.get(), bytes);
        let address = self.check(mapped);
        self.machine.return_bits(address);
    }

    fn return_null(&mut self) {
        self.machine.return_bits(0);
    }

    fn set_float(&mut self, argument: usize, value: f32) {
        self.machine.set_argument_bits(argument, value.to_bits());
    }

    fn set_int(&mut self, argument: usize, value: i32) {
        self.machine.set_argument_bits(argument, value as u32);
    }

    fn set_string(&mut self, argument: usize, value: &[u8]) {
        let made = self.machine.temporary_string(value);
        let handle = self.check(made);
        self.machine.set_argument_bits(argument, handle);
    }
}

impl Host for MachineCall<'_> {
    #[inline]
    fn dialect(&self) -> Dialect {
        self.environment.dialect
    }

    #[inline]
    fn rules(&self) -> Rules {
        self.environment.rules
    }

    #[inline]
    fn float_field(&self, entity: Entity, field: Field) -> f32 {
        self.environment.fields.float(self.words(entity), field)
    }

    #[inline]
    fn vector_field(&self, entity: Entity, field: Field) -> Vec3 {
        let Some(offset) = self.environment.fields.get(field) else { return Vec3::ZERO };
        let words = self.words(entity).get(offset as usize..).and_then(|words| words.first_chunk()).copied();
        Vec3::from(words.unwrap_or([0; 3]).map(f32::from_bits))
    }

    fn entity_field(&self, entity: Entity, field: Field) -> Option<Entity> {
        let field = self.environment.fields.get(field)?;
        let other = *self.words(entity).get(field as usize)?;
        (other != 0 && other < self.machine.entity_count()).then_some(Entity(u64::from(other)))
    }

    fn set_float_field(&mut self, entity: Entity, field: Field, value: f32) {
        self.set_field(entity, field, value.to_bits());
    }

    fn set_entity_field(&mut self, entity: Entity, field: Field, value: Entity) {
        self.set_field(entity, field, Self::entity_number(value));
    }

    fn frame_fields(&self, entity: Entity) -> FrameFields {
        self.environment.fields.frame_fields(self.words(entity))
    }

    #[inline]
    fn single_frame(&self, entity: Entity) -> Option<SingleFrame> {
        self.environment.fields.single_frame(self.words(entity))
    }

    #[inline]
    fn axes(&self) -> Axes {
        let vector = |place| Vec3::from(self.machine.global_vector(place));
        let [forward, right, up] = self.environment.axes;
        Axes { forward: vector(forward), right: vector(right), up: vector(up) }
    }

    #[inline]
    fn set_axes(&mut self, axes: Axes) {
        let [forward, right, up] = self.environment.axes;
        self.machine.set_global_vector(forward, axes.forward.to_array());
        self.machine.set_global_vector(right, axes.right.to_array());
        self.machine.set_global_vector(up, axes.up.to_array());
    }

    fn time(&self) -> f32 {
        self.environment.time.map_or(0.0, |time| self.machine.global_float(time))
    }

    #[inline]
    fn model(&mut self, _: &mut Runtime, index: i32) -> ModelRef {
        let model = usize::try_from(index).ok().and_then(|index| self.environment.models.get(index));
        model.map_or(ModelRef::Unknown, |(_, model)| *model)
    }

    fn print(&mut self, text: &str) {
        self.environment.print(text);
    }

    fn not_finite(&mut self, builtin: &'static str) {
        self.environment.not_finite(builtin);
    }

    #[inline]
    fn charge(&self, statements: u64) -> bool {
        match self.machine.charge(statements) {
            Ok(()) => true,
            Err(fault) => {
                self.fail(fault);
                false
            }
        }
    }

    fn random(&mut self) -> f32 {
        f32::from(self.machine.random()) / 32768.0
    }

    fn script(&mut self) -> Option<&mut dyn ScriptHost> {
        Some(self)
    }

    fn set_tag_info(&mut self, info: &TagInfo) {
        let [parent, name, offset, forward, right, up] = self.environment.tag_info;
        if let Some(parent) = parent {
            self.machine.set_global_float(parent, info.parent as f32);
        }
        if let Some(global) = name {
            let made = self.machine.temporary_string(&info.name);
            let handle = self.check(made);
            self.machine.set_global(global, handle);
        }
        let vectors = [info.offset, info.axes.forward, info.axes.right, info.axes.up];
        for (place, value) in [offset, forward, right, up].into_iter().zip(vectors) {
            self.set_vector_global(place, value);
        }
    }

    fn set_matched_pose(&mut self, found: &MatchedPose) {
        let [origin, yaw, time] = self.environment.matched_pose;
        self.set_vector_global(origin, found.origin);
        for (place, value) in [(yaw, found.yaw), (time, found.time)] {
            if let Some(place) = place {
                self.machine.set_global_float(place, value);
            }
        }
    }

    fn read_memory(&mut self, pointer: Pointer, words: &mut [u32]) -> bool {
        let Ok(mut address) = u32::try_from(pointer.0) else { return false };
        for word in words {
            let Ok(read) = self.machine.load_word(address, &mut NoHost) else { return false };
            *word = read;
            address = address.wrapping_add(4);
        }
        true
    }

    fn call_with_event(&mut self, function: Function, time: f32, code: i32, data: &Name) {
        let function = vm::FunctionId(u32::try_from(function.0).unwrap_or(u32::MAX));
        self.environment.pending.push(PendingCall { function, time, code, data: data.clone() });
    }
}
