//! Generation of the QuakeC header and the reference page from the table.

#[cfg(feature = "qcvm")]
use super::vm::stdlib::StdBuiltin;
use super::{Builtin, Family, Field, ScriptResult, TABLE};
use std::fmt::Write;

/// Columns that comments are wrapped to.
const WIDTH: usize = 118;

/// `RF_` and `PVSF_` constants for scripts of skeletal objects: name, value, `true` if builtins read it, meaning.
const CONSTANTS: &[(&str, u32, bool, &str)] = &[
    ("RF_VIEWMODEL", 1, false, "renderflags: not drawn in mirrors"),
    ("RF_EXTERNALMODEL", 2, false, "renderflags: drawn only in mirrors"),
    ("RF_DEPTHHACK", 4, false, "renderflags: drawn in front of walls"),
    ("RF_ADDITIVE", 8, false, "renderflags: drawn with additive blending"),
    ("RF_USEAXIS", 16, true, "renderflags: v_forward, v_right and v_up are the entity's axes"),
    ("RF_NOSHADOW", 32, false, "renderflags: casts no shadow"),
    ("RF_FRAMETIMESARESTARTTIMES", 64, true, "renderflags: frame1time and the other frame times are start times"),
    ("PVSF_NORMALPVS", 0, false, "pvsflags: culled as tightly as the server can"),
    ("PVSF_NOTRACECHECK", 1, false, "pvsflags: culled by the PVS alone"),
    ("PVSF_USEPHS", 2, false, "pvsflags: sent where its sounds could be heard"),
    ("PVSF_IGNOREPVS", 3, false, "pvsflags: sent everywhere"),
    ("PVSF_NOREMOVE", 128, false, "pvsflags: stays on clients that no longer see it; for ragdolls of server code"),
];

/// Builtins that DarkPlaces' definitions for client code declare, without the arguments that are optional here.
const DARKPLACES: &[&str] = &[
    "skel_create",
    "skel_build",
    "skel_get_numbones",
    "skel_get_bonename",
    "skel_get_boneparent",
    "skel_find_bone",
    "skel_get_bonerel",
    "skel_get_boneabs",
    "skel_set_bone",
    "skel_mul_bone",
    "skel_mul_bones",
    "skel_copybones",
    "skel_delete",
    "frameforname",
    "frameduration",
    "gettagindex",
    "gettaginfo",
];

/// Structure of `skel_build_ptr`, with the names that FTE's definitions give to it: fteqcc accepts a second definition
/// that is the same.
const BLEND: &str = "typedef struct\n{\n\tint sourcemodelindex;\n\tint reserved;\n\tint firstbone;\n\tint lastbone;\n\t\
    float prescale;\n\tfloat scale[4];\n\tint animation[4];\n\tfloat animationtime[4];\n\tfloat subblend[2];\n\t\
    float controllers[5];\n} skelblend_t;\n";

/// Sentences on the range of times in an `f32`.
const TIMES: &str = "Times are seconds in 32 bits. An animation of 30 poses per second is off by at most an eighth of a pose \
    up to 18 hours, a quarter up to 36 hours and half a pose up to 73 hours; beyond that, every second frame of a 60 Hz game \
    shows the pose of the previous frame. If entities play for more than a day, subtract frameduration from a time that \
    has passed it.";

