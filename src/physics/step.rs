//! Simulation in fixed steps, independent of the host's frame time.

use skelobj_model::internal;

use super::stepped::Stepped;
use super::tuning::{MAX_PART_MOTION, MAX_PARTS, STEP_TIMES};
use super::{ContactFilter, Physics};
use crate::OutOfRange;

/// Moment before or after a physics step, for the closure of [`Physics::advance`].
///
/// ```
/// use skelobj::Physics;
/// use skelobj::physics::StepPhase;
///
/// let (mut physics, mut ends) = (Physics::default(), Vec::new());
/// physics.advance(1.0 / 30.0, |_, phase| {
///     if let StepPhase::Before { progress, .. } = phase {
///         ends.push(progress);
///     }
/// })?;
/// assert_eq!(ends, [0.5, 1.0]); // two steps of half a frame each
/// # Ok::<(), skelobj::OutOfRange>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum StepPhase {
    /// Moment before a step.
    Before {
        /// End of the step as a fraction of the host's frame: 0 is the end of the last frame, 1 the end of this one.
        progress: f32,
        /// Length of the host's frame, seconds.
        frame_time: f32,
    },
    /// Moment after a step.
    After,
}

impl StepPhase {
    /// Returns the phase before a step that ends `end` seconds after the beginning of a frame of `frame_time` seconds.
    pub(crate) fn before(end: f64, frame_time: f32) -> Self {
        let progress = end / f64::from(frame_time);
        // A step that ends within rounding of the frame's end, ends with the frame; so does a step of an empty frame.
        let at_end = (progress - 1.0).abs() < 1e-4 || !progress.is_finite();
        Self::Before { progress: if at_end { 1.0 } else { progress.max(0.0) as f32 }, frame_time }
    }
}

/// Step that is being made in parts.
#[derive(Clone, Copy)]
pub(super) struct WholeStep {
    /// Length of the whole step, seconds, and its iterations.
    length: f32,
    iterations: usize,
    /// `true` after the first part.
    in_later_part: bool,
}

impl Physics {
    /// Simulates until the world has caught up with the host's clock, which advanced by `frame_time` seconds. Returns
    /// the number of steps made and the time dropped.
    ///
    /// A [`Runtime`](crate::Runtime) steps its own world, and drives the ragdolls in it:
    /// [`Runtime::step`](crate::Runtime::step).
    ///
    /// Steps have a fixed length, so the world runs up to one step ahead; [`blend`](Self::blend) determines which
    /// moment between the last two steps to show. `each` is called before and after each step. While doors or animated
    /// bodies pull ragdolls along fast, a step is made in parts: `each` is called for every one, and
    /// [`step_time`](Self::step_time) returns the length of a part meanwhile. Time beyond
    /// [`max_step_debt`](super::PhysicsSettings::max_step_debt) is dropped.
    ///
    /// # Errors
    /// [`OutOfRange`] for a frame time that is negative or not finite. Nothing is simulated.
    pub fn advance(
        &mut self,
        frame_time: f32,
        mut each: impl FnMut(&mut Self, StepPhase),
    ) -> Result<Stepped, OutOfRange> {
        let is_time = frame_time.is_finite() && frame_time >= 0.0;
        internal::check_number(is_time, "frame_time", frame_time, "a finite number of 0 or above")?;
        self.end_parts();
        let step = f64::from(self.step_time());
        let longest = self.settings.max_step_debt.max(self.step_time());
        let whole = frame_time;
        let frame_time = whole.min(longest);
        let missing = f64::from(frame_time) - self.state.ahead;
        // A millionth of a step is rounding of the host and not time to simulate.
        let steps = ((missing / step) - 1e-6).ceil().max(0.0) as usize;
        for number in 0..steps {
            let start = self.state.ahead + number as f64 * step;
            let parts = self.parts(frame_time);
            debug_assert!((1..=MAX_PARTS as usize).contains(&parts), "a step has some parts");
            debug_assert!(self.scratch.whole_step.is_none(), "the step before has ended");
            if parts > 1 {
                let parameters = &mut self.world.integration_parameters;
                let (length, iterations) = (parameters.dt, parameters.num_solver_iterations);
                self.scratch.whole_step = Some(WholeStep { length, iterations, in_later_part: false });
                parameters.dt /= parts as f32;
                parameters.num_solver_iterations = parameters.num_solver_iterations.div_ceil(parts);
            }
            for part in 1..=parts {
                if let Some(whole) = &mut self.scratch.whole_step {
                    whole.in_later_part = part > 1;
                }
                let before = StepPhase::before(start + step * part as f64 / parts as f64, frame_time);
                self.note_changed_joints();
                each(self, before);
                self.step_hook(before);
                self.world.step_with_events(&ContactFilter, &());
                self.step_hook(StepPhase::After);
                self.state.stepped_by_host = false;
                each(self, StepPhase::After);
            }
            self.end_parts();
        }
        self.end_frame(steps as f64 * step - missing);
        Ok(Stepped { steps, dropped: whole - frame_time })
    }

