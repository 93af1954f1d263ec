//! Characters of the labels, drawn as strokes.

use tiny_skia::{FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, Transform};

/// Characters with their widths and strokes. Points are column and row of a grid: capitals and digits use rows 0 to 6,
/// small letters rows 2 to 6. `|` lifts the pen; a single point is a dot.
const GLYPHS: &[(char, f32, &str)] = &[
    ('0', 4.0, "10 30 41 45 36 16 05 01 10"),
    ('1', 3.0, "01 20 26"),
    ('2', 4.0, "01 10 30 41 42 06 46"),
    ('3', 4.0, "01 10 30 41 42 33 13|33 44 45 36 16 05"),
    ('4', 4.0, "36 30 04 44"),
    ('5', 4.0, "40 00 03 12 32 43 45 36 16 05"),
    ('6', 4.0, "41 30 10 01 05 16 36 45 43 32 12 03"),
    ('7', 4.0, "00 40 16"),
    ('8', 4.0, "13 02 01 10 30 41 42 33 13 04 05 16 36 45 44 33"),
    ('9', 4.0, "05 16 36 45 41 30 10 01 03 14 34 43"),
    ('-', 3.0, "03 33"),
    ('.', 0.0, "06"),
    ('°', 2.0, "10 20 21 11 10"),
    ('a', 3.0, "33 22 12 03 05 16 26 35|32 36"),
    ('c', 3.0, "33 22 12 03 05 16 26 35"),
    ('d', 3.0, "33 22 12 03 05 16 26 35|30 36"),
    ('e', 3.0, "04 34 33 22 12 03 05 16 26 35"),
    ('f', 2.0, "20 11 16|02 22"),
    ('g', 3.0, "33 22 12 03 05 16 26 35|32 37 28 18 07"),
    ('h', 3.0, "00 06|03 12 22 33 36"),
    ('i', 0.0, "02 06|00"),
    ('l', 0.0, "00 06"),
    ('m', 4.0, "02 06|03 12 23 26|23 32 43 46"),
    ('n', 3.0, "02 06|03 12 22 33 36"),
    ('o', 3.0, "12 22 33 35 26 16 05 03 12"),
    ('p', 3.0, "02 08|03 12 22 33 35 26 16 05"),
    ('r', 2.0, "02 06|04 12 22"),
    ('s', 3.0, "33 22 12 03 14 24 35 26 16 05"),
    ('t', 2.0, "10 15 26|02 22"),
    ('u', 3.0, "02 05 16 26 35|32 36"),
    ('v', 4.0, "02 26 42"),
    (' ', 1.0, ""),
];

/// Space between characters, grid units.
const SPACE: f32 = 2.0;

/// Returns `true` if every character of a text has strokes.
#[cfg(test)]
pub fn has_all(text: &str) -> bool {
    text.chars().all(|c| GLYPHS.iter().any(|(known, ..)| *known == c))
}

/// Returns the width of a text, pixels.
pub fn width(text: &str, unit: f32) -> f32 {
    let known = text.chars().filter_map(|c| GLYPHS.iter().find(|(glyph, ..)| *glyph == c));
    (known.map(|(_, width, _)| width + SPACE).sum::<f32>() - SPACE).max(0.0) * unit
}

/// Writes a text with the left end of its baseline at `at`; a grid unit is `unit` pixels.
pub fn write(text: &str, at: [f32; 2], unit: f32, color: [u8; 3], picture: &mut Pixmap) {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(color[0], color[1], color[2], 255);
    let stroke = Stroke { width: unit, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() };
    let mut left = at[0];
    for (_, width, strokes) in text.chars().filter_map(|c| GLYPHS.iter().find(|(glyph, ..)| *glyph == c)) {
        let place = |point: &str| {
            let mut digits = point.chars().filter_map(|c| c.to_digit(10)).map(|digit| digit as f32);
            let (x, y) = (digits.next().unwrap_or(0.0), digits.next().unwrap_or(0.0));
            (left + x * unit, at[1] + (y - 6.0) * unit)
        };
        for pen in strokes.split('|') {
            let points: Vec<(f32, f32)> = pen.split_whitespace().map(place).collect();
            if let [(x, y)] = points[..] {
                if let Some(dot) = PathBuilder::from_circle(x, y, unit * 0.75) {
                    picture.fill_path(&dot, &paint, FillRule::Winding, Transform::identity(), None);
                }
            } else if let Some(path) = polyline(&points) {
                picture.stroke_path(&path, &paint, &stroke, Transform::identity(), None);
            }
        }
        left += (width + SPACE) * unit;
    }
}

fn polyline(points: &[(f32, f32)]) -> Option<Path> {
    let mut path = PathBuilder::new();
    let (first, rest) = points.split_first()?;
    path.move_to(first.0, first.1);
    rest.iter().for_each(|(x, y)| path.line_to(*x, *y));
    path.finish()
}
