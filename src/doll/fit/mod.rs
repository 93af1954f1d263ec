//! Dolls fitted to models: from a skinned model to the commented text of a `.doll` file.
//!
//! [`fit`] chooses the bones that get bodies, fits shapes to the vertices that they move, takes masses from the
//! volumes, and the types and stops of joints from the model's animations and from the names of its bones. The command
//! `skelobj fit` calls it.

mod anatomy;
mod axes;
mod bones;
mod join;
mod joints;
mod masses;
mod mirror;
mod motion;
mod overlap;
mod ranges;
mod shapes;
mod skin;
mod swing;
mod text;
mod vocabulary;

use std::collections::HashSet;
use std::fmt;

use super::format;
use crate::math::Mat3x4;
use crate::model::{AnimationSource, HitBox, Model, Name};
use crate::pose;
use joints::Figure;
use shapes::Solid;

/// Options of [`fit`].
///
/// ```
/// use skelobj::doll::{Doll, FitOptions, fit};
///
/// let mannequin = skelobj::assets::mannequin();
/// let mut options = FitOptions::default();
/// options.max_bodies = 6;
/// let coarse = Doll::parse_strict(&fit(&mannequin, &options)?.text).expect("a doll without errors");
/// assert_eq!(coarse.bodies.len(), 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct FitOptions {
    /// Name of the model for the first line of the text. Default: empty, no name.
    pub name: Name,
    /// Maximum number of bodies, from 1 to [`MOST_BODIES`](Self::MOST_BODIES). Bones whose names tell nothing share
    /// bodies, and then the smallest bodies are left out. Default 48.
    pub max_bodies: usize,
}

impl FitOptions {
    /// Largest effective [`max_bodies`](Self::max_bodies).
    pub const MOST_BODIES: usize = 256;
}

impl Default for FitOptions {
    fn default() -> Self {
        Self { name: Name::default(), max_bodies: 48 }
    }
}

/// Result of [`fit`].
///
/// ```
/// use skelobj::doll::{FitOptions, fit};
///
/// let mannequin = skelobj::assets::mannequin();
/// let fitted = fit(&mannequin, &FitOptions::default())?;
/// assert!(fitted.text.starts_with(b"// Ragdoll: 16 bodies, 15 joints"));
/// assert!(fitted.notes.contains(&"toe_l has no body: it moves with foot_l.".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Fit {
    /// Text of a `.doll` file. It is bytes because names are bytes.
    pub text: Vec<u8>,
    /// Decisions that the author of the model may want to know, a sentence each; the text has them, too.
    pub notes: Vec<String>,
}

/// Decision of [`fit`].
#[derive(Clone, Debug)]
enum FitNote {
    /// Bone with a skin but without a body: it moves with another bone's body.
    Folded {
        /// Name of the bone.
        bone: Name,
        /// Bone whose body carries it.
        into: Name,
    },
    /// Bone whose name a doll cannot hold.
    Unwritable {
        /// Name of the bone.
        bone: Name,
    },
    /// Body whose bone descends from no other body's bone, joined to the nearest body.
    Joined {
        /// Bone of the body.
        bone: Name,
        /// Bone of the body that holds it.
        to: Name,
    },
    /// Bodies that overlap without a joint although both were shrunk; they do not collide with each other.
    Overlapping {
        /// Bone of the one body.
        bone: Name,
        /// Bone of the other body.
        other: Name,
    },
}

impl fmt::Display for FitNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folded { bone, into } => write!(f, "{bone} has no body: it moves with {into}."),
            Self::Unwritable { bone } => {
                write!(f, "{bone} is left out: its name has a quote, a line break or an invisible character.")
            }
            Self::Joined { bone, to } => write!(f, "{bone} descends from no bone with a body: it is joined to {to}."),
            Self::Overlapping { bone, other } => write!(f, "{bone} and {other} overlap: they do not collide."),
        }
    }
}

/// Error of [`fit`].
///
/// ```
/// use skelobj::Model;
/// use skelobj::doll::{FitError, FitOptions, fit};
///
/// let error = fit(&Model::default(), &FitOptions::default()).unwrap_err();
/// assert_eq!(error, FitError::NoBones);
/// assert_eq!(error.to_string(), "the model has no bones, which a ragdoll needs");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FitError {
    /// Model without bones.
    NoBones,
    /// Model without a bone that a doll could name and that has a finite pose.
    NoUsableBone,
}

impl fmt::Display for FitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoBones => "the model has no bones, which a ragdoll needs",
            Self::NoUsableBone => "no bone of the model has a finite pose and a name that a doll can hold",
        })
    }
}

impl std::error::Error for FitError {}

