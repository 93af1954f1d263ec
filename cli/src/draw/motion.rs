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
    /// Views from all around of a model that does not move.
    Turn(Arc<Model>, Vec3),
}

/// Duration of a whole turn, seconds.
const TURN: f32 = 4.0;
/// Maximum duration of an animation in a file that moves, seconds.
const LONGEST: f32 = 60.0;
/// Maximum number of matrices of all moments: 400 MB.
const MOST_MATRICES: usize = 1 << 23;

/// Rate of a model's frames where no animation has more than one, frames per second.
const FRAME_RATE: f32 = 10.0;

impl Motion {
    /// Returns the first animation that moves, or all frames of a model that names each of them, or views from all
    /// around.
    pub fn of_model(mut model: Model, at: Vec3) -> Self {
        let mut moving = model.animations.iter().position(|animation| animation.pose_count() > 1);
        if moving.is_none() && model.frame_count() > 1 {
            let frames = model.frame_count() as u32;
            moving = Some(model.animations.len());
            model.animations.push(Animation::frames("all frames", 0, frames, FRAME_RATE, false));
        }
        let model = Arc::new(model);
        moving.map_or(Self::Turn(model.clone(), at), |number| Self::Animation(model, number, at))
    }

    /// Returns the model.
    pub fn model(&self) -> &Arc<Model> {
        match self {
            Self::Drop(fall) => &fall.test.model,
            Self::Animation(model, ..) | Self::Turn(model, _) => model,
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
            Self::Turn(model, at) => Ok(turned(model, *at, count)),
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
        if matrices > MOST_MATRICES {
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
            Self::Turn(model, at) => Ok(turned(model, *at, count)),
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

/// Returns views of a model that is turned once around.
fn turned(model: &Model, at: Vec3, count: usize) -> Vec<Shot> {
    let shot = |part: usize| {
        let turn = part as f32 / count as f32;
        let (sin, cos) = (TAU * turn).sin_cos();
        let world = Mat3x4::from_columns(Vec3::new(cos, sin, 0.0), Vec3::new(-sin, cos, 0.0), Vec3::Z, at);
        posed(model, &FrameState::default(), Stamp::Degrees(360.0 * turn), world)
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
