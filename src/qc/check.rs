//! Checks of calls for mistakes that engines ignore.

use super::call::{Call, NAMES_A_STATEMENT};
use super::parameters::{Parameter, parameters};
use super::script_warning::ScriptProblem;
use super::{Builtin, Entity, Field, Host, ModelRef};
use crate::math::truncate;
use crate::model::Name;
use crate::runtime::{ObjectId, Runtime};

/// Builtins that scripts call with object 0 on purpose.
const NONE_IS_FINE: [&str; 4] = ["skel_build", "skel_build_ptr", "skel_delete", "skel_trace"];

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
            ("float", "animskel") => match call.float(argument) {
                0.0 => Ok(()),
                _ => handle(&mut call, argument).map(drop),
            },
            ("entity", "skelent") => entity_object(&mut call, argument).map(|id| object = id),
            ("entity", "ent") if builtin.name == "skel_set_bone_world" => {
                entity_object(&mut call, argument).map(|id| object = id)
            }
            ("entity", "ent" | "tagentity") => {
                let entity = call.host.entity(argument);
                model = call.entity_model(entity);
                Ok(())
            }
            ("float", "bonenum") => bone(&mut call, argument, object),
            ("float", "modlindex" | "modelindex") => named_model(&mut call, argument).map(|found| model = found),
            ("float", "tagindex") => tag_number(&mut call, argument, model),
            ("string", _) => name(&mut call, argument, parameter, object, model),
            _ => Ok(()),
        };
        if let Err(problem) = problem {
            return Some(problem);
        }
    }
    doll(&call, object)
}

type Checked<T = ()> = Result<T, ScriptProblem>;

/// Returns the object of a handle argument; `None` for 0 where that is fine.
fn handle(call: &mut Call<'_, impl Host + ?Sized>, argument: usize) -> Checked<Option<ObjectId>> {
    let handle = call.float(argument);
    if truncate(handle) == 0 && NONE_IS_FINE.contains(&call.builtin.name) {
        return Ok(None);
    }
    call.live_object(argument).map(Some).ok_or(ScriptProblem::NoSuchObject { handle })
}

/// Returns the object of an entity argument.
fn entity_object(call: &mut Call<'_, impl Host + ?Sized>, argument: usize) -> Checked<Option<ObjectId>> {
    let entity: Entity = call.host.entity(argument);
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

/// Reports an update of an object that has no ragdoll, which engines answer with 0.
#[cfg(feature = "ragdoll")]
fn doll(call: &Call<'_, impl Host + ?Sized>, object: Option<ObjectId>) -> Option<ScriptProblem> {
    let updates = call.builtin.name == "skel_ragupdate" && call.host.string(1).trim_ascii().is_empty();
    let lacks = object.is_some_and(|id| call.runtime.ragdoll(id).is_none());
    (updates && lacks).then_some(ScriptProblem::NoDoll)
}

/// Reports nothing: there are no ragdolls.
#[cfg(not(feature = "ragdoll"))]
fn doll(_: &Call<'_, impl Host + ?Sized>, _: Option<ObjectId>) -> Option<ScriptProblem> {
    None
}
