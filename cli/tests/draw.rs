//! `skelobj draw`: film strips and error messages.

use std::path::Path;

use crate::drawing::Folder;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{Bone, Influences, Mesh, Model, Skeleton};
use skelobj::write;
use tiny_skia::Pixmap;

/// Returns the pixels of panel `number` of `count`, without its border.
fn panel(picture: &Pixmap, number: u32, count: u32) -> Vec<[u8; 3]> {
    let (wide, start) = (picture.width() / count, picture.width() * number / count);
    let pixel = |x: u32, y: u32| picture.pixel(x, y).map_or([0; 3], |p| [p.red(), p.green(), p.blue()]);
    let rows = 4..picture.height() - 4;
    rows.flat_map(|y| (start + 4..start + wide - 4).map(move |x| (x, y))).map(|(x, y)| pixel(x, y)).collect()
}

/// Counts the pixels that are more of one colour than the light and the skin make them.
fn count(pixels: &[[u8; 3]], is: impl Fn(i32, i32, i32) -> bool) -> usize {
    pixels.iter().filter(|[r, g, b]| is((*r).into(), (*g).into(), (*b).into())).count()
}

fn blue(r: i32, _: i32, b: i32) -> bool {
    b > r + 60
}

fn green(r: i32, g: i32, b: i32) -> bool {
    g > r + 25 && g > b
}

/// Returns a chain of bones along X, 10 units each.
fn bones(count: usize) -> Model {
    let bone = |number: usize| Bone {
        name: format!("link{number}").as_str().into(),
        parent: number.checked_sub(1),
        bind: Mat3x4::from_translation(Vec3::new(10.0 * number.min(1) as f32, 0.0, 0.0)),
    };
    let skeleton = Skeleton::new((0..count).map(bone).collect()).expect("parents stand first");
    Model { skeleton, ..Model::default() }
}

const CHAIN: &[u8] =
    b"updatebody default\n shape capsule\n size 2 2 6\n animate 0\nbody a link0\nbody b link1\nbody c link2\n\
    joint ab a b\n type point\njoint bc b c\n type point\n";

#[test]
fn a_wrong_argument_is_refused_with_its_name() {
    let folder = Folder::new("arguments");
    for (arguments, word) in [
        (&["--panels", "0", "--width", "320"][..], "panels"),
        (&["--width", "1"][..], "width"),
        (&["--seed", "many"][..], "seed"),
        (&["--from", "moonwalk"][..], "moonwalk"),
    ] {
        let said = folder.refusal(arguments);
        assert!(said.contains(word), "{said}");
    }
    assert!(folder.refusal(&["--from", "moonwalk"]).contains("death"), "the animations that there are");
}

#[test]
fn a_broken_file_is_refused_with_its_name_and_what_is_wrong() {
    let folder = Folder::new("files");
    folder.write("broken.iqm", b"INTERQUAKEMODEL\0and then nothing");
    folder.write("broken.doll", b"body tail tail_of_a_dragon\n");
    let bones = write::iqm(&bones(3)).expect("a model");
    folder.write("bones.iqm", &bones);
    for (arguments, words) in [
        (&["missing.iqm"][..], &["missing.iqm"][..]),
        (&["broken.iqm", "--doll", "broken.doll"], &["broken.iqm", "byte"]),
        (&["--doll", "missing.doll"], &["missing.doll"]),
        (&["--doll", "broken.doll"], &["broken.doll:1:11", "tail_of_a_dragon", "no body"]),
        (&["bones.iqm", "--drop"], &["bones.iqm.doll", "--doll"]),
    ] {
        let said = folder.refusal(arguments);
        for word in words {
            assert!(said.contains(word), "{arguments:?} should speak of {word}: {said}");
        }
    }
}

#[test]
fn a_place_that_cannot_be_written_is_refused_with_its_name() {
    let folder = Folder::new("place");
    let said = folder.refusal(&["-o", "nowhere/strip.png"]);
    assert!(said.contains("nowhere") && said.contains("write"), "{said}");
    // Before anything is read or rendered.
    let said = folder.refusal(&["missing.iqm", "-o", "nowhere/strip.png"]);
    assert!(said.contains("nowhere") && !said.contains("missing"), "{said}");
    assert!(!folder.0.join("nowhere").exists());
    folder.refusal(&["missing.iqm", "-o", "here.png"]);
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 0, "nothing is left where reading fails");
    let said = folder.refusal(&["-o", "."]);
    assert!(said.contains("cannot write"), "{said}");
}

#[test]
fn the_strip_is_as_wide_as_asked_with_round_corners() {
    let folder = Folder::new("size");
    assert!(folder.draw(&[]).status.success());
    let picture = folder.picture("strip.png");
    assert_eq!(picture.width(), 240);
    assert!((40..=150).contains(&picture.height()), "{} high", picture.height());
    assert!(picture.pixel(0, 0).is_some_and(|pixel| pixel.alpha() < 128), "the corner is cut");
    assert_eq!(picture.pixel(30, 30).map(|pixel| pixel.alpha()), Some(255));
    assert!(folder.draw(&["--width", "64", "--panels", "32", "-o", "narrow.png"]).status.success());
    assert_eq!(folder.picture("narrow.png").width(), 64);
}

#[test]
fn the_same_fall_is_drawn_alike_to_the_byte_and_another_differs() {
    let folder = Folder::new("same");
    for (name, seed) in [("a.png", "5"), ("b.png", "5"), ("c.png", "6")] {
        assert!(folder.draw(&["--seed", seed, "-o", name]).status.success());
    }
    let bytes = |name: &str| std::fs::read(folder.0.join(name)).expect("a picture");
    assert_eq!(bytes("a.png"), bytes("b.png"));
    assert_ne!(bytes("a.png"), bytes("c.png"));
}

