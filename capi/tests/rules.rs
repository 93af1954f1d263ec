//! Every function of the header falls under its rules of threads, ownership, pointers and units.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::root;

/// Function of the header.
pub struct Function {
    pub name: String,
    result: String,
    /// Type and name of each parameter.
    pub parameters: Vec<(String, String)>,
    pub comment: String,
}

/// Header, read apart.
pub struct Header {
    text: String,
    pub functions: Vec<Function>,
    /// Structs with pointers in them.
    with_pointers: BTreeSet<String>,
}

/// Kinds of ids that the host owns, and those that belong to a world.
const OWNED: [&str; 7] = ["World", "Model", "Doll", "Player", "Level", "Snapshot", "Receiver"];
const OF_A_WORLD: [(&str, &str); 3] = [
    ("Object", "skelobj_object_delete"),
    ("LevelBody", "skelobj_level_body_remove"),
    ("Water", "skelobj_water_remove"),
];

fn words(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect()
}

impl Header {
    pub fn read() -> Self {
        let text = std::fs::read_to_string(root().join("include/skelobj.h")).expect("the header");
        let (mut functions, mut comment, mut code) = (Vec::new(), String::new(), String::new());
        let start = text.find("extern \"C\" {").expect("functions");
        for line in text[start..].lines().skip(1) {
            if let Some(rest) = line.strip_prefix("///") {
                comment += rest;
            } else if line.is_empty() || line.starts_with(['#', '}', '/']) {
                comment.clear();
            } else {
                code += " ";
                code += line.trim();
                if code.ends_with(");") {
                    functions.push(function(&std::mem::take(&mut code), &std::mem::take(&mut comment)));
                }
            }
        }
        let (mut with_pointers, mut has_pointer) = (BTreeSet::new(), false);
        for line in text[..start].lines() {
            if line == "typedef struct {" {
                has_pointer = false;
            } else if let Some(name) = line.strip_prefix("} ").and_then(|rest| rest.strip_suffix(';')) {
                if has_pointer {
                    with_pointers.insert(name.to_owned());
                }
            } else if !line.trim_start().starts_with("//") {
                has_pointer |= line.contains('*') || with_pointers.iter().any(|name| words(line).contains(&**name));
            }
        }
        Self { text, functions, with_pointers }
    }

    /// Returns the lines of a section of the rules at the top, without their comment signs.
    fn section(&self, title: &str) -> String {
        let lines = self.text.lines().skip_while(|line| !line.starts_with(&format!("// {title}"))).skip(1);
        let rules = lines.take_while(|line| line.starts_with("// -") || line.starts_with("//   "));
        rules.map(|line| line.trim_start_matches(['/', ' '])).collect::<Vec<_>>().join(" ")
    }
}

fn function(code: &str, comment: &str) -> Function {
    let code = code.trim_start_matches(" SKELOBJ_NODISCARD").trim_start_matches(" SKELOBJ_API");
    let (before, parameters) = code.split_once('(').expect("parameters");
    let name = before.rsplit([' ', '*']).next().unwrap_or_default().to_owned();
    let result = before[..before.len() - name.len()].trim().to_owned();
    let parameters =
        parameters.trim_end_matches(");").split(',').map(str::trim).filter(|parameter| *parameter != "void");
    let apart = |parameter: &str| {
        let bare = parameter.split('[').next().unwrap_or_default();
        let name = bare.rsplit([' ', '*']).next().unwrap_or_default();
        let kind = parameter[..bare.len() - name.len()].trim();
        (if bare.len() < parameter.len() { format!("{kind} *") } else { kind.to_owned() }, name.to_owned())
    };
    Function { name, result, parameters: parameters.map(apart).collect(), comment: comment.to_owned() }
}

fn id_of(kind: &str) -> String {
    format!("Skelobj{kind}")
}

