//! The C engine plays the game of the Rust engine: its bones have the same bits in every frame.

#[allow(dead_code)]
#[path = "../../examples/engine.rs"]
mod rust_engine;

use crate::common::{C11, check, folder, link_shared, link_static, program, root, watched};
use skelobj::math::Mat3x4;

fn hex(bones: &[Mat3x4]) -> String {
    let mut text = String::new();
    for bone in bones {
        let bits: Vec<String> = bone.0.iter().map(|number| format!("{:08x}", number.to_bits())).collect();
        text += &bits.join(" ");
        text.push('\n');
    }
    text
}

#[test]
fn bones_of_the_c_engine_have_the_bits_of_the_rust_engine() {
    let (source, engine) = (root().join("examples/c/engine.c"), folder("engine").join("engine"));
    link_static(&[&C11[..], &["-ffp-contract=off"]].concat(), &source, &engine);
    let output = check(program(&engine).arg(root().join("dolls")).arg("--bones"));
    let in_rust = hex(&rust_engine::play().expect("the Rust engine plays").bones);
    // Windows ends lines in its own way.
    let in_c = String::from_utf8(output.stdout).expect("UTF-8").replace("\r\n", "\n");
    let different = in_c.lines().zip(in_rust.lines()).position(|(c, rust)| c != rust);
    assert_eq!(different, None, "bone of {} lines", in_rust.lines().count());
    assert_eq!(in_c.lines().count(), 600 * 2 * 21);
    assert_eq!(in_c.len(), in_rust.len());
}

#[test]
fn the_c_engine_loads_its_game_and_leaks_nothing() {
    let (source, folder) = (root().join("examples/c/engine.c"), folder("engine-shared"));
    let engine = folder.join("engine");
    link_shared(&C11, &source, &engine);
    let text = String::from_utf8(check(watched(&engine).arg(root().join("dolls"))).stdout).expect("UTF-8");
    for event in ["hits the door", "hits the chest: 70", "hits the head: -10", "come to rest", "with the same bits"] {
        assert!(text.contains(event), "\"{event}\" is missing in\n{text}");
    }
}

#[test]
fn builtins_of_an_engine_call_the_library() {
    let (source, host) = (root().join("examples/c/builtins.c"), folder("builtins").join("builtins"));
    link_static(&C11, &source, &host);
    let text = String::from_utf8(check(watched(&host).arg(root().join("dolls"))).stdout).expect("UTF-8");
    assert_eq!(text.trim(), "every builtin does what it should");
}

#[test]
fn the_c_engine_is_short() {
    let source = std::fs::read_to_string(root().join("examples/c/engine.c")).expect("the example");
    let lines = source.lines().count();
    assert!(lines <= 400, "{lines} lines");
}
