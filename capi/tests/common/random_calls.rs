//! Sequences of C calls made from bytes, for a fuzzer and for a test with a fixed number of sequences.

use std::ffi::{CStr, c_char};

use skelobj_capi_calls::*;

const MANNEQUIN: &[u8] = include_bytes!("../../../dolls/mannequin.iqm");
const DOLL: &[u8] = include_bytes!("../../../dolls/mannequin.doll");

extern "C" fn load(_user: SkelobjUser, name: *const c_char, size: *mut usize) -> In<u8> {
    // SAFETY: the library passes a text and a place for a number.
    let (name, size) = unsafe { (CStr::from_ptr(name), &mut *size) };
    let bytes = match name.to_bytes() {
        b"mannequin.iqm" => MANNEQUIN,
        b"mannequin.doll" => DOLL,
        _ => return In::NULL,
    };
    *size = bytes.len();
    // SAFETY: the bytes are constant.
    unsafe { In::new(bytes.as_ptr()) }
}

/// Arguments and ids of a sequence.
struct Calls<'a> {
    bytes: &'a [u8],
    /// Ids that were given out, of every kind, freed ones included.
    ids: Vec<u32>,
    matrix: [f32; 12],
    floats: Vec<f32>,
    text: [c_char; 64],
    panics: usize,
}

const NUMBERS: [f32; 12] =
    [0.0, 1.0, -1.0, 0.5, 40.0, -800.0, 1e6, 1e30, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MIN_POSITIVE];

impl Calls<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        *first
    }

    fn number(&mut self) -> f32 {
        match self.byte() {
            byte if byte < 128 => f32::from(byte),
            byte => NUMBERS[usize::from(byte) % NUMBERS.len()],
        }
    }

    fn small(&mut self) -> i32 {
        match self.byte() {
            255 => i32::MAX,
            254 => i32::MIN,
            253 => -1,
            byte => i32::from(byte % 32),
        }
    }

    /// An id that was given out, often of another kind than the call takes, or some number.
    fn id(&mut self) -> u32 {
        let byte = usize::from(self.byte());
        match self.ids.len() {
            0 => byte as u32,
            count if byte < 250 => self.ids[byte % count],
            _ => [0, u32::MAX, 1 << 24, 77, 1 << 31, 8 << 24 | 3][byte - 250],
        }
    }

    fn object(&mut self) -> SkelobjObject {
        SkelobjObject { id: self.id() }
    }

    fn keep(&mut self, id: u32) {
        if id > 0 {
            self.ids.push(id);
        }
    }

    fn fill_matrix(&mut self) {
        let kind = self.byte();
        self.matrix = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        for place in [3, 7, 11] {
            self.matrix[place] = self.number() * 0.25;
        }
        if kind > 200 {
            let place = usize::from(self.byte()) % 12;
            self.matrix[place] = self.number();
        }
    }

    fn status(&mut self, status: SkelobjStatus) {
        self.panics += usize::from(status == SkelobjStatus::Panic);
    }
}

/// Pointer to a value of the test, or null now and then.
fn input<T>(value: &T, byte: u8) -> In<T> {
    // SAFETY: the value lives during the call.
    if byte == 251 { In::NULL } else { unsafe { In::new(value) } }
}

/// Pointer to the first of the values of the test.
fn start<T>(values: &[T]) -> In<T> {
    // SAFETY: the values live during the call.
    unsafe { In::new(values.as_ptr()) }
}

fn place<T>(value: &mut T) -> Out<T> {
    // SAFETY: the value lives during the call, and nothing else refers to it.
    unsafe { Out::new(value) }
}

fn places<T>(values: &mut [T]) -> Out<T> {
    // SAFETY: as for `place`.
    unsafe { Out::new(values.as_mut_ptr()) }
}

fn text(text: &'static CStr) -> In<c_char> {
    // SAFETY: the text is constant.
    unsafe { In::new(text.as_ptr()) }
}

