//! `.framegroups` files: animations that replace those of the model.

use super::json::Json;
use crate::limits::Limits;
use crate::model::{
    Action, Animation, AnimationSource, Event, FRAMEGROUPS_SECTION, Fixup, Framegroup, Framegroups, Model,
    ModelWarning, Name, StatedPoses,
};

/// Maximum number of poses in a comma-separated list.
const LONGEST_LIST: usize = 256;

/// Maximum number of animations of a file.
pub(super) const MAX_ANIMATIONS: usize = 65_536;

impl Model {
    /// Replaces the animations of the model with those of a `.framegroups` file, by FTE's rules.
    ///
    /// [`load`](Self::load) does this with the side file of a model. `name` is the name of the model and only names the
    /// unnamed animations of a JSON file.
    ///
    /// A line makes one animation: `FIRST COUNT FPS [LOOP [NAME [ACTION [WEIGHT]]]]`. Comments are `//` and `/* */`,
    /// names may be quoted.
    ///
    /// - `FIRST` is a pose or a list of poses, `4,5,6,5`; with a list, `COUNT` is ignored.
    /// - `FPS` is the rate in poses per second; a negative rate becomes 10.
    /// - `LOOP` is `true`, `yes`, `on` or a number other than zero.
    /// - `NAME` defaults to `groupified_N_anim`.
    ///
    /// A line without a count or a rate is dropped. A count is cut at the last frame; an animation beyond the last
    /// frame shows the bind pose.
    ///
    /// The file may instead be JSON: `{"framegroups": [{"name", "firstpose", "numposes" or "poses", "fps", "loop",
    /// "action", "actionweight", "events": [{"timestamp" or "pose", "code", "value"}]}]}`. Names default to `NAME[N]`.
    ///
    /// The animations of the model and their events are lost, unless the file has no animations. Missing frames may
    /// come from a file that is joined later, see [`Framegroups`]. What was dropped or repaired is added to
    /// [`warnings`](Self::warnings).
    ///
    /// ```
    /// use skelobj::{Model, assets};
    ///
    /// let mut model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?;
    /// model.apply_framegroups("mannequin.iqm", b"0 10 20 true breathe\n3,2,1,0 0 10 false back\n5 10 // no rate\n");
    /// let names: Vec<String> = model.animations.iter().map(|animation| animation.name.to_string()).collect();
    /// assert_eq!(names, ["breathe", "back"]);
    /// assert_eq!(model.warnings.len(), 1);
    /// # Ok::<(), skelobj::model::ModelError>(())
    /// ```
    pub fn apply_framegroups(&mut self, name: &str, text: &[u8]) {
        self.apply_framegroups_within(&Limits::DEFAULT, name, text);
    }

    /// Replaces the animations as [`apply_framegroups`](Self::apply_framegroups) does, with the warnings that `limits`
    /// allow.
    pub(crate) fn apply_framegroups_within(&mut self, limits: &Limits, name: &str, text: &[u8]) {
        let json = text.trim_ascii_start().starts_with(b"{").then(|| Json::parse(text)).flatten();
        let mut parsed = Parsed { most: limits.warnings, ..Parsed::default() };
        match &json {
            Some(json) => {
                parsed.json(name, json);
                if let Some(flags) = json.number("modelflags") {
                    self.flags = flags as u32;
                }
            }
            None => parsed.lines(text),
        }
        if parsed.animations.is_empty() {
            parsed.warn(0, Fixup::Dropped("a file without animations"));
        } else {
            let frames = self.frame_count();
            parsed.bind(frames);
            self.animations = parsed.animations;
            self.framegroups = Framegroups::new(parsed.groups, frames);
        }
        parsed.warnings.sort_by_key(|warning| (matches!(warning.fixup, Fixup::Further(_)), warning.offset));
        for warning in parsed.warnings {
            warning.add_to(&mut self.warnings, limits.warnings);
        }
    }
}

