//! Fixed steps under any frame time.

use super::Physics;

/// When [`Physics::advance`] calls back.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum StepPhase {
    /// A step is about to be made.
    Before {
        /// How much of the host's frame it ends at: 0 is where the last frame ended, 1 where this one does.
        progress: f32,
    },
    /// A step was made.
    After,
}

impl Physics {
    /// Simulates until the world has caught up with the host's clock, which moved on by `frame_time` seconds.
    ///
    /// Steps have a fixed length, so the world runs up to one of them ahead; [`blend`](Self::blend) tells how to show
    /// the moment in between. `each` is called around each step. Returns how many steps were made. Times that are negative
    /// or not finite count as 0; of longer ones than [`max_catch_up`](super::PhysicsSettings::max_catch_up) the rest is
    /// dropped.
    pub fn advance(&mut self, frame_time: f32, mut each: impl FnMut(&mut Self, StepPhase)) -> usize {
        let step = f64::from(self.settings.step);
        let frame_time = if frame_time.is_finite() { frame_time.clamp(0.0, self.settings.max_catch_up) } else { 0.0 };
        let missing = f64::from(frame_time) - self.ahead;
        // A millionth of a step is the host's rounding, not time to simulate.
        let steps = ((missing / step) - 1e-6).ceil().max(0.0) as usize;
        for number in 1..=steps {
            let progress = (self.ahead + number as f64 * step) / f64::from(frame_time);
            // Within rounding of the frame's end is the frame's end.
            let progress = if (progress - 1.0).abs() < 1e-4 { 1.0 } else { progress };
            each(self, StepPhase::Before { progress: progress as f32 });
            let unguarded = self.move_movers(progress as f32);
            self.world.step();
            self.guard(unguarded);
            each(self, StepPhase::After);
        }
        self.rest_movers();
        self.ahead = (steps as f64 * step - missing).max(0.0);
        steps
    }

    /// Where the host's time lies between the last two steps: 0 = the one before the last, 1 = the last.
    pub fn blend(&self) -> f32 {
        (1.0 - self.ahead / f64::from(self.settings.step)).clamp(0.0, 1.0) as f32
    }
}
