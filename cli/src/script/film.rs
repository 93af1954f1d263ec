//! Film strip, or moving picture, of a script.

use std::collections::{HashMap, HashSet};

use skelobj::math::Mat3x4;
use skelobj::physics::Level;

use super::figure::{Figure, Figures};
use super::moments;
use crate::draw::{self, Kind, Posed, Scene, Stage, Stamp};
use crate::error::CliError;
use crate::level;

/// Maximum number of bones that are kept, about 100 MB.
const MAX_BONES: usize = 1 << 21;

/// Greatest width of a panel, pixels.
const WIDEST: u32 = 480;

/// Motion that an entity counts when it appears or vanishes, Quake units.
const APPEARING: f32 = 16.0;

/// Maximum duration of a GIF file, seconds.
const LONGEST: f32 = 300.0;

/// Way from which on an entity moves, for the camera, Quake units.
const MOVING: f32 = 1.0;

/// Motion counted for an entity whose vertices move without bones, Quake units.
const VERTICES: f32 = 1.0;

/// Frames of a script, of which a strip shows the first fall and the like, and between them those with the most
/// motion from one to the next.
///
/// Where the frames have too many bones, every second one is dropped, again and again.
pub struct Film {
    frames: Vec<Frame>,
    /// Number of bones in `frames`.
    bones: usize,
    /// One of this many frames is kept.
    stride: usize,
    seen: usize,
    /// Last frame if it is not in `frames`.
    last: Option<Frame>,
    /// `true` if client code has made a scene.
    has_scene: bool,
    /// `true` if the shapes of bodies are drawn.
    shows_bodies: bool,
}

/// Entities with models in a frame.
pub struct Frame {
    /// Time of the script, seconds.
    pub time: f32,
    /// Entities of which something is visible.
    pub figures: Vec<Figure>,
}

impl Frame {
    fn bones(&self) -> usize {
        // A figure without bones takes memory, too.
        self.figures.iter().map(|figure| figure.bones.len() + figure.bodies.len() + 4).sum()
    }
}

impl Film {
    /// Creates a film without frames, which shows the shapes of bodies if `shows_bodies`.
    pub fn new(shows_bodies: bool) -> Self {
        Self { frames: Vec::new(), bones: 0, stride: 1, seen: 0, last: None, has_scene: false, shows_bodies }
    }

    /// Adds the next frame.
    pub fn add(&mut self, time: f32, Figures { all: mut figures, is_scene }: Figures) {
        if is_scene && !self.has_scene {
            // The frames from before client code drew anything do not show what it draws.
            *self = Self { has_scene: true, ..Self::new(self.shows_bodies) };
        }
        figures.retain(|figure| figure.visible);
        if figures.is_empty() && self.frames.is_empty() {
            return;
        }
        let frame = Frame { time, figures };
        let is_kept = self.seen.is_multiple_of(self.stride);
        self.seen += 1;
        if !is_kept {
            self.last = Some(frame);
            return;
        }
        self.last = None;
        self.bones += frame.bones();
        self.frames.push(frame);
        while self.bones > MAX_BONES && self.frames.len() > 2 {
            let mut number = 0;
            self.frames.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.stride *= 2;
            self.bones = self.frames.iter().map(Frame::bones).sum();
        }
    }

    /// Draws what each moment of a GIF file shows, and returns the file with their number. A frame that lasts longer is
    /// shown several times; the last one ends the file.
    ///
    /// The camera aims at what moves, or at the entity `focus`.
    pub fn gif(mut self, stage: &Stage, width: u32, focus: Option<u64>) -> Result<(Vec<u8>, usize), CliError> {
        let aim = self.begin(focus)?;
        let start = self.frames.first().map_or(0.0, |frame| frame.time);
        let duration = self.frames.last().map_or(0.0, |frame| frame.time) - start;
        if duration > LONGEST {
            let most = format!("expected at most {LONGEST}");
            return Err(CliError::Picture(format!("a GIF file of {duration:.0} seconds is too long: {most}")));
        }
        // A frame that is a little late counts, because times are rounded.
        let due = |moment: usize| start + moment as f32 / draw::GIF_RATE + 1e-4;
        let shown = |moment: usize| self.frames.partition_point(|frame| frame.time <= due(moment)).saturating_sub(1);
        let before_last = (duration * draw::GIF_RATE - 1e-3).ceil().max(0.0) as usize;
        let mut moments: Vec<usize> = (0..before_last).map(shown).collect();
        moments.extend(self.frames.len().checked_sub(1));
        let moment = |number: usize| self.scene(&self.frames[moments[number]], Kind::Between, &aim);
        Ok((draw::gif(moments.len(), moment, stage, width, true)?, moments.len()))
    }

    /// Drops the frames before there is something to follow, and returns the entities at which the camera aims.
    fn begin(&mut self, focus: Option<u64>) -> Result<HashSet<u64>, CliError> {
        self.frames.extend(self.last.take());
        let aim = aim(&self.frames, focus)?;
        let is_followed = |figure: &Figure| focus.is_none_or(|focus| figure.entity == focus);
        let first = self.frames.iter().position(|frame| frame.figures.iter().any(is_followed));
        self.frames.drain(..first.unwrap_or(0));
        Ok(aim)
    }

