//! Mannequin: the committed files, and the program that makes the model.

#[path = "../../examples/make_mannequin/body.rs"]
mod body;
#[path = "../../examples/make_mannequin/curve.rs"]
mod curve;
#[path = "../../examples/make_mannequin/figure.rs"]
mod figure;
#[path = "../../examples/make_mannequin/mannequin.rs"]
mod generator;
#[path = "../../examples/make_mannequin/getup.rs"]
mod getup;
#[path = "../../examples/make_mannequin/motion.rs"]
mod motion;
#[path = "../../examples/make_mannequin/skin.rs"]
mod skin;

use skelobj::doll::{self, Doll, JointKind};
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{Animation, Mesh};
use skelobj::{Model, assets, pose};

fn generated() -> Model {
    generator::model().unwrap()
}

fn committed() -> Model {
    Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None).unwrap()
}

/// Returns the mannequin with the animations of the second file.
fn with_get_ups() -> Model {
    let mut model = committed();
    let get_ups = Model::load("mannequin_getup.iqm", assets::MANNEQUIN_GETUP_IQM, |_| None).unwrap();
    assert!(model.add_animations(&get_ups).unwrap().is_complete());
    model
}

/// Returns the model-space bones of one pose of an animation.
fn bones(model: &Model, relative: &[Mat3x4]) -> Vec<Mat3x4> {
    let mut bones = vec![Mat3x4::ZERO; relative.len()];
    pose::to_model_space(model.skeleton.parents(), relative, &mut bones);
    bones
}

/// Returns the positions of the vertices of a mesh in a pose.
fn skinned(model: &Model, mesh: &Mesh, relative: &[Mat3x4]) -> Vec<Vec3> {
    let bones = bones(model, relative);
    let mut palette = bones.clone();
    pose::palette(&bones, model.skeleton.inverse_bind(), &mut palette);
    let mut out = vec![Vec3::ZERO; mesh.positions.len()];
    pose::skin_positions(mesh, &palette, &mut out);
    out
}

fn animation<'m>(model: &'m Model, name: &str) -> &'m Animation {
    &model.animations[model.find_animation(name.as_bytes()).unwrap()]
}

fn poses<'m>(model: &'m Model, animation: &'m Animation) -> impl Iterator<Item = &'m [Mat3x4]> {
    (0..animation.pose_count()).map(move |pose| model.pose(animation, pose))
}

/// Returns the bone with this name on the other side.
fn other_side(model: &Model, bone: usize) -> usize {
    let name = model.skeleton.name(bone).unwrap().to_string();
    let other = match (name.strip_suffix("_l"), name.strip_suffix("_r")) {
        (Some(stem), _) => format!("{stem}_r"),
        (_, Some(stem)) => format!("{stem}_l"),
        _ => name,
    };
    model.skeleton.find(other.as_bytes()).unwrap()
}

fn mirror(v: Vec3) -> Vec3 {
    v * Vec3::new(1.0, -1.0, 1.0)
}

/// Returns the largest difference between two lists of matrices.
fn difference(a: &[Mat3x4], b: &[Mat3x4]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).flat_map(|(a, b)| a.0.iter().zip(&b.0)).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[test]
fn committed_file_is_what_the_generator_makes() {
    let (made, file) = (generated(), committed());
    assert!(file.warnings.is_empty(), "{:?}", file.warnings);
    assert_eq!(file.skeleton.names(), made.skeleton.names());
    assert_eq!(file.skeleton.parents(), made.skeleton.parents());
    assert!(difference(file.skeleton.bind_model(), made.skeleton.bind_model()) < 1e-3);
    assert_eq!(file.animations, made.animations);
    assert_eq!(file.frame_count(), made.frame_count());
    assert!(difference(&file.frames, &made.frames) < 1e-3);
    assert_eq!(file.bounds.len(), made.frame_count());
    assert_eq!(file.meshes.len(), made.meshes.len());
    for (file, made) in file.meshes.iter().zip(&made.meshes) {
        assert_eq!((&file.name, &file.material), (&made.name, &made.material));
        assert_eq!([file.positions.len(), file.influences.len()], [made.positions.len(); 2]);
        assert!(file.triangles == made.triangles, "{} has other triangles", file.name);
        for (file, made) in file.positions.iter().zip(&made.positions) {
            assert!(Vec3::from(*file).distance(Vec3::from(*made)) < 1e-3);
        }
    }
}

