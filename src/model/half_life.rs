//! Parts that only Half-Life's studio models have.

use std::sync::Arc;

use super::Name;

/// Bone controllers, sequences, textures: the parts of a studio model that no other format knows.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct HalfLifeData {
    /// Channels and controllers of the bones, in the skeleton's order.
    pub bones: Arc<[HalfLifeBone]>,
    /// Bone controllers, which [`PoseParameters::controllers`](super::PoseParameters::controllers) moves.
    pub controllers: Arc<[BoneController]>,
    /// Data of the sequences: one per animation, in the same order.
    pub sequences: Vec<Sequence>,
    /// Origins of the model's meshes, in the same order.
    pub meshes: Vec<HalfLifeMesh>,
    /// Textures, of this file or the one beside it.
    pub textures: Vec<HalfLifeTexture>,
    /// Number of nodes in the transition table.
    pub nodes: usize,
    /// The next node (1-based, 0 for none) on the way from node `row` to node `column`, row by row.
    pub transitions: Vec<u8>,
}

/// A bone of a studio model: six channels, positions along X, Y and Z and angles (radians) about them.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct HalfLifeBone {
    /// Flag bits.
    pub flags: i32,
    /// For each channel the controller that adds to it, an index into [`HalfLifeData::controllers`], or -1.
    pub controllers: [i32; 6],
    /// The channels of the bind pose.
    pub values: [f32; 6],
    /// Factors from an animation's numbers to channel values.
    pub scales: [f32; 6],
}

/// A control that moves bones apart from any animation.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct BoneController {
    /// The bone it was made for (which bones it moves stands in [`HalfLifeBone::controllers`]).
    pub bone: i32,
    /// A motion bit, with [`WRAPS`](Self::WRAPS).
    pub kind: i32,
    /// One end of its range; Quake units, or degrees for the angles.
    pub start: f32,
    /// The other end.
    pub end: f32,
    /// Rest position, 0 to 255 over its range.
    pub rest: i32,
    /// Number of the input that moves it: 0 to 3, 4 for the mouth.
    pub input: i32,
}

impl BoneController {
    /// Motion bits of the three angles, about X, Y and Z.
    pub const ANGLES: i32 = 0x38;
    /// Bit of a controller that turns round and round: its input is not clamped.
    pub const WRAPS: i32 = 0x8000;

    /// Computes what an input of `value` adds to a channel: Quake units or radians.
    pub fn adjustment(&self, value: f32) -> f32 {
        let value = if value.is_finite() { value } else { 0.0 };
        let clamped = match self.kind & Self::WRAPS {
            0 => value.max(self.start.min(self.end)).min(self.end.max(self.start)),
            _ => value,
        };
        if self.kind & Self::ANGLES != 0 { clamped.to_radians() } else { clamped }
    }
}

/// Data of a studio model's animation besides its poses.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Sequence {
    /// Flag bits; 1 = loops.
    pub flags: i32,
    /// Activity in the game: 0 nothing, 1 standing idle, 3 walking.
    pub activity: i32,
    /// Weight among the sequences of the same activity.
    pub activity_weight: i32,
    /// Number of frames.
    pub frames: u32,
    /// Whether its frames were found; the bind pose shows where they were not.
    pub has_data: bool,
    /// Motion bits: what of the motion the game is to do itself.
    pub motion_type: i32,
    /// The bone that motion was taken from.
    pub motion_bone: i32,
    /// Total distance that it moves; Quake units.
    pub linear_movement: [f32; 3],
    /// Smallest and largest corner of its bounds, as stored; often zero.
    pub bounds: [[f32; 3]; 2],
    /// Number of variants that [`PoseParameters::blends`](super::PoseParameters::blends) chooses from: 4 and 9 are grids of
    /// two axes, other numbers a row.
    pub blends: u32,
    /// The motion bit that each axis of the blends stands for.
    pub blend_type: [i32; 2],
    /// Value at the start of each axis, in that motion's unit.
    pub blend_start: [f32; 2],
    /// Value at the end of each axis.
    pub blend_end: [f32; 2],
    /// The sequence group that holds its frames; 0 = the model file.
    pub group: i32,
    /// The transition node it starts from; 0 = any.
    pub entry_node: i32,
    /// The transition node it leads to; 0 = any.
    pub exit_node: i32,
    /// Bit 0: plays backwards for the way back.
    pub node_flags: i32,
    /// The sequence that follows.
    pub next: i32,
}

/// The origin of a mesh in a studio model.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct HalfLifeMesh {
    /// Its body part.
    pub body_part: usize,
    /// Number of its model within the body part; one of these shows at a time.
    pub model: usize,
    /// Number of vertices of that model, over all its meshes.
    pub model_vertices: usize,
    /// Index of each of the mesh's vertices among these: texture coordinates split them.
    pub vertices: Vec<u16>,
}

/// A texture's name and size; its pixels are not read.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct HalfLifeTexture {
    /// File name.
    pub name: Name,
    /// 1 flat, 2 chrome, 4 full bright, 0x40 masked.
    pub flags: i32,
    /// Pixels.
    pub width: i32,
    /// Pixels.
    pub height: i32,
}
