//! A C compiler refuses the id of one kind of thing in the place of another.

use std::path::Path;
use std::process::Output;

use crate::common::{C11, CPP17, check, compiler, folder};

/// Calls with the id of a wrong kind, and the same calls with the right one.
const MIX_UPS: [(&str, &str); 10] = [
    ("skelobj_bone_model(world, model, 1, matrix)", "skelobj_bone_model(world, object, 1, matrix)"),
    ("skelobj_level_body_remove(world, object)", "skelobj_level_body_remove(world, floor)"),
    ("skelobj_water_remove(world, floor)", "skelobj_water_remove(world, water)"),
    ("skelobj_object_delete(world, model)", "skelobj_object_delete(world, object)"),
    ("skelobj_object_delete(object, world)", "skelobj_object_delete(world, object)"),
    ("skelobj_object_delete(world, 1)", "skelobj_object_delete(world, skelobj_object_from_number(1))"),
    ("skelobj_model_free(doll)", "skelobj_doll_free(doll)"),
    ("skelobj_add_level(world, floor, 0, 0, 0, 0, 0)", "skelobj_add_level(world, level, 0, 0, 0, 0, 0)"),
    ("skelobj_snapshot_restore(world, receiver)", "skelobj_snapshot_restore(world, snapshot)"),
    ("skelobj_player_model(model, 0)", "skelobj_player_model(player, 0)"),
];

/// Compiles a program that makes one call.
fn compile(language: &[&str], folder: &Path, call: &str) -> Output {
    let ids = [
        ("World", "world"),
        ("Model", "model"),
        ("Doll", "doll"),
        ("Player", "player"),
        ("Level", "level"),
        ("Snapshot", "snapshot"),
        ("Receiver", "receiver"),
        ("Object", "object"),
        ("LevelBody", "floor"),
        ("Water", "water"),
    ];
    let mut source = String::from("#include <skelobj.h>\nint main(void) {\n  float matrix[12];\n");
    for (kind, name) in ids {
        source += &format!("  Skelobj{kind} {name} = {{0}};\n");
    }
    for (_, name) in ids {
        source += &format!("  (void){name};\n");
    }
    source += &format!("  (void)matrix;\n  (void){call};\n  return 0;\n}}\n");
    let file = folder.join("call.c");
    std::fs::write(&file, source).expect("the target folder is writable");
    compiler(language).args(["-fsyntax-only", "-Wno-unused-result"]).arg(&file).output().expect("a compiler")
}

#[test]
fn a_compiler_refuses_the_id_of_another_kind() {
    let folder = folder("ids");
    for language in [C11, CPP17] {
        for (wrong, right) in MIX_UPS {
            let refused = compile(&language, &folder, wrong);
            let text = String::from_utf8_lossy(&refused.stderr);
            assert!(!refused.status.success(), "{language:?} compiles {wrong}");
            assert!(text.contains("incompatible type") || text.contains("could not convert"), "{wrong}: {text}");
            let taken = compile(&language, &folder, right);
            assert!(taken.status.success(), "{right}: {}", String::from_utf8_lossy(&taken.stderr));
        }
    }
}

/// The program of a host that mixed up ids when all of them were numbers.
#[test]
fn a_program_with_mixed_up_ids_does_not_compile() {
    let source = folder("mixed-ids").join("mixed.c");
    let text = include_str!("mixed_ids.c");
    std::fs::write(&source, text).expect("the target folder is writable");
    let refused = compiler(&C11).arg("-fsyntax-only").arg(&source).output().expect("a compiler");
    let errors = String::from_utf8_lossy(&refused.stderr);
    let lines: Vec<usize> =
        (1..).zip(text.lines()).filter(|(_, line)| line.ends_with("// mixed up")).map(|(n, _)| n).collect();
    assert_eq!(lines.len(), 4);
    for line in lines {
        assert!(errors.contains(&format!("mixed.c:{line}:")), "line {line} is not refused: {errors}");
    }
    // Without these lines it is a program.
    let sound: Vec<&str> = text.lines().filter(|line| !line.ends_with("// mixed up")).collect();
    std::fs::write(&source, sound.join("\n") + "\n").expect("the target folder is writable");
    check(compiler(&C11).arg("-fsyntax-only").arg(&source));
}