#[test]
fn every_function_falls_under_one_rule_of_threads() {
    let header = Header::read();
    let section = header.section("Threads");
    let own: BTreeSet<&str> = words(&section).into_iter().filter(|word| word.starts_with("skelobj_")).collect();
    let mut counts = BTreeMap::<&str, usize>::new();
    for function in &header.functions {
        let takes = |kind: &str| function.parameters.iter().any(|(own, _)| *own == id_of(kind));
        let others = ["Model", "Doll", "Player", "Level", "Snapshot", "Receiver"];
        let rule = if own.contains(&*function.name) {
            "about its own failures"
        } else if takes("World") {
            "with a SkelobjWorld"
        } else if others.into_iter().any(takes) {
            "on a model, doll, player, level, snapshot or receiver"
        } else {
            // Ids of what belongs to a world are of no use without the world, but for their number.
            let of_a_world = OF_A_WORLD.into_iter().any(|(kind, _)| takes(kind));
            assert!(!of_a_world || function.name == "skelobj_object_number", "{} takes no world", function.name);
            "without an id"
        };
        *counts.entry(rule).or_default() += 1;
    }
    for rule in counts.keys().filter(|rule| **rule != "about its own failures") {
        assert!(section.contains(&format!("A call {rule}")), "no rule for calls {rule}");
    }
    assert_eq!((counts.len(), counts["about its own failures"]), (4, own.len()));
    assert_eq!(counts.values().sum::<usize>(), header.functions.len());
    assert!(header.functions.len() > 180, "{} functions", header.functions.len());
}

#[test]
fn every_function_that_returns_an_id_has_an_owner_for_it() {
    let header = Header::read();
    let section = header.section("Ownership");
    let named = words(&section);
    let has = |name: &str| header.functions.iter().any(|function| function.name == name);
    let mut makers = 0;
    for function in &header.functions {
        let owned = OWNED.into_iter().find(|kind| function.result == id_of(kind));
        let of_a_world = OF_A_WORLD.into_iter().find(|(kind, _)| function.result == id_of(kind));
        match (owned, of_a_world) {
            (Some(kind), _) => assert!(has(&format!("skelobj_{}_free", kind.to_lowercase())), "{}", function.name),
            (_, Some((_, removal))) => {
                assert!(has(removal) && named.contains(removal), "{}", function.name);
                let finds = named.contains(&*function.name);
                assert!(finds || function.parameters[0].0 == "SkelobjWorld", "{} makes nothing", function.name);
            }
            _ => continue,
        }
        makers += 1;
    }
    assert!(makers > 20, "{makers} functions");
    for name in named.into_iter().filter(|name| name.starts_with("skelobj_") && !name.contains("NOUN")) {
        assert!(has(name), "the rules name {name}");
    }
}

#[test]
fn every_function_that_keeps_or_gives_a_pointer_says_so() {
    let header = Header::read();
    let section = header.section("Pointers");
    let named = words(&section);
    let mut giving = 0;
    for function in &header.functions {
        // Defs and shapes that a call makes come with null pointers.
        let is_made = function.name.starts_with("skelobj_default_") || function.name.ends_with("_def");
        let returns = function.result.contains('*') || header.with_pointers.contains(&function.result);
        let written = function.parameters.iter().any(|(kind, _)| {
            let target = kind.trim_end_matches(['*', ' ']);
            kind.ends_with('*') && !kind.starts_with("const") && header.with_pointers.contains(target)
        });
        let is_frame = function.result == "SkelobjFrameDef"
            || function.parameters.iter().any(|(kind, _)| kind.starts_with("SkelobjFrameDef"));
        if (returns || written) && !is_made && !is_frame {
            assert!(named.contains(&*function.name), "{} gives a pointer", function.name);
            giving += 1;
        }
        let has_callbacks = function.parameters.iter().any(|(kind, _)| kind.starts_with("const SkelobjWorldDef"));
        assert!(!has_callbacks || named.contains(&*function.name), "{} keeps a pointer", function.name);
    }
    assert_eq!(giving, 3);
}

#[test]
fn every_float_of_a_function_has_a_unit() {
    let header = Header::read();
    let section = header.section("Units");
    let named: BTreeSet<&str> = section.split('`').skip(1).step_by(2).collect();
    let mut floats = 0;
    for function in &header.functions {
        for (kind, name) in &function.parameters {
            if !words(kind).contains("float") && !words(kind).contains("double") {
                continue;
            }
            let is_matrix = name.ends_with("_matrix") || name.ends_with("_turn");
            let own = function.comment.contains(&format!("`{name}`"));
            assert!(named.contains(&**name) || is_matrix || own, "{}: {name} has no unit", function.name);
            floats += 1;
        }
    }
    assert!(floats > 90, "{floats} floats");
}
