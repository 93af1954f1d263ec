//! Hosts that have a rapier world of their own, or make the steps themselves.

use crate::physics::StepPhase;
use crate::physics::rapier3d::prelude::PhysicsWorld;
use crate::ragdoll::Ragdoll;

use super::Runtime;

impl Runtime {
    /// What ragdolls and movers need before a step that the host makes itself, instead of [`step`](Self::step): the step
    /// ends `end` seconds into a host's frame of `frame_time` seconds.
    ///
    /// A frame is: poses and commands; for every step `before_step`, rapier's own step, [`after_step`](Self::after_step);
    /// then [`end_steps`](Self::end_steps). The length of a step is the world's own, gravity too.
    ///
    /// ```
    /// let mut runtime = skelobj::Runtime::default();
    /// let frame_time = 1.0 / 60.0;
    /// let step = f64::from(runtime.physics().step_time());
    /// for number in 1..=2 {
    ///     runtime.before_step(f64::from(number) * step, frame_time);
    ///     runtime.physics_mut().world_mut().step();
    ///     runtime.after_step();
    /// }
    /// runtime.end_steps(0.0);
    /// ```
    pub fn before_step(&mut self, end: f64, frame_time: f32) {
        let phase = StepPhase::before(end, frame_time);
        self.step_ragdolls(phase);
        self.physics.around_step(phase);
    }

    /// What they need after it.
    pub fn after_step(&mut self) {
        self.physics.around_step(StepPhase::After);
        self.step_ragdolls(StepPhase::After);
    }

    /// Ends a frame of such steps: the simulation is `ahead` seconds, 0 to a step, ahead of the host's clock; so much
    /// earlier bones are shown.
    pub fn end_steps(&mut self, ahead: f64) {
        self.physics.end_frame(ahead);
        self.objects.values_mut().filter_map(|object| object.ragdoll.as_mut()).for_each(Ragdoll::end_frame);
        self.report_recovered();
    }

    /// Runs something on a rapier world that belongs to the host: for as long as that takes, it stands in for the
    /// runtime's own.
    ///
    /// Such a world is in Quake units, set up with [`PhysicsSettings::parameters`](crate::physics::PhysicsSettings). Every
    /// call that touches physics must have it: those that make, update or remove ragdolls and parts of the level, that
    /// trace, step, [`end_frame`](Self::end_frame), or take and restore snapshots. What they put into it has an [`Owner`](crate::physics::Owner) in its
    /// user data; all else is the host's.
    ///
    /// ```
    /// use skelobj::Runtime;
    /// use skelobj::physics::{PhysicsSettings, rapier3d::prelude::PhysicsWorld};
    /// let mut runtime = Runtime::default();
    /// let settings = PhysicsSettings::default();
    /// let mut world = PhysicsWorld {
    ///     gravity: settings.gravity,
    ///     integration_parameters: settings.parameters(),
    ///     ..PhysicsWorld::default()
    /// };
    /// runtime.in_world(&mut world, |runtime| runtime.physics_mut().add_floor(0.0));
    /// assert_eq!(world.bodies.len(), 1);
    /// ```
    pub fn in_world<T>(&mut self, world: &mut PhysicsWorld, run: impl FnOnce(&mut Self) -> T) -> T {
        std::mem::swap(self.physics.world_mut(), world);
        let result = run(self);
        std::mem::swap(self.physics.world_mut(), world);
        result
    }

    fn step_ragdolls(&mut self, phase: StepPhase) {
        for ragdoll in self.objects.values_mut().filter_map(|object| object.ragdoll.as_mut()) {
            ragdoll.step(phase, &mut self.physics);
        }
    }
}
