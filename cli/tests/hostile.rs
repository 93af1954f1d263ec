//! Files from strangers: they cost little, and their names do not pass for output of the command.

use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{Animation, Bone, Influences, Material, Mesh, Model, Skeleton, Texture};
use skelobj::write;

use crate::drawing::Folder;

/// Returns a triangle 20 units wide that faces the camera.
fn triangle(material: &str) -> Mesh {
    Mesh {
        material: material.into(),
        positions: vec![[0.0, -10.0, 0.0], [0.0, 10.0, 0.0], [0.0, 0.0, 20.0]],
        texcoords: vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]],
        triangles: vec![[0, 1, 2]],
        ..Mesh::default()
    }
}

/// Returns a PNG whose header states this size, followed by a few bytes instead of pixels.
fn damaged_png(size: [u32; 2], bits: u8, number: u8) -> Vec<u8> {
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let header = [&size[0].to_be_bytes()[..], &size[1].to_be_bytes(), &[bits, 6, 0, 0, 0]].concat();
    for (kind, data) in [(b"IHDR", &header[..]), (b"IDAT", &[number; 16]), (b"IEND", &[])] {
        let content = [&kind[..], data].concat();
        png.extend((data.len() as u32).to_be_bytes());
        png.extend(&content);
        png.extend(crc32fast::hash(&content).to_be_bytes());
    }
    png
}