#[test]
fn panels_show_different_moments_and_outlines_what_moves_the_bodies() {
    let folder = Folder::new("panels");
    assert!(folder.draw(&["--width", "320", "--panels", "4", "-o", "bodies.png"]).status.success());
    assert!(folder.draw(&["--width", "320", "--panels", "4", "-o", "skin.png", "--no-bodies"]).status.success());
    let [bodies, skin] = ["bodies.png", "skin.png"].map(|name| folder.picture(name));
    let panels: Vec<_> = (0..4).map(|number| panel(&bodies, number, 4)).collect();
    for pair in panels.windows(2) {
        let differing = pair[0].iter().zip(&pair[1]).filter(|(a, b)| a != b).count();
        assert!(differing * 20 > pair[0].len(), "{differing} of {} pixels differ", pair[0].len());
    }
    let shown = |number: u32, is: fn(i32, i32, i32) -> bool| {
        let [with, without] = [&bodies, &skin].map(|picture| count(&panel(picture, number, 4), is));
        with.saturating_sub(without)
    };
    assert!(shown(0, blue) > 15, "it follows the animation first: {}", shown(0, blue));
    assert!(shown(3, green) > 15, "it sleeps last: {}", shown(3, green));
    assert!(shown(3, blue) < 5 && shown(0, green) < 5);
}

#[test]
fn a_model_without_skin_and_animations_is_drawn_as_bones() {
    let folder = Folder::new("bones");
    folder.write("chain.iqm", write::iqm(&bones(3)).expect("a model"));
    folder.write("chain.doll", CHAIN);
    let output = folder.draw(&["chain.iqm", "--seed", "1", "--no-bodies"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let picture = folder.picture("strip.png");
    let [first, last] = [0, 3].map(|number| panel(&picture, number, 4));
    let moved = first.iter().zip(&last).filter(|(a, b)| a != b).count();
    assert!(moved > 50, "{moved} pixels moved");
}

#[test]
fn non_finite_and_distant_vertices_do_no_harm() {
    let folder = Folder::new("odd");
    folder.write("chain.doll", CHAIN);
    const MARK: f32 = 12.345;
    let mut model = bones(3);
    let mesh = Mesh {
        positions: vec![[0.0, 0.0, 0.0], [20.0, 0.0, 0.0], [0.0, 5.0, 0.0], [MARK, 0.0, 9.0]],
        influences: vec![Influences { bones: [1, 0, 0, 0], weights: [1.0, 0.0, 0.0, 0.0] }; 4],
        triangles: vec![[0, 1, 2], [0, 1, 3], [1, 1, 1], [2, 1, 3]],
        ..Mesh::default()
    };
    model.meshes.push(mesh);
    let bytes = write::iqm(&model).expect("a model");
    let at = bytes.windows(4).position(|word| word == MARK.to_le_bytes()).expect("the vertex");
    for odd in [f32::NAN, f32::INFINITY, f32::MAX, -1e30, 1e7, 1e-40] {
        let mut bytes = bytes.clone();
        bytes[at..at + 4].copy_from_slice(&odd.to_le_bytes());
        folder.write("chain.iqm", &bytes);
        let output = folder.draw(&["chain.iqm", "-o", "odd.png"]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!said.contains("panicked"), "{odd}: {said}");
        assert_eq!(output.status.success(), folder.0.join("odd.png").exists(), "{odd}: {said}");
        if output.status.success() {
            assert_eq!(folder.picture("odd.png").width(), 240);
        } else {
            assert!(said.contains("chain.iqm"), "{odd}: {said}");
        }
        let _ = std::fs::remove_file(Path::new(&folder.0).join("odd.png"));
    }
}

#[test]
fn a_fall_is_turned_spun_and_cut_short() {
    let folder = Folder::new("options");
    let picture = |options: &[&str]| {
        let output = folder.draw(&[&["--seconds", "0.5", "-o", "fall.png"], options].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        std::fs::read(folder.0.join("fall.png")).expect("a picture")
    };
    let plain = picture(&[]);
    assert_ne!(plain, picture(&["--orient", "0,0,90"]));
    assert_ne!(plain, picture(&["--spin", "0,0,9"]));
    for option in [["--seconds", "1"], ["--orient", "0,90,0"], ["--spin", "0,0,1"]] {
        let said = folder.refusal(&[&["--anim", "walk", "-o", "no.png"], option.as_slice()].concat());
        assert!(said.contains("cannot be used with"), "{said}");
    }
}

#[test]
fn motions_have_one_scale_where_a_panel_is_wide_enough_for_both() {
    let folder = Folder::new("across");
    let skin = |r: i32, _: i32, b: i32| r > b + 40;
    let sizes = |across: &[&str]| {
        ["0,0,0", "300,0,0"].map(|velocity| {
            let options = ["--from", "run", "--velocity", velocity, "--no-bodies", "--panels", "3", "--width", "960"];
            assert!(folder.draw(&[&options, across].concat()).status.success());
            count(&panel(&folder.picture("strip.png"), 0, 3), skin) as f32
        })
    };
    let [near, far] = sizes(&[]);
    assert!(near > 1.5 * far, "{near} {far}");
    let [near, far] = sizes(&["--across", "400"]);
    assert!(far > 100.0 && (near / far - 1.0).abs() < 0.15, "{near} {far}");
    assert!(Folder::new("across_refused").refusal(&["--across", "-1"]).contains("Quake units"));
}
