//! Errors of writers.

use std::fmt;

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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
        /// The animation, 0-based.
        animation: usize,
    },
    /// A skin without materials, or for a mesh that does not exist.
    Skin {
        /// The skin, 0-based.
        skin: usize,
    },
    /// Strengths of morphs that are no whole number of frames.
    MorphWeights {
        /// The mesh, 0-based.
        mesh: usize,
        /// Number of strengths.
        weights: usize,
        /// Number of morphs.
        morphs: usize,
    },
    /// A number that is NaN or infinite.
    NotFinite {
        /// The numbers of which it is one.
        what: &'static str,
    },
    /// Animations that are evaluated, or list their frames, and would take too many matrices as frames of the file.
    TooManyPoses {
        /// Matrices that they would take.
        matrices: u64,
        /// Matrices that they may take.
        allowed: u64,
    },
    /// A format that is read, but not written.
    ReadOnly {
        /// The format's name.
        format: &'static str,
    },
    /// A format whose writer this build of the library does not have.
    NotBuiltIn {
        /// The feature of the crate that turns it on.
        feature: &'static str,
    },
    /// A file beyond the four gigabytes that the format's offsets reach.
    TooLarge {
        /// Bytes that the file would have.
        bytes: usize,
    },
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ArrayLength { mesh, array, found, expected } => {
                write!(f, "mesh {mesh} has {found} {array} for {expected} vertices")
            }
            Self::TriangleIndex { mesh, triangle } => {
                write!(f, "triangle {triangle} of mesh {mesh} names a vertex that does not exist")
            }
            Self::BoneIndex { mesh, vertex } => {
                write!(f, "vertex {vertex} of mesh {mesh} hangs on a bone that does not exist")
            }
            Self::NoBindPose { mesh } => write!(f, "mesh {mesh} hangs on bones that have no bind pose"),
            Self::FrameLength { matrices, bones } => {
                write!(f, "{matrices} matrices are no whole number of frames of {bones} bones")
            }
            Self::BoundsCount { found, expected } => write!(f, "{found} bounds for {expected} frames"),
            Self::AnimationRange { animation } => {
                write!(f, "animation {animation} has no frames or names some that do not exist")
            }
            Self::AnimationRate { animation } => write!(f, "animation {animation} has a rate that is not above zero"),
            Self::Skin { skin } => write!(f, "skin {skin} has no materials or dresses a mesh that does not exist"),
            Self::MorphWeights { mesh, weights, morphs } => {
                write!(f, "mesh {mesh} has {weights} strengths of morphs, no whole number of frames of {morphs}")
            }
            Self::TooManyPoses { matrices, allowed } => {
                write!(
                    f,
                    "the animations take {matrices} matrices as frames of their own, at most {allowed} are written"
                )
            }
            Self::NotFinite { what } => write!(f, "{what} are not all finite"),
            Self::ReadOnly { format } => write!(f, "{format} files are not written"),
            Self::NotBuiltIn { feature } => {
                write!(f, "built without the feature `{feature}`, which writes this format")
            }
            Self::TooLarge { bytes } => write!(f, "{bytes} bytes are more than 32-bit offsets reach"),
        }
    }
}

impl std::error::Error for WriteError {}
