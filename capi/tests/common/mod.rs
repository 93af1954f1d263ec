//! Folders, libraries and C compilers for the tests of the C API.

pub mod header;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// Folder of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("capi is in the repository").to_owned()
}

/// Folder for what a test makes.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the target folder is writable");
    folder
}

/// Features of the test, for the libraries: their bits depend on them.
pub fn features() -> Vec<&'static str> {
    let features = [
        ("parallel", cfg!(feature = "parallel")),
        ("physics-parallel", cfg!(feature = "physics-parallel")),
        ("enhanced-determinism", cfg!(feature = "enhanced-determinism")),
    ];
    features.into_iter().filter(|(_, has)| *has).map(|(name, _)| name).collect()
}

/// Builds both libraries and returns their folder.
pub fn libraries() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        // target/tmp is the folder of temporary files.
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target folder");
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--locked", "--quiet", "--lib"]);
        match features()[..] {
            // With a test among the targets, dependencies have the features that `cargo test --workspace` gives them,
            // and are not built again.
            [_, _, _] => cargo.args(["--workspace", "--all-features", "--test", "live"]),
            ref some => cargo.args(["-p", "skelobj-capi", "--features", &some.join(",")]),
        };
        cargo.arg("--target-dir").arg(target).current_dir(root());
        check(&mut cargo);
        target.join("debug")
    })
}

/// Runs a command, which must succeed.
pub fn check(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = || format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}\n{}", text());
    output
}

/// Compilers and their language, with all warnings as errors.
pub const C99: [&str; 3] = ["cc", "-std=c99", "-Wstrict-prototypes"];
pub const C11: [&str; 3] = ["cc", "-std=c11", "-Wstrict-prototypes"];
pub const CPP17: [&str; 3] = ["c++", "-std=c++17", "-xc++"];
const WARNINGS: [&str; 8] = [
    "-Wall",
    "-Wextra",
    "-Wconversion",
    "-Wredundant-decls",
    "-Wshadow",
    "-pedantic",
    "-Werror",
    "-Wno-unused-function",
];

/// Compiler with the header and all warnings.
pub fn compiler(language: &[&str]) -> Command {
    let mut compiler = Command::new(language[0]);
    compiler.args(&language[1..]).args(WARNINGS).arg("-g").arg("-I").arg(root().join("include"));
    compiler
}

/// Libraries of the system that a static library of Rust needs.
pub const SYSTEM: [&str; 3] = ["-lpthread", "-ldl", "-lm"];

/// Compiles a C file against the static library.
pub fn link_static(language: &[&str], source: &Path, program: &Path) {
    let mut compiler = compiler(language);
    compiler.arg(source).args(["-xnone"]).arg(libraries().join("libskelobj.a")).args(SYSTEM);
    check(compiler.arg("-o").arg(program));
}

/// Installs header and libraries and returns the prefix.
pub fn installed() -> &'static Path {
    static PREFIX: OnceLock<PathBuf> = OnceLock::new();
    PREFIX.get_or_init(|| {
        let prefix = folder("prefix");
        check(Command::new(root().join("capi/install.sh")).arg(&prefix).arg(libraries()));
        prefix
    })
}

/// Compiles a C file against the installed shared library.
pub fn link_shared(language: &[&str], source: &Path, program: &Path) {
    let (mut compiler, folder) = (compiler(language), installed().join("lib"));
    compiler.arg(source).args(["-xnone"]).arg("-L").arg(&folder).arg("-lskelobj").arg("-lm");
    check(compiler.arg(format!("-Wl,-rpath,{}", folder.display())).arg("-o").arg(program));
}

/// Program under valgrind, which finds leaks and invalid accesses.
pub fn valgrind(program: &Path) -> Command {
    let mut command = Command::new("valgrind");
    command.args(["-q", "--error-exitcode=99", "--leak-check=full", "--errors-for-leak-kinds=definite,indirect"]);
    command.arg(program);
    command
}

/// Returns `true` if valgrind is installed.
pub fn has_valgrind() -> bool {
    Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success())
}
