//! Every public operation of the library is in the C API, or on the list of those that deliberately are not.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::root;

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
    let in_c: BTreeMap<String, String> = list("capi/in-c.txt").into_iter().filter(|(name, _)| name != "-").collect();
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
    let named: BTreeSet<String> = list("capi/in-c.txt").into_iter().map(|(_, name)| name).collect();
    for name in &named {
        assert!(words.contains(name.as_str()), "in-c.txt: the header has no {name}");
    }
    let functions: Vec<&&str> = words.iter().filter(|word| word.starts_with("skelobj_")).collect();
    assert!(functions.len() > 110, "{} functions", functions.len());
    for function in functions {
        assert!(named.contains(*function), "{function} is not in in-c.txt");
    }
}
