//! Installed libraries of both kinds, found by pkg-config and CMake.

use std::path::Path;
use std::process::Command;

use skelobj_capi_calls::SKELOBJ_VERSION;

use crate::common::{check, folder, installed, libraries, root};

const SOURCE: &str = "
#include <skelobj.h>
int main(void) {
    SkelobjWorld world = skelobj_world_create(0);
    return skelobj_version() != SKELOBJ_VERSION || skelobj_world_free(world) != SKELOBJ_STATUS_OK;
}
";

/// Version of the interface, which is that of the packages, too.
fn interface() -> [i32; 3] {
    [SKELOBJ_VERSION / 10000, SKELOBJ_VERSION / 100 % 100, SKELOBJ_VERSION % 100]
}

fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        println!("SKIPPED: {program} is not installed");
    }
    found
}

fn pkg_config(package: &str, arguments: &[&str]) -> Vec<String> {
    let mut command = Command::new("pkg-config");
    command.env("PKG_CONFIG_PATH", installed().join("lib/pkgconfig")).args(arguments).arg(package);
    let output = check(&mut command);
    String::from_utf8_lossy(&output.stdout).split_whitespace().map(str::to_owned).collect()
}

#[test]
fn pkg_config_finds_both_libraries() {
    if !has("pkg-config") {
        return;
    }
    let (folder, libraries) = (folder("pkg-config"), installed().join("lib"));
    let source = folder.join("main.c");
    std::fs::write(&source, SOURCE).unwrap();

    let program = folder.join("shared");
    let mut compiler = Command::new("cc");
    compiler.arg(&source).args(pkg_config("skelobj", &["--cflags", "--libs"])).arg("-o").arg(&program);
    check(compiler.arg(format!("-Wl,-rpath,{}", libraries.display())));
    check(&mut Command::new(&program));
    let needed = check(Command::new("ldd").arg(&program)).stdout;
    let needed = String::from_utf8_lossy(&needed).into_owned();
    let [major, minor, _] = interface();
    let name = if major == 0 { format!("libskelobj.so.0.{minor} ") } else { format!("libskelobj.so.{major} ") };
    assert!(needed.contains(&name) && !needed.contains("not found"), "{needed}");

    let program = folder.join("static");
    let mut compiler = Command::new("cc");
    compiler.arg(&source).args(pkg_config("skelobj-static", &["--static", "--cflags", "--libs"]));
    check(compiler.arg("-o").arg(&program));
    check(&mut Command::new(&program));
    let needed = check(Command::new("ldd").arg(&program)).stdout;
    assert!(!String::from_utf8_lossy(&needed).contains("skelobj"), "it loads no library of skelobj");
    assert_eq!(pkg_config("skelobj", &["--modversion"]), [interface().map(|number| number.to_string()).join(".")]);
}

#[test]
fn cmake_finds_both_libraries() {
    if !has("cmake") {
        return;
    }
    let folder = folder("cmake");
    std::fs::write(folder.join("main.c"), SOURCE).unwrap();
    let version = &interface().map(|number| number.to_string()).join(".");
    let project = format!(
        "cmake_minimum_required(VERSION 3.13)\nproject(host C)\nfind_package(skelobj {version} REQUIRED)\n\
         add_executable(shared main.c)\ntarget_link_libraries(shared skelobj::skelobj)\n\
         add_executable(static main.c)\ntarget_link_libraries(static skelobj::static)\n"
    );
    std::fs::write(folder.join("CMakeLists.txt"), project).unwrap();
    let configure = |file: &Path| {
        let mut cmake = Command::new("cmake");
        cmake.arg("-S").arg(file).arg("-B").arg(folder.join("build"));
        cmake.arg(format!("-DCMAKE_PREFIX_PATH={}", installed().display()));
        cmake
    };
    check(&mut configure(&folder));
    check(Command::new("cmake").arg("--build").arg(folder.join("build")));
    check(&mut Command::new(folder.join("build/shared")));
    check(&mut Command::new(folder.join("build/static")));
    // Another version is refused.
    let project = std::fs::read_to_string(folder.join("CMakeLists.txt")).unwrap();
    std::fs::write(folder.join("CMakeLists.txt"), project.replace(version.as_str(), "99.0")).unwrap();
    std::fs::remove_dir_all(folder.join("build")).unwrap();
    assert!(!configure(&folder).output().unwrap().status.success());
}

#[test]
fn an_installation_has_a_prefix_of_its_own() {
    let folder = folder("destdir");
    let mut install = Command::new(root().join("capi/install.sh"));
    install.arg("/opt/skelobj").arg(libraries()).env("DESTDIR", &folder).env("LIBDIR", "lib/any-linux");
    check(&mut install);
    let root = folder.join("opt/skelobj");
    let config = std::fs::read_to_string(root.join("lib/any-linux/pkgconfig/skelobj.pc")).unwrap();
    assert!(config.starts_with("prefix=/opt/skelobj\nlibdir=${prefix}/lib/any-linux\n"), "{config}");
    let config = root.join("lib/any-linux/cmake/skelobj/skelobj-config.cmake");
    assert!(std::fs::read_to_string(config).unwrap().contains("/../../../..\""));
    assert!(root.join("include/skelobj.h").is_file() && root.join("lib/any-linux/libskelobj.so").exists());
}
