//! Frames of the host: physics steps and the removal of deleted objects.

use skelobj_model::internal;

use super::{ObjectId, Runtime, Stepped, Warning};
use crate::OutOfRange;
use crate::physics::StepPhase;
use crate::physics::rapier3d::prelude::PhysicsWorld;

impl Runtime {
    /// Ends a frame of the host: frees [deleted](Self::delete_object) objects and simulates `frame_time` seconds in
    /// fixed steps.
    ///
    /// Returns the number of steps and the time that was dropped.
    /// [`PhysicsSettings::step`](crate::physics::PhysicsSettings::step) is the length of a step,
    /// [`max_step_debt`](crate::physics::PhysicsSettings::max_step_debt) the longest time that one call simulates.
    ///
    /// Call it once per frame, after game code has run. QuakeC VMs that share a runtime never free objects themselves;
    /// only the host's step does.
    ///
    /// ```
    /// let mut runtime = skelobj::Runtime::default();
    /// assert_eq!(runtime.step(1.0 / 60.0)?.steps, 1); // a step takes 1/60 s
    /// assert!(runtime.step(f32::NAN).is_err());
    /// # Ok::<(), skelobj::OutOfRange>(())
    /// ```
    ///
    /// # Errors
    /// [`OutOfRange`] for a time that is negative or not finite. Nothing is freed or simulated.
    pub fn step(&mut self, frame_time: f32) -> Result<Stepped, OutOfRange> {
        check_time(frame_time)?;
        self.flush_deleted();
        let (objects, awake) = (&mut self.objects, &mut self.awake);
        let stepped = self.physics.advance(frame_time, |physics, phase| awake.step(objects, physics, phase))?;
        self.end_ragdoll_frames();
        Ok(stepped)
    }

    /// Frees [deleted](Self::delete_object) objects and their ragdolls, for hosts that never call [`step`](Self::step),
    /// such as a tool or a client that only shows poses of a server.
    ///
    /// ```
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// runtime.delete_object(object)?;
    /// assert!(runtime.object(object).is_some());
    /// runtime.flush_deleted();
    /// assert!(runtime.object(object).is_none());
    /// # Ok::<(), skelobj::object::ObjectError>(())
    /// ```
    pub fn flush_deleted(&mut self) {
        for id in std::mem::take(&mut self.pending_delete) {
            debug_assert!(self.objects.get(id).is_some(), "an object lives until the end of the frame");
            let Some(object) = self.objects.remove(id) else { continue };
            debug_assert!(self.cost >= object.cost, "the costs of all objects are counted");
            self.cost -= object.cost;
            if let Some(ragdoll) = object.ragdoll {
                ragdoll.take_out(&mut self.physics);
            }
        }
        self.physics.finish_removals();
    }

    /// Prepares ragdolls and kinematic bodies for a step that the host makes itself, in place of [`step`](Self::step).
    ///
    /// The step ends `end` seconds into a host's frame of `frame_time` seconds. After poses and commands, a frame
    /// consists of `pre_step`, rapier's own step and [`post_step`](Self::post_step) for every step, then of one
    /// [`end_steps`](Self::end_steps). The world determines the length of a step and gravity.
    ///
    /// ```
    /// let mut runtime = skelobj::Runtime::default();
    /// let frame_time = 1.0 / 60.0;
    /// let step = f64::from(runtime.physics().step_time());
    /// for number in 1..=2 {
    ///     runtime.pre_step(f64::from(number) * step, frame_time)?;
    ///     runtime.physics_mut().world_mut().step();
    ///     runtime.post_step();
    /// }
    /// runtime.end_steps(0.0)?;
    /// # Ok::<(), skelobj::OutOfRange>(())
    /// ```
    ///
    /// # Errors
    /// [`OutOfRange`] for a time that is negative or not finite. Nothing is prepared.
    pub fn pre_step(&mut self, end: f64, frame_time: f32) -> Result<(), OutOfRange> {
        internal::check_number(end.is_finite() && end >= 0.0, "end", end, "a finite number of 0 or above")?;
        check_time(frame_time)?;
        self.flush_deleted();
        self.physics.note_changed_joints();
        let phase = StepPhase::before(end, frame_time);
        self.awake.step(&mut self.objects, &mut self.physics, phase);
        self.physics.step_hook(phase);
        Ok(())
    }

