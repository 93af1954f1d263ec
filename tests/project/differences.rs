//! docs/fte-differences.md: its entries have tests, and what cites an entry by number finds it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Folders and files whose texts may cite entries.
const SOURCES: [&str; 10] =
    ["src", "crates", "qcvm", "cli", "tests", "examples", "docs", "include", "README.md", "ARCHITECTURE.md"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn collect(path: &Path, out: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            collect(&entry.unwrap().path(), out);
        }
    } else if path.extension().is_some_and(|extension| ["rs", "md", "qc", "sh"].iter().any(|text| extension == *text)) {
        out.push(path.to_owned());
    }
}

/// Every text that may cite an entry, with its name.
fn sources() -> Vec<(String, String)> {
    let mut files = Vec::new();
    for source in SOURCES {
        collect(&root().join(source), &mut files);
    }
    assert!(files.len() > 300, "{}", files.len());
    let read = |file: PathBuf| {
        let name = file.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
        (name, fs::read_to_string(&file).unwrap())
    };
    files.into_iter().map(read).collect()
}

fn document() -> String {
    fs::read_to_string(root().join("docs/fte-differences.md")).unwrap()
}

/// The number of an entry that a line of the document begins: a heading or a row of the table.
fn entry_number(line: &str) -> Option<u32> {
    let (number, _) = match line.strip_prefix("### ") {
        Some(heading) => heading.split_once(". ")?,
        None => line.strip_prefix("| ")?.split_once(" | ")?,
    };
    number.parse().ok()
}

/// The entries of a text, each number with its own text, in order.
fn entries(text: &str) -> Vec<(u32, String)> {
    let mut entries: Vec<(u32, String)> = Vec::new();
    let mut open = false;
    let mut shared = false;
    for line in text.lines() {
        if let Some(section) = line.strip_prefix("## ") {
            (open, shared) = (false, section.starts_with("Same as FTE"));
        }
        // A table inside an entry may begin its rows with numbers, too.
        if let Some(number) = entry_number(line).filter(|_| shared || line.starts_with('#')) {
            entries.push((number, String::new()));
            open = true;
        }
        if let Some((_, own)) = entries.last_mut().filter(|_| open) {
            own.push_str(line);
            own.push('\n');
        }
    }
    entries
}

/// The tests that a text names as `FILE.rs: FUNCTION`.
fn named_tests(text: &str) -> Vec<(&str, &str)> {
    let spans = text.split('`').skip(1).step_by(2);
    spans.filter_map(|span| span.split_once(": ")).filter(|(file, _)| file.ends_with(".rs")).collect()
}

/// Looks for a test function of this name in a source.
fn has_test(source: &str, name: &str) -> bool {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let is_function = |line: &str| line.strip_prefix("fn ").is_some_and(|rest| rest.starts_with(&format!("{name}(")));
    lines.iter().enumerate().any(|(at, line)| {
        let attributes = lines[..at].iter().rev().take_while(|line| line.starts_with("#["));
        is_function(line) && attributes.into_iter().any(|attribute| *attribute == "#[test]")
    })
}

/// A text in one line, without what marks comments at the beginning of lines.
fn unwrapped(text: &str) -> String {
    let words = |line: &str| line.trim().trim_start_matches(['/', '!', '#']).trim().to_owned();
    text.lines().map(words).collect::<Vec<_>>().join(" ")
}

