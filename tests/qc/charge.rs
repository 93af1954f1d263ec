//! Statements that every builtin of both tables charges for the largest arguments of each kind, compared with the
//! smallest. `benches/qc_charge.rs` counts the instructions of the same calls.
#![cfg(feature = "qcvm")]

use crate::common::charges::{PROGS, Scene, Size, builtins};
use crate::common::compiled::assert_compiled;
use skelobj::Dialect;

/// Builtins whose work grows with their arguments, or with the model, objects and entities that they name.
const GROWING: &[&str] = &[
    "error",
    "find",
    "dprint",
    "ftos",
    "cvar",
    "WriteString",
    "cvar_set",
    "stof",
    "registercvar",
    "findfloat",
    "checkextension",
    "strlen",
    "strcat",
    "substring",
    "stov",
    "strzone",
    "strunzone",
    "cvar_setf",
    "strstrofs",
    "str2chr",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "stoi",
    "stoh",
    "crc16",
    "isfunction",
    "digest_hex",
    "print",
    "tokenize",
    "cvar_string",
    "tokenizebyseparator",
    "strlennocol",
    "strdecolorize",
    "strtolower",
    "strtoupper",
    "cvar_defstring",
    "cvar_type",
    "tokenize_console",
    "sprintf",
    "skel_create",
    "skel_build",
    "skel_find_bone",
    "skel_copybones",
    "skel_ragupdate",
    "skel_matchpose",
    "skel_send",
    "skel_receive",
    "skel_show",
    "skel_trace",
    "skel_record",
    "skel_get_boneabs",
    "skel_mul_bones",
    "skel_set_bone_world",
    "skel_aim",
    "skel_turn",
    "skel_reach",
    "skel_feet",
    "skel_motion",
    "skel_motionyaw",
    "skel_spring",
    "skel_mask",
    "skel_set_bone_axes",
    "skel_add",
    "skel_copybones_named",
    "gettagindex",
    "gettaginfo",
    "frameforname",
    "frameforaction",
    "getnextmodelevent",
    "skinforname",
    "skintoname",
    "precache_file",
    "shaderforname",
    "rotatevectorsbytag",
    "addentities",
    "addentity",
    "getsurfacepoint",
    "getsurfacenormal",
    "getsurfacenearpoint",
    "getsurfaceclippedpoint",
    "setattachment",
    "getsurfacepointattribute",
    "processmodelevents",
    "skel_raggroups",
    "skel_ragimpulse",
    "skel_ragvelocity",
    "memcmp",
    "memrealloc",
    "memstrsize",
    "fread",
    "fwrite",
    "bprint",
    "sprint",
    "centerprint",
    "fopen",
    "fclose",
    "fgets",
    "fputs",
    "externvalue",
    "externset",
    "hash_destroytab",
    "hash_add",
    "hash_get",
    "hash_delete",
    "hash_getkey",
    "stringwidth",
    "readstring",
    "memalloc",
    "memcpy",
    "memfill8",
    "search_begin",
    "search_end",
    "buf_create",
    "buf_del",
    "buf_copy",
    "buf_sort",
    "buf_implode",
    "bufstr_get",
    "bufstr_set",
    "bufstr_add",
    "strconv",
    "strpad",
    "infoadd",
    "infoget",
    "strreplace",
    "strireplace",
    "objerror",
    "findradius",
    "eprint",
    "changelevel",
    "findchain",
    "findchainfloat",
    "findflags",
    "findchainflags",
    "traceline",
    "tracebox",
];

/// Returns what a builtin charges.
fn charged(name: &str, signature: &str, size: Size, dialect: Dialect) -> u64 {
    let mut scene = Scene::new(size, dialect);
    let (function, words) = (scene.function(name), scene.arguments(name, signature));
    scene.set_arguments(words);
    let _ = scene.call(function);
    scene.machine.spent()
}

#[test]
fn charges_grow_with_the_arguments_of_every_builtin_whose_work_does() {
    let mut wrong = Vec::new();
    for dialect in [Dialect::Fte, Dialect::DarkPlaces] {
        for (name, signature) in builtins() {
            let [small, large] = [Size::Small, Size::Large].map(|size| charged(name, signature, size, dialect));
            let grows = large > small + 32;
            if grows != GROWING.contains(&name) {
                wrong.push(format!("{name} ({dialect:?}): {small} to {large}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_list_names_builtins() {
    let names: Vec<&str> = builtins().map(|(name, _)| name).collect();
    for name in GROWING {
        assert!(names.contains(name), "{name}");
    }
}

#[test]
fn the_committed_calls_are_what_fteqcc_makes_of_their_source() {
    let sources = [
        ("defs.qc", include_str!("../../examples/quakec/defs.qc")),
        ("skelobj.qc", &skelobj::qc::header()),
        ("charge.qc", include_str!("charge.qc")),
    ];
    assert_compiled("charge", &[], &sources, PROGS);
}
