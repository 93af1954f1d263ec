//! Models from bytes and back, joined and changed.

use std::ffi::c_char;

use skelobj::model::{BoneMatch, Proportions};
use skelobj::{Dialect, Format, LoadOptions, Model};

use super::LoadedModel;
use crate::SkelobjStatus;
use crate::error::{Failure, Result};
use crate::guard;
use crate::id::{Id, SkelobjModel};
use crate::numbers::{self, count};
use crate::pointer::{Def, In, Out};
use crate::table::{self, Entry};
use crate::world::{SkelobjFiles, SkelobjLimits};

/// Settings for loading a model. Get one from skelobj_default_load_def.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjLoadDef {
    /// Proof that the def was initialised.
    pub cookie: u32,
    /// 1 to read files as DarkPlaces does where it differs from FTE. Default 0.
    pub as_darkplaces: i32,
    /// Limits on the contents.
    pub limits: SkelobjLimits,
    /// Files beside the model: framegroups, skins, skeletons, animations.
    pub files: SkelobjFiles,
}

impl SkelobjLoadDef {
    /// Returns the options of loaders that the def has.
    pub(super) fn options(&self) -> LoadOptions {
        let dialect = if self.as_darkplaces == 0 { Dialect::Fte } else { Dialect::DarkPlaces };
        LoadOptions::default().with_limits(self.limits.into()).with_dialect(dialect)
    }
}

/// Fit of the bones of two models.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjBoneMatch {
    /// Number of bones that both have.
    pub matched: i32,
    /// Number of bones that the added model lacks.
    pub missing: i32,
    /// Number of bones that only the added model has.
    pub unused: i32,
    /// Number of bones with different parents.
    pub reparented: i32,
}

impl From<&BoneMatch> for SkelobjBoneMatch {
    fn from(found: &BoneMatch) -> Self {
        Self {
            matched: count(found.matched),
            missing: count(found.missing.len()),
            unused: count(found.unused.len()),
            reparented: count(found.reparented.len()),
        }
    }
}

pub(super) fn insert(model: Model) -> Result<SkelobjModel> {
    table::insert(Entry::Model(LoadedModel::new(model).into()))
}

/// Returns the default settings for loading.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_default_load_def() -> SkelobjLoadDef {
    SkelobjLoadDef {
        cookie: SkelobjLoadDef::COOKIE,
        as_darkplaces: 0,
        limits: skelobj::Limits::default().into(),
        files: SkelobjFiles::NONE,
    }
}

/// Reads a model of any supported format and returns its id; none on failure. The bytes decide the format; `name` is
/// the file's name, after which side files are named: if it is not a plain path, none are read, and the model has a
/// warning. `def` may be null for the default settings.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_model_load(
    name: In<c_char>,
    bytes: In<u8>,
    size: usize,
    def: In<SkelobjLoadDef>,
) -> SkelobjModel {
    guard::value(SkelobjModel::NONE, || {
        let (name, bytes, def) = (name.text()?, bytes.slice(size)?, def.def_or(skelobj_default_load_def)?);
        insert(Model::load_with(&def.options(), name, bytes, |name| def.files.find(name))?)
    })
}

/// Returns 1 if a model has this id, otherwise 0.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_model_is_valid(model: SkelobjModel) -> i32 {
    guard::value(0, || Ok(numbers::flag(table::has(model))))
}

/// Frees a model. Pointers to its data end here. A world that has the model keeps it, and builds from its id, until
/// skelobj_world_remove_model or skelobj_world_free.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_model_free(model: SkelobjModel) -> SkelobjStatus {
    guard::status(|| table::remove(model))
}

/// Makes a model with what two files have together, such as the skin of one and the skeleton or animations of the
/// other, and returns its id; none on failure. Both stay as they are. `found` (may be null) tells how the bones fit.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_model_join(
    model: SkelobjModel,
    other: SkelobjModel,
    found: Out<SkelobjBoneMatch>,
) -> SkelobjModel {
    joined(model, other, found, Model::join)
}

/// Makes a model with the animations of another one appended, and returns its id; none on failure. `found` may be null.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_model_add_animations(
    model: SkelobjModel,
    other: SkelobjModel,
    found: Out<SkelobjBoneMatch>,
) -> SkelobjModel {
    joined(model, other, found, Model::add_animations)
}

/// Inserts a copy of a model that `join` has changed, and tells how the bones fit.
fn joined<E>(
    model: SkelobjModel,
    other: SkelobjModel,
    found: Out<SkelobjBoneMatch>,
    join: impl FnOnce(&mut Model, &Model) -> std::result::Result<BoneMatch, E>,
) -> SkelobjModel
where
    Failure: From<E>,
{
    guard::value(SkelobjModel::NONE, || {
        let (found, other) = (found.wanted()?, table::model(other)?);
        let mut joined = Model::clone(table::model(model)?.model());
        let fit = join(&mut joined, other.model())?;
        if let Some(found) = found {
            found.set((&fit).into());
        }
        insert(joined)
    })
}

