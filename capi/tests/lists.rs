//! Calls with lists follow one rule: a list that is not wanted, one without room, one with room.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::ffi::{CStr, c_char};

use crate::rules::Header;
use crate::small_bsp::{Bsp29, LEAFS};
use skelobj::assets;
use skelobj_capi_calls::*;

/// Calls with a capacity that do not follow the rule.
const OTHERS: [&str; 1] = ["skelobj_last_error"];

/// Calls that do more than write lists.
const ACTING: [&str; 2] = ["skelobj_add_level", "skelobj_add_level_water"];

/// Calls that write matrices and no number of them.
const OF_MATRICES: [&str; 5] =
    ["skelobj_model_pose", "skelobj_pose", "skelobj_palette", "skelobj_palettes", "skelobj_past_pose"];

/// Bytes that no call has written.
const UNTOUCHED: u8 = 0xa5;
const UNTOUCHED_WORD: u64 = u64::from_ne_bytes([UNTOUCHED; 8]);

/// Doll with several problems.
const BAD_DOLL: &[u8] = b"body a head\nmass -1\nsize 0 0 0\nbody b chest\nmass nan\n";

const FLOOR: &[u8] = include_bytes!("../../tests/data/examples/floor.bsp");

thread_local! {
    static LOGGED: Cell<usize> = const { Cell::new(0) };
}

extern "C" fn log(_user: SkelobjUser, _level: i32, _text: *const c_char) {
    LOGGED.set(LOGGED.get() + 1);
}

/// World in which every list has two elements or more.
struct Scene {
    world: SkelobjWorld,
    model: SkelobjModel,
    /// Objects, the first with a ragdoll that falls on the floor.
    objects: [SkelobjObject; 2],
    floor: SkelobjLevelBody,
    doll: SkelobjDoll,
    bad_doll: SkelobjDoll,
    level: SkelobjLevel,
    snapshot: SkelobjSnapshot,
    bones: usize,
}

/// Arguments of a call that writes a list: a buffer, its capacity, and a place for the number.
struct List {
    buffer: Vec<Cell<u64>>,
    is_null: bool,
    capacity: usize,
    number: Option<Cell<[u64; 1]>>,
    /// Place for what the call writes besides.
    other: Cell<[u64; 16]>,
    /// Bytes of an element.
    element: Cell<usize>,
}

impl List {
    fn new(capacity: Option<usize>, has_number: bool) -> Self {
        Self {
            buffer: vec![Cell::new(UNTOUCHED_WORD); 1 << 17],
            is_null: capacity.is_none(),
            capacity: capacity.unwrap_or(0),
            number: has_number.then(|| Cell::new([0])),
            other: Cell::new([UNTOUCHED_WORD; 16]),
            element: Cell::new(0),
        }
    }

    fn at<T>(&self) -> Out<T> {
        self.element.set(size_of::<T>());
        // SAFETY: a buffer that is larger than every list here, and that nothing refers to during a call.
        if self.is_null { Out::NULL } else { unsafe { Out::new(self.buffer.as_ptr().cast_mut().cast()) } }
    }

    fn room<N: TryFrom<usize>>(&self) -> N {
        N::try_from(self.capacity).ok().expect("a small capacity")
    }

    fn number<N>(&self) -> Out<N> {
        // SAFETY: a place for one number.
        self.number.as_ref().map_or(Out::NULL, |number| unsafe { Out::new(number.as_ptr().cast()) })
    }

    fn other<T>(&self) -> Out<T> {
        assert!(size_of::<T>() <= size_of_val(&self.other));
        // SAFETY: a place that is large enough.
        unsafe { Out::new(self.other.as_ptr().cast()) }
    }

    /// Returns the number that a call wrote into a place of 4 or 8 bytes.
    fn told(&self, size: usize) -> Option<usize> {
        let bytes = self.number.as_ref()?.get()[0].to_ne_bytes();
        Some(match size {
            4 => u32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize,
            _ => usize::from_ne_bytes(bytes),
        })
    }

    /// Returns the number of bytes up to the last one that was written.
    fn written(&self) -> usize {
        let Some(last) = self.buffer.iter().rposition(|word| word.get() != UNTOUCHED_WORD) else { return 0 };
        let in_word = self.buffer[last].get().to_ne_bytes().iter().rposition(|byte| *byte != UNTOUCHED);
        8 * last + in_word.map_or(0, |byte| byte + 1)
    }

    fn is_untouched(&self) -> bool {
        self.written() == 0 && self.other.get() == [UNTOUCHED_WORD; 16]
    }
}

