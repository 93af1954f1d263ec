//! Palettes of many objects in one call, compared with single calls.

use skelobj::math::Mat3x4;
use skelobj::model::FrameState;
use skelobj::object::{Build, ObjectError, Space};
use skelobj::runtime::ObjectId;
use skelobj::{Model, Runtime, assets};

/// Returns a crowd in different poses, and the number of bones of each.
fn crowd(size: usize) -> (Runtime, Vec<ObjectId>, usize) {
    let mut runtime = Runtime::default();
    let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None).unwrap();
    let bones = model.skeleton.len();
    let model = runtime.add_model("mannequin.iqm", model).unwrap();
    let ids = (0..size).map(|number| {
        let id = runtime.create_object(model, Space::Local).unwrap();
        let frame = FrameState::single(2, number as f64 * 0.013);
        runtime.build(id, model, &frame, &Build::REPLACE).unwrap();
        id
    });
    let ids = ids.collect();
    (runtime, ids, bones)
}

fn bits(bones: &[Mat3x4]) -> Vec<u32> {
    bones.iter().flat_map(|bone| bone.0.map(f32::to_bits)).collect()
}

#[test]
fn a_crowd_has_the_palettes_of_its_members() {
    for size in [1, 150, 400, 500] {
        let (runtime, ids, bones) = crowd(size);
        let stride = bones + 3;
        let mut all = vec![Mat3x4::ZERO; size * stride];
        runtime.write_palettes(&ids, stride, &mut all).unwrap();
        for (number, (id, palette)) in ids.iter().zip(all.chunks(stride)).enumerate() {
            let mut own = vec![Mat3x4::ZERO; stride];
            runtime.write_palette(*id, &mut own).unwrap();
            assert_eq!(bits(palette), bits(&own), "object {number} of {size}");
        }
        assert!(size == 1 || all[..stride] != all[stride..2 * stride]);
    }
}

#[test]
fn a_palette_too_short_is_an_error_and_nothing_is_written() {
    let (runtime, ids, bones) = crowd(3);
    let mut whole = vec![Mat3x4::ZERO; 3 * bones];
    runtime.write_palettes(&ids, bones, &mut whole).unwrap();
    let short = |found: usize| Err(ObjectError::TooShort { needed: bones, found });
    let mut out = vec![Mat3x4::ZERO; bones + 2];
    assert_eq!(runtime.write_palettes(&ids, bones, &mut out), short(2), "the second object has room for two bones");
    assert_eq!(runtime.write_palettes(&ids, 2, &mut out), short(2), "a stride of two bones");
    assert_eq!(runtime.write_palettes(&ids, 0, &mut out), short(0));
    assert_eq!(runtime.write_palettes(&ids, bones, &mut []), short(0));
    assert_eq!(runtime.write_palette(ids[0], &mut out[..3]), short(3));
    let object = runtime.object(ids[0]).unwrap();
    assert_eq!(object.write_palette(&mut out[..3]), short(3));
    assert!(out.iter().all(|matrix| *matrix == Mat3x4::ZERO));
    runtime.write_palettes(&[], 0, &mut out).unwrap();
    runtime.write_palettes(&ids[..1], bones, &mut out).unwrap();
    assert_eq!(bits(&out[..bones]), bits(&whole[..bones]));
}

#[test]
fn nothing_is_written_for_a_missing_object() {
    let (mut runtime, ids, bones) = crowd(200);
    runtime.delete_object(ids[199]).unwrap();
    runtime.flush_deleted();
    let mut all = vec![Mat3x4::ZERO; 200 * bones];
    assert_eq!(runtime.write_palettes(&ids, bones, &mut all), Err(ObjectError::NoSuchObject));
    assert!(all.iter().all(|bone| *bone == Mat3x4::ZERO));
}
