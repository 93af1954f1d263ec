//! Layers of ARCHITECTURE.md: no module uses a module on its own layer or above.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A row of the table of modules in ARCHITECTURE.md.
pub struct Row {
    /// Empty in the last row, which is the sum.
    pub layer: Option<usize>,
    pub modules: String,
    /// Lines and public items.
    pub limits: [usize; 2],
}

impl Row {
    pub fn holds(&self, module: &str) -> bool {
        self.modules == "sum" || self.names().any(|name| name == module)
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.modules.split('`').map(str::trim).filter(|name| !name.is_empty())
    }
}

/// Returns the rows of the table of modules.
pub fn rows() -> Vec<Row> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let rows = text.lines().filter_map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let &[_, layer, modules, lines, items, ..] = cells.as_slice() else { return None };
        let limits = [lines, items].map(|figure| figure.replace(',', "").parse());
        let [Ok(lines), Ok(items)] = limits else { return None };
        Some(Row { layer: layer.parse().ok(), modules: modules.to_owned(), limits: [lines, items] })
    });
    rows.collect()
}

/// Returns the layer of every module, as in the table of ARCHITECTURE.md.
fn layers() -> BTreeMap<String, usize> {
    let rows = rows().into_iter().filter_map(|row| Some((row.layer?, row)));
    rows.flat_map(|(layer, row)| row.names().map(|name| (name.to_owned(), layer)).collect::<Vec<_>>()).collect()
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub fn rust_files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, out);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            out.push(path);
        }
    }
}

/// Sources of the crates that have the modules.
const CRATES: [&str; 2] = ["src", "crates/model/src"];

/// Files without a layer: `lib.rs` names all modules of its crate, `guide.rs` holds doc tests, `internal.rs` what one
/// crate needs of the other.
const ABOVE: [&str; 3] = ["lib", "guide", "internal"];

/// Returns the files of all modules.
pub fn sources() -> Vec<PathBuf> {
    let mut files = Vec::new();
    CRATES.iter().for_each(|sources| rust_files(&root().join(sources), &mut files));
    files
}

/// The module of a source file.
pub fn module(file: &Path) -> String {
    let inside = CRATES.iter().find_map(|sources| file.strip_prefix(root().join(sources)).ok()).unwrap();
    let first = inside.components().next().unwrap().as_os_str().to_str().unwrap();
    first.trim_end_matches(".rs").to_owned()
}

/// Returns the code of the crates' `lib.rs`.
fn libraries() -> String {
    CRATES.map(|sources| code(&fs::read_to_string(root().join(sources).join("lib.rs")).unwrap())).join("\n")
}

