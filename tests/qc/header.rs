//! QuakeC header and reference page compared with the table; compilers accept the header.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use skelobj::qc::vm::{self, stdlib};
use skelobj::qc::{Builtin, Family, TABLE, header, reference};

fn committed(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Compares a file with its expected text; with `SKELOBJ_REGENERATE=1` it writes the file instead.
fn assert_committed(name: &str, fresh: &str) {
    let path = committed(name);
    if std::env::var_os("SKELOBJ_REGENERATE").is_some() {
        std::fs::write(&path, fresh).unwrap();
    }
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text == fresh, "{name} is out of date: run this test with SKELOBJ_REGENERATE=1");
}

#[test]
fn the_committed_header_is_what_the_table_generates() {
    assert_committed("include/skelobj.qc", &header());
}

#[test]
fn the_committed_reference_is_what_the_table_generates() {
    assert_committed("docs/builtins.md", &reference());
}

#[test]
fn numbers_and_names_are_unique_and_lead_to_their_builtin() {
    let mut numbers = HashSet::new();
    let mut names = HashSet::new();
    for builtin in stdlib::TABLE {
        assert!(builtin.number == 0 || numbers.insert(builtin.number), "{builtin:?}");
        for name in std::iter::once(&builtin.name).chain(builtin.aliases) {
            assert!(names.insert(name), "{name}");
        }
    }
    for builtin in TABLE {
        if builtin.number != 0 {
            assert!(numbers.insert(builtin.number), "{builtin:?}");
            assert_eq!(Builtin::by_number(builtin.number).unwrap().name, builtin.name);
        }
        for name in std::iter::once(&builtin.name).chain(builtin.aliases) {
            assert!(names.insert(name), "{name}");
            assert_eq!(Builtin::by_name(name.as_bytes()).unwrap().name, builtin.name);
        }
    }
    assert_eq!(Builtin::by_name(b"skel_premul_bone").unwrap().number, 272);
    assert!(Builtin::by_number(0).is_none());
    assert!(Builtin::by_name(b"").is_none());
    let ours = TABLE.iter().filter(|builtin| builtin.family != Family::Engine && builtin.number != 0);
    let wanted: HashSet<u32> = (263..=277).chain(281..=285).chain([237, 451, 452]).collect();
    assert_eq!(ours.map(|builtin| builtin.number).collect::<HashSet<u32>>(), wanted);
}

/// Definitions that every game makes before the header.
const BEFORE: &str = "entity self; entity other; entity world; float time;\n\
    vector v_forward, v_up, v_right;\nvoid end_sys_globals;\n\
    .float modelindex; .vector origin; .vector angles; .float frame;\nvoid end_sys_fields;\n";

/// Program that uses every kind of declaration once.
const AFTER: &str = "void() main =\n{\n\
    local float skel = skel_create(self.modelindex);\n\
    self.skeletonindex = skel_build(skel, self, self.modelindex, 0, 0, 0, 1);\n\
    skel_build(skel, self, self.modelindex, 0.5, 1, 3);\n\
    skel_mul_bone(skel, 1, '0 0 0');\n\
    skel_premul_bone(skel, 1, '0 0 0', v_forward, v_right, v_up);\n\
    skel_postmul_bone(skel, 1, '0 0 0');\n\
    self.pvsflags = PVSF_NOREMOVE;\n\
    skel_ragupdate(self, \"animate 0\", 0);\n};\n";

/// Compilers that CI or a developer has: Debian's fteqcc, and those of the environment.
///
/// Each has its command, and `true` if it takes the sources as arguments.
fn compilers() -> Vec<(Vec<String>, bool)> {
    let mut compilers = Vec::new();
    let fteqcc = std::env::var("FTEQCC").unwrap_or_else(|_| "fteqcc".to_owned());
    for path in [Some(fteqcc), std::env::var("CURRENT_FTEQCC").ok()].into_iter().flatten() {
        compilers.push((vec![path.clone()], false));
        compilers.push((vec![path, "-Tfte".to_owned()], false));
    }
    if let Ok(path) = std::env::var("GMQCC") {
        for standard in ["-std=fteqcc", "-std=gmqcc"] {
            compilers.push((vec![path.clone(), standard.to_owned(), "-fftepp".to_owned()], true));
        }
    }
    compilers
}

