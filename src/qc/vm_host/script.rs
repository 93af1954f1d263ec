//! Models and traces on the machine of `skelobj-qcvm`.

use skelobj_model::internal;

use super::MachineCall;
use super::pending_call::PendingCall;
use super::walk::Walker;
use crate::qc::call::LOOKUP;
use crate::qc::vm::{self, Fault, Global, Progs};
use crate::qc::{Dialect, Entity, Host, Scene, ScriptHost, ScriptTrace};
use crate::runtime::{Runtime, Trace};

/// Maximum number of models that scripts may request, including missing ones.
const MAX_MODELS: usize = 8192;
/// Cost of a missing or invalid model, in statements: the file may have been read almost to its end.
const UNREADABLE: u64 = 4000;
/// Cost of drawing an entity, in statements: its frames and its matrix are read and copied.
const DRAWING: u64 = 16;
/// Largest length of a model's name, bytes.
const LONGEST_NAME: usize = 1024;

/// Places in a progs that the builtins of models and traces write.
#[derive(Clone, Copy)]
pub(super) struct ScriptPlaces {
    model: Option<vm::Field>,
    model_index: Option<vm::Field>,
    pub(super) predraw: Option<vm::Field>,
    pub(super) draw_mask: Option<vm::Field>,
    /// `trace_fraction`, `trace_plane_dist`, `trace_startsolid`, `trace_allsolid`, `trace_inopen`, `trace_inwater`.
    floats: [Option<Global>; 6],
    end: Option<Global>,
    normal: Option<Global>,
    entity: Option<Global>,
}

impl ScriptPlaces {
    pub(super) fn new(progs: &Progs) -> Self {
        let global = |name: &str| progs.global(format!("trace_{name}").as_bytes());
        Self {
            model: progs.field(b"model"),
            model_index: progs.field(b"modelindex"),
            predraw: progs.field(b"predraw"),
            draw_mask: progs.field(b"drawmask"),
            floats: ["fraction", "plane_dist", "startsolid", "allsolid", "inopen", "inwater"].map(global),
            end: global("endpos"),
            normal: global("plane_normal"),
            entity: global("ent"),
        }
    }
}

impl ScriptHost for MachineCall<'_> {
    fn set_model(&mut self, runtime: &mut Runtime, entity: Entity, name: &[u8]) {
        let index = self.precache_model(runtime, name);
        let kept = self.machine.permanent_string(name);
        let handle = self.check(kept);
        let places = self.environment.script;
        for (field, bits) in [(places.model, handle), (places.model_index, (index as f32).to_bits())] {
            if let Some(field) = field {
                let set = self.machine.set_field(Self::entity_number(entity), field, bits);
                self.check(set);
            }
        }
        let number = Self::entity_number(entity);
        let part = name.strip_prefix(b"*").and_then(|part| std::str::from_utf8(part).ok()?.parse::<usize>().ok());
        let corners = part.and_then(|part| self.environment.brush_models.get(part));
        let linked = match corners.map(|corners| corners.map(|corner| corner.to_array())) {
            Some(corners) => self.machine.set_entity_size(number, corners),
            None => self.machine.link_entity(number),
        };
        self.check(linked);
    }

    fn precache_model(&mut self, runtime: &mut Runtime, name: &[u8]) -> usize {
        let name = String::from_utf8_lossy(name);
        if let Some(index) = self.environment.model_index(&name) {
            return index;
        }
        if self.environment.models.len() >= MAX_MODELS || name.len() > LONGEST_NAME {
            self.fail(Fault::Script(b"more than 8192 models, or a model name of more than 1024 bytes"[..].into()));
            return 0;
        }
        if !self.charge(LOOKUP) {
            return 0;
        }
        let location = self.machine.call_location();
        let index = self.environment.model_for(runtime, &name, location);
        if let Some(model) = self.model(runtime, index as i32).id().and_then(|id| runtime.model(id)) {
            self.charge(model.frames.len() as u64 + internal::skin_size(model));
        } else {
            self.charge(UNREADABLE);
        }
        index
    }

    fn find_model(&self, name: &[u8]) -> Option<usize> {
        self.environment.model_index(&String::from_utf8_lossy(name))
    }

    fn model_name(&self, index: usize) -> Option<Vec<u8>> {
        self.environment.model_name(index).map(|name| name.as_bytes().to_vec())
    }

    fn shader(&mut self, name: &[u8]) -> usize {
        let shaders = &mut self.environment.shaders;
        if let Some(number) = shaders.get(name) {
            return *number;
        }
        if name.is_empty() || name.len() > LONGEST_NAME || shaders.len() >= MAX_MODELS {
            return 0;
        }
        let number = shaders.len() + 1;
        shaders.insert(name.to_vec(), number);
        number
    }

    fn set_trace(&mut self, trace: &ScriptTrace) {
        let globals = self.environment.script;
        let [start, all] = [trace.start_solid, trace.all_solid].map(|solid| f32::from(u8::from(solid)));
        let floats = [trace.fraction, trace.distance, start, all, 1.0 - all, 0.0];
        for (global, value) in globals.floats.into_iter().zip(floats) {
            if let Some(global) = global {
                self.machine.set_global_float(global, value);
            }
        }
        self.set_vector_global(globals.end, trace.end);
        self.set_vector_global(globals.normal, trace.normal);
        if let Some(global) = globals.entity {
            // The level belongs to the world, entity 0.
            self.machine.set_global(global, trace.entity.map_or(0, Self::entity_number));
        }
    }

    fn trace_entities(
        &mut self,
        runtime: &Runtime,
        trace: &Trace,
        result: &mut ScriptTrace,
        nomonsters: i32,
        ignored: Entity,
    ) {
        let ignored = Self::entity_number(ignored);
        Walker::new(self, runtime).of(ignored).clip(trace, result, nomonsters);
    }

    fn drop_to_floor(&mut self, runtime: &Runtime) -> bool {
        Walker::new(self, runtime).drop_to_floor()
    }

    fn walk(&mut self, runtime: &Runtime, yaw: f32, distance: f32) -> bool {
        Walker::new(self, runtime).walk(yaw, distance)
    }

    fn approach(&mut self, runtime: &Runtime, distance: f32) {
        Walker::new(self, runtime).approach(distance);
    }

    fn stands(&mut self, runtime: &Runtime, entity: Entity) -> bool {
        let entity = Self::entity_number(entity);
        Walker::new(self, runtime).of(entity).stands()
    }

    fn scene(&mut self) -> Option<&mut Scene> {
        Some(&mut self.environment.scene)
    }

    fn add_entities(&mut self, mask: i32) {
        let entities = self.machine.entity_count();
        if !self.charge(entities.into()) {
            return;
        }
        let all = self.environment.dialect == Dialect::DarkPlaces;
        for entity in (1..entities).filter(|entity| self.machine.is_entity_alive(*entity)) {
            if all || self.environment.is_drawn(self.machine, entity, mask) {
                if !self.charge(DRAWING) {
                    return;
                }
                self.environment.pending.push(PendingCall::Draw { entity, mask });
            }
        }
    }

    fn is_alive(&self, entity: Entity) -> bool {
        entity.0 != 0 && self.machine.is_entity_alive(Self::entity_number(entity))
    }
}
