//! Entities as a host draws them.

use std::cell::Cell;

use super::{MachineCall, VmHost};
use crate::qc::builtins::scene;
use crate::qc::call::Call;
use crate::qc::vm::Machine;
use crate::qc::{Entity, SceneEntity};

impl VmHost<'_> {
    /// Returns an entity as `addentity` adds it to the scene, without adding it: its place, model, skeletal object and
    /// animations. `None` for the world and for a removed entity.
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
    /// let main = machine.find_function(b"main").ok_or("no main")?;
    /// machine.call(main, &mut host)?; // spawns a turret, entity 1
    /// let turret = host.scene_entity(&mut machine, 1).ok_or("no turret")?;
    /// assert!(turret.state.model.is_some() && turret.state.object.is_none()); // its think creates the object
    /// assert_eq!(host.scene_entity(&mut machine, 0), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn scene_entity(&mut self, machine: &mut Machine, entity: u32) -> Option<SceneEntity> {
        let builtin = self.environment.add_entity.filter(|_| entity != 0 && machine.is_entity_alive(entity))?;
        let mut host = MachineCall { machine, environment: self.environment, fault: Cell::new(None) };
        let mut call = Call { runtime: self.runtime, host: &mut host, builtin };
        Some(scene::drawn(&mut call, Entity(entity.into())))
    }
}
