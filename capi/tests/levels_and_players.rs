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
    assert_eq!((entity.entity, entity.model, skelobj_level_body_is_valid(world, entity.body)), (1, 1, 1));
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

/// Map of one face with a texture of 16 x 16 pixels, which has a palette of its own.
const FLOOR: &[u8] = include_bytes!("../../tests/data/examples/floor.bsp");

#[test]
fn triangles_of_a_level_have_surfaces_and_textures() {
    let level = skelobj_level_load(bytes(FLOOR), FLOOR.len(), In::NULL);
    let info = written(|info| skelobj_level_info(level, info));
    assert_eq!((info.triangle_count, info.surface_count), (2, 1));
    let mut surfaces = [7u32; 2];
    // SAFETY: a buffer with its size.
    let room = unsafe { Out::new(surfaces.as_mut_ptr()) };
    assert_eq!(written(|number| skelobj_level_triangle_surfaces(level, 0, room, 2, number)), 2);
    assert_eq!(surfaces, [0, 0]);
    assert_eq!(skelobj_level_triangle_surfaces(level, 1, Out::NULL, 0, Out::NULL), SkelobjStatus::NotFound);

    let surface = written(|surface| skelobj_level_surface(level, 0, surface));
    assert_eq!((surface.texture, surface.s, surface.t), (0, [1.0, 0.0, 0.0, 8.0], [0.0, -1.0, 0.0, 0.0]));
    for wrong in [1, -1, i32::MAX] {
        let mut room = MaybeUninit::uninit();
        // SAFETY: a place for one value.
        let place = unsafe { Out::new(room.as_mut_ptr()) };
        assert_ne!(skelobj_level_surface(level, wrong, place), SkelobjStatus::Ok, "{wrong}");
    }
    let mut name = [0 as c_char; 16];
    // SAFETY: a buffer with its size.
    let buffer = unsafe { Out::new(name.as_mut_ptr()) };
    assert_eq!(written(|length| skelobj_level_surface_name(level, 0, buffer, name.len(), length)), 4);
    // SAFETY: the call has written a text.
    assert_eq!(unsafe { CStr::from_ptr(name.as_ptr()) }, c"tile");
    assert_eq!(skelobj_level_free(level), SkelobjStatus::Ok);

    let file = (bytes(FLOOR), FLOOR.len());
    let texture = written(|found| skelobj_level_texture(file.0, file.1, 0, In::NULL, found, Out::NULL, 0, Out::NULL));
    assert_eq!((texture.width, texture.height, texture.has_palette), (16, 16, 1));
    let mut pixels = [0u8; 16 * 16 * 4];
    // SAFETY: a buffer with its size.
    let rgba = unsafe { Out::new(pixels.as_mut_ptr()) };
    let number =
        written(|number| skelobj_level_texture(bytes(FLOOR), file.1, 0, In::NULL, Out::NULL, rgba, 1024, number));
    assert_eq!((number, &pixels[..8]), (1024, &[96, 96, 96, 255, 160, 160, 160, 255][..]));
    let status = skelobj_level_texture(bytes(FLOOR), file.1, 1, In::NULL, Out::NULL, Out::NULL, 0, Out::NULL);
    assert_eq!(status, SkelobjStatus::NotFound);
}

#[test]
fn textures_of_quake_need_the_palette_of_the_game() {
    let mut file = FLOOR.to_vec();
    file[0] = 29;
    let palette = [5u8; 768];
    let mut pixels = [0u8; 16 * 16 * 4];
    let mut read = |palette: In<u8>| {
        // SAFETY: a buffer with its size.
        let rgba = unsafe { Out::new(pixels.as_mut_ptr()) };
        skelobj_level_texture(bytes(&file), file.len(), 0, palette, Out::NULL, rgba, 1024, Out::NULL)
    };
    assert_eq!(read(In::NULL), SkelobjStatus::BadNumber);
    assert_eq!(read(bytes(&palette)), SkelobjStatus::Ok);
    assert_eq!(pixels[..4], [5, 5, 5, 255]);
    // Its size is known without one.
    let size =
        written(|found| skelobj_level_texture(bytes(&file), file.len(), 0, In::NULL, found, Out::NULL, 0, Out::NULL));
    assert_eq!((size.width, size.has_palette), (16, 0));
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

#[test]
fn a_level_without_entities_is_added_by_the_call_with_a_list() {
    let level = skelobj_level_load(bytes(FLOOR), FLOOR.len(), In::NULL);
    let world = skelobj_world_create(In::NULL);
    let ground = || {
        let mut trace = skelobj_default_trace_def();
        (trace.start, trace.end) = ([8.0, 8.0, 500.0], [8.0, 8.0, -500.0]);
        written(|hit| skelobj_trace(world, input(&trace), hit)).fraction
    };
    let number = written(|number| skelobj_add_level(world, level, In::NULL, Out::NULL, Out::NULL, 0, number));
    assert_eq!((number, ground()), (0, 1.0));
    let mut list = MaybeUninit::uninit();
    // SAFETY: a buffer without room.
    let list = unsafe { Out::new(list.as_mut_ptr()) };
    let number = written(|number| skelobj_add_level(world, level, In::NULL, Out::NULL, list, 0, number));
    assert_eq!(number, 0);
    assert!(ground() < 1.0);
    assert_eq!(skelobj_world_free(world), SkelobjStatus::Ok);
    assert_eq!(skelobj_level_free(level), SkelobjStatus::Ok);
}
