//! Numbers that decide when a body, a joint or a ragdoll changes its mode, and how it moves in each.
//!
//! The modes are in [`stability`](super::stability). Lengths are Quake units, angles radians.

use rapier3d::prelude::SpringCoefficients;

// Rest: samples of the poses, after which a ragdoll settles, is calmed and sleeps.
//
// Half or twice any of these numbers moves the median time to sleep of 120 falling mannequins by at most 0.02 s, and the
// greatest gap at rest by at most 0.005 units; CREEPING_SAMPLES and STIRRED, by twice that. Calming matters in heaps:
// without it, thirty mannequins in a shaft of 40 units at scale 0.3 never sleep, nor do thirty without friction in one
// of 88 units; with it they sleep within 8 s.

/// Time between two samples of the bodies' poses, seconds.
pub(super) const SAMPLE: f32 = 0.25;
/// Tolerance of a body's position between samples, units.
pub(super) const SAME_PLACE: f32 = 0.5;
/// Tolerance of a body's rotation between samples, as the cosine of half the angle (0.06 radians).
pub(super) const SAME_TURN: f32 = 0.999_55;
/// Number of samples in a row that must find every body in its place.
pub(super) const QUIET_SAMPLES: u32 = 2;
/// Speed of a creeping body, units/s. A falling body is faster after a fortieth of a second.
pub(super) const CREEPING: f32 = 20.0;
/// Number of samples in a row that must find no body faster than [`CREEPING`]: limbs that push each other may rock or
/// creep forever.
pub(super) const CREEPING_SAMPLES: u32 = 5;
/// Speed from which a body of a settling ragdoll falls or was pushed, units/s.
pub(super) const FALLING: f32 = 120.0;
/// Speed from which a body of a calmed ragdoll was pushed, and must not be held, units/s.
pub(super) const STIRRED: f32 = 40.0;
/// Angular damping of a settling ragdoll, 1/s: a ragdoll that rocks on an edge stops sooner.
pub(super) const SETTLING: f32 = 4.0;
/// Linear and angular damping of a calmed ragdoll, 1/s.
pub(super) const CALM: f32 = 30.0;
/// Maximum angular velocity of a calmed ragdoll's body, radians/s. rapier keeps bodies awake that turn faster than a
/// quarter of a turn per second, and a limb wedged between others may seem to turn about its own axis without moving.
pub(super) const CALM_SPIN: f32 = 1.5;
/// Sleep threshold of a calmed ragdoll, above every speed, in rapier's normalized units.
pub(super) const ANY_SPEED: f32 = 1e6;
/// Gap of the joints below which a calmed ragdoll may come to rest, units.
pub(super) const TIGHT: f32 = 0.09;
/// Number of samples after which a calmed ragdoll may come to rest regardless of its gaps.
pub(super) const CALM_SAMPLES: u32 = 6;
/// Speed from which a ragdoll in water drifts, rises, sinks or turns as a whole, and stays awake, units/s.
pub(super) const DRIFTING: f32 = 0.5;

// Joints: enabled again, and eased back into their stops.

/// Distance of the anchors from which a joint that is enabled again pulls softly, units.
pub(super) const CATCH_SOFTLY: f32 = 1.0;
/// Softness of a joint that catches.
pub(super) const CATCH: SpringCoefficients<f32> = SpringCoefficients { natural_frequency: 10.0, damping_ratio: 3.0 };
/// Minimum time in which violated stops move to their place, seconds.
pub(super) const EASING: f32 = 0.5;
/// Maximum speed of violated stops on the way to their place, radians/s.
pub(super) const EASING_TURN: f32 = 1.0;
/// Maximum speed of violated stops of sliders on the way to their place, units/s.
pub(super) const EASING_SLIDE: f32 = 25.0;

// Bodies: on the way to the animation, pulled by it, and hit.

/// Time in which a body that begins to follow exactly from afar reaches the animation unless told otherwise, seconds.
pub(super) const GET_UP: f32 = 0.3;
/// Maximum time of a change of strength, seconds.
pub(super) const LONGEST_CHANGE: f32 = 3600.0;
/// Speed up to which an approaching body catches up with the animation in one step, units/s.
pub(super) const CATCH_UP: f32 = 500.0;
/// Angular velocity up to which an approaching body catches up with the animation in one step, radians/s.
pub(super) const CATCH_UP_TURN: f32 = 30.0;
/// Maximum excess of a pulled body's speed over that of the animation, units/s: a body that is held back does not shoot
/// off once it is free.
pub(super) const PULL_SPEED: f32 = 600.0;
/// Maximum angular velocity of a pulled body, radians/s.
pub(super) const PULL_SPIN: f32 = 30.0;
/// Factor of the flinch for each joint of distance from the body that was hit.
pub(super) const FALLOFF: f32 = 0.75;

// Everything: teleported, too fast, or torn apart.

/// Distance in a frame from which an entity was teleported, if it exceeds that of the frame before by as much, units.
pub(super) const JUMP: f32 = 128.0;
/// Distance in a frame from which an entity was teleported, regardless of the frame before, units.
pub(super) const LONG_JUMP: f32 = 8192.0;
/// Distance of two jointed bodies from which the joint pulls them together too fast for continuous collision detection,
/// which may then never end, times the doll's scale, units.
pub(super) const TORN: f32 = 1024.0;
/// Maximum speed of a body after a step, units/s.
pub(super) const MAX_SPEED: f32 = 16_000.0;
/// Maximum angular velocity of a body after a step, radians/s.
pub(super) const MAX_SPIN: f32 = 300.0;
