//! A character walks up stairs, with its feet on the steps.
//!
//! cargo run --example feet
//! cargo run --example feet -- feet.iqm && skelobj draw feet.iqm --anim stairs
//!
//! The walk is animated for a flat floor. Each frame, a trace finds the floor under each foot; the entity rises with
//! the floor, the pelvis sinks as far as the lower foot needs it, and both legs reach for their places.
//!
//! With a path, the example writes the walk and the stairs as a model.

use skelobj::math::{EntityTransform, Mat3x4, Quat, Vec3};
use skelobj::model::{Animation, Bone, FrameState, Influences, Mesh, Skeleton};
use skelobj::object::{Build, Space};
use skelobj::pose::{EndRotation, Reach};
use skelobj::runtime::{ModelId, ObjectId, Trace};
use skelobj::{Model, Runtime, assets, write};

const FRAME_TIME: f32 = 1.0 / 60.0;
/// Speed at which the feet of the walk do not slide, units per second.
const WALK_SPEED: f32 = 47.0;
/// Depth and height of a step, Quake units; 16 is the highest step in Quake's maps.
const STEP: Vec3 = Vec3::new(24.0, 0.0, 6.0);
const STEPS: usize = 8;
/// Start of the stairs.
const START: f32 = 40.0;
/// End of the stairs, behind the last step's landing.
const END: f32 = 292.0;
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

/// Frame of the walk.
pub struct Frame {
    pub feet: [Foot; 2],
    /// Bones in local space, the root in the world.
    pub bones: Vec<Mat3x4>,
}

/// Legs of a model, prepared once.
struct Legs {
    reaches: [Reach; 2],
    ankles: [usize; 2],
    pelvis: usize,
}

/// Returns the centre and the size of each box of the stairs, from the floor to a tread and to the end of the stairs.
fn stairs() -> impl Iterator<Item = (Vec3, Vec3)> {
    (0..STEPS).map(|step| {
        let (front, height) = (START + step as f32 * STEP.x, (step + 1) as f32 * STEP.z);
        let size = Vec3::new(END - front, 64.0, height);
        (Vec3::new(front + size.x / 2.0, 0.0, height / 2.0), size)
    })
}

/// Walks up the stairs; returns each frame.
///
/// # Errors
/// Any error of the runtime.
pub fn walk(frames: usize) -> Result<Vec<Frame>, Box<dyn std::error::Error>> {
    let mut runtime = Runtime::default();
    runtime.set_files(|name: &str| (name == "mannequin.iqm").then(|| assets::MANNEQUIN_IQM.to_vec()));
    runtime.physics_mut().add_floor(0.0)?;
    for (centre, size) in stairs() {
        runtime.physics_mut().add_box(centre, size, Quat::IDENTITY)?;
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
        let feet = legs.pose(&mut runtime, object, model, time, &mut entity, &mut lifts)?;
        let mut bones = runtime.object(object).ok_or("no object")?.pose().bones().to_vec();
        bones[0] = Mat3x4::from_translation(entity.origin) * bones[0];
        story.push(Frame { feet, bones });
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

/// Returns the walk as an animation of the mannequin, with the stairs on a bone of their own.
fn as_model(story: &[Frame]) -> Result<Model, Box<dyn std::error::Error>> {
    let mut model = assets::mannequin();
    let stairs_bone = model.skeleton.len();
    let mut bones: Vec<Bone> = (0..stairs_bone)
        .map(|bone| Bone {
            name: model.skeleton.names()[bone].clone(),
            parent: model.skeleton.parent(bone),
            bind: model.skeleton.bind_local()[bone],
        })
        .collect();
    bones.push(Bone { name: "stairs".into(), parent: None, bind: Mat3x4::IDENTITY });
    model.skeleton = Skeleton::new(bones)?;
    model.frames = story.iter().flat_map(|frame| frame.bones.iter().copied().chain([Mat3x4::IDENTITY])).collect();
    model.bounds.clear();
    model.animations = vec![Animation::frames("stairs", 0, story.len() as u32, 1.0 / FRAME_TIME, false)];

    let mut mesh = Mesh { name: "stairs".into(), material: "stairs".into(), ..Mesh::default() };
    for (centre, size) in stairs() {
        for axis in 0..3 {
            let [normal, across, along] = [0, 1, 2].map(|turn| Vec3::AXES[(axis + turn) % 3]);
            for side in [-0.5, 0.5] {
                let first = mesh.positions.len() as u32;
                for (u, v) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
                    let corner = centre + (normal * side + across * u + along * v) * size;
                    mesh.positions.push(corner.to_array());
                    mesh.normals.push((normal * (2.0 * side)).to_array());
                    mesh.influences
                        .push(Influences { bones: [stairs_bone as u16, 0, 0, 0], weights: [1.0, 0.0, 0.0, 0.0] });
                }
                // Triangles are clockwise, seen from outside.
                let corners = if side < 0.0 { [0, 1, 2, 3] } else { [3, 2, 1, 0] }.map(|corner| first + corner);
                mesh.triangles.push([corners[0], corners[1], corners[2]]);
                mesh.triangles.push([corners[0], corners[2], corners[3]]);
            }
        }
    }
    model.meshes.push(mesh);
    Ok(model)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let story = walk(360)?;
    for (frame, Frame { feet, .. }) in story.iter().enumerate().step_by(20) {
        let [left, right] = feet.map(|foot| {
            format!("x {:6.1}, {:5.2} above the floor at {:4.1}", foot.ankle.x, foot.ankle.z - foot.floor, foot.floor)
        });
        println!("{:4.2} s   left {left}   right {right}", frame as f32 * FRAME_TIME);
    }
    if let Some(path) = std::env::args().nth(1) {
        std::fs::write(path, write::iqm(&as_model(&story)?)?)?;
    }
    Ok(())
}
