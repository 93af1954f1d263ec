//! A character walks up stairs, with its feet on the steps.
//!
//! cargo run --example feet
//! cargo run --example feet -- feet.iqm && skelobj draw feet.iqm --anim stairs
//!
//! The walk is animated for a level floor, and the entity takes each step at once, as the box of a player does. One
//! call a frame places the feet. With a path, the example writes the walk and the stairs as a model.

use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{Animation, Bone, FrameState, Influences, Mesh, Skeleton};
use skelobj::object::{Build, Space};
use skelobj::pose::Feet;
use skelobj::{Model, Runtime, assets, write};

const FRAME_TIME: f32 = 1.0 / 60.0;
/// Speed at which the feet of the walk do not slide, units per second.
const WALK_SPEED: f32 = 47.0;
/// Depth and height of a step, Quake units.
const STEP: Vec3 = Vec3::new(24.0, 0.0, 8.0);
const STEPS: usize = 5;
/// Start and end of the stairs, with a landing.
const START: f32 = 40.0;
const END: f32 = 200.0;

/// Returns the centre and the size of each box of the stairs, from the floor to a tread and to the end of the stairs.
fn stairs() -> impl Iterator<Item = (Vec3, Vec3)> {
    (0..STEPS).map(|step| {
        let (front, height) = (START + step as f32 * STEP.x, (step + 1) as f32 * STEP.z);
        let size = Vec3::new(END - front, 48.0, height);
        (Vec3::new(front + size.x / 2.0, 0.0, height / 2.0), size)
    })
}

/// Returns the height of the stairs.
pub fn height(x: f32) -> f32 {
    ((x - START) / STEP.x + 1.0).floor().clamp(0.0, STEPS as f32) * STEP.z
}

/// Walks up the stairs; returns the bones of each frame in local space, the root in the world.
///
/// # Errors
/// Any error of the runtime.
pub fn walk(frames: usize) -> Result<Vec<Vec<Mat3x4>>, Box<dyn std::error::Error>> {
    let mut runtime = Runtime::default();
    runtime.set_files(|name: &str| (name == "mannequin.iqm").then(|| assets::MANNEQUIN_IQM.to_vec()));
    runtime.physics_mut().add_floor(0.0)?;
    for (centre, size) in stairs() {
        runtime.physics_mut().add_box(centre, size, Quat::IDENTITY)?;
    }
    let model = runtime.load_model("mannequin.iqm")?;
    let object = runtime.create_object(model, Space::Local)?;
    let skeleton = &runtime.model(model).ok_or("no model")?.skeleton;
    let feet = Feet::parse(skeleton, "pelvis, thigh_l, shin_l, foot_l, thigh_r, shin_r, foot_r")?;
    let mut story = Vec::new();
    for frame in 0..frames {
        let time = frame as f32 * FRAME_TIME;
        let x = WALK_SPEED * time;
        // The box of a player is 32 units wide, and stands on the highest step below it.
        let entity = Mat3x4::from_translation(Vec3::new(x, 0.0, height(x + 16.0)));
        runtime.build(object, model, &FrameState::single(1, time.into()), &Build::REPLACE)?;
        runtime.place_feet(object, &feet, &entity, FRAME_TIME)?;
        let mut bones = runtime.object(object).ok_or("no object")?.pose().bones().to_vec();
        bones[0] = entity * bones[0];
        story.push(bones);
        runtime.step(FRAME_TIME)?;
    }
    Ok(story)
}

/// Returns the walk as an animation of the mannequin, with the stairs on a bone of their own.
fn as_model(story: &[Vec<Mat3x4>]) -> Result<Model, Box<dyn std::error::Error>> {
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
    model.frames = story.iter().flat_map(|bones| bones.iter().copied().chain([Mat3x4::IDENTITY])).collect();
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
    let story = walk(240)?;
    for (frame, bones) in story.iter().enumerate().step_by(20) {
        let [left, right] = [[0, 1, 2, 3], [0, 5, 6, 7]].map(|leg| {
            let ankle = leg.into_iter().fold(Mat3x4::IDENTITY, |above, bone| above * bones[bone]).origin();
            format!("x {:6.1}, {:5.2} above the stairs", ankle.x, ankle.z - height(ankle.x))
        });
        println!("{:4.2} s   left {left}   right {right}", frame as f32 * FRAME_TIME);
    }
    if let Some(path) = std::env::args().nth(1) {
        std::fs::write(path, write::iqm(&as_model(&story)?)?)?;
    }
    Ok(())
}
