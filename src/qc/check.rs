//! Checks of calls for mistakes that engines ignore.

use std::sync::Arc;

use skelobj_model::internal::{finite_number, is_limp_frame};

use super::call::{Call, NAMES_A_STATEMENT};
use super::frame_state::frame_state;
use super::parameters::{Parameter, parameters};
use super::script_warning::ScriptProblem;
use super::{Builtin, Dialect, Entity, Field, Host, ModelRef};
use crate::math::{Axes, Vec3, truncate};
use crate::model::{Model, Name, Skeleton};
use crate::ragdoll::unread_number as unread_command_number;
use crate::runtime::{ObjectId, Runtime};

/// Builtins that scripts call with object 0 on purpose.
const NONE_IS_FINE: [&str; 4] = ["skel_build", "skel_build_ptr", "skel_delete", "skel_trace"];

/// Builtins that change the entity in their first argument.
const CHANGES_ENTITY: [&str; 4] = ["setmodel", "setmodelindex", "setattachment", "setcustomskin"];

/// Builtins that pose or show an entity with its object.
const USES_OBJECT: [&str; 11] = [
    "skel_build",
    "skel_ragupdate",
    "skel_set_bone_world",
    "skel_aim",
    "skel_reach",
    "skel_feet",
    "skel_trace",
    "skel_record",
    "gettaginfo",
    "rotatevectorsbytag",
    "addentity",
];

/// Builtins that pose an object by animations of a model.
const TAKES_POSES: [&str; 2] = ["skel_build", "skel_add"];

/// Builtins that follow the attachments of their first argument, or make one.
const FOLLOWS_ATTACHMENTS: [&str; 3] = ["setattachment", "gettaginfo", "addentity"];

/// Builtins whose animation number is a mistake if it does not exist; scripts search with the others.
const PLAYS_ANIMATION: [&str; 3] = ["frameduration", "processmodelevents", "getnextmodelevent"];

/// Returns the first mistake in a call that has just run, whose arguments `host` still holds.
pub(super) fn check(
    builtin: &'static Builtin,
    runtime: &mut Runtime,
    host: &mut (impl Host + ?Sized),
) -> Option<ScriptProblem> {
    let mut call = Call { runtime, host, builtin };
    let declared = parameters(builtin.signature);
    let mut object = None;
    let mut model = ModelRef::None;
    for (argument, parameter) in declared.iter().enumerate().take(call.host.argc()) {
        let problem = match (parameter.kind, parameter.name) {
            _ if parameter.is_out => Ok(()),
            ("float", "skel" | "skelsrc" | "skeldst") => handle(&mut call, argument).map(|id| object = id),
            ("float", "animskel") => match call.integer(argument) {
                0 => Ok(()),
                _ => handle(&mut call, argument).and_then(|source| source_object(&mut call, object, source)),
            },
            ("entity", "ent" | "skelent" | "tagentity") => {
                entity(&mut call, argument, parameter, &mut object).map(|found| model = found)
            }
            ("float", "bonenum") => bone(&mut call, argument, object),
            ("float", "firstbone" | "startbone") => bones(&mut call, argument, object),
            ("float", "modlindex" | "modelindex") => named_model(&mut call, argument).and_then(|found| {
                model = found;
                if let Some(object) = object.filter(|_| TAKES_POSES.contains(&builtin.name)) {
                    let index = call.integer(argument);
                    same_bones(&mut call, object, index, model)?;
                }
                if builtin.name == "skel_build" { played(&mut call, model) } else { Ok(()) }
            }),
            ("float", "framenum") if PLAYS_ANIMATION.contains(&builtin.name) => {
                let number = call.integer(argument);
                animation(loaded(&call, model), number)
            }
            ("float", "tagindex") => tag_number(&mut call, argument, model),
            ("string", _) => name(&mut call, argument, parameter, object, model),
            _ => Ok(()),
        };
        if let Err(problem) = problem {
            return Some(problem);
        }
    }
    axes(&call).or_else(|| attachment_loop(&call)).or_else(|| doll(&call, object)).or_else(|| unread_number(&call))
}

type Checked<T = ()> = Result<T, ScriptProblem>;

