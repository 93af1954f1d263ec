//! Builtins on tags of entities: bones by name, their place in world space, attachments.

use skelobj_model::internal;

use crate::math::{Axes, Mat3x4, Vec3, truncate};
use crate::qc::call::Call;
use crate::qc::{Dialect, Entity, Field, Host, TagInfo};
use crate::runtime::{EntityState, Runtime};

/// Returns the tag of an entity's model with this name, 0-based.
fn find(call: &mut Call<'_, impl Host + ?Sized>, entity: Entity, name: usize) -> Option<usize> {
    let model = call.entity_model(entity).id()?;
    let model = call.runtime.model(model)?;
    let name = call.host.string(name);
    let names = || (0..model.tag_count()).filter_map(|tag| model.tag_name(tag));
    (!name.is_empty()).then(|| call.find_name(names(), name)).flatten()
}

/// Runs `gettagindex` (#451): returns the tag's number, 0 if there is none.
pub(crate) fn gettagindex(call: &mut Call<'_, impl Host + ?Sized>) {
    let entity = call.host.entity(0);
    let tag = find(call, entity, 1);
    call.host.return_float(tag.map_or(0.0, |tag| (tag + 1) as f32));
}

/// Runs `setattachment` (#443): attaches an entity to another entity's tag.
pub(crate) fn setattachment(call: &mut Call<'_, impl Host + ?Sized>) {
    let (entity, to) = (call.host.entity(0), call.host.entity(1));
    let tag = find(call, to, 2);
    call.host.set_entity_field(entity, Field::tag_entity, to);
    call.host.set_float_field(entity, Field::tag_index, tag.map_or(0.0, |tag| (tag + 1) as f32));
}

/// Maximum number of entities through which DarkPlaces follows attachments.
const DARKPLACES_LINKS: usize = 255;

/// Runs `gettaginfo` (#452): returns the origin in world space, and sets the globals to the axes. Follows attachments.
pub(crate) fn gettaginfo(call: &mut Call<'_, impl Host + ?Sized>) {
    let entity = call.host.entity(0);
    let tag = call.index(1);
    let first = link(call, entity);
    if call.dialect() == Dialect::DarkPlaces {
        let info = tag_info(call, &first, tag);
        call.host.set_tag_info(&info);
        // DarkPlaces then ignores the entity's place, too.
        if first.model.is_none() || tag.is_some_and(|tag| call.runtime.tag(&first, tag).is_none()) {
            call.return_matrix(Some(Mat3x4::IDENTITY));
            return;
        }
    }
    let matrix = place(call, &first, tag);
    let matrix = attached(call, entity, matrix);
    call.return_matrix(Some(matrix));
}

/// Returns a matrix of an entity after applying the tags that the entity is attached to.
pub(super) fn attached(call: &mut Call<'_, impl Host + ?Sized>, entity: Entity, mut matrix: Mat3x4) -> Mat3x4 {
    let links = match call.dialect() {
        Dialect::Fte => Runtime::MAX_ATTACHMENTS,
        Dialect::DarkPlaces => DARKPLACES_LINKS,
    };
    let mut at = entity;
    for _ in 0..links {
        let Some(parent) = call.host.entity_field(at, Field::tag_entity) else { break };
        let tag = i64::from(truncate(call.host.float_field(at, Field::tag_index))) - 1;
        let link = link(call, parent);
        matrix = place(call, &link, usize::try_from(tag).ok()) * matrix;
        at = parent;
    }
    matrix
}

/// Returns the matrix of an entity's tag in world space, that of the entity without a tag.
///
/// DarkPlaces follows the parents of the entity's model, whatever model the object has (difference 131).
fn place(call: &Call<'_, impl Host + ?Sized>, entity: &EntityState, tag: Option<usize>) -> Mat3x4 {
    let own = call.runtime.tag_to_world([(*entity, tag)]);
    let object = entity.object.and_then(|id| call.runtime.object(id));
    let model = entity.model.and_then(|id| call.runtime.model(id));
    let (Dialect::DarkPlaces, Some(object), Some(model), Some(tag)) = (call.dialect(), object, model, tag) else {
        return own;
    };
    let is_other = !std::sync::Arc::ptr_eq(object.model(), model);
    let Some(mut matrix) = object.local_space(tag).filter(|_| is_other && tag < model.skeleton.len()) else {
        return own;
    };
    let mut bone = tag;
    while let Some(parent) = model.skeleton.parent(bone) {
        matrix = object.local_space(parent).unwrap_or(Mat3x4::IDENTITY) * matrix;
        bone = parent;
    }
    entity.world * matrix
}

fn link(call: &mut Call<'_, impl Host + ?Sized>, entity: Entity) -> EntityState {
    let mut state = call.entity_state(entity);
    let bones = state.model.and_then(|id| call.runtime.model(id)).map(|model| model.skeleton.len());
    // A tag may be attached to any bone, so all are posed.
    call.host.charge(bones.unwrap_or(0) as u64);
    if call.dialect() == Dialect::DarkPlaces {
        // DarkPlaces ignores an object whose number of bones differs from that of the entity's model.
        let fits = |id| call.runtime.object(id).map(|object| object.bone_count()) == bones;
        state.object = state.object.filter(|&id| fits(id));
    }
    state
}

fn tag_info(call: &Call<'_, impl Host + ?Sized>, entity: &EntityState, tag: Option<usize>) -> TagInfo {
    let none = TagInfo { parent: 0, name: Vec::new(), offset: Vec3::ZERO, axes: Axes::IDENTITY };
    let Some(tag) = tag else { return none };
    let Some((matrix, parent)) = call.runtime.tag_local(entity, tag) else { return none };
    let model = entity.model.and_then(|id| call.runtime.model(id));
    let name = model.and_then(|model| model.tag_name(tag));
    TagInfo {
        parent: parent.map_or(0, |parent| parent as u32 + 1),
        name: name.map_or_else(Vec::new, |name| name.as_bytes().to_vec()),
        offset: matrix.origin(),
        axes: matrix.axes(),
    }
}

/// Runs `rotatevectorsbytag` (#244): rotates the globals by a tag of an entity, and returns the tag's place in their
/// axes from the entity's origin.
pub(crate) fn rotatevectorsbytag(call: &mut Call<'_, impl Host + ?Sized>) {
    let entity = call.host.entity(0);
    let tag = call.index(1);
    let state = link(call, entity);
    let transform = call.transform(entity);
    let Some(tag) = tag.and_then(|tag| call.runtime.tag(&state, tag)) else {
        call.host.return_vector(transform.origin);
        return;
    };
    let globals = Mat3x4::from_axes(call.global_axes(), transform.origin);
    let scale = internal::factor(&transform);
    let scaled = Mat3x4::from_axes(tag.axes().scaled(scale), tag.origin() * scale);
    call.return_matrix(Some(globals * scaled));
}