type Row = (&'static str, fn(&Scene, &List) -> SkelobjStatus);

/// Every call with a list.
const ROWS: [Row; 41] = [
    ("skelobj_world_model_name", |s, l| skelobj_world_model_name(s.world, s.model, l.at(), l.room(), l.number())),
    ("skelobj_world_models", |s, l| skelobj_world_models(s.world, l.at(), l.room(), l.number())),
    ("skelobj_model_skin_name", |s, l| skelobj_model_skin_name(s.model, 0, l.at(), l.room(), l.number())),
    ("skelobj_model_write", |s, l| skelobj_model_write(s.model, text(c"iqm"), l.at(), l.room(), l.number())),
    ("skelobj_model_losses", |s, l| skelobj_model_losses(s.model, text(c"glb"), l.at(), l.room(), l.number())),
    ("skelobj_formats", |_, l| skelobj_formats(l.at(), l.room(), l.number())),
    ("skelobj_sort_files", |_, l| {
        let doll = SkelobjFile { name: text(c"a.doll"), bytes: start(BAD_DOLL), size: BAD_DOLL.len() };
        skelobj_sort_files(start(&[doll, doll]), 2, In::NULL, l.at(), l.room(), l.number())
    }),
    ("skelobj_model_pose", |s, l| skelobj_model_pose(s.model, In::NULL, 0, l.at(), l.room())),
    ("skelobj_world_objects", |s, l| skelobj_world_objects(s.world, l.at(), l.room(), l.number())),
    ("skelobj_bone_name", |s, l| skelobj_bone_name(s.world, s.objects[0], 1, l.at(), l.room(), l.number())),
    ("skelobj_pose", |s, l| skelobj_pose(s.world, s.objects[0], 0, l.at(), l.room())),
    ("skelobj_palette", |s, l| skelobj_palette(s.world, s.objects[0], l.at(), l.room())),
    ("skelobj_palettes", |s, l| skelobj_palettes(s.world, start(&s.objects[..1]), 1, s.bones as i32, l.at(), l.room())),
    ("skelobj_doll_decode", |_, l| skelobj_doll_decode(chars(BAD_DOLL), BAD_DOLL.len(), l.at(), l.room(), l.number())),
    ("skelobj_doll_problems", |s, l| skelobj_doll_problems(s.bad_doll, l.at(), l.room(), l.number())),
    ("skelobj_doll_lint", |s, l| {
        skelobj_doll_lint(chars(BAD_DOLL), BAD_DOLL.len(), s.model, l.at(), l.room(), l.number())
    }),
    ("skelobj_doll_format", |_, l| skelobj_doll_format(chars(BAD_DOLL), BAD_DOLL.len(), l.at(), l.room(), l.number())),
    ("skelobj_doll_text", |s, l| skelobj_doll_text(s.doll, l.at(), l.room(), l.number())),
    ("skelobj_doll_bodies", |s, l| skelobj_doll_bodies(s.doll, s.model, l.at(), l.room(), l.number())),
    ("skelobj_doll_joints", |s, l| skelobj_doll_joints(s.doll, s.model, l.at(), l.room(), l.number())),
    ("skelobj_doll_fit", |s, l| skelobj_doll_fit(s.model, In::NULL, l.at(), l.room(), l.number())),
    ("skelobj_doll_directives", |_, l| skelobj_doll_directives(l.at(), l.room(), l.number())),
    ("skelobj_impacts", |s, l| skelobj_impacts(s.world, l.at(), l.room(), l.number())),
    ("skelobj_ragdoll_bodies", |s, l| skelobj_ragdoll_bodies(s.world, s.objects[0], l.at(), l.room(), l.number())),
    ("skelobj_ragdoll_joints", |s, l| skelobj_ragdoll_joints(s.world, s.objects[0], l.at(), l.room(), l.number())),
    ("skelobj_ragdoll_contact_points", |s, l| {
        skelobj_ragdoll_contact_points(s.world, s.objects[0], l.at(), l.room(), l.number())
    }),
    ("skelobj_level_entity_value", |s, l| {
        skelobj_level_entity_value(s.level, 0, text(c"classname"), l.at(), l.room(), l.number())
    }),
    ("skelobj_world_level_bodies", |s, l| skelobj_world_level_bodies(s.world, l.at(), l.room(), l.number())),
    ("skelobj_world_waters", |s, l| skelobj_world_waters(s.world, l.at(), l.room(), l.number())),
    ("skelobj_add_level", |s, l| {
        skelobj_add_level(s.world, s.level, In::NULL, l.other(), l.at(), l.room(), l.number())
    }),
    ("skelobj_add_level_water", |s, l| skelobj_add_level_water(s.world, s.level, l.at(), l.room(), l.number())),
    ("skelobj_level_corners", |s, l| skelobj_level_corners(s.level, 0, l.at(), l.room(), l.number())),
    ("skelobj_level_triangles", |s, l| skelobj_level_triangles(s.level, 0, l.at(), l.room(), l.number())),
    ("skelobj_level_triangle_surfaces", |s, l| {
        skelobj_level_triangle_surfaces(s.level, 0, l.at(), l.room(), l.number())
    }),
    ("skelobj_level_surface_name", |s, l| skelobj_level_surface_name(s.level, 0, l.at(), l.room(), l.number())),
    ("skelobj_level_texture", |_, l| {
        let file = (start(FLOOR), FLOOR.len());
        skelobj_level_texture(file.0, file.1, 0, In::NULL, l.other(), l.at(), l.room(), l.number())
    }),
    ("skelobj_past_pose", |s, l| skelobj_past_pose(s.world, s.objects[0], 1.0, 0, l.other(), l.at(), l.room())),
    ("skelobj_contacts", |s, l| skelobj_contacts(s.world, s.floor, l.at(), l.room(), l.number())),
    ("skelobj_snapshot_write", |s, l| skelobj_snapshot_write(s.snapshot, l.at(), l.room(), l.number())),
    ("skelobj_snapshot_models", |s, l| skelobj_snapshot_models(s.snapshot, l.at(), l.room(), l.number())),
    ("skelobj_encode_bones", |s, l| skelobj_encode_bones(s.world, s.objects[0], 0, l.at(), l.room(), l.number())),
];

fn start<T>(values: &[T]) -> In<T> {
    // SAFETY: the values live during the call.
    unsafe { In::new(values.as_ptr()) }
}

fn chars(bytes: &[u8]) -> In<c_char> {
    // SAFETY: the bytes live during the call.
    unsafe { In::new(bytes.as_ptr().cast()) }
}

fn text(text: &'static CStr) -> In<c_char> {
    // SAFETY: the text is constant.
    unsafe { In::new(text.as_ptr()) }
}

/// Returns the bytes of a room full of water with a door, a wall and a pool, all three in the place of its crate.
fn flooded_room() -> Vec<u8> {
    let mut bsp = Bsp29::room();
    bsp.lumps[0] = br#"{ "classname" "worldspawn" }
{ "classname" "func_door" "model" "*1" "origin" "0 0 32" }
{ "classname" "trigger_once" "model" "*1" }
{ "classname" "func_wall" "model" "*1" "origin" "40 0 0" }
{ "classname" "func_water" "model" "*1" "origin" "0 40 0" }
"#
    .to_vec();
    // Leaf 1 is open.
    bsp.lumps[LEAFS][28..32].copy_from_slice(&(-3i32).to_le_bytes());
    bsp.bytes()
}

impl Scene {
    fn new() -> Self {
        let mut def = skelobj_default_world_def();
        def.log = Some(log);
        let world = skelobj_world_create(start(&[def]));
        let (iqm, doll) = (assets::MANNEQUIN_IQM, assets::MANNEQUIN_DOLL);
        let model = skelobj_model_load(text(c"mannequin.iqm"), start(iqm), iqm.len(), In::NULL);
        let other = skelobj_model_load(text(c"other.iqm"), start(iqm), iqm.len(), In::NULL);
        for (name, model) in [(c"mannequin.iqm", model), (c"other.iqm", other)] {
            assert_eq!(skelobj_world_add_model(world, text(name), model), SkelobjStatus::Ok);
        }
        let doll = skelobj_doll_parse(chars(doll), doll.len(), model);
        let bad_doll = skelobj_doll_parse(chars(BAD_DOLL), BAD_DOLL.len(), model);
        let file = flooded_room();
        let level = skelobj_level_load(start(&file), file.len(), In::NULL);
        let [floor, _] = [0.0, -64.0].map(|z| skelobj_add_floor(world, z));
        for _ in 0..2 {
            let mut water = skelobj_default_water_def(0);
            (water.mins, water.maxs) = ([900.0; 3], [999.0; 3]);
            assert_ne!(skelobj_add_water(world, start(&[water])).id, 0);
        }
        let objects = [0, 0].map(|space| skelobj_object_create(world, model, space));
        let matrix = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 20.0];
        let (entity, none) = (|| start(std::slice::from_ref(&matrix)), SkelobjObject { id: 0 });
        for object in objects {
            let frame = [skelobj_frame_single(0, 0.0)];
            assert_eq!(skelobj_build(world, object, model, start(&frame), In::NULL), SkelobjStatus::Ok);
        }
        assert_eq!(skelobj_ragdoll_set(world, objects[0], entity(), doll), SkelobjStatus::Ok);
        assert_eq!(skelobj_ragdoll_animate(world, objects[0], entity(), 0.0, 0.0, none), SkelobjStatus::Ok);
        assert_eq!(skelobj_set_impact_threshold(world, 0.0), SkelobjStatus::Ok);
        assert_eq!(skelobj_keep_history(world, start(&[skelobj_default_history_def()])), SkelobjStatus::Ok);
        assert_eq!(skelobj_record_pose(world, objects[0], 1.0, entity(), Out::NULL), SkelobjStatus::Ok);
        // Until a step in which two bodies hit the floor.
        for _ in 0..120 {
            assert_eq!(skelobj_step(world, 1.0 / 60.0, Out::NULL), SkelobjStatus::Ok);
            let impacts = List::new(None, true);
            assert_eq!(skelobj_impacts(world, impacts.at(), 0, impacts.number()), SkelobjStatus::Ok);
            if impacts.told(4) >= Some(2) {
                break;
            }
        }
        let bones = usize::try_from(skelobj_bone_count(world, objects[0])).expect("bones");
        let snapshot = skelobj_snapshot_take(world);
        LOGGED.set(0);
        Self { world, model, objects, floor, doll, bad_doll, level, snapshot, bones }
    }

    /// Returns the state of the world as bytes.
    fn state(&self) -> Vec<u8> {
        let (snapshot, mut size) = (skelobj_snapshot_take(self.world), 0);
        let mut bytes = vec![0; 1 << 20];
        // SAFETY: a buffer with its size, and a place for a number.
        let (buffer, place) = unsafe { (Out::new(bytes.as_mut_ptr()), Out::new(&raw mut size)) };
        assert_eq!(skelobj_snapshot_write(snapshot, buffer, bytes.len(), place), SkelobjStatus::Ok);
        assert_eq!(skelobj_snapshot_free(snapshot), SkelobjStatus::Ok);
        bytes.truncate(size);
        bytes
    }
}

