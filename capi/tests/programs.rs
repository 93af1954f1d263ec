//! C programs against the static library, as C and as C++, under valgrind where it is installed.

use std::path::PathBuf;
use std::process::Command;

use crate::common::{C11, CPP17, check, folder, has_valgrind, link_shared, link_static, program, root, watched};

/// Compiles and runs a program of `tests/c`; returns the number of its calls.
fn run(name: &str, language: &[&str], shared: bool) -> usize {
    let source = root().join("capi/tests/c").join(format!("{name}.c"));
    let kind = if shared { "shared" } else { "static" };
    let host: PathBuf = folder(&format!("{name}-{}-{kind}", language[0])).join(name);
    if shared {
        link_shared(language, &source, &host)
    } else {
        link_static(language, &source, &host)
    };
    let is_watched = !shared && language == C11;
    let mut command = if is_watched { watched(&host) } else { program(&host) };
    let output = check(command.arg(root().join("dolls")));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let (calls, rest) = text.trim().split_once(" calls, ").expect("a summary");
    assert_eq!(rest, "0 failures");
    calls.parse().expect("a number")
}

#[test]
fn a_host_uses_everything_from_c() {
    assert!(run("basic", &C11, false) > 150);
    assert!(run("basic", &C11, true) > 150);
}

#[test]
fn a_host_uses_everything_from_cpp() {
    assert!(run("basic", &CPP17, false) > 150);
}

#[test]
fn hostile_calls_are_refused_and_nothing_breaks() {
    let calls = run("hostile", &C11, false);
    assert!(calls >= 120, "{calls} hostile calls");
}

/// Worlds, models, failures: what the header allows at the same time.
#[test]
fn calls_run_beside_each_other_as_the_header_says() {
    assert!(run("threads", &C11, true) > 30);
}

/// Threads share a model and a doll, which do not change, and the table of ids. A world is guarded by atomic numbers,
/// which helgrind does not take for a lock, and so are the threads of the physics.
#[test]
fn threads_share_nothing_that_is_not_guarded() {
    if !has_valgrind() {
        println!("SKIPPED: helgrind is not installed, or the programs are for another machine");
        return;
    }
    let sources = root().join("capi/tests/c");
    let threads = folder("races").join("threads");
    link_static(&C11, &sources.join("threads.c"), &threads);
    let mut helgrind = Command::new("valgrind");
    helgrind.args(["-q", "--tool=helgrind", "--error-exitcode=99"]);
    helgrind.arg(format!("--suppressions={}", sources.join("helgrind.supp").display()));
    helgrind.arg(&threads).arg(root().join("dolls")).arg("models");
    let text = String::from_utf8(check(&mut helgrind).stdout).expect("UTF-8");
    assert!(text.contains(" calls, 0 failures"), "{text}");
}

/// Returns the blocks of C in a chapter of the guide; those of QuakeC do not call the library.
fn blocks(chapter: &str) -> Vec<String> {
    let page =
        std::fs::read_to_string(root().join(format!("docs/guide/{chapter}.md"))).expect("a chapter of the guide");
    let blocks = page.split("```c\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.filter(|block| block.contains("skelobj_")).map(str::to_owned).collect()
}

/// Compiles a program of the guide without a warning, runs it beside `dolls`, and returns what it prints.
fn guide(name: &str, code: &str) -> String {
    let folder = folder(name);
    let (source, host) = (folder.join("host.c"), folder.join("host"));
    std::fs::write(&source, code).expect("the target folder is writable");
    link_static(&C11, &source, &host);
    String::from_utf8(check(program(&host).current_dir(root())).stdout).expect("UTF-8")
}

#[test]
fn the_program_of_the_guide_runs() {
    let text = guide("guide", &blocks("c").concat());
    assert!(text.contains("bodies"), "{text}");
}

#[test]
fn the_c_of_other_chapters_runs_and_leaves_nothing_behind() {
    let mut code = blocks("c").remove(0);
    let mut calls = String::new();
    for chapter in
        ["frame-loop", "levels-and-doors", "saving", "dolls-and-death", "traces-and-hits", "networking", "attachments"]
    {
        let of_it = blocks(chapter).concat();
        let functions = of_it.lines().filter_map(|line| line.strip_prefix("static void ")?.split_once('('));
        let before = calls.len();
        for (function, _) in functions {
            calls += &format!(
                "  {{\n    SkelobjModel model;\n    SkelobjObject object;\n    SkelobjWorld world = make_world(&model, \
                 &object);\n    {function}(world, model, object);\n    must(skelobj_world_free(world));\n    \
                 must(skelobj_model_free(model));\n    puts(\"{function}\");\n  }}\n"
            );
        }
        assert!(calls.len() > before, "{chapter} has no function in C");
        code += &of_it;
    }
    let left = "  for (kind = 1; kind <= 7; ++kind) assert(skelobj_live_count(kind) == 0);\n  return 0;\n";
    code += &format!("int main(void) {{\n  int kind;\n{calls}{left}}}\n");
    assert_eq!(guide("guide-chapters", &code).lines().count(), 8);
}
