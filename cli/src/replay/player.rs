//! Plays recorded builtin calls through the table and compares what they do.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use skelobj::Runtime;
use skelobj::math::{Axes, truncate};
use skelobj::qc::{Args, Builtin, Dialect, Field, Rules};

use super::compare::{Tolerance, axes_differ, bones_differ, info_differs, result_differs};
use super::host::{Argument, RecordedHost, Returned, vector};

/// An entry that came out otherwise than recorded.
#[derive(Clone, Debug)]
pub struct Failure {
    pub file: String,
    pub case: String,
    /// Which of the case's entries, from 0.
    pub entry: usize,
    pub call: String,
    pub wanted: String,
    pub got: String,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { file, case, entry, call, wanted, got } = self;
        write!(f, "{file}: {case} [{entry}]: {call}\n  wanted {wanted}\n  got    {got}")
    }
}

/// How many entries agreed, and those that did not.
#[derive(Clone, Default, Debug)]
pub struct Score {
    pub passed: usize,
    pub failures: Vec<Failure>,
}

/// Plays one file. `Err` if it is no recording.
///
/// Of files called `rag_*` only the results of calls count: their numbers are another physics engine's.
pub fn play(file: &Path, folders: &[PathBuf], dialect: Dialect) -> Result<Score, String> {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let text = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let recording: Value = serde_json::from_slice(&text).map_err(|error| format!("{}: {error}", file.display()))?;
    let cases = recording["cases"].as_array().ok_or_else(|| format!("{}: no cases in it", file.display()))?;
    let beside = file.parent().unwrap_or(Path::new("."));
    let folders: Vec<PathBuf> = if folders.is_empty() {
        ["models", "dolls", "../golden/models"].iter().map(|folder| beside.join(folder)).collect()
    } else {
        folders.to_vec()
    };
    let mut score = Score::default();
    for case in cases {
        let rules = if case["mode"] == "ssqc" { Rules::Server } else { Rules::Client };
        let mut player = Player {
            case: case["case"].as_str().unwrap_or_default(),
            results_only: name.starts_with("rag_"),
            host: RecordedHost::new(dialect, rules, folders.clone()),
            runtime: Runtime::default(),
            handles: HashMap::new(),
            entry: 0,
            file: &name,
            score: &mut score,
        };
        for (entry, op) in case["calls"].as_array().into_iter().flatten().enumerate() {
            player.entry = entry;
            player.play(op);
        }
    }
    Ok(score)
}

/// A case being played.
struct Player<'a> {
    file: &'a str,
    case: &'a str,
    entry: usize,
    results_only: bool,
    host: RecordedHost,
    runtime: Runtime,
    /// Our handles of recorded ones.
    handles: HashMap<i32, f32>,
    score: &'a mut Score,
}

