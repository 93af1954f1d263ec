//! Constants of ragdolls: when a body, a joint or a ragdoll changes its mode, and how it moves in each.
//!
//! The modes are in [`stability`](super::stability). Lengths are Quake units, angles radians. Lengths and speeds are
//! those of the mannequin; where they concern a ragdoll, they follow its [`size`](super::size). The columns "at half",
//! "at twice" and "without" compare a changed constant with the value in use; the introduction of a table says what was
//! measured. Other cells at half and at twice are 40 to 60 falls of each scene of `benches/falls.rs`, by
//! `.ci/tuning.py`: "the same bits" if no fall changes, "alike" if no figure changes by more than chance would, and
//! else what changes, with the figure at this value. These falls have a floor or water, but no walls, doors or boxes of
//! entities, and no checks or fits of dolls: constants of those give the same bits. A test compares the tables with the
//! constants.
//!
//! # Sleep
//! Samples of the poses, after which a ragdoll settles, is calmed and sleeps. Measured are the most by which the median
//! time to sleep of 120 falling mannequins changes, and the greatest gap at rest, units.
//!
//! | constant | unit | value | at half | at this value | at twice | without |
//! |---|---|---|---|---|---|---|
//! | [`SAMPLE_TIME`] | s | 0.25 | 0.02 s, 0.005 |  | 0.02 s, 0.005 | not measured |
//! | [`STILL_DISTANCE`] | units | 0.5 | 0.02 s, 0.005 |  | 0.02 s, 0.005 | not measured |
//! | [`STILL_ROTATION`] | cosine | 0.99955 | 0.02 s, 0.005 |  | 0.02 s, 0.005 | not measured |
//! | [`QUIET_SAMPLES`] | samples | 2 | 0.02 s, 0.005 |  | 0.02 s, 0.005 | not measured |
//! | [`CREEP_SPEED`] | units/s | 20 | 0.02 s, 0.005 |  | 0.02 s, 0.005 | not measured |
//! | [`CREEP_SAMPLES`] | samples | 5 | 0.04 s, 0.01 |  | 0.04 s, 0.01 | not measured |
//! | [`FALL_SPEED`] | units/s | 120 | 0.02 s, 0.005 |  | 0.02 s, 0.005 | not measured |
//! | [`WAKE_SPEED`] | units/s | 40 | 0.04 s, 0.01 |  | 0.04 s, 0.01 | not measured |
//! | [`SETTLE_DAMPING`] | 1/s | 4 | 0.02 s, 0.005 |  | 0.02 s, 0.005 | not measured |
//! | [`CALM_DAMPING`] | 1/s | 30 | 0.02 s, 0.005 | heaps of 30 mannequins, at scale 0.3 in a shaft of 40 units or without friction in one of 88, sleep within 8 s | 0.02 s, 0.005 | these heaps never sleep |
//! | [`CALM_SPIN`] | radians/s | 1.5 | 0.02 s, 0.005 |  | 0.02 s, 0.005 | not measured |
//! | [`CALM_SLEEP_SPEED`] | normalized | 1e6 | 0.02 s, 0.005 |  | 0.02 s, 0.005 | not measured |
//! | [`TIGHT_GAP`] | units | 0.09 | 0.02 s, 0.005 |  | 0.02 s, 0.005 | not measured |
//! | [`CALM_SAMPLES`] | samples | 6 | 0.02 s, 0.005 |  | 0.02 s, 0.005 | not measured |
//! | [`FLICKER_SAMPLES`] | samples | 12 | the same bits | a mannequin of 60 times the size, whose hand touches the floor again and again, sleeps after 4.8 s | the same bits | it never sleeps |
//! | [`DRIFT_SPEED`] | units/s | 0.5 | 0.02 s, 0.005 |  | 0.02 s, 0.005 | not measured |
//!
//! # Joints enabled again or eased in
//! An arm is attached again 8 or 50 units from its shoulder; a limb starts a radian beyond its stop, a slider 40 units.
//! Measured are speeds, units/s, and the time until the joint holds.
//!
//! | constant | unit | value | at half | at this value | at twice | without |
//! |---|---|---|---|---|---|---|
//! | [`CATCH_GAP`] | units | 1 | holds 0.13 s later | 12 from 2 units | 22 from 2 units | not measured |
//! | [`CATCH_SOFTNESS`] | Hz, ratio | 10, 3 | frequency: half the speed, holds after 2.2 s; damping: 195 | 25 and 116; holds after 0.4 and 0.75 s | frequency: twice the speed, holds after 0.28 s; damping: 74 | 234 and 2,315 |
//! | [`EASING_DISTANCE`] | units | 1e-3 | the same bits |  | the same bits | not measured |
//! | [`MIN_EASING_TIME`] | s | 0.5 | twice the speed from 0.1 radians, the same from a radian | 1.1 from 0.1 radians, 8 from a radian | half the speed from 0.1 radians, the same from a radian | 235 from a radian, 118 of the slider, without all three |
//! | [`MAX_EASING_SPIN`] | radians/s | 1 | 4; of 500 falls from a pose 1.8 radians beyond soft stops, 51 gain 1 % of energy, asleep after 5.1 s | 8; 60, 2.8 s | 19; 82, 1.9 s | 235, without all three |
//! | [`MAX_EASING_SPEED`] | units/s | 25 | 12.5 | 25 | 50 | 118, without all three |
//!
//! # Joints and shapes in rapier
//! | constant | unit | value | at half | at this value | at twice | without |
//! |---|---|---|---|---|---|---|
//! | [`MANNEQUIN_HEIGHT`] | units | 64 | mannequin sleeps after 1.58 s (1.38), gap 1.49 falling (1.02), 0.297 radians past stops (0.202); stiff gap 1.29 falling (0.803), gap 0.0232 at rest (0.0378), 0.221 radians past stops (0.137); soft sleeps after 1.65 s (1.43), gap 1.85 falling (1.28), gap 0.0139 at rest (0.0242); water sleeps after inf s (5.55), 95 % sleep after inf s (8.7), 0.043 units in the floor (-30.9), 53 falls never sleep (0); dog sleeps after 1.85 s (1.67), 95 % sleep after 2.53 s (2), gap 2.36 falling (1.43), gap 0.0527 at rest (0.0251), 0.591 radians past stops (0.432), 1.55 units in the floor (0.975); rope sleeps after 1.68 s (1.33), 95 % sleep after 2.37 s (1.75), gap 1.35 falling (0.752), 0.251 radians past stops (0.14) |  | mannequin sleeps after 1.2 s (1.38), 0.131 radians past stops (0.202), 0.883 units in the floor (1.31); stiff sleeps after 1.52 s (1.7), gap 0.0261 at rest (0.0378), 0.575 units in the floor (0.949); soft sleeps after 1.2 s (1.43), gap 0.701 falling (1.28); water sleeps after 7.92 s (5.55), 95 % sleep after inf s (8.7), -0.033 units in the floor (-30.9), 14 falls never sleep (0); dog sleeps after 1.45 s (1.67), gap 0.721 falling (1.43), 0.276 radians past stops (0.432), 0.0054 radians past stops at rest (0.0183), 0.648 units in the floor (0.975); rope sleeps after 1.18 s (1.33), gap 0.446 falling (0.752) | not measured |
//! | [`MAX_SIZE_EXPONENT`] | exponent | 6 | the same bits |  | the same bits | not measured |
//! | [`ENTITY_SCALES`] | factor | 1e-6 to 1e6 | not measured |  | not measured | not measured |
//! | [`JOINT_SOFTNESS`] | Hz, ratio | 400, 2 | frequency: anchors come apart by half as much again |  | not measured | with rapier's rigid default, limbs in a tight corner tremble forever |
//! | [`SOFT_STOP_CFM`] | CFM | 1e-4 | the same bits |  | the same bits | not measured |
//! | [`MAX_ANGLE_RANGE`] | radians | 6.2 | alike |  | the same bits | not measured |
//! | [`SOFT_STOP_REACH`] | radians | 0.5 | soft 0.437 radians past stops (0.633) |  | soft 1.06 radians past stops (0.633), 0.921 radians past stops at rest (0.5) | not measured |
//! | [`ANGLE_OVERSHOOT`] | radians | 0.5 | the same bits |  | the same bits | not measured |
//!
//! # Limits that rapier solves
//! Measured are 40 falls of each scene.
//!
//! | constant | unit | value | at half | at this value | at twice | without |
//! |---|---|---|---|---|---|---|
//! | [`LIMIT_NEAR`] | radians | 0.1 | the same bits |  | the same bits | not measured |
//! | [`CONTACT_SPIN`] | radians/s | 12 | alike |  | alike | not measured |
//! | [`CONTACT_ARM`] | units | 8 | alike |  | rope 0.202 radians past stops (0.151) | hands that strike the floor pass stops by 0.74 radians |
//! | [`SPIN_GROWTH`] | factor | 2 | alike |  | the same bits | not measured |
//! | [`ROUGH_ANGLE_ERROR`] | radians | 1e-3 | the same bits |  | the same bits | not measured |
//!
//! # Cones
//! Measured as the limits above.
//!
//! | constant | unit | value | at half | at this value | at twice | without |
//! |---|---|---|---|---|---|---|
//! | [`MAX_CONE_HALF_RANGE`] | radians | 3.1 | mannequin 0.651 radians past stops (0.202); soft 0.957 radians past stops (0.633) |  | the same bits | not measured |
//! | [`THIN_CONE`] | radians | 0.05 | the same bits |  | the same bits | not measured |
//! | [`CONE_NEAR`] | radians | 0.05 | alike |  | alike | not measured |
//! | [`CONE_STEPS_AHEAD`] | steps | 2 | alike |  | alike | not measured |
//! | [`CONE_LIMIT_ERROR`] | radians | 0.001 | alike |  | alike | not measured |
//! | [`CONE_FAR_SIDE`] | radians | 2 | not measured |  | not measured | not measured |
//! | [`MAX_CONE_CORRECTION`] | radians | 1 | alike |  | alike | not measured |
//! | [`MAX_CONE_MOTION`] | radians | 0.3 | dog gap 0.0436 at rest (0.0251), 0.0073 radians past stops at rest (0.0183) |  | dog 0.0061 radians past stops at rest (0.0183) | not measured |
//! | [`CONE_AXIS_ERROR`] | sine | 0.002 | dog 0.0054 radians past stops at rest (0.0183) |  | dog 0.0055 radians past stops at rest (0.0183) | not measured |
//! | [`CONE_SAME_AXIS`] | cosine | 0.9 | dog 0.0056 radians past stops at rest (0.0183) |  | dog 0.0052 radians past stops at rest (0.0183) | not measured |
//! | [`CONE_LIMIT_SLACK`] | share | 0.25 | the same bits |  | the same bits | not measured |
//! | [`CONE_OPPOSITE`] | cosine | 0.05 | mannequin 0.41 radians past stops (0.202), 0.0318 radians past stops at rest (0.0047) |  | the same bits | not measured |
//!
//! # Friction
//! Of 1,000 falls of the mannequin, some gain more than 0.5 % of energy within 0.1 s.
//!
//! | constant | unit | value | at half | at this value | at twice | without |
//! |---|---|---|---|---|---|---|
//! | [`FRICTION_GAIN`] | share | 0.25 | mannequin gap 1.56 falling (1.02); dog gap 0.0359 at rest (0.0251), 0.0064 radians past stops at rest (0.0183) | a pair of bodies comes to rest without overshooting, bodies that carry others overshoot little | standing sleeps after 1.45 s (1.37); dog 0.0078 radians past stops at rest (0.0183); rope sleeps after 1.4 s (1.33) | not measured |
//! | [`FRICTION_RELEASE`] | share | 0.5 | 6 of 1,000 falls gain energy | 1 of 1,000 falls, for other reasons | a hand on the floor may rock for many seconds | not measured |
//! | [`MIN_MOBILITY`] | share | 1e-5 | the same bits |  | the same bits | not measured |
//!
//! # Soft stops
//! | constant | unit | value | at half | at this value | at twice | without |
//! |---|---|---|---|---|---|---|
//! | [`ODE_STEP`] | s | 1/240 | alike |  | alike | not measured |
//! | [`MAX_STOP_STIFFNESS`] | torque/radian | 1e20 | the same bits |  | the same bits | not measured |
//! | [`STOP_LOAD_GAIN`] | share | 0.25 | alike |  | alike | not measured |
//! | [`STOP_STEPS_AHEAD`] | steps | 3 | alike |  | alike | not measured |
//! | [`MAX_ANGLE_GRADIENT`] | factor | 4 | the same bits |  | the same bits | not measured |
//!
//! # Muscles
//! | constant | unit | value | at half | at this value | at twice | without |
//! |---|---|---|---|---|---|---|
//! | [`MAX_MUSCLE_SPIN`] | radians/s | 20 | stiff sleeps after 1.47 s (1.7), 95 % sleep after 1.8 s (2.7) |  | stiff sleeps after 1.83 s (1.7) | not measured |
//! | [`MAX_MUSCLE_STIFFNESS`] | torque/radian | 1e20 | the same bits |  | the same bits | not measured |
//! | [`MUSCLE_LOAD_RATE`] | 1/s | 0.6 | alike |  | alike | not measured |
//! | [`MAX_MUSCLE_LOAD_GAIN`] | share | 0.02 | alike |  | at 0.03, a limb fifty times as heavy as the bodies of its joint begins to swing | not measured |
//! | [`MUSCLE_LOAD_SPIN`] | radians/s | 0.2 | alike |  | dog 0.0056 radians past stops at rest (0.0183) | not measured |
//! | [`MUSCLE_TOPPLE_SPIN`] | radians/s | 0.7 | standing sleeps after 1.45 s (1.37) |  | mannequin 95 % sleep after 2.2 s (1.82); standing sleeps after 1.47 s (1.37) | not measured |
//! | [`MUSCLE_WAKE_ANGLE`] | radians | 0.02 | the same bits |  | the same bits | not measured |
//!
//! # Bodies that follow the animation
//! A corpse that lies gets up, a mannequin of strength 0.8 is pulled against a wall that goes, and a chest gets a
//! default hit. Measured are greatest speeds, units/s, unless another unit is given.
//!
//! | constant | unit | value | at half | at this value | at twice | without |
//! |---|---|---|---|---|---|---|
//! | [`GET_UP_TIME`] | s | 0.3 | 739 | 372 | 390 | 4,203: the corpse stands within a step |
//! | [`MAX_CHANGE_TIME`] | s | 3600 | the same bits | 3 s too long | 17 s too long | a change over a million seconds has not begun after 8,000 s |
//! | [`CATCH_UP_SPEED`] | units/s | 500 | 0.02 to 0.1 s later | after a fall of 0.1 s, exact within a step; the hit is felt for 0.48 s | 758 when a corpse gets up | exact after 0.28 s; the hit is felt for 0.77 s |
//! | [`CATCH_UP_SPIN`] | radians/s | 30 | 0.02 to 0.1 s later | 324 after a fall of 0.2 s | 455 after a fall of 0.2 s | not measured |
//! | [`PULL_SPEED`] | units/s | 600 | 311; the head of a corpse rises in 0.18 s | 611; in 0.10 s, and joints open by 0.3 units | 1,210; joints open by 1.1 units | 11,085 |
//! | [`PULL_SPIN`] | radians/s | 30 | 20 radians/s | 25 radians/s | 45 radians/s | 91 radians/s |
//! | [`FLINCH_FALLOFF`] | factor | 0.75 | the chest moves by 2.5 units, 9 bodies by more than 0.05 | 2.9 units, 12 bodies | the same bits | 3.6 units, all 16 bodies |
//!
//! # Teleports and speed limits
//! | constant | unit | value | at half | at this value | at twice | without |
//! |---|---|---|---|---|---|---|
//! | [`TELEPORT_DISTANCE`] | units | 128 | a move of 100 units in 1/60 s is a teleport, and nothing moves; a train that starts at 6,000 units/s has its speed in the second frame | that move tears a limp arm off by 44 units at 6,113 units/s; the train has its speed in the first frame | so does a move of 200 units, by 92 units at 12,375 units/s | not measured |
//! | [`MAX_STEADY_DISTANCE`] | units | 8192 | no speed is inherited from moves of 6,000 units at 2 frames per second | the corpse inherits that speed; steady moves of 12,000 units in 1/60 s are teleports | these leave a limp arm behind | not measured |
//! | [`MAX_SPEED`] | units/s | 16000 | an impulse of 1e7 on a hand opens joints by 18 units | by 35 units; the corpse sleeps after 1 s | by 46 units | by 185 units; the corpse moves after 10 s |
//! | [`MAX_SPIN`] | radians/s | 300 | no effect but on the greatest turn | the corpse of that hit sleeps after 1 s | no effect but on the greatest turn | 13,081 radians/s; a centre 4.6 units below the floor; sleep after 8.4 s |
//!
//! # Walls and falls out of the level
//! | constant | unit | value | at half | at this value | at twice | without |
//! |---|---|---|---|---|---|---|
//! | [`WALL_RETURN_SPEED`] | units/s | 100 | the same bits |  | the same bits | not measured |
//! | [`WALL_RETURN_TIME`] | s | 4 | the same bits |  | the same bits | not measured |
//! | [`OPEN_POINT_HEIGHTS`] | units | 24, 8, 0.5 | not measured |  | not measured | not measured |
//! | [`ENTITY_NEAR_DISTANCE`] | units | 128 | the same bits |  | the same bits | not measured |
//! | [`LEVEL_EXIT_SPEED`] | units/s | 100 | the same bits |  | the same bits | not measured |
//! | [`LEVEL_EXIT_SAMPLES`] | samples | 12 | the same bits |  | the same bits | not measured |
//!
//! # Bodies, water, hits and traces
//! | constant | unit | value | at half | at this value | at twice | without |
//! |---|---|---|---|---|---|---|
//! | [`MIN_SIZE`] | units | 1e-3 | the same bits |  | the same bits | not measured |
//! | [`MAX_SIZE`] | units | 1e5 | the same bits |  | the same bits | not measured |
//! | [`MIN_MASS`] | mass | 1e-3 | not measured |  | not measured | not measured |
//! | [`MAX_MASS`] | mass | 1e5 | the same bits |  | the same bits | not measured |
//! | [`ROD_INERTIA`] | factor | 0.25 | standing gap 0.042 at rest (0.0292) |  | standing 0.109 radians past stops (0.164); stiff gap 0.0209 at rest (0.0378); dog sleeps after 1.58 s (1.67), 0.0073 radians past stops at rest (0.0183) | not measured |
//! | [`MIN_INERTIA_SHARE`] | share | 0.02 | the same bits |  | the same bits | not measured |
//! | [`MAX_OVERLAP_FILTERS`] | pairs | 1024 | the same bits |  | the same bits | not measured |
//! | [`MAX_BUOYANCY_CELLS`] | cells | 3 | water sleeps after 2.55 s (5.55), 95 % sleep after 4.47 s (8.7), gap 0.182 falling (0.022), 0.07 units in the floor (-30.9), 0 falls gain energy (57) |  | alike | not measured |
//! | [`ADDED_MASS`] | share | 0.5 | alike | a bubble rises with twice the gravity, as in water | alike | not measured |
//! | [`MIN_DENSITY`] | factor | 1e-6 | the same bits |  | the same bits | not measured |
//! | [`MAX_IMPULSE`] | impulse | 1e9 | the same bits |  | the same bits | not measured |
//! | [`SKIN_MARGIN`] | share | 0.25 | the same bits |  | the same bits | not measured |
//!
//! # Drop tests and checks of dolls
//! | constant | unit | value | at half | at this value | at twice | without |
//! |---|---|---|---|---|---|---|
//! | [`USUAL_SIZES`] | size | 0.25 to 4 | not measured |  | not measured | not measured |
//! | [`MESH_PITCH`] | factor | -1 | mannequin gap 0.0323 at rest (0.0202); stiff sleeps after 1.6 s (1.7), gap 0.0251 at rest (0.0378), 0.19 radians past stops (0.137); water sleeps after 6.32 s (5.55); rope 0.227 radians past stops (0.14) |  | stiff gap 0.0261 at rest (0.0378); water sleeps after 4.68 s (5.55); dog 0.63 radians past stops (0.432), 0.0073 radians past stops at rest (0.0183); rope 95 % sleep after 2.1 s (1.75), 0.236 radians past stops (0.14) | not measured |
//! | [`MESH_ROLL`] | factor | 1 | stiff sleeps after 1.53 s (1.7); water sleeps after 5.27 s (5.55); dog gap 0.0354 at rest (0.0251) |  | stiff sleeps after 1.58 s (1.7); soft 1.48 units in the floor (1.11); dog gap 0.0641 at rest (0.0251), 0.0062 radians past stops at rest (0.0183) | not measured |
//! | [`DROP_CLEARANCE`] | units | 0.1 | alike |  | alike | not measured |
//! | [`VISIBLE_STOP_EXCESS`] | radians | 0.1 | the same bits |  | the same bits | not measured |
//! | [`VISIBLE_SLIDER_EXCESS`] | units | 0.5 | the same bits |  | the same bits | not measured |
//! | [`MAX_LOCKED_MOTION`] | radians | 0.5 | the same bits |  | the same bits | not measured |
//! | [`FOLLOW_COST`] | factor | 4 | the same bits |  | the same bits | not measured |
//! | [`MAX_ENERGY_RATIO`] | factor | 1.25 | the same bits |  | the same bits | not measured |
//! | [`MAX_FLOOR_DEPTH`] | units | 4 | the same bits |  | the same bits | not measured |
//! | [`MAX_FLOOR_DEPTH_SHARE`] | share | 0.1 | the same bits |  | the same bits | not measured |
//! | [`FALLING_GAP_RATIO`] | factor | 8 | the same bits |  | the same bits | not measured |
//! | [`FAR_FROM_LIMB`] | share | 0.25 | the same bits |  | the same bits | not measured |
//! | [`FAR_FROM_JOINT`] | share | 0.5 | the same bits |  | the same bits | not measured |
//! | [`DEEP_OVERLAP`] | share | 0.25 | the same bits |  | the same bits | not measured |
//! | [`MIN_SKIN_VERTICES`] | vertices | 8 | the same bits |  | the same bits | not measured |
//! | [`STRAY_VERTICES`] | share | 0.03 | the same bits |  | the same bits | not measured |
//! | [`MAX_SHAPE_RATIO`] | factor | 3 | the same bits |  | the same bits | not measured |
//! | [`MIN_SHAPE_RATIO`] | factor | 1/3 | the same bits |  | the same bits | not measured |
//! | [`MAX_FITS`] | dolls | 12 | the same bits |  | the same bits | not measured |
//! | [`SAFE_EXCESS_SHARE`] | share | 0.9 | the same bits |  | the same bits | not measured |
//! | [`FAR_EXCESS_RATIO`] | factor | 2 | the same bits |  | the same bits | not measured |
//! | [`CALMER_FRICTION`] | factor | 1.5 | the same bits |  | the same bits | not measured |
//! | [`CALMEST_FRICTION`] | factor | 2 | the same bits |  | the same bits | not measured |

