//! Round trips through every writer and the reader of its format: of the models here, and of changed ones.
//!
//! `SKELOBJ_ROUND_TRIPS` sets the number of changed models, 60 by default.

use crate::common::random::Random;
use skelobj::Model;
use skelobj::math::Mat3x4;
use skelobj::model::{AnimationSource, Bone, Mesh, ModelError, ModelProblem, Name, Skeleton};
use skelobj::write::{self, WriteError};

/// Returns the small models of the repository.
fn models() -> Vec<(&'static str, Model)> {
    let load = |name, bytes| (name, Model::load(name, bytes, |_| None).unwrap());
    vec![
        load("rope.iqm", include_bytes!("../../dolls/rope.iqm")),
        load("ponytail.iqm", include_bytes!("../../dolls/ponytail.iqm")),
        load("turret.iqm", include_bytes!("../../dolls/turret.iqm")),
        load("dog.iqm", include_bytes!("../../dolls/dog.iqm")),
        #[cfg(feature = "gltf")]
        load("walker.glb", include_bytes!("../data/gltf/walker.glb")),
    ]
}

/// Numbers that are usual, at the ends of ranges, and beyond them.
const NUMBERS: [f32; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.3,
    255.0,
    1e-3,
    1e-12,
    1e-30,
    f32::MIN_POSITIVE,
    1e12,
    -1e20,
    1e30,
    3e37,
    f32::MAX,
    f32::NAN,
];

const NAMES: [&[u8]; 6] = [b"", b"a", b"two\nlines", b"\"quoted\"", b"h\xe9ros", &[b'n'; 2000]];

/// Returns the skeleton with another bone in place of one.
fn with_bone(skeleton: &Skeleton, number: usize, change: impl FnOnce(&mut Bone)) -> Option<Skeleton> {
    let bone = |bone: usize| Bone {
        name: skeleton.names()[bone].clone(),
        parent: skeleton.parent(bone),
        bind: skeleton.bind_local()[bone],
    };
    let mut bones: Vec<Bone> = (0..skeleton.len()).map(bone).collect();
    change(bones.get_mut(number)?);
    Skeleton::new(bones).ok()
}

fn change_number(numbers: &mut [f32], random: &mut Random) {
    if !numbers.is_empty() {
        numbers[random.below(numbers.len())] = random.of(&NUMBERS);
    }
}

fn change_matrix(matrix: &mut Mat3x4, random: &mut Random) {
    match random.below(3) {
        0 => change_number(&mut matrix.0, random),
        1 => (0..3).for_each(|row| matrix.0[row * 4 + 3] *= random.of(&NUMBERS)),
        _ => {
            let scale = random.of(&NUMBERS);
            (0..12).filter(|at| at % 4 != 3).for_each(|at| matrix.0[at] *= scale);
        }
    }
}

fn change_mesh(mesh: &mut Mesh, random: &mut Random) {
    match random.below(8) {
        0 => change_number(mesh.positions.as_flattened_mut(), random),
        1 => change_number(mesh.normals.as_flattened_mut(), random),
        2 => change_number(mesh.texcoords.as_flattened_mut(), random),
        3 => change_number(mesh.colors.as_flattened_mut(), random),
        4 if !mesh.influences.is_empty() => {
            let vertex = random.below(mesh.influences.len());
            change_number(&mut mesh.influences[vertex].weights, random);
        }
        5 => mesh.triangles.clear(),
        6 => mesh.normals.clear(),
        _ => mesh.material = Name::new(random.of(&NAMES)),
    }
}

fn change(model: &mut Model, random: &mut Random) {
    let bone = random.below(model.skeleton.len().max(1));
    match random.below(8) {
        0 | 1 => {
            let changed = with_bone(&model.skeleton, bone, |bone| change_matrix(&mut bone.bind, random));
            model.skeleton = changed.unwrap_or_else(|| model.skeleton.clone());
        }
        2 => {
            let name = Name::new(random.of(&NAMES));
            let changed = with_bone(&model.skeleton, bone, |bone| bone.name = name);
            model.skeleton = changed.unwrap_or_else(|| model.skeleton.clone());
        }
        3 | 4 if !model.frames.is_empty() => {
            let matrix = random.below(model.frames.len());
            change_matrix(&mut model.frames[matrix], random);
        }
        5 if !model.animations.is_empty() => {
            let animation = random.below(model.animations.len());
            let animation = &mut model.animations[animation];
            // An IQM has a name and a mode of its own for animations that show the bind pose.
            match random.below(3) {
                _ if !matches!(animation.source, AnimationSource::Frames { .. }) => {}
                0 => animation.rate = random.of(&NUMBERS),
                1 => animation.looping = !animation.looping,
                _ => animation.name = Name::new(random.of(&NAMES)),
            }
        }
        _ if !model.meshes.is_empty() => {
            let mesh = random.below(model.meshes.len());
            change_mesh(&mut model.meshes[mesh], random);
        }
        _ => {}
    }
}