#[test]
fn every_call_with_a_list_follows_one_rule() {
    use SkelobjStatus::{BufferTooSmall, Ok};
    let header = Header::read();
    let mut rows: BTreeSet<&str> = ROWS.iter().map(|(name, _)| *name).chain(OTHERS).collect();
    let scene = Scene::new();
    for function in &header.functions {
        let parameters = &function.parameters;
        let Some(capacity) = parameters.iter().position(|(_, name)| name == "capacity") else { continue };
        let name = &*function.name;
        assert!(rows.remove(name), "{name} lacks a row in this test");
        let Some((_, call)) = ROWS.iter().find(|(row, _)| *row == name) else { continue };
        let is_text = parameters[capacity - 1].0 == "char *";
        let width = parameters.get(capacity + 1).map(|(kind, _)| if kind.starts_with("size_t") { 8 } else { 4 });
        assert_eq!(width.is_none(), OF_MATRICES.contains(&name), "{name}");

        // Returns the arguments of a call after a check of its status, and of the state and the log if it is refused.
        let try_with = |list: List, wanted: SkelobjStatus, is_refused: bool| {
            let before = (scene.state(), LOGGED.get());
            assert_eq!(call(&scene, &list), wanted, "{name}: {:?}", (list.is_null, list.capacity));
            let is_same = before == (scene.state(), LOGGED.get());
            assert_eq!(is_same, is_refused || !ACTING.contains(&name), "{name}: the state after {}", list.capacity);
            assert!(!is_refused || list.is_untouched(), "{name} writes without room for {}", list.capacity);
            list
        };
        let asks = if width.is_some() { Ok } else { BufferTooSmall };
        let told = width.map(|width| try_with(List::new(None, true), Ok, true).told(width).expect("a number"));
        let needed = told.map_or(scene.bones, |told| told + usize::from(is_text));
        assert!(needed >= 2, "{name} has a list of {needed}");
        for (capacity, status) in [(0, asks), (needed - 1, BufferTooSmall)] {
            let list = try_with(List::new(Some(capacity), width.is_some()), status, true);
            assert_eq!(width.and_then(|width| list.told(width)), told, "{name}: the number for {capacity}");
            // Without a place for the number, a call with a list does not pass for one that was made.
            try_with(List::new(Some(capacity), false), BufferTooSmall, true);
        }
        let list = try_with(List::new(Some(needed), width.is_some()), Ok, false);
        assert_eq!(width.and_then(|width| list.told(width)), told, "{name}: the number of what is written");
        let bytes = needed * list.element.get();
        assert!((1..=bytes).contains(&list.written()), "{name} writes {} of {bytes} bytes", list.written());
        if width.is_some() {
            try_with(List::new(None, false), Ok, false);
        }
    }
    assert!(rows.is_empty(), "calls that the header lacks: {rows:?}");
}
