//! Hand-made Half-Life models: blends, controllers, runs of numbers, and refused files.

use skelobj::Model;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{Blend, FrameState, Material, ModelError, ModelProblem, PoseParameters, Texture};
use skelobj::pose::{PoseSource, sample};

/// Bytes that are appended or overwritten.
#[derive(Clone, Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn int(&mut self, value: i32) -> &mut Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    fn float(&mut self, value: f32) -> &mut Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    fn name(&mut self, name: &str, size: usize) -> &mut Self {
        let end = self.0.len() + size;
        self.0.extend(name.bytes());
        self.0.resize(end, 0);
        self
    }

    fn put(&mut self, at: usize, value: i32) {
        self.0[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }

    /// Begins a table here and writes its count and position to the header.
    fn table(&mut self, field: usize, count: i32) -> usize {
        let at = self.0.len();
        self.put(field, count);
        self.put(field + 4, at as i32);
        at
    }
}

const CONTROLLERS: usize = 148;
const SEQUENCES: usize = 164;
const GROUPS: usize = 172;
const BODY_PARTS: usize = 204;

/// Positions in the small file.
struct Places {
    bones: usize,
    sequence: usize,
    animation: usize,
    streams: usize,
    vertex_bones: usize,
    commands: usize,
}

/// Returns two bones, the second a unit above the first, and one sequence of three frames at ten per second in `blends`
/// blends. In blend `b` the first bone is at X = 8 b + 2 * frame and turns a quarter about Z from frame 0 to frame 1.
fn file(blends: i32) -> (Bytes, Places) {
    let mut out = Bytes::default();
    out.name("IDST", 4).int(10).name("small", 236);
    let bones = out.table(140, 2);
    for bone in 0..2 {
        out.name(["root", "tip"][bone as usize], 32).int(bone - 1).int(0);
        for slot in 0..6 {
            out.int(if bone == 1 && slot >= 4 { slot - 4 } else { -1 });
        }
        for value in [0.0, 0.0, bone as f32, 0.0, 0.0, 0.0] {
            out.float(value);
        }
        for _ in 0..3 {
            out.float(1.0);
        }
        for _ in 0..3 {
            out.float(std::f32::consts::FRAC_PI_2);
        }
    }
    out.table(CONTROLLERS, 2);
    out.int(1).int(0x10).float(-30.0).float(60.0).int(0).int(0);
    out.int(1).int(0x20 | 0x8000).float(-30.0).float(30.0).int(0).int(3);
    let sequence = out.table(SEQUENCES, 1);
    out.name("turn", 32).float(10.0).int(0).int(7).int(2);
    out.int(0).int(0).int(3).name("", 120 - 60).int(blends);
    let animindex = out.0.len();
    out.int(0).name("", 176 - 128);
    assert_eq!(out.0.len(), sequence + 176);
    out.put(sequence + 156, 0);
    let animation = out.0.len();
    out.put(animindex, animation as i32);
    let streams = animation + 12 * 2 * blends as usize;
    // The streams: X of each blend, then the rotation that all blends share.
    for blend in 0..blends as usize {
        let root = animation + 24 * blend;
        let turn = streams + 8 * blends as usize;
        for offset in [streams + 8 * blend - root, 0, 0, 0, 0, turn - root] {
            out.0.extend((offset as u16).to_le_bytes());
        }
        out.name("", 12);
    }
    for blend in 0..blends as i16 {
        out.0.extend([3, 3]);
        for frame in 0..3 {
            out.0.extend((8 * blend + 2 * frame).to_le_bytes());
        }
    }
    // Frame 0 from the first run; the second has one number for two frames.
    out.0.extend([1, 1, 0, 0, 1, 2, 1, 0]);

    let vertex_bones = out.0.len();
    out.name("\0\u{1}\u{1}", 4).name("", 4);
    let vertices = out.0.len();
    for vertex in [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0_f32]] {
        out.float(vertex[0]).float(vertex[1]).float(vertex[2]);
    }
    let commands = out.0.len();
    let corner = |vertex: i16, s: i16| [vertex, 0, s, 32];
    for number in [3].into_iter().chain([corner(0, 0), corner(1, 16), corner(2, 64)].concat()) {
        out.0.extend(number.to_le_bytes());
    }
    for number in [-4].into_iter().chain([corner(0, 0), corner(1, 16), corner(2, 64), corner(1, 8)].concat()).chain([0])
    {
        out.0.extend(number.to_le_bytes());
    }
    let mesh = out.0.len();
    out.int(3).int(commands as i32).int(0).int(0).int(0);
    let model = out.0.len();
    out.name("body", 64).int(0).float(0.0).int(1).int(mesh as i32);
    out.int(3).int(vertex_bones as i32).int(vertices as i32);
    out.int(1).int(vertex_bones as i32).int(vertices as i32 + 36).int(0).int(0);
    out.table(BODY_PARTS, 1);
    out.name("studio", 64).int(1).int(1).int(model as i32);
    let attachments = out.table(212, 1);
    out.name("muzzle", 32).int(0).int(1).float(0.0).float(0.0).float(3.0).name("", 36);
    assert_eq!(out.0.len(), attachments + 88);
    out.table(180, 1);
    out.name("skin.bmp", 64).int(1).int(64).int(32).int(0);
    (out, Places { bones, sequence, animation, streams, vertex_bones, commands })
}

