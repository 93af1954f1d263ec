//! Textures in maps, and how they are projected onto surfaces.

use skelobj::glam::{Vec2, Vec3, Vec4};
use skelobj::physics::{BspTexture, BspTextures, Level};

use crate::common::small_bsp::{Bsp29, TEXINFO, TEXTURES};

/// Texture of 8 x 16 pixels whose indexes count from `first`, with its smaller copies and a palette of two colours.
fn texture(name: &str, first: u8) -> Vec<u8> {
    let mut bytes = name.as_bytes().to_vec();
    bytes.resize(16, 0);
    for number in [8u32, 16, 40, 168, 200, 208] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend((0..128u8).map(|pixel| first.wrapping_add(pixel)));
    bytes.extend([0; 32 + 8 + 2]);
    bytes.extend([2, 0, 10, 20, 30, 40, 50, 60]);
    bytes
}

/// Lump of textures; `None` is one that is missing.
fn lump(textures: &[Option<Vec<u8>>]) -> Vec<u8> {
    let mut bytes = (textures.len() as i32).to_le_bytes().to_vec();
    let mut end = 4 + 4 * textures.len();
    for texture in textures {
        let offset = if texture.is_some() { end as i32 } else { -1 };
        bytes.extend(offset.to_le_bytes());
        end += texture.as_ref().map_or(0, Vec::len);
    }
    bytes.into_iter().chain(textures.iter().flatten().flatten().copied()).collect()
}

fn room(textures: &[Option<Vec<u8>>]) -> Bsp29 {
    let mut bsp = Bsp29::room();
    bsp.lumps[TEXTURES] = lump(textures);
    bsp
}

/// Makes a map one of Half-Life, whose tables are those of Quake.
fn half_life(bsp: &Bsp29) -> Vec<u8> {
    let mut bytes = bsp.bytes();
    bytes[0] = 30;
    bytes
}

fn names(textures: &BspTextures<'_>) -> Vec<Option<String>> {
    (0..textures.len()).map(|number| textures.get(number).map(|texture| texture.name().to_string())).collect()
}

#[test]
fn textures_have_the_numbers_of_the_file_and_those_without_pixels_are_counted() {
    let mut nameless = texture("elsewhere", 0);
    nameless[24..28].fill(0); // Half-Life's way to say that the pixels are in another file
    nameless.truncate(40);
    let bytes = room(&[Some(texture("wall", 0)), None, Some(nameless), Some(texture("floor", 9))]).bytes();
    let textures = BspTextures::new(&bytes).unwrap();
    assert_eq!((textures.len(), textures.is_empty()), (4, false));
    assert_eq!(names(&textures), [Some("wall".to_owned()), None, None, Some("floor".to_owned())]);
    let floor = textures.get(3).unwrap();
    assert_eq!(
        (floor.size().to_array(), &floor.indexes()[..3], floor.indexes().len()),
        ([8, 16], &[9, 10, 11][..], 128)
    );
    assert_eq!(textures.get(4), None);
}

#[test]
fn textures_of_quake_take_the_palette_of_the_game_and_those_of_half_life_their_own() {
    let bsp = room(&[Some(texture("wall", 0))]);
    let (quake, half_life) = (bsp.bytes(), half_life(&bsp));
    let first = |bytes| -> BspTexture<'_> { BspTextures::new(bytes).unwrap().get(0).unwrap() };
    let game = [[1, 2, 3], [4, 5, 6], [7, 8, 9]];
    assert!(first(&quake).palette().is_empty());
    assert_eq!(first(&quake).rgba(&game)[..4], [[1, 2, 3, 255], [4, 5, 6, 255], [7, 8, 9, 255], [0, 0, 0, 255]]);
    assert_eq!(first(&half_life).palette(), [[10, 20, 30], [40, 50, 60]]);
    assert_eq!(first(&half_life).rgba(&game)[..3], [[10, 20, 30, 255], [40, 50, 60, 255], [0, 0, 0, 255]]);
}

#[test]
fn index_255_is_transparent_in_textures_whose_names_begin_with_a_brace() {
    let bytes = room(&[Some(texture("{fence", 254)), Some(texture("fence{", 254))]).bytes();
    let textures = BspTextures::new(&bytes).unwrap();
    let alpha =
        |number| textures.get(number).unwrap().rgba(&[])[..3].iter().map(|[.., alpha]| *alpha).collect::<Vec<_>>();
    assert_eq!((alpha(0), alpha(1)), (vec![255, 0, 255], vec![255; 3]));
}

