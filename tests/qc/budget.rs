//! Statements that builtins charge to a script.
#![cfg(feature = "qcvm")]

use std::sync::Arc;

use skelobj::math::Mat3x4;
use skelobj::model::{Bone, HitBox, Mesh, Skeleton};
use skelobj::object::Space;
use skelobj::qc::vm::{Fault, Limits, Machine, Progs};
use skelobj::qc::{Environment, VmHost};
use skelobj::runtime::{HistorySettings, ModelId};
use skelobj::{Model, Runtime, write};

const PROGS: &[u8] = include_bytes!("../qc/skel.dat");
/// Progs with all builtins.
const ALL: &[u8] = include_bytes!("../qc/charge.dat");

/// Number of bones of the model, a chain.
const BONES: usize = 1000;

struct Script {
    runtime: Runtime,
    machine: Machine,
    environment: Environment,
    model: f32,
}

impl Script {
    fn new(statements: u64) -> Self {
        Self::of(PROGS, statements, chain())
    }

    fn of(progs: &[u8], statements: u64, model: Vec<u8>) -> Self {
        let mut runtime = Runtime::default();
        runtime.set_files(move |name: &str| (name == "chain.iqm").then(|| model.clone()));
        let progs = Arc::new(Progs::load(progs).unwrap());
        let mut environment = Environment::new(&progs, |_| {});
        let model = environment.precache_model(&mut runtime, "chain.iqm") as f32;
        let limits = Limits { statements, ..Limits::default() };
        Self { runtime, machine: Machine::with_limits(progs, limits), environment, model }
    }

    /// Creates an object without a builtin.
    fn create(&mut self) {
        let model = self.runtime.model_by_name("chain.iqm").unwrap();
        self.runtime.create_object(model, Space::Local).unwrap();
    }

    /// Calls a builtin with floats, and with the text "b999" for each `None`.
    fn call(&mut self, name: &str, arguments: &[Option<f32>]) -> Result<f32, Fault> {
        let text = self.machine.permanent_string(b"b999").unwrap();
        for (number, argument) in arguments.iter().enumerate() {
            self.machine.set_argument(number, [argument.map_or(text, f32::to_bits), 0, 0]);
        }
        let function = self.machine.find_function(name.as_bytes()).unwrap_or_else(|| panic!("no {name}"));
        let mut host = VmHost { runtime: &mut self.runtime, environment: &mut self.environment };
        self.machine.call(function, &mut host).map_err(|error| error.fault)?;
        Ok(f32::from_bits(self.machine.result()[0]))
    }
}

fn chain() -> Vec<u8> {
    let bone = |number: usize| Bone {
        name: format!("b{number}").as_str().into(),
        parent: number.checked_sub(1),
        bind: Mat3x4::IDENTITY,
    };
    let skeleton = Skeleton::new((0..BONES).map(bone).collect()).unwrap();
    write::iqm(&Model { skeleton, ..Model::default() }).unwrap()
}

/// Number of the entity with an object: the world, whose fields the progs has.
const WORLD: f32 = 0.0;

#[test]
fn builtins_count_in_proportion_to_the_bones_they_go_through() {
    let cases: [(&str, &[Option<f32>], u64); 5] = [
        ("skel_build", &[Some(1.0), Some(WORLD), Some(1.0), Some(0.0), Some(0.0), Some(0.0)], 2 * 1000),
        ("skel_copybones", &[Some(1.0), Some(2.0), Some(0.0), Some(0.0)], 1000),
        ("skel_mul_bones", &[Some(1.0), Some(0.0), Some(0.0), Some(0.0)], 1000),
        ("skel_find_bone", &[Some(1.0), None], 1000 / 8),
        ("skel_get_boneabs", &[Some(1.0), Some(1000.0)], 999 / 4),
    ];
    for (name, arguments, least) in cases {
        for (statements, is_enough) in [(least - 1, false), (10 * least, true)] {
            let mut script = Script::new(statements);
            script.create();
            script.create();
            let outcome = script.call(name, arguments);
            assert_eq!(outcome.is_ok(), is_enough, "{name} in {statements}: {outcome:?}");
            assert!(is_enough || outcome == Err(Fault::Runaway), "{name}: {outcome:?}");
        }
    }
}

#[test]
fn objects_count_by_their_bones() {
    let mut script = Script::new(BONES as u64 - 1);
    let model = script.model;
    assert_eq!(script.call("skel_create", &[Some(model)]), Err(Fault::Runaway));
    assert_eq!(script.runtime.objects().count(), 0);
    assert_eq!(Script::new(BONES as u64).call("skel_create", &[Some(model)]), Ok(1.0));
}