fn load(bytes: &Bytes) -> Result<Model, ModelError> {
    Model::load("small.mdl", &bytes.0, |_| None)
}

fn pose(model: &Model, time: f32, parameters: PoseParameters) -> [Mat3x4; 2] {
    let frame = FrameState::single(0, time.into()).with_parameters(parameters);
    let mut out = [Mat3x4::ZERO; 2];
    assert_eq!(sample(PoseSource { model, frame: &frame }, 0..2, &mut out), 2);
    out
}

fn blends(x: f32, y: f32) -> PoseParameters {
    PoseParameters { blends: [x, y], ..PoseParameters::default() }
}

fn controllers(controllers: [f32; 5]) -> PoseParameters {
    PoseParameters { controllers, ..PoseParameters::default() }
}

fn close(a: Vec3, b: Vec3) -> bool {
    (a - b).length() < 1e-4
}

#[test]
fn positions_are_linear_and_rotations_spherical_between_frames() {
    let model = load(&file(1).0).unwrap();
    assert_eq!(model.warnings, []);
    assert!((model.animations[0].duration() - 0.2).abs() < 1e-6);
    let [root, tip] = pose(&model, 0.025, PoseParameters::default());
    assert!(close(root.origin(), Vec3::X * 0.5), "{root:?}");
    let (sin, cos) = 22.5_f32.to_radians().sin_cos();
    assert!(close(root.forward(), Vec3::new(cos, sin, 0.0)), "{root:?}");
    assert_eq!(tip, Mat3x4::from_translation(Vec3::Z));
    // One number for two frames: frames 1 and 2 have the same rotation; the end is held.
    assert!(close(pose(&model, 0.2, PoseParameters::default())[0].forward(), Vec3::Y));
    assert!(close(pose(&model, 9.0, PoseParameters::default())[0].origin(), Vec3::X * 4.0));
    assert!(close(pose(&model, -9.0, PoseParameters::default())[0].origin(), Vec3::ZERO));
}

#[test]
fn a_looping_sequence_blends_its_last_frame_into_its_first() {
    let (mut bytes, places) = file(1);
    bytes.put(places.sequence + 36, 1);
    let model = load(&bytes).unwrap();
    for (time, x) in [(0.2, 4.0), (0.25, 2.0), (0.3, 0.0), (0.35, 1.0)] {
        let root = pose(&model, time, PoseParameters::default())[0];
        assert!(close(root.origin(), Vec3::X * x), "{time}: {root:?}");
    }
}

#[test]
fn a_looping_sequence_is_as_smooth_after_ten_days_as_at_its_beginning() {
    let (mut bytes, places) = file(1);
    bytes.put(places.sequence + 36, 1);
    let model = load(&bytes).unwrap();
    let root = |time: f64| {
        let mut out = [Mat3x4::ZERO];
        sample(PoseSource { model: &model, frame: &FrameState::single(0, time) }, 0..1, &mut out);
        out[0].origin()
    };
    // Ten days are whole loops of three frames at ten per second.
    for step in 0..60 {
        let time = |step: i32| f64::from(step) / 60.0;
        let late = root(864_000.0 + time(step));
        assert_ne!(late, root(864_000.0 + time(step - 1)), "{step}");
        assert!((late - root(time(step))).length() < 1e-3, "{step}");
    }
    for time in [f64::MAX, f64::MIN] {
        assert!(root(time).is_finite(), "{time}");
    }
}

