//! Fixed steps under any frame time.

use super::{Physics, STEPS};

/// What happens around a step.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum StepPhase {
    /// A step is about to be made.
    Before {
        /// How much of the host's frame it ends at: 0 is where the last frame ended, 1 where this one does.
        progress: f32,
        /// How long the host's frame is, seconds.
        frame_time: f32,
    },
    /// A step was made.
    After,
}

impl StepPhase {
    /// Before a step that ends `end` seconds into a frame of `frame_time` seconds; less than 0 counts as 0.
    pub fn before(end: f64, frame_time: f32) -> Self {
        let progress = end / f64::from(frame_time);
        // Within rounding of the frame's end is the frame's end, and so is what no frame has.
        let at_end = (progress - 1.0).abs() < 1e-4 || !progress.is_finite();
        Self::Before { progress: if at_end { 1.0 } else { progress.max(0.0) as f32 }, frame_time }
    }
}

impl Physics {
    /// Simulates until the world has caught up with the host's clock, which moved on by `frame_time` seconds.
    ///
    /// Steps have a fixed length, so the world runs up to one of them ahead; [`blend`](Self::blend) tells how to show
    /// the moment in between. `each` is called around each step. Returns how many steps were made. Times that are negative
    /// or not finite count as 0; of longer ones than [`max_step_debt`](super::PhysicsSettings::max_step_debt) the rest is
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
            each(self, before);
            self.step_hook(before);
            self.world.step();
            self.step_hook(StepPhase::After);
            each(self, StepPhase::After);
        }
        self.end_frame(steps as f64 * step - missing);
        steps
    }

    /// What the level's movers need around every step of a host that steps the [`world`](Self::world_mut) itself; after
    /// the ragdolls' part before the step, and before theirs after it. [`advance`](Self::advance) does it otherwise.
    pub fn step_hook(&mut self, phase: StepPhase) {
        match phase {
            StepPhase::Before { progress, .. } => {
                let unguarded = self.move_kinematic_bodies(progress);
                self.unguarded.extend(unguarded);
            }
            StepPhase::After => {
                let unguarded = std::mem::take(&mut self.unguarded);
                self.guard(unguarded);
            }
        }
    }

    /// To be called when such a host's frame is over: how far the simulation is ahead of its clock, seconds, 0 to a step.
    /// What is not finite counts as 0.
    pub fn end_frame(&mut self, ahead: f64) {
        self.rest_kinematic_bodies();
        let longest = f64::from(*STEPS.end());
        self.ahead = if ahead.is_finite() { ahead.clamp(0.0, longest) } else { 0.0 };
    }

    /// The length of the next step, seconds: the world's own.
    pub fn step_time(&self) -> f32 {
        let own = self.world.integration_parameters.dt;
        if STEPS.contains(&own) { own } else { self.settings.step }
    }

    /// Where the host's time lies between the last two steps: 0 = the one before the last, 1 = the last.
    pub fn blend(&self) -> f32 {
        (1.0 - self.ahead / f64::from(self.step_time())).clamp(0.0, 1.0) as f32
    }
}
