//! Sequences: descriptions, events, and the positions of their frames.

use std::sync::Arc;

use super::super::cursor::{Cursor, File, finite_or_zero};
use super::header::{Header, Table};
use super::rig::Rig;
use super::sequence_pose::{SequencePoses, Tracks};
use super::tracks::{Frames, Groups};
use crate::model::{Action, Animation, AnimationSource, Event, Fixup, ModelError, Name, Sequence};

impl Header {
    /// Reads the animations and the descriptions of the sequences.
    pub fn sequences(
        &self,
        file: &mut File,
        groups: &Groups<'_>,
        rig: &Arc<Rig>,
    ) -> Result<(Vec<Animation>, Vec<Sequence>), ModelError> {
        const SIZE: usize = 176;
        let table = self.sequences.cursor(file, "sequences", SIZE)?;
        let count = self.sequences.count.into();
        let mut animations = file.reserve("sequences", table.offset(), count)?;
        let mut sequences = file.reserve("sequences", table.offset(), count)?;
        for record in table.records(SIZE) {
            let record = Record::read(file, record)?;
            let tracks = groups.tracks(file, &record.frames, rig.bones.len())?;
            sequences.push(record.sequence);
            animations.push(record.animation(tracks, rig));
        }
        Ok((animations, sequences))
    }
}

struct Record {
    name: Name,
    rate: f32,
    /// FTE loops a sequence with any flag.
    looping: bool,
    action: Action,
    sequence: Sequence,
    events: Vec<Event>,
    frames: Frames,
}

impl Record {
    fn read(file: &mut File, mut record: Cursor) -> Result<Self, ModelError> {
        let at = record.offset();
        let name = Name::new(record.take(32)?);
        let name = file.name("sequences", at, name.as_bytes())?;
        let rate = file.rate("sequences", at, record.get()?);
        let looping = record.get::<i32>()? != 0;
        let action = match record.get::<[i32; 2]>()? {
            [0, _] => Action::NONE,
            [id, weight] => Action { id, weight: weight as f32 },
        };
        let events = events(file, Table::read(&mut record, "numevents")?, rate)?;
        let count = record.ranged::<i32>("numframes", 0..=65535)? as u32;
        // Foot pivots, which no engine uses.
        record.take(8)?;
        let [motion_type, _motion_bone] = record.get()?;
        let mut bad = 0;
        let mut linear_movement = record.get::<[f32; 3]>()?;
        finite_or_zero(&mut linear_movement, &mut bad);
        record.take(8)?;
        let mut bounds = record.get::<[f32; 6]>()?;
        finite_or_zero(&mut bounds, &mut bad);
        let blends = record.ranged::<i32>("numblends", 1..=16)? as u32;
        let at_frames = record.get()?;
        let blend_type = record.get()?;
        let [mut blend_start, mut blend_end] = record.get::<[[f32; 2]; 2]>()?;
        finite_or_zero(&mut blend_start, &mut bad);
        finite_or_zero(&mut blend_end, &mut bad);
        file.warn_not_finite("sequences", at, bad);
        let [_blend_parent, group] = record.get()?;
        let [entry_node, exit_node, node_flags, next] = record.get()?;
        let sequence = Sequence {
            motion_type,
            linear_movement,
            blends,
            blend_type,
            blend_start,
            blend_end,
            entry_node,
            exit_node,
            node_flags,
            next,
        };
        let frames = Frames { count, blends, group, at: at_frames };
        Ok(Self { name, rate, looping, action, sequence, events, frames })
    }

    /// Returns the animation. Without tracks it holds the bind pose for the duration of its frames.
    fn animation(self, tracks: Option<Tracks>, rig: &Arc<Rig>) -> Animation {
        let Self { name, rate, looping, action, sequence, events, frames } = self;
        let frames = frames.count.max(1);
        let poses = SequencePoses {
            rig: Arc::clone(rig),
            tracks: tracks.unwrap_or_default(),
            frames,
            blends: sequence.blends,
            rate,
            looping,
        };
        let source = AnimationSource::Evaluated { poses: Arc::new(poses), count: frames };
        Animation { name, rate, looping, source, events, action }
    }
}

/// Returns the events of a sequence, sorted by time.
fn events(file: &mut File, table: Table, rate: f32) -> Result<Vec<Event>, ModelError> {
    const SIZE: usize = 76;
    let records = table.cursor(file, "events", SIZE)?;
    let mut events = file.reserve("events", records.offset(), table.count.into())?;
    for mut record in records.records(SIZE) {
        let at = record.offset();
        let [frame, code, _kind] = record.get::<[i32; 3]>()?;
        let data = Name::new(record.take(64)?);
        let data = file.name("events", at, data.as_bytes())?;
        let time = frame as f32 / rate;
        if time.is_finite() {
            events.push(Event { time, code: code as u32, data });
        } else {
            file.warn("events", at, Fixup::Dropped("an event with a non-finite time"));
        }
    }
    events.sort_by(|a: &Event, b| a.time.total_cmp(&b.time));
    Ok(events)
}
