//! Questions that scripts ask about a model's animations and skins.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::{Animation, Event, Model, Name};

impl Model {
    /// Chooses among the animations of an action by their weights (FTE's `frameforaction`): `choice` runs from 0 to 1
    /// and is usually random.
    ///
    /// Weights of zero or less are never chosen unless no animation of the action has more. `None` if there is no
    /// animation of that action; -1 is no action.
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

    /// Returns the name of skin `skin` of the first mesh: its first material; a mesh without skins has its own material as
    /// skin 0 (FTE's builtin #285, `skintoname`).
    #[must_use]
    pub fn skin_name(&self, skin: usize) -> Option<&Name> {
        self.skin_names().nth(skin)
    }

    /// Finds the first skin of the first mesh with exactly this name (builtin #237, `skinforname`).
    #[must_use]
    pub fn find_skin(&self, name: &[u8]) -> Option<usize> {
        self.skin_names().position(|n| n.as_bytes() == name)
    }

    fn skin_names(&self) -> impl Iterator<Item = &Name> {
        let skins = || self.skins.iter().filter(|s| s.mesh == 0);
        let own = self.meshes.first().filter(|_| skins().next().is_none()).map(|mesh| &mesh.material);
        skins().filter_map(|s| s.materials.first()).map(|m| &m.material).chain(own)
    }
}

/// An event's next moment; the earliest comes first, then the first in the file.
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
    /// Returns the first event after `after` and not after `until`, both in seconds since the animation began, with its moment on
    /// that clock (FTE's `getnextmodelevent`).
    ///
    /// In a looping animation events come round again every [`duration`](Self::duration), also those whose time lies
    /// outside of it. Events of the same moment are one; the earlier in the file is given.
    #[must_use]
    pub fn next_event(&self, after: f32, until: f32) -> Option<(f32, &Event)> {
        let moments = self.events.iter().filter_map(|event| Some((self.moment_after(event, after)?, event)));
        moments.filter(|(moment, _)| *moment <= until).min_by(|(a, _), (b, _)| a.total_cmp(b))
    }

    /// Iterates over the events after `after` and not after `until`, both in seconds since the animation began, with their
    /// moments on that clock, earliest first (FTE's `processmodelevents`). Events of the same moment keep the order of the
    /// file.
    ///
    /// Each step takes logarithmic time, however often the animation loops; the iterator has no other end than `until`.
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
        let due = move |number: usize, after: f32| {
            let moment = self.moment_after(self.events.get(number)?, after)?;
            (moment <= until).then_some(Reverse(Due { moment, number }))
        };
        let mut waiting: BinaryHeap<_> = (0..self.events.len()).filter_map(|number| due(number, after)).collect();
        std::iter::from_fn(move || {
            let Reverse(Due { moment, number }) = waiting.pop()?;
            waiting.extend(due(number, moment));
            Some((moment, self.events.get(number)?))
        })
    }

    /// When an event comes next, later than `after`.
    fn moment_after(&self, event: &Event, after: f32) -> Option<f32> {
        if !after.is_finite() {
            return None;
        }
        let (lap, laps) = match self.looping {
            // Rounding may put it one lap off.
            true => (((after - event.time) / self.duration()).floor(), 3),
            false => (0.0, 1),
        };
        let moment = |number: u8| match lap + f32::from(number) {
            0.0 => event.time,
            lap => lap * self.duration() + event.time,
        };
        // Where `after` is so late that a lap is less than its last digit, nothing can be later than it.
        (0..laps).map(moment).find(|moment| *moment > after && moment.is_finite())
    }
}
