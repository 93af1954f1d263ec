//! `skelobj draw` of models without dolls: animations, vertices that move, textures, and kinds of files.

use crate::drawing::Folder;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::model::{Animation, Bone, Material, Mesh, Model, Name, Skeleton, Texture};
use skelobj::{Format, write};
use tiny_skia::{Color, Pixmap};

/// Returns a square plate, 20 units wide, that faces the camera, with texture coordinates.
fn plate(material: &str) -> Model {
    let mesh = Mesh {
        material: material.into(),
        positions: vec![[0.0, -10.0, 0.0], [0.0, 10.0, 0.0], [0.0, 10.0, 20.0], [0.0, -10.0, 20.0]],
        normals: vec![[1.0, 0.0, 0.0]; 4],
        texcoords: vec![[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        ..Mesh::default()
    };
    Model { meshes: vec![mesh], ..Model::default() }
}

/// Returns the bytes of a PNG file of one colour.
fn png(color: Color) -> Vec<u8> {
    let mut picture = Pixmap::new(4, 4).expect("a picture");
    picture.fill(color);
    picture.encode_png().expect("a PNG file")
}

/// Returns the bytes of a TGA file of one colour: blue, green, red.
fn tga(color: [u8; 3]) -> Vec<u8> {
    let mut bytes = vec![0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 4, 0, 24, 0];
    // One run of 16 pixels.
    bytes.push(0x80 | 15);
    bytes.extend(color);
    bytes
}

/// Returns the number of pixels of a picture in which one channel is far above the others.
fn of_channel(picture: &Pixmap, channel: usize) -> usize {
    let strong = |pixel: &&tiny_skia::PremultipliedColorU8| {
        let parts = [pixel.red(), pixel.green(), pixel.blue()];
        (0..3).all(|other| other == channel || u32::from(parts[channel]) > 2 * u32::from(parts[other]) + 20)
    };
    picture.pixels().iter().filter(strong).count()
}

fn said(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn an_output_name_with_an_unknown_extension_is_refused_before_any_work() {
    let folder = Folder::new("ending");
    for name in ["strip.bmp", "strip", "strip.png.txt"] {
        // The model does not exist, but nothing looks for it.
        let said = folder.refusal(&["missing.iqm", "-o", name]);
        assert!(said.contains(name) && said.contains(".png, .gif or .glb"), "{said}");
    }
}

#[test]
fn a_model_without_a_doll_plays_its_animation_or_turns() {
    let folder = Folder::new("still");
    folder.write("plate.iqm", write::iqm(&plate("")).expect("a model"));
    let output = folder.draw(&["plate.iqm", "-o", "turn.png"]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("4 panels"));
    for name in ["idle", "walk"] {
        let output = folder.draw(&["--anim", name, "-o", &format!("{name}.png")]);
        assert!(output.status.success(), "{}", said(&output));
    }
    assert_ne!(folder.picture("idle.png").data(), folder.picture("walk.png").data());
    assert!(folder.refusal(&["--anim", "moonwalk", "-o", "no.png"]).contains("no animation `moonwalk`"));
    assert!(folder.refusal(&["--anim", "idle", "--drop", "-o", "no.png"]).contains("--drop"));
}

#[test]
fn a_player_of_three_parts_is_drawn_whole() {
    let folder = Folder::new("player");
    for part in ["lower.md3", "upper.md3", "head.md3"] {
        folder.write(part, write::iqm(&plate(part)).expect("a model")); // a part may have any format
    }
    let with =
        |parts: &[&str]| parts.iter().flat_map(|part| ["--with".to_owned(), (*part).to_owned()]).collect::<Vec<_>>();
    let info = |model: &str, parts: &[&str]| {
        let with = with(parts);
        folder.skelobj(&[&["info", model][..], &with.iter().map(String::as_str).collect::<Vec<_>>()].concat())
    };
    // The parts may be named in any order.
    for (model, parts) in [("lower.md3", ["upper.md3", "head.md3"]), ("head.md3", ["lower.md3", "upper.md3"])] {
        let output = info(model, &parts);
        assert!(String::from_utf8_lossy(&output.stdout).contains("3 tags, 3 meshes"), "{}", said(&output));
    }
    folder.write("animation.cfg", "0 1 0 20 // BOTH_DEATH1\n0 1 0 20");
    let output = info("lower.md3", &["upper.md3", "head.md3"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("BOTH_DEATH1"), "{}", said(&output));
    let output = folder.draw(&["lower.md3", "--with", "upper.md3", "--with", "head.md3", "-o", "player.png"]);
    assert!(output.status.success(), "{}", said(&output));

    // Parts that are missing are named; a part alone is a model.
    let refused = info("lower.md3", &["upper.md3"]);
    assert!(said(&refused).contains("lower.md3 is part of a Quake III player: name its head.md3 with --with, too"));
    let doll = folder.write("player.doll", "body a chest\n");
    for args in [["sim", "lower.md3", "--doll", &doll], ["check", &doll, "--model", "lower.md3"]] {
        let refused = folder.skelobj(&[&args[..], &["--with", "upper.md3"]].concat());
        assert!(said(&refused).contains("name its head.md3 with --with, too"), "{}", said(&refused));
        let whole = folder.skelobj(&[&args[..], &["--with", "upper.md3", "--with", "head.md3"]].concat());
        assert!(!said(&whole).contains("--with"), "{}", said(&whole));
    }
    let refused = info("lower.md3", &["upper.md3", "head.md3", "upper.md3"]);
    assert!(said(&refused).contains("upper.md3: this part of a Quake III player is named twice"));
    let alone = info("lower.md3", &[]);
    assert!(alone.status.success() && said(&alone).contains("add the others with --with upper.md3 --with head.md3"));
    let page = folder.skelobj(&["view", "lower.md3", "--html", "page.html"]);
    assert_eq!(said(&page).matches("add the others with").count(), 1, "{}", said(&page));
    std::fs::remove_file(folder.0.join("head.md3")).expect("the head");
    assert!(said(&info("lower.md3", &["upper.md3", "head.md3"])).contains("cannot read head.md3"));
    folder.write("head.md3", "IDP3");
    assert!(said(&info("lower.md3", &["upper.md3", "head.md3"])).starts_with("skelobj: head.md3: "));
}

#[test]
fn a_skeleton_is_drawn_in_its_own_size() {
    // Two bones that are one metre long, or 1/100 or 100 times that, in a row.
    let folder = Folder::new("sizes");
    let drawn = |length: f32| {
        let bone = |name: &str, parent, at: f32| Bone {
            name: name.into(),
            parent,
            bind: Mat3x4::from_translation(Vec3::new(0.0, at, 0.0)),
        };
        let bones = vec![bone("a", None, 0.0), bone("b", Some(0), length), bone("c", Some(1), length)];
        let model = Model { skeleton: Skeleton::new(bones).expect("a skeleton"), ..Model::default() };
        folder.write("row.iqm", write::iqm(&model).expect("a model"));
        let output = folder.draw(&["row.iqm", "-o", "row.png"]);
        assert!(output.status.success(), "{}", said(&output));
        let picture = folder.picture("row.png");
        // The colour of bones, which are neither as blue as shade nor as grey as the floor.
        picture.pixels().iter().filter(|pixel| pixel.red() > pixel.blue().saturating_add(20)).count()
    };
    let [small, middle, large] = [0.01, 1.0, 100.0].map(drawn);
    assert!(
        middle > 50 && small.abs_diff(middle) < middle / 8 && large.abs_diff(middle) < middle / 8,
        "{small} {middle} {large}"
    );
}

#[test]
fn an_animation_that_does_not_move_is_turned_around() {
    let folder = Folder::new("frozen");
    let mut model = skelobj::assets::mannequin();
    let bones = model.skeleton.len();
    let first = model.frames[..bones].to_vec();
    model.frames = first.repeat(10);
    model.bounds.clear();
    model.animations.truncate(2);
    for (animation, name) in model.animations.iter_mut().zip(["still", "frozen"]) {
        *animation = skelobj::model::Animation::frames(name, 0, 10, 10.0, true);
    }
    folder.write("frozen.iqm", write::iqm(&model).expect("a model"));
    for arguments in [&["frozen.iqm"][..], &["frozen.iqm", "--anim", "frozen"]] {
        let output = folder.draw(&[arguments, &["-o", "strip.png"]].concat());
        assert!(output.status.success(), "{}", said(&output));
        let picture = folder.picture("strip.png");
        let width = picture.width() as usize / 4;
        let column = |panel: usize| -> Vec<[u8; 4]> {
            let (row, stride) = (picture.height() as usize / 2, picture.width() as usize);
            let pixels = picture.data().chunks_exact(4).skip(row * stride + panel * width).take(width);
            pixels.map(|pixel| pixel.try_into().unwrap()).collect()
        };
        assert_ne!(column(0), column(1), "{arguments:?}: the second panel shows another side");
    }
}

#[test]
fn vertices_that_move_without_bones_move_in_the_strip() {
    let folder = Folder::new("vertices");
    let mut model = plate("");
    let mesh = &mut model.meshes[0];
    let at = |height: f32| mesh.positions.iter().map(move |[x, y, z]| [*x, *y, z * height]).collect::<Vec<_>>();
    mesh.frames.positions = [at(1.0), at(0.5), at(0.1)].concat();
    mesh.frames.normals = [mesh.normals.clone(), mesh.normals.clone(), mesh.normals.clone()].concat();
    model.animations = vec![Animation::frames("shrink", 0, 3, 2.0, false)];
    folder.write("plate.glb", write::glb(&model).expect("a model"));
    let output = folder.draw(&["plate.glb", "--panels", "3", "--width", "240"]);
    assert!(output.status.success(), "{}", said(&output));
    let picture = folder.picture("strip.png");
    let figure = |panel: u32| {
        let columns = picture.width() * panel / 3..picture.width() * (panel + 1) / 3;
        let is_skin = |x: u32, y: u32| {
            picture.pixel(x, y).is_some_and(|pixel| i32::from(pixel.red()) > i32::from(pixel.blue()) + 25)
        };
        columns.flat_map(|x| (0..picture.height()).map(move |y| (x, y))).filter(|(x, y)| is_skin(*x, *y)).count()
    };
    let [first, middle, last] = [0, 1, 2].map(figure);
    assert!(first > middle + middle / 4 && middle > last * 2 && last > 0, "{first}, {middle}, {last}");
}

#[test]
fn textures_are_those_in_the_model_or_beside_it() {
    let folder = Folder::new("textures");
    let red = Color::from_rgba8(220, 10, 10, 255);
    folder.write("inside.png", png(red));
    let mut inside = plate("paint");
    let texture = Texture::Embedded { mime: "image/png".into(), bytes: png(red).into() };
    let material = Material { name: "paint".into(), texture: Some(texture), ..Material::default() };
    inside.materials = vec![material];
    folder.write("inside.glb", write::glb(&inside).expect("a model"));
    folder.write("green.tga", tga([10, 220, 10]));
    folder.write("green.iqm", write::iqm(&plate("textures/models/green.png")).expect("a model"));
    for (model, channel) in [("inside.glb", 0), ("green.iqm", 1)] {
        let output = folder.draw(&[model]);
        assert!(output.status.success(), "{}", said(&output));
        let pixels = of_channel(&folder.picture("strip.png"), channel);
        assert!(pixels > 300, "{model}: {pixels} pixels");
        // The model that is written has the texture inside.
        assert!(folder.draw(&[model, "-o", "out.glb"]).status.success());
        let bytes = std::fs::read(folder.0.join("out.glb")).expect("a model");
        let written = Model::load("out.glb", &bytes, |_| None).expect("a model");
        assert!(matches!(written.materials[0].texture, Some(Texture::Embedded { .. })), "{model}");
    }
}

#[test]
fn a_model_without_colours_has_those_of_the_strip_in_a_viewer() {
    let folder = Folder::new("plain");
    let mut model = plate("paint");
    model.meshes.extend(
        [plate("paint"), plate(""), plate("tinted"), plate("vertices")].map(|mut plate| plate.meshes.remove(0)),
    );
    let tinted = Material { name: "tinted".into(), color: [0.1, 0.2, 0.3, 1.0], ..Material::default() };
    model.materials = vec![tinted];
    model.meshes[4].colors = vec![[0.5, 0.25, 1.0, 1.0]; 4];
    folder.write("plain.glb", write::glb(&model).expect("a model"));
    assert!(folder.draw(&["plain.glb", "-o", "out.glb"]).status.success());
    let bytes = std::fs::read(folder.0.join("out.glb")).expect("a model");
    let written = Model::load("out.glb", &bytes, |_| None).expect("a model");
    let color = |number: usize| {
        let material = written.materials.iter().find(|material| material.name == written.meshes[number].material);
        material.expect("each has one").color
    };
    let linear = |byte: f32| ((byte / 255.0 + 0.055) / 1.055).powf(2.4);
    for (number, bytes) in [[214.0, 178.0, 140.0], [96.0, 132.0, 160.0], [178.0, 104.0, 84.0]].into_iter().enumerate() {
        let wanted = bytes.map(linear);
        let apart = wanted.iter().zip(color(number)).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(apart < 1e-3, "{number}: {:?}", color(number));
    }
    assert_eq!([color(3), color(4)], [[0.1, 0.2, 0.3, 1.0], [1.0; 4]], "those that have colours keep them");
}

#[test]
fn a_skin_keeps_its_colour_inside_the_outlines_of_the_bodies() {
    let folder = Folder::new("outlines");
    let mut model = Model::load("mannequin.iqm", skelobj::assets::MANNEQUIN_IQM, |_| None).expect("the mannequin");
    for mesh in &mut model.meshes {
        mesh.colors = vec![[0.12, 0.1, 0.1, 1.0]; mesh.positions.len()];
    }
    folder.write("dark.iqm", write::iqm(&model).expect("a model"));
    folder.write("dark.iqm.doll", skelobj::assets::MANNEQUIN_DOLL);
    let drawn = |name: &str, arguments: &[&str]| {
        let fall = ["dark.iqm", "--drop", "--panels", "1", "--width", "300", "-o", name];
        assert!(folder.draw(&[&fall, arguments].concat()).status.success());
        folder.picture(name)
    };
    let [with, without] = [drawn("with.png", &[]), drawn("without.png", &["--no-bodies"])];
    let dark = |pixel: &tiny_skia::PremultipliedColorU8| u32::from(pixel.red()) + u32::from(pixel.green()) < 120;
    let skin = without.pixels().iter().zip(with.pixels()).filter(|(before, _)| dark(before));
    let (kept, count) = (skin.clone().filter(|(before, after)| before == after).count(), skin.count());
    assert!(count > 1000 && kept * 2 > count, "{kept} of {count} pixels");
    assert_ne!(with.data(), without.data(), "there are outlines");
}

#[test]
fn transparent_materials_cast_no_shadow() {
    let folder = Folder::new("holes");
    let drawn = |model: &Model, color: Color| {
        folder.write("plate.iqm", write::iqm(model).expect("a model"));
        folder.write("skin.png", png(color));
        let output = folder.draw(&["plate.iqm", "--panels", "1", "--width", "240"]);
        assert!(output.status.success(), "{}", said(&output));
        folder.picture("strip.png")
    };
    let plate = plate("skin");
    // As large, but without an area.
    let mut nothing = plate.clone();
    nothing.meshes[0].triangles = vec![[0, 1, 1], [2, 3, 3]];
    let empty = drawn(&nothing, Color::WHITE);
    // The mean of the samples of a pixel is rounded.
    let is_empty = |picture: &Pixmap| picture.data().iter().zip(empty.data()).all(|(a, b)| a.abs_diff(*b) <= 1);
    assert!(is_empty(&drawn(&plate, Color::TRANSPARENT)), "nothing to see, and no shadow");
    assert!(!is_empty(&drawn(&plate, Color::WHITE)));
}

/// Returns a file of the shared cases that the repository has.
fn case(name: &str) -> String {
    std::fs::read_to_string(format!("../tests/data/cases/{name}")).expect("a case")
}

#[test]
fn the_alpha_of_a_texture_counts_only_where_the_material_says_so() {
    let folder = Folder::new("opaque");
    // Its texture is red with an alpha of 0.
    let text = case("gltf_opaque_alpha0.gltf");
    let drawn = |mode: &str| {
        folder.write(
            "box.gltf",
            text.replace(r#"{"pbrMetallicRoughness""#, &format!(r#"{{{mode}"pbrMetallicRoughness""#)),
        );
        assert!(folder.draw(&["box.gltf", "--panels", "1", "--width", "120"]).status.success());
        of_channel(&folder.picture("strip.png"), 0) > 300
    };
    let modes = ["", r#""alphaMode": "OPAQUE", "#, r#""alphaMode": "MASK", "#, r#""alphaMode": "BLEND", "#];
    assert_eq!(modes.map(drawn), [true, true, false, false]);
}

#[test]
fn colors_of_vertices_and_of_materials_look_alike() {
    let folder = Folder::new("colors");
    folder.write("boxes.gltf", case("two_boxes_one_colour.gltf"));
    assert!(folder.draw(&["boxes.gltf", "--panels", "1", "--width", "240"]).status.success());
    let picture = folder.picture("strip.png");
    let parts = picture.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()].map(f32::from));
    let boxes = parts.filter(|[red, green, blue]| *red > 60.0 && *red > 1.3 * blue && red > green);
    let mut tints: Vec<f32> = boxes.map(|[red, green, _]| green / red).collect();
    tints.sort_by(f32::total_cmp);
    let [low, high] = [tints[tints.len() / 20], tints[tints.len() * 19 / 20]];
    assert!(high - low < 0.08, "{low} to {high} of {}", tints.len());
}

#[test]
fn images_beside_a_model_are_read_once_and_measured_before() {
    let folder = Folder::new("spellings");
    let mut model = plate("skin.png");
    for spelling in ["SKIN.png", "Skin.PNG", "textures/skin.tga", "skin"] {
        model.meshes.push(Mesh { material: spelling.into(), ..model.meshes[0].clone() });
    }
    folder.write("plate.iqm", write::iqm(&model).expect("a model"));
    let path = folder.write("sKin.png", []);
    let file = std::fs::File::options().write(true).open(path).expect("a file");
    file.set_len(200 << 20).expect("a file without contents on the disk");
    let draw = || said(&folder.draw(&["plate.iqm", "--panels", "1", "--width", "64"]));
    let warning = "sKin.png: warning: not drawn: the textures are too large together";
    assert_eq!(draw().matches(warning).count(), 1, "{}", draw());
    drop(file);
    folder.write("sKin.png", png(Color::from_rgba8(10, 220, 10, 255)));
    assert_eq!(draw().matches("warning").count(), 0, "{}", draw());
    assert!(of_channel(&folder.picture("strip.png"), 1) > 20);
}

#[test]
fn a_texture_that_is_damaged_is_reported_and_left_out() {
    let folder = Folder::new("damaged");
    folder.write("plate.iqm", write::iqm(&plate("skin")).expect("a model"));
    let whole = png(Color::WHITE);
    let mut huge = tga([0; 3]);
    (huge[13], huge[15]) = (255, 255);
    let mut pcx = vec![0x0a, 5, 1, 8, 0, 0, 0, 0, 255, 15, 255, 15];
    pcx.resize(128, 0);
    (pcx[65], pcx[66], pcx[67]) = (3, 255, 255);
    let jpeg = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xd9];
    for (name, bytes) in [
        ("skin.png", &whole[..whole.len() / 2]),
        ("skin.tga", &huge[..]),
        ("skin.pcx", &pcx[..]),
        ("skin.jpg", &jpeg[..]),
    ] {
        let path = folder.write(name, bytes);
        let output = folder.draw(&["plate.iqm", "--panels", "1", "--width", "64"]);
        let said = said(&output);
        assert!(output.status.success() && said.contains(&format!("{name}: warning: not drawn: ")), "{name}: {said}");
        std::fs::remove_file(path).expect("the file");
    }
}

#[test]
fn a_gif_file_shows_the_whole_motion_and_loops() {
    let folder = Folder::new("gif");
    let output = folder.draw(&["--anim", "walk", "--width", "96", "-o", "walk.gif"]);
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(said(&output), "", "a bar is for terminals");
    let file = std::fs::File::open(folder.0.join("walk.gif")).expect("a picture");
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::Indexed);
    let mut decoder = options.read_info(file).expect("a GIF file");
    assert_eq!((decoder.width(), decoder.repeat()), (96, gif::Repeat::Infinite));
    let mut delays = Vec::new();
    let mut smaller = 0;
    let whole = decoder.height();
    while let Some(frame) = decoder.read_next_frame().expect("a frame") {
        delays.push(frame.delay);
        smaller += usize::from(frame.height < whole);
    }
    let walk = Model::load("mannequin.iqm", skelobj::assets::MANNEQUIN_IQM, |_| None).expect("the mannequin");
    let seconds = walk.animations[walk.find_animation("walk").expect("it walks")].duration();
    let shown: f32 = delays.iter().map(|delay| f32::from(*delay) / 100.0).sum();
    assert!((shown - seconds).abs() < 0.1, "{shown} s of {seconds} s");
    assert!(delays.iter().all(|delay| *delay == 4), "25 frames a second: {delays:?}");
    assert!(smaller + 2 >= delays.len(), "only what changes is written");
}

#[test]
fn a_gif_file_of_a_long_fall_of_a_large_model_leaves_out_moments_before_the_last() {
    let folder = Folder::new("long");
    let mut model = Model::load("mannequin.iqm", skelobj::assets::MANNEQUIN_IQM, |_| None).expect("the mannequin");
    // Triangles that have neither an area nor normals count, and take no time.
    model.meshes[0].normals.clear();
    model.meshes[0].triangles.extend(std::iter::repeat_n([0; 3], 24_000));
    folder.write("large.iqm", write::iqm(&model).expect("a model"));
    folder.write("large.iqm.doll", skelobj::assets::MANNEQUIN_DOLL);
    // It drifts in the water for as long as the fall may last.
    let fall = ["large.iqm", "--water", "60", "--seconds", "6", "--width", "64", "-o", "fall.gif"];
    let output = folder.draw(&fall);
    assert!(output.status.success(), "{}", said(&output));
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.contains("60 frames (4.0 s before the last are left out)"), "{told}");
    let file = std::fs::File::open(folder.0.join("fall.gif")).expect("a picture");
    let mut decoder = gif::DecodeOptions::new().read_info(file).expect("a GIF file");
    let mut frames = 0;
    while decoder.read_next_frame().expect("a frame").is_some() {
        frames += 1;
    }
    assert_eq!(frames, 60);
}

#[test]
fn a_glb_file_has_the_skin_the_bodies_and_the_fall() {
    let folder = Folder::new("glb");
    let output = folder.draw(&["--seed", "3", "-o", "fall.glb"]);
    assert!(output.status.success(), "{}", said(&output));
    let bytes = std::fs::read(folder.0.join("fall.glb")).expect("a model");
    assert_eq!(Format::detect(&bytes), Format::from_extension("glb"));
    let fall = Model::load("fall.glb", &bytes, |_| None).expect("a model");
    let bodies = fall.meshes.iter().filter(|mesh| mesh.name.as_bytes().starts_with(b"body "));
    assert_eq!(bodies.count(), 16);
    let animation = &fall.animations[0];
    assert_eq!(animation.name, Name::from("fall"));
    assert!(animation.duration() > 1.0);
    // The head is high at first, and lies on the floor at last, as its body does.
    let height = |name: &str, time: f32| {
        let bone = fall.find_tag(name).expect("the bone");
        let frame = skelobj::model::FrameState::single(0, time.into());
        fall.tag_matrix(bone, &frame).expect("its place").origin().z
    };
    for bone in ["head", "body head"] {
        let [first, last] = [height(bone, 0.0), height(bone, animation.duration())];
        assert!(first > last + 40.0 && (0.0..20.0).contains(&last), "{bone}: {first} to {last}");
    }
    assert!(folder.draw(&["--seed", "3", "--no-bodies", "-o", "skin.glb"]).status.success());
    let bytes = std::fs::read(folder.0.join("skin.glb")).expect("a model");
    let skin = Model::load("skin.glb", &bytes, |_| None).expect("a model");
    assert!(skin.meshes.iter().all(|mesh| !mesh.name.as_bytes().starts_with(b"body ")));
}
