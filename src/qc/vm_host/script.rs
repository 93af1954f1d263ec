//! The everyday builtins' needs, on our own machine.

use super::MachineCall;
use crate::math::Vec3;
use crate::qc::vm::Fault;
use crate::qc::{Entity, ScriptHost, ScriptTrace};
use crate::runtime::Runtime;

/// Models that scripts may ask for, missing ones included.
const MAX_MODELS: usize = 8192;
/// Bytes of a model's name.
const LONGEST_NAME: usize = 1024;

impl MachineCall<'_> {
    fn set_vector_field_called(&mut self, entity: Entity, name: &str, value: Vec3) {
        if let Some(field) = self.machine.progs().field(name.as_bytes()) {
            let set = self.machine.set_field_vector(Self::entity_number(entity), field, value.to_array());
            self.check(set);
        }
    }

    fn set_field_called(&mut self, entity: Entity, name: &str, bits: u32) {
        if let Some(field) = self.machine.progs().field(name.as_bytes()) {
            let set = self.machine.set_field(Self::entity_number(entity), field, bits);
            self.check(set);
        }
    }

    /// The living entities after one; looking at each costs a statement.
    fn living_after(&self, entity: Entity) -> impl Iterator<Item = u32> {
        let numbers = Self::entity_number(entity).saturating_add(1)..self.machine.entity_count();
        let machine = &*self.machine;
        numbers.inspect(|_| machine.charge(1)).filter(|&number| machine.is_entity_alive(number))
    }
}

impl ScriptHost for MachineCall<'_> {
    fn spawn(&mut self) -> Entity {
        let spawned = self.machine.spawn_entity();
        Entity(u64::from(self.check(spawned)))
    }

    fn remove(&mut self, entity: Entity) {
        let removed = self.machine.remove_entity(Self::entity_number(entity));
        self.check(removed);
    }

    fn next_entity(&mut self, after: Entity) -> Option<Entity> {
        let next = self.living_after(after).next();
        next.map(|number| Entity(u64::from(number)))
    }

    fn find(&mut self, after: Entity, field: usize, text: &[u8]) -> Option<Entity> {
        let offset = self.machine.argument_bits(field);
        let holds = |number: &u32| {
            let handle = self.machine.field_at(*number, offset);
            self.check(handle.and_then(|handle| self.machine.string(handle).map(|held| held == text)))
        };
        let found = self.living_after(after).find(holds);
        found.map(|number| Entity(u64::from(number)))
    }

    fn find_number(&mut self, after: Entity, field: usize, number: f32) -> Option<Entity> {
        let offset = self.machine.argument_bits(field);
        let holds = |entity: &u32| f32::from_bits(self.check(self.machine.field_at(*entity, offset))) == number;
        let found = self.living_after(after).find(holds);
        found.map(|number| Entity(u64::from(number)))
    }

    fn entity_number(&self, entity: Entity) -> u64 {
        entity.0
    }

    fn return_entity(&mut self, entity: Entity) {
        self.machine.return_bits(Self::entity_number(entity));
    }

    fn set_origin(&mut self, entity: Entity, origin: Vec3) {
        self.set_vector_field_called(entity, "origin", origin);
    }

    fn set_model(&mut self, runtime: &mut Runtime, entity: Entity, name: &[u8]) {
        let index = self.precache_model(runtime, name);
        let kept = self.machine.permanent_string(name);
        let handle = self.check(kept);
        self.set_field_called(entity, "model", handle);
        self.set_field_called(entity, "modelindex", (index as f32).to_bits());
    }

    fn precache_model(&mut self, runtime: &mut Runtime, name: &[u8]) -> usize {
        let name = String::from_utf8_lossy(name);
        let models = &self.environment.models;
        self.machine.charge(models.len() as u64);
        let known = models.iter().any(|(known, _)| *known == name);
        if !known && (models.len() >= MAX_MODELS || name.len() > LONGEST_NAME) {
            self.fail(b"too many models, or too long a name of one");
            return 0;
        }
        self.environment.precache_model(runtime, &name)
    }

    fn set_trace(&mut self, trace: &ScriptTrace) {
        let solid = f32::from(u8::from(trace.start_solid));
        let floats = [
            ("trace_fraction", trace.fraction),
            ("trace_plane_dist", trace.distance),
            ("trace_startsolid", solid),
            ("trace_allsolid", solid),
            ("trace_inopen", 1.0),
            ("trace_inwater", 0.0),
        ];
        for (name, value) in floats {
            if let Some(global) = self.machine.progs().global(name.as_bytes()) {
                self.machine.set_global_float(global, value);
            }
        }
        for (name, value) in [("trace_endpos", trace.end), ("trace_plane_normal", trace.normal)] {
            let global = self.machine.progs().global(name.as_bytes());
            self.set_vector_global(global, value);
        }
        // The level is the world's.
        if let Some(global) = self.machine.progs().global(b"trace_ent") {
            self.machine.set_global(global, 0);
        }
    }

    fn fail(&mut self, message: &[u8]) {
        self.check::<()>(Err(Fault::Script(message.into())));
    }
}
