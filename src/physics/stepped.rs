//! Result of a frame's simulation.

/// Simulation of a host's frame by [`Runtime::step`](crate::Runtime::step): the steps made, and the time left out.
///
/// ```
/// let mut runtime = skelobj::Runtime::default();
/// let stepped = runtime.step(0.25)?; // a frame of a quarter of a second
/// assert_eq!(stepped.steps, 6); // steps of 1/60 s
/// assert!((stepped.dropped - 0.15).abs() < 1e-6); // beyond `max_step_debt`, 0.1 s
/// # Ok::<(), skelobj::OutOfRange>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Stepped {
    /// Number of physics steps made.
    pub steps: usize,
    /// Time of the frame that is never simulated, because the frame was longer than
    /// [`PhysicsSettings::max_step_debt`](super::PhysicsSettings::max_step_debt), seconds. 0 in all other frames.
    pub dropped: f32,
}
