//! Models, dolls and animations that the arguments name.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use skelobj::doll::{Doll, Parsed};
use skelobj::{FileSource as _, Model, assets};

use crate::error::CliError;
use crate::files;
use crate::folder;
use crate::out::tell;

/// Model and its origin.
pub struct LoadedModel {
    /// Path of the file; `None` for the built-in mannequin.
    pub path: Option<PathBuf>,
    /// Name of the file without its folder.
    pub name: String,
    /// Model with everything that `--with` adds.
    pub model: Model,
}

/// Reads a model with its side files, or takes the mannequin, and joins the animations, skeletons and surfaces of the
/// files `with`. Prints the warnings of all files.
pub fn model(path: Option<&Path>, with: &[PathBuf]) -> Result<LoadedModel, CliError> {
    let mut loaded = load(path)?;
    let joined = with.iter().try_for_each(|path| join(&mut loaded.model, path));
    // After joining, because another file may have provided what was missing.
    warn(&loaded);
    joined.map(|()| loaded)
}

fn join(model: &mut Model, path: &Path) -> Result<(), CliError> {
    let other = load(Some(path))?;
    warn(&other);
    model.join(&other.model).map_err(|error| CliError::With(path.to_owned(), error.to_string()))?;
    Ok(())
}

fn load(path: Option<&Path>) -> Result<LoadedModel, CliError> {
    let (name, model) = match path {
        None => ("mannequin.iqm".to_owned(), Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)),
        Some(path) => {
            let bytes = files::read_named(path)?;
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            // The names of side files begin with that of the model, so the model is named without its folder.
            let folder = files::folder_of(path);
            let model = Model::load(&name, &bytes, |side| folder.read(side));
            (name, model)
        }
    };
    let model = model.map_err(|error| CliError::Model(path.map_or_else(|| PathBuf::from(&name), Into::into), error))?;
    Ok(LoadedModel { path: path.map(Into::into), name, model })
}

fn warn(loaded: &LoadedModel) {
    for warning in &loaded.model.warnings {
        tell(format_args!("{}: warning: {warning}\n", loaded.name));
    }
}

/// Reads the doll of a model: the named one, or the one beside the model (`ogre.iqm.doll`, then `ogre.doll`), or that
/// of the mannequin. Prints the problems of the doll; its valid lines apply.
pub fn doll(path: Option<&Path>, loaded: &LoadedModel) -> Result<Arc<Doll>, CliError> {
    let (name, text) = match (path, &loaded.path) {
        (Some(path), _) => (path.to_owned(), files::read_named(path)?),
        (None, None) => ("mannequin.doll".into(), assets::MANNEQUIN_DOLL.to_vec()),
        (None, Some(model)) => {
            let mut full = model.clone().into_os_string();
            full.push(".doll");
            let places = vec![PathBuf::from(full), model.with_extension("doll")];
            let found = places.iter().find_map(|place| Some((place.clone(), folder::read(place).ok()?)));
            found.ok_or(CliError::NoDoll(places))?
        }
    };
    let Parsed { doll, problems } = Doll::parse_for(&text, &loaded.model.skeleton);
    for problem in &problems {
        tell(problem.report(&name.to_string_lossy(), &text));
    }
    Ok(Arc::new(doll))
}

/// Returns the number of the animation that an argument gives by name or by number.
pub fn animation(argument: &str, model: &Model) -> Result<usize, CliError> {
    let by_number = || argument.parse().ok().filter(|&number: &usize| number < model.animations.len());
    model.find_animation(argument.as_bytes()).or_else(by_number).ok_or_else(|| {
        let known = model.animations.iter().map(|a| a.name.to_string()).collect();
        CliError::NoAnimation(argument.to_owned(), known)
    })
}

/// Parses a duration in seconds, 0 or more.
pub fn seconds(argument: &str) -> Result<f32, String> {
    let time = argument.trim().parse().ok().filter(|time: &f32| time.is_finite() && *time >= 0.0);
    time.ok_or_else(|| "expected seconds, 0 or more, such as 10".to_owned())
}

/// Parses a height in Quake units.
pub fn height(argument: &str) -> Result<f32, String> {
    let height = argument.trim().parse().ok().filter(|height: &f32| height.abs() <= 1e6);
    height.ok_or_else(|| "expected a height in Quake units such as 64".to_owned())
}

/// Parses a whole number that is not negative.
pub fn whole<T: FromStr>(argument: &str) -> Result<T, String> {
    argument.trim().parse().map_err(|_| "expected a whole number, 0 or more".to_owned())
}

/// Parses three numbers separated by commas.
pub fn triple(argument: &str) -> Result<[f32; 3], String> {
    let numbers: Vec<f32> = argument
        .split(',')
        .map(|word| word.trim().parse().ok().filter(|number: &f32| number.is_finite()))
        .collect::<Option<_>>()
        .ok_or("expected three numbers such as 0,90,0")?;
    numbers.try_into().map_err(|_| "expected three numbers such as 0,90,0".to_owned())
}
