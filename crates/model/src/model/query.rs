//! Queries of scripts about a model's animations and skins.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::ops::Range;

use super::{Animation, Event, Model, Name};

impl Model {
    /// Returns the number of vertices and triangles, and four times that of hit boxes: what a script charges for work
    /// on them.
    pub(crate) fn skin_size(&self) -> u64 {
        let meshes: usize = self.meshes.iter().map(|mesh| mesh.positions.len() + mesh.triangles.len()).sum();
        (meshes + 4 * self.hit_boxes.len()) as u64
    }

    /// Chooses an animation of an action by weight, as FTE's `frameforaction` does.
    ///
    /// `choice` is a number from 0 to 1, usually random. Animations with a weight of zero or less are chosen only if
    /// the action has no others. `None` if no animation has the action, and for action -1.
    ///
    /// ```
    /// let mut mannequin = skelobj::assets::mannequin();
    /// // FIRST COUNT FPS LOOP NAME ACTION WEIGHT
    /// let text = b"106 37 30 0 fall 20 3 \n 106 20 30 0 stumble 20 1";
    /// mannequin.apply_framegroups("mannequin.iqm", text);
    /// let chosen = [0.0, 0.7, 0.8].map(|choice| mannequin.animation_for_action(20, choice));
    /// assert_eq!(chosen, [Some(0), Some(0), Some(1)]);
    /// ```
    #[must_use]
    pub fn animation_for_action(&self, action: i32, choice: f32) -> Option<usize> {
        let fitting = || self.animations.iter().enumerate().filter(|(_, a)| a.action.id == action && action != -1);
        let weight = |a: &Animation| a.action.weight.max(0.0);
        let total: f32 = fitting().map(|(_, a)| weight(a)).sum();
        let mut left = choice.clamp(0.0, 1.0) * total;
        let mut last = None;
        for (index, animation) in fitting() {
            if total > 0.0 && weight(animation) == 0.0 {
                continue;
            }
            last = Some(index);
            left -= weight(animation);
            if left < 0.0 || total == 0.0 {
                break;
            }
        }
        last
    }

    /// Returns the name of skin `skin` of the first mesh, as `skintoname` (builtin #285) does: the skin's first
    /// material.
    ///
    /// A mesh without skins has its own material as skin 0. `None` past the last skin.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// assert_eq!(mannequin.skin_name(0), Some(&"mannequin/wood".into()));
    /// assert_eq!(mannequin.skin_name(1), None);
    /// ```
    #[must_use]
    pub fn skin_name(&self, skin: usize) -> Option<&Name> {
        self.skin_names().nth(skin)
    }

    /// Returns the first skin of the first mesh with exactly this name, as `skinforname` (builtin #237) does.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// assert_eq!(mannequin.find_skin("mannequin/wood"), Some(0));
    /// assert_eq!(mannequin.find_skin("mannequin/gold"), None);
    /// ```
    #[must_use]
    pub fn find_skin(&self, name: impl AsRef<[u8]>) -> Option<usize> {
        let name = name.as_ref();
        self.skin_names().position(|n| n.as_bytes() == name)
    }

    fn skin_names(&self) -> impl Iterator<Item = &Name> {
        let skins = || self.skins.iter().filter(|s| s.mesh == 0);
        let own = self.meshes.first().filter(|_| skins().next().is_none()).map(|mesh| &mesh.material);
        skins().filter_map(|s| s.materials.first()).map(|m| &m.material).chain(own)
    }
}

/// Next moment of an event; ordered by moment, then by position in the file.
#[derive(Clone, Copy, PartialEq)]
struct Due {
    moment: f32,
    number: usize,
}

impl Eq for Due {}

impl Ord for Due {
    fn cmp(&self, other: &Self) -> Ordering {
        self.moment.total_cmp(&other.moment).then(self.number.cmp(&other.number))
    }
}

