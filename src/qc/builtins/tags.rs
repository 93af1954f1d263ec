//! Tags of entities: bones by name, their place in the world, attachments.

use crate::math::{Axes, Mat3x4, Vec3, truncate};
use crate::qc::call::Call;
use crate::qc::{Dialect, Entity, Field, TagInfo};
use crate::runtime::{EntityState, Runtime};

/// The tag of an entity's model with this name, 0-based.
fn find(call: &mut Call<'_>, entity: Entity, name: usize) -> Option<usize> {
    let model = call.entity_model(entity).id()?;
    let model = call.runtime.model(model)?;
    let name = call.host.string(name);
    let mut names = model.skeleton.names().iter();
    names.position(|n| !name.is_empty() && call.dialect.same_name(n.as_bytes(), name))
}

/// #451: the tag's number, 0 where there is none.
pub(crate) fn gettagindex(call: &mut Call<'_>) {
    let entity = call.host.entity(0);
    let tag = find(call, entity, 1);
    call.host.return_float(tag.map_or(0.0, |tag| (tag + 1) as f32));
}

/// #443: hangs an entity on another one's tag.
pub(crate) fn setattachment(call: &mut Call<'_>) {
    let (entity, to) = (call.host.entity(0), call.host.entity(1));
    let tag = find(call, to, 2);
    call.host.set_entity_field(entity, Field::tag_entity, to);
    call.host.set_float_field(entity, Field::tag_index, tag.map_or(0.0, |tag| (tag + 1) as f32));
}

/// #452: world space, the origin returned, the axes in the globals; through attachments.
pub(crate) fn gettaginfo(call: &mut Call<'_>) {
    let entity = call.host.entity(0);
    let tag = call.index(1);
    let mut links = vec![link(call, entity, tag)];
    let mut at = entity;
    while links.len() <= Runtime::MAX_ATTACHMENTS {
        let Some(parent) = call.host.entity_field(at, Field::tag_entity) else { break };
        let tag = i64::from(truncate(call.host.float_field(at, Field::tag_index))) - 1;
        links.push(link(call, parent, usize::try_from(tag).ok()));
        at = parent;
    }
    let (first, tag) = links[0];
    if call.dialect == Dialect::DarkPlaces {
        let info = tag_info(call, &first, tag);
        call.host.set_tag_info(&info);
        // A number without a tag loses the entity's place, too.
        if tag.is_some_and(|tag| call.runtime.tag(&first, tag).is_none()) {
            call.return_matrix(Some(Mat3x4::IDENTITY));
            return;
        }
    }
    let matrix = call.runtime.tag_to_world(links);
    call.return_matrix(Some(matrix));
}

fn link(call: &mut Call<'_>, entity: Entity, tag: Option<usize>) -> (EntityState, Option<usize>) {
    let mut state = call.entity_state(entity);
    if call.dialect == Dialect::DarkPlaces {
        // An object poses an entity only if it has as many bones as the entity's model.
        let bones = state.model.and_then(|id| call.runtime.model(id)).map(|model| model.skeleton.len());
        let fits = |id| call.runtime.object(id).map(|object| object.bone_count()) == bones;
        state.skeleton = state.skeleton.filter(|&id| fits(id));
    }
    (state, tag)
}

fn tag_info(call: &Call<'_>, entity: &EntityState, tag: Option<usize>) -> TagInfo {
    let none = TagInfo { parent: 0, name: Vec::new(), offset: Vec3::ZERO, axes: Axes::IDENTITY };
    let Some(tag) = tag else { return none };
    let Some((matrix, parent)) = call.runtime.tag_relative(entity, tag) else { return none };
    let model = entity.model.and_then(|id| call.runtime.model(id));
    let name = model.and_then(|model| model.skeleton.name(tag));
    TagInfo {
        parent: parent.map_or(0, |parent| parent as u32 + 1),
        name: name.map_or_else(Vec::new, |name| name.as_bytes().to_vec()),
        offset: matrix.origin(),
        axes: matrix.axes(),
    }
}
