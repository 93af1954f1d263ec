//! FTE's `EXTERNALANIM` lists: a mesh and animations in separate files.

use std::collections::HashMap;

use super::super::Input;
use super::super::add_animations;
use super::super::cursor::File;
use super::words::Words;
use super::{Md5, md5anim, md5mesh};
use crate::model::{Animation, AnimationSource, Fixup, Model, ModelError, ModelProblem, Name};

/// First word of a list.
const MAGIC: &str = "EXTERNALANIM";

/// Name of a list in errors and warnings.
const SECTION: &str = "list";

/// Maximum number of files in a list.
const MAX_FILES: usize = 1024;

/// Rate of animations of one frame each, poses per second.
const FRAMES_RATE: f32 = 24.0;

/// Returns `true` if the bytes are a list.
pub(crate) fn is_list(bytes: &[u8]) -> bool {
    Words::new(bytes).next() == Some(MAGIC.as_bytes())
}

/// Reads a list: `model FILE`, then lines of `group FILE` (an animation that loops), `clampgroup FILE` (one that does
/// not loop) and `frames FILE` (an animation for each frame).
///
/// The first animation is "base" of the mesh; the others have the file names of the list. Paths are relative to the
/// game's root, as in FTE; a file that is not there is searched beside the list. A missing or unusable animation is
/// dropped with a warning.
///
/// # Errors
/// Other words; a missing or unusable mesh, whose error refers to positions in the mesh file; more memory than the list
/// and its files may take together.
pub(crate) fn read_list(input: &mut Input) -> Result<Model, ModelError> {
    let mut words = Words::new(input.bytes);
    words.section = SECTION;
    words.require(MAGIC)?;
    words.require("model")?;
    let at = words.offset();
    let name = words.word("the name of a mesh")?;
    let Some(bytes) = find(input, name) else {
        return Err(ModelError::new(SECTION, at, ModelProblem::SideFile { name: Name::new(name) }));
    };
    let mut file = File::new(input.bytes, input.limits);
    file.admit(bytes.len());
    let model = file.beside(&bytes, |file| md5mesh::read(Md5::new(&bytes, file)))??;
    let mut list = List { model, file, runs: HashMap::new() };
    loop {
        let mut ahead = words.clone();
        let Some(word) = ahead.next() else { break };
        let (looping, one_by_one) = match word {
            b"group" => (true, false),
            b"clampgroup" => (false, false),
            b"frames" => (false, true),
            _ => return Err(words.unexpected("group, clampgroup or frames")),
        };
        words = ahead;
        let at = words.offset();
        let name = words.word("the name of an animation")?;
        let Some(run) = list.run(input, at, name)? else { continue };
        list.add(at, name, run, looping, one_by_one)?;
    }
    for warning in list.file.warnings {
        warning.add_to(&mut list.model.warnings, input.limits.warnings);
    }
    Ok(list.model)
}

/// Finds a file of the list.
fn find(input: &mut Input, name: &[u8]) -> Option<Vec<u8>> {
    input.named(std::str::from_utf8(name).ok()?)
}

/// Parts that were read so far.
struct List<'a> {
    model: Model,
    /// Memory budget and warnings of the whole list.
    file: File<'a>,
    /// Frames of each file by its name; `None` for an unusable file.
    runs: HashMap<&'a [u8], Option<Run>>,
}

/// Frames of a file.
#[derive(Clone, Copy)]
struct Run {
    first: u32,
    count: u32,
    rate: f32,
}

impl<'a> List<'a> {
    /// Returns the frames of an animation file, which are added to the model the first time.
    fn run(&mut self, input: &mut Input, at: usize, name: &'a [u8]) -> Result<Option<Run>, ModelError> {
        if let Some(run) = self.runs.get(name) {
            return Ok(*run);
        }
        if self.runs.len() >= MAX_FILES {
            self.file.warn(SECTION, at, Fixup::Dropped("a file beyond the 1,024th"));
            return Ok(None);
        }
        let run = match find(input, name) {
            Some(bytes) => self.load(input, at, &bytes)?,
            None => None,
        };
        if run.is_none() {
            self.file.warn(SECTION, at, Fixup::SideFile(Name::new(name)));
        }
        self.runs.insert(name, run);
        Ok(run)
    }

    fn load(&mut self, input: &Input, at: usize, bytes: &[u8]) -> Result<Option<Run>, ModelError> {
        self.file.admit(bytes.len());
        let read = self.file.beside(bytes, |file| md5anim::read(Md5::new(bytes, file)));
        // Reported at a position in the list, because all files together exceed the limit.
        let read = read.map_err(|error| ModelError::new(SECTION, at, error.problem))?;
        let Ok(other) = read else { return Ok(None) };
        // Set aside, because a lone bind pose would be replaced by what is added.
        let own = std::mem::take(&mut self.model.animations);
        let fit = add_animations(&mut self.file, SECTION, at, &mut self.model, &other)?;
        let added = std::mem::replace(&mut self.model.animations, own);
        for warning in other.warnings {
            warning.add_to(&mut self.file.warnings, input.limits.warnings);
        }
        let Some(fit) = fit else { return Ok(None) };
        if !fit.is_complete() {
            let what = "an animation of other bones (bones with the same names follow it)";
            self.file.warn(SECTION, at, Fixup::Tolerated(what));
        }
        Ok(added.into_iter().find_map(|animation| match animation.source {
            AnimationSource::Frames { first, count } => Some(Run { first, count, rate: animation.rate }),
            _ => None,
        }))
    }

    fn add(&mut self, at: usize, name: &[u8], run: Run, looping: bool, one_by_one: bool) -> Result<(), ModelError> {
        let (times, count, rate) = if one_by_one { (run.count, 1, FRAMES_RATE) } else { (1, run.count, run.rate) };
        let name = self.file.name(SECTION, at, name)?;
        self.file.charge(SECTION, at, u64::from(times) * size_of::<Animation>() as u64)?;
        let starts = (run.first..).step_by(count as usize).take(times as usize);
        self.model.animations.extend(starts.map(|first| Animation::frames(name.clone(), first, count, rate, looping)));
        Ok(())
    }
}
