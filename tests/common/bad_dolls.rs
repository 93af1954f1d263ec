//! Reports of the dolls in `tests/dolls/bad`.

use std::path::Path;

use super::files;

/// Checks each `tests/dolls/bad/*.doll` whose name is `chosen`, and compares the problems with the report beside it.
/// With SKELOBJ_REGENERATE, writes the reports instead. Returns the number of dolls.
pub fn bad_dolls(
    chosen: impl Fn(&str) -> bool,
    check: impl Fn(&str, &[u8]) -> Vec<skelobj::doll::DollProblem>,
) -> usize {
    let mut dolls = 0;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dolls/bad");
    for file in files(&folder).into_iter().filter(|f| f.extension().is_some_and(|e| e == "doll")) {
        let name = file.file_name().unwrap().to_str().unwrap();
        if !chosen(name) {
            continue;
        }
        let text = std::fs::read(&file).unwrap();
        let problems = check(name, &text);
        assert!(!problems.is_empty(), "{name} is not bad");
        let report: String =
            problems.iter().map(|p| p.report(name, &skelobj::doll::decode(&text)).to_string()).collect();
        let expected = file.with_extension("expected");
        if std::env::var_os("SKELOBJ_REGENERATE").is_some() {
            std::fs::write(&expected, &report).unwrap();
        } else {
            assert_eq!(report, std::fs::read_to_string(&expected).unwrap_or_default(), "{name}");
        }
        dolls += 1;
    }
    dolls
}