fn loaded<'a>(call: &'a Call<'_, impl Host + ?Sized>, model: ModelRef) -> Option<&'a Arc<Model>> {
    model.id().and_then(|id| call.runtime.model(id))
}

/// Returns the object of a handle argument; `None` for 0 where that is fine.
fn handle(call: &mut Call<'_, impl Host + ?Sized>, argument: usize) -> Checked<Option<ObjectId>> {
    let handle = call.float(argument);
    if truncate(handle) == 0 && NONE_IS_FINE.contains(&call.builtin.name) {
        return Ok(None);
    }
    let object = call.live_object(argument).ok_or(ScriptProblem::NoSuchObject { handle })?;
    // It exists until the end of the frame, but not in FTE.
    let is_deleted = call.builtin.name != "skel_delete" && call.runtime.is_pending_delete(object);
    if is_deleted { Err(ScriptProblem::DeletedBefore { object: object.get() }) } else { Ok(Some(object)) }
}

/// Checks an entity that a call changes: it must not be the world, or removed.
pub(super) fn written_entity(host: &mut (impl Host + ?Sized), entity: Entity) -> Checked {
    let is_alive = host.script().is_none_or(|script| script.is_alive(entity));
    match entity.0 {
        _ if is_alive => Ok(()),
        0 => Err(ScriptProblem::World),
        number => Err(ScriptProblem::RemovedEntity { entity: number }),
    }
}

/// Checks an entity argument, and its object, which goes to `object` where the builtin works on that. Returns the
/// entity's model.
fn entity(
    call: &mut Call<'_, impl Host + ?Sized>,
    argument: usize,
    parameter: &Parameter,
    object: &mut Option<ObjectId>,
) -> Checked<ModelRef> {
    let name = call.builtin.name;
    let entity = call.host.entity(argument);
    let is_changed = argument == 0 && CHANGES_ENTITY.contains(&name);
    // The builtin addentity reports both itself.
    if is_changed || (entity.0 != 0 && name != "addentity") {
        written_entity(call.host, entity)?;
    }
    let model = call.entity_model(entity);
    if parameter.name == "skelent" || name == "skel_set_bone_world" {
        *object = entity_object(call, entity)?;
    }
    let own = call.entity_object(entity).filter(|own| name != "skel_build" || *object == Some(*own));
    if let Some(own) = own.filter(|_| USES_OBJECT.contains(&name)) {
        let index = truncate(call.host.float_field(entity, Field::modelindex));
        same_bones(call, own, index, model)?;
    }
    Ok(model)
}

/// Checks that an object has the bones of the object whose pose it takes.
fn source_object(
    call: &mut Call<'_, impl Host + ?Sized>,
    object: Option<ObjectId>,
    source: Option<ObjectId>,
) -> Checked {
    let Some((object, source)) = object.zip(source) else { return Ok(()) };
    let skeleton = |id| call.runtime.object(id).map(|object| &object.model().skeleton);
    let is_same = skeleton(object).zip(skeleton(source)).is_none_or(|(one, other)| have_same_bones(call, one, other));
    let objects = [object.get(), source.get()];
    if is_same { Ok(()) } else { Err(ScriptProblem::OtherObject { objects }) }
}

fn have_same_bones(call: &Call<'_, impl Host + ?Sized>, one: &Skeleton, other: &Skeleton) -> bool {
    if std::ptr::eq(one, other) {
        return true;
    }
    call.host.charge(one.len() as u64 / NAMES_A_STATEMENT);
    one.names() == other.names() && one.parents() == other.parents()
}

/// Checks that an object has the bones of a model.
fn same_bones(call: &mut Call<'_, impl Host + ?Sized>, object: ObjectId, index: i32, model: ModelRef) -> Checked {
    let Some(of_model) = loaded(call, model).map(|model| &model.skeleton) else { return Ok(()) };
    let Some(of_object) = call.runtime.object(object).map(|object| &object.model().skeleton) else { return Ok(()) };
    if have_same_bones(call, of_model, of_object) {
        return Ok(());
    }
    let name = call.host.script().and_then(|script| script.model_name(usize::try_from(index).ok()?));
    Err(ScriptProblem::OtherModel { object: object.get(), model: Name::new(&name.unwrap_or_default()) })
}

