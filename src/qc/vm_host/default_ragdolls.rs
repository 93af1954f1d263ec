//! Ragdolls of entities without a skeletal object, whose frame makes them limp.

use std::collections::HashMap;

use skelobj_model::internal::is_limp_frame;

use super::{MachineCall, VmHost};
use crate::math::{Vec3, truncate};
use crate::model::FrameFields;
use crate::object::{Build, Space};
use crate::qc::call::Call;
use crate::qc::frame_state::frame_state;
use crate::qc::vm::Machine;
use crate::qc::{Builtin, Entity, Field, Host as _};
use crate::runtime::{ModelId, ObjectId};

/// Maximum number of ragdolls that one call creates.
const MAX_NEW: usize = 64;

/// Largest speed that a ragdoll takes over from its entity, units/s; what is faster has been teleported.
const FASTEST: f32 = 2000.0;

/// Frame that makes an entity limp.
const LIMP_FRAME: f32 = 65535.0;

/// Cost of a body when its ragdoll is created, in statements.
const BODY: u64 = 256;

/// Entities without a skeletal object: how they were last animated, and the ragdolls of those that are limp.
#[derive(Debug, Default)]
pub(super) struct DefaultRagdolls {
    animated: HashMap<u32, Animated>,
    limp: HashMap<u32, Limp>,
}

/// Entity as it was when its frame last showed an animation.
#[derive(Clone, Copy, Debug)]
struct Animated {
    model: ModelId,
    fields: FrameFields,
    origin: Vec3,
}

/// Entity whose frame makes it limp.
#[derive(Clone, Copy, Debug)]
struct Limp {
    model: ModelId,
    /// Object with the ragdoll; `None` if the model has no usable doll.
    object: Option<ObjectId>,
}

impl DefaultRagdolls {
    /// Returns the object of an entity that is limp.
    pub(super) fn object(&self, entity: u32) -> Option<ObjectId> {
        self.limp.get(&entity)?.object
    }

    /// Returns the frame fields of an entity whose frame shows no animation, as they were before.
    pub(super) fn held_fields(&self, entity: u32) -> Option<FrameFields> {
        self.animated.get(&entity).map(|animated| animated.fields)
    }
}

impl VmHost<'_> {
    /// Makes entities limp whose `frame` is positive and has bit 15 set, such as 65535 (difference 39). Call it once a
    /// frame, after the script's functions and before [`step`](Self::step).
    ///
    /// An entity without a skeletal object gets an object and the default doll of its model, in the pose that it had at
    /// the last call, with the speed of its origin since then. The builtins that take an entity use this object, as
    /// does [`scene_entity`](Self::scene_entity). The object is deleted when the frame is that of an animation again,
    /// the entity is removed, its model changes, or its `skeletonindex` names an object. `skel_ragupdate` makes
    /// entities with an object of their own limp.
    ///
    /// `frame_time` is the time since the last call in seconds. A call creates at most 64 ragdolls; the other entities
    /// keep their poses until the next call. Models without a default doll keep theirs.
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
    /// let mut host = VmHost { runtime: &mut runtime, environment: &mut environment };
    /// let mut machine = Machine::new(progs.into());
    /// machine.call(machine.find_function(b"main").ok_or("no main")?, &mut host)?; // spawns a mannequin, entity 1
    /// let frame = machine.progs().field(b"frame").ok_or("no frame")?;
    /// for number in [0.0, 65535.0] {
    ///     machine.set_field_float(1, frame, number)?;
    ///     host.update_default_ragdolls(&mut machine, 1.0 / 60.0);
    ///     host.step(&mut machine, 1.0 / 60.0);
    /// }
    /// let object = host.scene_entity(&mut machine, 1).and_then(|drawn| drawn.state.object).ok_or("no object")?;
    /// assert_eq!(runtime.ragdoll(object).map(|ragdoll| ragdoll.animated_bodies()), Some(0)); // limp
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn update_default_ragdolls(&mut self, machine: &mut Machine, frame_time: f32) {
        debug_assert!(Builtin::by_name("skel_ragupdate").is_some(), "the table has the builtin");
        let Some(builtin) = Builtin::by_name("skel_ragupdate") else { return };
        let mut host = MachineCall::new(machine, self.environment);
        let cost = update(&mut Call { runtime: self.runtime, host: &mut host, builtin }, frame_time);
        machine.owe(cost);
    }
}

/// Call of a builtin as which the entities are read.
type Running<'a, 'b> = Call<'a, MachineCall<'b>>;

