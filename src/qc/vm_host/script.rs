//! Models and traces on this crate's own machine.

use super::MachineCall;
use crate::qc::vm::Fault;
use crate::qc::{Entity, ScriptHost, ScriptTrace};
use crate::runtime::Runtime;

/// Maximum number of models that scripts may ask for, missing ones included.
const MAX_MODELS: usize = 8192;
/// Maximum length of a model's name, bytes.
const LONGEST_NAME: usize = 1024;

impl MachineCall<'_> {
    fn set_field_called(&mut self, entity: Entity, name: &str, bits: u32) {
        if let Some(field) = self.machine.progs().field(name.as_bytes()) {
            let set = self.machine.set_field(Self::entity_number(entity), field, bits);
            self.check(set);
        }
    }
}

impl ScriptHost for MachineCall<'_> {
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
            self.fail(Fault::Script(b"too many models, or too long a name of one"[..].into()));
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
}