use rapier3d::prelude::SpringCoefficients;

// Sleep.

/// Time between two samples of the bodies' poses, seconds.
pub(super) const SAMPLE_TIME: f32 = 0.25;
/// Tolerance of a body's position between samples, units.
pub(super) const STILL_DISTANCE: f32 = 0.5;
/// Tolerance of a body's rotation between samples, as the cosine of half the angle (0.06 radians).
pub(super) const STILL_ROTATION: f32 = 0.999_55;
/// Number of samples in a row that must find every body in its place.
pub(super) const QUIET_SAMPLES: u32 = 2;
/// Speed of a creeping body, units/s. A falling body is faster after a fortieth of a second.
pub(super) const CREEP_SPEED: f32 = 20.0;
/// Number of samples in a row that must find no body faster than [`CREEP_SPEED`]: limbs that push each other may rock
/// or creep forever.
pub(super) const CREEP_SAMPLES: u32 = 5;
/// Speed from which a body of a settling ragdoll falls or was pushed, units/s.
pub(super) const FALL_SPEED: f32 = 120.0;
/// Speed from which a body of a calmed ragdoll was pushed, and must not be calmed, units/s.
pub(super) const WAKE_SPEED: f32 = 40.0;
/// Angular damping of a settling ragdoll, 1/s: a ragdoll that rocks on an edge stops sooner.
pub(super) const SETTLE_DAMPING: f32 = 4.0;
/// Linear and angular damping of a calmed ragdoll, 1/s.
pub(super) const CALM_DAMPING: f32 = 30.0;
/// Maximum angular velocity of a calmed ragdoll's body, radians/s. rapier keeps bodies awake that turn faster than a
/// quarter of a turn per second, and a limb wedged between others may seem to turn about its own axis without moving.
pub(super) const CALM_SPIN: f32 = 1.5;
/// Sleep threshold of a calmed ragdoll, above every speed, in rapier's normalized units.
pub(super) const CALM_SLEEP_SPEED: f32 = 1e6;
/// Gap of the joints below which a calmed ragdoll may come to rest, units.
pub(super) const TIGHT_GAP: f32 = 0.09;
/// Number of samples after which a calmed ragdoll may come to rest regardless of its gaps.
pub(super) const CALM_SAMPLES: u32 = 6;
/// Number of samples after which flickering contacts no longer keep a calmed ragdoll awake.
pub(super) const FLICKER_SAMPLES: u32 = 12;
/// Speed from which a ragdoll in water drifts, rises, sinks or turns as a whole, and stays awake, units/s.
pub(super) const DRIFT_SPEED: f32 = 0.5;

