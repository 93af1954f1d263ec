//! Progs of the tests, compared with what Debian's fteqcc makes of their sources.

use std::process::Command;

/// Compiles the sources in their order, with the generated header beside them, and compares the result with the
/// committed progs `tests/qc/NAME.dat`.
///
/// Tests say so if the compiler is missing.
pub fn assert_compiled(name: &str, arguments: &[&str], sources: &[(&str, &str)], committed: &[u8]) {
    let folder = std::env::temp_dir().join(format!("skelobj-progs-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut list = format!("{name}.dat\n");
    for (file, text) in sources {
        list += &format!("{file}\n");
        std::fs::write(folder.join(file), text).unwrap();
    }
    std::fs::write(folder.join("progs.src"), list).unwrap();
    std::fs::write(folder.join("skelobj.qc"), skelobj::qc::header()).unwrap();
    match Command::new("fteqcc").args(arguments).current_dir(&folder).output() {
        Ok(output) => {
            let fresh = std::fs::read(folder.join(format!("{name}.dat"))).unwrap_or_default();
            assert!(fresh == committed, "recompile tests/qc/{name}.qc: {}", String::from_utf8_lossy(&output.stdout));
        }
        Err(_) => println!("SKIPPED {name}.dat: no fteqcc"),
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