/// Makes the calls that the bytes describe, frees everything, and checks that no defect was met and nothing is left.
///
/// The table of ids is global: only one sequence runs at a time.
pub fn run(bytes: &[u8]) {
    let floats = vec![0.0; 12 * 64];
    let mut calls = Calls { bytes, ids: Vec::new(), matrix: [0.0; 12], floats, text: [0; 64], panics: 0 };
    let mut def = skelobj_default_world_def();
    def.files.load = Some(load);
    let world = skelobj_world_create(input(&def, 0));
    let model = skelobj_world_load_model(world, text(c"mannequin.iqm"));
    assert!(world.id > 0 && model.id > 0);
    let (object, floor) = (skelobj_object_create(world, model, 0), skelobj_add_floor(world, 0.0));
    calls.ids.extend([world.id, model.id, object.id, floor.id]);
    let mut made = 0;
    while !calls.bytes.is_empty() && made < 400 {
        call(&mut calls, world, model);
        made += 1;
    }
    let ids = std::mem::take(&mut calls.ids);
    for id in ids.into_iter().chain([world.id, model.id]) {
        skelobj_world_free(SkelobjWorld { id });
        skelobj_model_free(SkelobjModel { id });
        skelobj_doll_free(SkelobjDoll { id });
        skelobj_snapshot_free(SkelobjSnapshot { id });
        skelobj_receiver_free(SkelobjReceiver { id });
    }
    for kind in SkelobjKind::World as i32..=SkelobjKind::Receiver as i32 {
        assert_eq!(skelobj_live_count(kind), 0, "kind {kind}");
    }
    assert_eq!(calls.panics, 0, "a defect was met");
}