// Joints enabled again or eased in.

/// Distance of its anchors beyond which a joint pulls softly after it is enabled again, units.
pub(super) const CATCH_GAP: f32 = 1.0;
/// Softness of a joint that catches, as a frequency in Hz and a damping ratio.
pub(super) const CATCH_SOFTNESS: SpringCoefficients<f32> =
    SpringCoefficients { natural_frequency: 10.0, damping_ratio: 3.0 };
/// Distance of a slider beyond its stop that needs no easing, units.
pub(super) const EASING_DISTANCE: f32 = 1e-3;
/// Minimum time in which violated stops move to their place, seconds.
pub(super) const MIN_EASING_TIME: f32 = 0.5;
/// Maximum speed of violated stops on the way to their place, radians/s.
pub(super) const MAX_EASING_SPIN: f32 = 1.0;
/// Maximum speed of violated stops of sliders on the way to their place, units/s.
pub(super) const MAX_EASING_SPEED: f32 = 25.0;

// Joints and shapes in rapier.

/// Size of the mannequin in its reference pose, for which lengths and speeds here are made, units.
pub(super) const MANNEQUIN_HEIGHT: f32 = 64.0;
/// Maximum exponent of the power of two by which a ragdoll is larger or smaller than the mannequin: the products of
/// greater masses and inertias exceed single precision.
pub(super) const MAX_SIZE_EXPONENT: i32 = 6;
/// Range of the entity's scale when a ragdoll is created: values beyond it overflow in shapes and joints.
pub(super) const ENTITY_SCALES: std::ops::RangeInclusive<f32> = 1e-6..=1e6;
/// Compliance of joints, as a frequency in Hz and a damping ratio.
pub(super) const JOINT_SOFTNESS: SpringCoefficients<f32> =
    SpringCoefficients { natural_frequency: 400.0, damping_ratio: 2.0 };