/// Animations parsed so far.
#[derive(Default)]
struct Parsed {
    animations: Vec<Animation>,
    /// Frames that the file states for each animation.
    groups: Vec<Framegroup>,
    warnings: Vec<ModelWarning>,
    /// Maximum number of warnings.
    most: u32,
}

impl Parsed {
    /// Restricts the animations to the `frames` frames of a model.
    fn bind(&mut self, frames: usize) {
        for (animation, group) in self.animations.iter_mut().zip(&self.groups) {
            let (source, fixup) = group.poses.bind(frames);
            animation.source = source;
            let warning = |fixup| ModelWarning { section: FRAMEGROUPS_SECTION, offset: group.offset, fixup };
            if let Some(warning) = fixup.map(warning) {
                warning.add_to(&mut self.warnings, self.most);
            }
        }
    }

    fn add(&mut self, offset: usize, poses: StatedPoses, animation: Animation) {
        if self.animations.len() >= MAX_ANIMATIONS {
            return self.warn(offset, Fixup::Dropped("an animation beyond the 65,536th"));
        }
        self.groups.push(Framegroup { name: animation.name.clone(), offset, poses });
        self.animations.push(animation);
    }

    fn warn(&mut self, offset: usize, fixup: Fixup) {
        ModelWarning { section: FRAMEGROUPS_SECTION, offset, fixup }.add_to(&mut self.warnings, self.most);
    }

    fn lines(&mut self, text: &[u8]) {
        let mut offset = 0;
        let mut in_comment = false;
        for line in text.split(|&b| b == b'\n') {
            let mut words = Words(line);
            if let Some(first) = words.next() {
                match self.line(offset, first, &mut words) {
                    Some((poses, animation)) => self.add(offset, poses, animation),
                    // Engines take a line that begins with `#` for a line without frames; authors mean a comment.
                    None if in_comment || first.starts_with(b"#") => {}
                    None => self.warn(offset, Fixup::Dropped("a line without a count or a rate")),
                }
            }
            in_comment = leaves_comment_open(line, in_comment);
            offset += line.len() + 1;
        }
    }

    fn line(&mut self, offset: usize, first: &[u8], words: &mut Words) -> Option<(StatedPoses, Animation)> {
        let poses = if first.contains(&b',') {
            words.next();
            let list = first.split(|&b| b == b',').filter(|word| !word.is_empty()).take(LONGEST_LIST);
            list_of(list.map(number).collect())
        } else {
            run_of(number(first), words.next().map_or(0.0, number))
        };
        let rate = words.next().map_or(0.0, number);
        if rate == 0.0 {
            return None;
        }
        let poses = poses?;
        let rate = self.rate(offset, rate);
        let looping = words.next().is_some_and(|word| {
            let yes = [&b"true"[..], b"yes", b"on"];
            yes.iter().any(|yes| word.eq_ignore_ascii_case(yes)) || number(word) != 0.0
        });
        let name = match words.next() {
            Some(name) => Name::new(name),
            None => Name::from(format!("groupified_{}_anim", self.animations.len()).as_str()),
        };
        let mut action = Action::NONE;
        if let Some(id) = words.next() {
            action = Action { id: number(id) as i32, weight: words.next().map_or(0.0, number) as f32 };
        }
        let source = AnimationSource::BindPose;
        Some((poses, Animation { name, rate, looping, source, events: Vec::new(), action }))
    }

    fn json(&mut self, file: &str, json: &Json) {
        for (index, group) in json.list("framegroups").unwrap_or_default().iter().enumerate() {
            let poses = match group.list("poses") {
                Some(list) => list_of(list.iter().filter_map(Json::as_number).collect()),
                None => run_of(group.number("firstpose").unwrap_or(0.0), group.number("numposes").unwrap_or(1.0)),
            };
            let Some(poses) = poses else {
                self.warn(0, Fixup::Dropped("an animation without poses"));
                continue;
            };
            let rate = self.rate(0, group.number("fps").unwrap_or(0.0));
            let name = group.text("name").map_or_else(|| Name::from(format!("{file}[{index}]").as_str()), Name::new);
            let id = group.number("action").unwrap_or(-1.0) as i32;
            let weight = group.number("actionweight").unwrap_or(0.0) as f32;
            let animation = Animation {
                name,
                rate,
                looping: group.number("loop").unwrap_or(0.0) != 0.0,
                source: AnimationSource::BindPose,
                events: events(group, rate),
                action: Action { id, weight: if weight.is_finite() { weight } else { 0.0 } },
            };
            self.add(0, poses, animation);
        }
    }

