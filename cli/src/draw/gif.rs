//! Looping GIF of a motion.

use std::collections::HashMap;

use color_quant::NeuQuant;
use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use skelobj::Model;
use tiny_skia::Pixmap;

use super::aim::Aim;
use super::camera::Camera;
use super::cut;
use super::ground::Ground;
use super::layout::Layout;
use super::panel;
use super::panel::Detail;
use super::parallel;
use super::scene::{Scene, Stage};
use super::shot::Shot;
use crate::error::CliError;
use crate::progress::Progress;

/// Frames per second; a GIF counts in hundredths of a second.
pub const RATE: f32 = 25.0;
const DELAY: u16 = (100.0 / RATE) as u16;
/// Time for which the last frame stays, hundredths of a second.
const REST: u16 = 120;

/// Maximum number of triangles in all frames of a fall, about 3 s of work, and the number of frames that every fall may
/// have.
const MAX_TRIANGLES: usize = 550_000;
const FEWEST: usize = 60;

/// Number of colours, without the one that stands for what is left as it was.
const COLORS: usize = 255;
const KEPT: u8 = 255;
/// Greatest difference of a part of a colour that nobody sees from one frame to the next.
const UNSEEN: u8 = 5;
/// Number of pictures whose colours decide on those of all.
const SAMPLED: usize = 12;
/// Maximum number of pixels that decide on the colours.
const SAMPLES: usize = 1 << 18;
/// One of this many samples teaches the palette in each cycle; 1 is the best and slowest.
const SAMPLE_FACTOR: i32 = 3;

/// Leaves out moments before the last of a fall of a model with many triangles, and returns their duration, seconds.
pub fn shorten(shots: &mut Vec<Shot>, model: &Model) -> f32 {
    let triangles: usize = model.meshes.iter().map(|mesh| mesh.triangles.len()).sum();
    let most = (MAX_TRIANGLES / triangles.max(1)).max(FEWEST);
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
    let aim = Aim::new(count, &scene);
    let camera = Camera::aimed_at(aim.points.iter().copied(), stage).ok_or_else(nothing)?;
    let layout = Layout::new(1, aim.has_words, width, &camera);
    layout.check(count)?;
    let view = camera.view(layout.panel.map(|pixels| pixels as f32), layout.margins());
    let ground = Ground::new(stage, &view, layout.panel, Detail::MOVING);
    let level = cut::shown(&stage.level, &camera, &aim.points);
    let picture = |number: usize| {
        let scene = scene(number);
        let (mut picture, left_out) = panel::draw(&scene, &level, &ground, &view, Detail::MOVING)?;
        layout.label(&scene, &mut picture);
        layout.scale(&view, &mut picture);
        Some((colors(&picture), left_out))
    };
    let samples = Palette::samples(count, |number| Some(picture(number)?.0)).ok_or_else(nothing)?;
    let progress = Progress::new(count, "drawing");
    let failed = |error: EncodingError| CliError::Picture(error.to_string());
    let mut file = File::new(layout.panel.map(|pixels| pixels as u16), Palette::new(&samples)).map_err(failed)?;
    let (mut written, mut most, mut drawn) = (Ok(()), 0, 0);
    parallel::each(count, picture, |number, picture| {
        progress.tick();
        let delay = if ends && number + 1 == count { REST } else { DELAY };
        if let (Ok(()), Some((picture, left_out))) = (&written, picture) {
            most = most.max(left_out);
            drawn += 1;
            written = file.add(picture, delay);
        }
    });
    written.map_err(failed)?;
    if drawn < count {
        return Err(nothing());
    }
    panel::report(most);
    file.encoder.into_inner().map_err(failed)
}

/// Returns the colours of an opaque picture.
fn colors(picture: &Pixmap) -> Vec<[u8; 3]> {
    picture.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect()
}

/// File to which frames are added.
struct File {
    encoder: Encoder<Vec<u8>>,
    width: u16,
    palette: Palette,
    /// Colours that the pixels were given, and their indexes in the palette.
    before: Option<(Vec<[u8; 3]>, Vec<u8>)>,
}

impl File {
    fn new([width, height]: [u16; 2], palette: Palette) -> Result<Self, EncodingError> {
        let mut encoder = Encoder::new(Vec::new(), width, height, &palette.bytes())?;
        encoder.set_repeat(Repeat::Infinite)?;
        Ok(Self { encoder, width, palette, before: None })
    }

    fn add(&mut self, mut picture: Vec<[u8; 3]>, delay: u16) -> Result<(), EncodingError> {
        let palette = &mut self.palette;
        let indexes: Vec<u8> = match &self.before {
            // Most pixels stay as they were, or change less than anybody sees.
            Some((colors, indexes)) => {
                let old = colors.iter().zip(indexes);
                picture
                    .iter_mut()
                    .zip(old)
                    .map(|(new, (old, index))| {
                        if new.iter().zip(old).all(|(new, old)| new.abs_diff(*old) <= UNSEEN) {
                            *new = *old;
                            return *index;
                        }
                        palette.index(*new)
                    })
                    .collect()
            }
            None => picture.iter().map(|color| palette.index(*color)).collect(),
        };
        let mut frame = changed(self.before.as_ref().map(|(_, indexes)| &indexes[..]), &indexes, self.width);
        (frame.delay, frame.dispose) = (delay, DisposalMethod::Keep);
        self.encoder.write_frame(&frame)?;
        self.before = Some((picture, indexes));
        Ok(())
    }
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
    /// Returns pixels of some of `count` pictures, spread over all; `None` if one cannot be drawn.
    fn samples(count: usize, picture: impl Fn(usize) -> Option<Vec<[u8; 3]>> + Sync) -> Option<Vec<[u8; 3]>> {
        let shown = count.min(SAMPLED);
        let samples = |number: usize| {
            let picture = picture(number * count.saturating_sub(1) / shown.saturating_sub(1).max(1))?;
            let step = (picture.len() * shown).div_ceil(SAMPLES).max(1);
            Some(picture.into_iter().step_by(step).collect::<Vec<_>>())
        };
        let samples = parallel::map(0..shown, samples, || ());
        Some(samples.into_iter().collect::<Option<Vec<_>>>()?.concat())
    }

    fn new(samples: &[[u8; 3]]) -> Self {
        let bytes: Vec<u8> = samples.iter().flat_map(|[red, green, blue]| [*red, *green, *blue, 255]).collect();
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