/// Makes a copy of `model` with the animations that the text of a .framegroups file lists. Returns the copy's id; none
/// on failure.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_model_with_framegroups(
    model: SkelobjModel,
    name: In<c_char>,
    text: In<u8>,
    size: usize,
) -> SkelobjModel {
    guard::value(SkelobjModel::NONE, || {
        let (name, text) = (name.text()?, text.slice(size)?);
        let mut changed = Model::clone(table::model(model)?.model());
        changed.apply_framegroups(name, text);
        insert(changed)
    })
}

/// Makes a model that wears the materials of the text of a .skin file, and returns its id; none on failure.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_model_with_skin(model: SkelobjModel, text: In<u8>, size: usize) -> SkelobjModel {
    guard::value(SkelobjModel::NONE, || {
        let text = text.slice(size)?;
        let mut changed = Model::clone(table::model(model)?.model());
        changed.apply_skin(text);
        insert(changed)
    })
}

/// Makes a model whose animations are frames only, for writing, and returns its id; none on failure.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_model_bake(model: SkelobjModel) -> SkelobjModel {
    guard::value(SkelobjModel::NONE, || insert(table::model(model)?.model().baked()))
}

/// Makes a model with all lengths multiplied by `factor`, 0.001 to 1000, and returns its id; none on failure.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_model_scale(model: SkelobjModel, factor: f32) -> SkelobjModel {
    guard::value(SkelobjModel::NONE, || insert(table::model(model)?.model().scaled(factor)?))
}

/// Makes a model with the bones and the animations of `model`, on bones with the lengths of those of `other` that have
/// the same names, for skelobj_model_add_animations, and returns its id; none on failure. The bones down to the hips
/// move in proportion to the legs, the others only turn.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_model_in_proportions_of(model: SkelobjModel, other: SkelobjModel) -> SkelobjModel {
    guard::value(SkelobjModel::NONE, || {
        let (model, other) = (table::model(model)?, table::model(other)?);
        let proportions = Proportions::new(&model.model().skeleton);
        insert(model.model().in_proportions_of(&other.model().skeleton, &proportions)?)
    })
}

/// Makes a model with at least `rate` poses per second, 1 to 1000, in each animation of frames, and returns its id;
/// none on failure. The added poses turn along the shorter arc, so that bones keep their size.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_model_resample(model: SkelobjModel, rate: f32) -> SkelobjModel {
    guard::value(SkelobjModel::NONE, || insert(table::model(model)?.model().resampled(rate)?))
}

/// Writes a model as a file of a format, given by the extension "iqm" or "glb", and its size in bytes (may be null).
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_model_write(
    model: SkelobjModel,
    extension: In<c_char>,
    buffer: Out<u8>,
    capacity: usize,
    size: Out<usize>,
) -> SkelobjStatus {
    guard::status(|| {
        let (buffer, size, extension) = (buffer.buffer(capacity)?, size.wanted()?, extension.text()?);
        let format = Format::from_extension(extension);
        let format = format.ok_or_else(|| Failure::not_found(format_args!("format \"{extension}\"")))?;
        buffer.fill(&format.write(table::model(model)?.model())?, size)
    })
}

/// Writes a text with one line for each thing of the model that a file with this extension cannot hold. `length`
/// receives the length of the text, and may be null.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_model_losses(
    model: SkelobjModel,
    extension: In<c_char>,
    buffer: Out<c_char>,
    capacity: usize,
    length: Out<usize>,
) -> SkelobjStatus {
    guard::status(|| {
        let (buffer, length, extension) = (buffer.buffer(capacity)?, length.wanted()?, extension.text()?);
        let format = Format::from_extension(extension);
        let format = format.ok_or_else(|| Failure::not_found(format_args!("format \"{extension}\"")))?;
        buffer.fill_text(format.losses(table::model(model)?.model()).join("\n").as_bytes(), length)
    })
}

/// Format of models.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjFormat {
    /// Usual extension of its files, without a dot.
    pub extension: [c_char; 16],
    /// Name for people.
    pub name: [c_char; 64],
    /// 1 if skelobj_model_write writes it.
    pub is_writable: i32,
}

impl From<Format> for SkelobjFormat {
    fn from(format: Format) -> Self {
        Self {
            extension: crate::text::array(format.extension()),
            name: crate::text::array(format.name()),
            is_writable: numbers::flag(format.is_writable()),
        }
    }
}

/// Writes the formats that are read, and their number (may be null).
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_formats(formats: Out<SkelobjFormat>, capacity: i32, count: Out<i32>) -> SkelobjStatus {
    guard::status(|| {
        let (buffer, count) = (formats.buffer(numbers::size(capacity)?)?, count.wanted()?);
        buffer.fill(&Format::all().map(SkelobjFormat::from).collect::<Vec<_>>(), count)
    })
}

/// Tells the format of a file from its bytes: returns 1 and writes it, or returns 0 if no format is known.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_format_detect(bytes: In<u8>, size: usize, format: Out<SkelobjFormat>) -> i32 {
    guard::value(0, || {
        let (place, bytes) = (format.place()?, bytes.slice(size)?);
        let Some(format) = Format::detect(bytes) else { return Ok(0) };
        place.set(format.into());
        Ok(1)
    })
}