    /// Draws at most `panels` frames, `columns` in a row, and encodes the picture as PNG. Returns it with the number of
    /// panels.
    ///
    /// The camera aims at what moves, or at the entity `focus`, whose motion then selects the frames.
    pub fn strip(
        mut self,
        stage: &Stage,
        panels: usize,
        columns: u32,
        width: u32,
        focus: Option<u64>,
    ) -> Result<(Vec<u8>, usize), CliError> {
        let aim = self.begin(focus)?;
        let is_followed = |figure: &Figure| focus.is_none_or(|focus| figure.entity == focus);
        let motion = motion(&self.frames, is_followed);
        let end = self.frames.len().saturating_sub(1);
        let mut moments = vec![(end, Kind::Between)];
        if panels > 1 && end > 0 {
            moments.push((0, Kind::Between));
            for moment in moments::firsts(&self.frames, is_followed) {
                let is_new = moments.iter().all(|(step, _)| *step != moment.0);
                if is_new && moments.len() < panels {
                    moments.push(moment);
                }
            }
            moments.sort_by_key(|(step, _)| *step);
            let steps: Vec<usize> = moments.iter().map(|(step, _)| *step).collect();
            moments.extend(draw::between(&motion, &steps, panels).into_iter().map(|step| (step, Kind::Between)));
        }
        // The sort is stable: of two moments at one step the first stays.
        moments.sort_by_key(|(step, _)| *step);
        moments.dedup_by_key(|(step, _)| *step);
        moments.retain(|(step, _)| *step < self.frames.len());
        let (count, scene) = (moments.len(), |number: usize| {
            let (step, kind) = moments[number];
            self.scene(&self.frames[step], kind, &aim)
        });
        if (0..count).all(|number| scene(number).points().next().is_none()) {
            return Err(CliError::Picture("no entity has a model in any frame".to_owned()));
        }
        let width = width.min(columns.min(count as u32) * WIDEST);
        Ok((draw::strip(count, scene, stage, width, columns)?, count))
    }

    /// Returns a frame as triangles, with the entities at which the camera aims.
    fn scene(&self, frame: &Frame, kind: Kind, aim: &HashSet<u64>) -> Scene {
        let mut scene = Scene::new(Stamp::Seconds(frame.time), kind);
        let mut aimed = Vec::new();
        for (number, figure) in frame.figures.iter().enumerate() {
            let (points, hulls) = (scene.solid.shell.points.len(), scene.hulls.len());
            scene.add(&Posed {
                model: &figure.model,
                looks: &[],
                bones: &figure.bones,
                frame: &figure.frame,
                world: &figure.world,
                color: number,
            });
            if self.shows_bodies || scene.solid.shell.points.len() == points {
                scene.add_bodies(&figure.bodies);
            }
            scene.faults.extend(&figure.faults);
            if aim.contains(&figure.entity) {
                aimed.extend(scene.solid.shell.points.iter().skip(points));
                aimed.extend(scene.hulls.iter().skip(hulls).flat_map(|hull| hull.triangles.iter().flatten()));
            }
        }
        scene.aim = Some(aimed);
        scene
    }
}

/// Returns the entities at which the camera aims: `focus`, or those that move; all, if none does.
fn aim(frames: &[Frame], focus: Option<u64>) -> Result<HashSet<u64>, CliError> {
    let all: HashSet<u64> = frames.iter().flat_map(|frame| &frame.figures).map(|figure| figure.entity).collect();
    if let Some(focus) = focus {
        return if all.contains(&focus) { Ok(HashSet::from([focus])) } else { Err(CliError::NeverSeen(focus)) };
    }
    let mut ways: HashMap<u64, f32> = HashMap::new();
    for (before, after) in frames.iter().zip(frames.iter().skip(1)) {
        for figure in &after.figures {
            if let Some(old) = before.figures.iter().find(|old| old.entity == figure.entity) {
                let way = way(old, figure);
                *ways.entry(figure.entity).or_default() += if way.is_finite() { way } else { 0.0 };
            }
        }
    }
    ways.retain(|_, way| *way > MOVING);
    Ok(if ways.is_empty() { all } else { ways.into_keys().collect() })
}

/// Returns the total motion of the followed figures up to each frame.
fn motion(frames: &[Frame], is_followed: impl Fn(&Figure) -> bool) -> Vec<f32> {
    let mut total = 0.0;
    let mut all = Vec::with_capacity(frames.len());
    let mut before: Option<&Frame> = None;
    for frame in frames {
        total += before.map_or(0.0, |before| change(&before.figures, &frame.figures, &is_followed));
        all.push(total);
        before = Some(frame);
    }
    all
}

/// Returns the mean ways of the bones, summed over the figures.
fn change(before: &[Figure], after: &[Figure], is_followed: impl Fn(&Figure) -> bool) -> f32 {
    let same = |figure: &Figure| before.iter().find(|old| old.entity == figure.entity);
    let followed = after.iter().filter(|figure| is_followed(figure));
    let ways = followed.clone().map(|figure| same(figure).map_or(APPEARING, |old| way(old, figure)));
    let count = before.iter().filter(|figure| is_followed(figure)).count();
    let vanished = count.saturating_sub(followed.clone().count()) as f32 * APPEARING;
    ways.filter(|way| way.is_finite()).sum::<f32>() + vanished
}

fn way(old: &Figure, new: &Figure) -> f32 {
    let place = |figure: &Figure, bone: &Mat3x4| figure.world.transform_point(bone.origin());
    let ways = old.bones.iter().zip(&new.bones).map(|(a, b)| place(old, a).distance(place(new, b)));
    let entity = old.world.origin().distance(new.world.origin());
    if !new.bones.is_empty() {
        return ways.sum::<f32>() / new.bones.len() as f32;
    }
    // Vertices that move without bones are not measured.
    let vertices = if old.frame == new.frame { 0.0 } else { VERTICES };
    entity + vertices
}

/// Returns the surroundings of a script's figures.
pub fn stage(floor: Option<f32>, level: Option<&Level>) -> Stage {
    Stage { floor, level: level.map(level::triangles).unwrap_or_default(), ..Stage::default() }
}
