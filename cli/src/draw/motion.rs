//! Motion of a model while it is drawn: a fall, an animation, or a turn.

use std::f32::consts::TAU;
use std::sync::Arc;

use skelobj::Model;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{Animation, FrameState};
use skelobj::pose::{self, PoseSource};

use super::shot::{Faults, Shot, Stamp};
use super::timeline::{End, Kind, Moment, Timeline};
use crate::error::CliError;
use crate::fall::Fall;

/// Motion of a model.
pub enum Motion {
    /// Fall of its ragdoll.
    Drop(Box<Fall>),
    /// Animation with its number, on an entity at some place.
    Animation(Arc<Model>, usize, Vec3),
    /// Views from all around of a model that does not move, in the bind pose or in the animation with a number.
    Turn(Arc<Model>, Option<usize>, Vec3),
}

/// Duration of a whole turn, seconds.
const TURN: f32 = 4.0;
/// Maximum duration of an animation in a file that moves, seconds.
const LONGEST: f32 = 60.0;
/// Maximum number of matrices of all moments: 400 MB.
const MAX_MATRICES: usize = 1 << 23;

/// Greatest number of moments of an animation that are compared to see whether it moves.
const COMPARED: usize = 256;

/// Rate of a model's frames where no animation has more than one, frames per second.
const FRAME_RATE: f32 = 10.0;

impl Motion {
    /// Returns the first animation that moves, or all frames of a model that names each of them, or views from all
    /// around.
    pub fn of_model(mut model: Model, at: Vec3) -> Self {
        let mut moving = (0..model.animations.len()).find(|number| moves(&model, *number));
        let has_runs = model.animations.iter().any(|animation| animation.pose_count() > 1);
        if moving.is_none() && !has_runs && model.frame_count() > 1 {
            let frames = model.frame_count() as u32;
            model.animations.push(Animation::frames("all frames", 0, frames, FRAME_RATE, false));
            moving = Some(model.animations.len() - 1).filter(|number| moves(&model, *number));
        }
        let model = Arc::new(model);
        moving.map_or(Self::Turn(model.clone(), None, at), |number| Self::Animation(model, number, at))
    }

    /// Returns an animation, or views from all around if it does not move.
    pub fn of_animation(model: Model, number: usize, at: Vec3) -> Self {
        let moves = moves(&model, number);
        let model = Arc::new(model);
        if moves { Self::Animation(model, number, at) } else { Self::Turn(model, Some(number), at) }
    }

    /// Returns the model.
    pub fn model(&self) -> &Arc<Model> {
        match self {
            Self::Drop(fall) => &fall.test.model,
            Self::Animation(model, ..) | Self::Turn(model, ..) => model,
        }
    }

    /// Returns at most `count` telling moments. Of a fall these are its turning points, and between them moments with
    /// equal amounts of motion. Animations are divided equally.
    pub fn moments(&self, count: usize) -> Result<Vec<Shot>, CliError> {
        match self {
            Self::Drop(fall) => {
                let mut timeline = Timeline::new(fall.test.level.is_none());
                fall.run(|frame| timeline.watch(frame))?;
                fallen(fall, &timeline.moments(count))
            }
            Self::Animation(model, number, at) => Ok(played(model, *number, *at, count)),
            Self::Turn(model, number, at) => Ok(turned(model, *number, *at, count)),
        }
    }

    /// Returns the moments of the whole motion at a rate per second.
    ///
    /// # Errors
    /// [`CliError::Picture`] if the bones of all moments take too much memory.
    pub fn frames(&self, rate: f32) -> Result<Vec<Shot>, CliError> {
        let longest = match self {
            Self::Drop(fall) => fall.test.play + fall.test.seconds,
            Self::Animation(model, number, _) => {
                model.animations.get(*number).map_or(0.0, |animation| animation.duration().min(LONGEST))
            }
            Self::Turn(..) => TURN,
        };
        let count = ((longest * rate).round() as usize).max(1);
        let matrices = count.saturating_mul(self.model().skeleton.len());
        if matrices > MAX_MATRICES {
            return Err(CliError::Picture(format!("{count} moments have {matrices} bones; draw a PNG file instead")));
        }
        match self {
            Self::Drop(fall) => {
                let (mut step, mut moments) = (0, Vec::new());
                let (mut next, mut end) = (None, End::default());
                fall.run(|frame| {
                    end.watch(frame);
                    // A step that is a little early counts, because times are rounded.
                    let is_due = frame.time + 1e-4 >= *next.get_or_insert(frame.time);
                    if is_due {
                        next = next.map(|next| next + 1.0 / rate);
                        let kind = if frame.time < 0.0 { Kind::Animated } else { Kind::Between };
                        moments.push(Moment { step, kind });
                    }
                    step += 1;
                })?;
                if let Some(last) = moments.last_mut() {
                    *last = Moment { step: step - 1, kind: end.kind() };
                }
                fallen(fall, &moments)
            }
            Self::Animation(model, number, at) => Ok(played(model, *number, *at, count)),
            Self::Turn(model, number, at) => Ok(turned(model, *number, *at, count)),
        }
    }
}

