//! Panels side by side, in one row or several.

use tiny_skia::{Pixmap, PixmapPaint, Transform};

use super::aim::Aim;
use super::camera::Camera;
use super::cut;
use super::ground::Ground;
use super::layout::Layout;
use super::panel;
use super::panel::Detail;
use super::parallel;
use super::scene::{Scene, Stage};
use crate::error::CliError;
use crate::progress::Progress;

/// Draws `count` scenes from one camera, with at most `columns` in a row, and encodes the picture as PNG. Each scene is
/// asked for twice, so that few of them are in memory.
pub fn draw(
    count: usize,
    scene: impl Fn(usize) -> Scene + Sync,
    stage: &Stage,
    width: u32,
    columns: u32,
) -> Result<Vec<u8>, CliError> {
    let nothing = || CliError::Picture("there is nothing to see".to_owned());
    let aim = Aim::new(count, &scene);
    let camera = Camera::aimed_at(aim.points.iter().copied(), stage).ok_or_else(nothing)?;
    let columns = columns.clamp(1, (count as u32).max(1));
    let layout = Layout::new(columns, aim.has_words, width, &camera);
    layout.check(count)?;
    let view = camera.view(layout.panel.map(|pixels| pixels as f32), layout.margins());
    let tall = layout.top((count as u32).div_ceil(columns)) - layout.gutter();
    let too_large = || {
        let advice = "choose a smaller --width, or fewer --panels";
        CliError::Picture(format!("the picture would have {width} x {tall} pixels: {advice}"))
    };
    let mut strip = Pixmap::new(width, tall).ok_or_else(too_large)?;
    let ground = Ground::new(stage, &view, layout.panel, Detail::STILL);
    let level = cut::shown(&stage.level, &camera, &aim.points);
    let progress = Progress::new(count, "drawing");
    let picture = |number: usize| {
        let scene = scene(number);
        let (mut picture, left_out) = panel::draw(&scene, &level, &ground, &view, Detail::STILL)?;
        layout.label(&scene, &mut picture);
        if number == 0 {
            layout.scale(&view, &mut picture);
        }
        layout.round(&mut picture);
        Some((picture, left_out))
    };
    let mut left_out = Some(0);
    parallel::each(count, picture, |number, picture| {
        progress.tick();
        left_out = left_out.zip(picture).map(|(most, (picture, left_out))| {
            let (row, column) = (number as u32 / columns, number as u32 % columns);
            let (left, top) = (layout.left(column), layout.top(row) as i32);
            strip.draw_pixmap(left, top, picture.as_ref(), &PixmapPaint::default(), Transform::identity(), None);
            most.max(left_out)
        });
    });
    panel::report(left_out.ok_or_else(too_large)?);
    strip.encode_png().map_err(|error| CliError::Picture(error.to_string()))
}