#[test]
fn committed_get_ups_are_what_the_generator_makes() {
    let made = generator::get_ups().unwrap();
    let file = Model::load("mannequin_getup.iqm", assets::MANNEQUIN_GETUP_IQM, |_| None).unwrap();
    assert!(file.warnings.is_empty(), "{:?}", file.warnings);
    assert_eq!(file.skeleton.names(), made.skeleton.names());
    assert_eq!(file.animations, made.animations);
    assert!(difference(&file.frames, &made.frames) < 1e-3);
}

#[test]
fn get_ups_begin_on_the_floor_and_end_in_idle() {
    let model = with_get_ups();
    let idle = bones(&model, model.pose(animation(&model, "idle"), 0));
    for (name, up) in [("getup_back", 1.0), ("getup_front", -1.0)] {
        let animation = animation(&model, name);
        let begins = bones(&model, model.pose(animation, 0));
        let chest = model.skeleton.find("chest").unwrap();
        assert!(begins[chest].forward().z * up > 0.95, "{name} begins on its side");
        assert!(begins.iter().all(|bone| (0.0..9.0).contains(&bone.origin().z)), "{name} begins up high");
        let ends = bones(&model, model.pose(animation, animation.pose_count() - 1));
        let off = ends.iter().zip(&idle).map(|(a, b)| a.origin().distance(b.origin())).fold(0.0, f32::max);
        assert!(off < 2.0, "{name}: {off}");
    }
}

#[test]
fn stands_64_units_tall_on_the_floor_between_its_feet() {
    let model = committed();
    let points = || model.meshes.iter().flat_map(|mesh| &mesh.positions).map(|p| Vec3::from(*p));
    let (mins, maxs) = points().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(a, b), p| (a.min(p), b.max(p)));
    assert!(mins.z.abs() < 0.1 && (maxs.z - 64.0).abs() < 1.0, "{mins} {maxs}");
    let bind = model.skeleton.bind_model();
    let [left, right] = ["foot_l", "foot_r"].map(|name| bind[model.skeleton.find(name.as_bytes()).unwrap()].origin());
    assert!((left + right).truncate().length() < 1e-3 && left.y > 0.0);
    let toe = bind[model.skeleton.find(b"toe_l").unwrap()].origin();
    assert!(toe.x > left.x, "feet point forward");
}

#[test]
fn legs_come_before_the_torso() {
    let model = committed();
    let find = |name: &str| model.skeleton.find(name.as_bytes()).unwrap();
    assert!((20..=24).contains(&model.skeleton.len()));
    for leg in ["thigh_l", "shin_l", "foot_l", "toe_l", "thigh_r", "shin_r", "foot_r", "toe_r"] {
        assert!(find(leg) < find("spine"));
    }
    for torso in ["chest", "neck", "head", "clavicle_l", "upperarm_l", "forearm_r", "hand_r"] {
        assert!(find(torso) > find("spine"));
    }
}

#[test]
fn limbs_lie_along_their_bones_z_axis() {
    let model = committed();
    let bind = model.skeleton.bind_model();
    let find = |name: &str| bind[model.skeleton.find(name.as_bytes()).unwrap()];
    let limbs = [
        ("thigh_l", "shin_l"),
        ("shin_r", "foot_r"),
        ("clavicle_l", "upperarm_l"),
        ("upperarm_r", "forearm_r"),
        ("forearm_l", "hand_l"),
        ("spine", "chest"),
    ];
    for (from, to) in limbs {
        let (from, to) = (find(from), find(to));
        let along = (to.origin() - from.origin()).normalize();
        assert!(along.dot(from.up()) > 0.9999, "{along} {}", from.up());
        assert!(from.forward().dot(Vec3::X) > 0.99);
    }
}

