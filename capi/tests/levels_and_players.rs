//! Levels from BSP files and players of three models. The tests make the files.

use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;

use crate::small_bsp::Bsp29;
use skelobj::assets;
use skelobj_capi_calls::*;

fn input<T>(value: &T) -> In<T> {
    // SAFETY: the value lives during the call.
    unsafe { In::new(value) }
}

fn bytes(bytes: &[u8]) -> In<u8> {
    // SAFETY: the bytes live during the call.
    unsafe { In::new(bytes.as_ptr()) }
}

fn text(text: &'static CStr) -> In<c_char> {
    // SAFETY: the text is constant.
    unsafe { In::new(text.as_ptr()) }
}

/// Returns what a call writes.
fn written<T>(call: impl FnOnce(Out<T>) -> SkelobjStatus) -> T {
    let mut room = MaybeUninit::uninit();
    // SAFETY: a place for one value.
    let status = call(unsafe { Out::new(room.as_mut_ptr()) });
    assert_eq!(status, SkelobjStatus::Ok);
    // SAFETY: a call that succeeds has written its result.
    unsafe { room.assume_init() }
}

fn numbered(number: i32) -> usize {
    usize::try_from(number).expect("a number of values")
}

#[test]
fn a_level_from_a_file_stops_what_falls_and_has_its_entities() {
    let file = Bsp29::room().bytes();
    let level = skelobj_level_load(bytes(&file), file.len(), In::NULL);
    assert_eq!(skelobj_level_is_valid(level), 1);
    let info = written(|info| skelobj_level_info(level, info));
    assert_eq!((info.model_count, info.entity_count), (2, 3));
    let mut name = [0 as c_char; 32];
    // SAFETY: a buffer with its size.
    let buffer = unsafe { Out::new(name.as_mut_ptr()) };
    let status = skelobj_level_entity_value(level, 1, text(c"classname"), buffer, name.len(), Out::NULL);
    assert_eq!(status, SkelobjStatus::Ok);
    // SAFETY: the call has written a text.
    assert_eq!(unsafe { CStr::from_ptr(name.as_ptr()) }, c"func_plat");
    let number = written(|number| skelobj_level_corners(level, 0, Out::NULL, 0, number));
    let (mut corners, mut indices) = (vec![0.0; numbered(number)], [0; 3]);
    // SAFETY: a buffer with its size.
    let corner_buffer = unsafe { Out::new(corners.as_mut_ptr()) };
    assert_eq!(skelobj_level_corners(level, 0, corner_buffer, number, Out::NULL), SkelobjStatus::Ok);
    assert!(corners.iter().all(|part| part.is_finite()) && corners.iter().any(|part| *part != 0.0));
    assert_eq!(written(|number| skelobj_level_triangles(level, 0, Out::NULL, 0, number)), info.triangle_count * 3);
    // SAFETY: as above.
    let index_buffer = unsafe { Out::new(indices.as_mut_ptr()) };
    assert_eq!(skelobj_level_triangles(level, 0, index_buffer, 3, Out::NULL), SkelobjStatus::BufferTooSmall);
    assert_eq!(skelobj_level_corners(level, 2, Out::NULL, 0, Out::NULL), SkelobjStatus::NotFound);

    let status = skelobj_level_entity_value(level, 1, text(c"none"), buffer, name.len(), Out::NULL);
    assert_eq!(status, SkelobjStatus::NotFound);

    let world = skelobj_world_create(In::NULL);
    let def = skelobj_default_level_def();
    let (mut entities, mut count) = ([const { MaybeUninit::<SkelobjEntityBody>::uninit() }; 4], 0);
    let body = written(|body| {
        // SAFETY: places for four entities and a number.
        let (list, number) = unsafe { (Out::new(entities.as_mut_ptr().cast()), Out::new(&raw mut count)) };
        skelobj_add_level(world, level, input(&def), body, list, 4, number)
    });
    assert_eq!(count, 1);
    // SAFETY: the call has written one entity.
    let entity = unsafe { entities[0].assume_init() };
    assert_eq!((entity.entity, skelobj_level_body_is_valid(world, entity.body)), (1, 1));
    let mut trace = skelobj_default_trace_def();
    (trace.start, trace.end) = ([40.0, 40.0, 0.0], [40.0, 40.0, -1000.0]);
    let hit = written(|hit| skelobj_trace(world, input(&trace), hit));
    assert_eq!((hit.level_body, hit.surface), (body, SkelobjSurfaceKind::Level as i32));
    assert!((hit.point[2] + 64.0).abs() < 0.1, "{:?}", hit.point);
    for (point, solid) in [([40.0, 40.0, -63.0], 0), ([40.0, 40.0, -65.0], 1), ([0.0, 0.0, 32.0], 1)] {
        assert_eq!(skelobj_level_is_solid(level, input(&point)), solid, "{point:?}");
        assert_eq!(skelobj_is_solid(world, input(&point)), solid, "{point:?}");
    }
    assert_eq!(skelobj_level_body_remove(world, entity.body), SkelobjStatus::Ok);
    let crate_at = [0.0, 0.0, 32.0];
    assert_eq!(skelobj_is_solid(world, input(&crate_at)), 0);
    assert_eq!(skelobj_level_is_solid(level, input(&crate_at)), 1);
    let waters = written(|number| skelobj_add_level_water(world, level, Out::NULL, 0, number));
    assert_eq!(waters, info.liquid_count);
    assert_eq!(skelobj_level_free(level), SkelobjStatus::Ok);
    assert_eq!(skelobj_level_body_is_valid(world, body), 1);
    assert_eq!(skelobj_world_free(world), SkelobjStatus::Ok);
}