/// Draws a model with a triangle for each image; returns what was said of textures.
fn drawn_with(images: &[Vec<u8>]) -> String {
    let folder = Folder::new("images");
    let mut model = Model::default();
    for (number, image) in images.iter().enumerate() {
        let name = format!("paint{number}");
        let texture = Some(Texture::Embedded { mime: "image/png".into(), bytes: image.as_slice().into() });
        model.materials.push(Material { name: name.as_str().into(), texture, ..Material::default() });
        model.meshes.push(triangle(&name));
    }
    folder.write("images.glb", write::glb(&model).expect("a model"));
    let output = folder.draw(&["images.glb"]);
    assert!(output.status.success());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    said.lines().filter(|line| line.contains("texture")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn the_budget_of_textures_is_spent_by_headers() {
    const TOO_LARGE: &str = "the textures are too large together";
    let images = |count: u8, bits| -> Vec<Vec<u8>> {
        (0..count).map(|number| damaged_png([4096, 4096], bits, number)).collect()
    };
    let said = drawn_with(&images(4, 8));
    assert!(said.matches("not drawn").count() == 4 && !said.contains(TOO_LARGE), "{said}");
    let said = drawn_with(&images(5, 8));
    assert_eq!(said.matches(TOO_LARGE).count(), 1, "although none was decoded: {said}");
    let said = drawn_with(&images(4, 16));
    assert_eq!(said.matches(TOO_LARGE).count(), 2, "16 bits count twice: {said}");
}

#[test]
fn an_image_of_many_materials_is_decoded_once() {
    let said = drawn_with(&vec![damaged_png([4096, 4096], 8, 1); 40]);
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn refused_textures_are_counted_after_the_first() {
    let images: Vec<Vec<u8>> = (0..40).map(|number| damaged_png([4096, 4096], 8, number)).collect();
    let said = drawn_with(&images);
    assert_eq!(said.lines().count(), 9, "{said}");
    assert!(said.ends_with("warning: 32 more textures are not drawn\n"), "{said}");
}

#[test]
fn triangles_that_cover_the_picture_too_often_are_left_out() {
    let folder = Folder::new("cover");
    let covered = |count: usize| {
        let mut mesh = triangle("paint");
        mesh.triangles = vec![[0, 1, 2]; count];
        let model = Model { meshes: vec![mesh], ..Model::default() };
        folder.write("cover.iqm", write::iqm(&model).expect("a model"));
        let output = folder.draw(&["cover.iqm"]);
        assert!(output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert_eq!(covered(20), "");
    let said = covered(500);
    assert!(said.contains("triangles are not drawn: the others cover the picture too many times"), "{said}");
}

/// Name that would forge a line of output, an annotation of GitHub, and the direction of what follows.
const FORGED: &str = "arm\n::error file=a.doll::forged\u{202e}\u{1b}[2J\"";

/// Returns a model with a forged name in every place, and whose bone `root` has a skin.
fn forged_model() -> Model {
    let bone = |name: &str, parent, z| Bone {
        name: name.into(),
        parent,
        bind: Mat3x4::from_translation(Vec3::new(0.0, 0.0, z)),
    };
    let bones = vec![bone("root", None, 0.0), bone(FORGED, Some(0), 20.0), bone("tip", Some(1), 20.0)];
    let mut mesh = triangle(FORGED);
    mesh.name = FORGED.into();
    mesh.influences = [0, 1, 2].map(|bone| Influences { bones: [bone, 0, 0, 0], weights: [1.0, 0.0, 0.0, 0.0] }).into();
    let skeleton = Skeleton::new(bones).expect("a skeleton");
    let frames = skeleton.bind_local().to_vec();
    let animations = vec![Animation::frames(FORGED, 0, 1, 10.0, false)];
    Model { skeleton, meshes: vec![mesh], frames, animations, ..Model::default() }
}

/// Runs the command and returns what it printed, none of which begins or turns a line like the forged name.
fn printed(folder: &Folder, arguments: &[&str]) -> String {
    let output = folder.skelobj(arguments);
    let text = String::from_utf8([output.stdout, output.stderr].concat()).expect("UTF-8");
    assert!(!text.contains(['\u{202e}', '\u{1b}']), "{arguments:?}: {text:?}");
    let forged = text.lines().any(|line| line.starts_with("::error file=a.doll"));
    assert!(!forged && text.contains("forged"), "{arguments:?}: {text}");
    text
}

#[test]
fn names_do_not_forge_lines_of_output() {
    let folder = Folder::new("names");
    folder.write("m.iqm", write::iqm(&forged_model()).expect("a model"));
    let body = "body a root\n animate 0\nbody b tip\njoint j a b\n type point\n";
    folder.write("m.doll", body);
    folder.write("bad.doll", format!("{body}body \"{}\" root\n", FORGED.replace('\n', "\r").replace('"', "")));
    for arguments in [
        &["info", "m.iqm"][..],
        &["sim", "m.iqm", "--from", "zzz"],
        &["sim", "m.iqm", "--seconds", "0"],
        &["fit", "--without-skin", "m.iqm"],
        &["check", "bad.doll", "--model", "m.iqm", "--drop", "0"],
        &["check", "bad.doll", "--model", "m.iqm", "--drop", "0", "--github"],
        &["check", "forged\u{202e}\n::error file=a.doll", "--github"],
        &["info", "forged\u{202e}\n::error file=a.doll"],
    ] {
        printed(&folder, arguments);
    }
}

#[test]
fn json_has_the_whole_name() {
    let folder = Folder::new("json_names");
    folder.write("m.iqm", write::iqm(&forged_model()).expect("a model"));
    let text = printed(&folder, &["info", "--json", "m.iqm"]);
    assert!(text.contains("\\n::error") && text.contains("\\u202e"), "{text}");
    let info: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(info["bone_names"][1], FORGED);
}

#[test]
fn a_bone_that_a_doll_cannot_name_is_left_out_of_a_fitted_doll() {
    let folder = Folder::new("fitted_names");
    folder.write("m.iqm", write::iqm(&forged_model()).expect("a model"));
    let text = printed(&folder, &["fit", "--without-skin", "m.iqm"]);
    let directives: Vec<&str> = text.lines().filter(|line| !line.starts_with("//")).collect();
    assert!(!directives.join("\n").contains("forged"), "{text}");
    assert!(text.lines().any(|line| line.starts_with("//") && line.contains("is left out: its name")), "{text}");
}
