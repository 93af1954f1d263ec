//! Models, dolls and animations that the arguments name.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use skelobj::Dialect;
use skelobj::doll::{Doll, Parsed, decode};
use skelobj::model::ModelProblem;
use skelobj::ragdoll::DollCheck;
use skelobj::{DropTest, Format, Model, assets};

use crate::error::CliError;
use crate::files::{self, Contents, Origin};
use crate::folder::{self, Found};
use crate::level;
use crate::out::{tell, tell_line};
use crate::player;

/// Model and its origin.
pub struct LoadedModel {
    /// Path of the file; `None` for the built-in mannequin.
    pub path: Option<PathBuf>,
    /// Name of the file without its folder.
    pub name: String,
    /// Model with everything that `--with` adds.
    pub model: Model,
}

/// Files of a model.
pub struct ModelFiles {
    pub own: Contents,
    /// Files beside the model that it names.
    pub beside: Vec<Contents>,
}

/// Files that are joined to the model.
#[derive(clap::Args)]
pub struct WithArg {
    /// File with further animations, or with the skeleton or the surfaces that MODEL lacks; may be repeated
    ///
    /// For a Quake III player, MODEL is lower.md3; name upper.md3 and head.md3 with this option.
    #[arg(id = "with", long, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// Size of the model.
#[derive(clap::Args, Clone, Copy, Default)]
pub struct ScaleArg {
    /// Multiply all lengths of the model: by about 32 if it is in metres, by 0.32 if it is in centimetres
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = scale)]
    pub scale: Option<f32>,
}

impl ScaleArg {
    fn apply(self, loaded: LoadedModel) -> Result<LoadedModel, CliError> {
        let Some(factor) = self.scale else { return Ok(loaded) };
        let model = loaded.model.scaled(factor);
        let model = model.map_err(|error| CliError::Scale(loaded.name.clone(), error))?;
        Ok(LoadedModel { model, ..loaded })
    }
}

/// Option of a death that fades.
#[derive(clap::Args, Clone, Copy)]
pub struct FadeArg {
    /// Time in seconds, 0 to 600, over which the bodies become limp while the animation plays on, from its beginning
    /// [default: at once, after 0.4 seconds of the animation]
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = seconds)]
    pub fade: Option<f32>,
}

/// Parses the factor of a model's size.
fn scale(argument: &str) -> Result<f32, String> {
    within(argument, 1e-3..=1e3).ok_or_else(|| "expected a factor from 0.001 to 1000, such as 32".to_owned())
}

/// Parses a number in a range.
pub fn within(argument: &str, range: RangeInclusive<f32>) -> Option<f32> {
    argument.trim().parse().ok().filter(|number| range.contains(number))
}

/// Reads a model with its side files, or takes the mannequin, and returns the files, too. Prints the warnings.
pub fn model_with_files(path: Option<&Path>) -> Result<(LoadedModel, ModelFiles), CliError> {
    let (loaded, files) = load(named(path).as_ref())?;
    warn(&loaded);
    Ok((loaded, files))
}

/// Reads a model with its side files, or takes the mannequin, and joins the animations, skeletons and surfaces of the
/// files `with`, or the parts of a Quake III player. Prints the warnings of all files.
pub fn model(path: Option<&Path>, with: &[PathBuf], scale: ScaleArg) -> Result<LoadedModel, CliError> {
    model_of(named(path).as_ref(), with, scale)
}

/// Does what [`model`] does for a model of any origin.
pub fn model_of(origin: Option<&Origin>, with: &[PathBuf], scale: ScaleArg) -> Result<LoadedModel, CliError> {
    let path = origin.map(Origin::path);
    let parts = path.as_deref().map(|path| player::parts(path, with)).transpose()?.flatten();
    if let (Some(path), None) = (&path, &parts) {
        player::tell_others(path);
    }
    let (mut loaded, joins) = match (parts, origin) {
        (Some(parts), Some(origin)) => (parts.load(origin)?, parts.others),
        _ => (load(origin)?.0, with.iter().map(PathBuf::as_path).collect()),
    };
    let joined = joins.iter().try_for_each(|path| join(&mut loaded.model, path));
    // After joining, because another file may have provided what was missing.
    warn(&loaded);
    joined?;
    scale.apply(loaded)
}