#[test]
fn a_row_of_blends_runs_from_the_first_to_the_last() {
    let model = load(&file(3).0).unwrap();
    for (parameter, x) in [(0.0, 0.0), (0.25, 4.0), (0.5, 8.0), (0.75, 12.0), (1.0, 16.0), (7.0, 16.0), (f32::NAN, 0.0)]
    {
        let root = pose(&model, 0.0, blends(parameter, 0.0))[0];
        assert!(close(root.origin(), Vec3::X * x), "{parameter}: {root:?}");
    }
}

#[test]
fn four_and_nine_blends_are_grids() {
    let model = load(&file(4).0).unwrap();
    for (x, y, expected) in [(0.0, 0.0, 0.0), (1.0, 0.0, 8.0), (0.0, 1.0, 16.0), (1.0, 1.0, 24.0), (0.5, 0.5, 12.0)] {
        let root = pose(&model, 0.0, blends(x, y))[0];
        assert!(close(root.origin(), Vec3::X * expected), "{x} {y}: {root:?}");
    }
    let model = load(&file(9).0).unwrap();
    for (x, y, expected) in [(0.0, 0.0, 0.0), (0.5, 0.5, 32.0), (1.0, 0.0, 16.0), (0.25, 0.75, 40.0), (1.0, 1.0, 64.0)]
    {
        let root = pose(&model, 0.0, blends(x, y))[0];
        assert!(close(root.origin(), Vec3::X * expected), "{x} {y}: {root:?}");
    }
}

#[test]
fn rotations_blend_the_short_way_round() {
    let (mut bytes, places) = file(2);
    // The second blend turns by a quarter after one full turn, where its quaternion is in the other hemisphere.
    let root = places.animation + 24;
    let offset = (bytes.0.len() - root) as u16;
    bytes.0[root + 10..root + 12].copy_from_slice(&offset.to_le_bytes());
    bytes.0.extend([1, 3, 5, 0]);
    let model = load(&bytes).unwrap();
    let root = pose(&model, 0.0, blends(0.5, 0.0))[0];
    let half = std::f32::consts::FRAC_1_SQRT_2;
    assert!(close(root.forward(), Vec3::new(half, half, 0.0)), "{root:?}");
}

#[test]
fn controllers_turn_their_bones_within_their_range() {
    let model = load(&file(1).0).unwrap();
    let tip = |inputs| pose(&model, 0.0, controllers(inputs))[1];
    let pitched = |degrees: f32| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        Vec3::new(cos, 0.0, -sin)
    };
    assert!(close(tip([45.0, 0.0, 0.0, 0.0, 0.0]).forward(), pitched(45.0)));
    assert!(close(tip([90.0, 0.0, 0.0, 0.0, 0.0]).forward(), pitched(60.0)));
    assert!(close(tip([f32::NAN, 0.0, 0.0, 0.0, 0.0]).forward(), Vec3::X));
    // The second controller wraps: it is not clamped to its 30 degrees, and its unit is degrees.
    assert!(close(tip([0.0, 0.0, 0.0, 90.0, 0.0]).forward(), Vec3::Y));
    let turned = tip([0.0, 0.0, 0.0, f32::MAX, 0.0]);
    assert!(turned.is_finite());
}

#[test]
fn attachments_are_tags_after_the_bones() {
    let model = load(&file(1).0).unwrap();
    assert_eq!(model.tag_count(), 3);
    assert_eq!(model.find_tag(b"muzzle"), Some(2));
    assert_eq!((model.tag_parent(2), model.tag_parent(1), model.tag_parent(0)), (Some(1), Some(0), None));
    let frame = FrameState::single(0, 0.1).with_parameters(controllers([45.0, 0.0, 0.0, 0.0, 0.0]));
    let tag = model.tag_matrix(2, &frame).unwrap();
    // The tip leans 45 degrees forward in a root that has turned to the left.
    let lean = 3.0 * std::f32::consts::FRAC_1_SQRT_2;
    assert!(close(tag.origin(), Vec3::new(2.0, lean, 1.0 + lean)), "{tag:?}");
    assert_eq!(model.tag_matrix(3, &frame), None);
}

