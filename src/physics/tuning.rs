//! Constants of the physics world: its steps, and the motion of level bodies among ragdolls.
//!
//! Lengths are Quake units, angles radians. The columns "at half", "at twice" and "without" compare a changed constant
//! with the value in use, as in `ragdoll/tuning.rs`; the introduction of a table says
//! what was measured. A test compares the tables with the constants.
//!
//! # The world and its steps
//! | constant | unit | value | at half | at this value | at twice | without |
//! |---|---|---|---|---|---|---|
//! | [`MAX_GRAVITY`] | units/s^2 | 1e6 | the same bits |  | the same bits | not measured |
//! | [`STEP_TIMES`] | s | 1e-4 to 1 | not measured |  | not measured | not measured |
//! | [`LENGTH_UNIT`] | units | 40 | dog gap 0.0354 at rest (0.0251), 0.0045 radians past stops at rest (0.0183) |  | alike | not measured |
//! | [`LENGTH_UNITS`] | units | 0.01 to 1e5 | not measured |  | not measured | not measured |
//! | [`FLOOR_DEPTH`] | units | 1 | not measured |  | not measured | a corpse that is thrown down at 2,000 units/s dips 17 units into a floor; gaps on a mesh 1.26 (0.65) |
//! | [`MAX_SWEEP_STEPS`] | steps | 32 | not measured |  | not measured | not measured |
//! | [`SOFT_CCD`] | units | 16 | alike |  | the same bits | not measured |
//! | [`PREDICTION_DISTANCE`] | units | 2 | standing sleeps after 1.47 s (1.37), gap 0.43 falling (0.651); stiff 95 % sleep after 3.52 s (2.7); dog gap 0.0389 at rest (0.0251) |  | stiff gap 0.026 at rest (0.0378), 0.604 units in the floor (0.949); soft sleeps after 1.35 s (1.43); dog 0.007 radians past stops at rest (0.0183) | with rapier's default of 0.8 units, limbs enter the floor by twice as much |
//! | [`LEVEL_CONTACT_SOFTNESS`] | Hz, ratio | 200, 10 | not measured |  | not measured | not measured |
//! | [`MIN_STOP_CORRECTION_SPIN`] | radians/s | 24 | mannequins at scale 0.02 pass stops by 0.093 radians in the median fall, 0.32 in 95 % of falls | 0.084 and 0.27; at scale 1 0.084 and 0.23 | 0.084 and 0.23 | 0.127 and 0.38 |
//! | [`MAX_PART_MOTION`] | units | 1.5 | the same bits |  | the same bits | not measured |
//! | [`MAX_PARTS`] | parts | 4 | the same bits |  | the same bits | not measured |
//! | [`MAX_ITERATIONS`] | iterations | 64 | the same bits |  | the same bits | not measured |
//! | [`MAX_SAVED_DISTANCE`] | units | 1e9 | the same bits |  | the same bits | not measured |
//! | [`MAX_SAVED_ITERATIONS`] | iterations | 1024 | the same bits |  | the same bits | not measured |
//!
//! # Kinematic bodies
//! | constant | unit | value | at half | at this value | at twice | without |
//! |---|---|---|---|---|---|---|
//! | [`MAX_EXTRAPOLATION`] | units | 32 | the same bits |  | the same bits | not measured |
//! | [`MAX_EXTRAPOLATED_TURN`] | radians | 0.5 | the same bits |  | the same bits | not measured |
//! | [`MAX_KINEMATIC_SPEED`] | units/s | 1e5 | the same bits |  | the same bits | not measured |
//! | [`DOOR_WIDTH`] | units | 48 | the same bits |  | the same bits | not measured |
//! | [`MAX_ROUNDED_SPEED`] | units/s | 0.1 | the same bits |  | the same bits | corpses at turned doors never sleep |
//! | [`SLOW_MOTION`] | units | 0.5 | the same bits |  | the same bits | not measured |
//!
//! # Entity boxes
//! | constant | unit | value | at half | at this value | at twice | without |
//! |---|---|---|---|---|---|---|
//! | [`PUSH_FORCE`] | force | 75000 | the same bits |  | the same bits | not measured |
//! | [`PUSH_FORCES`] | force | 0 to 1e9 | not measured |  | not measured | not measured |
//! | [`MAX_PUSH_ACCELERATION`] | units/s^2 | 3000 | the same bits |  | the same bits | not measured |
//! | [`PUSH_RATE`] | 1/s | 8 | the same bits |  | the same bits | not measured |
//! | [`MAX_PUSH_SPEED`] | units/s | 60 | the same bits |  | the same bits | not measured |
//! | [`MIN_PUSH_DEPTH`] | units | 0.25 | the same bits |  | the same bits | not measured |
//! | [`PUSH_WAKE_TIME`] | s | 0.25 | the same bits |  | the same bits | not measured |
//!
//! # Squeezed bodies
//! Of 2,700 mannequins that lie between doors and walls, some open a joint by more than 3 units.
//!
//! | constant | unit | value | at half | at this value | at twice | without |
//! |---|---|---|---|---|---|---|
//! | [`SQUEEZE_DEPTH`] | units | 0.5 | the same bits |  | the same bits | not measured |
//! | [`CRUSH_ACCELERATION`] | units/s^2 | 18000 | the same bits | 2 mannequins | the same bits | 5 mannequins |
//! | [`FAST_MOVER`] | units/s | 180 | the same bits |  | the same bits | not measured |
//! | [`MAX_CHAIN`] | bodies | 24 | the same bits |  | the same bits | not measured |
//! | [`TOUCH_DISTANCE`] | units | 0.25 | the same bits |  | the same bits | not measured |
//! | [`OPPOSED_CONTACTS`] | cosine | -0.5 | the same bits |  | the same bits | not measured |
//!
//! # Level bodies
//! | constant | unit | value | at half | at this value | at twice | without |
//! |---|---|---|---|---|---|---|
//! | [`DEFAULT_DENSITY`] | mass/unit^3 | 1 | the same bits |  | the same bits | not measured |
//! | [`MIN_HULL_DEPTH`] | units | 1e-3 | the same bits |  | the same bits | not measured |
//! | [`MAX_LEVEL_SHAPES`] | shapes | 1 << 16 | the same bits |  | the same bits | not measured |
//! | [`FREE_OVERLAPS`] | pairs | 1 << 20 | the same bits |  | the same bits | not measured |
//! | [`OVERLAPS_PER_SHAPE`] | pairs | 64 | the same bits |  | the same bits | not measured |
//!
//! # Contact pairs, impacts and meshes
//! | constant | unit | value | at half | at this value | at twice | without |
//! |---|---|---|---|---|---|---|
//! | [`MAX_BODY_PAIRS`] | pairs | 64 | the same bits | a heap of 200 mannequins has 13 | the same bits | not measured |
//! | [`UNSOLVED_PAIRS`] | factor | 2 | the same bits |  | the same bits | not measured |
//! | [`FOUND_PAIRS`] | factor | 16 | the same bits |  | the same bits | not measured |
//! | [`MAX_SWEPT_WAY`] | units | 64 | the same bits |  | the same bits | not measured |
//! | [`MAX_SWEPT_RADII`] | radii | 64 | the same bits |  | the same bits | not measured |
//! | [`MAX_SWEPT_SIZE`] | units | 512 | the same bits |  | the same bits | not measured |
//! | [`MAX_IMPACTS`] | impacts | 1024 | the same bits |  | the same bits | not measured |
//! | [`MIN_IMPACT_SPEED`] | units/s | 40 | the same bits |  | the same bits | not measured |
//! | [`SAME_IMPACT_TIME`] | s | 0.1 | the same bits |  | the same bits | not measured |
//! | [`MESH_NEAR_DISTANCE`] | units | 4096 | the same bits |  | the same bits | not measured |
//! | [`MIN_BACK_SIDES`] | sides | 4 | the same bits |  | the same bits | not measured |
//! | [`NARROW_ROOM`] | share | 0.5 | the same bits |  | the same bits | not measured |
//!
//! # Traces
//! | constant | unit | value | at half | at this value | at twice | without |
//! |---|---|---|---|---|---|---|
//! | [`TRACE_TOUCH`] | units | 1e-3 | the same bits |  | the same bits | not measured |
//! | [`AXIAL_NORMAL`] | ratio | 4e-6 | the same bits |  | the same bits | not measured |
//! | [`MAX_TOUCHED`] | surfaces | 16 | the same bits |  | the same bits | not measured |
//! | [`MAX_HULL_WORK`] | products | 1 << 16 | the same bits |  | the same bits | not measured |
//! | [`MAX_TRACE_VISITS`] | parts | 1 << 16 | the same bits |  | the same bits | not measured |
//! | [`MAX_PIECE_CORNERS`] | corners | 256 | the same bits |  | the same bits | not measured |
//! | [`MAX_PIECE_PLANES`] | planes | 58 | the same bits |  | not measured | not measured |