/// Returns the QuakeC header `skelobj.qc`: every builtin, entity field and constant.
///
/// Every fteqcc and gmqcc compile it without a warning. Where `__FTEQCC__` is defined, as by fteqcc since 2020,
/// builtins have the types that FTE's own definitions give to them, so that the header may follow those. For other
/// compilers, the [results](ScriptResult) of arguments that are read back are in globals. What DarkPlaces' definitions
/// declare is left out where `SKELOBJ_AFTER_DARKPLACES` is defined.
///
/// # Example
/// ```
/// let header = skelobj::qc::header();
/// assert!(header.contains("float(float skel, string tagname) skel_find_bone = #268;"));
/// assert!(header.contains(".float skeletonindex;"));
/// ```
#[must_use]
pub fn header() -> String {
    let mut out = String::new();
    comment(
        &mut out,
        "Skeletal objects and ragdolls. Include after the engine's own definitions (self, v_forward, modelindex, origin, \
        frame and so on). Generated from the table of builtins; do not edit.",
    );
    comment(
        &mut out,
        "For fteqcc, Debian's included, and for gmqcc -std=fteqcc. An fteqcc since 2020, which defines __FTEQCC__, gets the \
        types of FTE's own definitions, which may come before. The others have no __out: they read what builtins return \
        through arguments from the globals below, and pass integers as floats. gmqcc has no pointers.",
    );
    comment(
        &mut out,
        "After DarkPlaces' definitions for client code, define SKELOBJ_AFTER_DARKPLACES before you include this file. The \
        builtins that they declare keep their types: orientations are in v_forward, v_right and v_up.",
    );
    out.push_str("\n// Entity fields that the builtins read.\n");
    comment(&mut out, TIMES);
    for field in Field::ALL.iter().filter(|field| !is_standard(**field)) {
        let _ = writeln!(out, "noref .{} {};", field.kind(), field.name());
    }
    out.push_str("\n// Entity fields that the engine reads.\nnoref .float pvsflags;\n");
    out.push_str("\n// Globals that skel_matchpose sets.\n");
    out.push_str("noref vector skel_match_origin;\nnoref float skel_match_yaw;\nnoref float skel_match_time;\n");
    out.push_str("\n// Globals for what builtins also return through arguments. Their descriptions name them.\n");
    for global in ScriptResult::ALL {
        let _ = writeln!(out, "noref {} {};", global.kind(), global.name());
    }
    for (ours, title) in [(true, "read by the builtins"), (false, "read by the engine")] {
        let _ = writeln!(out, "\n// Constants, {title}.");
        for (name, value, _, doc) in CONSTANTS.iter().filter(|constant| constant.2 == ours) {
            let _ = writeln!(out, "#define {name} {value}\t// {doc}");
        }
    }
    for builtin in TABLE.iter().filter(|builtin| builtin.family != Family::Engine) {
        out.push('\n');
        comment(&mut out, builtin.doc);
        if DARKPLACES.contains(&builtin.name) {
            out.push_str("#ifndef SKELOBJ_AFTER_DARKPLACES\n");
            declare_for_all(&mut out, builtin, &[builtin.name]);
            out.push_str("#endif\n");
        } else {
            declare_for_all(&mut out, builtin, &[builtin.name]);
        }
        if !builtin.aliases.is_empty() {
            declare_for_all(&mut out, builtin, builtin.aliases);
        }
    }
    out
}

/// Returns the reference page `docs/builtins.md`.
///
/// The page is complete with the feature `qcvm`, whose VM adds the builtins of every engine.
///
/// # Example
/// ```
/// let page = skelobj::qc::reference();
/// assert!(page.contains("### skel_find_bone #268"));
/// ```
#[must_use]
pub fn reference() -> String {
    let mut out = String::from(
        "# Builtins\n\nGenerated from the tables of builtins, `skelobj::qc::TABLE` and the `stdlib::TABLE` of \
         skelobj-qcvm; do not edit. Bones are numbered from 1, animations and skins from 0. Handles are whole numbers below \
         2^24; 0 is not a valid handle. Numbers are truncated toward zero. A non-finite number is treated as 0 and reported once. \
         Number 0 means that a builtin is bound by its name alone.\n",
    );
    let titles = [
        (Family::Objects, "Skeletal objects"),
        (Family::Bones, "Bones"),
        (Family::Tags, "Tags"),
        (Family::Models, "Models"),
        (Family::Engine, "Builtins of every engine"),
    ];
    for (family, title) in titles {
        let _ = write!(out, "\n## {title}\n");
        for Entry { name, number, signature, doc, aliases } in entries(family) {
            let _ = write!(out, "\n### {name} #{number}\n\n`{signature}`\n\n{doc}\n");
            if !aliases.is_empty() {
                let _ = write!(out, "\nAlso called {}.\n", aliases.join(", "));
            }
        }
    }
    out.push_str(
        "\n## Entity fields\n\nThe builtins read these fields. A field that a game does not declare reads as 0.\n\n",
    );
    for field in Field::ALL {
        let _ = writeln!(out, "- `.{} {}`", field.kind(), field.name());
    }
    let _ = writeln!(out, "\n{TIMES}");
    out.push_str("\n## Constants\n\n| name | value | read by | meaning |\n| --- | --- | --- | --- |\n");
    for (name, value, ours, doc) in CONSTANTS {
        let by = if *ours { "builtins" } else { "the engine" };
        let _ = writeln!(out, "| {name} | {value} | {by} | {doc} |");
    }
    out
}

