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

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;
use std::ops::RangeInclusive;

use super::format;
use crate::math::{Mat3x4, Vec3};
use crate::model::{AnimationSource, HitBox, Model, Name};
use crate::pose;
use joints::Figure;
use shapes::Solid;
use text::two_digits;

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
    /// Maximum number of bodies, from 1 to [`MAX_BODIES`](Self::MAX_BODIES). Bones whose names tell nothing share
    /// bodies, and then the smallest bodies are left out. Default 48.
    pub max_bodies: usize,
    /// Fits bodies along the bones of a model whose skin has too few vertices, instead of
    /// [`FitError::NoSkin`]. Default `false`.
    pub without_skin: bool,
}

impl FitOptions {
    /// Largest effective [`max_bodies`](Self::max_bodies).
    pub const MAX_BODIES: usize = 256;
}

impl Default for FitOptions {
    fn default() -> Self {
        Self { name: Name::default(), max_bodies: 48, without_skin: false }
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
    /// Figure that is much smaller or larger than players.
    Height {
        /// Height of the bodies, Quake units.
        height: f32,
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
    /// Bodies that overlap without a joint although both were cut; they do not collide with each other.
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
            Self::Height { height } => {
                let (factor, player) = (PLAYER / height, PLAYER);
                let scale = two_digits(factor);
                let height = two_digits(*height);
                write!(f, "The figure is {height} units tall, a player {player}: is the model in another unit? ")?;
                if !(0.001..=1000.0).contains(&factor) {
                    return Ok(());
                }
                write!(f, "`--scale {scale}` gives it the size of a player.")
            }
            Self::Unwritable { bone } => {
                write!(f, "{bone} is left out: its name has a quote, a line break or an invisible character.")
            }
            Self::Joined { bone, to } => write!(f, "{bone} descends from no bone with a body: it is joined to {to}."),
            Self::Overlapping { bone, other } => write!(f, "{bone} and {other} overlap: they do not collide."),
        }
    }
}

/// Height of a player, Quake units.
const PLAYER: f32 = 56.0;
/// Heights of figures that are probably in the unit of the game.
const USUAL: RangeInclusive<f32> = 10.0..=500.0;

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
    /// Model whose skin has fewer than four vertices, and without hit boxes: bodies would have arbitrary sizes.
    /// [`FitOptions::without_skin`] fits it all the same.
    NoSkin {
        /// Number of vertices that bones move.
        vertices: usize,
    },
}

impl fmt::Display for FitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBones => f.write_str("the model has no bones, which a ragdoll needs"),
            Self::NoUsableBone => f.write_str("no bone of the model has a finite pose and a name that a doll can hold"),
            Self::NoSkin { vertices: 0 } => f.write_str("bones move no vertex of the model, so bodies have no size"),
            Self::NoSkin { vertices } => {
                let vertices = if *vertices == 1 { "one vertex" } else { &format!("{vertices} vertices") };
                write!(f, "bones move only {vertices} of the model, so bodies have no size")
            }
        }
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
/// [`FitError::NoBones`], [`FitError::NoUsableBone`]; [`FitError::NoSkin`] unless
/// [`without_skin`](FitOptions::without_skin) is set.
pub fn fit(model: &Model, options: &FitOptions) -> Result<Fit, FitError> {
    Ok(fit_after_drops(model, options, &Lessons::none(options))?.fit)
}

/// Results of the drops of former dolls of the model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lessons {
    /// Number of times that a body was thrown past the stops of its joint, by its bone.
    pub(crate) thrown: BTreeMap<usize, usize>,
    /// Friction of all joints, as a multiple of the usual one.
    pub(crate) friction: f32,
    /// Maximum number of bodies.
    pub(crate) bodies: usize,
}

impl Lessons {
    /// Returns the lessons of no drop.
    pub(crate) fn none(options: &FitOptions) -> Self {
        Self { thrown: BTreeMap::new(), friction: 1.0, bodies: options.max_bodies.clamp(1, FitOptions::MAX_BODIES) }
    }
}