#[test]
fn left_mirrors_right() {
    let model = committed();
    let bind = model.skeleton.bind_model();
    for bone in 0..bind.len() {
        let (a, b) = (bind[bone], bind[other_side(&model, bone)]);
        assert!(a.origin().distance(mirror(b.origin())) < 1e-3);
        assert!(a.forward().distance(mirror(b.forward())) < 1e-3);
        assert!(a.up().distance(mirror(b.up())) < 1e-3);
    }
    for mesh in &model.meshes {
        let points: Vec<Vec3> = mesh.positions.iter().map(|p| Vec3::from(*p)).collect();
        for point in &points {
            assert!(points.iter().any(|other| mirror(*other).distance(*point) < 1e-2), "{} {point}", mesh.name);
        }
    }
}

#[test]
fn every_vertex_is_whole_and_every_triangle_faces_outward() {
    for mesh in &committed().meshes {
        let count = mesh.positions.len();
        assert_eq!([mesh.normals.len(), mesh.tangents.len(), mesh.texcoords.len()], [count; 3]);
        for influences in &mesh.influences {
            assert!((influences.weights.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{influences:?}");
        }
        for (normal, tangent) in mesh.normals.iter().zip(&mesh.tangents) {
            let (n, t) = (Vec3::from(*normal), Vec3::new(tangent[0], tangent[1], tangent[2]));
            assert!((n.length() - 1.0).abs() < 1e-3 && (t.length() - 1.0).abs() < 1e-3 && n.dot(t).abs() < 1e-3);
        }
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(|i| Vec3::from(mesh.positions[i as usize]));
            let normal: Vec3 = triangle.iter().map(|i| Vec3::from(mesh.normals[*i as usize])).sum();
            assert!((c - a).cross(b - a).dot(normal) > 0.0, "clockwise seen from outside: {triangle:?}");
        }
    }
}

#[test]
fn the_ends_of_loops_join() {
    let model = committed();
    for name in ["idle", "walk", "run"] {
        let animation = animation(&model, name);
        assert!(animation.looping);
        let poses: Vec<_> = poses(&model, animation).map(|relative| bones(&model, relative)).collect();
        let step = |a: &[Mat3x4], b: &[Mat3x4]| {
            a.iter().zip(b).map(|(a, b)| a.origin().distance(b.origin())).fold(0.0, f32::max)
        };
        let largest = poses.windows(2).map(|pair| step(&pair[0], &pair[1])).fold(0.0, f32::max);
        let joint = step(&poses[poses.len() - 1], &poses[0]);
        assert!(joint > 0.0 && joint < largest * 2.0, "{name}: {joint} against {largest}");
    }
    assert!(!animation(&model, "death").looping);
}

#[test]
fn nothing_sinks_into_the_floor() {
    let model = with_get_ups();
    let get_ups = [("getup_back", 2.0), ("getup_front", 2.0)];
    for (name, depth) in [("idle", 0.2), ("walk", 0.5), ("run", 0.5), ("death", 0.5)].into_iter().chain(get_ups) {
        for (frame, relative) in poses(&model, animation(&model, name)).enumerate() {
            for mesh in &model.meshes {
                let lowest = skinned(&model, mesh, relative).iter().map(|p| p.z).fold(f32::INFINITY, f32::min);
                assert!(lowest > -depth, "{name} frame {frame}: {lowest}");
            }
        }
    }
}

#[test]
fn feet_on_the_floor_move_with_it() {
    let model = committed();
    let toe = model.skeleton.find(b"toe_l").unwrap();
    for (name, speed, first, last) in [("walk", 46.7, 3, 16), ("run", 191.4, 1, 4)] {
        let animation = animation(&model, name);
        let places: Vec<Vec3> =
            poses(&model, animation).map(|relative| bones(&model, relative)[toe].origin()).collect();
        let step = speed / animation.rate;
        for frame in first..last {
            let moved = places[frame] - places[frame + 1];
            assert!((moved.x - step).abs() < 0.35, "{name} frame {frame}: {moved} against {step}");
            assert!(moved.y.abs() < 0.2 && moved.z.abs() < 0.2, "{name} frame {frame}: {moved}");
        }
    }
}

#[test]
fn death_ends_low_and_behind() {
    let model = committed();
    let death = animation(&model, "death");
    let ends = [0, death.pose_count() - 1].map(|pose| bones(&model, model.pose(death, pose))[0].origin());
    assert!(ends[1].z < ends[0].z * 0.5 && ends[1].x < ends[0].x - 10.0, "{ends:?}");
}

#[test]
fn the_doll_has_no_problems_and_fits_the_model() {
    let model = committed();
    let parsed = Doll::parse_for(assets::MANNEQUIN_DOLL, &model.skeleton);
    let reports: Vec<String> = parsed
        .problems
        .iter()
        .map(|problem| problem.report("mannequin.doll", &doll::decode(assets::MANNEQUIN_DOLL)).to_string())
        .collect();
    assert!(reports.is_empty(), "{}", reports.concat());
    let doll = parsed.doll;
    assert_eq!((doll.bodies.len(), doll.joints.len()), (16, 15));
    let total: f32 = doll.bodies.iter().map(|body| body.mass).sum();
    assert!((55.0..70.0).contains(&total), "{total}");
    for joint in &doll.joints {
        let [a, b] = [joint.body1, joint.body2.unwrap()].map(|body| doll.bodies[body].mass);
        assert!(a.max(b) / a.min(b) < 4.5, "{}", joint.name);
    }
}

/// Returns the angles of a joint in a pose by the convention of dolls: body 1 relative to body 2 about both axes, and
/// the twist about the third, radians.
fn angles(doll: &Doll, model: &Model, pose: &[Mat3x4], joint: usize) -> [f32; 3] {
    let joint = &doll.joints[joint];
    let x = joint.axis.normalize();
    let y = match joint.kind {
        JointKind::Universal | JointKind::Cone => (joint.axis2 - x * x.dot(joint.axis2)).normalize(),
        _ => x.any_orthonormal_vector(),
    };
    let frame = Mat3x4::from_columns(x, y, x.cross(y), Vec3::ZERO).rotation();
    let turned = |body: usize| -> Quat {
        let bone = model.skeleton.find(doll.bodies[body].bone.as_bytes()).unwrap();
        pose[bone].rotation() * model.skeleton.bind_model()[bone].rotation().inverse()
    };
    let [one, two] = [joint.body1, joint.body2.unwrap()].map(turned);
    let q = frame.inverse() * two.inverse() * one * frame;
    let q = if q.w < 0.0 { -q } else { q };
    [q.x, q.y, q.z].map(|v| 2.0 * v.atan2(q.w))
}

#[test]
fn animations_stay_within_the_dolls_stops() {
    let (model, slack) = (with_get_ups(), 0.15);
    let doll = Doll::parse_strict(assets::MANNEQUIN_DOLL).unwrap();
    let mut outside = Vec::new();
    for animation in &model.animations {
        for (number, joint) in doll.joints.iter().enumerate() {
            let mut seen = [[f32::INFINITY, f32::NEG_INFINITY]; 3];
            for relative in poses(&model, animation) {
                for (seen, angle) in seen.iter_mut().zip(angles(&doll, &model, &bones(&model, relative), number)) {
                    *seen = [seen[0].min(angle), seen[1].max(angle)];
                }
            }
            let axes = if joint.kind == JointKind::Hinge { 1 } else { 2 };
            for (axis, [least, most]) in seen.iter().enumerate().take(axes) {
                let stops = joint.stops[axis];
                if *least < stops.lo - slack || *most > stops.hi + slack {
                    outside.push(format!("{} {} axis {axis}: {least:.2} to {most:.2}", animation.name, joint.name));
                }
            }
            if joint.kind == JointKind::Cone {
                let [least, most] = seen[2];
                if least < joint.twist_stops.lo - slack || most > joint.twist_stops.hi + slack {
                    outside.push(format!("{} {} twist: {least:.2} to {most:.2}", animation.name, joint.name));
                }
                continue;
            }
            for [least, most] in &seen[axes..] {
                if *least < -0.25 || *most > 0.25 {
                    outside.push(format!("{} {} locked axis: {least:.2} to {most:.2}", animation.name, joint.name));
                }
            }
        }
    }
    assert!(outside.is_empty(), "{}", outside.join("\n"));
}
