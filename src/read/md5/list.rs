//! FTE's `EXTERNALANIM` lists: a mesh and animations, each in a file of its own.

use std::collections::HashMap;

use super::super::Input;
use super::super::cursor::File;
use super::super::join::add_animations;
use super::words::Words;
use super::{Md5, animation, mesh};
use crate::model::{Animation, AnimationSource, Fixup, Model, ModelError, ModelProblem, Name};

/// The first word of a list.
const MAGIC: &str = "EXTERNALANIM";

/// Name of a list in errors and warnings.
const SECTION: &str = "list";

/// Most files that a list may name.
const MAX_FILES: usize = 1024;

/// Poses a second of animations that are one frame each.
const FRAMES_RATE: f32 = 24.0;

/// Whether this is a list.
pub(crate) fn is_list(bytes: &[u8]) -> bool {
    Words::new(bytes).next() == Some(MAGIC.as_bytes())
}

/// Reads a list: `model FILE`, then lines of `group FILE` (an animation that loops), `clampgroup FILE` (one that does
/// not) and `frames FILE` (an animation for each frame).
///
/// The mesh's "base" is the first animation; the others have the names that the list gives their files. Files are named
/// from the game's root, as in FTE; those that are not there are looked for beside the list. An animation that is
/// missing or unusable is left out with a warning.
///
/// # Errors
/// Other words, a mesh that is missing, and whatever makes it unusable: those errors name places in the mesh's file.
/// More memory than the list and its files may take together.
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
    let model = file.beside(&bytes, |file| mesh::read(Md5::new(&bytes, file)))??;
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

/// Finds a file that a list names.
fn find(input: &mut Input, name: &[u8]) -> Option<Vec<u8>> {
    input.named(std::str::from_utf8(name).ok()?)
}

/// The parts that were read so far.
struct List<'a> {
    model: Model,
    /// Allowance and warnings of the whole list.
    file: File<'a>,
    /// The frames of each file by its name; `None` for one that cannot be used.
    runs: HashMap<&'a [u8], Option<Run>>,
}

/// The frames that a file brought.
#[derive(Clone, Copy)]
struct Run {
    first: u32,
    count: u32,
    rate: f32,
}

impl<'a> List<'a> {
    /// The frames of an animation file, which are added to the model the first time.
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
        let read = self.file.beside(bytes, |file| animation::read(Md5::new(bytes, file)));
        // Told by its place in the list, as it takes all files to exceed the limit.
        let read = read.map_err(|error| ModelError::new(SECTION, at, error.problem))?;
        let Ok(other) = read else { return Ok(None) };
        // Set apart: a bind pose that is alone would make room for what is added.
        let own = std::mem::take(&mut self.model.animations);
        let fit = add_animations(&mut self.file, SECTION, at, &mut self.model, &other)?;
        let added = std::mem::replace(&mut self.model.animations, own);
        for warning in other.warnings {
            warning.add_to(&mut self.file.warnings, input.limits.warnings);
        }
        let Some(fit) = fit else { return Ok(None) };
        if !fit.is_complete() {
            let what = "an animation of other bones (those with the same names are driven)";
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
