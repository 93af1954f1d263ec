//! Gives the shared library the name under which programs look for it: `libskelobj.so.0.1` while the version of the
//! interface is 0.1.x.

/// Major and minor number of `SKELOBJ_VERSION`, from version 1 on the major number alone.
const INTERFACE: &str = "0.1";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    match variable("CARGO_CFG_TARGET_OS").as_str() {
        "linux" | "android" | "freebsd" | "netbsd" | "openbsd" | "dragonfly" => {
            println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libskelobj.so.{INTERFACE}");
        }
        "macos" => println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libskelobj.{INTERFACE}.dylib"),
        _ => {}
    }
}
