//! Frames of the host: physics steps, then the removal of deleted objects.

use super::Runtime;
#[cfg(feature = "ragdoll")]
use super::{Object, SkelId, Warning};
#[cfg(feature = "ragdoll")]
use crate::id::IdMap;
#[cfg(feature = "ragdoll")]
use crate::physics::rapier3d::prelude::PhysicsWorld;
#[cfg(feature = "ragdoll")]
use crate::physics::{Physics, StepPhase};

impl Runtime {
    /// Ends the host's frame: frees what was [deleted](Self::delete) in it, then simulates `frame_time` seconds in fixed
    /// steps (see `PhysicsSettings`). Returns how many steps were made, 0 without the
    /// feature `ragdoll`.
    ///
    /// Call it once a frame, after game code has run. Times that are negative or not finite count as 0. If several script
    /// machines share one runtime, none of them frees objects; the host does so by stepping.
    ///
    /// ```
    /// let mut runtime = skelobj::Runtime::default();
    /// # #[cfg(feature = "ragdoll")]
    /// assert_eq!(runtime.step(1.0 / 60.0), 2); // steps are 1/120 s
    /// ```
    #[cfg_attr(not(feature = "ragdoll"), expect(unused_variables, reason = "there is nothing to simulate"))]
    pub fn step(&mut self, frame_time: f32) -> usize {
        self.flush_deleted();
        #[cfg(feature = "ragdoll")]
        return self.simulate(frame_time);
        #[cfg(not(feature = "ragdoll"))]
        0
    }

    /// Frees the objects that were [deleted](Self::delete), with their ragdolls, for hosts that never [`step`](Self::step),
    /// such as a tool or a client that only shows what a server sends.
    pub fn flush_deleted(&mut self) {
        for id in std::mem::take(&mut self.pending_delete) {
            let object = self.objects.remove(id);
            self.cost -= object.as_ref().map_or(0, |object| object.cost);
            #[cfg(feature = "ragdoll")]
            if let Some(ragdoll) = object.and_then(|object| object.ragdoll) {
                ragdoll.take_out(&mut self.physics);
            }
            #[cfg(not(feature = "ragdoll"))]
            drop(object);
        }
        #[cfg(feature = "ragdoll")]
        self.physics.settle();
    }
}

#[cfg(feature = "ragdoll")]
impl Runtime {
    fn simulate(&mut self, frame_time: f32) -> usize {
        let objects = &mut self.objects;
        let steps = self.physics.advance(frame_time, |physics, phase| step_ragdolls(objects, physics, phase));
        self.end_ragdoll_frames();
        steps
    }

    /// Prepares ragdolls and kinematic bodies for a step that the host makes itself, instead of [`step`](Self::step). The
    /// step ends `end` seconds into a host's frame of `frame_time` seconds.
    ///
    /// A frame consists of poses and commands; for every step `pre_step`, rapier's own step, and
    /// [`post_step`](Self::post_step); then [`end_steps`](Self::end_steps). The length of a step and gravity are those of
    /// the world.
    ///
    /// ```
    /// let mut runtime = skelobj::Runtime::default();
    /// let frame_time = 1.0 / 60.0;
    /// let step = f64::from(runtime.physics().step_time());
    /// for number in 1..=2 {
    ///     runtime.pre_step(f64::from(number) * step, frame_time);
    ///     runtime.physics_mut().world_mut().step();
    ///     runtime.post_step();
    /// }
    /// runtime.end_steps(0.0);
    /// ```
    pub fn pre_step(&mut self, end: f64, frame_time: f32) {
        self.flush_deleted();
        self.physics.note_changed_joints();
        let phase = StepPhase::before(end, frame_time);
        step_ragdolls(&mut self.objects, &mut self.physics, phase);
        self.physics.step_hook(phase);
    }

    /// Applies the results of a step that the host made itself; see [`pre_step`](Self::pre_step).
    pub fn post_step(&mut self) {
        self.physics.step_hook(StepPhase::After);
        step_ragdolls(&mut self.objects, &mut self.physics, StepPhase::After);
    }

    /// Ends a frame of steps that the host made itself, and frees deleted objects. The simulation is `ahead` seconds, 0 to a
    /// step, ahead of the host's clock, and bones are shown that much earlier.
    pub fn end_steps(&mut self, ahead: f64) {
        self.physics.end_frame(ahead);
        self.end_ragdoll_frames();
        self.flush_deleted();
    }

    /// Runs a closure with a rapier world of the host's in place of the runtime's own, until `run` returns or panics.
    ///
    /// The external world is in Quake units, set up with [`PhysicsSettings::parameters`](crate::physics::PhysicsSettings).
    /// Every call that touches physics must have it: calls that make, update or remove ragdolls and level bodies, that
    /// trace, step, [`flush_deleted`](Self::flush_deleted), or take and restore snapshots. Bodies and colliders added by
    /// these calls have [`UserData`](crate::physics::UserData); everything else in the world is the host's.
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

    /// Ends the frame of every ragdoll, and warns of ragdolls that had bodies reset in it.
    fn end_ragdoll_frames(&mut self) {
        let mut reset = Vec::new();
        self.objects.for_each_mut(|skel, object| {
            if let Some(ragdoll) = &mut object.ragdoll {
                ragdoll.end_frame();
                let bodies = ragdoll.take_reset();
                if bodies > 0 {
                    reset.push(Warning::BodiesReset { skel, bodies });
                }
            }
        });
        for warning in reset {
            self.warn(warning);
        }
    }
}

#[cfg(feature = "ragdoll")]
fn step_ragdolls(objects: &mut IdMap<SkelId, Object>, physics: &mut Physics, phase: StepPhase) {
    objects.for_each_mut(|_, object| {
        if let Some(ragdoll) = &mut object.ragdoll {
            ragdoll.step(phase, physics);
        }
    });
}

/// Swaps both worlds back, also when the host's code panics.
#[cfg(feature = "ragdoll")]
struct ExternalWorld<'a> {
    runtime: &'a mut Runtime,
    world: &'a mut PhysicsWorld,
}

#[cfg(feature = "ragdoll")]
impl Drop for ExternalWorld<'_> {
    fn drop(&mut self) {
        self.runtime.physics.swap_world(self.world);
    }
}
