//! Looping GIF of a motion.

use std::collections::HashMap;

use color_quant::NeuQuant;
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use skelobj::Model;
use tiny_skia::Pixmap;

use super::camera::Camera;
use super::ground::Ground;
use super::layout::{Layout, word};
use super::panel;
use super::panel::Detail;
use super::parallel;
use super::scene::{Scene, Stage};
use super::shot::Shot;
use crate::error::CliError;
use crate::progress::Progress;

/// Frames per second; a GIF counts in hundredths of a second.
pub const RATE: f32 = 12.5;
const DELAY: u16 = (100.0 / RATE) as u16;
/// Time for which the last frame stays, hundredths of a second.
const REST: u16 = 120;

/// Maximum number of triangles in all frames of a fall, about 3 s of work, and the number of frames that every fall may
/// have.
const MOST_TRIANGLES: usize = 550_000;
const FEWEST: usize = 30;

/// Number of colours, without the one that stands for what is left as it was.
const COLORS: usize = 255;
const KEPT: u8 = 255;
/// Maximum number of pixels that decide on the colours.
const SAMPLES: usize = 1 << 18;
/// One of this many samples teaches the palette in each cycle; 1 is the best and slowest.
const SAMPLE_FACTOR: i32 = 3;

/// Leaves out moments before the last of a fall of a model with many triangles, and returns their duration, seconds.
pub fn shorten(shots: &mut Vec<Shot>, model: &Model) -> f32 {
    let triangles: usize = model.meshes.iter().map(|mesh| mesh.triangles.len()).sum();
    let most = (MOST_TRIANGLES / triangles.max(1)).max(FEWEST);
    let surplus = shots.len().saturating_sub(most);
    if surplus > 0 {
        shots.drain(most - 1..most - 1 + surplus);
    }
    surplus as f32 / RATE
}

/// Draws `count` moments from one camera, `width` pixels wide. The last frame of a motion that `ends` stays longer.
pub fn draw(
    count: usize,
    scene: impl Fn(usize) -> Scene + Sync,
    stage: &Stage,
    width: u32,
    ends: bool,
) -> Result<Vec<u8>, CliError> {
    let nothing = || CliError::Picture("there is nothing to see".to_owned());
    let aiming = Progress::new(count, "aiming");
    let look = |number: usize| {
        let scene = scene(number);
        (scene.extremes(), !word(scene.kind).is_empty())
    };
    let (extremes, words): (Vec<_>, Vec<_>) = parallel::map(count, look, || aiming.tick()).into_iter().unzip();
    drop(aiming);
    let camera = Camera::aimed_at(extremes.iter().flatten().copied(), stage.floor).ok_or_else(nothing)?;
    let layout = Layout::new(1, words.contains(&true), width, &camera);
    layout.check(count)?;
    let view = camera.view(layout.panel.map(|pixels| pixels as f32), layout.margins());
    let ground = Ground::new(stage, &view, layout.panel, Detail::MOVING);
    let progress = Progress::new(count, "drawing");
    let picture = |number: usize| {
        let scene = scene(number);
        let (mut picture, left_out) = panel::draw(&scene, stage, &ground, &view, Detail::MOVING)?;
        layout.label(&scene, &mut picture);
        layout.scale(&view, &mut picture);
        Some((colors(&picture), left_out))
    };
    let pictures = parallel::map(count, picture, || progress.tick());
    let pictures = pictures.into_iter().collect::<Option<Vec<_>>>().ok_or_else(nothing)?;
    let (pictures, left_out): (Vec<_>, Vec<_>) = pictures.into_iter().unzip();
    panel::report(left_out);
    encode(&pictures, layout.panel.map(|pixels| pixels as u16), ends)
        .map_err(|error| CliError::Picture(error.to_string()))
}

/// Returns the colours of an opaque picture.
fn colors(picture: &Pixmap) -> Vec<[u8; 3]> {
    picture.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect()
}

