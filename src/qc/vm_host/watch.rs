//! Objects of a script whose calls are checked: the calls that created them, and the weights of the builds of their
//! bones.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use skelobj_model::internal::finite_number;

use super::{MachineCall, VmHost};
use crate::math::truncate;
use crate::model::Name;
use crate::object::SkeletalObject;
use crate::qc::argument_number::{index, object_id};
use crate::qc::script_warning::ScriptProblem;
use crate::qc::vm::{Location, Machine};
use crate::qc::{Args as _, Builtin, Dialect, Entity, Field, Host as _, ModelRef, Rules, ScriptWarning};
use crate::runtime::{ObjectId, Runtime};

/// Difference from 1 of the weights of a whole pose.
const TOLERANCE: f32 = 0.01;

/// Objects of a script whose calls are checked.
#[derive(Debug, Default)]
pub(super) struct Watch(HashMap<ObjectId, Watched>);

#[derive(Debug, Default)]
struct Watched {
    /// Call that created the object; `None` for one of the host.
    created: Option<Place>,
    /// Last build, whose use was not reported yet.
    built: Option<Place>,
    /// Sum of the weights of the builds of each bone; bones that were set otherwise have 1. Empty for an object of the
    /// host before its first build.
    weights: Vec<f32>,
    /// The script writes the bones through a pointer.
    is_mapped: bool,
}

/// Call in a script.
#[derive(Clone, Debug)]
struct Place {
    builtin: &'static str,
    arguments: String,
    location: Option<Location>,
}

impl Place {
    /// Returns what calls of one place have in common.
    fn key(&self) -> Option<String> {
        self.location.as_ref().map(ToString::to_string)
    }

    fn warning(self, problem: ScriptProblem) -> ScriptWarning {
        let Self { builtin, arguments, location } = self;
        ScriptWarning { builtin: builtin.to_owned(), arguments, problem, location }
    }
}

impl Watch {
    pub(super) fn forget_deleted(&mut self, runtime: &Runtime) {
        self.0.retain(|id, _| runtime.object(*id).is_some());
    }

    /// Notes that bones were set by something else than builds.
    fn set(&mut self, object: ObjectId, bones: Range<usize>) {
        if let Some(watched) = self.0.get_mut(&object) {
            let end = bones.end.min(watched.weights.len());
            watched.weights.get_mut(bones.start..end).unwrap_or_default().fill(1.0);
        }
    }

    /// Notes that bones were copied.
    fn copy(&mut self, to: ObjectId, from: ObjectId, bones: Range<usize>) {
        let source = self.0.get(&from).filter(|from| !from.is_mapped).map(|from| from.weights.clone());
        let Some(target) = self.0.get_mut(&to) else { return };
        let source = source.unwrap_or_default();
        for (bone, weight) in target.weights.iter_mut().enumerate().filter(|(bone, _)| bones.contains(bone)) {
            *weight = source.get(bone).copied().unwrap_or(1.0);
        }
    }
}

/// Builtins that read bones as the script built them. An update of a ragdoll refuses an object that was never built, or
/// poses it, and tags of an entity are known before its object.
const READS_BONES: [&str; 4] = ["skel_get_bonerel", "skel_get_boneabs", "skel_copybones", "skel_send"];

/// Use of bones.
enum Use {
    One(ObjectId, usize),
    All(ObjectId),
    /// Copies, whose weights go with them.
    Source(ObjectId),
}

impl Use {
    fn object(&self) -> ObjectId {
        match *self {
            Self::One(id, _) | Self::All(id) | Self::Source(id) => id,
        }
    }
}

