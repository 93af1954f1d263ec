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

/// Returns the number of instructions of each call of [`measured`] when this program is started with one argument, and
/// the numbers that it prints; `None` without valgrind.
#[allow(dead_code, reason = "one benchmark counts every call")]
pub fn counts(argument: &str) -> Option<(Vec<f64>, Vec<f64>)> {
    let own = std::env::current_exe().ok()?;
    let folder = std::env::temp_dir().join(format!("skelobj-callgrind-{}", std::process::id()));
    std::fs::create_dir_all(&folder).ok()?;
    let file = folder.join("out");
    let output = Command::new("valgrind")
        // Of two options for the same pattern, callgrind 3.19 forgets one.
        .args(["--tool=callgrind", "--toggle-collect=*measured*", "--dump-after=*callgrind::measured*"])
        .arg(format!("--callgrind-out-file={}", file.display()))
        .arg(own)
        .arg(argument)
        .output()
        .ok()?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let printed: Vec<f64> = printed.lines().filter_map(|line| line.trim().parse().ok()).collect();
    let total = |number: usize| {
        let text = std::fs::read_to_string(folder.join(format!("out.{number}"))).ok()?;
        text.lines().find_map(|line| line.strip_prefix("totals: "))?.trim().parse::<f64>().ok()
    };
    let counts: Option<Vec<f64>> = (1..=printed.len()).map(total).collect();
    let _ = std::fs::remove_dir_all(&folder);
    Some((counts?, printed))
}