#[test]
fn objects_and_bones_that_do_not_exist_count_for_nothing() {
    let mut script = Script::new(100_000);
    script.create();
    for object in [0.0, 1.0, 2.0, -1.0, 1e9, f32::NAN] {
        for bone in [0.0, -1.0, 1001.0, 1e9, -1e30, f32::INFINITY] {
            for name in ["skel_get_boneabs", "skel_get_bonerel", "skel_get_bonename", "skel_set_bone"] {
                assert!(script.call(name, &[Some(object), Some(bone)]).is_ok(), "{name} {object} {bone}");
            }
            assert!(script.call("skel_set_bone_world", &[Some(WORLD), Some(bone)]).is_ok(), "{bone}");
        }
    }
}

#[test]
fn the_next_call_pays_for_the_physics_of_the_frame() {
    let mut script = Script::new(BONES as u64);
    script.create();
    let doll = skelobj::Doll::parse(b"body a b0\nsize 8\nbody b b999\nsize 8\noffset 100 0 0\n").doll;
    let (object, _) = script.runtime.objects().next().unwrap();
    let model = script.runtime.model_by_name("chain.iqm").unwrap();
    let (frame, entity) = (skelobj::model::FrameState::default(), Mat3x4::IDENTITY);
    script.runtime.build(object, model, &frame, &skelobj::object::Build::REPLACE).unwrap();
    script.runtime.set_ragdoll(object, &entity, &Arc::new(doll)).unwrap();
    let limp = skelobj::ragdoll::Command::Animate(0.0, None);
    script.runtime.ragdoll_command(object, &entity, limp, None).unwrap();
    let step = |script: &mut Script| {
        let mut host = VmHost { runtime: &mut script.runtime, environment: &mut script.environment };
        host.step(&mut script.machine, 1.0 / 60.0);
    };
    // Two bodies move, which is more than a thousand statements.
    step(&mut script);
    assert_eq!(script.call("skel_get_numbones", &[Some(1.0)]), Err(Fault::Runaway));
    assert_eq!(script.call("skel_get_numbones", &[Some(1.0)]), Ok(BONES as f32));
    script.runtime.clear_ragdoll(object);
    step(&mut script);
    assert_eq!(script.call("skel_get_numbones", &[Some(1.0)]), Ok(BONES as f32));
}

/// Number of vertices of the model that is recorded.
const VERTICES: u64 = 5000;

/// Returns a script that records poses of the world, whose model has vertices.
fn recording(statements: u64) -> Script {
    let mut script = Script::new(statements);
    let mut model = Model::load("chain.iqm", &chain(), |_| None).unwrap();
    let positions = vec![[1.0, 2.0, 3.0]; VERTICES as usize];
    model.meshes.push(skelobj::model::Mesh { positions, ..Default::default() });
    let file = write::iqm(&model).unwrap();
    script.runtime.set_files(move |name: &str| (name == "chain.iqm").then(|| file.clone()));
    script.runtime.keep_history(Some(HistorySettings::default())).unwrap();
    script.read_anew();
    script
}

impl Script {
    /// Reads the model again, as after a change of its file, and gives the world a new object.
    fn read_anew(&mut self) {
        let old = self.runtime.model_by_name("chain.iqm").unwrap();
        self.runtime.remove_model(old);
        let model = self.runtime.load_model("chain.iqm").unwrap();
        self.give_object(model);
    }

    /// Gives the world an object of a model.
    fn give_object(&mut self, model: ModelId) {
        let object = self.runtime.create_object(model, Space::Local).unwrap();
        self.set_field("skeletonindex", object.get() as f32);
    }

    fn set_field(&mut self, name: &str, value: f32) {
        let field = self.machine.progs().field(name.as_bytes()).unwrap();
        self.machine.set_field_float(0, field, value).unwrap();
    }

    fn record(&mut self, time: f32) -> Result<u64, Fault> {
        self.call("skel_record", &[Some(WORLD), Some(time)])?;
        assert_eq!(self.runtime.history().unwrap().window().map(|[_, newest]| newest), Some(time.into()));
        Ok(self.machine.spent())
    }
}

#[test]
fn the_first_record_of_a_model_counts_by_its_vertices_and_so_does_that_of_a_model_read_anew() {
    let mut script = recording(100_000);
    let first = script.record(0.0).unwrap();
    let known = script.record(0.1).unwrap();
    script.read_anew();
    let anew = script.record(0.2).unwrap();
    assert_eq!([first, anew], [known + VERTICES; 2]);

    let mut poor = recording(first - 1);
    assert_eq!(poor.record(0.0), Err(Fault::Runaway));
    assert_eq!(poor.runtime.history().unwrap().times(), 0);
    assert_eq!(recording(first).record(0.0), Ok(first));
}

