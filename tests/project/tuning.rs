//! Constants of `ragdoll` and `physics`: each in its room's table, with the value of the code.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::project::layers::{root, rust_files};

/// Folders whose constants describe file formats and the cost of reading them.
const READERS: [&str; 1] = ["physics/water"];

/// Returns the constants of a source text, with their types and values.
fn constants(text: &str) -> Vec<(String, String, String)> {
    let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code = code.join(" ");
    let parts = code.split("const ").skip(1).filter_map(|part| {
        let (head, rest) = part.split_once('=')?;
        let (name, kind) = head.split_once(':')?;
        let is_name = name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
        let value = rest.split(';').next()?;
        is_name.then(|| (name.to_owned(), kind.trim().to_owned(), value.trim().to_owned()))
    });
    parts.collect()
}

/// Returns the numbers in a text, in order.
fn numbers(text: &str) -> Vec<f64> {
    let text = text.replace("..=", " ").replace('_', "");
    let words = text.split(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | 'e')));
    words.filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn tables_of_constants_have_the_values_of_the_code() {
    for room in ["ragdoll", "physics"] {
        let text = fs::read_to_string(root().join("src").join(room).join("tuning.rs")).unwrap();
        let mut rows = BTreeMap::new();
        for row in text.lines().filter_map(|line| line.strip_prefix("//! | [`")) {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            let name = cells[0].trim_end_matches("`]");
            assert_eq!(cells.len(), 8, "{room}: {name}");
            assert!(cells[1..3].iter().all(|cell| !cell.is_empty()), "{room}: {name} has a unit and a value");
            assert!(rows.insert(name.to_owned(), cells[2].to_owned()).is_none(), "{room}: {name} has two rows");
        }
        let constants = constants(&text);
        assert!(constants.len() > 40, "{room}: {} constants", constants.len());
        for (name, _, value) in constants {
            let row = rows.remove(&name).unwrap_or_else(|| panic!("{room}: {name} has no row"));
            // A value that depends on another constant is computed.
            if !value.contains("_TIME") {
                assert_eq!(numbers(&row), numbers(&value), "{room}: {name}");
            }
        }
        assert!(rows.is_empty(), "{room}: rows without a constant: {rows:?}");
    }
}

#[test]
fn numbers_that_tune_are_in_no_other_file() {
    let source = root().join("src");
    for room in ["ragdoll", "physics"] {
        let mut files = Vec::new();
        rust_files(&source.join(room), &mut files);
        for file in files.iter().filter(|file| !file.ends_with("tuning.rs")) {
            let inside: &Path = file.strip_prefix(&source).unwrap();
            if READERS.iter().any(|folder| inside.starts_with(folder)) {
                continue;
            }
            // Associated constants are the interface.
            let text = fs::read_to_string(file).unwrap().replace("    pub const ", "    pub ");
            let text = text.replace("    pub(crate) const ", "    pub(crate) ");
            let tuned = |kind: &str| ["f32", "u32", "u64", "usize"].iter().any(|number| kind.starts_with(number));
            let stray: Vec<_> = constants(&text).into_iter().filter(|(_, kind, _)| tuned(kind)).collect();
            assert!(stray.is_empty(), "{}: {stray:?}", inside.display());
        }
    }
}