/// Fitted doll with the bones of its bodies.
pub(crate) struct Fitted {
    pub(crate) fit: Fit,
    /// Bones of the bodies, in the order of the text.
    pub(crate) bodies: Vec<usize>,
    /// Bones of the second bodies of the joints, in the order of the text.
    pub(crate) joints: Vec<usize>,
}

/// Number of vertices of a skin to which bodies can be fitted.
const LEAST_SKIN: usize = 4;
/// Maximum number of bodies that are left out because no cut keeps them clear of others.
const MAX_LEFT_OUT: usize = 16;

/// Fits a doll that does not fall as former ones did.
pub(crate) fn fit_after_drops(model: &Model, options: &FitOptions, lessons: &Lessons) -> Result<Fitted, FitError> {
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
    let vertices = skin.vertices.len();
    if vertices < LEAST_SKIN && model.hit_boxes.is_empty() && !options.without_skin {
        return Err(FitError::NoSkin { vertices });
    }
    let (mut left_out, mut held_by) = (BTreeSet::new(), BTreeMap::new());
    let (tree, bodies) = loop {
        let mut tree = bones::tree(model, &reference, &skin, &meanings, lessons.bodies, &left_out);
        if tree.limbs.is_empty() {
            return Err(FitError::NoUsableBone);
        }
        let bodies = Bodies::of(model, &mut tree, &reference, &meanings, &held_by);
        let mut rejoinable = bodies.left.iter().filter_map(|pair| tree.rejoinable(*pair));
        if let Some(bones) = rejoinable.find(|bones| !held_by.contains_key(&bones[1])) {
            held_by.insert(bones[1], bones[0]);
            continue;
        }
        let folded = bodies.left.iter().find_map(|pair| foldable(*pair, &tree, &bodies.solids, &meanings));
        match folded.filter(|_| left_out.len() < MAX_LEFT_OUT) {
            Some(body) => {
                let partner = bodies.mirror.partner(body).filter(|&partner| tree.is_held(partner));
                left_out.extend([Some(body), partner].into_iter().flatten().map(|body| tree.limbs[body].bone));
            }
            None => break (tree, bodies),
        }
    };
    drop(skin);
    let Bodies { solids, mirror, pairs, is_cut, left } = bodies;
    let name = |body: usize| skeleton.names()[tree.limbs[body].bone].clone();
    let overlaps = left.into_iter().map(|[a, b]| FitNote::Overlapping { bone: name(a), other: name(b) });
    let notes: Vec<FitNote> = tree.notes.iter().cloned().chain(overlaps).collect();
    let volumes: Vec<f32> = solids.iter().map(Solid::volume).collect();
    let masses = masses::masses(&volumes, &pairs);
    let bones: Vec<[usize; 2]> = pairs.iter().map(|pair| pair.map(|body| tree.limbs[body].bone)).collect();
    let motion = motion::motion(model, &reference, &bones);
    let thrown = tree.limbs.iter().map(|limb| lessons.thrown.get(&limb.bone).copied().unwrap_or_default());
    let thrown: Vec<usize> = thrown.collect();
    let figure = Figure {
        tree: &tree,
        solids: &solids,
        masses: &masses,
        reference: &reference,
        meanings: &meanings,
        mirror: &mirror,
        motion: &motion,
        pairs: &pairs,
        thrown: &thrown,
        friction: lessons.friction,
    };
    let mut notes = notes;
    let height = height(&solids);
    if joints::stance(&figure).is_some() && !USUAL.contains(&height) {
        notes.insert(0, FitNote::Height { height });
    }
    let joints = joints::joints(&figure);
    let content =
        text::Content { model, options, figure: &figure, joints: &joints, is_cut: &is_cut, is_posed, notes: &notes };
    let fit = Fit { text: format(&text::text(&content)), notes: notes.iter().map(FitNote::to_string).collect() };
    let bone = |body: usize| tree.limbs[body].bone;
    let joints = joints.iter().map(|joint| bone(joint.child)).collect();
    Ok(Fitted { fit, bodies: (0..tree.limbs.len()).map(bone).collect(), joints })
}

