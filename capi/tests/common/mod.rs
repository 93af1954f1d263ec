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

/// Target of Rust for which the libraries are built and the C programs are compiled, if it is not this machine.
pub fn other_machine() -> Option<String> {
    std::env::var("SKELOBJ_C_TARGET").ok()
}

/// Returns `true` if the libraries are tested as users get them, optimised.
pub fn is_release() -> bool {
    std::env::var_os("SKELOBJ_C_RELEASE").is_some()
}

/// Builds both libraries and returns their folder.
pub fn libraries() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        // target/tmp is the folder of temporary files.
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target folder");
        let (machine, profile) = (other_machine(), if is_release() { "release" } else { "debug" });
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--locked", "--quiet"]);
        match features()[..] {
            // Without the command, as `.ci/package` builds them.
            [] if profile == "release" => cargo.args(["--release", "-p", "skelobj-capi"]),
            _ if profile == "release" => panic!("users get libraries without features"),
            // With a test among the targets, dependencies have the features that `cargo test --workspace` gives them,
            // and are not built again.
            [_, _, _] => cargo.args(["--workspace", "--all-features", "--lib", "--test", "live"]),
            ref some => cargo.args(["-p", "skelobj-capi", "--lib", "--features", &some.join(",")]),
        };
        if let Some(machine) = &machine {
            cargo.args(["--target", machine]);
        }
        cargo.arg("--target-dir").arg(target).current_dir(root());
        check(&mut cargo);
        target.join(machine.unwrap_or_default()).join(profile)
    })
}

/// Returns a compiler or another tool, for the machine of the libraries.
fn tool(name: &str) -> String {
    match other_machine().as_deref() {
        None => name.to_owned(),
        Some(machine) => {
            let prefix = match machine {
                "x86_64-pc-windows-gnu" => "x86_64-w64-mingw32",
                "aarch64-unknown-linux-gnu" => "aarch64-linux-gnu",
                other => panic!("no C compiler is known for {other}"),
            };
            let name = [("cc", "gcc"), ("c++", "g++")].iter().find(|pair| pair.0 == name).map_or(name, |pair| pair.1);
            format!("{prefix}-{name}")
        }
    }
}

/// Returns a command that runs a program on the machine of the libraries, by the runner that cargo has for it.
pub fn program(path: &Path) -> Command {
    let Some(machine) = other_machine() else { return Command::new(path) };
    let variable = format!("CARGO_TARGET_{}_RUNNER", machine.to_uppercase().replace('-', "_"));
    let runner = std::env::var(&variable).unwrap_or_else(|_| panic!("{variable} says how to run programs"));
    let mut words = runner.split_whitespace();
    let mut command = Command::new(words.next().expect("a program"));
    command.args(words);
    // A compiler for Windows adds this to a name that has none.
    command.arg(if is_windows() { path.with_extension("exe") } else { path.to_owned() });
    command
}

fn is_windows() -> bool {
    other_machine().is_some_and(|machine| machine.contains("windows"))
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
    let mut compiler = Command::new(tool(language[0]));
    compiler.args(&language[1..]).args(WARNINGS).arg("-g").arg("-I").arg(root().join("include"));
    if is_windows() && language[0] == "c++" {
        // Its libraries are not where Windows looks for them.
        compiler.args(["-static-libgcc", "-static-libstdc++"]);
    }
    compiler
}

/// Libraries of the system that a static library of Rust needs, as the installed file for pkg-config lists them.
fn system() -> Vec<String> {
    let file = std::fs::read_to_string(installed().join("lib/pkgconfig/skelobj.pc")).expect("a file for pkg-config");
    let line = file.lines().find_map(|line| line.strip_prefix("Libs.private: ")).expect("libraries of the system");
    line.split(' ').map(str::to_owned).collect()
}

/// Compiles a C file against the static library.
pub fn link_static(language: &[&str], source: &Path, program: &Path) {
    let mut compiler = compiler(language);
    compiler.arg(source).args(["-xnone"]).arg(libraries().join("libskelobj.a")).args(system());
    check(compiler.arg("-o").arg(program));
}

/// Installs header and libraries and returns the prefix.
pub fn installed() -> &'static Path {
    static PREFIX: OnceLock<PathBuf> = OnceLock::new();
    PREFIX.get_or_init(|| {
        let prefix = folder("prefix");
        let mut install = Command::new(root().join("capi/install.sh"));
        check(install.arg(&prefix).arg(libraries()).env("STRIP", tool("strip")));
        prefix
    })
}

/// Compiles a C file against the installed shared library.
pub fn link_shared(language: &[&str], source: &Path, program: &Path) {
    let (mut compiler, folder) = (compiler(language), installed().join("lib"));
    compiler.arg(source).args(["-xnone"]).arg("-L").arg(&folder).arg("-lskelobj").arg("-lm");
    if is_windows() {
        // Windows looks for it beside the program.
        std::fs::copy(installed().join("bin/skelobj.dll"), program.with_file_name("skelobj.dll")).expect("the DLL");
        // Threads of C, which other systems have in their C library.
        compiler.args(["-DSKELOBJ_SHARED", "-l:libpthread.a"]);
    } else {
        compiler.arg(format!("-Wl,-rpath,{}", folder.display()));
    }
    check(compiler.arg("-o").arg(program));
}

/// Returns a command that runs a program under valgrind, which finds leaks, invalid accesses and the use of values that
/// were never set; without valgrind where it is not installed, or for another machine.
pub fn watched(path: &Path) -> Command {
    if !has_valgrind() {
        assert!(
            !is_release() || other_machine().is_some(),
            "the release library is to be run under valgrind, which is not installed"
        );
        println!("SKIPPED: valgrind is not installed, or the programs are for another machine");
        return program(path);
    }
    let mut command = Command::new("valgrind");
    command.args(["-q", "--error-exitcode=99", "--leak-check=full", "--errors-for-leak-kinds=definite,indirect"]);
    command.arg(format!("--suppressions={}", root().join("capi/tests/c/valgrind.supp").display()));
    command.arg(path);
    command
}

/// Returns `true` if valgrind is installed and can run the programs.
pub fn has_valgrind() -> bool {
    let is_installed =
        || Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success());
    other_machine().is_none() && is_installed()
}
