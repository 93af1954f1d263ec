//! Replay of recorded builtin calls through the table, with comparison of the results.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use skelobj::Dialect;
use skelobj::Runtime;
use skelobj::math::{Axes, truncate};
use skelobj::model::{FrameState, Name};
use skelobj::qc::{Args, Builtin, Entity, Field, Host, Rules};
use skelobj::runtime::ObjectId;

use super::compare::{Tolerance, axes_differ, bones_differ, info_differs, result_differs};
use super::folder::{self, Folder};
use super::host::{Argument, RecordedHost, Returned, read_file, vector};

/// Entry whose result differs from the recorded one.
#[derive(Clone, Debug)]
pub struct Failure {
    pub file: String,
    pub case: String,
    /// Number of the entry in the case, from 0.
    pub entry: usize,
    pub call: String,
    pub wanted: String,
    pub got: String,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The texts of a recording stay on their lines.
        let texts = [&self.file, &self.case, &self.call, &self.wanted, &self.got];
        let [file, case, call, wanted, got] = texts.map(|text| Name::from(text.as_str()));
        let entry = self.entry;
        write!(f, "{file}: {case} [{entry}]: {call}\n  wanted {wanted}\n  got    {got}")
    }
}

/// Number of equal entries, and the differing ones.
#[derive(Clone, Default, Debug)]
pub struct Score {
    pub passed: usize,
    /// Number of skipped entries: those that depend on missing behaviour of DarkPlaces.
    pub left_out: usize,
    pub failures: Vec<Failure>,
}