    /// Moves the level's kinematic bodies before and after a step, after the ragdolls are driven and before they are
    /// read.
    pub(crate) fn step_hook(&mut self, phase: StepPhase) {
        match phase {
            StepPhase::Before { progress, .. } => {
                self.state.stepped_by_host = true;
                self.limit_contact_pairs();
                self.watch_impacts();
                let ccd_suspended = self.move_kinematic_bodies(progress);
                self.state.ccd_suspended.extend(ccd_suspended);
            }
            StepPhase::After => {
                let ccd_suspended = std::mem::take(&mut self.state.ccd_suspended);
                self.resume_ccd(ccd_suspended);
                self.update_squeezed();
                self.note_impacts();
                self.readmit_level_bodies();
                self.state.pending.changed_joints = false;
                self.state.pending.has_removals = false;
            }
        }
    }

    /// Ends the frame of a host that steps the world itself. The simulation is `ahead` seconds, 0 to a step, ahead of
    /// the host's clock.
    ///
    /// Kinematic bodies start their next motions from their targets, and [`blend`](Self::blend) follows `ahead`. A
    /// non-finite value is treated as 0.
    pub(crate) fn end_frame(&mut self, ahead: f64) {
        self.rest_kinematic_bodies();
        self.end_impacts();
        let longest = f64::from(*STEP_TIMES.end());
        self.state.ahead = if ahead.is_finite() { ahead.clamp(0.0, longest) } else { 0.0 };
    }

    /// Returns the number of parts that the next step is made in: more than one while something fast pushes ragdolls.
    ///
    /// Contacts are found once in a part. The solver's own steps are no longer than in one part.
    fn parts(&mut self, frame_time: f32) -> usize {
        let requested_parts = std::mem::take(&mut self.state.requested_parts);
        if self.world.islands.num_active_bodies() == 0 {
            return 1;
        }
        let parts = (self.longest_way(frame_time) / (MAX_PART_MOTION * self.scale()))
            .max(requested_parts)
            .ceil()
            .clamp(1.0, MAX_PARTS) as usize;
        if STEP_TIMES.contains(&(self.step_time() / parts as f32)) { parts } else { 1 }
    }

    /// Makes steps whole again, also after a panic of the host within a part.
    pub(super) fn end_parts(&mut self) {
        if let Some(WholeStep { length, iterations, .. }) = self.scratch.whole_step.take() {
            self.world.integration_parameters.dt = length;
            self.world.integration_parameters.num_solver_iterations = iterations;
        }
    }

    /// Returns `true` after the first part of a step.
    pub(crate) fn is_later_part(&self) -> bool {
        self.scratch.whole_step.is_some_and(|whole| whole.in_later_part)
    }

    /// Makes the next step in parts if a body that pulls a ragdoll along moves far in this one, Quake units.
    pub(crate) fn note_animation_speed(&mut self, way: f32) {
        debug_assert!(way >= 0.0, "a way has a length");
        let limit = MAX_PART_MOTION * self.scale();
        let parts = self.whole_step_time() / self.step_time();
        self.state.requested_parts = self.state.requested_parts.max(way * parts / limit);
    }

    /// Returns the length of the next step, seconds, also while it is made in parts.
    pub(crate) fn whole_step_time(&self) -> f32 {
        self.scratch.whole_step.map_or_else(|| self.step_time(), |whole| whole.length)
    }

    /// Returns the length of the next step, seconds: that of rapier's world, or that of the settings if the world's is
    /// unusable. While a step is made in parts, the length is that of a part.
    ///
    /// ```
    /// let physics = skelobj::Physics::default();
    /// assert_eq!(physics.step_time(), 1.0 / 60.0);
    /// ```
    #[must_use]
    pub fn step_time(&self) -> f32 {
        let own = self.world.integration_parameters.dt;
        if STEP_TIMES.contains(&own) { own } else { self.settings.step }
    }

    /// Returns the host's time as a fraction between the last two steps: 0 is the step before the last, 1 the last one.
    ///
    /// Bones of ragdolls show their bodies at this moment. A host that draws its own bodies does the same:
    ///
    /// ```
    /// let mut physics = skelobj::Physics::default();
    /// assert_eq!(physics.advance(0.01, |_, _| {})?.steps, 1); // 10 ms in steps of 1/60 s: 6.7 ms ahead
    /// assert!((physics.blend() - 0.6).abs() < 1e-3);
    /// # Ok::<(), skelobj::OutOfRange>(())
    /// ```
    #[must_use]
    pub fn blend(&self) -> f32 {
        (1.0 - self.state.ahead / f64::from(self.step_time())).clamp(0.0, 1.0) as f32
    }
}
