//! Drops of dolls.

use skelobj::math::Vec3;
use skelobj::ragdoll::{DropStart, DropTest};
use skelobj::runtime::Settings;

use crate::SkelobjStatus;
use crate::error::{Failure, Result};
use crate::guard;
use crate::id::{Id, SkelobjDoll, SkelobjLevel, SkelobjModel, SkelobjWorld};
use crate::numbers::{self, count, flag};
use crate::pointer::{Def, In, Out};
use crate::table;
use crate::world::SkelobjWorldDef;

/// Fall of a doll in a world of its own, to judge it. Get one from skelobj_default_drop_def.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjDropDef {
    /// Proof that the def was initialised.
    pub cookie: u32,
    /// Animation that plays first; -1 for the bind pose, -2 (default) for the first that is a death.
    pub animation: i32,
    /// Time for which the animation plays, 0 to 600 seconds.
    pub play: f32,
    /// Time over which the bodies become limp while the animation plays on, seconds, 0 to 600; 0 is at once.
    pub fade: f32,
    /// Maximum time of the fall, at most 600 seconds; negative (default) for the usual one, 10 seconds.
    pub seconds: f32,
    /// Height of the entity above the floor, units, at most 1e6; negative (default) for the usual one.
    pub height: f32,
    /// Angles of the entity, degrees.
    pub angles: [f32; 3],
    /// Velocity that is added to that of the animation, units per second.
    pub velocity: [f32; 3],
    /// Angular velocity, radians per second.
    pub angular_velocity: [f32; 3],
    /// 1 if there is water up to `water`.
    pub has_water: i32,
    /// Surface of the water, units.
    pub water: f32,
    /// 1 to take height, angles and spin from `seed`.
    pub is_seeded: i32,
    /// Number of a random fall.
    pub seed: u64,
    /// Level to fall in; none (default) for a floor at z = 0.
    pub level: SkelobjLevel,
    /// Position of the entity, to which the height is added, units.
    pub at: [f32; 3],
}

/// Result of a fall.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjDropReport {
    /// Number of bodies.
    pub bodies: i32,
    /// Number of joints.
    pub joints: i32,
    /// Number of physics steps.
    pub steps: i32,
    /// Length of a step, seconds.
    pub dt: f32,
    /// Time until all bodies slept, seconds; negative if they did not.
    pub asleep_after: f32,
    /// 1 if the doll fell out of the level through a hole.
    pub left_level: i32,
    /// Widest gap of a joint during the fall, units.
    pub max_gap_falling: f32,
    /// Widest gap of a joint at rest, units.
    pub max_gap_resting: f32,
    /// Farthest beyond a stop during the fall, radians; for sliders units.
    pub max_stop_excess: f32,
    /// Farthest beyond a stop at rest, radians; for sliders units.
    pub resting_stop_excess: f32,
    /// Greatest speed at the end, units per second.
    pub rest_speed: f32,
    /// Lowest point of a body, units.
    pub lowest_z: f32,
    /// Number of positions, rotations, velocities and bones that were not finite, summed over all steps.
    pub non_finite: i32,
    /// Kinetic and potential energy within the last tenth of a second, mass * (units / s)^2.
    pub energy: f32,
}

/// Returns a def for the usual fall.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_default_drop_def() -> SkelobjDropDef {
    SkelobjDropDef {
        cookie: SkelobjDropDef::COOKIE,
        animation: -2,
        play: 0.0,
        fade: 0.0,
        seconds: -1.0,
        height: -1.0,
        angles: [0.0; 3],
        velocity: [0.0; 3],
        angular_velocity: [0.0; 3],
        has_water: 0,
        water: 0.0,
        is_seeded: 0,
        seed: 0,
        level: SkelobjLevel::NONE,
        at: [0.0; 3],
    }
}

