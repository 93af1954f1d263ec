//! Sizes of ARCHITECTURE.md: no module has more lines or public items than its row allows, and no row allows much more
//! than its module has.

use super::layers::{Row, exported, module, root, rows, sources};
use std::collections::BTreeMap;
use std::fs;

/// Slack of a row: lines and public items above those of its module.
const SLACK: [usize; 2] = [60, 10];

/// Returns the lines and public items of each module, and of the files without a layer.
fn sizes() -> BTreeMap<String, [usize; 2]> {
    let mut sizes = BTreeMap::<String, [usize; 2]>::new();
    for file in sources() {
        sizes.entry(module(&file)).or_default()[0] += fs::read_to_string(&file).unwrap().lines().count();
    }
    let list = fs::read_to_string(root().join("docs/public-api.txt")).unwrap();
    let items = list.lines().skip(1).take_while(|line| !line.starts_with("# ")).filter(|line| !line.is_empty());
    for item in items {
        let (_, path) = item.split_once("skelobj").expect("every item has a path");
        let name = path.trim_start_matches("::").split(|c: char| !(c.is_alphanumeric() || c == '_')).next();
        let name = name.unwrap_or_default();
        // What no module has is the crate itself, or another crate under its name.
        let module =
            [Some(name.to_owned()), exported(name)].into_iter().flatten().find(|name| sizes.contains_key(name));
        sizes.get_mut(module.as_deref().unwrap_or("lib")).unwrap()[1] += 1;
    }
    sizes
}

/// Returns what is wrong with a row, if its module has these sizes.
fn fault(row: &Row, size: [usize; 2]) -> Option<String> {
    let parts = [("lines", 0), ("public items", 1)].map(|(what, at)| (what, row.limits[at], size[at], SLACK[at]));
    let wrong = parts.iter().find(|(_, limit, size, slack)| size > limit || size + slack < *limit)?;
    let (what, limit, size, _) = wrong;
    Some(format!("{}: {size} {what}, and ARCHITECTURE.md says {limit}", row.modules))
}

#[test]
fn every_module_keeps_the_size_of_its_row() {
    let sizes = sizes();
    let faults: Vec<String> = rows()
        .iter()
        .filter_map(|row| {
            let modules = sizes.iter().filter(|(module, _)| row.holds(module));
            fault(row, modules.fold([0, 0], |sum, (_, size)| [sum[0] + size[0], sum[1] + size[1]]))
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_row_fails_above_its_figures_and_far_below_them() {
    let row = Row { modules: "`pose`".to_owned(), layer: Some(4), limits: [7000, 400] };
    let holds = |size| fault(&row, size).is_none();
    assert_eq!([[7000, 400], [6940, 390]].map(holds), [true; 2]);
    assert_eq!([[7001, 400], [7000, 401], [6939, 400], [7000, 389]].map(holds), [false; 4]);
    assert_eq!(fault(&row, [7001, 1]).unwrap(), "`pose`: 7001 lines, and ARCHITECTURE.md says 7000");
}