/// Checks that structure, names and what a format stores as it is are equal; positions unless the bind pose changed, to
/// which a reader of binary glTF moves them.
fn assert_same(what: &str, model: &Model, back: &Model, is_bound: bool, shown: fn(&Name) -> Vec<u8>) {
    let names = |model: &Model| model.skeleton.names().iter().map(shown).collect::<Vec<_>>();
    assert_eq!(names(model), names(back), "{what}");
    assert_eq!(model.skeleton.parents(), back.skeleton.parents(), "{what}");
    let animations = |model: &Model| -> Vec<_> {
        model.animations.iter().map(|a| (shown(&a.name), a.pose_count(), a.looping)).collect()
    };
    assert_eq!(animations(model), animations(back), "{what}");
    assert_eq!(model.meshes.len(), back.meshes.len(), "{what}");
    for (mesh, back) in model.meshes.iter().zip(&back.meshes) {
        assert_eq!((shown(&mesh.name), shown(&mesh.material)), (shown(&back.name), shown(&back.material)), "{what}");
        assert_eq!(mesh.triangles, back.triangles, "{what}");
        assert_eq!(mesh.texcoords, back.texcoords, "{what}");
        assert_eq!(mesh.positions.len(), back.positions.len(), "{what}");
        let positions = mesh.positions.as_flattened().iter().zip(back.positions.as_flattened());
        for (ours, theirs) in positions.filter(|_| is_bound) {
            assert!((ours - theirs).abs() <= ours.abs() * 1e-6 + 1e-4, "{what}: {ours} {theirs}");
        }
    }
    assert!(back.frames.iter().chain(back.skeleton.bind_model()).all(Mat3x4::is_finite), "{what}");
}

fn is_out_of_reach(error: &ModelError) -> bool {
    matches!(error.problem, ModelProblem::OutOfReach { what: "bone", .. })
}

/// Writes models and reads them back; returns how many came back, how many the writer refused, and how many the reader.
fn round_trips(
    file: &str,
    write: fn(&Model) -> Result<Vec<u8>, WriteError>,
    stored: fn(&mut Model),
    shown: fn(&Name) -> Vec<u8>,
) -> [usize; 3] {
    let count = std::env::var("SKELOBJ_ROUND_TRIPS").ok().and_then(|count| count.parse().ok()).unwrap_or(60);
    let models = models();
    let mut outcomes = [0; 3];
    for number in 0..models.len() + count {
        let (name, mut model) = models[number % models.len()].clone();
        let mut random = Random(number as u64 + 1);
        if number >= models.len() {
            (0..=random.below(3)).for_each(|_| change(&mut model, &mut random));
        }
        let what = format!("{file}: {name} with changes {number}");
        let Ok(bytes) = write(&model) else {
            assert!(number >= models.len(), "{what}");
            outcomes[1] += 1;
            continue;
        };
        let back = match Model::load(file, &bytes, |_| None) {
            Ok(back) => back,
            // A reader of binary glTF moves the bind pose, and numbers near the end of the range beyond it.
            Err(error) if is_out_of_reach(&error) => {
                outcomes[2] += 1;
                continue;
            }
            Err(error) => panic!("{what}: {error}"),
        };
        stored(&mut model);
        let is_bound = model.skeleton == models[number % models.len()].1.skeleton;
        assert_same(&what, &model, &back, is_bound, shown);
        outcomes[0] += 1;
    }
    outcomes
}

#[test]
fn what_is_written_as_iqm_is_read_as_it_was() {
    let [written, refused, lost] = round_trips("m.iqm", write::iqm, |_| {}, |name| name.as_bytes().to_vec());
    assert!(written > refused && refused > 0, "{written} written, {refused} refused");
    assert_eq!(lost, 0);
}

#[cfg(feature = "gltf")]
#[test]
fn what_is_written_as_binary_gltf_is_read_as_it_was() {
    let stored = |model: &mut Model| {
        for mesh in &mut model.meshes {
            mesh.triangles.retain(|[a, b, c]| a != b && b != c && a != c);
        }
        model.meshes.retain(|mesh| !mesh.triangles.is_empty());
    };
    let shown = |name: &Name| {
        let text = String::from_utf8_lossy(name.as_bytes());
        text.as_bytes()[..text.len().min(1024)].to_vec()
    };
    let [written, refused, lost] = round_trips("m.glb", write::glb, stored, shown);
    assert!(written > refused && refused > 0, "{written} written, {refused} refused");
    assert!(lost * 50 <= written, "{lost} of {written} cannot be read");
}

#[cfg(feature = "gltf")]
#[test]
fn a_bone_that_a_reader_cannot_hold_is_refused_by_name() {
    let far = |name: &str, parent| {
        let bind = Mat3x4::from_translation(skelobj::math::Vec3::splat(1e3));
        let bind = Mat3x4(std::array::from_fn(|at| if at % 4 == 3 { bind.0[at] } else { bind.0[at] * 1e20 }));
        Bone { name: name.into(), parent, bind }
    };
    let skeleton = Skeleton::new(vec![far("hip", None), far("knee", Some(0))]);
    let Ok(skeleton) = skeleton else { panic!("a skeleton") };
    let model = Model { skeleton, ..Model::default() };
    let error = write::glb(&model).unwrap_err();
    assert_eq!(error, WriteError::OutOfReach { bone: "knee".into() });
    assert!(error.to_string().starts_with("bone knee is farther away"), "{error}");
}