/// CFM above which stops are springs; below, they are hard.
pub(super) const SOFT_STOP_CFM: f32 = 1e-4;
/// Maximum range of angles, radians: rapier treats a range of a full turn as no limit, and an angle is only known
/// within one turn.
pub(super) const MAX_ANGLE_RANGE: f32 = 6.2;
/// Distance that a soft stop gives before it is hard, radians. Without it, the direction back would be ambiguous for a
/// joint about two axes that is turned around.
pub(super) const SOFT_STOP_REACH: f32 = 0.5;
/// Angle beyond half a turn up to which a joint outside its range is taken to have turned further, radians.
pub(super) const ANGLE_OVERSHOOT: f32 = 0.5;

// Limits that rapier solves.

/// Distance to a stop within which it is solved in any case, radians.
pub(super) const LIMIT_NEAR: f32 = 0.1;
/// Relative angular velocity that contacts may give to bodies at rest within a step, radians/s.
pub(super) const CONTACT_SPIN: f32 = 12.0;
/// Distance from its joint at which a contact may stop a moving body, Quake units: the body then turns by its speed
/// divided by this distance.
pub(super) const CONTACT_ARM: f32 = 8.0;
/// Factor by which the relative angular velocity of a joint may grow within a step.
pub(super) const SPIN_GROWTH: f32 = 2.0;
/// Distance of an angle from a bound within which a rough angle does not tell on which side it is, radians.
pub(super) const ROUGH_ANGLE_ERROR: f32 = 1e-3;

