//! Doom 3's MD5 text files, version 10: meshes and animations.

mod animation;
mod list;
mod mesh;
mod number;
mod words;

pub(crate) use list::{is_list, read_list};
use words::Words;

use super::cursor::File;
use crate::limits::Limits;
use crate::math::Mat3x4;
use crate::model::{Fixup, Model, ModelError, ModelProblem, Name, Skeleton};

/// The two kinds of MD5 files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// `.md5mesh`.
    Mesh,
    /// `.md5anim`.
    Animation,
}

/// Which kind of MD5 file this is, if any: its header's words tell, in whatever order they come.
fn kind(bytes: &[u8]) -> Option<Kind> {
    /// Words of a header: five directives and what each says.
    const LONGEST: usize = 12;
    let mut words = Words::new(bytes);
    let first = words.clone().next()?;
    if !matches!(first, b"MD5Version" | b"commandline" | b"numJoints" | b"numMeshes" | b"numFrames") {
        return None;
    }
    for _ in 0..LONGEST {
        match words.next() {
            Some(b"numMeshes" | b"joints" | b"mesh") => return Some(Kind::Mesh),
            Some(b"numFrames" | b"frameRate" | b"numAnimatedComponents" | b"hierarchy") => {
                return Some(Kind::Animation);
            }
            Some(_) => {}
            None => break,
        }
    }
    (first == b"MD5Version").then_some(Kind::Mesh)
}

/// Whether this is a mesh file.
pub(crate) fn is_mesh(bytes: &[u8]) -> bool {
    kind(bytes) == Some(Kind::Mesh)
}

/// Whether this is an animation file.
pub(crate) fn is_animation(bytes: &[u8]) -> bool {
    kind(bytes) == Some(Kind::Animation)
}

/// Reads a mesh file.
///
/// It has one animation, "base": its bind pose. What exporters get wrong without harm is accepted with a warning: no
/// version line, several roots, another number of meshes than stated, weights that do not sum to 1.
///
/// # Errors
/// Words that are not what must stand in their place, numbers that are not finite, elements missing or out of order,
/// indexes outside their lists.
pub(crate) fn read_mesh(bytes: &[u8], limits: &Limits) -> Result<Model, ModelError> {
    mesh::read(Md5::new(bytes, &mut File::new(bytes, limits)))
}

/// Reads an animation file, whose bones have no bind pose: they drive others.
///
/// What exporters get wrong without harm is accepted with a warning: no version line, several roots, another number of
/// bounds than stated.
///
/// # Errors
/// As [`read_mesh`].
pub(crate) fn read_animation(bytes: &[u8], limits: &Limits) -> Result<Model, ModelError> {
    animation::read(Md5::new(bytes, &mut File::new(bytes, limits)))
}

/// A file being read, and what both kinds say in their headers.
struct Md5<'a, 'f> {
    file: &'f mut File<'a>,
    words: Words<'a>,
    joints: u32,
    versioned: bool,
    comments: Vec<Name>,
}

impl<'a, 'f> Md5<'a, 'f> {
    /// Begins to read `bytes`, which are those of `file`.
    fn new(bytes: &'a [u8], file: &'f mut File<'a>) -> Self {
        Self { file, words: Words::new(bytes), joints: 0, versioned: false, comments: Vec::new() }
    }

    /// Reads what follows a directive that both kinds have; `false` if this is none of them.
    fn directive(&mut self, word: &[u8]) -> Result<bool, ModelError> {
        match word {
            b"MD5Version" => {
                let at = self.words.offset();
                let found = self.words.whole("MD5Version", 0..=i64::from(u32::MAX))? as u32;
                if found != 10 {
                    let problem = ModelProblem::UnsupportedVersion { found, expected: "10" };
                    return Err(ModelError::new("header", at, problem));
                }
                self.versioned = true;
            }
            b"commandline" => {
                let at = self.words.offset();
                let text = self.words.word("a command line")?;
                let text = self.file.name("header", at, text)?;
                if !text.is_empty() {
                    self.comments.push(text);
                }
            }
            b"numJoints" => self.joints = self.words.whole("numJoints", 1..=Skeleton::MAX_BONES as i64)? as u32,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// A joint's name and parent.
    fn joint(&mut self, index: u32) -> Result<(Name, Option<usize>), ModelError> {
        let at = self.words.offset();
        let name = self.words.word("a joint")?;
        let name = self.file.name(self.words.section, at, name)?;
        let parent = self.words.whole("parent", -1..=i64::from(index) - 1)?;
        if parent < 0 && index > 0 {
            let what = "more than one joint without a parent";
            let known = self.file.warnings.iter().any(|warning| warning.fixup == Fixup::Tolerated(what));
            if !known {
                self.file.warn(self.words.section, at, Fixup::Tolerated(what));
            }
        }
        Ok((name, usize::try_from(parent).ok()))
    }

    /// A problem of the whole file.
    fn missing(&mut self, what: &'static str) -> ModelError {
        self.words.error(ModelProblem::Missing { what })
    }

    /// Warns of a version line that was not there.
    fn check_version(&mut self) {
        if !self.versioned {
            self.file.warn("header", 0, Fixup::Tolerated("a file without an MD5Version line"));
        }
    }
}

/// The matrix of a position and the first three components of a unit quaternion whose fourth is below zero.
fn matrix(position: [f64; 3], rotation: [f64; 3]) -> Mat3x4 {
    // In f64: near a half turn w is what f32 would round away.
    let [x, y, z] = rotation;
    let w = -(1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    Mat3x4::from_translation_rotation_scale(narrow(position), [x as f32, y as f32, z as f32, w as f32], [1.0; 3])
}

/// Numbers that are known to fit, as `f32`.
fn narrow<const N: usize>(values: [f64; N]) -> [f32; N] {
    values.map(|value| value as f32)
}