/// Replays one file by the rules of `dialect`, or of the engine that the file names.
///
/// In files named `rag_*` only the results of calls are compared, because the positions of bodies depend on the physics
/// engine.
///
/// # Errors
/// A message if the file is not a recording.
pub fn play(file: &Path, folders: &[PathBuf], dialect: Option<Dialect>) -> Result<Score, String> {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let path = file.display();
    let text = folder::read(file).map_err(|error| format!("cannot read {path}: {error}"))?;
    let recording: Value =
        serde_json::from_slice(&text).map_err(|error| format!("{path}: not a recording in JSON: {error}"))?;
    let cases = recording["cases"].as_array().ok_or_else(|| format!("{path}: not a recording: no list `cases`"))?;
    let by_darkplaces = recording["engine"].as_str().is_some_and(|engine| engine.starts_with("darkplaces"));
    let dialect = dialect.unwrap_or(if by_darkplaces { Dialect::DarkPlaces } else { Dialect::Fte });
    let beside = file.parent().unwrap_or(Path::new(""));
    let folders: Vec<Folder> = if folders.is_empty() {
        let (beside, above) = (Folder::new(beside), Folder::new(beside.join("..")));
        vec![beside.subfolder("models"), beside.subfolder("dolls"), above.subfolder("golden/models")]
    } else {
        folders.iter().map(Folder::new).collect()
    };
    let mut score = Score::default();
    for case in cases {
        let rules = if case["mode"] == "ssqc" { Rules::Server } else { Rules::Client };
        let mut runtime = Runtime::default();
        let files = folders.clone();
        runtime.set_files(move |name: &str| read_file(&files, name));
        let mut player = Player {
            case: case["case"].as_str().unwrap_or_default(),
            results_only: name.starts_with("rag_"),
            host: RecordedHost::new(dialect, rules, folders.clone()),
            runtime,
            handles: HashMap::new(),
            deleted: Vec::new(),
            overflows: case["model"].as_str().is_some_and(|model| model.contains("trioverflow")),
            weighted: case["calls"].as_array().is_some_and(|ops| ops.iter().any(|op| op.get("w").is_some())),
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

/// Case being replayed.
struct Player<'a> {
    file: &'a str,
    case: &'a str,
    entry: usize,
    results_only: bool,
    host: RecordedHost,
    runtime: Runtime,
    /// Handles of this run by recorded handle.
    handles: HashMap<i32, f32>,
    /// Recorded handles that were deleted.
    deleted: Vec<i32>,
    /// `true` if weights that do not sum to 1 affect the case.
    weighted: bool,
    /// `true` if the model of the case overflows the poses of DarkPlaces.
    overflows: bool,
    score: &'a mut Score,
}

impl Player<'_> {
    fn play(&mut self, op: &Value) {
        match op["op"].as_str().unwrap_or_default() {
            "call" | "dump" if self.is_foreign(op) => {
                if op.get("fatal").is_none() {
                    self.act(op);
                }
                self.score.left_out += 1;
            }
            "call" => self.call(op),
            "dump" if !self.results_only => self.dump(op),
            "setfield" => self.set_field(op),
            "setglobal" if op["name"] == "time" => self.host.time = number(&op["value"]),
            "cvar" if op["name"] == "r_meshpitch" => {
                let text = op["value"].as_str().map(|text| text.parse().unwrap_or(0.0));
                let mut settings = self.runtime.settings();
                settings.mesh_pitch = text.unwrap_or_else(|| number(&op["value"]));
                // No engine was recorded with settings that a runtime refuses.
                let _ = self.runtime.set_settings(settings);
            }
            "dodelete" => self.runtime.flush_deleted(),
            "physics" => {
                for _ in 0..op["steps"].as_u64().unwrap_or(0) {
                    // No engine was recorded with a time that a runtime refuses.
                    let _ = self.runtime.step(number(&op["dt"]));
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

    /// Makes the recorded call. Returns `None` for an unknown builtin.
    fn act(&mut self, op: &Value) -> Option<()> {
        let name = op["builtin"].as_str()?;
        let builtin = Builtin::by_name(name.as_bytes());
        if builtin.is_none() && name != "makevectors" {
            return None;
        }
        let mut arguments: Vec<Argument> =
            op["args"].as_array().into_iter().flatten().map(|value| self.argument(value)).collect();
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
        match builtin {
            Some(builtin) => builtin.call(&mut self.runtime, &mut self.host),
            // The builtin of the engine.
            None => self.host.make_vectors(),
        }
        Some(())
    }

    fn call(&mut self, op: &Value) {
        let name = op["builtin"].as_str().unwrap_or_default();
        let shown = format!("{name}{}", op["args"]);
        if self.act(op).is_none() {
            return self.fail(shown, "a builtin of this name".to_owned(), "none".to_owned());
        }
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

    /// Returns `true` if an entry depends on behaviour that `Dialect::DarkPlaces` does not reproduce: crashes,
    /// surfaces, 16-bit overflow, weights that do not sum to 1 in a fourth row, immediate deletion, and gettaginfo's
    /// blending between poses.
    fn is_foreign(&mut self, op: &Value) -> bool {
        let name = op["builtin"].as_str().unwrap_or("dump");
        if self.host.dialect == Dialect::Fte {
            return false;
        }
        let handle = |position: usize| truncate(number(op.get("skel").unwrap_or(&op["args"][position])));
        let deleted = name != "skel_delete" && self.deleted.contains(&handle(0)) && name.starts_with(['s', 'd']);
        let by_weight = self.weighted && matches!(name, "dump" | "skel_get_boneabs" | "gettaginfo");
        if name == "skel_delete" {
            self.deleted.push(handle(0));
        }
        op.get("fatal").is_some()
            || name.starts_with("getsurface")
            || self.overflows
            || deleted
            || by_weight
            || (name == "gettaginfo" && self.is_between_poses(op["args"][0]["entity"].as_u64().unwrap_or(0)))
    }

    /// Returns `true` if the frame fields of an entity, or of one that it is attached to, pose it between two poses.
    fn is_between_poses(&mut self, entity: u64) -> bool {
        let mut at = Some(Entity(entity));
        for _ in 0..=10 {
            let Some(entity) = at else { break };
            let index = truncate(self.host.float_field(entity, Field::modelindex));
            let model = self.host.model(&mut self.runtime, index).id().and_then(|id| self.runtime.model(id));
            let recorded = self.host.float_field(entity, Field::skeletonindex);
            let object = ObjectId::new(recorded as u32).and_then(|id| self.runtime.object(id));
            let dead = self.handles.iter().any(|(label, ours)| *ours == recorded && self.deleted.contains(label));
            let bones = model.map(|model| model.skeleton.len());
            if (object.map(|object| object.bone_count()) != bones || dead)
                && let Some(model) = model
            {
                let state = FrameState::client(&self.host.frame_fields(entity));
                let active = || state.blends().iter().filter(|blend| blend.weight > 0.0);
                let between = active().any(|blend| {
                    let number = usize::try_from(blend.animation).unwrap_or(0);
                    let animation = model.animations.get(number).or(model.animations.first());
                    let time = f64::from(self.host.time) - blend.time;
                    animation.is_some_and(|animation| animation.poses_at(time).2 > 1e-4)
                });
                if between || active().count() > 1 || active().any(|blend| blend.weight != 1.0) || dead {
                    return true;
                }
            }
            at = self.host.entity_field(entity, Field::tag_entity);
        }
        false
    }

    /// Maps the recorded handle to the returned one from now on.
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
        let object = ObjectId::new(handle as u32).and_then(|id| self.runtime.object(id));
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
            Dialect::DarkPlaces => {
                // DarkPlaces stores poses in 16 bits, which loses a unit of the last place.
                let units = self.runtime.models().map(|(_, model)| {
                    let origins = model.frames.iter().chain(model.skeleton.bind_local()).map(|m| m.origin());
                    origins.map(|origin| origin.abs().max_element()).fold(0.0, f32::max) / 32767.0
                });
                Tolerance::Within(units.fold(2e-3, |largest, unit| largest.max(1.5 * unit)))
            }
            _ if name == "dump" => Tolerance::Bits,
            _ => Tolerance::Within(2e-4),
        }
    }

    /// Returns the handle of this run for a recorded one; an unknown one stays a number without an object.
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

/// Returns the indexes of the arguments of a builtin that are handles.
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