/// Returns a source text without comments and documentation, whose links may lead anywhere.
fn code(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.map(|line| line.split(" // ").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// Start of the names of modules in this crate and in the crate of models.
const MODULES: [&str; 2] = ["crate::", "skelobj_model::"];

/// Returns the first words of all names in a text that begin with one of `starts`.
fn uses(code: &str, starts: &[&str]) -> Vec<String> {
    let mut modules = Vec::new();
    let starts = starts.iter().flat_map(|start| code.match_indices(start));
    for (at, start) in starts {
        let rest = &code[at + start.len()..];
        let names: Vec<&str> = match rest.strip_prefix('{') {
            // The first words of a group; deeper groups belong to one of them.
            Some(group) => {
                let mut open = 1;
                let end = group.find(|c: char| {
                    open += i32::from(c == '{') - i32::from(c == '}');
                    open == 0
                });
                let (group, mut depth) = (&group[..end.unwrap_or(group.len())], 0);
                let parts = group.split(|c: char| {
                    depth += i32::from(c == '{') - i32::from(c == '}');
                    c == ',' && depth == 0
                });
                parts.collect()
            }
            None => vec![rest],
        };
        for name in names {
            let word = name.trim().split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
            modules.push(word.to_owned());
        }
    }
    modules
}

/// Returns the module of a name that its crate exports.
pub fn exported(name: &str) -> Option<String> {
    let libraries = libraries();
    let line = libraries.lines().find(|line| {
        let words = line.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        line.trim_start().starts_with("pub use ") && words.into_iter().any(|word| word == name)
    })?;
    line.trim_start().strip_prefix("pub use ")?.split("::").next().map(str::to_owned)
}

#[test]
fn every_import_runs_down() {
    let (layers, files) = (layers(), sources());
    let (mut imports, mut wrong) = (0, Vec::new());
    for file in files.iter().filter(|file| !ABOVE.contains(&module(file).as_str())) {
        let (module, text) = (module(file), code(&fs::read_to_string(file).unwrap()));
        let Some(layer) = layers.get(&module) else { panic!("{module} has no layer in ARCHITECTURE.md") };
        for used in uses(&text, &MODULES) {
            let used = if layers.contains_key(&used) { Some(used) } else { exported(&used) };
            let Some(used) = used.filter(|used| *used != module) else { continue };
            imports += 1;
            if layers.get(&used).is_none_or(|below| below >= layer) {
                wrong.push(format!("{} uses {used}", file.strip_prefix(root()).unwrap().display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(imports > 300, "only {imports} imports were found");
}

#[test]
fn no_files_of_a_folder_import_each_other_in_a_cycle() {
    let mut imports = BTreeMap::new();
    let is_node = |file: &Path| !["mod", "lib", "table"].iter().any(|name| file.file_stem().unwrap() == *name);
    for file in sources().into_iter().filter(|file| is_node(file)) {
        let text = code(&fs::read_to_string(&file).unwrap()).replace("super::super::", "");
        let used: Vec<PathBuf> = uses(&text, &["super::"])
            .into_iter()
            .map(|word| file.with_file_name(format!("{word}.rs")))
            .filter(|used| used.exists())
            .collect();
        imports.insert(file, used);
    }
    assert!(imports.values().map(Vec::len).sum::<usize>() > 300, "too few imports were found");
    // A file leaves once all that it imports have left.
    while let Some(file) = imports.iter().find(|(_, used)| used.iter().all(|used| !imports.contains_key(used))) {
        let file = file.0.clone();
        imports.remove(&file);
    }
    assert!(imports.is_empty(), "in a cycle, or above one: {:?}", imports.keys().collect::<Vec<_>>());
}

#[test]
fn the_table_of_layers_has_every_module_once() {
    let libraries = libraries();
    let modules = libraries.lines().filter_map(|line| {
        let line = line.trim();
        line.strip_prefix("pub mod ").or(line.strip_prefix("mod "))?.strip_suffix(';')
    });
    let mut modules: Vec<&str> = modules.filter(|module| !ABOVE.contains(module)).collect();
    modules.sort_unstable();
    assert_eq!(layers().keys().map(String::as_str).collect::<Vec<_>>(), modules);
}

#[test]
fn the_crate_of_models_needs_neither_rapier_nor_slotmap_nor_nom() {
    let manifest = fs::read_to_string(root().join("crates/model/Cargo.toml")).unwrap();
    let (needed, _) = manifest.split_once("[dev-dependencies]").unwrap();
    let needs = |name| needed.lines().any(|line| line.split(' ').next() == Some(name));
    assert!(needs("glam"));
    assert!(["rapier3d", "slotmap", "nom", "skelobj"].iter().all(|name| !needs(name)));
}

#[test]
fn the_vm_does_not_depend_on_this_crate() {
    let mut files = Vec::new();
    rust_files(&root().join("qcvm"), &mut files);
    assert!(files.len() > 15);
    for file in files {
        assert!(!code(&fs::read_to_string(&file).unwrap()).contains("skelobj::"), "{}", file.display());
    }
    let manifest = fs::read_to_string(root().join("qcvm/Cargo.toml")).unwrap();
    let dependencies = manifest.lines().filter(|line| line.starts_with("skelobj"));
    assert_eq!(dependencies.count(), 0);
}

#[test]
fn an_upward_import_is_detected() {
    let code = code(
        "use crate::{math::Mat3x4, runtime::{Runtime, ObjectId}, Doll};\nlet [x, y] = [crate::qc::TABLE, {}]; // crate::no\n\
         use skelobj_model::level::Level;\n/// [`crate::no`]",
    );
    assert_eq!(uses(&code, &MODULES), ["math", "runtime", "Doll", "qc", "level"]);
    assert_eq!((exported("Doll"), exported("DropTest")), (Some("doll".to_owned()), Some("ragdoll".to_owned())));
}