// Cones.

/// Half range of an angle that is not limited, radians: wider ones would confuse the two ends.
pub(super) const MAX_CONE_HALF_RANGE: f32 = 3.1;
/// Half range below which an ellipse is a line, whose width and length have limits of their own, radians.
pub(super) const THIN_CONE: f32 = 0.05;
/// Distance from a limit at which the joint gets it, radians; more if it moves fast.
pub(super) const CONE_NEAR: f32 = 0.05;
/// Steps in which a moving joint may reach the limit before the joint gets it.
pub(super) const CONE_STEPS_AHEAD: f32 = 2.0;
/// Error of a limit after which its frames are turned again, radians.
pub(super) const CONE_LIMIT_ERROR: f32 = 0.001;
/// Range of a limit on its other side, radians.
pub(super) const CONE_FAR_SIDE: f32 = 2.0;
/// Maximum excess that is taken back at a time, radians: with [`CONE_FAR_SIDE`], well below half a turn.
pub(super) const MAX_CONE_CORRECTION: f32 = 1.0;
/// Longest motion in a step that is foreseen, radians.
pub(super) const MAX_CONE_MOTION: f32 = 0.3;
/// Sine of the angle by which an axis may be off before the frames are turned again: a limb is easily spun about
/// itself.
pub(super) const CONE_AXIS_ERROR: f32 = 0.002;
/// Cosine of the angle between two axes below which the impulse about the one says nothing about the other.
pub(super) const CONE_SAME_AXIS: f32 = 0.9;
/// Additional error of a limit, as a share of the distance from it.
pub(super) const CONE_LIMIT_SLACK: f32 = 0.25;
/// Cosine of half the swing below which the twist is not limited: opposite the centre, every twist is the same pose.
pub(super) const CONE_OPPOSITE: f32 = 0.05;

