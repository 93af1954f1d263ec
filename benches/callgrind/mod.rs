//! Instruction counts by valgrind's callgrind.

use std::hint::black_box;
use std::process::Command;

/// Returns the number of instructions inside [`measured`] when this program is started with one argument; `None`
/// without valgrind.
pub fn count(argument: &str) -> Option<f64> {
    let own = std::env::current_exe().ok()?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--toggle-collect=*measured*", "--callgrind-out-file=/dev/null"])
        .arg(own)
        .arg(argument)
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.lines().find_map(|line| line.split_once("Collected :"))?.1.trim().parse().ok()
}

/// Runs the code whose instructions are counted.
#[inline(never)]
pub fn measured(run: impl FnOnce()) {
    run();
    black_box(());
}
