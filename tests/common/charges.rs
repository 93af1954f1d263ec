//! Calls of every builtin with small and with large arguments, for the count of instructions and for the test of what
//! builtins charge.

use std::sync::{Arc, LazyLock};

use skelobj::Dialect;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{Animation, Bone, Event, FrameState, Mesh, Model, Name, Skeleton};
use skelobj::object::{Build, Space};
use skelobj::qc::vm::{Fault, FunctionId, Limits, Machine, Progs, stdlib};
use skelobj::qc::{Environment, ScriptFiles, TABLE, VmHost};
use skelobj::{Runtime, write};

pub const PROGS: &[u8] = include_bytes!("../qc/charge.dat");

/// Size of all arguments of a call, and of the model and the objects that they name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    Small,
    Large,
}

impl Size {
    fn pick<T>(self, small: T, large: T) -> T {
        if self == Self::Small { small } else { large }
    }

    /// Number of bones, animations, events, vertices and entities.
    fn count(self) -> usize {
        self.pick(2, 512)
    }

    /// Length of the names of bones and animations, which differ in their last bytes.
    fn name(self) -> usize {
        self.pick(4, 256)
    }

    fn text(self) -> Vec<u8> {
        vec![b'a'; self.pick(1, 16_000)]
    }
}

/// Returns the names and signatures of all builtins.
pub fn builtins() -> impl Iterator<Item = (&'static str, &'static str)> {
    let standard = stdlib::TABLE.iter().map(|builtin| (builtin.name, builtin.signature));
    standard.chain(TABLE.iter().map(|builtin| (builtin.name, builtin.signature)))
}

/// World with a machine, one model, an object and a ragdoll.
pub struct Scene {
    runtime: Runtime,
    environment: Environment,
    pub machine: Machine,
    size: Size,
    model: usize,
    object: f32,
    other: f32,
    entity: u32,
    /// Block of memory of the script.
    block: u32,
}

/// File of a script.
struct File(Vec<u8>);

impl ScriptFiles for File {
    fn read(&mut self, name: &str) -> Option<Vec<u8>> {
        name.starts_with('a').then(|| self.0.clone())
    }

    fn size(&mut self, name: &str) -> Option<u64> {
        name.starts_with('a').then_some(self.0.len() as u64)
    }

    fn write(&mut self, _: &str, contents: &[u8]) {
        self.0 = contents.to_vec();
    }

    fn names(&mut self) -> Vec<String> {
        vec!["a".to_owned(); self.0.len() / 32]
    }
}