// Friction.

/// Share of the torque that would stop the leftover motion in one step, which is added to the friction torque.
pub(super) const FRICTION_GAIN: f32 = 0.25;
/// Share of that torque by which a friction torque is reduced while it drives the bodies. Friction drives nothing, but
/// a torque that falls no faster than it rises lifts limbs that have come to rest.
pub(super) const FRICTION_RELEASE: f32 = 0.5;
/// Minimum mobility of an axis with the reaction of its joint, as a share of the mobility without it.
pub(super) const MIN_MOBILITY: f32 = 1e-5;

// Soft stops.

/// Step of FTE's ODE at 60 frames per second, for which the numbers in dolls are meant, seconds.
pub(super) const ODE_STEP: f32 = 1.0 / 240.0;
/// Maximum stiffness and damping of a soft stop: their products with the step and with an inertia stay finite.
pub(super) const MAX_STOP_STIFFNESS: f32 = 1e20;
/// Share of the load that a stop learns in a step if nothing hangs on the bodies of its joint.
pub(super) const STOP_LOAD_GAIN: f32 = 0.25;
/// Number of steps before a stop from which it learns the load.
pub(super) const STOP_STEPS_AHEAD: f32 = 3.0;
/// Maximum change of an angle per radian that a body turns: opposite the reference pose it grows without bound.
pub(super) const MAX_ANGLE_GRADIENT: f32 = 4.0;

