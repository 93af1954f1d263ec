//! Models that are added to a runtime and removed.

use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{Bone, FrameState, Skeleton};
use skelobj::object::{Build, ObjectError, Space};
use skelobj::pose::RootMotion;
use skelobj::ragdoll::Command;
use skelobj::runtime::{LoadModelError, RagdollCommandError, Settings, Warning};
use skelobj::{Model, Runtime, assets};

fn stick(name: &str) -> Model {
    let bone = Bone { name: name.into(), parent: None, bind: Mat3x4::IDENTITY };
    Model { skeleton: Skeleton::new(vec![bone]).unwrap(), ..Model::default() }
}

#[test]
fn objects_outlive_their_model() {
    let mut runtime = Runtime::default();
    let (first, second) =
        (runtime.add_model("first.iqm", stick("a")).unwrap(), runtime.add_model("second.iqm", stick("b")).unwrap());
    let object = runtime.create_object(first, Space::Local).unwrap();
    assert_eq!(runtime.remove_model(first).unwrap().skeleton.names()[0].to_string(), "a");
    assert!(runtime.remove_model(first).is_none());

    assert_eq!(runtime.object(object).unwrap().bone_name(0).unwrap().to_string(), "a");
    runtime.build(object, second, &FrameState::default(), &Build::REPLACE).unwrap();
    assert_eq!(runtime.object(object).unwrap().model_space(0), Some(Mat3x4::IDENTITY));
    assert_eq!(runtime.object_infos()[0].model, "");

    let frame = FrameState::default();
    assert_eq!(runtime.build(object, first, &frame, &Build::REPLACE), Err(ObjectError::NoSuchModel));
    assert_eq!(runtime.create_object(first, Space::Local), Err(ObjectError::NoSuchModel));
    assert_eq!(runtime.model_name(first), None);
    runtime.delete_object(object).unwrap();
    runtime.flush_deleted();
    assert_eq!(runtime.models().count(), 1);
}

#[test]
fn a_summary_of_an_object_names_what_is_unusual() {
    let (mut runtime, object) = assets::mannequin_runtime();
    runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Animate(1.0, None), None).unwrap();
    let mut info = runtime.object_infos().remove(0);
    let usual = "    1 mannequin.iqm 21 bones, model space; 16 bodies, 16 animated, 16 awake, gap 0.00";
    assert_eq!(info.to_string(), usual);
    info.ragdoll.as_mut().unwrap().resets = 2;
    assert_eq!(info.to_string(), format!("{usual}, 2 resets"));
    (info.is_built, info.is_deleted, info.ragdoll) = (false, true, None);
    assert_eq!(info.to_string(), "    1 mannequin.iqm 21 bones, model space, never built, deleted");
}

#[test]
fn the_id_of_a_removed_model_never_means_another() {
    let mut runtime = Runtime::default();
    let gone = runtime.add_model("gone.iqm", stick("a")).unwrap();
    runtime.remove_model(gone);
    for _ in 0..1000 {
        let next = runtime.add_model("next.iqm", stick("b")).unwrap();
        assert!(next != gone && runtime.model(gone).is_none());
        runtime.remove_model(next);
    }
}

#[test]
fn ragdolls_outlive_their_model_and_find_no_default_doll() {
    let mut runtime = Runtime::default();
    runtime.physics_mut().add_floor(0.0).unwrap();
    let mannequin = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None).unwrap();
    let model = runtime.add_model("mannequin.iqm", mannequin).unwrap();
    runtime.set_files(|name: &str| (name == "mannequin.doll").then(|| assets::MANNEQUIN_DOLL.to_vec()));
    let [falling, limp] = [(), ()].map(|()| {
        let object = runtime.create_object(model, Space::Local).unwrap();
        runtime.build(object, model, &FrameState::single(2, 0.3), &Build::REPLACE).unwrap();
        object
    });
    let entity = Mat3x4::IDENTITY;
    runtime.ragdoll_command(falling, &entity, Command::Animate(0.0, None), None).unwrap();
    runtime.remove_model(model).unwrap();
    let height = |runtime: &Runtime| runtime.object(falling).unwrap().model_space(0).unwrap().origin().z;
    let before = height(&runtime);
    for _ in 0..60 {
        runtime.step(1.0 / 60.0).unwrap();
        runtime.ragdoll_command(falling, &entity, Command::Update, None).unwrap();
    }
    assert!(height(&runtime) < before - 10.0, "{before} {}", height(&runtime));
    let refused = runtime.ragdoll_command(limp, &entity, Command::Animate(0.0, None), None);
    assert_eq!(refused, Err(RagdollCommandError::NoDoll { asked_for: None }));
    // Its dolls are not read again, either.
    runtime.take_warnings();
    assert_eq!(runtime.reload_dolls(), 0);
    assert_eq!(runtime.take_warnings(), []);
}

