//! Numbers that decide when a body, a joint or a ragdoll changes its mode, and how it moves in each.
//!
//! The modes are in [`stability`](super::stability). Lengths are Quake units, angles radians.

use rapier3d::prelude::SpringCoefficients;

// Rest: samples of the poses, after which a ragdoll settles, is calmed and sleeps.
//
// Half or twice any of these numbers moves the median time to sleep of 120 falling mannequins by at most 0.02 s, and
// the greatest gap at rest by at most 0.005 units; CREEPING_SAMPLES and STIRRED, by twice that. Calming matters in
// heaps: without it, thirty mannequins in a shaft of 40 units at scale 0.3 never sleep, nor do thirty without friction
// in one of 88 units; with it they sleep within 8 s.

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
//
// Without CATCH, an arm that is attached again 8 units from its shoulder comes back at 234 units/s, and from 50 units
// away at 2,315; with it, at 25 and 116, and the joint holds after 0.4 and 0.75 s. From 50 units away, half the
// frequency halves the speed and takes 2.2 s, twice the frequency doubles it and takes 0.28 s; half the damping comes
// at 195 units/s, twice the damping at 74. Half of CATCH_SOFTLY takes 0.13 s longer; with twice, an arm 2 units away
// comes at 22 units/s instead of 12.
//
// Without the three numbers of easing, a limb that starts a radian beyond its stop is thrown at 235 units/s, and a
// slider that starts 40 units beyond it moves at 118; with them, at 8 and 25. Half of EASING doubles the speed of a
// limb 0.1 radians beyond its stop, 1.1 units/s, and twice halves it; neither matters from a radian on. Half or twice
// EASING_TURN makes the speed at a radian 4 or 19 units/s, half or twice EASING_SLIDE that of the slider 12.5 or 50.

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
//
// Without GET_UP, a corpse that lies stands within a step, and a body moves at 4,203 units/s; with it, at 372. Half
// makes 739, twice 390. Without CATCH_UP, a body that fell for 0.1 s needs 0.28 s instead of one step to follow
// exactly, and a default hit is felt for 0.77 instead of 0.48 s. Half of CATCH_UP or of CATCH_UP_TURN takes 0.02 to 0.1
// s more; twice CATCH_UP lets a corpse get up at 758 units/s, and twice CATCH_UP_TURN one that fell for 0.2 s at 455
// instead of 324. LONGEST_CHANGE bounds the error of single precision: a change over this time takes 3 s more than
// asked, over twice the time 17 s more; one over a million seconds has not begun after 8,000 s.
//
// Without PULL_SPEED, a mannequin of strength 0.8 that is pulled against a wall leaves at 11,085 units/s when the wall
// goes; with it, at 611. Half makes 311, and raises the head of a corpse in 0.18 instead of 0.10 s; twice makes 1,210,
// and opens the joints of that corpse by 1.1 instead of 0.3 units. Without PULL_SPIN, the mannequin behind the wall
// turns at 91 radians/s; with half, this number or twice, at 20, 25 or 45. At half of FALLOFF, a default hit moves the
// chest by 2.5 instead of 2.9 units, and 9 bodies instead of 12 by more than 0.05; without it, by 3.6 units, and all
// 16.

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
//
// JUMP: moved by 100 units within a sixtieth of a second, which is no teleport, a doll tears its limp arm off by 44
// units and flings it at 6,113 units/s. At half of JUMP this is a teleport, and nothing moves; at twice, so does a move
// of 200 units, by 92 units at 12,375 units/s. But a train that starts at 6,000 units/s has its speed in the first
// frame, and at half of JUMP in the second.
//
// LONG_JUMP: at two frames per second, a corpse inherits the speed of an entity that moves by 6,000 units in each
// frame, and none at half the number. At twice, steady moves of 12,000 units in each sixtieth of a second leave a limp
// arm behind, which this number makes a teleport; it does not help with moves of 3,000 units.
//
// TORN: with half, twice or without it, no step of 699 mannequins whose limbs are put 100 to 1,000,000 units away among
// moving doors takes more than 14 ms once warm, and 1,499 random dolls take as long without it. It guards against a
// loop within rapier that these did not find.
//
// Without MAX_SPEED, an impulse of 1e7 on a hand opens joints by 185 units, and the corpse still moves after 10 s; with
// it, by 35 units, and it sleeps after 1 s. Half opens them by 18, twice by 46. Without MAX_SPIN, that hit turns a body
// at 13,081 radians/s, the centre of one gets 4.6 units below the floor, and the corpse sleeps after 8.4 s; half or
// twice changes nothing but the greatest turn.

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

// Walls: bodies that an animation left in them.

/// Speed at which a body comes back from a wall, units/s.
pub(super) const LEAD: f32 = 100.0;
/// Time after which bodies that do not come back from walls are left there, seconds.
pub(super) const ASTRAY: f32 = 4.0;
/// Distances above the entity's origin at which the way to its bodies may start, units.
pub(super) const LIFTS: [f32; 3] = [24.0, 8.0, 0.5];
/// Distance from the nearest body within which the origin of an entity is a point of it, times the doll's scale, units.
pub(super) const NEAR_ENTITY: f32 = 128.0;

// Falls out of the level.

/// Speed from which a ragdoll counts as falling, units/s.
pub(super) const FALLING_FAST: f32 = 100.0;
/// Number of samples in a row, of falling with nothing below, after which a ragdoll has left the level: three seconds.
pub(super) const BOTTOMLESS_SAMPLES: u32 = (3.0 / SAMPLE) as u32;
