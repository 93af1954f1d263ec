//! Moment of a motion: what a model, its ragdoll and its joints are like, before anything is drawn.

use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::FrameState;
use skelobj::ragdoll::{BodyState, DropFrame};
use skelobj::{DropTest, Physics, Ragdoll};

use super::timeline::Kind;

/// Label of a moment.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Stamp {
    /// Time of a motion.
    Seconds(f32),
    /// Angle by which a model is turned.
    Degrees(f32),
}

/// Moment of a motion.
#[derive(Clone)]
pub struct Shot {
    /// Label.
    pub stamp: Stamp,
    /// Kind of the moment.
    pub kind: Kind,
    /// Bones, model space.
    pub bones: Vec<Mat3x4>,
    /// State of the animations, for vertices that move without bones.
    pub frame: FrameState,
    /// Matrix from model space to world space.
    pub world: Mat3x4,
    /// Bodies of the ragdoll.
    pub bodies: Vec<BodyState>,
    /// Faults of the joints.
    pub faults: Faults,
    /// Height of the surface of the water.
    pub water: Option<f32>,
}

/// Faults of a ragdoll's joints, world space.
#[derive(Clone, Default)]
pub struct Faults {
    /// Pair of positions of each joint that is apart.
    pub gaps: Vec<[Vec3; 2]>,
    /// Position of each joint that is beyond a stop.
    pub stops: Vec<Vec3>,
}

/// Size of a gap that is drawn, Quake units.
const GAP: f32 = 0.25;
/// Excess beyond a stop that is drawn, radians; for sliders, Quake units. Stops are soft, so that a blow bends them.
const EXCESS: f32 = 0.1;

impl Shot {
    /// Returns the moment of a drop test's frame.
    pub fn of_drop(test: &DropTest, frame: &DropFrame<'_>, kind: Kind) -> Self {
        let played = (frame.time + test.play).clamp(0.0, (test.play + test.fade).max(0.0));
        Self {
            stamp: Stamp::Seconds(frame.time),
            kind,
            bones: frame.bones.to_vec(),
            frame: FrameState::single(test.animation.unwrap_or(usize::MAX), played.into()),
            world: *frame.entity,
            bodies: frame.ragdoll.bodies(frame.physics).collect(),
            faults: Faults::of(frame.ragdoll, frame.physics),
            water: test.water,
        }
    }
}

impl Faults {
    /// Returns the faults of joints between bodies that do not follow the animation.
    pub fn of(ragdoll: &Ragdoll, physics: &Physics) -> Self {
        let limp: Vec<bool> = ragdoll.bodies(physics).map(|body| body.strength == 0.0).collect();
        let is_limp = |body: usize| limp.get(body).copied().unwrap_or(false);
        let joints = ragdoll.joints(physics).zip(&ragdoll.doll().joints);
        let held = joints.filter(|(_, joint)| is_limp(joint.body1) || joint.body2.is_some_and(is_limp));
        let mut faults = Self::default();
        for (state, _) in held {
            if state.gap > GAP {
                faults.gaps.push(state.anchors);
            }
            if state.excess[0].max(state.excess[1]).max(state.twist_excess) > EXCESS {
                faults.stops.push((state.anchors[0] + state.anchors[1]) * 0.5);
            }
        }
        faults
    }

    /// Adds the faults of another ragdoll.
    pub fn extend(&mut self, other: &Self) {
        self.gaps.extend(&other.gaps);
        self.stops.extend(&other.stops);
    }
}
