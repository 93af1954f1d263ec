//! Files that were once refused, or read with something missing.

use std::path::Path;

use skelobj::math::Vec3;
use skelobj::model::{Animation, ModelError, ModelProblem};
use skelobj::{Model, assets};

fn load(name: &str) -> Result<Model, ModelError> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cases").join(name);
    Model::load(name, &std::fs::read(path).unwrap(), |_| None)
}

fn warnings(model: &Model) -> Vec<String> {
    model.warnings.iter().map(|warning| warning.message()).collect()
}

#[cfg(feature = "gltf")]
#[test]
fn counts_that_are_written_as_fractions_are_read() {
    let model = load("gltf_int_as_float.gltf").unwrap();
    assert_eq!(model.meshes[0].positions.len(), 3);
    assert_eq!(warnings(&model), ["accepted: whole numbers with a fraction, such as 3.0"]);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cases/gltf_int_as_float.gltf");
    let text = String::from_utf8(std::fs::read(path).unwrap()).unwrap();
    // Only what stopped the parser is named.
    let whole = text.replace(".0", "").replacen('{', "{\"extras\": [1.0, ], ", 1);
    let model = Model::load("m.gltf", whole.as_bytes(), |_| None).unwrap();
    assert_eq!(warnings(&model), ["accepted: a trailing comma"]);
    let both = text.replacen('{', "{\"extras\": [1.0, ], ", 1);
    let model = Model::load("m.gltf", both.as_bytes(), |_| None).unwrap();
    assert_eq!(
        warnings(&model),
        ["accepted: a trailing comma", "accepted: whole numbers with a fraction, such as 3.0"]
    );
    let at = model.warnings[1].offset;
    assert!(both[at - 8..at + 2].contains("5126.0"), "{}", &both[at - 8..at + 2]);
    // A count cannot have a fraction other than zero.
    let error = Model::load("m.gltf", text.replace("3.0", "3.5").as_bytes(), |_| None).unwrap_err();
    assert!(matches!(error.problem, ModelProblem::Json { .. }), "{error}");
}

#[cfg(feature = "gltf")]
#[test]
fn a_buffer_that_nothing_uses_may_be_missing() {
    let model = load("gltf_unused_placeholder_buffer.gltf").unwrap();
    assert_eq!(model.meshes[0].positions.len(), 3);
    assert!(model.warnings.is_empty(), "{:?}", warnings(&model));
}

#[cfg(feature = "gltf")]
#[test]
fn text_of_gltf_1_gets_the_advice_of_binary_gltf_1() {
    for version in ["\"1.0\"", "\"1.1\"", "1", "1.0"] {
        let text = format!("{{\"scenes\": {{}}, \"meshes\": {{\"a\": {{}}}}, \"asset\": {{\"version\": {version}}}}}");
        let error = Model::load("m.gltf", text.as_bytes(), |_| None).unwrap_err();
        assert!(error.to_string().ends_with("the file is glTF 1.0: export it as glTF 2.0"), "{error}");
    }
    let binary = Model::load("m.glb", b"glTF\x01\0\0\0", |_| None).unwrap_err();
    assert!(binary.to_string().ends_with("1.0: export it as glTF 2.0"), "{binary}");
}

#[cfg(feature = "gltf")]
#[test]
fn vertices_that_lose_influences_are_counted() {
    let model = load("gltf_five_influences.gltf").unwrap();
    let [warning] = &warnings(&model)[..] else { panic!("{:?}", warnings(&model)) };
    assert!(warning.ends_with("on more than four bones; kept the four strongest of each"), "{warning}");
    let count: usize = warning.split(' ').next().unwrap().parse().unwrap();
    assert!((1..=3).contains(&count), "{warning}");
}

#[test]
fn a_vertex_without_weights_is_named() {
    let error = load("zero_weight.md5mesh").unwrap_err();
    assert_eq!(error.problem, ModelProblem::Missing { what: "weights of a vertex" });
    assert_eq!(error.section, "mesh");
}

#[test]
fn normals_of_points_are_those_of_the_file() {
    let model = load("psk_ext.pskx").unwrap();
    assert!(model.meshes[0].normals.iter().all(|normal| *normal == [0.0, 0.0, 1.0]), "{:?}", model.meshes[0].normals);
    // With another number of normals, they are computed.
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cases/psk_ext.pskx");
    let mut file = std::fs::read(path).unwrap();
    let at = file.windows(8).position(|word| word == b"VTXNORMS").unwrap();
    file[at + 24..at + 32].copy_from_slice(&[24, 0, 0, 0, 2, 0, 0, 0]);
    let model = Model::load("m.pskx", &file, |_| None).unwrap();
    assert!(model.meshes[0].normals.iter().any(|normal| *normal != [0.0, 0.0, 1.0]));
    let told = warnings(&model);
    assert!(told.contains(&"skipped: normals for another number of points (computed instead)".to_owned()), "{told:?}");
}

#[test]
fn scales_of_keys_scale_bones() {
    let mut model = load("psk_messy_weights.psk").unwrap();
    model.add_animations(&load("psa_scalekeys.psa").unwrap()).unwrap();
    let scale = |frame: usize| model.frame(frame).unwrap()[1].forward().length();
    assert!((scale(0) - 1.0).abs() < 1e-6 && (scale(1) - 2.0).abs() < 1e-6, "{} {}", scale(0), scale(1));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cases/psa_scalekeys.psa");
    let file = std::fs::read(path).unwrap();
    let mut short = file[..file.len() - 16].to_vec();
    let at = short.windows(9).position(|word| word == b"SCALEKEYS").unwrap();
    short[at + 28] = 3;
    let unscaled = Model::load("m.psa", &short, |_| None).unwrap();
    assert!((unscaled.frame(1).unwrap()[1].forward().length() - 1.0).abs() < 1e-6);
    assert_eq!(warnings(&unscaled), ["skipped: scales for another number of keys"]);
}