#[test]
fn strips_and_fans_become_triangles_over_distinct_corners() {
    let model = load(&file(1).0).unwrap();
    let mesh = &model.meshes[0];
    assert_eq!(mesh.triangles, [[0, 1, 2], [0, 1, 2], [0, 2, 3]]);
    assert_eq!(model.half_life.as_ref().unwrap().meshes[0].vertices, [0, 1, 2, 1]);
    assert_eq!(mesh.positions, [[0.0; 3], [0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]);
    assert_eq!(mesh.texcoords, [[0.0, 1.0], [0.25, 1.0], [1.0, 1.0], [0.125, 1.0]]);
    assert_eq!(mesh.influences[1].bones[0], 1);
    assert_eq!((mesh.name.to_string(), mesh.material.to_string()), ("studio/body/0".into(), "skin.bmp".into()));
}

#[test]
fn a_wrong_triangle_count_is_reported() {
    let (mut bytes, places) = file(1);
    let mesh = places.commands + 2 + 24 + 2 + 32 + 2;
    bytes.put(mesh, 5);
    let model = load(&bytes).unwrap();
    let expected = "numtris is 5, but the contents have 3; used 3";
    assert_eq!(model.warnings[0].message(), expected);
}

#[test]
fn paths_that_lead_outside_are_refused_where_they_stand() {
    let (good, places) = file(1);
    let spoiled = |at: usize, bytes: &[u8]| {
        let mut bad = good.clone();
        bad.0[at..at + bytes.len()].copy_from_slice(bytes);
        let error = load(&bad).unwrap_err();
        (error.section, error.problem)
    };
    let range = |field, found, min, max| ModelProblem::OutOfRange { field, found, min, max };
    let Places { bones, sequence, vertex_bones, commands, animation, .. } = places;
    let minus = (-1_i32).to_le_bytes();
    assert_eq!(spoiled(bones + 112 + 32, &[1]), ("bones", range("parent", 1, -1, 0)));
    assert_eq!(spoiled(140, &257_i32.to_le_bytes()), ("header", range("numbones", 257, 0, 256)));
    assert_eq!(spoiled(sequence + 56, &minus), ("sequences", range("numframes", -1, 0, 65535)));
    assert_eq!(spoiled(sequence + 120, &[17]), ("sequences", range("numblends", 17, 1, 16)));
    assert_eq!(spoiled(sequence + 156, &[1]), ("sequences", range("seqgroup", 1, 0, -1)));
    assert!(matches!(spoiled(animation, &[0xff, 0xff]), ("animation", ModelProblem::PastEnd { .. })));
    assert_eq!(spoiled(vertex_bones + 1, &[2]), ("vertices", range("bone", 2, 0, 1)));
    assert_eq!(spoiled(commands + 2, &[3, 0]), ("triangles", range("vertex", 3, 0, 2)));
    assert_eq!(spoiled(commands + 4, &[0xff, 0xff]), ("triangles", range("normal", -1, 0, 0)));
    assert_eq!(spoiled(4, &[11]).1, ModelProblem::UnsupportedVersion { found: 11, expected: "10" });
}

#[test]
fn runs_without_frames_are_stepped_over_as_in_half_life() {
    let (good, places) = file(1);
    let places_of =
        |model: &Model| [0.0, 0.1, 0.2].map(|time| pose(model, time, PoseParameters::default())[0].origin().x.round());
    for (stream, expected) in [
        ([0, 0, 2, 3, 5, 0, 6, 0], [5.0, 6.0, 6.0]),
        // A run with a number: the rest of the channel is the first number of the next run.
        ([1, 0, 9, 0, 2, 3, 5, 0], [5.0; 3]),
        ([1, 1, 4, 0, 1, 0, 9, 0], [4.0, 0.0, 0.0]),
    ] {
        let mut bytes = good.clone();
        bytes.0[places.streams..places.streams + 8].copy_from_slice(&stream);
        let model = load(&bytes).unwrap();
        assert_eq!(places_of(&model), expected, "{stream:?}");
        let told: Vec<String> = model.warnings.iter().map(|warning| warning.message()).collect();
        assert_eq!(told, ["accepted: a run of 0 frames"]);
    }
    // A file of such runs alone would take long to read.
    let many = |count: usize| {
        let mut bytes = good.clone();
        let offset = (bytes.0.len() - places.animation) as u16;
        bytes.0.extend([0, 0].repeat(count));
        bytes.0.extend([1, 3, 7, 0]);
        bytes.0[places.animation..places.animation + 2].copy_from_slice(&offset.to_le_bytes());
        load(&bytes)
    };
    assert_eq!(places_of(&many(64).unwrap()), [7.0; 3]);
    let range = ModelProblem::OutOfRange { field: "run length", found: 0, min: 1, max: 255 };
    assert_eq!(many(65).unwrap_err().problem, range);
}

/// Appends frames in which all six channels of sixteen blends of both bones run through 65535 frames; returns their
/// position.
fn long_frames(bytes: &mut Bytes) -> usize {
    let frames = bytes.0.len();
    bytes.0.extend([0; 2 * 12 * 16]);
    let long = bytes.0.len();
    bytes.0.extend([1, 255, 0, 0].repeat(257));
    for channel in 0..12 * 16 {
        let at = frames + 2 * channel;
        let offset = long - (frames + 12 * (channel / 6));
        bytes.0[at..at + 2].copy_from_slice(&(offset as u16).to_le_bytes());
    }
    frames
}

/// Replaces the sequences by `count` with such frames, each in the group that `group` returns.
fn long_sequences(bytes: &mut Bytes, places: &Places, frames: usize, count: i32, group: impl Fn(i32) -> i32) {
    let record = bytes.0[places.sequence..places.sequence + 176].to_vec();
    bytes.table(SEQUENCES, count);
    for number in 0..count {
        let at = bytes.0.len();
        bytes.0.extend(&record);
        bytes.put(at + 56, 65535);
        bytes.put(at + 120, 16);
        bytes.put(at + 124, frames as i32);
        bytes.put(at + 156, group(number));
    }
}

#[test]
fn files_of_frames_share_the_memory_of_their_model() {
    let (mut bytes, places) = file(1);
    let mut beside = Bytes::default();
    beside.name("IDSQ", 4).int(10);
    let frames = long_frames(&mut beside);
    // Frames of one sequence take 25 MB.
    bytes.table(GROUPS, 31);
    for group in 0..31 {
        bytes.name("", 32).name(if group > 0 { "models/small.mdl" } else { "" }, 64).int(0).int(0);
    }
    let load = |sequences: i32| {
        let mut bytes = bytes.clone();
        long_sequences(&mut bytes, &places, frames, sequences, |number| number + 1);
        Model::load("small.mdl", &bytes.0, |name| name.ends_with(".mdl").then(|| beside.0.clone()))
    };
    assert!(load(1).unwrap().warnings.is_empty());
    let error = load(30).unwrap_err();
    assert!(matches!(error.problem, ModelProblem::LimitExceeded(_)), "{error}");
}

#[test]
fn sequences_that_share_their_frames_do_not_fill_memory() {
    let (mut bytes, places) = file(1);
    let frames = long_frames(&mut bytes);
    long_sequences(&mut bytes, &places, frames, 2048, |_| 0);
    let error = load(&bytes).unwrap_err();
    assert!(matches!(error.problem, ModelProblem::LimitExceeded(_)), "{error}");
}

#[test]
fn non_finite_numbers_are_replaced_and_reported() {
    let (mut bytes, places) = file(1);
    bytes.put(places.bones + 64, f32::NAN.to_bits() as i32);
    bytes.put(places.bones + 112 + 88, f32::INFINITY.to_bits() as i32);
    bytes.put(places.sequence + 32, f32::NAN.to_bits() as i32);
    let model = load(&bytes).unwrap();
    assert!(
        model.warnings.iter().any(|w| w.message() == "2 values are non-finite; replaced by zero or the identity"),
        "{:?}",
        model.warnings
    );
    assert!(
        model.warnings.iter().any(|w| w.message() == "no usable frame rate; set to 10 frames per second"),
        "{:?}",
        model.warnings
    );
    assert_eq!(model.animations[0].rate, 10.0);
    // The sum of finite numbers overflows: the bone shows its bind pose.
    let (mut bytes, places) = file(1);
    bytes.put(places.bones + 64, 5e37f32.to_bits() as i32);
    bytes.put(places.bones + 88, f32::MAX.to_bits() as i32);
    let model = load(&bytes).unwrap();
    let root = pose(&model, 0.1, PoseParameters::default())[0];
    assert_eq!(root, model.skeleton.bind_local()[0]);
}

#[test]
fn no_truncation_panics() {
    let (bytes, _) = file(4);
    for length in 0..bytes.0.len() {
        let cut = Bytes(bytes.0[..length].to_vec());
        if let Ok(model) = load(&cut) {
            pose(&model, 0.1, PoseParameters::default());
        }
    }
}

#[test]
fn the_base_group_has_its_own_sub_blends() {
    let model = load(&file(2).0).unwrap();
    let sampled = |frame: &FrameState| {
        let mut out = [Mat3x4::ZERO; 2];
        sample(PoseSource { model: &model, frame }, 0..2, &mut out);
        out[0].origin().x
    };
    let state = FrameState::single(0, 0.0).with_parameters(blends(0.0, 0.0));
    assert_eq!(sampled(&state), 0.0);
    let state = state.with_base([Blend::new(0, 0.0, 1.0)], 1);
    assert_eq!(sampled(&state), 0.0);
    assert_eq!(sampled(&state.with_base_subblends([1.0, 0.0])), 8.0);
    assert_eq!(sampled(&state.with_base_subblends([0.5, 0.0])), 4.0);
    assert!(sampled(&state.with_base_subblends([f32::NAN, 0.0])).is_finite());
}

/// Number of a texture's flag, and of the integers after it, in its record.
const TEXTURE: usize = 64;

/// Replaces the textures by some of 3 x 2 pixels with these names and flags, each with its own image.
fn paint(bytes: &mut Bytes, textures: &[(&str, i32)]) -> usize {
    let table = bytes.table(180, textures.len() as i32);
    let first = table + 80 * textures.len();
    for (number, (name, flags)) in textures.iter().enumerate() {
        bytes.name(name, 64).int(*flags).int(3).int(2).int((first + 774 * number) as i32);
    }
    for number in 0..textures.len() as u8 {
        bytes.0.extend([0, 1, 255, 1, 255, number]);
        let mut palette = [0; 768];
        palette[..6].copy_from_slice(&[number, 20, 30, 200, 210, 220]);
        palette[765..].copy_from_slice(&[0, 0, 255]);
        bytes.0.extend(palette);
    }
    table
}

/// Decodes the image of a material to rows of red, green, blue and opacity.
fn decoded(material: &Material) -> (u32, Vec<[u8; 4]>) {
    let Some(Texture::Embedded { mime, bytes }) = &material.texture else { panic!("{material:?}") };
    assert!(*mime == *"image/png");
    let mut decoder = png::Decoder::new(std::io::Cursor::new(&bytes[..]));
    decoder.set_transformations(png::Transformations::ALPHA);
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    reader.finish().unwrap();
    (frame.width, pixels.chunks_exact(4).map(|pixel| pixel.try_into().unwrap()).collect())
}

#[test]
fn textures_are_images_of_materials() {
    let (mut bytes, _) = file(1);
    paint(&mut bytes, &[("skin.bmp", 0), ("fence.bmp", 0x40), ("chrome.bmp", 2), ("skin.bmp", 0)]);
    let model = load(&bytes).unwrap();
    assert!(model.warnings.is_empty(), "{:?}", model.warnings);
    let materials: Vec<_> = model.materials.iter().map(|m| (m.name.to_string(), m.is_masked, m.has_more)).collect();
    let expected = [("skin.bmp", false, false), ("fence.bmp", true, false), ("chrome.bmp", false, true)];
    assert_eq!(materials, expected.map(|(name, masked, more)| (name.to_owned(), masked, more)));
    assert_eq!(model.meshes[0].material, model.materials[0].name);
    let (first, second, blue) = ([0, 20, 30, 255], [200, 210, 220, 255], [0, 0, 255, 255]);
    assert_eq!(decoded(&model.materials[0]), (3, vec![first, second, blue, second, blue, first]));
    // What is clear has the mean colour of the rest: one pixel of the first colour and three of the second.
    let (first, clear) = ([1, 20, 30, 255], [150, 162, 172, 0]);
    assert_eq!(decoded(&model.materials[1]), (3, vec![first, second, clear, second, clear, second]));
    assert_eq!(decoded(&model.materials[2]).1[0], [2, 20, 30, 255]);
}

#[test]
fn textures_beside_the_model_are_images_too() {
    let (mut bytes, _) = file(1);
    bytes.put(180, 0);
    let (mut beside, _) = file(1);
    let table = paint(&mut beside, &[("skin.bmp", 0), ("other.bmp", 0)]);
    beside.put(table + 80 + TEXTURE + 12, i32::MAX);
    let model = Model::load("small.mdl", &bytes.0, |name| (name == "smallT.mdl").then(|| beside.0.clone())).unwrap();
    assert_eq!(model.materials.len(), 1);
    assert_eq!(decoded(&model.materials[0]).0, 3);
    let told: Vec<_> = model.warnings.iter().map(|warning| (warning.section, warning.offset)).collect();
    assert_eq!(told, [("textures", table + 80 + TEXTURE + 12)]);
}

#[test]
fn large_images_keep_every_pixel() {
    let (mut bytes, _) = file(1);
    let table = paint(&mut bytes, &[("skin.bmp", 0)]);
    // Three blocks of data, which end inside rows.
    let [width, height] = [1000_usize, 132];
    let at = bytes.0.len();
    let colors: Vec<u8> = (0..width * height).map(|pixel| (pixel % 251) as u8).collect();
    bytes.0.extend(&colors);
    bytes.0.extend((0..=255).flat_map(|color| [color, color, 7]));
    for (slot, value) in [(4, width), (8, height), (12, at)] {
        bytes.put(table + TEXTURE + slot, value as i32);
    }
    let (wide, pixels) = decoded(&load(&bytes).unwrap().materials[0]);
    assert_eq!((wide, pixels.len()), (1000, width * height));
    assert!(pixels.iter().zip(&colors).all(|(pixel, color)| *pixel == [*color, *color, 7, 255]));
}

#[test]
fn images_outside_the_file_are_reported_and_left_out() {
    let (mut good, _) = file(1);
    let table = paint(&mut good, &[("skin.bmp", 0)]);
    let end = good.0.len() as i32;
    let slots = |width: i32, height: i32, at: i32| [(4, width), (8, height), (12, at)];
    let inside = end - 774;
    let impossible = [
        slots(0, 2, inside),
        slots(3, -2, inside),
        slots(3, 3, inside),
        slots(1 << 16, 1 << 16, inside),
        slots(i32::MAX, i32::MAX, inside),
        slots(3, 2, end),
        slots(3, 2, -1),
    ];
    for slots in impossible {
        let mut bad = good.clone();
        slots.iter().for_each(|(slot, value)| bad.put(table + TEXTURE + slot, *value));
        let model = load(&bad).unwrap();
        let fixups: Vec<_> = model.warnings.iter().map(|warning| warning.message()).collect();
        assert!(matches!(&fixups[..], [one] if one.starts_with("skipped: ")), "{slots:?}: {fixups:?}");
        assert!(model.materials.is_empty(), "{slots:?}");
    }
}

#[test]
fn textures_that_share_their_image_do_not_fill_memory() {
    let (mut bytes, _) = file(1);
    let names: Vec<String> = (0..1000).map(|number| format!("{number}.bmp")).collect();
    let textures: Vec<(&str, i32)> = names.iter().map(|name| (name.as_str(), 0)).collect();
    let table = paint(&mut bytes, &textures);
    let at = bytes.0.len();
    bytes.0.resize(at + 700 * 700 + 768, 0);
    for texture in 0..1000 {
        for (slot, value) in [(4, 700), (8, 700), (12, at)] {
            bytes.put(table + 80 * texture + TEXTURE + slot, value as i32);
        }
    }
    let error = load(&bytes).unwrap_err();
    assert!(matches!(error.problem, ModelProblem::LimitExceeded(_)), "{error}");
}