impl Player<'_> {
    fn play(&mut self, op: &Value) {
        match op["op"].as_str().unwrap_or_default() {
            "call" if op.get("fatal").is_some() => {}
            "call" => self.call(op),
            "dump" if !self.results_only => self.dump(op),
            "setfield" => self.set_field(op),
            "setglobal" if op["name"] == "time" => self.host.time = number(&op["value"]),
            "cvar" if op["name"] == "r_meshpitch" => {
                let text = op["value"].as_str().map(|text| text.parse().unwrap_or(0.0));
                self.runtime.settings_mut().mesh_pitch = text.unwrap_or_else(|| number(&op["value"]));
            }
            "dodelete" => self.runtime.end_frame(),
            "physics" => {
                for _ in 0..op["steps"].as_u64().unwrap_or(0) {
                    self.runtime.step(number(&op["dt"]));
                }
            }
            _ => {}
        }
    }

    fn set_field(&mut self, op: &Value) {
        let name = op["field"].as_str().unwrap_or_default();
        let Some(field) = Field::ALL.iter().find(|field| field.name() == name) else { return };
        let mut value = self.argument(&op["value"]);
        if *field == Field::skeletonindex
            && let Argument::Float(handle) = &mut value
        {
            *handle = self.handle(*handle);
        }
        self.host.fields.insert((op["ent"].as_u64().unwrap_or(0), *field), value);
    }

    fn call(&mut self, op: &Value) {
        let name = op["builtin"].as_str().unwrap_or_default();
        let recorded = op["args"].as_array().cloned().unwrap_or_default();
        let shown = format!("{name}{}", Value::from(recorded.clone()));
        let Some(builtin) = Builtin::by_name(name.as_bytes()) else {
            return self.fail(shown, "a builtin of this name".to_owned(), "none".to_owned());
        };
        let mut arguments: Vec<Argument> = recorded.iter().map(|value| self.argument(value)).collect();
        for &position in handle_arguments(name) {
            if let Some(Argument::Float(handle)) = arguments.get_mut(position) {
                *handle = self.handle(*handle);
            }
        }
        self.host.arguments = arguments;
        self.host.returned = None;
        self.host.tag_info = None;
        if let Some(before) = op.get("before").and_then(axes) {
            self.host.axes = before;
        }
        builtin.call(&mut self.runtime, &mut self.host);

        let ruled = |key: &str| op.get("ruled").and_then(|ruled| ruled.get(key));
        let result = ruled("result").unwrap_or(&op["result"]);
        let after = ruled("after").unwrap_or(&op["after"]);
        let tolerance = self.tolerance(name);
        let mut difference = if is_handle(name) {
            self.label(result)
        } else {
            result_differs(result, self.host.returned.as_ref(), tolerance)
        };
        if !self.results_only {
            difference = difference
                .or_else(|| axes_differ(&axes(after)?, &self.host.axes, tolerance))
                .or_else(|| info_differs(after, self.host.tag_info.as_ref()?, tolerance));
        }
        self.settle(shown, difference);
    }

    /// Takes a returned handle as what the recorded one stands for from now on.
    fn label(&mut self, result: &Value) -> Option<(String, String)> {
        let Some(Returned::Float(got)) = self.host.returned else {
            return Some((result.to_string(), format!("{:?}", self.host.returned)));
        };
        let wanted = number(result);
        let created = self.host.argc() < 3 || self.host.float(0) == 0.0;
        let agree = match created {
            true => (wanted == 0.0) == (got == 0.0),
            false if wanted == 0.0 => got == 0.0,
            false => self.handles.get(&truncate(wanted)) == Some(&got),
        };
        if created && got != 0.0 {
            self.handles.insert(truncate(wanted), got);
        }
        (!agree).then(|| (result.to_string(), got.to_string()))
    }

    fn dump(&mut self, op: &Value) {
        let shown = format!("dump {}", op["skel"]);
        let handle = self.handle(number(&op["skel"]));
        let object = self.runtime.object_by_handle(handle as u32).and_then(|id| self.runtime.object(id));
        let Some(object) = object else {
            let wanted = op["type"].to_string();
            let difference = (wanted != "null" && wanted != "\"none\"").then(|| (wanted, "no object".to_owned()));
            return self.settle(shown, difference);
        };
        let wanted = op.get("ruled").unwrap_or(op);
        let tolerance = self.tolerance("dump");
        let difference = bones_differ(wanted, object, tolerance);
        self.settle(shown, difference);
    }

    fn settle(&mut self, call: String, difference: Option<(String, String)>) {
        match difference {
            None => self.score.passed += 1,
            Some((wanted, got)) => self.fail(call, wanted, got),
        }
    }

    fn fail(&mut self, call: String, wanted: String, got: String) {
        let (file, case) = (self.file.to_owned(), self.case.to_owned());
        self.score.failures.push(Failure { file, case, entry: self.entry, call, wanted, got });
    }

    fn tolerance(&self, name: &str) -> Tolerance {
        match self.host.dialect {
            Dialect::Fte if name == "dump" => Tolerance::Bits,
            Dialect::Fte => Tolerance::Within(2e-4),
            Dialect::DarkPlaces => {
                // DarkPlaces stores poses in 16 bits, this does not: a unit of theirs is lost.
                let units = self.runtime.models().map(|(_, model)| {
                    let origins = model.frames.iter().chain(model.skeleton.bind_relative()).map(|m| m.origin());
                    origins.map(|origin| origin.abs().max_element()).fold(0.0, f32::max) / 32767.0
                });
                Tolerance::Within(units.fold(2e-3, |largest, unit| largest.max(1.5 * unit)))
            }
        }
    }

    /// Our handle for a recorded one; one that stands for nothing stays a number that does.
    fn handle(&self, recorded: f32) -> f32 {
        let known = self.handles.get(&truncate(recorded)).copied();
        known.unwrap_or(if truncate(recorded) > 0 { 16_000_000.0 } else { recorded })
    }

    fn argument(&mut self, value: &Value) -> Argument {
        if let Some(entity) = value.get("entity") {
            Argument::Entity(entity.as_u64().unwrap_or(0))
        } else if let Some(model) = value.get("model").and_then(Value::as_str) {
            Argument::Float(self.host.model_index(&mut self.runtime, model))
        } else if let Some(vector) = vector(value) {
            Argument::Vector(vector)
        } else if let Some(text) = value.as_str() {
            Argument::Text(text.as_bytes().to_vec())
        } else {
            Argument::Float(number(value))
        }
    }
}

fn number(value: &Value) -> f32 {
    value.as_f64().unwrap_or(0.0) as f32
}

fn axes(value: &Value) -> Option<Axes> {
    let axis = |name: &str| vector(value.get(name)?);
    Some(Axes { forward: axis("v_forward")?, right: axis("v_right")?, up: axis("v_up")? })
}

/// Which arguments of a builtin are handles.
fn handle_arguments(name: &str) -> &'static [usize] {
    match name {
        "skel_copybones" => &[0, 1],
        "skel_ragupdate" => &[2],
        "skel_create" | "skel_set_bone_world" => &[],
        name if name.starts_with("skel_") => &[0],
        _ => &[],
    }
}

fn is_handle(name: &str) -> bool {
    matches!(name, "skel_create" | "skel_build")
}