/// Returns moments of a fall. It is deterministic, so it runs again.
fn fallen(fall: &Fall, moments: &[Moment]) -> Result<Vec<Shot>, CliError> {
    let mut wanted = moments.iter().peekable();
    let mut shots = Vec::with_capacity(moments.len());
    let mut step = 0;
    fall.run(|frame| {
        if let Some(Moment { kind, .. }) = wanted.next_if(|moment| moment.step == step) {
            shots.push(Shot::of_drop(&fall.test, frame, *kind));
        }
        step += 1;
    })?;
    Ok(shots)
}

/// Returns moments of an animation at equal distances. The end of one that loops is its beginning.
fn played(model: &Model, number: usize, at: Vec3, count: usize) -> Vec<Shot> {
    let Some(animation) = model.animations.get(number) else { return Vec::new() };
    let duration = animation.duration().min(LONGEST);
    let count = if duration > 0.0 { count } else { 1 };
    let parts = if animation.looping { count } else { count - 1 }.max(1) as f32;
    let shot = |part: usize| {
        let time = duration * part as f32 / parts;
        let frame = FrameState::single(number, time.into());
        posed(model, &frame, Stamp::Seconds(time), Mat3x4::from_translation(at))
    };
    (0..count).map(shot).collect()
}

/// Returns `true` if an animation has moments that differ in a bone, a vertex or a morph.
fn moves(model: &Model, number: usize) -> bool {
    let Some(animation) = model.animations.get(number).filter(|animation| animation.pose_count() > 1) else {
        return false;
    };
    let mut bones = vec![Mat3x4::IDENTITY; model.skeleton.len()];
    let mut first: Option<Vec<Mat3x4>> = None;
    let moments = animation.pose_count().min(COMPARED);
    for moment in 0..moments {
        let time = f64::from(animation.duration()) * moment as f64 / moments as f64;
        pose::sample(PoseSource { model, frame: &FrameState::single(number, time) }, 0..bones.len(), &mut bones);
        let first = first.get_or_insert_with(|| bones.clone());
        // Mixing equal poses rounds.
        let differ = |(a, b): (&f32, &f32)| (a - b).abs() > 1e-4 * a.abs().max(1.0);
        if first.iter().zip(&bones).any(|(a, b)| a.0.iter().zip(&b.0).any(differ)) {
            return true;
        }
    }
    let frames = || (0..animation.pose_count()).filter_map(|pose| animation.frame_of(pose));
    model.meshes.iter().any(|mesh| {
        let (vertices, weights) = (mesh.positions.len(), mesh.morphs.len());
        let positions = |frame: usize| mesh.frames.positions.get(frame * vertices..(frame + 1) * vertices);
        let strengths = |frame: usize| mesh.morph_weights.get(frame * weights..(frame + 1) * weights);
        let Some(first) = frames().next() else { return false };
        frames().any(|frame| positions(frame) != positions(first) || strengths(frame) != strengths(first))
    })
}

/// Returns views of a model that is turned once around, in the bind pose or at the start of an animation.
fn turned(model: &Model, number: Option<usize>, at: Vec3, count: usize) -> Vec<Shot> {
    let frame = number.map_or_else(FrameState::default, |number| FrameState::single(number, 0.0));
    let shot = |part: usize| {
        let turn = part as f32 / count as f32;
        let (sin, cos) = (TAU * turn).sin_cos();
        let world = Mat3x4::from_columns(Vec3::new(cos, sin, 0.0), Vec3::new(-sin, cos, 0.0), Vec3::Z, at);
        posed(model, &frame, Stamp::Degrees(360.0 * turn), world)
    };
    (0..count).map(shot).collect()
}

fn posed(model: &Model, frame: &FrameState, stamp: Stamp, world: Mat3x4) -> Shot {
    let bones = model.skeleton.len();
    let mut relative = vec![Mat3x4::IDENTITY; bones];
    pose::sample(PoseSource { model, frame }, 0..bones, &mut relative);
    let mut absolute = relative.clone();
    pose::to_model_space(model.skeleton.parents(), &relative, &mut absolute);
    Shot {
        stamp,
        kind: Kind::Between,
        bones: absolute,
        frame: *frame,
        world,
        bodies: Vec::new(),
        faults: Faults::default(),
        water: None,
    }
}