/// Returns the test that a def describes.
fn drop_test(doll: SkelobjDoll, model: SkelobjModel, def: &SkelobjDropDef) -> Result<DropTest> {
    let mut test = DropTest::new(table::model(model)?.model().clone(), table::doll(doll)?);
    if def.animation > -2 {
        test.animation = usize::try_from(def.animation).ok();
        test.play = def.play;
    }
    test.fade = def.fade;
    if def.seconds.is_nan() || !def.height.is_finite() {
        return Err(Failure::number("seconds or height", "a finite number"));
    }
    if def.seconds >= 0.0 {
        test.seconds = def.seconds;
    }
    if def.height >= 0.0 {
        test.height = def.height;
    }
    test.orient = Vec3::from_array(def.angles);
    test.velocity = Vec3::from_array(def.velocity);
    test.angular_velocity = Vec3::from_array(def.angular_velocity);
    test.water = (def.has_water != 0).then_some(def.water);
    if !def.level.is_none() {
        test.level = Some(table::level(def.level)?);
    }
    test.at = Vec3::from_array(def.at);
    if def.is_seeded != 0 {
        test = test.with_seed(def.seed);
    }
    Ok(test)
}

/// Drops a doll on a floor or in a level and reports what happened. `def` may be null for the usual fall.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_doll_drop(
    doll: SkelobjDoll,
    model: SkelobjModel,
    def: In<SkelobjDropDef>,
    report: Out<SkelobjDropReport>,
) -> SkelobjStatus {
    guard::status(|| {
        let (place, def) = (report.place()?, def.def_or(skelobj_default_drop_def)?);
        let test = drop_test(doll, model, &def)?;
        let found = test.run()?;
        place.set(SkelobjDropReport {
            bodies: count(found.bodies),
            joints: count(found.joints),
            steps: count(found.steps),
            dt: found.dt,
            asleep_after: found.asleep_after.unwrap_or(-1.0),
            left_level: flag(found.left_level),
            max_gap_falling: found.max_gap_falling,
            max_gap_resting: found.max_gap_resting,
            max_stop_excess: found.max_stop_excess,
            resting_stop_excess: found.resting_stop_excess,
            rest_speed: found.rest_speed,
            lowest_z: found.lowest_z,
            non_finite: count(found.non_finite),
            energy: found.energy.last().copied().unwrap_or(0.0),
        });
        Ok(())
    })
}

/// Writes the settings of a world for falls of a doll on a model: the default, or with gravity, length unit and sleep
/// speed in proportion to a doll whose longest side is below 11 or above 362 units, as its lengths are then likely to
/// be in another unit. skelobj_doll_drop and skelobj_doll_check use them.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_drop_world_def(
    doll: SkelobjDoll,
    model: SkelobjModel,
    def: Out<SkelobjWorldDef>,
) -> SkelobjStatus {
    guard::status(|| {
        let place = def.place()?;
        let mut settings = Settings::default();
        settings.physics = DropTest::usual_physics(&*table::doll(doll)?, table::model(model)?.model());
        place.set(SkelobjWorldDef::new(&settings));
        Ok(())
    })
}

/// Start of a fall.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjDropStart {
    /// Matrix of the entity.
    pub matrix: [f32; 12],
    /// Velocity to add at the moment of letting go, units per second.
    pub velocity: [f32; 3],
    /// Angular velocity at the moment of letting go, about the centre of mass, radians per second.
    pub angular_velocity: [f32; 3],
    /// Animation that plays first; -1 for the bind pose.
    pub animation: i32,
    /// Number of physics steps for which the animation plays.
    pub play_steps: i32,
}

/// Writes the start of a fall, for a host that runs the fall of skelobj_doll_drop in a world of its own, with the
/// settings of skelobj_drop_world_def. `def` may be null for the usual fall. The height above the floor is measured
/// with a ragdoll that is added to the world and removed again: a fall has the same bits if the world is new, and the
/// floor or level is added after this call. Then make the ragdoll in the first pose of the animation, and "animate 1".
/// In each of the first steps pose the object, update the ragdoll, and step the world. To let go, update it, "animate
/// 0", and add the velocity and the angular velocity.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_drop_start(
    world: SkelobjWorld,
    doll: SkelobjDoll,
    model: SkelobjModel,
    def: In<SkelobjDropDef>,
    start: Out<SkelobjDropStart>,
) -> SkelobjStatus {
    guard::world(world, |world| {
        let (place, def) = (start.place()?, def.def_or(skelobj_default_drop_def)?);
        let test = drop_test(doll, model, &def)?;
        let DropStart { entity, velocity, angular_velocity, animation, play_steps, .. } =
            test.start(world.runtime.physics_mut())?;
        place.set(SkelobjDropStart {
            matrix: entity.0,
            velocity: velocity.to_array(),
            angular_velocity: angular_velocity.to_array(),
            animation: numbers::number(animation),
            play_steps: count(play_steps),
        });
        Ok(())
    })
}