#[test]
fn objects_share_a_budget_of_bones() {
    let mut settings = Settings::default();
    settings.max_bones = 50;
    let mut runtime = Runtime::new(settings).unwrap();
    let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None).unwrap();
    let model = runtime.add_model("mannequin.iqm", model).unwrap();
    let [first, _] = [0, 1].map(|_| runtime.create_object(model, Space::Local).unwrap());
    let error = runtime.create_object(model, Space::Local).unwrap_err();
    assert_eq!(error.to_string(), "needs 63 bones of objects, the limit is 50");
    // A deleted model counts until it is freed.
    runtime.delete_object(first).unwrap();
    assert!(runtime.create_object(model, Space::Local).is_err());
    runtime.flush_deleted();
    assert!(runtime.create_object(model, Space::Local).is_ok());
    assert_eq!(runtime.objects().count(), 2);
}

#[test]
fn bodies_count_for_the_budget_of_bones() {
    let mut settings = Settings::default();
    settings.max_bones = 1000;
    let mut runtime = Runtime::new(settings).unwrap();
    runtime.set_files(|name: &str| match name {
        "mannequin.iqm" => Some(assets::MANNEQUIN_IQM.to_vec()),
        "mannequin.doll" => Some(assets::MANNEQUIN_DOLL.to_vec()),
        _ => None,
    });
    let model = runtime.load_model("mannequin.iqm").unwrap();
    let fall = |runtime: &mut Runtime| {
        let object = runtime.create_object(model, Space::Local).unwrap();
        runtime.build(object, model, &FrameState::single(0, 0.0), &Build::REPLACE).unwrap();
        (object, runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Animate(0.0, None), None))
    };
    let (first, fell) = fall(&mut runtime);
    assert!(fell.is_ok());
    let (second, error) = fall(&mut runtime);
    assert!(error.unwrap_err().to_string().ends_with("bones of objects, the limit is 1000"));
    assert!(runtime.ragdoll(second).is_none());
    // A doll that replaces another takes no more room, and a removed one takes none.
    assert!(runtime.ragdoll_command(first, &Mat3x4::IDENTITY, Command::Animate(1.0, None), None).is_ok());
    runtime.delete_object(first).unwrap();
    runtime.step(0.0).unwrap();
    assert!(fall(&mut runtime).1.is_ok());
    // A larger doll in place of a small one counts by the difference.
    let bodies: Vec<String> = (0..40).map(|number| format!("body b{number} pelvis\n")).collect();
    let text = format!("dollstring\n{}", bodies.concat());
    let large = Command::parse(text.as_bytes()).unwrap();
    assert!(
        runtime
            .ragdoll_command(second, &Mat3x4::IDENTITY, Command::parse(b"dollstring\nbody a pelvis\n").unwrap(), None)
            .is_ok()
    );
    let refused = runtime.ragdoll_command(second, &Mat3x4::IDENTITY, large, None);
    assert!(refused.unwrap_err().to_string().ends_with("the limit is 1000"));
    assert_eq!(runtime.ragdoll(second).unwrap().doll().bodies.len(), 1);
}

#[test]
fn an_object_that_was_replaced_by_another_counts_as_it_did() {
    let mut runtime = Runtime::default();
    let small = runtime.add_model("small.iqm", stick("a")).unwrap();
    let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None).unwrap();
    let large = runtime.add_model("mannequin.iqm", model).unwrap();
    let [small, large] = [small, large].map(|model| runtime.create_object(model, Space::Local).unwrap());
    *runtime.object_mut(small).unwrap() = runtime.object(large).unwrap().clone();
    runtime.delete_object(small).unwrap();
    runtime.delete_object(large).unwrap();
    runtime.flush_deleted();
    assert_eq!(runtime.objects().count(), 0);
}

#[test]
fn a_runtime_holds_16383_models_and_reads_files_within_its_limits() {
    let mut runtime = Runtime::default();
    let model = std::sync::Arc::new(stick("a"));
    let ids: Vec<_> = (0..16_383).map(|_| runtime.add_model("many.iqm", model.clone()).unwrap()).collect();
    runtime.set_files(|_: &str| Some(assets::MANNEQUIN_IQM.to_vec()));
    assert_eq!(runtime.add_model("one.iqm", model.clone()), Err(LoadModelError::TooManyModels));
    assert_eq!(runtime.load_model("one.iqm"), Err(LoadModelError::TooManyModels));
    assert_eq!(runtime.models().count(), 16_383);
    runtime.remove_model(ids[5]).unwrap();
    let mut settings = runtime.settings();
    settings.load.limits.bones = 20;
    runtime.set_settings(settings).unwrap();
    let error = runtime.load_model("one.iqm").unwrap_err();
    assert!(matches!(error, LoadModelError::Unreadable { .. }), "{error}");
    assert!(error.to_string().ends_with("needs 21 bones, the limit is 20"), "{error}");
    settings.load.limits.bones = 21;
    runtime.set_settings(settings).unwrap();
    runtime.load_model("one.iqm").unwrap();
}