/// The numbers that follow a word: one, or a list such as "11, 43 and 48", or a range such as "21 to 41".
fn numbers_after(text: &str, word: &str) -> Vec<u32> {
    let text = text.to_lowercase();
    let mut numbers = Vec::new();
    for (at, found) in text.match_indices(word) {
        let before = text[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let rest = &text[at + found.len()..];
        let mut rest = rest.strip_prefix('s').unwrap_or(rest);
        let mut separators = &[" "][..];
        while let Some(digits) = separators.iter().find_map(|separator| rest.strip_prefix(separator)) {
            let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
            let after = digits[end..].chars().nth(1);
            // Not a decimal fraction.
            let Some(number) = digits[..end]
                .parse()
                .ok()
                .filter(|_| !(digits[end..].starts_with('.') && after.is_some_and(|c| c.is_ascii_digit())))
            else {
                break;
            };
            numbers.push(number);
            rest = &digits[end..];
            separators = &[", ", " and ", " to "];
        }
    }
    numbers
}

#[test]
fn no_entry_has_the_number_of_another() {
    let entries = entries(&document());
    assert!(entries.len() > 70, "{}", entries.len());
    let mut seen = BTreeSet::new();
    for (number, text) in &entries {
        assert!(seen.insert(number), "number {number} twice: {}", text.lines().next().unwrap_or_default());
    }
}

#[test]
fn every_entry_names_a_test_that_exists() {
    let mut files = BTreeMap::new();
    let mut missing = Vec::new();
    for (number, text) in entries(&document()) {
        let tests = named_tests(&text);
        if tests.is_empty() {
            missing.push(format!("{number}: names no test"));
        }
        for (file, function) in tests {
            let source = files
                .entry(file.to_owned())
                .or_insert_with(|| fs::read_to_string(root().join(file)).unwrap_or_default());
            if !has_test(source, function) {
                missing.push(format!("{number}: no test {function} in {file}"));
            }
        }
    }
    assert_eq!(missing, [] as [String; 0]);
}

#[test]
fn every_statement_of_ftes_document_is_held_by_tests_that_exist_and_entries() {
    let known: BTreeSet<u32> = entries(&document()).into_iter().map(|(number, _)| number).collect();
    let table = fs::read_to_string(root().join("tests/qc/fte-document.md")).unwrap();
    let mut wrong = Vec::new();
    let mut rows = BTreeSet::new();
    let mut section = "";
    for line in table.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            section = heading.split_once('.').unwrap().0;
        }
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, row, _, held_by, numbers, _] = cells[..] else { continue };
        if row == "row" || row == "---" {
            continue;
        }
        if row.split_once('.').is_none_or(|(of, _)| of != section) || !rows.insert(row.to_owned()) {
            wrong.push(format!("{row} in section {section}"));
        }
        let tests = named_tests(held_by);
        if tests.is_empty() {
            wrong.push(format!("{row}: names no test"));
        }
        let gone = tests
            .into_iter()
            .filter(|(file, name)| !fs::read_to_string(root().join(file)).is_ok_and(|source| has_test(&source, name)));
        wrong.extend(gone.map(|(file, name)| format!("{row}: no test {name} in {file}")));
        let cited = numbers.split(", ").filter(|number| !number.is_empty());
        wrong.extend(
            cited
                .filter(|number| !number.parse().is_ok_and(|number| known.contains(&number)))
                .map(|number| format!("{row}: no entry {number}")),
        );
    }
    assert_eq!(wrong, [] as [String; 0]);
    assert!(rows.len() > 60, "{}", rows.len());
}

#[test]
fn every_number_that_is_cited_is_an_entry() {
    let known: BTreeSet<u32> = entries(&document()).into_iter().map(|(number, _)| number).collect();
    let mut unknown = Vec::new();
    let mut cited = 0;
    for (file, text) in sources() {
        // The texts of this test itself are not citations.
        if file == "tests/project/differences.rs" {
            continue;
        }
        let numbers = numbers_after(&unwrapped(&text), "difference");
        cited += numbers.len();
        unknown
            .extend(numbers.into_iter().filter(|number| !known.contains(number)).map(|number| (file.clone(), number)));
        // Tests are named after the entries that they hold.
        if file.starts_with("tests/qc/fte_quirks") {
            let tests = text.lines().filter_map(|line| line.strip_prefix("fn r")?.split_once('_')?.0.parse().ok());
            unknown.extend(tests.filter(|number: &u32| !known.contains(number)).map(|number| (file.clone(), number)));
        }
    }
    assert_eq!(unknown, []);
    assert!(cited > 0);
}

#[test]
fn no_text_cites_the_notes_that_the_document_replaces() {
    let cited = sources().into_iter().map(|(file, text)| (file, numbers_after(&unwrapped(&text), "ruling")));
    let cited: Vec<_> = cited.filter(|(_, numbers)| !numbers.is_empty()).collect();
    assert_eq!(cited, [], "write \"difference\" instead");
}

#[test]
fn numbers_are_found_in_any_list() {
    let found = |text: &str| numbers_after(&unwrapped(text), "difference");
    assert_eq!(found("/// (differences 11, 43 and 48). Difference\n    /// 7, 30 to 33; 5"), [11, 43, 48, 7, 30, 33]);
    assert_eq!(found("a difference of 3, difference(4), indifference 5, difference 0.5, difference 6."), [6]);
    assert_eq!(entry_number("### 13. Bones"), Some(13));
    assert_eq!((entry_number("| 5 | text |"), entry_number("| number | text |")), (Some(5), None));
    assert_eq!(entries("## Same as FTE\n| 5 | a |\n## Bones\n| 6 | b |\n### 7. c\n| 8 | d |\n").len(), 2);
    assert!(has_test("#[test]\nfn one() {}\nfn two() {}", "one") && !has_test("fn two() {}", "two"));
    assert_eq!(named_tests("Test: `tests/a.rs: b`, `c`"), [("tests/a.rs", "b")]);
}
