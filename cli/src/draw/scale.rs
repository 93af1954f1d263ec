//! Bar that shows how long a unit is.

use skelobj::math::Vec3;
use tiny_skia::{LineCap, Paint, PathBuilder, Pixmap, Stroke, Transform};

use super::camera::View;
use super::glyph;

/// Greatest width of the bar, as a share of the panel's.
const WIDEST: f32 = 0.3;

/// Draws a bar at the right of a panel, as long as a round number of units is in the middle of the motion.
pub fn draw(view: &View, unit: f32, baseline: f32, color: [u8; 3], picture: &mut Pixmap) {
    let width = picture.width() as f32;
    let Some(Vec3 { z: nearness, .. }) = view.project(view.camera.centre) else { return };
    let pixel = view.pixel(nearness);
    let Some(units) = round(pixel * width * WIDEST) else { return };
    let (left, right) = (width - unit * 7.0 - units / pixel, width - unit * 7.0);
    let (line, tick) = (baseline, unit * 3.0);
    let mut path = PathBuilder::new();
    path.move_to(left, line - tick);
    path.line_to(left, line);
    path.line_to(right, line);
    path.line_to(right, line - tick);
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(color[0], color[1], color[2], 255);
    let stroke = Stroke { width: unit * 0.8, line_cap: LineCap::Round, ..Stroke::default() };
    if let Some(path) = path.finish() {
        picture.stroke_path(&path, &paint, &stroke, Transform::identity(), None);
    }
    let text = format!("{units} {}", if units == 1.0 { "unit" } else { "units" });
    let small = unit * 0.7;
    glyph::write(&text, [right - glyph::width(&text, small), line - unit * 4.0], small, color, picture);
}

/// Returns the greatest number of units 1, 2 or 5 times a power of ten that is not above `most`.
fn round(most: f32) -> Option<f32> {
    if !(most.is_finite() && most > 1e-3) {
        return None;
    }
    let power = 10_f32.powf(most.log10().floor());
    [5.0, 2.0, 1.0].into_iter().map(|digit| digit * power).find(|units| *units <= most)
}
