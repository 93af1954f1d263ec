//! The page `docs/dolls.md`, held against the parser's own list of directives.

use std::collections::BTreeSet;

use skelobj::doll::{DirectiveScope, Doll, JointKind, Shape, directives, lint};
use skelobj::{Model, assets};

const PAGE: &str = include_str!("../../docs/dolls.md");

/// Section of the page about one line or attribute, or about a few of a kind.
struct Entry {
    scope: DirectiveScope,
    usages: Vec<&'static str>,
    text: &'static str,
}

impl Entry {
    fn words(&self) -> impl Iterator<Item = &'static str> {
        self.usages.iter().filter_map(|usage| usage.split(' ').next())
    }

    /// Returns the lines that the entry calls defaults; `None` if it does not mention any.
    fn defaults(&self) -> Option<Vec<&'static str>> {
        let line = self.text.lines().find_map(|line| line.strip_prefix("Default: "))?;
        Some(if line.starts_with('`') { quoted(line) } else { Vec::new() })
    }
}

/// Returns what stands between back quotes.
fn quoted(line: &str) -> Vec<&str> {
    line.split('`').skip(1).step_by(2).collect()
}

fn entries() -> Vec<Entry> {
    let sections = PAGE.split("\n## ").filter_map(|section| {
        let scope = match section.lines().next()? {
            "Lines" => DirectiveScope::File,
            "Attributes of bodies" => DirectiveScope::Body,
            "Attributes of joints" => DirectiveScope::Joint,
            _ => return None,
        };
        Some((scope, section))
    });
    let entry = |scope, entry: &'static str| {
        let (heading, text) = entry.split_once('\n').unwrap();
        Entry { scope, usages: quoted(heading), text }
    };
    sections.flat_map(|(scope, section)| section.split("\n### ").skip(1).map(move |text| entry(scope, text))).collect()
}

/// Returns the examples in a part of the page.
fn examples(text: &'static str) -> Vec<&'static str> {
    text.split("```doll\n").skip(1).map(|rest| rest.split_once("```").unwrap().0).collect()
}

fn mannequin() -> Model {
    Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None).unwrap()
}

#[test]
fn every_directive_has_one_entry_in_its_section() {
    let entries = entries();
    let on_page: Vec<_> = entries.iter().flat_map(|e| e.usages.iter().map(|usage| (e.scope, *usage))).collect();
    let distinct: BTreeSet<_> = on_page.iter().copied().collect();
    let known: BTreeSet<_> = directives().map(|directive| (directive.scope, directive.usage)).collect();
    assert_eq!(distinct.difference(&known).collect::<Vec<_>>(), Vec::<&(DirectiveScope, &str)>::new());
    assert_eq!(known.difference(&distinct).collect::<Vec<_>>(), Vec::<&(DirectiveScope, &str)>::new());
    assert_eq!(on_page.len(), distinct.len(), "an entry stands twice");
}

#[test]
fn every_shape_and_type_has_a_row() {
    let words = Shape::ALL.map(Shape::word).into_iter().chain(JointKind::ALL.map(JointKind::word));
    for word in words {
        assert_eq!(PAGE.matches(&format!("\n| `{word}` | ")).count(), 1, "{word}");
    }
}

#[test]
fn the_defaults_on_the_page_are_those_of_the_parser() {
    for entry in entries() {
        let before = match entry.scope {
            DirectiveScope::Body => "body a head\n",
            DirectiveScope::Joint => "body a head\nbody b neck\njoint j a b\ntype cone\n",
            _ => "body a head\n",
        };
        let is_attribute = entry.scope != DirectiveScope::File || entry.usages[0].starts_with("refpose");
        let Some(defaults) = entry.defaults() else {
            assert!(!is_attribute, "{:?}: no default", entry.usages);
            continue;
        };
        assert!(is_attribute && (defaults.is_empty() || defaults.len() == entry.usages.len()), "{:?}", entry.usages);
        for (word, default) in entry.words().zip(defaults) {
            assert_eq!(default.split(' ').next(), Some(word));
            let stated = Doll::parse(format!("{before}{default}\n").as_bytes());
            assert!(stated.problems.is_empty(), "{default}: {:?}", stated.problems);
            assert_eq!(stated.doll, Doll::parse(before.as_bytes()).doll, "{default} is no default");
        }
    }
}

/// Every example is read after the first one, on the mannequin. Bodies without a joint are allowed, because the rest of
/// the doll is left out.
#[test]
fn the_examples_have_no_problems() {
    let model = mannequin();
    let examples = examples(PAGE);
    let (first, others) = examples.split_first().unwrap();
    assert_eq!(lint(first.as_bytes(), Some(&model)), []);
    for example in others {
        let text = format!("{first}{example}");
        let mut problems = lint(text.as_bytes(), Some(&model));
        problems.retain(|problem| problem.code() != "never-jointed");
        let reports: Vec<String> = problems.iter().map(|p| p.report("example", &text).to_string()).collect();
        assert!(reports.is_empty(), "{}", reports.concat());
    }
}

#[test]
fn every_entry_has_an_example_with_one_of_its_words() {
    for entry in entries() {
        let used = examples(entry.text).concat().to_ascii_lowercase();
        let mut first_words = used.lines().filter_map(|line| line.split_whitespace().next());
        let shown = entry.words().any(|word| first_words.any(|first| first == word.to_ascii_lowercase()));
        assert!(shown, "{:?}", entry.usages);
    }
}