fn call(calls: &mut Calls<'_>, world: SkelobjWorld, model: SkelobjModel) {
    // Mostly the real world and model, now and then another id.
    let other = calls.byte() > 240;
    let ids = (world.id, model.id);
    let (world, model) =
        if other { (SkelobjWorld { id: calls.id() }, SkelobjModel { id: calls.id() }) } else { (world, model) };
    let kind = calls.byte();
    let mut number = 0;
    match kind % 44 {
        0 => {
            // Few objects, so that the steps stay short.
            if calls.ids.len() < 24 {
                let object = skelobj_object_create(world, model, calls.small() & 3);
                calls.keep(object.id);
            }
        }
        1 => {
            let object = calls.object();
            calls.status(skelobj_object_delete(world, object));
        }
        2 | 3 => {
            let (object, byte) = (calls.object(), calls.byte());
            let mut frame = skelobj_frame_single(calls.small(), f64::from(calls.number()));
            frame.base_bones = calls.small();
            frame.blends[1].weight = calls.number();
            if byte == 250 {
                frame.cookie ^= 1;
            }
            calls.status(skelobj_build(world, object, model, input(&frame, byte), In::NULL));
        }
        4 => {
            let (object, frame, mut build) = (calls.object(), skelobj_default_frame_def(), skelobj_default_build_def());
            (build.first_bone, build.last_bone) = (calls.small(), calls.small());
            (build.retain, build.add, build.normalized) = (calls.number(), calls.number(), calls.small() & 1);
            let byte = calls.byte();
            calls.status(skelobj_build(world, object, model, input(&frame, byte), input(&build, byte ^ 1)));
        }
        5..=7 => {
            let (object, bone) = (calls.object(), calls.small());
            let out = place(&mut calls.matrix);
            let status = match kind % 3 {
                0 => skelobj_bone_local(world, object, bone, out),
                1 => skelobj_bone_model(world, object, bone, out),
                _ => skelobj_model_tag(model, bone, In::NULL, out),
            };
            calls.status(status);
        }
        8..=12 => {
            let (object, bone) = (calls.object(), calls.small());
            calls.fill_matrix();
            let byte = calls.byte();
            let matrix = input(&calls.matrix, byte);
            let status = match kind % 5 {
                0 => skelobj_set_bone(world, object, bone, matrix),
                1 => skelobj_set_bone_model(world, object, bone, matrix),
                2 => skelobj_mul_bone(world, object, bone, matrix),
                3 => skelobj_mul_bones(world, object, bone, calls.small(), matrix),
                _ => skelobj_set_bone_world(world, object, matrix, bone, matrix),
            };
            calls.status(status);
        }
        13 => {
            let (to, from, first, last) = (calls.object(), calls.object(), calls.small(), calls.small());
            calls.status(skelobj_copy_bones(world, to, from, first, last));
        }
        14 => {
            let (object, space, capacity) = (calls.object(), calls.small(), calls.small().min(64));
            // SAFETY: 64 matrices fit into the floats.
            let out = unsafe { Out::new(calls.floats.as_mut_ptr().cast()) };
            calls.status(skelobj_pose(world, object, space & 3, out, capacity));
        }
        15 => {
            let objects = [calls.object(), calls.object()];
            let (count, stride) = (calls.small().min(2), calls.small());
            // SAFETY: as above.
            let out = unsafe { Out::new(calls.floats.as_mut_ptr().cast()) };
            calls.status(skelobj_palettes(world, start(&objects), count, stride, out, 64));
        }
        16 => {
            let (object, bone, capacity) = (calls.object(), calls.small(), usize::from(calls.byte()).min(64));
            let out = places(&mut calls.text);
            calls.status(skelobj_bone_name(world, object, bone, out, capacity, Out::NULL));
        }
        17..=20 => {
            let (object, source) = (calls.object(), SkelobjObject { id: if kind > 200 { calls.id() } else { 0 } });
            calls.fill_matrix();
            let byte = calls.byte();
            calls.status(skelobj_ragdoll_update(world, object, input(&calls.matrix, byte), source));
        }
        21..=23 => {
            let commands = [
                c"animate 0",
                c"animate 1 0.5",
                c"animatebody head 0",
                c"animatelimb thigh_l 0.5",
                c"cleardoll",
                c"muscle 0.5",
                c"doll mannequin.doll",
                c"dollstring body a head\n size 4 4 4\n",
                c"enablejoint neck 0",
                c"animate nan",
                c"\xff",
                c"",
            ];
            let object = calls.object();
            let command = text(commands[usize::from(calls.byte()) % commands.len()]);
            calls.fill_matrix();
            let status = skelobj_ragdoll_command(
                world,
                object,
                input(&calls.matrix, 0),
                command,
                SkelobjObject { id: 0 },
                place(&mut number),
            );
            calls.status(status);
        }
        24..=26 => {
            let seconds = calls.number() / 640.0;
            calls.status(skelobj_step(world, seconds, Out::NULL));
        }
        27 if calls.byte().is_multiple_of(2) => {
            let lists = [c"head", c"chest 0.5, head", c"thigh_l, shin_l, foot_l", c"spine 1 2, head 0", c"a,", c""];
            let bones = text(lists[usize::from(calls.byte()) % lists.len()]);
            let (object, operation) = (calls.object(), calls.byte());
            let target = [0.0; 3].map(|_: f32| calls.number());
            let vector = input(&target, 0);
            let status = match operation % 5 {
                0 => skelobj_aim(world, object, bones, vector, In::NULL, Out::NULL),
                1 => skelobj_turn(world, object, bones, target[0], target[1], In::NULL, Out::NULL),
                2 => skelobj_reach(world, object, bones, vector, In::NULL, Out::NULL),
                3 => skelobj_object_set_blending(world, object, calls.small() % 3),
                _ => skelobj_object_set_mask(world, object, bones),
            };
            calls.status(status);
        }
        27 => {
            let (object, bone) = (calls.object(), calls.small());
            let vectors = [[0.0; 3]; 2].map(|vector| vector.map(|_: f32| calls.number()));
            skelobj_ragdoll_impulse(world, object, bone, input(&vectors[0], 0), input(&vectors[1], 0), In::NULL);
            let status = skelobj_last_status();
            calls.status(status);
        }
        28 => {
            let mut bodies = vec![0_u8; 32 * size_of::<SkelobjBodyState>() + 16];
            let (object, capacity) = (calls.object(), calls.small().min(32));
            let from = bodies.as_mut_ptr().align_offset(align_of::<SkelobjBodyState>());
            // SAFETY: 32 states fit into the bytes from there.
            let out = unsafe { Out::new(bodies[from..].as_mut_ptr().cast()) };
            calls.status(skelobj_ragdoll_bodies(world, object, out, capacity, place(&mut number)));
        }
        29 => {
            let object = calls.object();
            calls.status(skelobj_ragdoll_set_groups(world, object, kind.into()));
        }
        30 => {
            let mut shape = SkelobjShape {
                kind: calls.small(),
                size: [0.0; 3].map(|_: f32| calls.number()),
                points: In::NULL,
                triangles: In::NULL,
                corners: In::NULL,
                point_count: calls.small().min(4),
                triangle_count: calls.small().min(2),
                polygon_count: calls.small().min(1),
                is_clockwise: calls.small() & 1,
            };
            let points = [[0.0; 3]; 4].map(|point| point.map(|_: f32| calls.number()));
            let (triangles, corners) = ([[0, 1, 2], [0, 2, calls.byte().into()]], [calls.byte().into()]);
            (shape.points, shape.triangles, shape.corners) = (start(&points), start(&triangles), start(&corners));
            let mut def = skelobj_default_level_body_def();
            (def.shapes, def.shape_count, def.is_moving) = (input(&shape, 0), 1, calls.small() & 1);
            calls.fill_matrix();
            def.matrix = calls.matrix;
            if calls.ids.len() < 40 {
                let body = skelobj_add_level_body(world, input(&def, 0));
                calls.keep(body.id);
            }
        }
        31..=33 => {
            let body = SkelobjLevelBody { id: calls.id() };
            calls.fill_matrix();
            let matrix = input(&calls.matrix, 0);
            let status = match kind % 4 {
                0 => skelobj_level_body_set_target(world, body, matrix),
                1 => skelobj_level_body_teleport(world, body, matrix),
                2 => skelobj_level_body_set_solid(world, body, i32::from(kind & 8)),
                _ => skelobj_level_body_remove(world, body),
            };
            calls.status(status);
        }
        34 => {
            let mut water = skelobj_default_water_def(calls.small());
            water.mins = water.mins.map(|_| calls.number() - 100.0);
            water.maxs = water.maxs.map(|_| calls.number());
            water.drag = calls.number();
            if calls.ids.len() < 40 {
                let id = skelobj_add_water(world, input(&water, 0));
                calls.keep(id.id);
            }
        }
        35 => {
            let mut trace = skelobj_default_trace_def();
            trace.start = trace.start.map(|_| calls.number());
            trace.end = trace.end.map(|_| -calls.number());
            trace.maxs = trace.maxs.map(|_| calls.number());
            trace.object.id = if kind > 128 { calls.id() } else { 0 };
            trace.geometry = calls.small() & 3;
            let mut room = std::mem::MaybeUninit::<SkelobjHit>::uninit();
            // SAFETY: a place for one hit.
            let out = unsafe { Out::new(room.as_mut_ptr()) };
            calls.status(skelobj_trace(world, input(&trace, 0), out));
        }
        36 => {
            let mut entity = SkelobjEntity {
                matrix: calls.matrix,
                model,
                object: calls.object(),
                frame: In::NULL,
                tag: calls.small(),
            };
            entity.matrix[3] = calls.number();
            let out = place(&mut calls.matrix);
            calls.status(skelobj_tag(world, input(&entity, 0), 1, out));
        }
        37 => {
            if calls.ids.len() < 40 {
                let snapshot = skelobj_snapshot_take(world);
                calls.keep(snapshot.id);
            }
        }
        38 => {
            let id = calls.id();
            calls.status(skelobj_snapshot_restore(world, SkelobjSnapshot { id }));
        }
        39 => {
            let id = calls.id();
            calls.status(skelobj_snapshot_free(SkelobjSnapshot { id }));
        }
        40 => {
            let (object, receiver) = (calls.object(), skelobj_receiver_create());
            let (mut message, mut size) = ([0; 2048], 0);
            let what = calls.small() & 1;
            let status =
                skelobj_encode_bones(world, object, what, places(&mut message), message.len(), place(&mut size));
            calls.status(status);
            if size > 0 && size <= message.len() {
                message[usize::from(calls.byte()) % size] ^= 1;
                skelobj_receiver_receive(world, object, receiver, f64::from(calls.number()), start(&message), size);
                skelobj_receiver_show(world, object, receiver, f64::from(calls.number()));
            }
            skelobj_receiver_free(receiver);
        }
        41 => {
            let bytes = calls.bytes;
            // SAFETY: the bytes live during the call.
            let source = unsafe { In::new(bytes.as_ptr().cast()) };
            let doll = skelobj_doll_parse(source, bytes.len().min(64), model);
            calls.keep(doll.id);
            let object = calls.object();
            calls.fill_matrix();
            calls.status(skelobj_ragdoll_set(world, object, input(&calls.matrix, 0), doll));
        }
        42 => {
            let bytes = calls.bytes;
            let loaded = skelobj_model_load(text(c"some.iqm"), start(bytes), bytes.len(), In::NULL);
            let status = skelobj_last_status();
            calls.status(status);
            calls.keep(loaded.id);
        }
        _ => {
            let id = calls.id();
            if id != ids.0 && id != ids.1 {
                calls.status(skelobj_world_free(SkelobjWorld { id }));
                calls.status(skelobj_model_free(SkelobjModel { id }));
            }
        }
    }
}