#[test]
fn calls_for_objects_and_models_that_are_gone_change_nothing() {
    let mut runtime = Runtime::default();
    let [model, gone] = ["here.iqm", "gone.iqm"].map(|name| runtime.add_model(name, assets::mannequin()).unwrap());
    let bare = runtime.add_model("bare.iqm", Model::default()).unwrap();
    assert_eq!(runtime.create_object(bare, Space::Local), Err(ObjectError::NoBones));
    let [object, other, stale] = [(); 3].map(|()| runtime.create_object(model, Space::Local).unwrap());
    let made_of_gone = runtime.create_object(gone, Space::Local).unwrap();
    runtime.remove_model(gone);
    assert_eq!(runtime.model_of(made_of_gone), Some(gone));
    assert_eq!((runtime.user_data(object), runtime.set_user_data(object, 9)), (Some(0), Ok(())));
    assert_eq!(runtime.delete_object(stale), Ok(()));
    assert_eq!(runtime.delete_object(stale), Ok(()), "twice is as good as once");
    runtime.set_user_data(stale, 3).unwrap();
    assert_eq!(runtime.user_data(stale), Some(3), "it is there until the frame ends");
    runtime.flush_deleted();
    assert_eq!((runtime.user_data(stale), runtime.model_of(stale)), (None, None));
    assert_eq!(runtime.user_data(object), Some(9));

    let (run, all) = (FrameState::single(2, 0.1), Build::REPLACE);
    runtime.build(object, model, &run, &all).unwrap();
    let root = RootMotion::parse(&assets::mannequin().skeleton, "pelvis").unwrap();
    let before = runtime.object(object).unwrap().pose().clone();
    let later = FrameState::single(2, 0.4);
    for (id, source, error) in [(stale, model, ObjectError::NoSuchObject), (object, gone, ObjectError::NoSuchModel)] {
        let expected = Err(error);
        assert_eq!(runtime.build(id, source, &later, &all), expected);
        assert_eq!(runtime.build_normalized(id, source, &later, &all), expected);
        assert_eq!(runtime.add_pose(id, source, &later, None, 1.0), expected);
        assert_eq!(runtime.take_motion(id, &root, source, &later), expected);
    }
    let (entity, place) = (Mat3x4::IDENTITY, Mat3x4::from_translation(Vec3::Z));
    assert_eq!(runtime.set_bone_world(stale, &entity, 1, &place), Err(ObjectError::NoSuchObject));
    for [to, from] in [[stale, object], [object, stale], [stale, stale]] {
        assert_eq!(runtime.copy_bones(to, from, 0..21), Err(ObjectError::NoSuchObject));
        assert_eq!(runtime.copy_bones_by_name(to, from, &place), Err(ObjectError::NoSuchObject));
    }
    for [to, from] in [[other, object], [object, other]] {
        assert_eq!(runtime.copy_bones_by_name(to, from, &place), Err(ObjectError::NotBuilt));
    }
    // An object that is copied to itself stays where it is.
    assert_eq!(runtime.copy_bones(object, object, 0..21), Ok(()));
    assert_eq!(runtime.copy_bones_by_name(object, object, &place), Ok(0));
    assert_eq!(runtime.object(object).unwrap().pose(), &before);
    assert_eq!(runtime.copy_bones(other, object, 0..21), Ok(()));
    assert_eq!(runtime.object(other).unwrap().pose(), &before);
}

#[test]
fn a_thousand_warnings_are_kept_from_the_oldest_on() {
    let (mut runtime, object) = assets::mannequin_runtime();
    let doll = |lines: usize| format!("dollstring\nbody head head\n{}", "nonsense\n".repeat(lines));
    assert!(!runtime.has_warnings());
    for lines in [700, 300, 1] {
        runtime.ragdoll_command(object, &Mat3x4::IDENTITY, doll(lines).as_str(), None).unwrap();
    }
    assert!(runtime.has_warnings());
    let warnings = runtime.take_warnings();
    assert_eq!((warnings.len(), Runtime::MAX_WARNINGS), (1000, 1000));
    let lines: Vec<usize> = warnings
        .iter()
        .map(|warning| match warning {
            Warning::Doll { problem, .. } => problem.line,
            other => panic!("{other}"),
        })
        .collect();
    assert_eq!((lines[..2].to_vec(), lines[699], lines[700], lines[999]), (vec![2, 3], 701, 2, 301));
    assert!(!runtime.has_warnings());
    runtime.ragdoll_command(object, &Mat3x4::IDENTITY, doll(1).as_str(), None).unwrap();
    assert_eq!(runtime.take_warnings().len(), 1);
}