// Muscles.

/// Maximum angular velocity that a muscle gives a joint, radians/s.
pub(super) const MAX_MUSCLE_SPIN: f32 = 20.0;
/// Maximum stiffness of a muscle, torque per radian: its products with the step and with an inertia stay finite.
pub(super) const MAX_MUSCLE_STIFFNESS: f32 = 1e20;
/// Share of a load that a muscle learns in a second.
pub(super) const MUSCLE_LOAD_RATE: f32 = 0.6;
/// Maximum share of a load that a muscle learns in a step.
pub(super) const MAX_MUSCLE_LOAD_GAIN: f32 = 0.02;
/// Angular velocity at which a muscle learns half as fast, radians/s: a moving limb tells little about its weight.
pub(super) const MUSCLE_LOAD_SPIN: f32 = 0.2;
/// Mean angular velocity of a corpse's bodies at which muscles slacken twice as fast, radians/s; at twice this, five
/// times as fast.
pub(super) const MUSCLE_TOPPLE_SPIN: f32 = 0.7;
/// Change of the target since the joint fell asleep that wakes the joint, radians.
pub(super) const MUSCLE_WAKE_ANGLE: f32 = 0.02;

// Bodies that follow the animation.

/// Time in which a body reaches the animation when it begins to follow exactly from afar, unless another time is
/// given, seconds.
pub(super) const GET_UP_TIME: f32 = 0.3;
/// Maximum time of a change of strength, seconds: longer times exceed single precision.
pub(super) const MAX_CHANGE_TIME: f32 = 3600.0;
/// Speed up to which an approaching body catches up with the animation in one step, units/s.
pub(super) const CATCH_UP_SPEED: f32 = 500.0;
/// Angular velocity up to which an approaching body catches up with the animation in one step, radians/s.
pub(super) const CATCH_UP_SPIN: f32 = 30.0;
/// Maximum excess of a pulled body's speed over that of the animation, units/s: a body that is held back does not shoot
/// off once it is free.
pub(super) const PULL_SPEED: f32 = 600.0;
/// Maximum angular velocity of a pulled body, radians/s.
pub(super) const PULL_SPIN: f32 = 30.0;
/// Factor of the flinch for each joint of distance from the body that was hit.
pub(super) const FLINCH_FALLOFF: f32 = 0.75;

// Teleports and speed limits.

/// Distance in a frame from which an entity was teleported, if it exceeds that of the frame before by as much, units.
pub(super) const TELEPORT_DISTANCE: f32 = 128.0;
/// Distance in a frame from which an entity was teleported, regardless of the frame before, units.
pub(super) const MAX_STEADY_DISTANCE: f32 = 8192.0;
/// Maximum speed of a body after a step, units/s.
pub(super) const MAX_SPEED: f32 = 16_000.0;
/// Maximum angular velocity of a body after a step, radians/s.
pub(super) const MAX_SPIN: f32 = 300.0;

// Walls and falls out of the level.

/// Speed at which a body comes back from a wall, units/s.
pub(super) const WALL_RETURN_SPEED: f32 = 100.0;
/// Time after which bodies are left in walls, seconds.
pub(super) const WALL_RETURN_TIME: f32 = 4.0;
/// Distances above the entity's origin at which the way to its bodies may start, units.
pub(super) const OPEN_POINT_HEIGHTS: [f32; 3] = [24.0, 8.0, 0.5];
/// Distance from the nearest body within which an origin counts as the entity's, units times the doll's scale.
pub(super) const ENTITY_NEAR_DISTANCE: f32 = 128.0;
/// Speed from which a ragdoll counts as falling out of the level, units/s.
pub(super) const LEVEL_EXIT_SPEED: f32 = 100.0;
/// Number of samples in a row, of falling with nothing below, after which a ragdoll has left the level: three seconds.
pub(super) const LEVEL_EXIT_SAMPLES: u32 = (3.0 / SAMPLE_TIME) as u32;

// Bodies, water, hits and traces.