/// Returns the text of a doll for a model, with comments that tell the origin of every number.
///
/// Bones with little skin, fingers, features of faces and helper bones move with their parents. Shapes surround the
/// skin that their bones move, or hit boxes if the model has them. Stops contain every pose of every animation; where
/// names tell, they also allow what anatomy does. Work and memory are bounded: of very large models, every n-th vertex
/// and every n-th pose is examined. The same model gives the same text.
///
/// ```
/// use skelobj::doll::{Doll, FitOptions, JointKind, fit, lint};
///
/// let mannequin = skelobj::assets::mannequin();
/// let text = fit(&mannequin, &FitOptions::default())?.text;
/// assert!(lint(&text, Some(&mannequin)).is_empty());
/// let doll = Doll::parse(&text).doll;
/// let knee = &doll.joints[doll.find_joint("knee_l").expect("a knee")];
/// assert_eq!(knee.kind, JointKind::Hinge);
/// assert!(knee.stops[0].lo > -0.5 && knee.stops[0].hi > 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`FitError::NoBones`], [`FitError::NoUsableBone`].
pub fn fit(model: &Model, options: &FitOptions) -> Result<Fit, FitError> {
    let skeleton = &model.skeleton;
    if skeleton.is_empty() {
        return Err(FitError::NoBones);
    }
    let first = model.animations.first().filter(|_| !skeleton.has_bind());
    let is_posed =
        first.is_some_and(|first| matches!(first.source, AnimationSource::Frames { .. } | AnimationSource::List(_)));
    let mut reference = skeleton.bind_model().to_vec();
    if let Some(first) = first.filter(|_| is_posed) {
        pose::to_model_space(skeleton.parents(), model.pose(first, 0), &mut reference);
    }
    let meanings = anatomy::meanings(skeleton);
    let skin = skin::skin(model, &reference);
    let mut tree = bones::tree(model, &reference, &skin, &meanings, options);
    drop(skin);
    if tree.limbs.is_empty() {
        return Err(FitError::NoUsableBone);
    }
    let solids = shaped(model, &tree, &reference, &meanings);
    join::join(&mut tree, &solids, &reference, &meanings, skeleton);
    let mirror = mirror::mirror(&tree.limbs, &solids, &reference, &meanings, tree.size);
    let mut solids = symmetrical(solids, &mirror);
    let pairs: Vec<[usize; 2]> =
        (0..tree.limbs.len()).filter_map(|child| Some([tree.limbs[child].parent?, child])).collect();
    let jointed: HashSet<[usize; 2]> = pairs.iter().map(|&[a, b]| [a.min(b), a.max(b)]).collect();
    let (mut kept, overlapping) = overlap::separate(&mut solids, |a, b| jointed.contains(&[a.min(b), a.max(b)]));
    for left in 0..solids.len() {
        let Some(right) = mirror.right_of[left] else { continue };
        let least = kept[left].min(kept[right]);
        for body in [left, right] {
            solids[body] = solids[body].scaled(least / kept[body]);
            kept[body] = least;
        }
    }
    let name = |body: usize| skeleton.names()[tree.limbs[body].bone].clone();
    let overlaps = overlapping.into_iter().map(|[a, b]| FitNote::Overlapping { bone: name(a), other: name(b) });
    let notes: Vec<FitNote> = tree.notes.iter().cloned().chain(overlaps).collect();
    let volumes: Vec<f32> = solids.iter().map(Solid::volume).collect();
    let masses = masses::masses(&volumes, &pairs);
    let bones: Vec<[usize; 2]> = pairs.iter().map(|pair| pair.map(|body| tree.limbs[body].bone)).collect();
    let motion = motion::motion(model, &reference, &bones);
    let figure = Figure {
        tree: &tree,
        solids: &solids,
        masses: &masses,
        reference: &reference,
        meanings: &meanings,
        mirror: &mirror,
        motion: &motion,
        pairs: &pairs,
    };
    let joints = joints::joints(&figure);
    let content =
        text::Content { model, options, figure: &figure, joints: &joints, kept: &kept, is_posed, notes: &notes };
    Ok(Fit { text: format(&text::text(&content)), notes: notes.iter().map(FitNote::to_string).collect() })
}

/// Returns a shape for every body.
fn shaped(model: &Model, tree: &bones::Tree, reference: &[Mat3x4], meanings: &[anatomy::Meaning]) -> Vec<Solid> {
    let mut body_of = vec![None; reference.len()];
    for (body, limb) in tree.limbs.iter().enumerate() {
        body_of[limb.bone] = Some(body);
    }
    for bone in 0..reference.len() {
        let above = model.skeleton.parent(bone).and_then(|parent| body_of[parent]);
        body_of[bone] = body_of[bone].or(above);
    }
    let mut boxes: Vec<Vec<HitBox>> = vec![Vec::new(); tree.limbs.len()];
    for hit_box in &model.hit_boxes {
        let size = |axis: usize| hit_box.maxs[axis] - hit_box.mins[axis];
        let is_usable = (0..3).all(|axis| size(axis) > 0.0 && size(axis) < 1e5);
        if let Some(Some(body)) = body_of.get(hit_box.bone)
            && is_usable
            && tree.limbs[*body].bone == hit_box.bone
        {
            boxes[*body].push(*hit_box);
        }
    }
    let solid = |(limb, boxes): (&bones::Limb, &Vec<HitBox>)| {
        shapes::fit(limb, meanings[limb.bone].part, reference, boxes, tree.size)
    };
    tree.limbs.iter().zip(&boxes).map(solid).collect()
}

/// Returns the shapes with those of the right side as mirror images of those of the left.
fn symmetrical(mut solids: Vec<Solid>, mirror: &mirror::Mirror) -> Vec<Solid> {
    for left in 0..solids.len() {
        let Some(right) = mirror.right_of[left] else { continue };
        let image = solids[right].mirrored(mirror.left, mirror.through);
        let own = &mut solids[left];
        if own.shape == image.shape && own.is_along == image.is_along {
            own.centre = (own.centre + image.centre) / 2.0;
            let same_axes = own.turn.dot(image.turn).abs() > 0.9;
            if own.is_along || same_axes {
                own.half = (own.half + image.half) / 2.0;
            }
        }
        let source = solids[right].source;
        let image = solids[left].mirrored(mirror.left, mirror.through);
        solids[right] = Solid { source, ..image };
    }
    solids
}
