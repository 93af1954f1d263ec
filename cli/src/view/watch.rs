//! Scene whose files are watched, and the doll that is written back.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use std::{fs, io};

use serde_json::{Value, json};
use skelobj::doll;

use super::scene::{self, Paths, Scene, SceneFile};
use crate::error::CliError;
use crate::files::Origin;
use crate::stamp::{PERIOD, Stamp};

/// Scene whose files may change while it is shown.
pub struct Watched {
    paths: Paths,
    /// Held while files are read or written, so that a look never undoes a write.
    disk: Mutex<()>,
    state: Mutex<State>,
    changed: Condvar,
}

/// Scene as last read. Revisions count the changes of its files.
struct State {
    scene: Scene,
    /// Revision of the last change.
    revision: u64,
    /// Revision of the last change of the model or its side files.
    model: u64,
    /// Revision of the last change of the doll.
    doll: u64,
    /// Revision of the last change of the map or its palette.
    level: u64,
    /// Reason for which the files on disk are not those of the scene, with the name of the file at fault.
    problem: Option<String>,
}

impl State {
    fn replace(&mut self, scene: Scene) {
        let old = &self.scene;
        let model = scene.model != old.model || scene.side != old.side;
        let level = scene.level != old.level || scene.palette != old.palette;
        let doll = scene.doll != old.doll;
        let mended = self.problem.take().is_some();
        if !(model || doll || level || mended) {
            return;
        }
        self.revision += 1;
        for (is_changed, revision) in [(model, &mut self.model), (doll, &mut self.doll), (level, &mut self.level)] {
            if is_changed {
                *revision = self.revision;
            }
        }
        self.scene = scene;
    }

    /// Keeps the scene, and notes why the files on disk are not shown.
    fn fail(&mut self, problem: String) {
        if self.problem.as_ref() != Some(&problem) {
            self.problem = Some(problem);
            self.revision += 1;
        }
    }
}

/// Reason for which a doll is not written.
pub enum Refusal {
    /// File that changed after the stated revision.
    Changed,
    /// Scene without a doll that may be written, with the reason.
    NotWritable(&'static str),
    /// Error of the system.
    Failed(CliError),
}

impl Watched {
    /// Reads the scene.
    ///
    /// # Errors
    /// The errors are those of [`Scene::read`].
    pub fn read(paths: Paths) -> Result<Self, CliError> {
        let scene = Scene::read(&paths)?;
        let state = State { scene, revision: 1, model: 1, doll: 1, level: 1, problem: None };
        Ok(Self { paths, disk: Mutex::new(()), state: Mutex::new(state), changed: Condvar::new() })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn disk(&self) -> MutexGuard<'_, ()> {
        self.disk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks for changes of the files, without end.
    pub fn watch(&self) {
        let mut known = self.stamps();
        loop {
            thread::sleep(PERIOD);
            let found = self.stamps();
            if found != known || found.iter().any(Stamp::is_fresh) {
                let _disk = self.disk();
                // Where a file is missing or damaged, the scene stays as it is until a file changes again.
                match Scene::read(&self.paths) {
                    Ok(scene) => self.replace(scene),
                    Err(error) => {
                        self.state().fail(error.to_string());
                        self.changed.notify_all();
                    }
                }
                known = found;
            }
        }
    }

    fn replace(&self, scene: Scene) {
        self.state().replace(scene);
        self.changed.notify_all();
    }

    fn stamps(&self) -> Vec<Stamp> {
        let watched = scene::watched(&self.paths, &self.state().scene);
        watched.iter().map(|path| Stamp::of(path)).collect()
    }

    /// Returns the scene as last read, and its revision.
    pub fn scene(&self) -> (Scene, u64) {
        let state = self.state();
        (state.scene.clone(), state.revision)
    }

    /// Returns what the page is told about the scene.
    pub fn describe(&self) -> Value {
        let state = self.state();
        let name = |file: &Option<SceneFile>| file.as_ref().map(|file| file.name.clone());
        let scene = &state.scene;
        json!({
            "model": name(&scene.model),
            "side": scene.side.iter().map(|side| side.name.clone()).collect::<Vec<String>>(),
            "doll": name(&scene.doll),
            "level": name(&scene.level),
            "palette": scene.palette.is_some(),
            "scale": scene.scale,
            "fade": scene.fade,
            "problem": state.problem,
            "revision": state.revision,
            "revisions": { "model": state.model, "doll": state.doll, "level": state.level },
        })
    }

    /// Waits until the scene has another revision than the stated one, or until the time is over.
    pub fn wait(&self, revision: u64, time: Duration) {
        let end = Instant::now() + time;
        let mut state = self.state();
        while state.revision == revision {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Writes the doll, and returns the new revision.
    ///
    /// # Errors
    /// [`Refusal::Changed`] if the file has changed since `revision`; [`Refusal::NotWritable`] if it may not be
    /// written, or if its encoding lacks a character of the text. Nothing is written on an error.
    pub fn save(&self, text: &str, revision: u64) -> Result<u64, Refusal> {
        let _disk = self.disk();
        let (mut scene, origin, known) = {
            let state = self.state();
            let origin = self.writable_doll(&state).map_err(Refusal::NotWritable)?.clone();
            (state.scene.clone(), origin, state.doll..=state.revision)
        };
        let now = match origin.read() {
            Ok(now) => Some(now),
            // A deleted file has no change that could be lost.
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(Refusal::Failed(CliError::Read(origin.path(), error))),
        };
        let Some(doll) = scene.doll.as_mut() else { return Err(Refusal::Changed) };
        if let Some(now) = now.filter(|now| *doll.bytes != **now) {
            doll.bytes = now.into();
            self.replace(scene);
            return Err(Refusal::Changed);
        }
        if !known.contains(&revision) {
            return Err(Refusal::Changed);
        }
        let bytes = doll::encode_like(text, &doll.bytes);
        let bytes = bytes
            .ok_or(Refusal::NotWritable("the encoding of the file lacks a character of the text; UTF-8 has all"))?;
        origin.replace(&bytes).map_err(Refusal::Failed)?;
        doll.bytes = bytes.into();
        self.replace(scene);
        Ok(self.state().revision)
    }

    /// Returns the doll, if the page may write it, or else the reason why not.
    fn writable_doll(&self, state: &State) -> Result<&Origin, &'static str> {
        let doll = self.paths.doll.as_ref().zip(state.scene.doll.as_ref());
        let (origin, doll) = doll.ok_or("the command was given no doll")?;
        if doll::encode_like(&doll::decode(&doll.bytes), &doll.bytes).is_none_or(|bytes| *bytes != *doll.bytes) {
            // The page would replace what it cannot show.
            return Err("the file has bytes that are not text in its encoding");
        }
        if let Origin::Found(found) = origin
            && found.is_there().is_err()
        {
            return Err("the file is no longer inside the model's folder");
        }
        match fs::metadata(origin.path()) {
            Ok(file) if file.permissions().readonly() => Err("the file is read-only"),
            _ => Ok(origin),
        }
    }
}