    /// Applies the results of a step that the host made itself; see [`pre_step`](Self::pre_step).
    pub fn post_step(&mut self) {
        self.physics.step_hook(StepPhase::After);
        self.awake.step(&mut self.objects, &mut self.physics, StepPhase::After);
    }

    /// Ends a frame of steps that the host made itself, and frees deleted objects; see [`pre_step`](Self::pre_step).
    ///
    /// `ahead` is the time by which the simulation is ahead of the host's clock, from 0 to the length of a step,
    /// seconds. Bones are shown that much earlier.
    ///
    /// # Errors
    /// [`OutOfRange`] for a time that is not finite. The frame does not end.
    pub fn end_steps(&mut self, ahead: f64) -> Result<(), OutOfRange> {
        internal::check_number(ahead.is_finite(), "ahead", ahead, "a finite number")?;
        self.physics.end_frame(ahead);
        self.end_ragdoll_frames();
        self.flush_deleted();
        Ok(())
    }

    /// Runs a closure with a rapier world of the host in place of the runtime's own.
    ///
    /// The external world is in Quake units and set up with
    /// [`PhysicsSettings::parameters`](crate::physics::PhysicsSettings::parameters). Every call that touches physics
    /// needs this world: calls that create, update or remove ragdolls and level bodies, that trace, step or
    /// [`flush_deleted`](Self::flush_deleted), and that take or restore snapshots. Bodies and colliders that these
    /// calls add carry [`UserData`](crate::physics::UserData); everything else in the world is the host's. The runtime
    /// gets its own world back when `run` returns or panics.
    ///
    /// ```
    /// use skelobj::Runtime;
    /// use skelobj::physics::{PhysicsSettings, rapier3d::prelude::PhysicsWorld};
    /// let mut runtime = Runtime::default();
    /// let settings = PhysicsSettings::default();
    /// let mut world = PhysicsWorld {
    ///     gravity: settings.gravity,
    ///     integration_parameters: settings.parameters()?,
    ///     ..PhysicsWorld::default()
    /// };
    /// runtime.with_external_world(&mut world, |runtime| runtime.physics_mut().add_floor(0.0))?;
    /// assert_eq!(world.bodies.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_external_world<T>(&mut self, world: &mut PhysicsWorld, run: impl FnOnce(&mut Self) -> T) -> T {
        self.physics.swap_world(world);
        let guard = ExternalWorld { runtime: self, world };
        run(&mut *guard.runtime)
    }

    /// Ends the frame of every ragdoll, and warns of ragdolls that had bodies reset or that left the level.
    fn end_ragdoll_frames(&mut self) {
        let mut warnings = Vec::new();
        self.awake.end_frame(&mut self.objects, |object, ragdoll| {
            ragdoll.end_frame();
            let bodies = ragdoll.take_reset();
            if bodies > 0 {
                warnings.push(Warning::BodiesReset { object, bodies });
            }
            if ragdoll.take_left_level() {
                warnings.push(Warning::LeftLevel { object });
            }
        });
        let object = |owner| ObjectId::new(u32::try_from(owner).ok()?);
        for (owner, lost) in self.physics.take_lost_contacts() {
            warnings.extend(object(owner).map(|object| Warning::LostContacts { object, lost }));
        }
        for warning in warnings {
            self.warn(warning);
        }
    }
}

/// Checks the time of a frame.
fn check_time(frame_time: f32) -> Result<(), OutOfRange> {
    let is_time = frame_time.is_finite() && frame_time >= 0.0;
    internal::check_number(is_time, "frame_time", frame_time, "a finite number of 0 or above")
}

/// Guard that swaps both worlds back, even if the host's code panics.
struct ExternalWorld<'a> {
    runtime: &'a mut Runtime,
    world: &'a mut PhysicsWorld,
}

impl Drop for ExternalWorld<'_> {
    fn drop(&mut self) {
        self.runtime.physics.swap_world(self.world);
    }
}
