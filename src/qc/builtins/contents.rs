//! The builtin that tells what fills a place of the level.

use crate::math::Vec3;
use crate::physics::Liquid;
use crate::qc::Host;
use crate::qc::call::{Call, TRACE};

/// Contents of an open place.
const EMPTY: f32 = -1.0;
/// Contents of solid matter.
const SOLID: f32 = -2.0;
/// Contents of liquids.
const WATER: f32 = -3.0;
const SLIME: f32 = -4.0;
const LAVA: f32 = -5.0;

/// Runs `pointcontents` (#41).
pub(crate) fn pointcontents(call: &mut Call<'_, impl Host + ?Sized>) {
    let point = call.vector(0);
    call.host.charge(TRACE);
    let contents = contents(call, point);
    call.host.return_float(contents);
}

fn contents(call: &mut Call<'_, impl Host + ?Sized>, point: Vec3) -> f32 {
    let physics = call.runtime.physics();
    if physics.is_solid(point) {
        return SOLID;
    }
    call.host.charge(physics.waters().count() as u64);
    match physics.waters().find(|(_, water)| water.contains(point)).map(|(_, water)| water.liquid()) {
        Some(liquid) if liquid.density == Liquid::LAVA.density => LAVA,
        Some(liquid) if liquid.density == Liquid::SLIME.density => SLIME,
        Some(_) => WATER,
        None => EMPTY,
    }
}
