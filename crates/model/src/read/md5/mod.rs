//! Doom 3's MD5 text files, version 10: meshes and animations.

mod decimal;
mod list;
mod md5anim;
mod md5mesh;
mod words;

pub(crate) use list::{is_list, read_list};
use words::Words;

use super::cursor::File;
use crate::limits::Limits;
use crate::math::Mat3x4;
use crate::model::{Fixup, Model, ModelError, ModelProblem, Name, Skeleton};

/// Type of an MD5 file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// `.md5mesh`.
    Mesh,
    /// `.md5anim`.
    Animation,
}

/// Returns the type of an MD5 file by the words of its header, in any order; `None` for other files.
fn kind(bytes: &[u8]) -> Option<Kind> {
    /// Maximum number of words of a header: five directives with their values.
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

/// Returns `true` if the bytes are a mesh file.
pub(crate) fn is_mesh(bytes: &[u8]) -> bool {
    kind(bytes) == Some(Kind::Mesh)
}

/// Returns `true` if the bytes are an animation file.
pub(crate) fn is_animation(bytes: &[u8]) -> bool {
    kind(bytes) == Some(Kind::Animation)
}

/// Reads a mesh file.
///
/// The bind pose is the animation "base". Harmless mistakes of exporters are accepted with a warning: no version line,
/// several roots, a wrong number of meshes, weights that do not sum to 1.
///
/// # Errors
/// An unexpected word; a non-finite number; an element missing or out of order; an index outside its list.
pub(crate) fn read_mesh(bytes: &[u8], limits: &Limits) -> Result<Model, ModelError> {
    md5mesh::read(Md5::new(bytes, &mut File::new(bytes, limits)))
}

/// Reads an animation file. Its bones have no bind pose, because they drive those of other models.
///
/// Harmless mistakes of exporters are accepted with a warning: no version line, several roots, a wrong number of
/// bounds.
///
/// # Errors
/// The errors of [`read_mesh`].
pub(crate) fn read_animation(bytes: &[u8], limits: &Limits) -> Result<Model, ModelError> {
    md5anim::read(Md5::new(bytes, &mut File::new(bytes, limits)))
}

/// File being read, with the header directives of both types.
struct Md5<'a, 'f> {
    file: &'f mut File<'a>,
    words: Words<'a>,
    joints: u32,
    versioned: bool,
    comments: Vec<Name>,
}

impl<'a, 'f> Md5<'a, 'f> {
    /// Starts to read `bytes`, the contents of `file`.
    fn new(bytes: &'a [u8], file: &'f mut File<'a>) -> Self {
        Self { file, words: Words::new(bytes), joints: 0, versioned: false, comments: Vec::new() }
    }

    /// Reads the values of a directive that both types have; returns `false` for any other directive.
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

    /// Reads the name and the parent of a joint.
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

    /// Returns the error of a part missing from the whole file.
    fn missing(&mut self, what: &'static str) -> ModelError {
        self.words.error(ModelProblem::Missing { what })
    }

    /// Adds a warning if there was no version line.
    fn check_version(&mut self) {
        if !self.versioned {
            self.file.warn("header", 0, Fixup::Tolerated("a file without an MD5Version line"));
        }
    }
}

/// Returns the matrix of a position and a unit quaternion, given by its first three components, whose w is negative.
fn matrix(position: [f64; 3], rotation: [f64; 3]) -> Mat3x4 {
    // In f64, because near a half turn an f32 rounds w to 0.
    let [x, y, z] = rotation;
    let w = -(1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    Mat3x4::from_translation_rotation_scale(narrow(position), [x as f32, y as f32, z as f32, w as f32], [1.0; 3])
}

/// Converts numbers that are known to fit to `f32`.
fn narrow<const N: usize>(values: [f64; N]) -> [f32; N] {
    values.map(|value| value as f32)
}
