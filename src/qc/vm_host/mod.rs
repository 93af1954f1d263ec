//! Builtins on the machine of `skelobj-qcvm`.

mod call_text;
mod declared;
mod default_ragdolls;
mod environment;
mod fields;
mod observe;
mod pending_call;
mod script;
mod std_host;
mod walk;
mod watch;

use std::cell::Cell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use declared::{Declared, Found};
pub use environment::Environment;
use pending_call::PendingCall;
use walk::Walker;

use skelobj_model::internal::is_limp_frame;

use crate::math::{Axes, Mat3x4, Vec3, truncate};
use crate::model::{FrameFields, Name};
use crate::object::SkeletalObject;
use crate::physics::Physics;
use crate::qc::parameters::parameters;
use crate::qc::script_warning::ScriptProblem;
use crate::qc::vm::stdlib::Mistake;
use crate::qc::vm::{self, Fault, Global, Machine};
use crate::qc::{
    Args, Builtin, Dialect, Entity, Field, Function, Host, MatchedFrame, ModelRef, Pointer, Rules, ScriptHost,
    ScriptResult, ScriptWarning, SingleFrame, TagInfo,
};
use crate::runtime::{BoneReceiver, ObjectId, Runtime, Stepped};

/// Runtime and environment of a script: the host that [`Machine::call`] takes if the progs uses the builtins.
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

/// Cost of moving a body, of a pair of bodies near each other, and of a contact, in each step, in statements.
const BODY: u64 = 512;
const PAIR: u64 = 32;
const CONTACT: u64 = 256;

/// Returns the cost of a step of the physics, in statements.
fn step_cost(physics: &Physics) -> u64 {
    let world = physics.world();
    let of_collider = |collider| {
        let pairs = world.contact_pairs_with(collider);
        pairs.map(|pair| {
            PAIR + CONTACT * pair.manifolds().iter().map(|manifold| manifold.points.len() as u64).sum::<u64>()
        })
    };
    let bodies = world.islands.active_bodies().filter_map(|body| world.bodies.get(body));
    bodies.map(|body| BODY + body.colliders().iter().flat_map(|own| of_collider(*own)).sum::<u64>()).sum()
}