impl PartialOrd for Due {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Animation {
    /// Returns the first event after `after` and not after `until`, with its moment, as FTE's `getnextmodelevent` does.
    ///
    /// All times are seconds since the animation began. In a looping animation events repeat every
    /// [`duration`](Self::duration), including those with a time outside of it. Of several events at one moment the
    /// first in the file is returned.
    ///
    /// ```
    /// let mannequin = skelobj::assets::mannequin();
    /// let walk = &mannequin.animations[1]; // 28 poses, 30 a second
    /// let (moment, step) = walk.next_event(0.5, 2.0).ok_or("no event")?;
    /// assert!(step.data == *"footstep_l" && moment == walk.duration()); // in the second lap
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn next_event(&self, after: f32, until: f32) -> Option<(f32, &Event)> {
        let moments = self.events.iter().filter_map(|event| Some((self.moment_after(event, after, f32::gt)?, event)));
        moments.filter(|(moment, _)| *moment <= until).min_by(|(a, _), (b, _)| a.total_cmp(b))
    }

    /// Returns an iterator over the events after `after` and not after `until`, with their moments, as repeated calls
    /// of FTE's `getnextmodelevent` do.
    ///
    /// All times are seconds since the animation began. The earliest event comes first; events at one moment keep the
    /// order of the file. In a looping animation events repeat every [`duration`](Self::duration). Each step takes
    /// logarithmic time in the number of events; only `until` ends the iterator of a looping animation.
    ///
    /// ```
    /// use skelobj::model::{Animation, Event};
    ///
    /// let mut walk = Animation::frames("walk", 0, 10, 10.0, true);
    /// walk.events = vec![Event { time: 0.25, code: 1, data: "left.wav".into() }];
    /// let moments: Vec<f32> = walk.events_between(0.0, 3.0).map(|(moment, _)| moment).collect();
    /// assert_eq!(moments, [0.25, 1.25, 2.25]);
    /// ```
    pub fn events_between(&self, after: f32, until: f32) -> impl Iterator<Item = (f32, &Event)> {
        self.events_while(after, f32::gt, move |moment| moment <= until)
    }

    /// Returns an iterator over the events from the start of `times` to before its end, with their moments, as FTE's
    /// `processmodelevents` does.
    ///
    /// Otherwise it equals [`events_between`](Self::events_between).
    ///
    /// ```
    /// use skelobj::model::{Animation, Event};
    ///
    /// let mut walk = Animation::frames("walk", 0, 10, 10.0, true);
    /// walk.events = vec![Event { time: 0.0, code: 1, data: "left.wav".into() }];
    /// let moments: Vec<f32> = walk.events_in(0.0..2.0).map(|(moment, _)| moment).collect();
    /// assert_eq!(moments, [0.0, 1.0]); // 2.0 belongs to the next frame
    /// ```
    pub fn events_in(&self, times: Range<f32>) -> impl Iterator<Item = (f32, &Event)> {
        self.events_while(times.start, f32::ge, move |moment| moment < times.end)
    }

    /// Returns an iterator over events with their moments: for each event the first that `begins` accepts compared with
    /// `start`, and all later ones, as long as they are `due`.
    fn events_while(
        &self,
        start: f32,
        begins: fn(&f32, &f32) -> bool,
        due: impl Fn(f32) -> bool,
    ) -> impl Iterator<Item = (f32, &Event)> {
        let next = move |number: usize, after: f32, follows: fn(&f32, &f32) -> bool| {
            let moment = self.moment_after(self.events.get(number)?, after, follows)?;
            due(moment).then_some(Reverse(Due { moment, number }))
        };
        let first = (0..self.events.len()).filter_map(|number| next(number, start, begins));
        let mut waiting: BinaryHeap<_> = first.collect();
        std::iter::from_fn(move || {
            let Reverse(Due { moment, number }) = waiting.pop()?;
            waiting.extend(next(number, moment, f32::gt));
            Some((moment, self.events.get(number)?))
        })
    }

    /// Returns the first moment of an event that `follows` accepts compared with `after`.
    fn moment_after(&self, event: &Event, after: f32, follows: fn(&f32, &f32) -> bool) -> Option<f32> {
        if !after.is_finite() {
            return None;
        }
        let (lap, laps) = match self.looping {
            // Rounding may make the lap one too small or too large.
            true => (((after - event.time) / self.duration()).floor(), 3),
            false => (0.0, 1),
        };
        let moment = |number: u8| match lap + f32::from(number) {
            0.0 => event.time,
            lap => lap * self.duration() + event.time,
        };
        // If a lap is shorter than the precision of `after`, no moment is later.
        (0..laps).map(moment).find(|moment| follows(moment, &after) && moment.is_finite())
    }
}
