//! Panels side by side.

use skelobj::math::Vec3;
use tiny_skia::{FillRule, Mask, PathBuilder, Pixmap, PixmapPaint, Transform};

use super::camera::Camera;
use super::scene::Scene;
use super::timeline::Kind;
use super::{glyph, panel};
use crate::error::CliError;

/// Least and greatest width of a panel, as a multiple of its height.
const ASPECTS: (f32, f32) = (0.45, 1.6);
const TIME_COLOR: [u8; 3] = [52, 60, 70];
const WORD_COLOR: [u8; 3] = [112, 124, 138];

/// Draws all scenes from one camera and encodes the picture as PNG.
pub fn draw(scenes: &[Scene], width: u32) -> Result<Vec<u8>, CliError> {
    let nothing = || CliError::Picture("there is nothing to see".to_owned());
    let camera = Camera::aimed_at(scenes.iter().flat_map(Scene::points)).ok_or_else(nothing)?;
    let layout = Layout::new(scenes.len() as u32, width, &camera);
    let view = camera.view(layout.panel.map(|pixels| pixels as f32), layout.margins());
    let mut strip = Pixmap::new(width, layout.panel[1]).ok_or_else(nothing)?;
    for (number, scene) in scenes.iter().enumerate() {
        let mut picture = panel::draw(scene, &view, layout.panel).ok_or_else(nothing)?;
        label(scene, layout.unit(), &mut picture);
        round(&mut picture, layout.unit() * 4.0);
        let left = layout.left(number as u32);
        strip.draw_pixmap(left, 0, picture.as_ref(), &PixmapPaint::default(), Transform::identity(), None);
    }
    strip.encode_png().map_err(|error| CliError::Picture(error.to_string()))
}

/// Positions of panels, pixels.
struct Layout {
    width: u32,
    count: u32,
    /// Width and height of each panel.
    panel: [u32; 2],
}

impl Layout {
    fn new(count: u32, width: u32, camera: &Camera) -> Self {
        let count = count.max(1);
        let gutter = (width / 320).max(1);
        let wide = (width.saturating_sub(gutter * (count - 1)) / count).max(1);
        let mut layout = Self { width, count, panel: [wide, wide] };
        let [side, top, bottom] = layout.margins();
        let tall = (wide as f32 - 2.0 * side) / camera.aspect() + top + bottom;
        let tall = tall.clamp(wide as f32 / ASPECTS.1, wide as f32 / ASPECTS.0);
        layout.panel[1] = (tall.round() as u32).max(1);
        layout
    }

    /// Returns the left edge of a panel; the remaining width is spread over the gutters.
    fn left(&self, number: u32) -> i32 {
        let spare = self.width.saturating_sub(self.panel[0]);
        (spare * number / (self.count - 1).max(1)) as i32
    }

    /// Returns the unit of the labels, pixels.
    fn unit(&self) -> f32 {
        (self.panel[0] as f32 / 110.0).clamp(0.7, 3.0)
    }

    /// Returns the margins left and right, top, and bottom; the labels are below.
    fn margins(&self) -> [f32; 3] {
        let side = self.panel[0] as f32 * 0.06;
        [side, side, side + self.unit() * 16.0]
    }
}

fn label(scene: &Scene, unit: f32, picture: &mut Pixmap) {
    let word = match scene.kind {
        Kind::Animated => "animated",
        Kind::Released => "let go",
        Kind::Falling => "",
        Kind::Contact => "contact",
        Kind::Rest => "at rest",
    };
    // A negative zero would have a sign.
    let time = (scene.time * 100.0).round() / 100.0 + 0.0;
    let baseline = picture.height() as f32 - unit * 8.0;
    glyph::write(&format!("{time:.2} s"), [unit * 7.0, baseline - unit * 9.0], unit, TIME_COLOR, picture);
    glyph::write(word, [unit * 7.0, baseline], unit * 0.8, WORD_COLOR, picture);
}

/// Rounds the corners of the picture.
fn round(picture: &mut Pixmap, radius: f32) {
    let (width, height) = (picture.width() as f32, picture.height() as f32);
    let radius = radius.min(width * 0.5).min(height * 0.5);
    // A quarter circle as one cubic.
    let bend = radius * 0.447_715;
    let mut path = PathBuilder::new();
    path.move_to(radius, 0.0);
    for (corner, next) in [
        (Vec3::new(width, 0.0, 0.0), Vec3::Y),
        (Vec3::new(width, height, 0.0), Vec3::NEG_X),
        (Vec3::new(0.0, height, 0.0), Vec3::NEG_Y),
        (Vec3::ZERO, Vec3::X),
    ] {
        // Clockwise: the edge arrives along the direction that `next` turns left of.
        let arriving = Vec3::new(next.y, -next.x, 0.0);
        let (from, to) = (corner - arriving * radius, corner + next * radius);
        let (bend_from, bend_to) = (corner - arriving * bend, corner + next * bend);
        path.line_to(from.x, from.y);
        path.cubic_to(bend_from.x, bend_from.y, bend_to.x, bend_to.y, to.x, to.y);
    }
    path.close();
    if let (Some(path), Some(mut mask)) = (path.finish(), Mask::new(picture.width(), picture.height())) {
        mask.fill_path(&path, FillRule::Winding, true, Transform::identity());
        picture.apply_mask(&mask);
    }
}
