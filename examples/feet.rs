//! A character walks up stairs, with its feet on the steps.
//!
//! cargo run --example feet
//!
//! The walk is animated for a flat floor. Each frame, a trace finds the floor under each foot; the entity rises with
//! the floor, the pelvis sinks as far as the lower foot needs it, and both legs reach for their places.

use skelobj::math::{EntityTransform, Mat3x4, Quat, Vec3};
use skelobj::model::FrameState;
use skelobj::object::{Build, Space};
use skelobj::pose::{EndRotation, Reach};
use skelobj::runtime::{ModelId, ObjectId, Trace};
use skelobj::{Runtime, assets};

const FRAME_TIME: f32 = 1.0 / 60.0;
/// Speed at which the feet of the walk do not slide, units per second.
const WALK_SPEED: f32 = 47.0;
/// Depth and height of a step, Quake units; 16 is the highest step in Quake's maps.
const STEP: Vec3 = Vec3::new(24.0, 0.0, 6.0);
const STEPS: usize = 8;
/// Start of the stairs.
const START: f32 = 40.0;
/// Height above the floor, in the animation, at which a foot no longer counts as standing.
const LIFTED: f32 = 8.0;
/// Speed with which a foot follows a change of the floor, units per second: as fast as a leg swings.
const FOLLOW: f32 = 90.0;

/// Foot of a frame.
#[derive(Clone, Copy, Debug)]
pub struct Foot {
    /// Place of the ankle, world space.
    pub ankle: Vec3,
    /// Height of the floor under the ankle.
    pub floor: f32,
    /// Height of the ankle above the floor in the animation.
    pub animated: f32,
    /// Distance by which the leg misses its place.
    pub missed: f32,
}

/// Legs of a model, prepared once.
struct Legs {
    reaches: [Reach; 2],
    ankles: [usize; 2],
    pelvis: usize,
}

/// Walks up the stairs; returns the feet of each frame.
///
/// # Errors
/// Any error of the runtime.
pub fn walk(frames: usize) -> Result<Vec<[Foot; 2]>, Box<dyn std::error::Error>> {
    let mut runtime = Runtime::default();
    runtime.set_files(|name: &str| (name == "mannequin.iqm").then(|| assets::MANNEQUIN_IQM.to_vec()));
    runtime.physics_mut().add_floor(0.0)?;
    for step in 0..STEPS {
        // Each box reaches from the floor to its tread, and to the end of the stairs.
        let (front, height) = (START + step as f32 * STEP.x, (step + 1) as f32 * STEP.z);
        let size = Vec3::new(300.0, 128.0, height);
        runtime.physics_mut().add_box(Vec3::new(front + size.x / 2.0, 0.0, height / 2.0), size, Quat::IDENTITY)?;
    }
    let model = runtime.load_model("mannequin.iqm")?;
    let object = runtime.create_object(model, Space::Local)?;
    let legs = {
        let skeleton = &runtime.model(model).ok_or("no model")?.skeleton;
        let find = |name: &str| skeleton.find(name).ok_or("no such bone");
        let leg =
            |text: &str| Ok::<_, Box<dyn std::error::Error>>(Reach::parse(skeleton, text)?.with_pole(Some(Vec3::X)));
        Legs {
            reaches: [leg("thigh_l, shin_l, foot_l")?, leg("thigh_r, shin_r, foot_r")?],
            ankles: [find("foot_l")?, find("foot_r")?],
            pelvis: find("pelvis")?,
        }
    };
    let mut entity = EntityTransform::IDENTITY;
    let mut lifts = [0.0f32; 2];
    let mut story = Vec::new();
    for frame in 0..frames {
        entity.origin.x += WALK_SPEED * FRAME_TIME;
        let time = f64::from(frame as f32 * FRAME_TIME);
        story.push(legs.pose(&mut runtime, object, model, time, &mut entity, &mut lifts)?);
        runtime.step(FRAME_TIME)?;
    }
    Ok(story)
}

impl Legs {
    /// Poses the character for a frame, and lets its entity rise with the floor.
    fn pose(
        &self,
        runtime: &mut Runtime,
        object: ObjectId,
        model: ModelId,
        time: f64,
        entity: &mut EntityTransform,
        lifts: &mut [f32; 2],
    ) -> Result<[Foot; 2], Box<dyn std::error::Error>> {
        runtime.build(object, model, &FrameState::single(1, time), &Build::REPLACE)?;
        let posed = runtime.object(object).ok_or("no object")?;
        let animated = self.ankles.map(|ankle| posed.model_space(ankle).unwrap_or(Mat3x4::IDENTITY));

        // The floor under each ankle, and the slope of it.
        let below = |at: Vec3| -> Result<(f32, Vec3), Box<dyn std::error::Error>> {
            let (start, end) = (at + Vec3::Z * 32.0, at - Vec3::Z * 64.0);
            let hit = runtime.trace(&Trace::line(start, end))?;
            Ok(hit.map_or((at.z, Vec3::Z), |hit| (hit.point.z, hit.normal)))
        };
        let flat = |place: Vec3| Vec3::new(entity.origin.x + place.x, entity.origin.y + place.y, entity.origin.z);
        let mut floors = [(0.0, Vec3::Z); 2];
        for (floor, ankle) in floors.iter_mut().zip(&animated) {
            *floor = below(flat(ankle.origin()))?;
        }
        // A foot in the air does not jump onto the next step: its lift changes at a speed.
        for (lift, (floor, _)) in lifts.iter_mut().zip(floors) {
            *lift += (floor - *lift).clamp(-FOLLOW * FRAME_TIME, FOLLOW * FRAME_TIME);
        }
        // The entity stands on the lower foot's floor, smoothly.
        let ground = lifts[0].min(lifts[1]);
        entity.origin.z += (ground - entity.origin.z).clamp(-FOLLOW * FRAME_TIME, FOLLOW * FRAME_TIME);

        let posed = runtime.object_mut(object).ok_or("no object")?;
        // The pelvis sinks where the entity stands higher than a foot needs.
        let sink = (ground - entity.origin.z).min(0.0);
        let mut pelvis = posed.local_space(self.pelvis).ok_or("no pelvis")?;
        pelvis = pelvis.with_origin(pelvis.origin() + Vec3::Z * sink);
        posed.set_bone(self.pelvis, pelvis)?;

        let mut feet = [Foot { ankle: Vec3::ZERO, floor: 0.0, animated: 0.0, missed: 0.0 }; 2];
        for (side, foot) in feet.iter_mut().enumerate() {
            let place = animated[side].origin();
            // A foot is never below the present floor, even before its lift has followed.
            let (floor, normal) = floors[side];
            let lift = lifts[side].max(floor + place.z.min(LIFTED) - place.z);
            let target = place + Vec3::Z * (lift - entity.origin.z);
            let slope = EndRotation::KeptThen(Quat::from_rotation_arc(Vec3::Z, normal.normalize_or(Vec3::Z)));
            let missed = posed.reach(&self.reaches[side].clone().with_end(slope), target)?;
            let ankle = posed.model_space(self.ankles[side]).ok_or("no ankle")?.origin() + entity.origin;
            *foot = Foot { ankle, floor, animated: place.z, missed };
        }
        Ok(feet)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (frame, feet) in walk(360)?.iter().enumerate().step_by(20) {
        let [left, right] = feet.map(|foot| {
            format!("x {:6.1}, {:5.2} above the floor at {:4.1}", foot.ankle.x, foot.ankle.z - foot.floor, foot.floor)
        });
        println!("{:4.2} s   left {left}   right {right}", frame as f32 * FRAME_TIME);
    }
    Ok(())
}