#[test]
fn damaged_textures_are_left_out_and_their_faces_stay() {
    let sound = texture("wall", 0);
    let triangles = Level::from_bsp(&room(&[Some(sound.clone())]).bytes()).unwrap().models[0].mesh.triangles().len();
    let with = |at: usize, word: u32| {
        let mut changed = texture("wall", 0);
        changed[at..at + 4].copy_from_slice(&word.to_le_bytes());
        changed
    };
    let cut = |length: usize| sound[..length].to_vec();
    // Sizes of 0, or with a product beyond 32 bits; pixels past the end, or in the header; a file that ends early.
    let damaged = [
        with(16, 0),
        with(20, 0),
        with(16, u32::MAX),
        with(24, 200),
        with(24, u32::MAX),
        with(24, 39),
        cut(167),
        cut(39),
    ];
    for (number, changed) in damaged.into_iter().enumerate() {
        let bytes = room(&[Some(changed)]).bytes();
        assert_eq!(names(&BspTextures::new(&bytes).unwrap()), [None], "{number}");
        let level = Level::from_bsp(&bytes).unwrap();
        assert_eq!(level.models[0].mesh.triangles().len(), triangles, "{number}");
    }
    // Palettes past the end, and ones that are cut: nothing is known of the colours.
    for changed in [with(36, u32::MAX), with(36, 212), cut(sound.len() - 1)] {
        let bytes = half_life(&room(&[Some(changed)]));
        assert_eq!(names(&BspTextures::new(&bytes).unwrap()), [None]);
    }
    // More textures than the lump has numbers for.
    let mut bsp = room(&[Some(sound)]);
    bsp.lumps[TEXTURES][..4].copy_from_slice(&i32::MAX.to_le_bytes());
    assert!(BspTextures::new(&bsp.bytes()).unwrap().len() < 100);
    for damage in [&b""[..], b"IBSP\x2c\0\0\0", b"\x1d\0\0\0", &[0xff; 300]] {
        assert!(BspTextures::new(damage).is_err());
    }
}

#[test]
fn surfaces_state_the_projection_and_the_flags_of_their_texture() {
    let mut bsp = room(&[Some(texture("wall", 0)), Some(texture("sky1", 0)), None, None]);
    let floats = [1.0f32, 0.0, 0.0, 16.0, 0.0, -0.5, 0.25, 2.0];
    bsp.lumps[TEXINFO][..32].copy_from_slice(&floats.map(f32::to_le_bytes).concat());
    bsp.lumps[TEXINFO][36..40].copy_from_slice(&5u32.to_le_bytes());
    let level = Level::from_bsp(&bsp.bytes()).unwrap();
    let mesh = &level.models[0].mesh;
    let wall = &level.surfaces[mesh.surfaces()[0] as usize];
    assert_eq!((wall.name.to_string(), wall.flags), ("wall".to_owned(), 5));
    let texture = wall.texture.unwrap();
    assert_eq!((texture.number, texture.s), (0, Vec4::new(1.0, 0.0, 0.0, 16.0)));
    assert_eq!(texture.texel(Vec3::new(8.0, 4.0, 12.0)), Vec2::new(24.0, 3.0));
    // Texture 2 has no pixels, but a number.
    assert_eq!(level.surfaces[2].texture.map(|texture| texture.number), Some(2));
}

#[test]
fn surfaces_without_a_usable_projection_have_no_texture() {
    let sound = room(&[Some(texture("wall", 0))]);
    for (at, word) in [(4, f32::NAN.to_bits()), (28, f32::INFINITY.to_bits()), (32, 7), (32, u32::MAX)] {
        let mut bsp = sound.clone();
        bsp.lumps[TEXINFO][at..at + 4].copy_from_slice(&word.to_le_bytes());
        let level = Level::from_bsp(&bsp.bytes()).unwrap();
        assert_eq!(level.surfaces[0].texture, None, "{at}");
        // The name is that of the texture, if there is one.
        assert_eq!(level.surfaces[0].name.to_string(), if at < 32 { "wall" } else { "" });
        assert!(!level.models[0].mesh.is_empty());
    }
}