#[test]
fn bones_whose_names_differ_in_case_match_where_no_name_is_equal() {
    let mut model = load("psk_messy_weights.psk").unwrap();
    let fit = model.add_animations(&load("psa_case.psa").unwrap()).unwrap();
    assert_eq!((fit.matched, fit.missing.len(), fit.unused.len()), (2, 0, 0));
    // An equal name comes first: `Arm` drives `Arm`, not the `arm` before it.
    let bone = |name: &str| (name.into(), None);
    let skeleton =
        |names: &[&str]| skelobj::model::Skeleton::without_bind(names.iter().map(|name| bone(name)).collect()).unwrap();
    let mut mannequin = assets::mannequin();
    mannequin.skeleton = skeleton(&["arm", "Arm"]);
    mannequin.frames = [Vec3::X, Vec3::Y].map(skelobj::math::Mat3x4::from_translation).to_vec();
    mannequin.animations = vec![skelobj::model::Animation::frames("a", 0, 1, 10.0, true)];
    mannequin.bounds.clear();
    let mut other = Model { skeleton: skeleton(&["Arm", "ARM"]), ..Model::default() };
    let fit = other.add_animations(&mannequin).unwrap();
    assert_eq!(fit.matched, 2);
    assert_eq!(other.frame(0).unwrap().iter().map(|bone| bone.origin()).collect::<Vec<_>>(), [Vec3::Y, Vec3::X]);
}

/// Returns the mannequin with one animation, in which the second bone has these rotations about X, in degrees.
fn turning(degrees: &[f32]) -> Vec<u8> {
    let mut model = assets::mannequin();
    let bones = model.skeleton.bind_local().to_vec();
    let turned = |degrees: f32| {
        let mut pose = bones.clone();
        let turn = skelobj::math::Quat::from_rotation_x(degrees.to_radians());
        pose[1] = pose[1] * skelobj::math::Mat3x4::from_rotation_translation(turn, Vec3::ZERO);
        pose
    };
    model.frames = degrees.iter().flat_map(|degrees| turned(*degrees)).collect();
    let spin = Animation::frames("spin", 0, degrees.len() as u32, 10.0, true);
    model.animations = vec![spin];
    model.bounds.clear();
    skelobj::Format::Iqm.write(&model).unwrap()
}

/// Difference 19: half-way between two frames, a bone that turns far is short.
#[test]
fn a_bone_that_turns_far_between_two_frames_is_named() {
    let told = |degrees: &[f32]| warnings(&Model::load("m.iqm", &turning(degrees), |_| None).unwrap());
    assert_eq!(told(&[0.0, 55.0, 110.0]), [""; 0]);
    let expected = |from: usize, degrees: u32, size: &str, rate: u32| {
        let frames = format!("from frame {from} to {}", from + 1);
        let bone = assets::mannequin().skeleton.names()[1].to_string();
        [format!(
            "animation `spin` turns bone `{bone}` by {degrees} degrees {frames}; half-way, it shrinks to {size} \
             of its size; `skelobj convert --resample {rate}` adds frames between"
        )]
    };
    assert_eq!(told(&[0.0, 62.0, 20.0, 110.0]), expected(2, 90, "0.71", 30));
    assert_eq!(told(&[0.0, 61.0]), expected(0, 61, "0.86", 30));
    assert_eq!(told(&[0.0, 180.0]), expected(0, 180, "0.00", 60));
}

/// One line a model: old models have ten animations at 10 Hz.
#[test]
fn other_animations_with_bones_that_turn_far_are_counted() {
    let mut model = Model::load("m.iqm", &turning(&[0.0, 70.0, 100.0, 10.0, 15.0, 85.0]), |_| None).unwrap();
    let part = |name: &str, first, count, rate| Animation::frames(name, first, count, rate, true);
    let [small, most, quick, none] =
        [part("small", 0, 2, 10.0), part("most", 2, 2, 10.0), part("quick", 4, 2, 50.0), part("none", 1, 2, 10.0)];
    let mut told = |animations: &[&Animation]| {
        model.animations = animations.iter().map(|animation| (*animation).clone()).collect();
        warnings(&Model::load("m.iqm", &skelobj::Format::Iqm.write(&model).unwrap(), |_| None).unwrap())
    };
    assert_eq!(told(&[&none]), [""; 0]);
    let [one] = &told(&[&none, &small])[..] else { panic!("one warning") };
    assert!(one.starts_with("animation `small`") && !one.contains("other"), "{one}");
    let [two] = &told(&[&small, &none, &most])[..] else { panic!("one warning") };
    assert!(two.starts_with("animation `most`") && two.contains("; bones of 1 other animation shrink, too;"), "{two}");
    let [all] = &told(&[&small, &most, &quick])[..] else { panic!("one warning") };
    assert!(all.starts_with("animation `most`") && all.contains("; bones of 2 other animations shrink, too;"), "{all}");
    assert!(all.contains("--resample 150`"), "enough for the quickest: {all}");
}