const CONFIG: &[u8] = b"sex m\n0 5 0 20 // BOTH_DEATH1\n";

extern "C" fn load(_user: SkelobjUser, name: *const c_char, size: *mut usize) -> In<u8> {
    // SAFETY: the library passes a text and a place for a number.
    let (name, size) = unsafe { (CStr::from_ptr(name).to_string_lossy(), &mut *size) };
    let file = match name.rsplit('.').next() {
        Some("md3") => assets::MANNEQUIN_IQM,
        Some("cfg") => CONFIG,
        _ => return In::NULL,
    };
    *size = file.len();
    bytes(file)
}

#[test]
fn a_player_has_three_models_and_its_parts_have_places() {
    let mut def = skelobj_default_load_def();
    def.files.load = Some(load);
    let player = skelobj_player_load(text(c"models/players/a"), text(c"default"), input(&def));
    assert_eq!(skelobj_player_is_valid(player), 1);
    let models = [0, 1, 2, 3].map(|part| skelobj_player_model(player, part));
    assert!(models.iter().all(|model| skelobj_model_is_valid(*model) == 1));
    assert_eq!(skelobj_player_model(player, 4).id, 0);
    // The last one is the whole player.
    let meshes = models.map(|model| written(|data| skelobj_model_data(model, data)).mesh_count);
    assert_eq!(meshes[3], meshes[0] + meshes[1] + meshes[2]);
    let frame = written(|frame| skelobj_player_frame(player, text(c"BOTH_DEATH1"), 0.1, frame));
    let mut head = [0.0; 12];
    // SAFETY: a place for one matrix.
    let place = unsafe { Out::new(&raw mut head) };
    let (frame, none) = (input(&frame), InMatrix::NULL);
    let status = skelobj_player_place(player, frame, frame, none, none, Out::NULL, place, Out::NULL);
    assert_eq!((status, head[0]), (SkelobjStatus::Ok, 1.0));
    assert_eq!(skelobj_player_free(player), SkelobjStatus::Ok);
    for model in models {
        assert_eq!(skelobj_model_free(model), SkelobjStatus::Ok);
    }
}
