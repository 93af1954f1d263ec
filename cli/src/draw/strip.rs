//! Panels side by side, in one row or several.

use std::borrow::Borrow;

use tiny_skia::{Pixmap, PixmapPaint, Transform};

use super::camera::Camera;
use super::ground::Ground;
use super::layout::{Layout, word};
use super::panel;
use super::panel::Detail;
use super::parallel;
use super::scene::{Scene, Stage};
use crate::error::CliError;
use crate::progress::Progress;

/// Draws `count` scenes from one camera, with at most `columns` in a row, and encodes the picture as PNG. Each scene is
/// asked for twice, so that few of them are in memory.
pub fn draw<S: Borrow<Scene>>(
    count: usize,
    scene: impl Fn(usize) -> S + Sync,
    stage: &Stage,
    width: u32,
    columns: u32,
) -> Result<Vec<u8>, CliError> {
    let nothing = || CliError::Picture("there is nothing to see".to_owned());
    let (mut aimed, mut has_words) = (Vec::new(), false);
    for number in 0..count {
        let scene = scene(number);
        aimed.extend(scene.borrow().aimed());
        has_words |= !word(scene.borrow().kind).is_empty();
    }
    let camera = Camera::aimed_at(aimed.into_iter(), stage.floor).ok_or_else(nothing)?;
    let columns = columns.clamp(1, (count as u32).max(1));
    let layout = Layout::new(columns, has_words, width, &camera);
    layout.check(count)?;
    let view = camera.view(layout.panel.map(|pixels| pixels as f32), layout.margins());
    let tall = layout.top((count as u32).div_ceil(columns)) - layout.gutter();
    let too_large = || {
        let advice = "choose a smaller --width, or fewer --panels";
        CliError::Picture(format!("the picture would have {width} x {tall} pixels: {advice}"))
    };
    let mut strip = Pixmap::new(width, tall).ok_or_else(too_large)?;
    let ground = Ground::new(stage, &view, layout.panel, Detail::STILL);
    let progress = Progress::new(count, "drawing");
    let picture = |number: usize| {
        let scene = scene(number);
        let (mut picture, left_out) = panel::draw(scene.borrow(), stage, &ground, &view, Detail::STILL)?;
        layout.label(scene.borrow(), &mut picture);
        if number == 0 {
            layout.scale(&view, &mut picture);
        }
        layout.round(&mut picture);
        Some((picture, left_out))
    };
    let pictures = parallel::map(count, picture, || progress.tick());
    let pictures = pictures.into_iter().collect::<Option<Vec<_>>>().ok_or_else(too_large)?;
    panel::report(pictures.iter().map(|(_, left_out)| *left_out));
    for (number, (picture, _)) in pictures.into_iter().enumerate() {
        let (row, column) = (number as u32 / columns, number as u32 % columns);
        let (left, top) = (layout.left(column), layout.top(row) as i32);
        strip.draw_pixmap(left, top, picture.as_ref(), &PixmapPaint::default(), Transform::identity(), None);
    }
    strip.encode_png().map_err(|error| CliError::Picture(error.to_string()))
}