use rapier3d::prelude::SpringCoefficients;

// The world and its steps.

/// Maximum gravity along an axis, units/s^2.
pub(super) const MAX_GRAVITY: f32 = 1e6;
/// Range of the length of a step, seconds.
pub(crate) const STEP_TIMES: std::ops::RangeInclusive<f32> = 1e-4..=1.0;
/// Length unit of rapier, Quake units: rapier's constants are in metres, and a Quake unit is about an inch.
pub(super) const LENGTH_UNIT: f32 = 40.0;
/// Length units that a host may set, Quake units.
pub(super) const LENGTH_UNITS: std::ops::RangeInclusive<f32> = 0.01..=1e5;
/// Depth in the level at which the motion of a fast body may end in a step, Quake units at the usual length unit.
/// Contacts hold the body there.
pub(super) const FLOOR_DEPTH: f32 = 1.0;
/// Maximum number of steps of a sweep against a floor.
pub(super) const MAX_SWEEP_STEPS: usize = 32;
/// Speculative contact distance of ragdoll bodies, Quake units.
pub(super) const SOFT_CCD: f32 = 16.0;
/// Distance below which rapier looks for contacts of bodies at rest, Quake units. A limb that a joint whips down may
/// cover it within a step.
pub(super) const PREDICTION_DISTANCE: f32 = 2.0;
/// Compliance of contacts with the level, as a frequency in Hz and a damping ratio: three times as stiff as rapier's
/// default, so that the limbs on top do not press the lowest limb into the floor.
pub(super) const LEVEL_CONTACT_SOFTNESS: SpringCoefficients<f32> =
    SpringCoefficients { natural_frequency: 200.0, damping_ratio: 10.0 };
