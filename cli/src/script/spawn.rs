//! Entities of a map.

use std::collections::BTreeSet;
use std::path::Path;

use skelobj::Runtime;
use skelobj::model::Name;
use skelobj::physics::{Entity, Level, LevelOptions};
use skelobj::qc::vm::stdlib::Cvars;
use skelobj::qc::vm::{Fault, Field, FunctionId, Machine, Type};

use super::game::{Game, WORLD};
use crate::error::CliError;
use crate::level;

/// Bits of `spawnflags` of entities that do not exist on the skills easy, normal and hard, and in deathmatch.
const NOT_ON_SKILL: [u32; 3] = [256, 512, 1024];
const NOT_IN_DEATHMATCH: u32 = 2048;

/// Reads a map. Returns its name, without folder and extension, and its contents.
pub fn load(path: &Path) -> Result<(String, Level), CliError> {
    let (level, _) = level::load(path)?;
    Ok((path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), level))
}

/// Adds the solid parts of a map to a world.
pub fn add(level: &Level, path: &Path, runtime: &mut Runtime) -> Result<(), CliError> {
    let unusable = |error: skelobj::physics::LevelError| CliError::Map(path.to_owned(), error.to_string());
    runtime.physics_mut().add_level(level, LevelOptions::default()).map(drop).map_err(unusable)
}

/// Returns the text of entities, as maps hold it.
pub fn text_of(entities: &[Entity]) -> Vec<u8> {
    let mut text = Vec::new();
    for entity in entities {
        text.extend(b"{\n");
        for (key, value) in &entity.pairs {
            text.extend([&b"\""[..], key.as_bytes(), b"\" \"", value.as_bytes(), b"\"\n"].concat());
        }
        text.extend(b"}\n");
    }
    text
}

/// Runs the spawn functions of the world and of a map's entities, in the map's order.
pub fn spawn(game: &mut Game, level: Option<&(String, Level)>) -> Result<(), CliError> {
    let classname = game.machine.progs().field(b"classname");
    let Some((name, level)) = level else {
        if let Some(field) = classname {
            set(&mut game.machine, WORLD, field, b"worldspawn").map_err(CliError::Fault)?;
        }
        return game.call_found(spawn_function(&game.machine, b"worldspawn"), WORLD, &[]);
    };
    let [before, without] = ["SV_OnEntityPreSpawnFunction", "SV_OnEntityNoSpawnFunction"]
        .map(|name| game.machine.find_function(name.as_bytes()));
    let whole_text = game.machine.progs().field(b"__fullspawndata");
    let mut unknown = BTreeSet::new();
    let absent = absent(&game.environment.cvars);
    for (number, entity) in level.entities.iter().enumerate() {
        let flags = entity.get("spawnflags").map_or(0.0, |flags| number_of(flags.as_bytes()));
        if number > 0 && flags as u32 & absent != 0 {
            continue;
        }
        let edict = if number == 0 { WORLD } else { game.machine.spawn_entity().map_err(CliError::Fault)? };
        set_fields(&mut game.machine, edict, entity).map_err(CliError::Fault)?;
        if number == 0
            && let Some(field) = game.machine.progs().field(b"model")
        {
            set(&mut game.machine, WORLD, field, format!("maps/{name}.bsp").as_bytes()).map_err(CliError::Fault)?;
        }
        if let Some(field) = whole_text {
            // Line ends in values stay as the map has them.
            let text = text_of(std::slice::from_ref(entity));
            let handle = game.machine.permanent_string(&text).map_err(CliError::Fault)?;
            game.machine.set_field(edict, field, handle).map_err(CliError::Fault)?;
        }
        game.call_found(before, edict, &[])?;
        if !game.machine.is_entity_alive(edict) {
            continue;
        }
        let class = entity.get("classname").map(Name::as_bytes).unwrap_or_default();
        match spawn_function(&game.machine, class).or(without) {
            Some(function) => game.call(function, edict, &[])?,
            None => {
                unknown.insert(String::from_utf8_lossy(class).into_owned());
                // The world stays.
                let _ = game.machine.remove_entity(edict);
            }
        }
    }
    if !unknown.is_empty() {
        let classes: Vec<String> = unknown.into_iter().collect();
        let output = &game.output;
        output
            .tell_line(format_args!("skelobj: no spawn function for {}; the entities are removed", classes.join(", ")));
    }
    Ok(())
}

/// Returns the bits of `spawnflags` of entities that do not exist under the variables `skill` and `deathmatch`.
fn absent(cvars: &Cvars) -> u32 {
    if cvars.float(b"deathmatch") != 0.0 {
        return NOT_IN_DEATHMATCH;
    }
    let skill = cvars.float(b"skill").round().clamp(0.0, 2.0);
    NOT_ON_SKILL.get(skill as usize).copied().unwrap_or(0)
}

/// Returns the function that spawns entities of a class.
fn spawn_function(machine: &Machine, class: &[u8]) -> Option<FunctionId> {
    let prefixed = [b"spawnfunc_", class].concat();
    // DarkPlaces' dialect: a class never means a function of another purpose.
    let is_strict = machine.progs().global(b"require_spawnfunc_prefix").is_some();
    machine.find_function(&prefixed).or_else(|| machine.find_function(class).filter(|_| !is_strict))
}

/// Sets the fields of an entity to those of the map. Keys without a field are ignored.
fn set_fields(machine: &mut Machine, edict: u32, entity: &Entity) -> Result<(), Fault> {
    for (key, value) in &entity.pairs {
        let (key, value) = match (key.as_bytes(), value.as_bytes()) {
            (b"angle", yaw) => (&b"angles"[..], [b"0 ", yaw, b" 0"].concat()),
            (key, value) => (key, value.to_vec()),
        };
        if let Some(field) = machine.progs().field(key) {
            set(machine, edict, field, &value)?;
        }
    }
    Ok(())
}

/// Sets a field to a value in text.
fn set(machine: &mut Machine, edict: u32, field: Field, text: &[u8]) -> Result<(), Fault> {
    match field.kind {
        Type::String => {
            let handle = machine.permanent_string(&unescaped(text))?;
            machine.set_field(edict, field, handle)
        }
        Type::Float => machine.set_field_float(edict, field, number_of(text)),
        Type::Vector => {
            let text = String::from_utf8_lossy(text);
            let mut words = text.split_whitespace().map(|word| number_of(word.as_bytes()));
            machine.set_field_vector(edict, field, [(); 3].map(|()| words.next().unwrap_or(0.0)))
        }
        Type::Function => {
            let function = machine.find_function(text).map_or(0, |function| function.0);
            machine.set_field(edict, field, function)
        }
        _ => Ok(()),
    }
}

/// Returns the finite number in a text, 0 if there is none.
fn number_of(text: &[u8]) -> f32 {
    let text = String::from_utf8_lossy(text);
    text.trim().parse().ok().filter(|number: &f32| number.is_finite()).unwrap_or(0.0)
}

/// Returns a text with `\n` as the end of a line.
fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(text.len());
    let mut bytes = text.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        if byte == b'\\' && bytes.next_if_eq(&b'n').is_some() {
            plain.push(b'\n');
        } else {
            plain.push(byte);
        }
    }
    plain
}