impl VmHost<'_> {
    /// Makes warnings of lost skeletal objects: they still exist, and no living entity has them in its `skeletonindex`.
    ///
    /// Each place in the script that created such objects makes one warning.
    /// A host calls it at the end of a script, after the last [`step`](Self::step). It knows the objects that were
    /// created after [`Environment::set_warn`](super::Environment::set_warn).
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
    /// environment.set_warn(true);
    /// let mut host = VmHost { runtime: &mut runtime, environment: &mut environment };
    /// let mut machine = Machine::new(progs.into());
    /// machine.call(machine.find_function(b"main").ok_or("no main")?, &mut host)?; // spawns a turret, entity 1
    /// machine.set_global(machine.progs().global(b"self").ok_or("no self")?, 1);
    /// machine.call(machine.find_function(b"turret_think").ok_or("no turret_think")?, &mut host)?; // creates an object
    /// machine.remove_entity(1)?;
    /// host.warn_of_undeleted(&mut machine);
    /// let warning = environment.take_warnings().pop().ok_or("no warning")?;
    /// assert_eq!(warning.message(), "object 2 was never deleted, and no entity has it in skeletonindex");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn warn_of_undeleted(&mut self, machine: &mut Machine) {
        let lost: HashSet<ObjectId> = self.lost_objects(machine).into_iter().collect();
        let is_lost = |id: &ObjectId| lost.contains(id);
        let watched = self.environment.watch.0.iter().filter(|(id, _)| is_lost(id));
        let mut lost: Vec<(ObjectId, Place)> =
            watched.filter_map(|(id, watched)| Some((*id, watched.created.clone()?))).collect();
        lost.sort_by_key(|(id, _)| id.get());
        let mut counts: HashMap<Option<String>, usize> = HashMap::new();
        for (_, place) in &lost {
            *counts.entry(place.key()).or_default() += 1;
        }
        for (first, place) in lost {
            if let Some(count) = counts.remove(&place.key()) {
                self.environment.add_warning(place.warning(ScriptProblem::NeverDeleted { object: first.get(), count }));
            }
        }
    }

    /// Returns the skeletal objects that no living entity of `machine` has in its `skeletonindex`, but for those of
    /// [default ragdolls](Self::update_default_ragdolls).
    ///
    /// # Example
    /// ```
    /// use skelobj::assets;
    /// use skelobj::qc::vm::{Machine, Progs};
    /// use skelobj::qc::{Environment, VmHost};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/quakec/spinning_bone.dat")?)?;
    /// let (mut runtime, object) = assets::mannequin_runtime();
    /// let mut environment = Environment::new(&progs, |_| ());
    /// let mut machine = Machine::new(progs.into());
    /// let mut host = VmHost { runtime: &mut runtime, environment: &mut environment };
    /// assert_eq!(host.lost_objects(&mut machine), [object]); // the script does not know it
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lost_objects(&mut self, machine: &mut Machine) -> Vec<ObjectId> {
        let mut held = HashSet::new();
        for entity in 0..machine.entity_count() {
            if machine.is_entity_alive(entity) {
                held.extend(object_of(&MachineCall::new(machine, self.environment), entity));
                held.extend(self.environment.default_ragdolls.object(entity));
            }
        }
        self.runtime.objects().map(|(id, _)| id).filter(|id| !held.contains(id)).collect()
    }

    /// Makes warnings of unfinished bones that a call is about to use.
    pub(super) fn watch_uses(&mut self, machine: &mut Machine, builtin: &'static Builtin) {
        if let Some(problem) = self.mistake_before(machine, builtin) {
            MachineCall::new(machine, self.environment).warn(builtin.name, builtin.signature, problem);
        }
        let call = MachineCall::new(machine, self.environment);
        let of_entity = |argument| object_of(&call, MachineCall::entity_number(call.entity(argument)));
        let bone = |object: Option<ObjectId>| Some(Use::One(object?, index(call.float(1))?));
        let used = match builtin.name {
            "skel_get_bonerel" | "skel_get_boneabs" => [bone(object_id(call.float(0))), None],
            "gettaginfo" | "rotatevectorsbytag" => [bone(of_entity(0)), None],
            "skel_ragupdate" => [of_entity(0).map(Use::All), object_id(call.float(2)).map(Use::All)],
            "addentity" => [of_entity(0).map(Use::All), None],
            "skel_send" => [object_id(call.float(0)).map(Use::All), None],
            "skel_copybones" => [object_id(call.float(1)).map(Use::Source), None],
            _ => return,
        };
        for used in used.into_iter().flatten() {
            if READS_BONES.contains(&builtin.name) && self.is_unbuilt(used.object()) {
                let problem = ScriptProblem::NeverBuilt { object: used.object().get() };
                MachineCall::new(machine, self.environment).warn(builtin.name, builtin.signature, problem);
            } else {
                self.watch_use(&used);
            }
        }
    }

    /// Returns the mistake of a call that shows only before it runs.
    fn mistake_before(&mut self, machine: &mut Machine, builtin: &'static Builtin) -> Option<ScriptProblem> {
        let call = MachineCall::new(machine, self.environment);
        match builtin.name {
            "skel_delete" => {
                let id = object_id(call.float(0)).filter(|id| self.runtime.is_pending_delete(*id))?;
                Some(ScriptProblem::DeletedBefore { object: id.get() })
            }
            "setmodel" if call.environment.rules == Rules::Server => {
                let name = String::from_utf8_lossy(call.string(1));
                let is_file = !name.is_empty() && !name.starts_with('*');
                let is_new = is_file && call.environment.model_index(&name).is_none();
                is_new.then(|| ScriptProblem::NotPrecached { model: Name::from(&*name) })
            }
            _ => None,
        }
    }

    fn is_unbuilt(&self, id: ObjectId) -> bool {
        self.runtime.object(id).is_some_and(|object| !object.is_built())
    }

    /// Makes warnings of unfinished bones of the objects that living entities show at the end of a frame.
    pub(super) fn watch_shown(&mut self, machine: &mut Machine) {
        let mut shown: HashMap<ObjectId, u32> = HashMap::new();
        for entity in 1..machine.entity_count() {
            let is_alive = machine.is_entity_alive(entity);
            let call = MachineCall::new(machine, self.environment);
            let is_shown = is_alive && truncate(call.float_field(Entity(entity.into()), Field::modelindex)) != 0;
            let Some(object) = object_of(&call, entity).filter(|_| is_shown) else { continue };
            self.watch_use(&Use::All(object));
            let first = *shown.entry(object).or_insert(entity);
            if first != entity && self.runtime.object(object).is_some() {
                let problem = ScriptProblem::SharedObject { object: object.get(), entities: [first, entity] };
                let (builtin, arguments, location) = (String::new(), String::new(), None);
                self.environment.add_warning(ScriptWarning { builtin, arguments, problem, location });
            }
        }
    }

    fn watch_use(&mut self, used: &Use) {
        let (id, bones) = match *used {
            Use::One(id, bone) => (id, bone..bone.saturating_add(1)),
            Use::All(id) => (id, 0..usize::MAX),
            Use::Source(_) => return,
        };
        let Some(object) = self.runtime.object(id) else { return };
        let Some(watched) = self.environment.watch.0.get_mut(&id) else { return };
        let end = bones.end.min(watched.weights.len());
        let weights = watched.weights.get(bones.start..end).unwrap_or_default();
        let mut wrong = weights.iter().enumerate().filter(|(_, weight)| !is_whole(**weight));
        let Some((bone, weight)) = wrong.next().map(|(bone, weight)| (bone, *weight)) else { return };
        let count = 1 + wrong.count();
        let (Some(name), false) = (object.bone_name(bones.start + bone), watched.is_mapped) else { return };
        let problem = ScriptProblem::PartialBones { bone: name.clone(), weight, count };
        if let Some(place) = watched.built.take() {
            self.environment.add_warning(place.warning(problem));
        }
    }

    /// Notes what a call that has run has done to objects.
    pub(super) fn watch_changes(&mut self, machine: &mut Machine, builtin: &'static Builtin) {
        let call = MachineCall::new(machine, self.environment);
        let float = |argument| finite_number(call.float(argument));
        let result = f32::from_bits(call.machine.result()[0]);
        let object = object_id(float(0));
        match builtin.name {
            "skel_create" | "skel_build" => {
                let Some(id) = object_id(result).filter(|id| self.runtime.object(*id).is_some()) else { return };
                self.watch_build(machine, builtin, id);
            }
            "skel_build_ptr" | "skel_show" => {
                let Some(id) = object else { return };
                self.environment.watch.set(id, 0..usize::MAX);
            }
            "skel_set_bone" => {
                let (Some(id), Some(bone)) = (object, index(float(1))) else { return };
                self.environment.watch.set(id, bone..bone.saturating_add(1));
            }
            "skel_set_bone_world" => {
                let object = object_of(&call, MachineCall::entity_number(call.entity(0)));
                let (Some(id), Some(bone)) = (object, index(float(1))) else { return };
                self.environment.watch.set(id, bone..bone.saturating_add(1));
            }
            "skel_mmap" => {
                let watched = object.and_then(|id| self.environment.watch.0.get_mut(&id));
                watched.into_iter().for_each(|watched| watched.is_mapped = true);
            }
            "skel_copybones" => {
                let bones = call.dialect().bones(float(2), float(3));
                let (Some(to), Some(from)) = (object, object_id(float(1))) else { return };
                if self.is_unbuilt(from) {
                    // The copy was reported.
                    self.environment.watch.set(to, bones);
                } else {
                    self.environment.watch.copy(to, from, bones);
                }
            }
            _ => {}
        }
    }

    /// Notes a call that created or built an object.
    fn watch_build(&mut self, machine: &mut Machine, builtin: &'static Builtin, id: ObjectId) {
        let mut call = MachineCall::new(machine, self.environment);
        let place = Place {
            builtin: builtin.name,
            arguments: call.arguments(builtin.signature),
            location: call.machine.call_location(),
        };
        let is_new = builtin.name == "skel_create" || truncate(call.float(0)) == 0;
        let mut values = [0.0; 7];
        call.floats(&mut values);
        let [_, _, source, retain, first, last, add] = values.map(finite_number);
        let is_weighted = call.argc() > 6 && call.dialect() == Dialect::Fte;
        let add = if is_weighted { add } else { 1.0 - retain };
        let range = call.dialect().bones(first, last);
        let source = call.model(self.runtime, truncate(source));
        let bones = self.runtime.object(id).map_or(0, SkeletalObject::bone_count);
        if is_new {
            let watched = Watched { created: Some(place.clone()), weights: vec![0.0; bones], ..Watched::default() };
            self.environment.watch.0.insert(id, watched);
        }
        let (ModelRef::Model(model), "skel_build") = (source, builtin.name) else { return };
        let in_model = self.runtime.model(model).map_or(0, |model| model.skeleton.len());
        let watched = self.environment.watch.0.entry(id).or_default();
        if watched.weights.is_empty() {
            // The host may have posed its objects.
            watched.weights = vec![1.0; bones];
        }
        let end = range.end.min(in_model).min(bones);
        for weight in watched.weights.get_mut(range.start..end).unwrap_or_default() {
            // What is added to a whole pose is a layer.
            let is_layer = retain == 1.0 && is_whole(*weight);
            *weight = if is_layer { *weight } else { *weight * retain + add };
        }
        watched.built = Some(place);
    }
}

fn is_whole(weight: f32) -> bool {
    (weight - 1.0).abs() <= TOLERANCE
}

/// Returns the id in an entity's `skeletonindex`.
fn object_of(call: &MachineCall<'_>, entity: u32) -> Option<ObjectId> {
    object_id(call.float_field(Entity(entity.into()), Field::skeletonindex))
}