/// Brings all entities up to date. Returns the cost in statements.
fn update(call: &mut Running<'_, '_>, frame_time: f32) -> u64 {
    let count = call.host.machine.entity_count();
    let gone: Vec<u32> = ragdolls(call).limp.keys().copied().filter(|entity| *entity >= count).collect();
    gone.into_iter().for_each(|entity| stop(call, entity));
    ragdolls(call).animated.retain(|entity, _| *entity < count);
    let (mut room, mut cost) = (MAX_NEW, u64::from(count));
    for number in 1..count {
        let Some((model, frame)) = without_object(call, number) else {
            stop(call, number);
            ragdolls(call).animated.remove(&number);
            continue;
        };
        let entity = Entity(number.into());
        if !is_limp_frame(truncate(frame)) {
            stop(call, number);
            let (fields, origin) = (call.host.frame_fields(entity), call.transform(entity).origin);
            ragdolls(call).animated.insert(number, Animated { model, fields, origin });
            continue;
        }
        let before = ragdolls(call).animated.get(&number).copied();
        if before.is_some_and(|before| before.model != model) {
            ragdolls(call).animated.remove(&number);
        }
        if ragdolls(call).limp.get(&number).is_some_and(|limp| limp.model != model) {
            stop(call, number);
        }
        match ragdolls(call).limp.get(&number).copied() {
            Some(limp) => cost += follow(call, entity, limp.object),
            None if room > 0 => {
                room -= 1;
                let object = fall(call, entity, model, frame_time);
                ragdolls(call).limp.insert(number, Limp { model, object });
                let ragdoll = object.and_then(|object| call.runtime.ragdoll(object));
                cost += BODY * ragdoll.map_or(1, |ragdoll| ragdoll.doll().bodies.len()) as u64;
            }
            None => {
                let origin = call.transform(entity).origin;
                if let Some(animated) = ragdolls(call).animated.get_mut(&number) {
                    animated.origin = origin;
                }
            }
        }
    }
    cost
}

fn ragdolls<'c>(call: &'c mut Running<'_, '_>) -> &'c mut DefaultRagdolls {
    &mut call.host.environment.default_ragdolls
}

/// Deletes the ragdoll of an entity, if it has one.
fn stop(call: &mut Running<'_, '_>, entity: u32) {
    if let Some(object) = ragdolls(call).limp.remove(&entity).and_then(|limp| limp.object) {
        let _ = call.runtime.delete_object(object);
    }
}

/// Returns model and frame of a living entity with a model of bones and without a skeletal object.
fn without_object(call: &mut Running<'_, '_>, number: u32) -> Option<(ModelId, f32)> {
    let entity = Entity(number.into());
    if !call.host.machine.is_entity_alive(number) || call.names_object(entity) {
        return None;
    }
    let model = call.entity_model(entity).id()?;
    Some((model, call.host.float_field(entity, Field::frame)))
}

/// Creates the ragdoll of an entity in the pose that it had. Returns its object, `None` if the model has no usable
/// doll.
fn fall(call: &mut Running<'_, '_>, entity: Entity, model: ModelId, frame_time: f32) -> Option<ObjectId> {
    let shown = call.runtime.model(model)?.clone();
    let frame = frame_state(call.host, entity, Some(&shown));
    let object = call.runtime.create_object(model, Space::Local).ok()?;
    let world = call.ragdoll_world(entity);
    let built = call.runtime.object_mut(object).map(|object| object.build(&shown, &frame, &Build::REPLACE));
    let fell = built.is_some_and(|built| built.is_ok())
        && call.on_ragdoll(|runtime| runtime.update_default_ragdoll(object, &world, LIMP_FRAME)).is_ok();
    if !fell {
        let _ = call.runtime.delete_object(object);
        return None;
    }
    let number = MachineCall::entity_number(entity);
    if let Some(before) = ragdolls(call).animated.get(&number).copied() {
        let velocity = (world.origin() - before.origin) / frame_time;
        if velocity.length() <= FASTEST {
            // The velocity is finite, and the object has a ragdoll.
            let _ = call.runtime.add_ragdoll_velocity(object, velocity, Vec3::ZERO, Vec3::ZERO);
        }
    }
    Some(object)
}

/// Shows the ragdoll of a limp entity. Returns the cost in statements.
fn follow(call: &mut Running<'_, '_>, entity: Entity, object: Option<ObjectId>) -> u64 {
    let Some(object) = object else { return 0 };
    let world = call.ragdoll_world(entity);
    // At a place beyond the world the bones stay as they are.
    let _ = call.on_ragdoll(|runtime| runtime.update_default_ragdoll(object, &world, LIMP_FRAME));
    call.runtime.object(object).map_or(0, |object| 4 * object.bone_count() as u64)
}