impl VmHost<'_> {
    /// Ends the host's frame as [`Runtime::step`] does, and frees the addresses that deleted objects had in `machine`.
    ///
    /// `frame_time` is in seconds. Returns the steps made and the time dropped. If several machines share one runtime
    /// (difference 47), the host steps once, and calls [`forget_deleted`](Self::forget_deleted) for the other machines.
    ///
    /// The next call of the machine pays for the physics: 512 statements a step for each moving body, 32 for each body
    /// or other collider near it, and 256 for each of its contacts.
    ///
    /// # Example
    /// ```
    /// use skelobj::assets;
    /// use skelobj::qc::vm::{Machine, Progs};
    /// use skelobj::qc::{Environment, VmHost};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/quakec/spinning_bone.dat")?)?;
    /// let (mut runtime, _) = assets::mannequin_runtime();
    /// let mut environment = Environment::new(&progs, |_| ());
    /// let mut machine = Machine::new(progs.into());
    ///
    /// let mut host = VmHost { runtime: &mut runtime, environment: &mut environment };
    /// // Run the script's frame: StartFrame, think functions. Then:
    /// host.step(&mut machine, 1.0 / 60.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn step(&mut self, machine: &mut Machine, frame_time: f32) -> Stepped {
        // Scripts may state any time (ruling of the table): one that is not a time is 0.
        let is_time = frame_time.is_finite() && frame_time >= 0.0;
        let stepped = self.runtime.step(if is_time { frame_time } else { 0.0 }).unwrap_or_default();
        if stepped.steps > 0 {
            machine.owe(step_cost(self.runtime.physics()).saturating_mul(stepped.steps as u64));
        }
        self.forget_deleted(machine);
        stepped
    }

    /// Lets a monster fall that leapt, or lost its ground, as engines do each frame with entities of `movetype` 4.
    ///
    /// `gravity` is in units/s² and `frame_time` in seconds. The entity keeps its `velocity` along what is in its way.
    /// Entities whose `flags` say that they fly, swim or are on the ground stay. Returns what the entity hit last, 0
    /// for the level: an engine calls the `touch` of both.
    ///
    /// # Example
    /// ```
    /// use skelobj::qc::vm::{Machine, Progs};
    /// use skelobj::qc::{Environment, VmHost};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/quakec/spinning_bone.dat")?)?;
    /// let (mut runtime, _) = skelobj::assets::mannequin_runtime();
    /// let mut environment = Environment::new(&progs, |_| ());
    /// let mut host = VmHost { runtime: &mut runtime, environment: &mut environment };
    /// let mut machine = Machine::new(progs.into());
    /// let monster = machine.spawn_entity()?;
    /// assert_eq!(host.fall(&mut machine, monster, 800.0, 0.1), Some(0)); // the floor
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fall(&mut self, machine: &mut Machine, entity: u32, gravity: f32, frame_time: f32) -> Option<u32> {
        let mut call = MachineCall::new(machine, self.environment);
        Walker::new(&mut call, self.runtime).of(entity).fall(gravity, frame_time)
    }

    /// Frees the addresses that `machine` has for the memory of deleted objects.
    ///
    /// # Example
    /// Server and client code share a runtime:
    /// ```
    /// use skelobj::assets;
    /// use skelobj::qc::vm::{Machine, Progs};
    /// use skelobj::qc::{Environment, VmHost};
    ///
    /// let progs = std::sync::Arc::new(Progs::load(&std::fs::read("examples/quakec/spinning_bone.dat")?)?);
    /// let (mut runtime, _) = assets::mannequin_runtime();
    /// let [mut server, mut client] = [(); 2].map(|()| Machine::new(progs.clone()));
    /// let [mut of_server, mut of_client] = [(); 2].map(|()| Environment::new(&progs, |_| ()));
    /// VmHost { runtime: &mut runtime, environment: &mut of_server }.step(&mut server, 1.0 / 60.0);
    /// VmHost { runtime: &mut runtime, environment: &mut of_client }.forget_deleted(&mut client);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn forget_deleted(&mut self, machine: &mut Machine) {
        self.warn_of_writes(machine);
        if self.environment.warn {
            self.watch_shown(machine);
        }
        machine.retain_host(|region| self.object(region).is_some());
        self.environment.receivers.retain(|id, _| self.runtime.object(*id).is_some());
        self.environment.watch.forget_deleted(self.runtime);
    }

    /// Makes the calls that a builtin requested.
    #[cold]
    fn call_pending(&mut self, machine: &mut Machine) -> Result<(), Fault> {
        // The calls overwrite what the script may read back: arguments, the time of an event, and `self`.
        let arguments = [0, 1, 2, 3, 4, 5, 6, 7].map(|number| machine.argument_bits(number));
        let globals = [self.environment.this, self.environment.result(ScriptResult::modelevent_time)];
        let globals = globals.map(|global| global.map(|global| (global, machine.global(global))));
        let called = self.call_each_pending(machine);
        for (number, bits) in arguments.into_iter().enumerate() {
            machine.set_argument_bits(number, bits);
        }
        for (global, word) in globals.into_iter().flatten() {
            machine.set_global(global, word);
        }
        called
    }

    /// Sets the globals of an event to its time, its code as a float, and its data, for functions that are compiled
    /// without integers.
    fn set_event_results(&self, machine: &mut Machine, words: [u32; 3]) {
        let globals = [ScriptResult::modelevent_time, ScriptResult::modelevent_code, ScriptResult::modelevent_data];
        for (global, word) in globals.into_iter().zip(words) {
            if let Some(place) = self.environment.result(global) {
                machine.set_global(place, word);
            }
        }
    }

    fn call_each_pending(&mut self, machine: &mut Machine) -> Result<(), Fault> {
        // No string is collected before the builtin returns, so events with equal data share one.
        let mut strings: HashMap<Name, u32> = HashMap::new();
        for call in std::mem::take(&mut self.environment.pending) {
            let (function, time, code, data) = match call {
                PendingCall::Event { function, time, code, data } => (function, time, code, data),
                PendingCall::Draw { entity, mask } => {
                    self.draw(machine, entity, mask)?;
                    continue;
                }
            };
            let data = match strings.entry(data) {
                Entry::Occupied(string) => *string.get(),
                Entry::Vacant(place) => {
                    let string = machine.temporary_string(place.key().as_bytes())?;
                    *place.insert(string)
                }
            };
            self.set_event_results(machine, [time.to_bits(), (code as f32).to_bits(), data]);
            machine.set_argument(0, [time.to_bits(), 0, 0]);
            machine.set_argument(1, [code as u32, 0, 0]);
            machine.set_argument(2, [data, 0, 0]);
            machine.call(function, self)?;
        }
        Ok(())
    }

    /// Adds an entity to the scene, unless its `predraw` removes it or, in FTE, returns a number other than 0.
    ///
    /// FTE compares the mask before it calls `predraw`, DarkPlaces afterwards.
    fn draw(&mut self, machine: &mut Machine, entity: u32, mask: i32) -> Result<(), Fault> {
        let is_fte = self.environment.dialect == Dialect::Fte;
        // The function of an entity before this one may have removed or hidden it.
        if !machine.is_entity_alive(entity) || (is_fte && !self.environment.is_drawn(machine, entity, mask)) {
            return Ok(());
        }
        let predraw = self.environment.script.predraw.map(|predraw| machine.field(entity, predraw));
        if let Some(function) = predraw.transpose()?.filter(|function| *function != 0) {
            if let Some(this) = self.environment.this {
                machine.set_global(this, entity);
            }
            machine.call(vm::FunctionId(function), self)?;
            let refused = is_fte && machine.result_float() != 0.0;
            if refused || !machine.is_entity_alive(entity) {
                return Ok(());
            }
        }
        if !is_fte && !self.environment.is_drawn(machine, entity, mask) {
            return Ok(());
        }
        let Some(add) = self.environment.add_entity else { return Ok(()) };
        machine.set_argument_bits(0, entity);
        let mut call = MachineCall::new(machine, self.environment);
        add.call(self.runtime, &mut call);
        call.fault.into_inner().map_or(Ok(()), Err)
    }

    /// Runs a builtin of the standard library, an unknown one, or an observed one.
    #[inline(never)]
    fn call_declared(&mut self, machine: &mut Machine, builtin: &vm::Builtin) -> Result<(), Fault> {
        let in_table = self.environment.declared.get(builtin.index as usize).and_then(Declared::in_table);
        if let Some((found, required)) = in_table.filter(|(_, required)| machine.argc() < *required) {
            self.complete_arguments(machine, found, required);
        }
        match self.environment.declared.get(builtin.index as usize) {
            Some(declared) if declared.is_observed => self.call_observed(machine, builtin),
            Some(declared) => self.call_found(machine, builtin, declared.found),
            None => self.call_found(machine, builtin, Found::Unknown),
        }
    }

    fn call_found(&mut self, machine: &mut Machine, builtin: &vm::Builtin, found: Found) -> Result<(), Fault> {
        match found {
            Found::Standard(found) => found.call(machine, self),
            Found::Table(found) => self.call_table(machine, found),
            Found::Unknown if self.environment.strict => Err(builtin.unknown()),
            Found::Unknown => {
                self.warn_of_unknown(machine, builtin);
                machine.return_vector([0.0; 3]);
                Ok(())
            }
        }
    }

    /// Takes missing arguments of a builtin of the table from the last call.
    #[cold]
    fn complete_arguments(&mut self, machine: &mut Machine, builtin: &'static Builtin, required: usize) {
        let passed = machine.argc();
        machine.require_arguments(parameters(builtin.signature).iter().map(|parameter| parameter.kind).take(required));
        let mut call = MachineCall::new(machine, self.environment);
        call.mistake(builtin.name, builtin.signature, Mistake::MissingArguments { passed, required });
    }

    /// Runs a builtin of the table, and the calls that it requests.
    #[inline(always)]
    fn call_table(&mut self, machine: &mut Machine, builtin: &'static Builtin) -> Result<(), Fault> {
        let mut call = MachineCall::new(machine, self.environment);
        builtin.call(self.runtime, &mut call);
        if let Some(fault) = call.fault.into_inner() {
            self.environment.pending.clear();
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

    /// Makes a warning of a call of an unknown builtin: of the first one, unless calls are checked.
    fn warn_of_unknown(&mut self, machine: &mut Machine, builtin: &vm::Builtin) {
        let Some(declared) = self.environment.declared.get_mut(builtin.index as usize) else { return };
        if std::mem::replace(&mut declared.was_missed, true) && !self.environment.warn {
            return;
        }
        let (name, signature) = (declared.name.clone(), declared.found.signature());
        let mut call = MachineCall::new(machine, self.environment);
        call.warn(&name, signature, ScriptProblem::UnknownBuiltin { number: builtin.number });
    }

    /// Returns the object that a region of host memory belongs to.
    fn object(&self, region: u32) -> Option<&SkeletalObject> {
        self.runtime.object(ObjectId::new(region)?)
    }
}

impl vm::Builtins for VmHost<'_> {
    #[inline(always)]
    fn call(&mut self, machine: &mut Machine, builtin: &vm::Builtin) -> Result<(), Fault> {
        match self.environment.builtins.get(builtin.index as usize).copied().flatten() {
            Some((found, required)) if machine.argc() >= required => self.call_table(machine, found),
            _ => self.call_declared(machine, builtin),
        }
    }

    fn read_host(&mut self, region: u32, offset: u32) -> Option<u32> {
        let object = self.object(region)?;
        let floats: &[f32] = bytemuck::cast_slice(object.pose().bones());
        floats.get(offset as usize / 4).map(|float| float.to_bits())
    }

    fn write_host(&mut self, region: u32, offset: u32, bits: u32) -> Option<()> {
        let object = self.runtime.object_mut(ObjectId::new(region)?)?;
        let floats: &mut [f32] = bytemuck::cast_slice_mut(object.bones_mut());
        *floats.get_mut(offset as usize / 4)? = f32::from_bits(bits);
        Some(())
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

impl<'a> MachineCall<'a> {
    #[inline(always)]
    fn new(machine: &'a mut Machine, environment: &'a mut Environment) -> Self {
        Self { machine, environment, fault: Cell::new(None) }
    }

    /// Makes a warning of a problem of the running call.
    fn warn(&mut self, builtin: &str, signature: &'static str, problem: ScriptProblem) {
        let arguments = self.arguments(signature);
        let location = self.machine.call_location();
        self.environment.add_warning(ScriptWarning { builtin: builtin.to_owned(), arguments, problem, location });
    }

    /// Reports a mistake that the running builtin passes over. A non-finite number is reported without checks, too.
    #[cold]
    fn mistake(&mut self, builtin: &'static str, signature: &'static str, mistake: Mistake) {
        if self.environment.warn {
            self.warn(builtin, signature, ScriptProblem::Mistake(mistake));
        } else if mistake == Mistake::NotFinite {
            self.environment.not_finite(builtin);
        }
    }

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

    fn return_bones(&mut self, object: ObjectId, bones: &mut [Mat3x4]) {
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

    fn interpolates(&self) -> bool {
        let cvars = &self.environment.cvars;
        cvars.get(b"r_lerpmodels").is_none() || cvars.float(b"r_lerpmodels") != 0.0
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
        let fields = self.environment.fields.frame_fields(self.words(entity));
        if is_limp_frame(truncate(fields.frame))
            && let Some(held) = self.environment.default_ragdolls.held_fields(Self::entity_number(entity))
        {
            return held;
        }
        fields
    }

    #[inline]
    fn single_frame(&self, entity: Entity) -> Option<SingleFrame> {
        let single = self.environment.fields.single_frame(self.words(entity))?;
        // The fields of an entity that is limp are not those of the progs.
        (single.frame < 32768.0).then_some(single)
    }

    fn own_object(&self, entity: Entity) -> Option<ObjectId> {
        self.environment.default_ragdolls.object(Self::entity_number(entity))
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

    #[cold]
    fn complain(&mut self, builtin: &Builtin, reason: &str) {
        if self.environment.warn {
            self.warn(builtin.name, builtin.signature, ScriptProblem::Refused { reason: reason.to_owned() });
        } else {
            self.environment.print(&format!("{}: {reason}\n", builtin.name));
        }
    }

    fn not_finite(&mut self, builtin: &'static str) {
        let signature = Builtin::by_name(builtin).map_or("", |builtin| builtin.signature);
        self.mistake(builtin, signature, Mistake::NotFinite);
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

    fn set_result(&mut self, global: ScriptResult, value: f32) {
        if let Some(place) = self.environment.result(global) {
            self.machine.set_global_float(place, value);
        }
    }

    fn set_string_result(&mut self, global: ScriptResult, value: &[u8]) {
        if let Some(place) = self.environment.result(global) {
            let made = self.machine.temporary_string(value);
            let handle = self.check(made);
            self.machine.set_global(place, handle);
        }
    }

    fn set_matched_frame(&mut self, found: &MatchedFrame) {
        let [origin, yaw, time] = self.environment.matched_pose;
        self.set_vector_global(origin, found.origin);
        for (place, value) in [(yaw, found.yaw), (time, found.time)] {
            if let Some(place) = place {
                self.machine.set_global_float(place, value);
            }
        }
    }

    fn buffer(&mut self, number: i32) -> Option<&mut Vec<u8>> {
        self.environment.buffer_mut(usize::try_from(number).ok()?)
    }

    fn receiver(&mut self, object: ObjectId) -> Option<&mut BoneReceiver> {
        self.environment.receiver(object)
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
        self.environment.pending.push(PendingCall::Event { function, time, code, data: data.clone() });
    }
}