fn join(model: &mut Model, path: &Path) -> Result<(), CliError> {
    let (other, _) = load(named(Some(path)).as_ref())?;
    warn(&other);
    model.join(&other.model).map_err(|error| CliError::With(path.to_owned(), error.to_string()))?;
    Ok(())
}

fn named(path: Option<&Path>) -> Option<Origin> {
    path.map(|path| Origin::Named(path.to_owned()))
}

fn load(origin: Option<&Origin>) -> Result<(LoadedModel, ModelFiles), CliError> {
    let (model, files) = match origin {
        None => {
            let own = Contents { name: "mannequin.iqm".to_owned(), bytes: assets::MANNEQUIN_IQM.to_vec() };
            let model = Model::load(&own.name, &own.bytes, |_| None);
            let model = model.map_err(|error| CliError::Model(PathBuf::from(&own.name), error))?;
            (model, ModelFiles { own, beside: Vec::new() })
        }
        Some(origin) => {
            let path = origin.path();
            let bytes = origin.read().map_err(|error| CliError::Read(path.clone(), error))?;
            let own = Contents { name: files::name_of(&path), bytes };
            // The names of side files begin with that of the model, so the model is named without its folder.
            let folder = files::folder_of(&path);
            let mut beside = Vec::new();
            let model = Model::load(&own.name, &own.bytes, |side| {
                let bytes = folder::read_in(&folder, side)?;
                beside.push(Contents { name: side.to_owned(), bytes: bytes.clone() });
                Some(bytes)
            });
            let model = model.map_err(|error| match level::is_map(&path) {
                true => CliError::MapAsModel(path),
                false if error.problem == ModelProblem::UnknownFormat => CliError::UnknownFormat(path),
                false => CliError::Model(path, error),
            });
            (model?, ModelFiles { own, beside })
        }
    };
    Ok((LoadedModel { path: origin.map(Origin::path), name: files.own.name.clone(), model }, files))
}

fn warn(loaded: &LoadedModel) {
    for warning in &loaded.model.warnings {
        tell_line(format_args!("{}: warning: {warning}", loaded.name));
    }
}

/// Text of a doll.
pub struct DollText {
    /// Path of its file.
    pub name: PathBuf,
    /// Contents of its file.
    pub text: Vec<u8>,
}

impl DollText {
    /// Returns the doll for a model and prints its problems; its valid lines apply.
    pub fn parse(&self, model: &Model) -> Arc<Doll> {
        let Parsed { doll, problems } = Doll::parse_for(&self.text, &model.skeleton);
        let text = decode(&self.text);
        for problem in &problems {
            tell(problem.report(&self.name.to_string_lossy(), &text));
        }
        Arc::new(doll)
    }

    /// Prints that the doll is one of the model in another size, if it is: it falls, but as if it were broken.
    pub fn tell_other_scale(&self, model: &Arc<Model>) {
        let mut check = DollCheck::default();
        check.drops = 0;
        let problems = check.run(&self.text, model).problems;
        if let Some(problem) = problems.iter().find(|problem| problem.code() == "other-scale") {
            tell(problem.report(&self.name.to_string_lossy(), &decode(&self.text)));
        }
    }
}

/// Reads the doll of a model: the named one, or the one beside the model (`ogre.iqm.doll`, then `ogre.doll`), or that
/// of the mannequin.
pub fn doll_text(path: Option<&Path>, loaded: &LoadedModel) -> Result<DollText, CliError> {
    let (name, text) = match (path, &loaded.path) {
        (Some(path), _) => (path.to_owned(), files::read_doll(path)?),
        (None, None) => ("mannequin.doll".into(), assets::MANNEQUIN_DOLL.to_vec()),
        (None, Some(model)) => {
            let found = doll_beside(model).ok_or_else(|| CliError::NoDoll(doll_places(model).into()))?;
            let text = found.read().map_err(|error| CliError::Read(found.path(), error))?;
            (found.path(), text)
        }
    };
    Ok(DollText { name, text })
}

impl From<DollText> for Contents {
    fn from(doll: DollText) -> Self {
        Self { name: files::name_of(&doll.name), bytes: doll.text }
    }
}

/// Returns the paths at which the doll of a model may be: `ogre.iqm.doll` before `ogre.doll`.
fn doll_places(model: &Path) -> [PathBuf; 2] {
    let mut full = model.to_owned().into_os_string();
    full.push(".doll");
    [full.into(), model.with_extension("doll")]
}