/// Returns the height of some bodies together, Quake units.
fn height(solids: &[Solid]) -> f32 {
    let ends = |solid: &Solid| {
        let reach = overlap::reach(solid, Vec3::Z);
        (solid.centre.z - reach, solid.centre.z + reach)
    };
    let all = solids.iter().map(ends).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    all.map_or(0.0, |(low, high)| high - low)
}

/// Bodies with their shapes, clear of each other.
struct Bodies {
    solids: Vec<Solid>,
    mirror: mirror::Mirror,
    /// Parent and child of each joint.
    pairs: Vec<[usize; 2]>,
    is_cut: Vec<bool>,
    /// Pairs that overlap without a joint all the same.
    left: Vec<[usize; 2]>,
}

impl Bodies {
    /// Fits shapes to the bodies of a tree and joins those whose bones share no parent.
    fn of(
        model: &Model,
        tree: &mut bones::Tree,
        reference: &[Mat3x4],
        meanings: &[anatomy::Meaning],
        held_by: &BTreeMap<usize, usize>,
    ) -> Self {
        let mut solids = shaped(model, tree, reference, meanings);
        join::join(tree, &solids, reference, meanings, &model.skeleton, held_by);
        let mut mirror = mirror::mirror(&tree.limbs, &solids, reference, meanings, tree.size);
        symmetrical(&mut solids, &mut mirror, &tree.limbs);
        debug_assert_eq!(solids.len(), tree.limbs.len(), "every limb has a solid");
        let pairs: Vec<[usize; 2]> =
            (0..tree.limbs.len()).filter_map(|child| Some([tree.limbs[child].parent?, child])).collect();
        let jointed: HashSet<[usize; 2]> = pairs.iter().map(|&[a, b]| [a.min(b), a.max(b)]).collect();
        let separated = overlap::separate(&mut solids, &mirror, |a, b| jointed.contains(&[a.min(b), a.max(b)]));
        Self { solids, mirror, pairs, is_cut: separated.is_cut, left: separated.left }
    }
}

/// Returns the one of two overlapping bodies that can move with the body above it instead: rather a small one without
/// children than a limb.
fn foldable(pair: [usize; 2], tree: &bones::Tree, solids: &[Solid], meanings: &[anatomy::Meaning]) -> Option<usize> {
    let rank = |body: &usize| {
        let is_limb = meanings[tree.limbs[*body].bone].part.is_limb();
        let has_children = tree.limbs.iter().any(|limb| limb.parent == Some(*body));
        (is_limb, has_children)
    };
    let held = pair.into_iter().filter(|&body| tree.is_held(body));
    held.min_by(|a, b| rank(a).cmp(&rank(b)).then(solids[*a].volume().total_cmp(&solids[*b].volume())))
}

/// Returns a shape for every body.
fn shaped(model: &Model, tree: &bones::Tree, reference: &[Mat3x4], meanings: &[anatomy::Meaning]) -> Vec<Solid> {
    debug_assert_eq!(reference.len(), model.skeleton.len(), "every bone has a place");
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

/// Makes the shapes of the right side mirror images of those of the left. Bodies
/// with different skins stay as they are.
fn symmetrical(solids: &mut [Solid], mirror: &mut mirror::Mirror, limbs: &[bones::Limb]) {
    for left in 0..solids.len() {
        let Some(right) = mirror.right_of[left] else { continue };
        let image = solids[right].mirrored(mirror.left, mirror.through);
        let mut own = solids[left];
        if own.shape == image.shape && own.is_along == image.is_along {
            own.centre = (own.centre + image.centre) / 2.0;
            let same_axes = own.turn.dot(image.turn).abs() > 0.9;
            if own.is_along || same_axes {
                own.half = (own.half + image.half) / 2.0;
            }
        }
        let image = Solid { source: solids[right].source, ..own.mirrored(mirror.left, mirror.through) };
        if shapes::is_like(&own, &limbs[left].moved) && shapes::is_like(&image, &limbs[right].moved) {
            (solids[left], solids[right]) = (own, image);
        } else {
            (mirror.right_of[left], mirror.is_right[right]) = (None, false);
        }
    }
}