impl Scene {
    pub fn new(size: Size, dialect: Dialect) -> Self {
        static PARSED: LazyLock<Arc<Progs>> =
            LazyLock::new(|| Arc::new(Progs::load(PROGS).expect("compiled by fteqcc")));
        static FILES: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| [Size::Small, Size::Large].map(file));
        let progs = PARSED.clone();
        let mut runtime = Runtime::default();
        runtime.set_files(move |name: &str| (name == "m.iqm").then(|| FILES[size as usize].clone()));
        let mut environment = Environment::new(&progs, |_| ());
        environment.dialect = dialect;
        environment.set_script_files(File(size.text()));
        environment.incoming = Some(stdlib::MessageReader::new([stdlib::Written::String(size.text().into())]));
        let index = environment.precache_model(&mut runtime, "m.iqm");
        let (model, _) = runtime.models().next().expect("was just read");
        let mut objects = [0.0; 2];
        for object in &mut objects {
            let id = runtime.create_object(model, Space::Local).expect("has bones");
            runtime.build(id, model, &FrameState::single(0, 0.0), &Build::REPLACE).expect("both exist");
            *object = id.get() as f32;
        }
        let limits = Limits { statements: 1 << 40, ..Limits::default() };
        let mut machine = Machine::with_limits(progs.clone(), limits);
        for _ in 0..size.count() {
            machine.spawn_entity().expect("has room");
        }
        let entity = machine.entity_count() - 1;
        let class = machine.permanent_string(&[size.text(), b"b".to_vec()].concat()).expect("has room");
        for number in 0..=entity {
            for (field, bits) in [
                ("modelindex", (index as f32).to_bits()),
                ("skeletonindex", objects[0].to_bits()),
                ("classname", class),
                ("tag_index", (size.count() as f32).to_bits()),
                ("tag_entity", number.saturating_sub(1)),
            ] {
                let field = progs.field(field.as_bytes()).expect("is in defs.qc or skelobj.qc");
                machine.set_field(number, field, bits).expect("the entity exists");
            }
        }
        let [id, other] = objects;
        let mut scene = Self { runtime, environment, machine, size, model: index, object: id, other, entity, block: 0 };
        scene.prepare();
        scene
    }

    /// Gives the object a ragdoll, and the machine tokens, a block of memory, a table, buffers, a file and a search.
    fn prepare(&mut self) {
        let doll = self.doll();
        self.run("skel_ragupdate", |scene| vec![scene.entity, scene.string(&doll), 0]);
        self.run("skel_history", |_| vec![1f32.to_bits()]);
        self.run("skel_record", |scene| vec![scene.entity, 0]);
        self.run("tokenize", |scene| vec![scene.string(b"a b c")]);
        self.block = self.run("memalloc", |scene| vec![scene.bytes()]);
        let one = 1f32.to_bits();
        self.run("hash_createtab", |_| vec![0, one]);
        self.run("buf_create", |_| Vec::new());
        self.run("buf_create", |_| Vec::new());
        for number in 0..self.size.pick(1, 64) {
            let text = [&self.size.text()[..self.size.pick(1, 1000)], number.to_string().as_bytes()].concat();
            self.run("hash_add", |scene| vec![one, scene.string(&text), scene.string(b"v"), 513f32.to_bits()]);
            self.run("bufstr_add", |scene| vec![one, scene.string(&text), one]);
        }
        self.run("fopen", |scene| vec![scene.string(b"a"), 0]);
        self.run("search_begin", |scene| vec![scene.string(b"*"), 0, 0]);
    }

    /// Calls a builtin; returns its result.
    fn run(&mut self, name: &str, arguments: impl FnOnce(&mut Self) -> Vec<u32>) -> u32 {
        let words = arguments(self).into_iter().map(|word| [word, 0, 0]).collect();
        self.set_arguments(words);
        self.call(self.function(name)).expect("the arguments are right");
        self.machine.result()[0]
    }

    /// Returns the number of bytes of the block of memory.
    fn bytes(&self) -> u32 {
        self.size.pick(4, 1 << 16)
    }

    fn doll(&self) -> Vec<u8> {
        let mut text = b"dollstring\n".to_vec();
        for body in 0..self.size.pick(1, 64) {
            text.extend(format!("body b{body} {}\nsize 1\noffset {} 0 0\n", name(self.size, body), 8 * body).bytes());
        }
        text
    }

    fn string(&mut self, text: &[u8]) -> u32 {
        self.machine.permanent_string(text).expect("has room")
    }

    pub fn function(&self, name: &str) -> FunctionId {
        self.machine.find_function(name.as_bytes()).unwrap_or_else(|| panic!("{name} is not in charge.qc"))
    }

    pub fn set_arguments(&mut self, words: Vec<[u32; 3]>) {
        for (number, word) in words.into_iter().enumerate().take(8) {
            self.machine.set_argument(number, word);
        }
    }

    pub fn call(&mut self, function: FunctionId) -> Result<(), Fault> {
        let mut host = VmHost { runtime: &mut self.runtime, environment: &mut self.environment };
        self.machine.call(function, &mut host).map_err(|error| error.fault)
    }

    /// Returns the arguments of a builtin: the largest of each kind.
    pub fn arguments(&mut self, builtin: &str, signature: &str) -> Vec<[u32; 3]> {
        let inside = signature.split_once('(').and_then(|(_, rest)| rest.rsplit_once(')')).map_or("", |(list, _)| list);
        let mut words: Vec<[u32; 3]> = Vec::new();
        let mut depth = 0;
        let parameters = inside.split(|character| {
            depth += i32::from(character == '(') - i32::from(character == ')');
            character == ',' && depth == 0
        });
        for parameter in parameters.map(str::trim).filter(|parameter| !parameter.is_empty()) {
            if parameter == "..." {
                while let Some(last) = words.last().filter(|_| words.len() < 8).copied() {
                    words.push(last);
                }
                break;
            }
            let plain = parameter.trim_start_matches("optional ").trim_start_matches("__out ");
            let plain = plain.trim_start_matches("__inout ");
            let (kind, name) = plain.rsplit_once([' ', '*']).unwrap_or((plain, ""));
            let word = self.argument(builtin, kind, name);
            words.push(word);
        }
        words
    }

    fn argument(&mut self, builtin: &str, kind: &str, name: &str) -> [u32; 3] {
        let count = self.size.count() as f32;
        let float = |value: f32| [value.to_bits(), 0, 0];
        match (kind, name) {
            ("string", _) => [self.text(builtin, name), 0, 0],
            ("vector", _) => self.size.pick([1.0; 3], [1e5, -1e5, 1e4]).map(f32::to_bits),
            // A search goes through all entities.
            ("entity", "start") => [0; 3],
            ("entity", _) => [self.entity, 0, 0],
            (".string" | ".float", _) => {
                let field = self.machine.progs().global(b"classname").expect("is in defs.qc");
                [self.machine.global(field), 0, 0]
            }
            ("void " | "void*", _) => [self.block, 0, 0],
            ("int", "size") => [self.bytes(), 0, 0],
            ("int", "offset" | "firstoffset" | "secondoffset" | "dstoffset" | "srcoffset" | "newoffset") => [0; 3],
            ("int", "newsize") => [self.bytes(), 0, 0],
            ("int", _) => [self.size.pick(1, i32::MAX as u32), 0, 0],
            ("float", "fhandle") => float(1000.0),
            ("float", "table" | "bufhandle" | "bufhandle_from") => float(1.0),
            ("float", "bufhandle_to") => float(2.0),
            (
                "float",
                "ofs" | "handle" | "num" | "mode" | "prnum" | "sortprefixlen" | "string_index" | "idx" | "ordered",
            ) => float(0.0),
            ("float", "skel" | "skeldst") => float(self.object),
            ("float", "skelsrc") => float(self.other),
            ("float", "modlindex" | "modelindex" | "model" | "mdlindex") => float(self.model as f32),
            ("float", "bonenum" | "tagindex" | "tagnum") => float(count),
            ("float", "point" | "triangle") => float(self.size.pick(0.0, 500.0)),
            ("float", "targettime") => float(self.size.pick(0.0, 1e3)),
            ("float", "kind") => float(0.0),
            ("float", "buffer" | "retainfrac" | "animskel" | "startbone" | "endbone" | "firstbone" | "lastbone") => {
                float(if name == "buffer" { 1.0 } else { 0.0 })
            }
            ("float", "framenum" | "surface" | "basetime" | "start" | "aofs" | "bofs") => float(0.0),
            ("float", _) if ["ftos", "asin", "sqrt", "pow"].contains(&builtin) => float(self.size.pick(1.0, 1.0e-30)),
            ("float", "length" | "len") => float(1e6),
            ("float", _) => float(self.size.pick(1.0, 3.0)),
            _ => [0; 3],
        }
    }

    fn text(&mut self, builtin: &str, name: &str) -> u32 {
        let size = self.size;
        let text = match (builtin, name) {
            ("skel_ragupdate", _) => self.doll(),
            ("sprintf", "format") => size.pick("%s", "%.1024f%1024v").repeat(size.pick(1, 32)).into_bytes(),
            ("skel_matchpose", _) => {
                ["*", &"a".repeat(size.name()), "b* "].concat().repeat(size.pick(1, 16)).into_bytes()
            }
            ("tokenize" | "tokenize_console", _) => size.pick("a", "a ' \" ").repeat(size.pick(1, 2000)).into_bytes(),
            ("tokenizebyseparator", "separator") => size.pick(b"b".to_vec(), [vec![b'a'; 40], b"b".to_vec()].concat()),
            ("strstrofs", "sub") => [vec![b'a'; size.pick(1, 4000)], b"b".to_vec()].concat(),
            (_, "modelname" | "sample" | "file") if builtin != "precache_file" => b"m.iqm".to_vec(),
            (_, "tagname" | "framename" | "skinname") => [vec![b'a'; size.name() - 3], b"zzz".to_vec()].concat(),
            ("stof" | "stov" | "stoi", _) => vec![b'7'; size.text().len()],
            ("find", "match") => [size.text(), b"c".to_vec()].concat(),
            ("search_begin" | "fopen" | "fexists" | "whichpack", _) => vec![b'a'; size.pick(1, 100)],
            _ => size.text(),
        };
        self.string(&text)
    }
}

