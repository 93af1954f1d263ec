//! Builtins of client code that fill a scene.

use skelobj_model::internal;

use super::tags;
use crate::math::{Mat3x4, truncate};
use crate::qc::call::{Call, USE_AXIS};
use crate::qc::scene::is_vector;
use crate::qc::{Dialect, Entity, Field, Host, Rules, Scene, SceneEntity, ScriptHost};
use crate::runtime::EntityState;

/// Number of `VF_VIEWPORT`, which takes `VF_MIN` and `VF_SIZE`.
const VIEWPORT: i32 = 7;

/// Returns the host of scenes, and prints why there is none.
fn script<'a>(call: &'a mut Call<'_, impl Host + ?Sized>) -> Option<&'a mut dyn ScriptHost> {
    if call.host.script().is_none() {
        call.complain(&"not available in this engine");
    }
    call.host.script()
}

fn scene<'a>(call: &'a mut Call<'_, impl Host + ?Sized>) -> Option<&'a mut Scene> {
    script(call)?.scene()
}

/// Runs `clearscene` (#300).
pub(crate) fn clearscene(call: &mut Call<'_, impl Host + ?Sized>) {
    if let Some(scene) = scene(call) {
        scene.clear();
    }
}

/// Runs `addentities` (#301): adds the entities whose `drawmask` has a bit of argument 0.
pub(crate) fn addentities(call: &mut Call<'_, impl Host + ?Sized>) {
    let mask = call.integer(0);
    if let Some(host) = script(call) {
        host.add_entities(mask);
    }
}

/// Runs `addentity` (#302): adds an entity as it is now.
pub(crate) fn addentity(call: &mut Call<'_, impl Host + ?Sized>) {
    let entity = call.host.entity(0);
    let Some(host) = script(call) else { return };
    if !host.is_alive(entity) {
        return call.complain(&"the entity is the world, or was removed");
    }
    let drawn = drawn(call, entity);
    let Some(scene) = scene(call) else { return };
    let was_full = scene.is_full();
    if !scene.add(drawn) && !was_full {
        call.complain(&"more than 16384 entities in a scene");
    }
}

/// Returns an entity as it is drawn now.
pub(crate) fn drawn(call: &mut Call<'_, impl Host + ?Sized>, entity: Entity) -> SceneEntity {
    let mut state = call.entity_state(entity);
    let world = drawn_world(call, entity, &state);
    state.world = tags::attached(call, entity, world);
    let flags = truncate(call.host.float_field(entity, Field::renderflags));
    SceneEntity { flags, ..SceneEntity::new(entity, state) }
}

/// Returns the matrix with which an entity is drawn: with its scale, and the axes of the globals where a flag says so.
fn drawn_world(call: &mut Call<'_, impl Host + ?Sized>, entity: Entity, state: &EntityState) -> Mat3x4 {
    if call.dialect() == Dialect::DarkPlaces {
        return state.world;
    }
    let transform = call.transform(entity);
    let flags = truncate(call.host.float_field(entity, Field::renderflags));
    let axes = if call.host.rules() == Rules::Client && flags & USE_AXIS != 0 {
        call.global_axes()
    } else {
        state.world.axes()
    };
    Mat3x4::from_axes(axes.scaled(internal::factor(&transform)), transform.origin)
}

/// Runs `setproperty` (#303): returns 1 if the property exists.
pub(crate) fn setproperty(call: &mut Call<'_, impl Host + ?Sized>) {
    let number = call.integer(0);
    let mut value = |argument| match is_vector(number) {
        true => call.vector(argument).to_array(),
        false => [call.float(argument), 0.0, 0.0],
    };
    let (first, second) = (value(1), if number == VIEWPORT { value(2) } else { [0.0; 3] });
    let set = scene(call).is_some_and(|scene| match number {
        VIEWPORT => scene.set_property(1, first) && scene.set_property(4, second),
        _ => scene.set_property(number, first),
    });
    call.host.return_float(f32::from(u8::from(set)));
}

/// Runs `getproperty` (#309): 0 for a property that was not set.
pub(crate) fn getproperty(call: &mut Call<'_, impl Host + ?Sized>) {
    let number = call.integer(0);
    let value = scene(call).and_then(|scene| scene.property(number)).unwrap_or_default();
    call.host.return_vector(value.into());
}

/// Runs `renderscene` (#304).
pub(crate) fn renderscene(call: &mut Call<'_, impl Host + ?Sized>) {
    if let Some(scene) = scene(call) {
        scene.render();
    }
}