    fn rate(&mut self, offset: usize, rate: f64) -> f32 {
        let rate = rate as f32;
        if rate.is_normal() && rate > 0.0 {
            return rate;
        }
        self.warn(offset, Fixup::NoRate);
        Animation::DEFAULT_RATE
    }
}

/// Returns a range of poses, or `None` if `count` leaves none.
fn run_of(first: f64, count: f64) -> Option<StatedPoses> {
    (count >= 1.0).then_some(StatedPoses::Run { first, count: count as u32 })
}

/// Returns the listed poses, or `None` if the list is empty.
fn list_of(list: Vec<f64>) -> Option<StatedPoses> {
    (!list.is_empty()).then_some(StatedPoses::List(list))
}

/// Returns the events of a JSON group, sorted by time.
fn events(group: &Json, rate: f32) -> Vec<Event> {
    let event = |event: &Json| {
        let from_pose = || event.number("pose").unwrap_or(0.0) / f64::from(rate);
        let time = event.number("timestamp").unwrap_or_else(from_pose) as f32;
        let code = event.number("code").unwrap_or(0.0) as u32;
        let data = Name::new(event.text("value").unwrap_or_default());
        time.is_finite().then_some(Event { time, code, data })
    };
    let mut events: Vec<Event> = group.list("events").unwrap_or_default().iter().filter_map(event).collect();
    events.sort_by(|a, b| a.time.total_cmp(&b.time));
    events
}

/// Returns the words of a line.
pub(super) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    Words(line)
}

/// Returns `true` if a `/* */` comment continues after a line. Engines end a comment with its line, so a line that is
/// an animation ends it here, too.
fn leaves_comment_open(line: &[u8], open: bool) -> bool {
    let last = |mark: &[u8]| line.windows(mark.len()).rposition(|word| word == mark);
    match (last(b"/*"), last(b"*/")) {
        (None, None) => open,
        (start, end) => start > end,
    }
}

/// Rest of a line: words between spaces, quotes or comments.
struct Words<'a>(&'a [u8]);

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let mut rest = self.0.trim_ascii_start();
        while let Some(comment) = rest.strip_prefix(b"/*") {
            let end = comment.windows(2).position(|pair| pair == b"*/").map_or(comment.len(), |end| end + 2);
            rest = comment.get(end..).unwrap_or_default().trim_ascii_start();
        }
        if rest.is_empty() || rest.starts_with(b"//") {
            self.0 = &[];
            return None;
        }
        if let Some(quoted) = rest.strip_prefix(b"\"") {
            let mut parts = quoted.splitn(2, |&b| b == b'"');
            let word = parts.next();
            self.0 = parts.next().unwrap_or_default();
            return word;
        }
        let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        let (word, rest) = rest.split_at_checked(end)?;
        self.0 = rest;
        Some(word)
    }
}

/// Returns the number at the start of a word as C's `atof` reads it; 0 if there is none.
pub(super) fn number(word: &[u8]) -> f64 {
    const LONGEST: usize = 32;
    let length = word.iter().take(LONGEST).take_while(|b| b"+-.0123456789eE".contains(b)).count();
    let digits = word.get(..length).and_then(|word| std::str::from_utf8(word).ok()).unwrap_or_default();
    (1..=length).rev().find_map(|end| digits.get(..end)?.parse().ok()).unwrap_or(0.0)
}
