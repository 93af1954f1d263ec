//! Fixed steps at any frame time.

use super::{Physics, STEPS};

/// A moment before or after a step.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum StepPhase {
    /// A step is about to be made.
    Before {
        /// End of the step as a fraction of the host's frame: 0 is the end of the last frame, 1 the end of this one.
        progress: f32,
        /// Length of the host's frame, seconds.
        frame_time: f32,
    },
    /// A step was made.
    After,
}

impl StepPhase {
    /// Returns the phase before a step that ends `end` seconds into a frame of `frame_time` seconds; less than 0 counts
    /// as 0.
    #[must_use]
    pub fn before(end: f64, frame_time: f32) -> Self {
        let progress = end / f64::from(frame_time);
        // A step that ends within rounding of the frame's end, ends with the frame; so does one of a frame without
        // length.
        let at_end = (progress - 1.0).abs() < 1e-4 || !progress.is_finite();
        Self::Before { progress: if at_end { 1.0 } else { progress.max(0.0) as f32 }, frame_time }
    }
}

impl Physics {
    /// Simulates until the world has caught up with the host's clock, which advanced by `frame_time` seconds.
    ///
    /// Steps have a fixed length, so the world runs up to one of them ahead; [`blend`](Self::blend) is the moment in
    /// between to show. `each` is called before and after each step. Returns the number of steps made. Times that are
    /// negative or not finite count as 0; time beyond [`max_step_debt`](super::PhysicsSettings::max_step_debt) is
    /// dropped.
    pub fn advance(&mut self, frame_time: f32, mut each: impl FnMut(&mut Self, StepPhase)) -> usize {
        let step = f64::from(self.step_time());
        let longest = self.settings.max_step_debt.max(self.step_time());
        let frame_time = if frame_time.is_finite() { frame_time.clamp(0.0, longest) } else { 0.0 };
        let missing = f64::from(frame_time) - self.ahead;
        // A millionth of a step is the host's rounding, not time to simulate.
        let steps = ((missing / step) - 1e-6).ceil().max(0.0) as usize;
        for number in 1..=steps {
            let before = StepPhase::before(self.ahead + number as f64 * step, frame_time);
            self.note_changed_joints();
            each(self, before);
            self.step_hook(before);
            self.world.step();
            self.step_hook(StepPhase::After);
            self.stepped_by_host = false;
            each(self, StepPhase::After);
        }
        self.end_frame(steps as f64 * step - missing);
        steps
    }

    /// Moves the level's kinematic bodies before and after each step of a host that steps the
    /// [`world`](Self::world_mut) itself.
    ///
    /// Call it after the ragdolls' part before the step, and before theirs after it. [`advance`](Self::advance) does so
    /// itself.
    pub fn step_hook(&mut self, phase: StepPhase) {
        match phase {
            StepPhase::Before { progress, .. } => {
                self.stepped_by_host = true;
                let unguarded = self.move_kinematic_bodies(progress);
                self.unguarded.extend(unguarded);
            }
            StepPhase::After => {
                let unguarded = std::mem::take(&mut self.unguarded);
                self.guard(unguarded);
                self.readmit_level_bodies();
                self.changed_joints = false;
                self.unsettled = false;
            }
        }
    }

    /// Ends the frame of a host that steps the world itself: the simulation is `ahead` seconds, 0 to a step, ahead of
    /// the host's clock. A value that is not finite counts as 0.
    pub fn end_frame(&mut self, ahead: f64) {
        self.rest_kinematic_bodies();
        let longest = f64::from(*STEPS.end());
        self.ahead = if ahead.is_finite() { ahead.clamp(0.0, longest) } else { 0.0 };
    }

    /// Returns the length of the next step as the world has it, seconds.
    #[must_use]
    pub fn step_time(&self) -> f32 {
        let own = self.world.integration_parameters.dt;
        if STEPS.contains(&own) { own } else { self.settings.step }
    }

    /// Returns the host's time as a fraction between the last two steps: 0 is the step before the last, 1 the last one.
    #[must_use]
    pub fn blend(&self) -> f32 {
        (1.0 - self.ahead / f64::from(self.step_time())).clamp(0.0, 1.0) as f32
    }
}
