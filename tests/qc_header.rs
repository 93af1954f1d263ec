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
        assert!(numbers.insert(builtin.number) && names.insert(&builtin.name), "{builtin:?}");
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

#[test]
fn fteqcc_accepts_the_header_plain_and_for_fte() {
    // The compiler writes a log to the current folder.
    if Command::new("fteqcc").arg("--version").current_dir(std::env::temp_dir()).output().is_err() {
        println!("SKIPPED fteqcc_accepts_the_header_plain_and_for_fte: no fteqcc");
        return;
    }
    for target in [&[][..], &["-Tfte"]] {
        let folder = std::env::temp_dir().join(format!("skelobj-header-{}-{}", std::process::id(), target.len()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("progs.src"), "progs.dat\nbefore.qc\nskelobj.qc\nafter.qc\n").unwrap();
        std::fs::write(folder.join("before.qc"), BEFORE).unwrap();
        std::fs::write(folder.join("skelobj.qc"), header()).unwrap();
        std::fs::write(folder.join("after.qc"), AFTER).unwrap();
        let output = Command::new("fteqcc").args(target).current_dir(&folder).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(!said.to_lowercase().contains("error"), "{target:?}: {said}");
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