fn encode(pictures: &[Vec<[u8; 3]>], [width, height]: [u16; 2], ends: bool) -> Result<Vec<u8>, gif::EncodingError> {
    let mut palette = Palette::new(pictures);
    let mut encoder = Encoder::new(Vec::new(), width, height, &palette.bytes())?;
    encoder.set_repeat(Repeat::Infinite)?;
    let mut before: Option<(&[[u8; 3]], Vec<u8>)> = None;
    for (number, picture) in pictures.iter().enumerate() {
        let indexes: Vec<u8> = match &before {
            // Most pixels stay as they were.
            Some((colors, indexes)) => {
                let old = colors.iter().zip(indexes);
                picture
                    .iter()
                    .zip(old)
                    .map(|(new, (old, index))| if new == old { *index } else { palette.index(*new) })
                    .collect()
            }
            None => picture.iter().map(|color| palette.index(*color)).collect(),
        };
        let mut frame = changed(before.as_ref().map(|(_, indexes)| &indexes[..]), &indexes, width);
        let is_last = ends && number + 1 == pictures.len();
        (frame.delay, frame.dispose) = (if is_last { REST } else { DELAY }, DisposalMethod::Keep);
        encoder.write_frame(&frame)?;
        before = Some((picture, indexes));
    }
    encoder.into_inner()
}

/// Returns the smallest rectangle with all changes since the frame before. What did not change in it is left as it was.
fn changed(before: Option<&[u8]>, now: &[u8], width: u16) -> Frame<'static> {
    let wide = usize::from(width);
    let Some(before) = before else {
        let height = (now.len() / wide) as u16;
        return Frame { width, height, buffer: now.to_vec().into(), ..Frame::default() };
    };
    let differs = |index: &usize| before[*index] != now[*index];
    let (mut columns, mut rows) = ([wide, 0], [usize::MAX, 0]);
    for index in (0..now.len()).filter(differs) {
        let (column, row) = (index % wide, index / wide);
        columns = [columns[0].min(column), columns[1].max(column + 1)];
        rows = [rows[0].min(row), rows[1].max(row + 1)];
    }
    if columns[1] == 0 {
        // A frame has at least one pixel.
        (columns, rows) = ([0, 1], [0, 1]);
    }
    let indexes = (rows[0]..rows[1]).flat_map(|row| (columns[0]..columns[1]).map(move |column| row * wide + column));
    let buffer: Vec<u8> = indexes.map(|index| if differs(&index) { now[index] } else { KEPT }).collect();
    Frame {
        left: columns[0] as u16,
        top: rows[0] as u16,
        width: (columns[1] - columns[0]) as u16,
        height: (rows[1] - rows[0]) as u16,
        transparent: Some(KEPT),
        buffer: buffer.into(),
        ..Frame::default()
    }
}

/// Colours that all frames share, so that what stands still does not flicker.
struct Palette {
    colors: NeuQuant,
    known: HashMap<[u8; 3], u8>,
}

impl Palette {
    fn new(pictures: &[Vec<[u8; 3]>]) -> Self {
        let count: usize = pictures.iter().map(Vec::len).sum();
        let step = count.div_ceil(SAMPLES).max(1);
        let samples = pictures.iter().flatten().step_by(step);
        let bytes: Vec<u8> = samples.flat_map(|[red, green, blue]| [*red, *green, *blue, 255]).collect();
        Self { colors: NeuQuant::new(SAMPLE_FACTOR, COLORS, &bytes), known: HashMap::new() }
    }

    /// Returns the colours, and one more for what is left as it was.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.colors.color_map_rgb();
        bytes.resize((COLORS + 1) * 3, 0);
        bytes
    }

    fn index(&mut self, color: [u8; 3]) -> u8 {
        let [red, green, blue] = color;
        let colors = &self.colors;
        *self.known.entry(color).or_insert_with(|| colors.index_of(&[red, green, blue, 255]) as u8)
    }
}
