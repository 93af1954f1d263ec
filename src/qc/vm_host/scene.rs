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
    /// use skelobj::assets;
    /// use skelobj::qc::vm::{Machine, Progs};
    /// use skelobj::qc::{Environment, VmHost};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/quakec/spinning_bone.dat")?)?;
    /// let (mut runtime, _) = assets::mannequin_runtime();
    /// let mut environment = Environment::new(&progs, |_| ());
    /// let mut host = VmHost { runtime: &mut runtime, environment: &mut environment };
    /// let mut machine = Machine::new(progs.into());
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
