//! Small pictures that `skelobj draw` must still draw, within what an eye tells apart.
//!
//! `SKELOBJ_REGENERATE=1` writes the pictures of `cli/tests/pictures` again; look at them before you commit them.

use crate::drawing::Folder;
use crate::small_bsp::Bsp29;
use skelobj::math::Vec3;
use tiny_skia::Pixmap;

/// Greatest mean distance of colours in Oklab, where 0.02 is the least that an eye sees.
const MEAN: f32 = 0.006;
/// Greatest distance of a spot of 5 x 5 pixels.
const SPOT: f32 = 0.12;

/// Pictures with the arguments that draw them.
const PICTURES: [(&str, &[&str]); 4] = [
    ("fall", &["--panels", "3", "--width", "320"]),
    ("walk", &["--anim", "walk", "--panels", "3", "--width", "240"]),
    ("bones", &["chain.iqm", "--panels", "2", "--width", "200"]),
    ("room", &["--anim", "walk", "--level", "room.bsp", "--at", "0,0,-40", "--panels", "2", "--width", "240"]),
];

#[test]
fn the_pictures_look_as_they_did() {
    let golden = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures");
    let folder = Folder::new("golden");
    folder.write("room.bsp", Bsp29::room().bytes());
    let chain = golden.join("../../../tests/golden/models/chain.iqm");
    folder.write("chain.iqm", std::fs::read(chain).expect("a model of the tests"));
    for (name, arguments) in PICTURES {
        let file = format!("{name}.png");
        let output = folder.draw(&[arguments, &["-o", &file]].concat());
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let kept = golden.join(&file);
        if std::env::var_os("SKELOBJ_REGENERATE").is_some() {
            std::fs::copy(folder.0.join(&file), &kept).expect("a place to write");
        }
        let [now, before] = [folder.picture(&file), Pixmap::load_png(&kept).expect("a picture that is kept")];
        assert_eq!([now.width(), now.height()], [before.width(), before.height()], "{name}");
        let (mean, spot) = difference(&before, &now);
        assert!(mean < MEAN && spot < SPOT, "{name}: the mean difference is {mean}, that of a spot {spot}");
    }
}

#[test]
fn a_small_change_makes_a_picture_differ() {
    let mut before = Pixmap::new(160, 90).expect("a picture");
    before.fill(tiny_skia::Color::from_rgba8(200, 210, 220, 255));
    let mut after = before.clone();
    assert_eq!(difference(&before, &after), (0.0, 0.0));
    let red = tiny_skia::PremultipliedColorU8::from_rgba(220, 60, 50, 255).expect("a colour");
    // A hand that is missing: 6 x 6 pixels.
    for row in 40..46 {
        after.pixels_mut()[row * 160 + 80..row * 160 + 86].fill(red);
    }
    let (_, spot) = difference(&before, &after);
    assert!(spot > SPOT, "{spot}");
    // The whole picture a little darker.
    let mut darker = before.clone();
    darker.fill(tiny_skia::Color::from_rgba8(192, 202, 212, 255));
    let (mean, _) = difference(&before, &darker);
    assert!(mean > MEAN, "{mean}");
}

/// Returns the mean distance of the pixels' colours, and the greatest distance of the means of 5 x 5 pixels.
fn difference(a: &Pixmap, b: &Pixmap) -> (f32, f32) {
    let (width, height) = (a.width() as usize, a.height() as usize);
    let apart: Vec<Vec3> = a.pixels().iter().zip(b.pixels()).map(|(a, b)| oklab(*a) - oklab(*b)).collect();
    let mean = apart.iter().map(|way| way.length()).sum::<f32>() / apart.len() as f32;
    let spot = |x: usize, y: usize| {
        let pixels = (y..y + 5).flat_map(|row| (x..x + 5).map(move |column| row * width + column));
        (pixels.map(|index| apart[index]).sum::<Vec3>() / 25.0).length()
    };
    let spots = (0..height - 4).flat_map(|y| (0..width - 4).map(move |x| (x, y)));
    (mean, spots.map(|(x, y)| spot(x, y)).fold(0.0, f32::max))
}

/// Converts a colour over white to Oklab of Björn Ottosson: lightness, green to red, and blue to yellow.
fn oklab(pixel: tiny_skia::PremultipliedColorU8) -> Vec3 {
    let alpha = f32::from(pixel.alpha()) / 255.0;
    let linear = |byte: u8| {
        let part = f32::from(byte) / 255.0 + 1.0 - alpha;
        if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    let [r, g, b] = [pixel.red(), pixel.green(), pixel.blue()].map(linear);
    let l = (0.412_221_47 * r + 0.536_332_55 * g + 0.051_445_995 * b).cbrt();
    let m = (0.211_903_5 * r + 0.680_699_5 * g + 0.107_396_96 * b).cbrt();
    let s = (0.088_302_46 * r + 0.281_718_85 * g + 0.629_978_7 * b).cbrt();
    Vec3::new(
        0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s,
        1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
        0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s,
    )
}
