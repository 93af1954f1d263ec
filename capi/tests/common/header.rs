//! Makes `include/skelobj.h` from the source of the functions.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::root;
use crate::unsafe_code::files;

/// Source files in the order of the header, that of a host's life, each with the heading above its functions. A `mod`
/// file brings the files of its folder.
const FILES: [(&str, &str); 23] = [
    ("error", ""),
    ("pointer", ""),
    ("user", ""),
    ("id", "Ids, versions, failures, memory"),
    ("table", ""),
    ("version", "Ids, versions, failures, memory"),
    ("memory", "Ids, versions, failures, memory"),
    ("matrix", "Matrices"),
    ("world", "Worlds and frames"),
    ("model/mod", "Models"),
    ("level", "Levels, doors, boxes, water"),
    ("level_mesh", "Levels, doors, boxes, water"),
    ("object", "Objects"),
    ("posing", "Poses"),
    ("doll/mod", "Dolls"),
    ("ragdoll/mod", "Ragdolls"),
    ("query", "Traces, contacts, tags"),
    ("history", "Poses of the past"),
    ("snapshot", "Saves"),
    ("net", "Network"),
    ("guard", ""),
    ("numbers", ""),
    ("text", ""),
];

/// Functions that a host may call without a look at their status.
fn may_be_ignored(name: &str) -> bool {
    name.ends_with("_free")
}

/// Returns the header as it should be.
pub fn generate() -> String {
    let config = cbindgen::Config::from_file(root().join("capi/cbindgen.toml")).expect("a configuration");
    let mut builder = cbindgen::Builder::new().with_config(config);
    for (name, _) in FILES {
        builder = builder.with_src(root().join(format!("capi/calls/src/{name}.rs")));
    }
    let mut text = Vec::new();
    builder.generate().expect("the source is readable").write(&mut text);
    finish_functions(&plain_pointers(&String::from_utf8(text).expect("UTF-8")))
}

/// Returns the heading above each function.
fn headings() -> BTreeMap<String, &'static str> {
    let mut headings = BTreeMap::new();
    for (name, heading) in FILES {
        let path = root().join(format!("capi/calls/src/{name}.rs"));
        let of_it = match name.strip_suffix("/mod") {
            Some(_) => files(path.parent().expect("a folder")),
            None => vec![path],
        };
        for file in of_it {
            let text = std::fs::read_to_string(file).expect("a source file");
            let names = text.lines().filter_map(|line| line.strip_prefix("pub extern \"C\" fn ")?.split_once('('));
            headings.extend(names.map(|(name, _)| (name.to_owned(), heading)));
        }
    }
    headings
}

/// Adds headings above groups of functions, and the attribute of those whose status should be used.
fn finish_functions(text: &str) -> String {
    let (headings, mut last) = (headings(), "");
    let paragraphs = text.split("\n\n").map(|paragraph| {
        let Some((comment, code)) = paragraph.split_once("SKELOBJ_API").filter(|_| paragraph.ends_with(");")) else {
            return paragraph.to_owned();
        };
        let before = code.split('(').next().unwrap_or_default();
        let name = before.rsplit([' ', '*']).next().unwrap_or_default();
        let heading = headings.get(name).copied().unwrap_or_else(|| panic!("{name} is in no file of the header"));
        let title = match heading == std::mem::replace(&mut last, heading) {
            true => String::new(),
            false => format!("// {heading}\n// {}\n\n", "-".repeat(heading.len())),
        };
        let is_used = before.trim_start().starts_with("SkelobjStatus ") && !may_be_ignored(name);
        let attribute = if is_used { "SKELOBJ_NODISCARD " } else { "" };
        format!("{title}{comment}{attribute}SKELOBJ_API{code}")
    });
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

/// Replaces the names of our pointer types by pointers of C.
///
/// cbindgen writes `typedef const float *In_f32;` for a wrapper of a pointer, and the name in prototypes.
fn plain_pointers(text: &str) -> String {
    let mut pointers = BTreeMap::from([
        ("InMatrix".to_owned(), ("const float ".to_owned(), "[12]")),
        ("OutMatrix".to_owned(), ("float ".to_owned(), "[12]")),
        ("InVector".to_owned(), ("const float ".to_owned(), "[3]")),
        ("OutVector".to_owned(), ("float ".to_owned(), "[3]")),
    ]);
    let mut kept: Vec<&str> = Vec::new();
    for line in text.lines() {
        let wrapper = line.strip_prefix("typedef ").and_then(|rest| rest.strip_suffix(';')).and_then(|rest| {
            let (target, name) = rest.rsplit_once('*')?;
            let name =
                name.trim_end_matches(|c: char| c == ')' || c == ']' || c.is_ascii_digit() && rest.contains('('));
            let name = name.trim_end_matches('[').trim_end_matches(')');
            (name.starts_with("In_") || name.starts_with("Out_")).then(|| (target.to_owned(), name.to_owned()))
        });
        let alias = ["InMatrix;", "OutMatrix;", "InVector;", "OutVector;"].iter().any(|end| line.ends_with(end));
        let floats = line.starts_with("typedef float Skelobj");
        if let Some((target, name)) = wrapper {
            pointers.insert(name, (format!("{}*", target.trim_end_matches('(')), ""));
        } else if !alias && !floats {
            kept.push(line);
            continue;
        }
        // The comment above goes with it.
        while kept.last().is_some_and(|line| line.starts_with("//")) {
            kept.pop();
        }
        if kept.last().is_some_and(|line| line.is_empty()) {
            kept.pop();
        }
    }
    let mut out = String::new();
    for line in kept {
        out.push_str(&replace(line, &pointers));
        out.push('\n');
    }
    out
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn replace(line: &str, pointers: &BTreeMap<String, (String, &str)>) -> String {
    let (mut out, mut rest) = (String::new(), line);
    while let Some(start) = rest.find(is_word) {
        out.push_str(&rest[..start]);
        let word_end = rest[start..].find(|c| !is_word(c)).map_or(rest.len(), |end| start + end);
        let word = &rest[start..word_end];
        rest = &rest[word_end..];
        let Some((target, suffix)) = pointers.get(word).filter(|_| !line.trim_start().starts_with("//")) else {
            out.push_str(word);
            continue;
        };
        out.push_str(target);
        if let Some(after) = rest.strip_prefix(' ') {
            let end = after.find(|c| !is_word(c)).unwrap_or(after.len());
            let name = &after[..end];
            // Several matrices or vectors are plain floats.
            let one = !name.ends_with('s') && name != "palette" || name == "angles";
            let target_end = out.trim_end().len();
            if !suffix.is_empty() && !one {
                out.truncate(target_end);
                out.push_str(" *");
            }
            out.push_str(name);
            out.push_str(if one { suffix } else { "" });
            rest = &after[end..];
        }
    }
    out + rest
}

pub fn path() -> &'static Path {
    static PATH: std::sync::OnceLock<PathBuf> = std::sync::OnceLock::new();
    PATH.get_or_init(|| root().join("include/skelobj.h"))
}
