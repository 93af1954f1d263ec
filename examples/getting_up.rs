//! A character is shot, falls, lies, gets up, and walks on.
//!
//! cargo run --example getting_up

use skelobj::math::{EntityTransform, Vec3};
use skelobj::model::FrameState;
use skelobj::object::{Build, Space};
use skelobj::ragdoll::{BodyState, Command, Flinch};
use skelobj::runtime::{ModelId, ObjectId};
use skelobj::{Ragdoll, Runtime, assets};

const FRAME_TIME: f32 = 1.0 / 60.0;
/// Speed at which the feet of the walk do not slide, units per second.
const WALK_SPEED: f32 = 47.0;
/// Time in which the pose of the corpse becomes that of the animation, seconds.
const BLEND: f32 = 0.6;

/// State of the character.
enum State {
    /// Plays the walk.
    Walking,
    /// Has been limp for a number of frames.
    Lying(u32),
    /// Plays an animation of the model `get_ups`.
    GettingUp { animation: usize, time: f64 },
}

/// Character with its models.
struct Character {
    state: State,
    entity: EntityTransform,
    object: ObjectId,
    body: ModelId,
    get_ups: ModelId,
    /// Time in the walk, seconds.
    time: f64,
}

/// Record of a frame.
pub struct Frame {
    /// Bodies of the ragdoll after the frame.
    pub bodies: Vec<BodyState>,
    /// Change of the character's state, if any.
    pub event: Option<String>,
    /// Widest gap at a joint, Quake units.
    pub gap: f32,
}

/// Plays the story with a shot from this direction (mass * units/s); returns its frames.
///
/// # Errors
/// Any error of the runtime.
pub fn play(shot: Vec3) -> Result<Vec<Frame>, Box<dyn std::error::Error>> {
    let mut runtime = Runtime::default();
    runtime.set_files(|name: &str| match name {
        "mannequin.iqm" => Some(assets::MANNEQUIN_IQM.to_vec()),
        "mannequin_getup.iqm" => Some(assets::MANNEQUIN_GETUP_IQM.to_vec()),
        "mannequin.doll" => Some(assets::MANNEQUIN_DOLL.to_vec()),
        _ => None,
    });
    runtime.physics_mut().add_floor(0.0)?;
    let body = runtime.load_model("mannequin.iqm")?;
    let get_ups = runtime.load_model("mannequin_getup.iqm")?;
    let object = runtime.create_object(body, Space::Local)?;
    let entity = EntityTransform::IDENTITY;
    let mut character = Character { state: State::Walking, entity, object, body, get_ups, time: 0.0 };
    let mut story = Vec::new();
    for frame in 0..720 {
        let shot = (frame == 60).then_some(shot);
        let event = character.think(shot, &mut runtime)?;
        runtime.step(FRAME_TIME)?;
        let ragdoll = runtime.ragdoll(object).ok_or("no ragdoll")?;
        let gap = ragdoll.joints(runtime.physics()).map(|joint| joint.gap).fold(0.0, f32::max);
        story.push(Frame { bodies: ragdoll.bodies(runtime.physics()).collect(), event, gap });
    }
    Ok(story)
}

impl Character {
    /// Runs a frame of the character. Returns what has happened to it.
    fn think(
        &mut self,
        shot: Option<Vec3>,
        runtime: &mut Runtime,
    ) -> Result<Option<String>, Box<dyn std::error::Error>> {
        let (mut command, mut event) = (Command::Update, None);
        match self.state {
            State::Walking => {
                self.time += f64::from(FRAME_TIME);
                let (sin, cos) = self.entity.angles.y.to_radians().sin_cos();
                self.entity.origin += Vec3::new(cos, sin, 0.0) * WALK_SPEED * FRAME_TIME;
                runtime.build(self.object, self.body, &FrameState::single(1, self.time), &Build::REPLACE)?;
                if shot.is_some() {
                    // The bodies keep the speed of the walk.
                    command = Command::Animate(0.0, None);
                    self.state = State::Lying(0);
                    event = Some("it is shot".to_owned());
                }
            }
            State::Lying(frames) => {
                self.state = State::Lying(frames + 1);
                if frames >= 180 {
                    // A corpse that matches neither animation stays down, and tries again in the next frame.
                    let animations = [0, 1];
                    let found = runtime.match_pose(self.object, self.get_ups, &animations, Ragdoll::NEAR_POSE);
                    if let Ok(found) = found {
                        self.entity = found.entity();
                        // A game traces for the floor, and checks that the entity has room.
                        self.entity.origin.z = 0.0;
                        self.state = State::GettingUp { animation: found.animation, time: found.time };
                        command = Command::Animate(1.0, Some(BLEND));
                        let model = runtime.model(self.get_ups).ok_or("no model")?;
                        let name = &model.animations[found.animation].name;
                        let distance = found.distance;
                        event = Some(format!("it plays {name} from {:.2} s, {distance:.1} units away", found.time));
                    }
                }
            }
            State::GettingUp { .. } => {}
        }
        if let State::GettingUp { animation, time } = self.state {
            runtime.build(self.object, self.get_ups, &FrameState::single(animation, time), &Build::REPLACE)?;
            let time = time + f64::from(FRAME_TIME);
            let model = runtime.model(self.get_ups).ok_or("no model")?;
            let ended = time > f64::from(model.animations[animation].duration());
            self.state = if ended { State::Walking } else { State::GettingUp { animation, time } };
            if ended {
                self.time = 0.0;
                event = Some("it walks on".to_owned());
            }
        }
        let entity = runtime.settings().entity_matrix(&self.entity);
        runtime.ragdoll_command(self.object, &entity, command, None)?;
        if let Some(shot) = shot {
            let chest = runtime.object(self.object).and_then(|object| object.find_bone("chest"));
            let place = self.entity.origin + Vec3::Z * 50.0;
            runtime.ragdoll_impulse(self.object, chest, place, shot, Flinch::default())?;
        }
        Ok(event)
    }
}

#[allow(dead_code)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (name, shot) in [("from the front", Vec3::X * -2500.0), ("from behind", Vec3::X * 2500.0)] {
        println!("A shot {name}:");
        for (number, frame) in play(shot)?.iter().enumerate() {
            if let Some(event) = &frame.event {
                println!("{:5.2} s: {event}", number as f32 * FRAME_TIME);
            }
        }
    }
    Ok(())
}
