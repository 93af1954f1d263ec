//! Time of the processor that commands take for a model of 10,000 vertices and 100 bones, against a goal.
//!
//! `cargo bench -p skelobj-cli --bench big_model` makes the model, fits a doll to it, checks the doll with 20 drops,
//! and draws its fall as PNG and as GIF. It prints the time of the processor and the elapsed time of each, and fails if
//! the former misses the goal or a command fails. Away from Linux the elapsed time counts. `-- FOLDER` keeps the files
//! in a folder.

use std::f32::consts::TAU;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use skelobj::Model;
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{Animation, Bone, Influences, Mesh, Name, Skeleton};

/// Time that each command may take, seconds.
const GOAL: f64 = 3.0;

/// Bones of the trunk, number of limbs, and bones of a limb.
const TRUNK: usize = 20;
const LIMBS: usize = 8;
const LIMB: usize = 10;
/// Rings of vertices around a bone, and vertices of a ring.
const RINGS: usize = 10;
const SIDES: usize = 10;
/// Frames of the animation.
const FRAMES: usize = 60;

const COMMANDS: [(&str, &[&str]); 4] = [
    ("fit", &["fit", "big.iqm", "-o", "big.iqm.doll", "--force"]),
    ("check, 20 drops", &["check", "big.iqm.doll"]),
    ("draw PNG", &["draw", "big.iqm", "-o", "big.png", "--force"]),
    ("draw GIF", &["draw", "big.iqm", "-o", "big.gif", "--force"]),
];

fn main() -> ExitCode {
    let kept = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).map(PathBuf::from);
    let folder =
        kept.clone().unwrap_or_else(|| std::env::temp_dir().join(format!("skelobj-big-{}", std::process::id())));
    let passed = measure(&folder);
    if kept.is_none() {
        let _ = std::fs::remove_dir_all(&folder);
    }
    match passed {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn measure(folder: &Path) -> Result<bool, Box<dyn std::error::Error>> {
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join("big.iqm"), skelobj::write::iqm(&model()?)?)?;
    let mut passed = true;
    for (name, arguments) in COMMANDS {
        let (start, before) = (Instant::now(), processor());
        let mut command = Command::new(env!("CARGO_BIN_EXE_skelobj"));
        let status = command.args(arguments).current_dir(folder).stdout(Stdio::null()).status()?;
        let elapsed = start.elapsed().as_secs_f64();
        let spent = before.zip(processor()).map_or(elapsed, |(before, after)| after - before);
        let good = status.success() && spent < GOAL;
        passed &= good;
        let verdict = if good { "pass" } else { "FAIL" };
        let times = format!("{spent:5.2} s of the processor, {elapsed:5.2} s elapsed");
        println!("{verdict} {name:16} {times} (goal {GOAL} s), {status}");
    }
    Ok(passed)
}

/// Returns the time of the processor that finished commands have taken so far, seconds.
fn processor() -> Option<f64> {
    /// Clock ticks per second in Linux' files about processes.
    const TICKS: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the process may contain anything but ends with the last parenthesis.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field)?.parse::<f64>().ok();
    Some((ticks(13)? + ticks(14)?) / TICKS)
}

/// Returns a trunk with limbs that wave, each bone inside a tube.
fn model() -> Result<Model, Box<dyn std::error::Error>> {
    let mut bones: Vec<Bone> = Vec::new();
    let mut add = |parent: Option<usize>, at: Vec3| {
        let name = Name::from(format!("bone{}", bones.len()).as_str());
        bones.push(Bone { name, parent, bind: Mat3x4::from_translation(at) });
        bones.len() - 1
    };
    let mut trunk = vec![add(None, Vec3::new(0.0, 0.0, 30.0))];
    for number in 1..TRUNK {
        trunk.push(add(Some(trunk[number - 1]), Vec3::new(0.0, 0.0, 4.0)));
    }
    for limb in 0..LIMBS {
        let way = Quat::from_rotation_z(TAU * limb as f32 / LIMBS as f32) * Vec3::X;
        let mut parent = trunk[limb * 2 + 3];
        for _ in 0..LIMB {
            parent = add(Some(parent), way * 4.5);
        }
    }
    let skeleton = Skeleton::new(bones)?;
    let mut frames = Vec::new();
    for frame in 0..FRAMES {
        for (bone, local) in skeleton.bind_local().iter().enumerate() {
            let angle = 0.12 * (TAU * frame as f32 / FRAMES as f32 + bone as f32).sin();
            frames.push(Mat3x4::from_rotation_translation(Quat::from_rotation_y(angle), local.origin()));
        }
    }
    let meshes = vec![tubes(&skeleton)];
    let mut model = Model { skeleton, meshes, frames, ..Model::default() };
    model.animations.push(Animation::frames("wave", 0, FRAMES as u32, 30.0, true));
    Ok(model)
}

/// Returns a tube from the parent of each bone to the bone.
fn tubes(skeleton: &Skeleton) -> Mesh {
    let mut mesh = Mesh::default();
    for bone in 0..skeleton.len() {
        let to = skeleton.bind_model()[bone].origin();
        let parent = skeleton.parent(bone);
        let from = parent.map_or(to - Vec3::Z * 4.0, |parent| skeleton.bind_model()[parent].origin());
        let mover = parent.unwrap_or(bone) as u16;
        let (across, over) = (to - from).normalize_or(Vec3::Z).any_orthonormal_pair();
        let first = mesh.positions.len() as u32;
        for (ring, side) in (0..RINGS).flat_map(|ring| (0..SIDES).map(move |side| (ring, side))) {
            let (sin, cos) = (TAU * side as f32 / SIDES as f32).sin_cos();
            let way = across * cos + over * sin;
            let place = from.lerp(to, ring as f32 / (RINGS - 1) as f32) + way * 1.6;
            mesh.positions.push(place.to_array());
            mesh.normals.push(way.to_array());
            mesh.influences.push(Influences { bones: [mover, 0, 0, 0], weights: [1.0, 0.0, 0.0, 0.0] });
        }
        for (ring, side) in (0..RINGS - 1).flat_map(|ring| (0..SIDES).map(move |side| (ring, side))) {
            let corner = |ring: usize, side: usize| first + (ring * SIDES + side % SIDES) as u32;
            let [a, b] = [corner(ring, side), corner(ring, side + 1)];
            let [c, d] = [corner(ring + 1, side), corner(ring + 1, side + 1)];
            mesh.triangles.extend([[a, b, d], [a, d, c]]);
        }
    }
    mesh
}
