//! Sizes of panels and their margins, and the labels in them.

use skelobj::math::Vec3;
use tiny_skia::{FillRule, Mask, PathBuilder, Pixmap, Transform};

use super::camera::{Camera, View};
use super::scene::Scene;
use super::shot::Stamp;
use super::timeline::Kind;
use super::{glyph, scale};
use crate::error::CliError;

/// Least and greatest width of a panel, as a multiple of its height.
const ASPECTS: (f32, f32) = (0.45, 1.6);
const TIME_COLOR: [u8; 3] = [52, 60, 70];
const WORD_COLOR: [u8; 3] = [112, 124, 138];

/// Baseline of the last line above the lower edge, and distances from line to line and of the first from the motion,
/// units of the labels.
const BOTTOM: f32 = 7.0;
const LINE: f32 = 10.0;
const GAP: f32 = 4.0;

/// Positions of panels, pixels.
pub struct Layout {
    width: u32,
    columns: u32,
    /// Number of lines of the labels.
    lines: u32,
    /// Width and height of each panel.
    pub panel: [u32; 2],
}

/// Maximum number of pixels of a panel, which each thread draws with nine samples a pixel.
const MAX_PANEL: u64 = 1 << 22;
/// Maximum number of pixels of all panels.
const MAX_PIXELS: u64 = 1 << 29;

impl Layout {
    /// Refuses pictures that would not fit into the memory of common machines.
    pub fn check(&self, panels: usize) -> Result<(), CliError> {
        let [wide, tall] = self.panel;
        let pixels = u64::from(wide) * u64::from(tall);
        if pixels > MAX_PANEL {
            let advice = "at most 4194304 pixels are drawn: choose a smaller --width, or more --columns";
            return Err(CliError::Picture(format!("a panel would have {wide} x {tall} pixels, {advice}")));
        }
        if pixels * panels as u64 > MAX_PIXELS {
            let advice = "choose a smaller --width, or a shorter motion";
            return Err(CliError::Picture(format!(
                "{panels} pictures of {wide} x {tall} pixels are too many: {advice}"
            )));
        }
        Ok(())
    }

    /// Lays out panels in columns, for a camera that sees the whole motion. Where a moment has a word, labels have two
    /// lines.
    pub fn new(columns: u32, has_words: bool, width: u32, camera: &Camera) -> Self {
        let lines = if has_words { 2 } else { 1 };
        let mut layout = Self { width, columns, lines, panel: [0; 2] };
        let wide = (width.saturating_sub(layout.gutter() * (columns - 1)) / columns).max(1);
        layout.panel = [wide, wide];
        let [side, top, bottom] = layout.margins();
        let tall = (wide as f32 - 2.0 * side) / camera.aspect() + top + bottom;
        let tall = tall.clamp(wide as f32 / ASPECTS.1, wide as f32 / ASPECTS.0);
        layout.panel[1] = (tall.round() as u32).max(1);
        layout
    }

    /// Returns the left edge of a column; the remaining width is spread over the gutters.
    pub fn left(&self, number: u32) -> i32 {
        let spare = self.width.saturating_sub(self.panel[0]);
        (spare * number / (self.columns - 1).max(1)) as i32
    }

    /// Returns the upper edge of a row.
    pub fn top(&self, row: u32) -> u32 {
        row * (self.panel[1] + self.gutter())
    }

    /// Returns the space between panels.
    pub fn gutter(&self) -> u32 {
        (self.width / 320).max(1)
    }

    /// Returns the margins left and right, top, and bottom; the labels are below.
    pub fn margins(&self) -> [f32; 3] {
        let side = self.panel[0] as f32 * 0.06;
        [side, side, self.baseline() + self.unit() * (6.0 + GAP)]
    }

    /// Returns the unit of the labels, pixels. Capitals are 6 units high.
    fn unit(&self) -> f32 {
        (self.panel[0] as f32 / 100.0).clamp(0.7, 3.0)
    }

    /// Returns the height of the baseline of the first line above the lower edge, pixels.
    fn baseline(&self) -> f32 {
        self.unit() * (BOTTOM + LINE * (self.lines - 1) as f32)
    }

    /// Writes the time of a scene, and on a second line the word for its moment.
    pub fn label(&self, scene: &Scene, picture: &mut Pixmap) {
        let text = match scene.stamp {
            // A negative zero would have a sign.
            Stamp::Seconds(time) => format!("{:.2} s", (time * 100.0).round() / 100.0 + 0.0),
            Stamp::Degrees(angle) => format!("{angle:.0}°"),
        };
        let (unit, height) = (self.unit(), picture.height() as f32);
        glyph::write(&text, [unit * 7.0, height - self.baseline()], unit, TIME_COLOR, picture);
        glyph::write(word(scene.kind), [unit * 7.0, height - unit * BOTTOM], unit, WORD_COLOR, picture);
    }

    /// Draws the bar that shows how long a unit is.
    pub fn scale(&self, view: &View, picture: &mut Pixmap) {
        scale::draw(view, self.unit(), picture.height() as f32 - self.baseline(), WORD_COLOR, picture);
    }

    /// Rounds the corners of the picture.
    pub fn round(&self, picture: &mut Pixmap) {
        round(picture, self.unit() * 4.0);
    }
}

/// Returns the word below the time of a moment.
pub fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Animated => "animated",
        Kind::Released => "let go",
        Kind::Between => "",
        Kind::Contact => "contact",
        Kind::Rest => "at rest",
        Kind::Moving => "still moves",
        Kind::Standing => "still stands",
        Kind::LeftLevel => "left the level",
        Kind::Falls => "falls",
        Kind::ComesApart => "comes apart",
        Kind::GetsUp => "gets up",
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_can_be_written() {
        use Kind::{
            Animated, Between, ComesApart, Contact, Falls, GetsUp, LeftLevel, Moving, Released, Rest, Standing,
        };
        let kinds =
            [Animated, Between, ComesApart, Contact, Falls, GetsUp, LeftLevel, Moving, Released, Rest, Standing];
        assert_eq!(kinds.map(word).map(glyph::has_all), [true; 11]);
    }
}