/// Least limit on the speed with which rapier corrects stops, radians/s. rapier has one number for it and for contacts,
/// in units/s; in small worlds the number is small, and stops would yield.
pub(super) const MIN_STOP_CORRECTION_SPIN: f32 = 24.0;
/// Motion within a part of a step that doors, and hands that drag a corpse, may make, Quake units: limbs that they push
/// further at once are torn from their joints.
pub(super) const MAX_PART_MOTION: f32 = 1.5;
/// Maximum number of parts of a step.
pub(super) const MAX_PARTS: f32 = 4.0;
/// Maximum number of iterations and of sweeps.
pub(super) const MAX_ITERATIONS: usize = 64;
/// Distance (units) and speed (units/s) that no body reaches, even after a fall of hours.
#[cfg(feature = "serde")]
pub(super) const MAX_SAVED_DISTANCE: f32 = 1e9;
/// Maximum number of solver iterations in a snapshot, above any value to which a host would tune rapier.
#[cfg(feature = "serde")]
pub(super) const MAX_SAVED_ITERATIONS: usize = 1024;

// Kinematic bodies.

/// Limit of extrapolation, Quake units at the usual length unit: a longer distance is a jump, not a motion, unless the
/// previous motion was as fast.
pub(super) const MAX_EXTRAPOLATION: f32 = 32.0;
/// Limit of extrapolated rotation, radians.
pub(super) const MAX_EXTRAPOLATED_TURN: f32 = 0.5;
/// Speed beyond which a kinematic body is repositioned instead of moved, units/s at the usual length unit: rapier would
/// pass its speed on to everything in its way.
pub(super) const MAX_KINEMATIC_SPEED: f32 = 1e5;
/// Width of a door that turns, Quake units.
pub(super) const DOOR_WIDTH: f32 = 48.0;
/// Speed of a kinematic body at rest that is rounding, units/s and radians/s.
pub(super) const MAX_ROUNDED_SPEED: f32 = 0.1;
/// Distance in a step below which a kinematic body cannot pass another body, Quake units: contacts stop it in time.
pub(super) const SLOW_MOTION: f32 = 0.5;

// Entity boxes.

/// Force of an entity box that a host has not set, mass * units/s^2: the weight of the mannequin and half of it again.
pub(super) const PUSH_FORCE: f32 = 75_000.0;
/// Forces that a host may set, mass * units/s^2.
pub(super) const PUSH_FORCES: std::ops::RangeInclusive<f32> = 0.0..=1e9;
/// Limit of the acceleration of a single body, units/s^2: limbs are light, and the joints have to follow.
pub(super) const MAX_PUSH_ACCELERATION: f32 = 3_000.0;
/// Speed out of the box for each unit of depth, 1/s.
pub(super) const PUSH_RATE: f32 = 8.0;
/// Maximum speed out of the box, units/s.
pub(super) const MAX_PUSH_SPEED: f32 = 60.0;
/// Depth that is left alone, units.
pub(super) const MIN_PUSH_DEPTH: f32 = 0.25;
/// Time after a motion of the box in which it wakes ragdolls, seconds. Ragdolls that cannot get out sleep afterwards.
pub(super) const PUSH_WAKE_TIME: f32 = 0.25;

// Squeezed bodies.

