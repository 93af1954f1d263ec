//! Parts of a model that a format cannot hold.

use crate::model::{Animation, AnimationSource, Material, Mesh, Model};

/// Description of a part for messages, and `true` if it is lost.
type Loss = (&'static str, bool);

/// Returns the parts of a model that an IQM cannot hold.
pub(super) fn iqm(model: &Model) -> Vec<&'static str> {
    lost(
        model,
        &[
            ("morphs", meshes(model, |mesh| !mesh.morphs.is_empty())),
            ("vertex animations", meshes(model, Mesh::is_morphed)),
            ("colours and textures of materials", model.materials.iter().any(has_look)),
        ],
    )
}

/// Returns the parts of a model that binary glTF cannot hold.
#[cfg(feature = "gltf")]
pub(super) fn glb(model: &Model) -> Vec<&'static str> {
    lost(
        model,
        &[
            ("ends of long names", has_long_names(model)),
            ("skins", !model.skins.is_empty()),
            ("textures in formats that glTF does not have", model.materials.iter().any(super::glb::is_foreign)),
            (
                "morphs of meshes with vertex frames",
                meshes(model, |mesh| !mesh.frames.positions.is_empty() && !mesh.morphs.is_empty()),
            ),
            ("events", animations(model, |animation| !animation.events.is_empty())),
            ("comments", !model.comments.is_empty()),
            ("custom vertex arrays", meshes(model, |mesh| !mesh.custom.is_empty())),
            ("contents, flags and distances of surfaces", meshes(model, |mesh| mesh.surface != Default::default())),
            ("frames that no animation shows", unshown(model)),
        ],
    )
}

/// Returns the parts that every format loses, and those that one format loses in addition.
fn lost(model: &Model, besides: &[Loss]) -> Vec<&'static str> {
    let evaluated = |animation: &Animation| matches!(animation.source, AnimationSource::Evaluated { .. });
    let everywhere: [Loss; 8] = [
        ("materials beyond colour and texture", model.materials.iter().any(|material| material.has_more)),
        ("hit boxes", !model.hit_boxes.is_empty()),
        ("attachments", !model.attachments.is_empty()),
        ("tags", !model.tags.is_empty()),
        ("action numbers", animations(model, |animation| animation.action.id != -1)),
        ("triangle groups", meshes(model, |mesh| !mesh.triangle_groups.is_empty())),
        ("bone controllers and blends", model.half_life.is_some()),
        ("the exact times of keys", animations(model, evaluated) && model.half_life.is_none()),
    ];
    everywhere.iter().chain(besides).filter(|(_, lost)| *lost).map(|(what, _)| *what).collect()
}

/// Returns `true` if a material has more than a name.
fn has_look(material: &Material) -> bool {
    material.color != [1.0; 4] || material.texture.is_some()
}

fn meshes(model: &Model, has: fn(&Mesh) -> bool) -> bool {
    model.meshes.iter().any(has)
}

fn animations(model: &Model, has: fn(&Animation) -> bool) -> bool {
    model.animations.iter().any(has)
}

/// Returns `true` if a name is longer than a name in binary glTF may be.
#[cfg(feature = "gltf")]
fn has_long_names(model: &Model) -> bool {
    let of_meshes = model.meshes.iter().flat_map(|mesh| [&mesh.name, &mesh.material]);
    let names = model.skeleton.names().iter().chain(of_meshes);
    let mut names = names.chain(model.animations.iter().map(|animation| &animation.name));
    names.any(|name| name.as_bytes().len() > super::glb::LONGEST_NAME)
}

/// Returns `true` if the model has frames that no animation shows.
#[cfg(feature = "gltf")]
fn unshown(model: &Model) -> bool {
    let mut shown = vec![false; model.frame_count()];
    for animation in &model.animations {
        for frame in (0..animation.pose_count()).filter_map(|pose| animation.frame_of(pose)) {
            shown.iter_mut().skip(frame).take(1).for_each(|shown| *shown = true);
        }
    }
    shown.contains(&false)
}