#[test]
fn a_model_that_is_recorded_all_the_time_counts_by_its_vertices_once() {
    let mut script = recording(100_000);
    script.record(0.0).unwrap();
    let known = script.record(0.5).unwrap();
    let seconds = script.runtime.history().unwrap().settings().seconds;
    // The first records leave the window, and the later ones begin only then.
    for step in 1..8 {
        assert_eq!(script.record(0.5 + step as f32 * 0.8 * seconds), Ok(known), "{step}");
    }
    assert!(script.runtime.history().unwrap().times() < 4);
}

#[test]
fn the_nearest_surface_counts_by_the_meshes_of_a_model() {
    for meshes in [1, 10, 100, 1000] {
        let triangle = Mesh {
            positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            triangles: vec![[0, 1, 2]],
            ..Mesh::default()
        };
        let skeleton = Skeleton::new(vec![Bone { name: "b".into(), parent: None, bind: Mat3x4::IDENTITY }]).unwrap();
        let model = Model { skeleton, meshes: vec![triangle; meshes], ..Model::default() };
        let mut script = Script::of(ALL, 100_000, write::iqm(&model).unwrap());
        let index = script.model;
        script.set_field("modelindex", index);
        script.call("getsurfacenearpoint", &[Some(WORLD), Some(3.0)]).unwrap();
        let (spent, least) = (script.machine.spent(), 16 * meshes as u64);
        assert!((least..2 * least + 100).contains(&spent), "{meshes}: {spent}");
    }
}

#[test]
fn traces_count_by_the_hit_boxes_of_an_object() {
    let spent = |boxes: usize| {
        let mut script = Script::new(1_000_000);
        let mut model = Model::load("chain.iqm", &chain(), |_| None).unwrap();
        model.hit_boxes = vec![HitBox { bone: 0, group: 0, mins: [-1.0; 3], maxs: [1.0; 3] }; boxes];
        let model = script.runtime.add_model("boxes", model).unwrap();
        script.give_object(model);
        script.call("skel_trace", &[Some(WORLD), Some(-9.0), Some(9.0)]).unwrap();
        script.machine.spent()
    };
    let none = spent(0);
    for boxes in [1, 10, 100, 10_000] {
        assert_eq!(spent(boxes), none + 4 * boxes as u64, "{boxes}");
    }
}

#[test]
fn names_that_are_not_found_count_by_those_that_are_compared() {
    let long = |number: usize| format!("{}{number:03}", "b".repeat(57));
    let bones = (0..BONES).map(|number| Bone {
        name: long(number).as_str().into(),
        parent: number.checked_sub(1),
        bind: Mat3x4::from_translation(skelobj::math::Vec3::X),
    });
    let model = Model { skeleton: Skeleton::new(bones.collect()).unwrap(), ..Model::default() };
    let spent = |dolls: usize, builtin: &str, first: f32, text: &str| {
        let mut script = Script::of(ALL, 10_000_000, write::iqm(&model).unwrap());
        let (file, bodies) = (write::iqm(&model).unwrap(), 0..dolls);
        let doll: String = bodies.map(|body| format!("body {body} {}\nsize 1\n", long(body))).collect();
        script.runtime.set_files(move |name: &str| match name {
            "chain.iqm" => Some(file.clone()),
            "chain.doll" => Some(doll.clone().into_bytes()),
            _ => None,
        });
        let id = script.runtime.model_by_name("chain.iqm").unwrap();
        script.give_object(id);
        let (object, _) = script.runtime.objects().next().unwrap();
        let (frame, all) = (skelobj::model::FrameState::default(), skelobj::object::Build::REPLACE);
        script.runtime.build(object, id, &frame, &all).unwrap();
        let text = script.machine.permanent_string(text.as_bytes()).unwrap();
        script.machine.set_argument(0, [first.to_bits(), 0, 0]);
        script.machine.set_argument(1, [text, 0, 0]);
        script.machine.set_argument(2, [0; 3]);
        let function = script.machine.find_function(builtin.as_bytes()).unwrap();
        let mut host = VmHost { runtime: &mut script.runtime, environment: &mut script.environment };
        script.machine.call(function, &mut host).unwrap();
        assert!(script.runtime.ragdoll(object).is_none());
        script.machine.spent()
    };
    // A name of more than 64 letters is compared with none.
    let [near, far] = ["a".repeat(60), "a".repeat(65)].map(|name| spent(0, "skel_mask", 1.0, &name));
    assert!(near >= far + 5 * 60 * 512 - 100 && far < 10_000, "{near} {far}");
    let few = spent(4, "skel_ragupdate", WORLD, "enablejoint nosuch 0");
    let many = spent(40, "skel_ragupdate", WORLD, "enablejoint nosuch 0");
    assert!(many >= few + 36 * (2 * 256 + 5 * 6), "{few} {many}");
}