fn name(size: Size, number: usize) -> String {
    format!("{}{number:03}", "a".repeat(size.name() - 3))
}

/// Returns the file of a scene's model.
fn file(size: Size) -> Vec<u8> {
    write::iqm(&model(size)).expect("has names and finite numbers")
}

/// Returns a model with a chain of bones, animations with events, and a mesh.
fn model(size: Size) -> Model {
    let count = size.count();
    let bone = |number: usize| Bone {
        name: Name::from(name(size, number).as_str()),
        parent: number.checked_sub(1),
        bind: Mat3x4::from_translation(Vec3::X * number.min(1) as f32),
    };
    let event = |number: usize| Event { time: number as f32 / 1000.0, code: 1, data: Name::from("step") };
    let animation = |number: usize| Animation {
        events: (0..if number == 0 { count } else { 0 }).map(event).collect(),
        ..Animation::frames(name(size, number).as_str(), 0, 4, 10.0, true)
    };
    let mesh = Mesh {
        positions: (0..count as u32 + 1).map(|n| [n as f32, (n % 7) as f32, (n % 5) as f32]).collect(),
        triangles: (2..count as u32 + 1).map(|corner| [0, corner - 1, corner]).collect(),
        ..Mesh::default()
    };
    Model {
        skeleton: Skeleton::new((0..count).map(bone).collect()).expect("parents come first"),
        animations: (0..count).map(animation).collect(),
        frames: vec![Mat3x4::IDENTITY; 4 * count],
        meshes: vec![mesh],
        ..Model::default()
    }
}