/// Compiler that a type is written for.
#[derive(Clone, Copy, PartialEq)]
enum Compiler {
    /// gmqcc: no pointers, no integers, no arguments that are read back.
    Gmqcc,
    /// An older fteqcc, such as Debian's: no pointer types, no conversion to integers, no arguments that are read back.
    Old,
    /// An fteqcc since 2020, which defines `__FTEQCC__`.
    Recent,
}

/// Builtin on the reference page.
struct Entry {
    name: &'static str,
    number: u32,
    signature: &'static str,
    doc: &'static str,
    aliases: &'static [&'static str],
}

/// Returns the builtins of a family in the order of the table.
///
/// The builtins of every engine are in the order of their numbers, together with the standard library under the feature
/// `qcvm`.
fn entries(family: Family) -> Vec<Entry> {
    let ours = TABLE.iter().filter(|builtin| builtin.family == family);
    let mut entries: Vec<Entry> = ours
        .map(|&Builtin { name, number, signature, doc, aliases, .. }| Entry { name, number, signature, doc, aliases })
        .collect();
    if family == Family::Engine {
        #[cfg(feature = "qcvm")]
        entries.extend(super::vm::stdlib::TABLE.iter().map(
            |&StdBuiltin { name, number, signature, doc, aliases, .. }| Entry { name, number, signature, doc, aliases },
        ));
        entries.sort_by_key(|entry| entry.number);
    }
    entries
}

/// Returns `true` if every game declares the field anyway.
fn is_standard(field: Field) -> bool {
    matches!(field, Field::frame | Field::modelindex | Field::origin | Field::angles)
}

/// Declares a builtin under some of its names, in the types of every compiler.
fn declare_for_all(out: &mut String, builtin: &Builtin, names: &[&str]) {
    let [recent, old, gmqcc] =
        [Compiler::Recent, Compiler::Old, Compiler::Gmqcc].map(|compiler| signature(builtin, compiler));
    if recent == old && old == gmqcc {
        return declare(out, &old, builtin.number, names);
    }
    out.push_str("#ifdef __FTEQCC__\n");
    if recent.contains("skelblend_t") {
        out.push_str(BLEND);
    }
    declare(out, &recent, builtin.number, names);
    if old.contains("pointer") {
        out.push_str("#else\n#ifndef GMQCC\n");
        declare(out, &old, builtin.number, names);
        out.push_str("#endif\n");
    } else if old == gmqcc {
        out.push_str("#else\n");
        declare(out, &old, builtin.number, names);
    } else {
        out.push_str("#else\n#ifdef GMQCC\n");
        declare(out, &gmqcc, builtin.number, names);
        out.push_str("#else\n");
        declare(out, &old, builtin.number, names);
        out.push_str("#endif\n");
    }
    out.push_str("#endif\n");
}

fn declare(out: &mut String, signature: &str, number: u32, names: &[&str]) {
    for name in names {
        let _ = writeln!(out, "{signature} {name} = #{number};");
    }
}

fn signature(builtin: &Builtin, compiler: Compiler) -> String {
    let full = builtin.signature;
    if compiler == Compiler::Recent {
        return full.to_owned();
    }
    // Arguments that only return something are the last ones.
    let (passed, returned) = full.split_at(full.find(", optional __out ").unwrap_or(full.len()));
    let mut text = match passed.find("optional ") {
        Some(tail) => format!("{}...)", &passed[..tail]),
        None if returned.is_empty() => full.to_owned(),
        None => format!("{passed})"),
    };
    for (recent, old) in [("float*", "pointer"), ("skelblend_t *", "pointer "), ("__inout ", "")] {
        text = text.replace(recent, old);
    }
    // A builtin with pointers takes integers, as a compiler with pointers has them, and so does a function that it calls.
    let called = text.match_indices('(').nth(1).map_or(text.len(), |(at, _)| at);
    let (own, called) = text.split_at(called);
    let floats = |part: &str| part.replace("int ", "float ");
    match compiler {
        Compiler::Old if own.contains("pointer") => text,
        Compiler::Old => floats(own) + called,
        _ => floats(own) + &floats(called),
    }
}

fn comment(out: &mut String, text: &str) {
    let mut line = String::from("//");
    for word in text.split_whitespace() {
        if line.len() + 1 + word.len() > WIDTH {
            let _ = writeln!(out, "{line}");
            line = String::from("//");
        }
        line.push(' ');
        line.push_str(word);
    }
    let _ = writeln!(out, "{line}");
}
