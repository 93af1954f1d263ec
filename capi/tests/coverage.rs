//! Every public operation of the library is in the C API, or on the list of those that deliberately are not; and what
//! the header says of it was read beside what Rust's page says.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::root;
use crate::rules::Header;
use crate::unsafe_code::files;

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the operations of docs/public-api.txt, each by the path of its module.
fn operations() -> BTreeSet<String> {
    // Types that the crate exports at its root, too.
    let modules = [
        ("Doll", "doll"),
        ("DropTest", "ragdoll"),
        ("Model", "model"),
        ("Physics", "physics"),
        ("Ragdoll", "ragdoll"),
        ("Runtime", "runtime"),
        ("SkeletalObject", "object"),
    ];
    let list = read("docs/public-api.txt");
    let paths = list.lines().filter_map(|line| {
        let rest = line.strip_prefix("const ").unwrap_or(line).strip_prefix("fn skelobj::")?;
        let path = rest.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).next()?;
        let module = modules.iter().find(|(name, _)| path.split("::").next() == Some(name));
        Some(module.map_or(path.to_owned(), |(_, module)| format!("{module}::{path}")))
    });
    paths.collect()
}

/// Returns the lines of a list: names and what stands after the colon.
fn list(path: &str) -> Vec<(String, String)> {
    let text = read(path);
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split_once(": ").unwrap_or_else(|| panic!("{path}: {line}"))).map(owned).collect()
}

fn owned((name, rest): (&str, &str)) -> (String, String) {
    (name.to_owned(), rest.to_owned())
}

/// Returns the operations of the library with what C has for them, without the marks.
fn pairs() -> Vec<(String, String)> {
    let plain = |rest: String| rest.split(' ').next().unwrap_or_default().to_owned();
    list("capi/in-c.txt").into_iter().map(|(name, rest)| (name, plain(rest))).collect()
}

/// Returns the first paragraphs of the public functions of the library, by the last words of their paths.
fn paragraphs() -> BTreeMap<String, String> {
    let mut found = BTreeMap::<String, String>::new();
    for file in ["src", "crates/model/src"].into_iter().flat_map(|sources| files(&root().join(sources))) {
        let text = std::fs::read_to_string(&file).expect("a source file");
        let (mut owner, mut doc, mut in_attribute) = ("", Vec::new(), false);
        for line in text.lines() {
            if let Some(header) = line.strip_prefix("impl").and_then(|rest| rest.strip_suffix(" {")) {
                let name = header.rsplit_once(" for ").map_or(header, |(_, name)| name);
                let name = name.trim_start_matches(|c: char| c != ' ').trim_start();
                owner = name.split(['<', ' ']).next().unwrap_or_default();
            } else if line.starts_with('}') {
                owner = "";
            }
            let line = line.trim();
            if let Some(words) = line.strip_prefix("///") {
                doc.push(words.trim());
            } else if let Some(rest) = line.strip_prefix("pub fn ").or_else(|| line.strip_prefix("pub const fn ")) {
                let name = rest.split(['(', '<']).next().unwrap_or_default();
                let name = if owner.is_empty() { name.to_owned() } else { format!("{owner}::{name}") };
                let paragraph: Vec<&str> = doc.drain(..).take_while(|words| !words.is_empty()).collect();
                *found.entry(name).or_default() += &paragraph.join(" ");
            } else if !line.starts_with("//") && !line.starts_with("#[") && !in_attribute {
                doc.clear();
            }
            in_attribute = (in_attribute || line.starts_with("#[")) && !line.ends_with(']');
        }
    }
    found
}

/// Returns a mark that changes with either text.
fn mark(rust: &str, c: &str) -> String {
    let bytes = [rust, "\0", c].concat().into_bytes();
    let hash = bytes.iter().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
    format!("{hash:08x}")
}

/// `SKELOBJ_REGENERATE=1 cargo test -p skelobj-capi --test all coverage::` marks all pairs as read.
#[test]
fn texts_of_c_were_read_beside_those_of_rust() {
    let (header, paragraphs, path) = (Header::read(), paragraphs(), "capi/in-c.txt");
    let (mut marked, mut changed, mut count) = (String::new(), String::new(), 0);
    for line in read(path).lines() {
        let (name, rest) = line.split_once(": ").unwrap_or_default();
        let own = rest.split(' ').next().unwrap_or_default();
        let function = header.functions.iter().find(|function| function.name == own && name != "-");
        let Some(function) = function else {
            marked += &format!("{line}\n");
            continue;
        };
        // A type begins with a capital; functions apart have the path of their module.
        let mut words = name.rsplit("::");
        let (method, owner) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let is_method = owner.starts_with(|c: char| c.is_uppercase());
        let key = if is_method { format!("{owner}::{method}") } else { method.to_owned() };
        let rust = paragraphs.get(&key).map_or("", String::as_str);
        assert!(!rust.is_empty() || owner == "ObjectId", "no text of {name} was found");
        let wanted = format!("{name}: {own} {}", mark(rust, &function.comment));
        if line != wanted {
            changed += &format!("{name}: {rust}\n{own}:{}\n\n", function.comment);
        }
        marked += &format!("{wanted}\n");
        count += 1;
    }
    assert!(count > 230, "{count} pairs");
    if std::env::var_os("SKELOBJ_REGENERATE").is_some() {
        std::fs::write(root().join(path), &marked).expect("the list is writable");
        println!("{changed}");
    } else {
        assert!(
            changed.is_empty(),
            "read these texts beside each other, then run with SKELOBJ_REGENERATE=1:\n{changed}"
        );
    }
}

fn fits(pattern: &str, operation: &str) -> bool {
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(end), _) => operation.ends_with(end),
        (_, Some(start)) => operation.starts_with(start),
        _ => operation == pattern,
    }
}

#[test]
fn every_operation_is_in_c_or_on_the_list_of_those_that_are_not() {
    let (operations, reasons) = (operations(), list("capi/not-in-c.txt"));
    let in_c: BTreeMap<String, String> = pairs().into_iter().filter(|(name, _)| name != "-").collect();
    assert!(operations.len() > 350, "{} operations", operations.len());
    for name in in_c.keys() {
        assert!(operations.contains(name), "in-c.txt: the library has no {name}");
    }
    let mut used = BTreeSet::new();
    for operation in operations.iter().filter(|operation| !in_c.contains_key(*operation)) {
        let reason = reasons.iter().find(|(pattern, _)| fits(pattern, operation));
        let Some((pattern, _)) = reason else { panic!("{operation} is neither in in-c.txt nor in not-in-c.txt") };
        used.insert(pattern);
    }
    for (pattern, reason) in &reasons {
        assert!(used.contains(pattern) && reason.len() > 5, "not-in-c.txt: {pattern} stands for nothing");
    }
}

#[test]
fn every_function_of_c_is_on_the_list() {
    let header = read("include/skelobj.h");
    let code = header.lines().filter(|line| !line.trim_start().starts_with("//"));
    let words: BTreeSet<&str> =
        code.flat_map(|line| line.split(|c: char| !(c.is_alphanumeric() || c == '_'))).collect();
    let named: BTreeSet<String> = pairs().into_iter().map(|(_, name)| name).collect();
    for name in &named {
        assert!(words.contains(name.as_str()), "in-c.txt: the header has no {name}");
    }
    let functions: Vec<&&str> = words.iter().filter(|word| word.starts_with("skelobj_")).collect();
    assert!(functions.len() > 110, "{} functions", functions.len());
    for function in functions {
        assert!(named.contains(*function), "{function} is not in in-c.txt");
    }
}