/// Returns the object of an entity.
fn entity_object(call: &Call<'_, impl Host + ?Sized>, entity: Entity) -> Checked<Option<ObjectId>> {
    let handle = call.host.float_field(entity, Field::skeletonindex);
    match call.entity_object(entity) {
        Some(id) => Ok(Some(id)),
        None if call.names_object(entity) => Err(ScriptProblem::NoSuchObject { handle }),
        None if NONE_IS_FINE.contains(&call.builtin.name) => Ok(None),
        None => Err(ScriptProblem::NoObject),
    }
}

fn bone(call: &mut Call<'_, impl Host + ?Sized>, argument: usize, object: Option<ObjectId>) -> Checked {
    let Some(object) = object.and_then(|id| call.runtime.object(id)) else { return Ok(()) };
    let bones = object.bone_count();
    let number = call.integer(argument);
    let lowest = if call.builtin.name == "skel_ragimpulse" { 0 } else { 1 };
    let exists = number >= lowest && usize::try_from(number).is_ok_and(|number| number <= bones);
    if exists { Ok(()) } else { Err(ScriptProblem::NoSuchBone { number, bones }) }
}

/// Checks a range of bones, which begins with an argument and ends with the next one.
fn bones(call: &mut Call<'_, impl Host + ?Sized>, argument: usize, object: Option<ObjectId>) -> Checked {
    let range = call.bones(argument);
    let given = [argument, argument + 1].map(|argument| truncate(finite_number(call.host.float(argument))));
    let [first, last] = given;
    let bones = object.and_then(|id| call.runtime.object(id)).map(|object| object.bone_count());
    let is_fte = call.dialect() == Dialect::Fte;
    let is_none = is_fte && first < 0 && call.builtin.name == "skel_mul_bones";
    if let Some(bones) = bones.filter(|bones| range.start >= *bones && !is_none) {
        return Err(ScriptProblem::NoSuchBone { number: first, bones });
    }
    let rule = match (is_none, range.is_empty(), is_fte) {
        (true, ..) => "a negative first bone is none",
        (_, false, _) => return Ok(()),
        _ if last > 0 && last < first => "the range is reversed",
        (_, _, true) => "the last bone is the first that stays unchanged",
        _ => "last bone 0 is none",
    };
    Err(ScriptProblem::NoBones { range: given, rule })
}

/// Checks the animations that the entity of argument 1 plays in a model.
fn played(call: &mut Call<'_, impl Host + ?Sized>, model: ModelRef) -> Checked {
    let entity = call.host.entity(1);
    let state = frame_state(call.host, entity, loaded(call, model).map(|model| &**model));
    let mut played = state.blends().iter().filter(|blend| blend.weight > 0.0 && !is_limp_frame(blend.animation));
    played.try_for_each(|blend| animation(loaded(call, model), blend.animation))
}

/// Checks the number of an animation of a model. A model without animations shows its bind pose for each.
fn animation(model: Option<&Arc<Model>>, number: i32) -> Checked {
    let animations = model.map_or(0, |model| model.animations.len());
    let exists = usize::try_from(number).is_ok_and(|number| number < animations);
    if exists || animations == 0 { Ok(()) } else { Err(ScriptProblem::NoSuchAnimation { number, animations }) }
}

/// Returns the model of a model index argument. `skel_matchpose` takes the entity's model for 0.
fn named_model(call: &mut Call<'_, impl Host + ?Sized>, argument: usize) -> Checked<ModelRef> {
    let index = call.integer(argument);
    match call.model(argument) {
        ModelRef::None if call.builtin.name == "skel_matchpose" => Ok(ModelRef::None),
        ModelRef::None | ModelRef::Unknown => Err(ScriptProblem::NoSuchModel { index }),
        model => Ok(model),
    }
}

fn tag_number(call: &mut Call<'_, impl Host + ?Sized>, argument: usize, model: ModelRef) -> Checked {
    let number = call.integer(argument);
    let Some(model) = model.id().and_then(|id| call.runtime.model(id)) else { return Ok(()) };
    let tags = model.tag_count();
    let exists = usize::try_from(number).is_ok_and(|number| number <= tags);
    if exists { Ok(()) } else { Err(ScriptProblem::NoSuchTag { number, tags }) }
}

