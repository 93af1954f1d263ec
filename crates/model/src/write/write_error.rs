//! Errors of writers.

use std::fmt;

use crate::model::Name;

/// Error of a writer: the model contradicts itself, or the format cannot hold it.
///
/// ```
/// use skelobj::write::{self, WriteError};
/// use skelobj::{Format, Model, assets};
///
/// let mut model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?;
/// model.meshes[0].normals.pop();
/// let error = write::iqm(&model).unwrap_err();
/// assert!(matches!(error, WriteError::ArrayLength { mesh: 0, array: "normals", .. }), "{error}");
/// assert!(matches!(Format::Md3.write(&model), Err(WriteError::ReadOnly { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum WriteError {
    /// Per-vertex array that is neither empty nor as long as the positions.
    ArrayLength {
        /// Mesh index.
        mesh: usize,
        /// Name of the array.
        array: &'static str,
        /// Number of vertices that the array has values for.
        found: usize,
        /// Number of vertices of the mesh.
        expected: usize,
    },
    /// Triangle with a vertex that its mesh does not have.
    TriangleIndex {
        /// Mesh index.
        mesh: usize,
        /// Triangle index.
        triangle: usize,
    },
    /// Vertex with an influence of a bone that does not exist.
    BoneIndex {
        /// Mesh index.
        mesh: usize,
        /// Vertex index.
        vertex: usize,
    },
    /// Skinned mesh of a skeleton without a bind pose.
    NoBindPose {
        /// Mesh index.
        mesh: usize,
    },
    /// Frames that do not have one matrix per bone each.
    FrameLength {
        /// Number of matrices in all frames.
        matrices: usize,
        /// Number of bones.
        bones: usize,
    },
    /// Bounds whose number is not that of the frames.
    BoundsCount {
        /// Number of bounds.
        found: usize,
        /// Number of frames.
        expected: usize,
    },
    /// Animation without frames, or with frames that do not exist.
    AnimationRange {
        /// Animation index.
        animation: usize,
    },
    /// Animation whose rate is not above zero.
    AnimationRate {
        /// Animation index.
        animation: usize,
    },
    /// Skin without materials, or for a mesh that does not exist.
    Skin {
        /// Skin index.
        skin: usize,
    },
    /// Number of morph weights that is not a multiple of the number of morphs.
    MorphWeights {
        /// Mesh index.
        mesh: usize,
        /// Number of morph weights.
        weights: usize,
        /// Number of morphs.
        morphs: usize,
    },
    /// Non-finite number.
    NotFinite {
        /// Name of the array or field that contains the number.
        what: &'static str,
    },
    /// Evaluated animations, or animations with lists of frames, whose poses need too many matrices in the file.
    TooManyPoses {
        /// Number of matrices.
        matrices: u64,
        /// Maximum number of matrices.
        allowed: u64,
    },
    /// Animations that need too many channels in a glTF file: for each bone up to three, where it does not rest.
    TooManyChannels {
        /// Maximum number of channels.
        allowed: usize,
    },
    /// Format without a writer.
    ReadOnly {
        /// Name of the format.
        format: &'static str,
    },
    /// Format whose writer is not part of this build of the crate.
    NotBuiltIn {
        /// Feature of the crate that contains the writer.
        feature: &'static str,
    },
    /// Bone that is farther away, or larger, than a reader of the format can represent.
    OutOfReach {
        /// Name of the bone.
        bone: Name,
    },
    /// File larger than the 4 GiB of 32-bit offsets.
    TooLarge {
        /// Size of the file, bytes.
        bytes: usize,
    },
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ArrayLength { mesh, array, found, expected } => {
                write!(f, "mesh {mesh} has {array} for {found} vertices, expected {expected}")
            }
            Self::TriangleIndex { mesh, triangle } => {
                write!(f, "triangle {triangle} of mesh {mesh} has the index of a vertex that does not exist")
            }
            Self::BoneIndex { mesh, vertex } => {
                write!(f, "vertex {vertex} of mesh {mesh} has an influence of a bone that does not exist")
            }
            Self::NoBindPose { mesh } => write!(f, "mesh {mesh} is skinned, but the skeleton has no bind pose"),
            Self::FrameLength { matrices, bones } => {
                write!(f, "the frames have {matrices} matrices, expected a multiple of {bones} bones")
            }
            Self::BoundsCount { found, expected } => write!(f, "the model has {found} bounds, expected {expected}"),
            Self::AnimationRange { animation } => {
                write!(f, "animation {animation} has no frames, or frames that do not exist")
            }
            Self::AnimationRate { animation } => write!(f, "animation {animation} has a rate that is not above zero"),
            Self::Skin { skin } => write!(f, "skin {skin} has no materials, or a mesh that does not exist"),
            Self::MorphWeights { mesh, weights, morphs } => {
                write!(f, "mesh {mesh} has {weights} morph weights, expected a multiple of {morphs} morphs")
            }
            Self::TooManyPoses { matrices, allowed } => {
                write!(
                    f,
                    "the evaluated and listed animations need {matrices} matrices in the file, the limit is {allowed}"
                )
            }
            Self::TooManyChannels { allowed } => {
                write!(f, "the animations need more than {allowed} channels, the limit of the format's writer")
            }
            Self::NotFinite { what } => write!(f, "{what} contain a non-finite number"),
            Self::ReadOnly { format } => write!(f, "the format {format} can only be read"),
            Self::NotBuiltIn { feature } => {
                write!(f, "built without the feature `{feature}`, which writes this format")
            }
            Self::OutOfReach { bone } => {
                write!(f, "bone {bone} is farther away, or larger, than a reader of the format can represent")
            }
            Self::TooLarge { bytes } => write!(f, "the file would have {bytes} bytes, the limit is 4294967295"),
        }
    }
}

impl std::error::Error for WriteError {}