/// Depth after the next step from which a body is squeezed rather than pushed along, units.
pub(super) const SQUEEZE_DEPTH: f32 = 0.5;
/// Acceleration that a mover's push would give a free body, from which something holds the body and is searched for,
/// units/s^2. Limbs that are squeezed lengthwise are not deep in anything, but buckle.
pub(super) const CRUSH_ACCELERATION: f32 = 18_000.0;
/// Speed of a mover, units/s, from which it passes through all bodies of a ragdoll if it squeezes one: limbs that it
/// still pushed would be torn from the others.
pub(super) const FAST_MOVER: f32 = 180.0;
/// Maximum number of bodies in the search for one that leans on something fixed.
pub(super) const MAX_CHAIN: usize = 24;
/// Distance from which bodies count as touching, units.
pub(super) const TOUCH_DISTANCE: f32 = 0.25;
/// Cosine of the angle from which two contacts oppose each other.
pub(super) const OPPOSED_CONTACTS: f32 = -0.5;

// Level bodies.

/// Default density of rapier.
pub(super) const DEFAULT_DENSITY: f32 = 1.0;
/// Distance that the points of a hull need from every plane, units.
pub(super) const MIN_HULL_DEPTH: f32 = 1e-3;
/// Maximum number of shapes of a level's bodies; each becomes a collider, even where bodies share it.
pub(super) const MAX_LEVEL_SHAPES: u32 = 1 << 16;
/// Number of pairs of shapes with overlapping bounds that any level may have: the physics world takes time and memory
/// for every pair in the first step.
pub(super) const FREE_OVERLAPS: usize = 1 << 20;
/// Number of further pairs for each shape of the level.
pub(super) const OVERLAPS_PER_SHAPE: usize = 64;

// Contact pairs, impacts and meshes.

/// Pairs that each body of a ragdoll may have on average: the time that rapier needs for a pair grows with their
/// number.
pub(super) const MAX_BODY_PAIRS: usize = 64;
/// Pairs of ragdolls with themselves that rapier may hold without solving them, as a multiple of the limit.
pub(super) const UNSOLVED_PAIRS: u64 = 2;
/// Pairs that rapier may find before it looks at their groups, as a multiple of the limit.
pub(super) const FOUND_PAIRS: u64 = 16;
/// Maximum way of a body in a step that is swept against a cylinder, or of a cylinder, units: 3840 units/s.
pub(super) const MAX_SWEPT_WAY: f32 = 64.0;
/// Maximum way of such a body, as a multiple of the radius of the cylinder: rapier searches in steps of that length.
pub(super) const MAX_SWEPT_RADII: f32 = 64.0;
/// Maximum radius and half height of a cylinder that is swept, units: for larger ones rapier's search ends late.
pub(super) const MAX_SWEPT_SIZE: f32 = 512.0;
/// Maximum number of impacts that are kept of one frame; the weakest are dropped.
pub(crate) const MAX_IMPACTS: usize = 1024;
/// Minimum speed at which a body approaches what it hits, units/s: slower contacts are rest, not impacts.
pub(super) const MIN_IMPACT_SPEED: f32 = 40.0;
/// Time after an impact in which the same two bodies report no other, seconds: a hit is spread over several steps.
pub(super) const SAME_IMPACT_TIME: f32 = 0.1;
/// Distance up to which a mesh is near a body, units.
pub(super) const MESH_NEAR_DISTANCE: f32 = 4096.0;
/// Width of a wall in which a whole ragdoll may be, as a share of the longest distance between its bodies; rooms are
/// wider.
pub(super) const NARROW_ROOM: f32 = 0.5;
/// Minimum number of sides, of six, on which a mesh that is inside out shows its back.
pub(super) const MIN_BACK_SIDES: usize = 4;
/// Depth in a surface up to which a traced line or box touches it and is not inside, units: a trace ends on a surface,
/// rounded, and the next one starts there.
pub(super) const TRACE_TOUCH: f64 = 1e-3;
/// Difference from an axis at which a normal is that axis: that of a turn by a right angle, rounded.
pub(super) const AXIAL_NORMAL: f32 = 4e-6;
/// Maximum number of surfaces that a traced box touches at the start.
pub(super) const MAX_TOUCHED: usize = 16;
/// Maximum number of axes that may separate a hull from a box, times the points of the hull: the axes of larger hulls
/// are not tried one by one.
pub(super) const MAX_HULL_WORK: usize = 1 << 16;
/// Maximum number of parts of a solid volume that a trace visits.
pub(super) const MAX_TRACE_VISITS: usize = 1 << 16;
/// Maximum number of corners of a piece of solid space, which is left out with more. Levels have some dozens.
pub(super) const MAX_PIECE_CORNERS: usize = 256;
/// Maximum number of planes that cut a piece out of solid space, which is left out with more: a corner has a bit for
/// each.
pub(super) const MAX_PIECE_PLANES: usize = 58;