/// Looks up the name in a string argument.
fn name(
    call: &mut Call<'_, impl Host + ?Sized>,
    argument: usize,
    parameter: &Parameter,
    object: Option<ObjectId>,
    model: ModelRef,
) -> Checked {
    let wanted = call.host.string(argument);
    let model = model.id().and_then(|id| call.runtime.model(id));
    let object = object.and_then(|id| call.runtime.object(id));
    let (what, found) = match (parameter.name, object, model) {
        ("tagname", Some(object), _) => ("bone", call.find_name(object.model().skeleton.names().iter(), wanted)),
        ("tagname", None, Some(model)) if !wanted.is_empty() => {
            ("tag", call.find_name((0..model.tag_count()).filter_map(|tag| model.tag_name(tag)), wanted))
        }
        ("framename", _, Some(model)) => {
            ("animation", call.find_name(model.animations.iter().map(|a| &a.name), wanted))
        }
        ("skinname", _, Some(model)) => {
            call.host.charge(model.skins.len() as u64 / NAMES_A_STATEMENT);
            ("skin", call.find_skin(model, wanted))
        }
        _ => return Ok(()),
    };
    if found.is_some() {
        return Ok(());
    }
    // The name is printed, at least once.
    call.host.charge(wanted.len() as u64 / NAMES_A_STATEMENT);
    Err(ScriptProblem::NoSuchName { what, name: Name::new(wanted) })
}

/// Reports axes that are not whole. DarkPlaces takes them from globals only.
fn axes(call: &Call<'_, impl Host + ?Sized>) -> Option<ScriptProblem> {
    let first = match call.builtin.name {
        "skel_set_bone_axes" => 2,
        "skel_set_bone" | "skel_mul_bone" | "skel_postmul_bone" => 3,
        "skel_mul_bones" => 4,
        _ => return None,
    };
    let takes_axes = call.dialect() == Dialect::Fte || call.builtin.name == "skel_set_bone_axes";
    let given = if takes_axes { call.host.argc().saturating_sub(first) } else { 0 };
    let axes = match given {
        1 | 2 => return Some(ScriptProblem::PartialAxes { given }),
        0 => {
            let Axes { forward, right, up } = call.host.axes();
            [forward, right, up]
        }
        _ => [0, 1, 2].map(|axis| call.host.vector(first + axis)),
    };
    axes.contains(&Vec3::ZERO).then_some(ScriptProblem::ZeroAxis)
}

/// Reports an entity whose attachments lead back to it. Engines follow some of them.
fn attachment_loop(call: &Call<'_, impl Host + ?Sized>) -> Option<ScriptProblem> {
    if !FOLLOWS_ATTACHMENTS.contains(&call.builtin.name) {
        return None;
    }
    let entity = call.host.entity(0);
    let parent = |at: &Entity| call.host.entity_field(*at, Field::tag_entity);
    let above = std::iter::successors(parent(&entity), parent).take(Runtime::MAX_ATTACHMENTS);
    above.filter(|at| at.0 == entity.0).map(|at| ScriptProblem::AttachmentLoop { entity: at.0 }).next()
}

/// Reports a ragdoll command without its number.
fn unread_number(call: &Call<'_, impl Host + ?Sized>) -> Option<ScriptProblem> {
    let text = (call.builtin.name == "skel_ragupdate").then(|| call.host.string(1))?;
    let (usage, word) = unread_command_number(text)?;
    Some(ScriptProblem::NoNumber { usage, word: word.map(|word| Name::new(&word)) })
}

/// Reports an update of an object that has no ragdoll, which engines answer with 0.
fn doll(call: &Call<'_, impl Host + ?Sized>, object: Option<ObjectId>) -> Option<ScriptProblem> {
    let updates = call.builtin.name == "skel_ragupdate" && call.host.string(1).trim_ascii().is_empty();
    // An object that was never built was refused for that.
    let is_built = |id| call.runtime.object(id).is_some_and(|object| object.is_built());
    let lacks = object.is_some_and(|id| call.runtime.ragdoll(id).is_none() && is_built(id));
    (updates && lacks).then_some(ScriptProblem::NoDoll)
}