/// Returns the doll beside a model.
pub fn doll_beside(model: &Path) -> Option<Found> {
    files::first_found(doll_places(model).iter().map(|place| Found::beside(place)))
}

/// Returns the model beside a doll: `ogre.iqm` for `ogre.iqm.doll`, and `ogre` in any format for `ogre.doll`.
pub fn model_beside(doll: &Path) -> Option<Found> {
    if files::is_stdin(doll) {
        return None;
    }
    let whole = Some(doll.with_extension("")).filter(|whole| whole.extension().is_some());
    let extensions = Format::all().flat_map(Format::extensions);
    let places = whole.into_iter().chain(extensions.map(|extension| doll.with_extension(extension)));
    files::first_found(places.map(|place| Found::beside(&place)))
}

/// Returns the number of the animation that an argument gives by name or by number.
pub fn animation(argument: &str, model: &Model) -> Result<usize, CliError> {
    let by_number = || argument.parse().ok().filter(|&number: &usize| number < model.animations.len());
    model.find_animation(argument.as_bytes()).or_else(by_number).ok_or_else(|| {
        let known = model.animations.iter().map(|a| a.name.to_string()).collect();
        CliError::NoAnimation(argument.to_owned(), known)
    })
}

/// Engine that an argument names.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
pub enum DialectName {
    Fte,
    Darkplaces,
}

impl From<DialectName> for Dialect {
    fn from(name: DialectName) -> Self {
        match name {
            DialectName::Fte => Self::Fte,
            DialectName::Darkplaces => Self::DarkPlaces,
        }
    }
}

/// Parses the duration of a fall in seconds.
pub fn seconds(argument: &str) -> Result<f32, String> {
    let most = DropTest::MAX_SECONDS;
    let time = argument.trim().parse().ok().filter(|time: &f32| (0.0..=most).contains(time));
    time.ok_or_else(|| format!("expected seconds from 0 to {most}, such as 10"))
}

/// Parses a distance in Quake units, 0 or more.
pub fn distance(argument: &str) -> Result<f32, String> {
    let distance = argument.trim().parse().ok().filter(|distance: &f32| (0.0..=1e6).contains(distance));
    distance.ok_or_else(|| "expected Quake units from 0 to 1e6, such as 0.5".to_owned())
}

/// Parses a height in Quake units.
pub fn height(argument: &str) -> Result<f32, String> {
    let height = argument.trim().parse().ok().filter(|height: &f32| height.abs() <= 1e6);
    height.ok_or_else(|| "expected a height from -1e6 to 1e6 Quake units, such as 64".to_owned())
}

/// Parses a whole number that is not negative.
pub fn whole<T: FromStr>(argument: &str) -> Result<T, String> {
    argument.trim().parse().map_err(|_| "expected a whole number, 0 or more".to_owned())
}

/// Returns a parser of whole numbers in a range.
pub fn whole_in<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |argument| {
        let number = argument.trim().parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("expected a whole number from {} to {}", range.start(), range.end()))
    }
}

/// Parses a position in a level.
pub fn place(argument: &str) -> Result<[f32; 3], String> {
    triple(argument)
        .ok_or_else(|| "expected a position with coordinates from -1e6 to 1e6, such as 128,-64,24".to_owned())
}

/// Parses pitch, yaw and roll in degrees.
pub fn angles(argument: &str) -> Result<[f32; 3], String> {
    triple(argument).ok_or_else(|| "expected three angles from -1e6 to 1e6 degrees, such as 0,90,0".to_owned())
}

/// Parses a velocity.
pub fn velocity(argument: &str) -> Result<[f32; 3], String> {
    triple(argument).ok_or_else(|| "expected three numbers from -1e6 to 1e6 units/s, such as 300,0,0".to_owned())
}

/// Parses an angular velocity.
pub fn spin(argument: &str) -> Result<[f32; 3], String> {
    triple(argument).ok_or_else(|| "expected three numbers from -1e6 to 1e6 radians/s, such as 0,0,6".to_owned())
}

/// Parses three numbers from -1e6 to 1e6 that are separated by commas.
fn triple(argument: &str) -> Option<[f32; 3]> {
    let number = |word: &str| word.trim().parse().ok().filter(|number: &f32| number.abs() <= 1e6);
    argument.split(',').map(number).collect::<Option<Vec<f32>>>()?.try_into().ok()
}
