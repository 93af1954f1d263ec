//! Data that only studio models of Half-Life have.

use std::sync::Arc;

/// Data of a studio model that no other format has: bone controllers, blends and transitions of sequences, body parts.
///
/// ```
/// use skelobj::Model;
///
/// let file = std::fs::read("../../tests/data/examples/turret.mdl")?;
/// let turret = Model::load("turret.mdl", &file, |_| None)?;
/// let data = turret.half_life.as_ref().ok_or("not a studio model")?;
/// assert_eq!((data.controllers[0].start, data.controllers[0].end), (-45.0, 45.0)); // degrees
/// assert_eq!(data.sequences.len(), turret.animations.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct HalfLifeData {
    /// Bone controllers, whose inputs are [`PoseParameters::controllers`](super::PoseParameters::controllers).
    pub controllers: Arc<[BoneController]>,
    /// Data of the sequences, one per animation, in the same order.
    pub sequences: Vec<Sequence>,
    /// Origins of the model's meshes, one per mesh, in the same order.
    pub meshes: Vec<HalfLifeMesh>,
    /// Number of nodes in the transition table.
    pub nodes: usize,
    /// Next node (1-based, 0 for none) on the way from node `row` to node `column`, row by row.
    pub transitions: Vec<u8>,
}

/// Control that moves bones independently of animations.
///
/// ```
/// use skelobj::Model;
///
/// let file = std::fs::read("../../tests/data/examples/turret.mdl")?;
/// let turret = Model::load("turret.mdl", &file, |_| None)?;
/// let data = turret.half_life.as_ref().ok_or("not a studio model")?;
/// let controller = data.controllers[0];
/// assert_eq!((controller.start, controller.end), (-45.0, 45.0)); // degrees
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct BoneController {
    /// Motion bit, with [`WRAPS`](Self::WRAPS).
    pub(crate) kind: i32,
    /// Start of the range: degrees for angles, otherwise Quake units.
    pub start: f32,
    /// End of the range.
    pub end: f32,
    /// Number of the input: 0 to 3, or 4 for the mouth.
    pub input: i32,
}

impl BoneController {
    /// Motion bits of the three angles, about X, Y and Z.
    const ANGLES: i32 = 0x38;
    /// Bit of a controller that rotates without end: its input is not clamped.
    const WRAPS: i32 = 0x8000;

    /// Returns the amount that an input of `value` adds to a channel: radians for angles, otherwise Quake units.
    ///
    /// The input is clamped to the range unless the controller [`WRAPS`](Self::WRAPS); a non-finite input is treated as
    /// 0.
    pub(crate) fn adjustment(&self, value: f32) -> f32 {
        let value = if value.is_finite() { value } else { 0.0 };
        let clamped = match self.kind & Self::WRAPS {
            0 => value.max(self.start.min(self.end)).min(self.end.max(self.start)),
            _ => value,
        };
        if self.kind & Self::ANGLES != 0 { clamped.to_radians() } else { clamped }
    }
}

/// Data of a sequence of a studio model that its [`Animation`](super::Animation) lacks.
///
/// ```
/// use skelobj::Model;
///
/// let file = std::fs::read("../../tests/data/examples/turret.mdl")?;
/// let turret = Model::load("turret.mdl", &file, |_| None)?;
/// let data = turret.half_life.as_ref().ok_or("not a studio model")?;
/// let idle = turret.find_animation("idle").ok_or("no idle sequence")?;
/// assert_eq!(data.sequences[idle].blends, 1); // no blends to choose from
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Sequence {
    /// Motion bits: the parts of the motion that the game performs.
    pub motion_type: i32,
    /// Total distance that the sequence moves; Quake units.
    pub linear_movement: [f32; 3],
    /// Number of variants that [`PoseParameters::blends`](super::PoseParameters::blends) chooses from. 4 and 9 are
    /// grids with two axes; any other number is a row.
    pub blends: u32,
    /// Motion bit that each axis of the blends stands for.
    pub blend_type: [i32; 2],
    /// Value at the start of each axis, in the unit of the motion.
    pub blend_start: [f32; 2],
    /// Value at the end of each axis, in the unit of the motion.
    pub blend_end: [f32; 2],
    /// Transition node that the sequence starts from; 0 for any.
    pub entry_node: i32,
    /// Transition node that the sequence leads to; 0 for any.
    pub exit_node: i32,
    /// Flag bits; bit 0 means that the sequence plays backwards for the reverse transition.
    pub node_flags: i32,
    /// Number of the sequence that follows.
    pub next: i32,
}

/// Origin of a mesh in a studio model.
///
/// ```
/// use skelobj::model::{HalfLifeData, HalfLifeMesh};
/// let mut data = HalfLifeData::default();
/// for model in [0, 0, 1] { // a body part with two models: bare head, helmet
///     let mut mesh = HalfLifeMesh::default();
///     mesh.model = model;
///     data.meshes.push(mesh);
/// }
/// let helmet = |mesh: &&HalfLifeMesh| mesh.body_part == 0 && mesh.model == 1;
/// assert_eq!(data.meshes.iter().filter(helmet).count(), 1); // draw this one
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct HalfLifeMesh {
    /// Number of the body part.
    pub body_part: usize,
    /// Number of the model in the body part; one of them is shown at a time.
    pub model: usize,
    /// Number of vertices of that model, over all its meshes.
    pub model_vertices: usize,
    /// Index of each vertex of the mesh among the model's vertices, which texture coordinates split.
    pub vertices: Vec<u16>,
}