/// Compiles files in a folder and returns the compiler's messages; `None` if the compiler is missing.
fn compile(compiler: &[String], is_listed: bool, folder: &Path, files: &[(&str, &str)]) -> Option<String> {
    std::fs::create_dir_all(folder).unwrap();
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    for (name, text) in files {
        std::fs::write(folder.join(name), text).unwrap();
    }
    std::fs::write(folder.join("progs.src"), format!("progs.dat\n{}\n", names.join("\n"))).unwrap();
    let mut command = Command::new(&compiler[0]);
    command.args(&compiler[1..]).current_dir(folder);
    if is_listed {
        command.args(names).args(["-o", "progs.dat"]);
    }
    let output = command.output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr))
}

#[test]
fn compilers_accept_the_header_without_a_warning() {
    for (number, (compiler, is_listed)) in compilers().into_iter().enumerate() {
        let folder = std::env::temp_dir().join(format!("skelobj-header-{}-{number}", std::process::id()));
        let header = header();
        let files = [("before.qc", BEFORE), ("skelobj.qc", &header), ("after.qc", AFTER)];
        let Some(said) = compile(&compiler, is_listed, &folder, &files) else {
            println!("SKIPPED {compiler:?}: no such compiler");
            continue;
        };
        let lines = said.lines().filter(|line| line.contains("skelobj.qc") && !line.starts_with("compiling "));
        let lines = lines.filter(|line| !line.trim_start().starts_with("item: "));
        assert_eq!(lines.collect::<Vec<_>>(), [""; 0], "{compiler:?}: {said}");
        let bytes = std::fs::read(folder.join("progs.dat")).unwrap_or_else(|_| panic!("no progs.dat: {said}"));
        let progs = vm::Progs::load(&bytes).unwrap();
        let bound = |builtin: &vm::Builtin| match builtin.number {
            0 => Builtin::by_name(&builtin.name).is_some(),
            number => Builtin::by_number(number).is_some(),
        };
        assert!(progs.builtins().len() >= 8, "{:?}", progs.builtins());
        for builtin in progs.builtins() {
            assert!(bound(builtin), "{builtin:?}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}

/// Small headers in the types of two engines' own definitions, for what both those and the header declare.
const FTE: &str = "typedef struct\n{\n int sourcemodelindex; int reserved; int firstbone; int lastbone; float prescale;\n \
    float scale[4]; int animation[4]; float animationtime[4]; float subblend[2]; float controllers[5];\n} skelblend_t;\n\
    float(float model, optional float isabsolute) skel_create = #263;\n\
    float(float skel, entity ent, float model, float retain, float first, float last, optional float add) skel_build = #264;\n\
    float(float skel, int count, skelblend_t *blends, int size) skel_build_ptr = #0:skel_build_ptr;\n\
    void(float skel, float bone, vector org, optional vector fwd, optional vector right, optional vector up) skel_set_bone = #271;\n\
    void(float skel, float bone, vector org, optional vector fwd, optional vector right, optional vector up) skel_premul_bone = #272;\n\
    void(float skel, float first, float last, vector org, optional vector fwd, optional vector right, optional vector up) \
        skel_premul_bones = #273;\n\
    void(float skel, float bone, vector org, optional vector fwd, optional vector right, optional vector up) \
        skel_postmul_bone = #0:skel_postmul_bone;\n\
    float*(float skel) skel_mmap = #282;\n\
    float(entity ent, string command, float animskel) skel_ragupdate = #281;\n\
    void(entity ent, float bone, vector org, optional vector fwd, optional vector right, optional vector up) \
        skel_set_bone_world = #283;\n\
    float(entity ent, string name) gettagindex = #451;\nvector(entity ent, float tag) gettaginfo = #452;\n\
    void(float model, float frame, __inout float base, float target, void(float time, int code, string data) callback) \
        processmodelevents = #0:processmodelevents;\n\
    float(float model, float frame, __inout float base, float target, __out int code, __out string data) \
        getnextmodelevent = #0:getnextmodelevent;\n\
    float(float model, float frame, int event, __out float time, __out int code, __out string data) \
        getmodeleventidx = #0:getmodeleventidx;\n";
const DARKPLACES: &str = "float(float model) skel_create = #263;\n\
    float(float skel, entity ent, float model, float retain, float first, float last) skel_build = #264;\n\
    float(float skel) skel_get_numbones = #265;\nstring(float skel, float bone) skel_get_bonename = #266;\n\
    float(float skel, float bone) skel_get_boneparent = #267;\nfloat(float skel, string name) skel_find_bone = #268;\n\
    vector(float skel, float bone) skel_get_bonerel = #269;\nvector(float skel, float bone) skel_get_boneabs = #270;\n\
    void(float skel, float bone, vector org) skel_set_bone = #271;\n\
    void(float skel, float bone, vector org) skel_mul_bone = #272;\n\
    void(float skel, float first, float last, vector org) skel_mul_bones = #273;\n\
    void(float to, float from, float first, float last) skel_copybones = #274;\nvoid(float skel) skel_delete = #275;\n\
    float(float model, string name) frameforname = #276;\nfloat(float model, float frame) frameduration = #277;\n\
    float(entity ent, string name) gettagindex = #451;\nvector(entity ent, float tag) gettaginfo = #452;\n\
    #define SKELOBJ_AFTER_DARKPLACES\n";
/// Program that needs no optional argument.
const BRIEF: &str = "void() main =\n{\n local float skel = skel_create(self.modelindex);\n\
    skel_build(skel, self, self.modelindex, 0, 0, 0);\n skel_mul_bone(skel, 1, '0 0 0');\n\
    skel_ragupdate(self, \"animate 0\", 0);\n};\n";

#[test]
fn the_header_may_follow_the_definitions_of_an_engine() {
    for (number, (compiler, is_listed)) in compilers().into_iter().enumerate() {
        let folder = std::env::temp_dir().join(format!("skelobj-engines-{}-{number}", std::process::id()));
        let header = header();
        for (engine, definitions) in [("fte.qc", FTE), ("darkplaces.qc", DARKPLACES)] {
            if engine == "fte.qc" && !is_recent(&compiler, &folder) {
                println!("SKIPPED {compiler:?} after FTE's definitions: it does not read those");
                continue;
            }
            let files = [("before.qc", BEFORE), (engine, definitions), ("skelobj.qc", &header), ("after.qc", BRIEF)];
            let Some(said) = compile(&compiler, is_listed, &folder, &files) else { break };
            let lines = said.lines().filter(|line| line.contains("skelobj.qc:") || line.contains(engine));
            let lines = lines.filter(|line| !line.starts_with("compiling "));
            let lines = lines.filter(|line| !line.trim_start().starts_with("item: "));
            assert_eq!(lines.collect::<Vec<_>>(), [""; 0], "{compiler:?} after {engine}: {said}");
            assert!(std::fs::remove_file(folder.join("progs.dat")).is_ok(), "{compiler:?} after {engine}: {said}");
        }
        let _ = std::fs::remove_dir_all(&folder);
    }
}

/// Returns `true` if a compiler defines `__FTEQCC__`.
fn is_recent(compiler: &[String], folder: &Path) -> bool {
    let text = "#ifdef __FTEQCC__\nvoid() recent = {};\n#endif\nvoid() main = {};\n";
    compile(compiler, false, folder, &[("recent.qc", text)]);
    let progs = std::fs::read(folder.join("progs.dat")).ok().and_then(|bytes| vm::Progs::load(&bytes).ok());
    progs.is_some_and(|progs| progs.function(b"recent").is_some())
}

/// Programs of `examples/quakec`, which start with its `defs.qc` and the header.
fn examples() -> Vec<(String, String)> {
    let entries = std::fs::read_dir(committed("examples/quakec")).unwrap().map(|entry| entry.unwrap().path());
    let sources = entries.filter(|path| path.extension().is_some_and(|extension| extension == "qc"));
    let named = sources.map(|path| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, std::fs::read_to_string(&path).unwrap())
    });
    named.filter(|(name, _)| name != "defs.qc").collect()
}

#[test]
fn compilers_build_every_example() {
    let header = header();
    let defs = std::fs::read_to_string(committed("examples/quakec/defs.qc")).unwrap();
    let examples = examples();
    assert!(examples.len() >= 8, "{} examples", examples.len());
    for (number, (compiler, is_listed)) in compilers().into_iter().enumerate() {
        let folder = std::env::temp_dir().join(format!("skelobj-examples-{}-{number}", std::process::id()));
        for (name, text) in &examples {
            let files = [("defs.qc", defs.as_str()), ("skelobj.qc", &header), (name, text)];
            let Some(said) = compile(&compiler, is_listed, &folder, &files) else { break };
            let bytes = std::fs::read(folder.join("progs.dat"));
            let bytes = bytes.unwrap_or_else(|_| panic!("{compiler:?} made no progs of {name}: {said}"));
            assert!(vm::Progs::load(&bytes).unwrap().function(b"main").is_some(), "{name}");
            std::fs::remove_file(folder.join("progs.dat")).unwrap();
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