/// Minimum size of a body, Quake units: rapier's arithmetic fails beyond the limits of sizes and masses.
pub(super) const MIN_SIZE: f32 = 1e-3;
/// Maximum size of a body, and maximum offset on a bone, Quake units.
pub(super) const MAX_SIZE: f32 = 1e5;
/// Minimum mass of a body.
pub(super) const MIN_MASS: f32 = 1e-3;
/// Maximum mass of a body.
pub(super) const MAX_MASS: f32 = 1e5;
/// Inertia of a rod about its middle, per mass and square of half its length; less than the exact third, so that
/// well-made limbs keep their own inertia.
pub(super) const ROD_INERTIA: f32 = 0.25;
/// Minimum inertia about any axis, as a share of the maximum: thinner bodies spin up without end.
pub(super) const MIN_INERTIA_SHARE: f32 = 0.02;
/// Maximum number of pairs of bodies that disabled joints keep from touching; a doll with more passes through itself.
pub(super) const MAX_OVERLAP_FILTERS: usize = 1024;
/// Maximum number of cells of a body along an axis.
pub(super) const MAX_BUOYANCY_CELLS: f32 = 3.0;
/// Mass of the liquid that a body has to push aside to rise, as a share of the mass that it displaces beyond its own.
pub(super) const ADDED_MASS: f32 = 0.5;
/// Minimum density of a body relative to water.
pub(super) const MIN_DENSITY: f32 = 1e-6;
/// Maximum impulse along an axis, mass * units/s.
pub(super) const MAX_IMPULSE: f32 = 1e9;
/// Distance of skin from the box around all bodies, as a share of the longest side of the box: a hand may have no body.
#[cfg(feature = "qc")]
pub(super) const SKIN_MARGIN: f32 = 0.25;

// Drop tests and checks of dolls.

/// Sizes of dolls that are dropped in a world of the default size.
pub(super) const USUAL_SIZES: std::ops::RangeInclusive<f32> = 0.25..=4.0;
/// Factor of the pitch of entities with meshes, as engines have it.
pub(super) const MESH_PITCH: f32 = -1.0;
/// Factor of the roll of entities with meshes, as engines have it.
pub(super) const MESH_ROLL: f32 = 1.0;
/// Distance between the floor and the lowest body when it is released, Quake units.
pub(super) const DROP_CLEARANCE: f32 = 0.1;
/// Excess beyond a stop that nobody sees, radians.
pub(super) const VISIBLE_STOP_EXCESS: f32 = 0.1;
/// Excess beyond a stop of a slider that nobody sees, Quake units.
pub(super) const VISIBLE_SLIDER_EXCESS: f32 = 0.5;
/// Motion in a locked direction that does not justify another type of joint, radians.
pub(super) const MAX_LOCKED_MOTION: f32 = 0.5;
/// Cost of following a joint, as a multiple of that of posing a bone.
pub(super) const FOLLOW_COST: usize = 4;
/// Energy that a fall may have, relative to that of the release: stops that give way give some of it back.
pub(super) const MAX_ENERGY_RATIO: f32 = 1.25;
/// Depth below the floor that thin shapes reach for a moment, Quake units.
pub(super) const MAX_FLOOR_DEPTH: f32 = 4.0;
/// Depth that is allowed as a share of the longest body: the ends of a plate that tumbles are fast.
pub(super) const MAX_FLOOR_DEPTH_SHARE: f32 = 0.1;
/// Gap that a joint may have while it falls, relative to that at rest: impacts pull joints apart for a moment.
pub(super) const FALLING_GAP_RATIO: f32 = 8.0;
/// Distance of a body from its limb, as a share of the longer of the two, above which it is far.
pub(super) const FAR_FROM_LIMB: f32 = 0.25;
/// Distance of a joint from its nearer body, as a share of the longer body's length, above which it is far.
pub(super) const FAR_FROM_JOINT: f32 = 0.5;
/// Depth of an overlap, as a share of the thinner body's thickness, above which it counts: those that only touch part
/// when they move.
pub(super) const DEEP_OVERLAP: f32 = 0.25;
/// Number of vertices below which their extents say nothing about a body.
pub(super) const MIN_SKIN_VERTICES: usize = 8;
/// Share of the vertices that is left out at each end: a strap or a spike is not the limb.
pub(super) const STRAY_VERTICES: f32 = 0.03;
/// Ratio of lengths above which a shape is far larger than its vertices.
pub(super) const MAX_SHAPE_RATIO: f32 = 3.0;
/// Ratio of lengths below which a shape is far smaller than its vertices.
pub(super) const MIN_SHAPE_RATIO: f32 = 1.0 / 3.0;
/// Maximum number of dolls that are fitted to a model and dropped.
pub(super) const MAX_FITS: usize = 12;
/// Share of the allowed excess from which a fitted joint gets more room: other drops throw it further.
pub(super) const SAFE_EXCESS_SHARE: f32 = 0.9;
/// Excess, as a multiple of the allowed one, from which a fitted joint gets two steps of room at once.
pub(super) const FAR_EXCESS_RATIO: f32 = 2.0;
/// Factor of the friction of all joints where a fitted doll falls badly as a whole.
pub(super) const CALMER_FRICTION: f32 = 1.5;
/// Greatest such friction, as a multiple of the usual one; beyond it, a fitted doll gets half as many bodies.
pub(super) const CALMEST_FRICTION: f32 = 2.0;
