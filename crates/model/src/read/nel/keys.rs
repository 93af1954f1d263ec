//! Keys sorted by time, and the look-up of the keys around a moment.

/// Keys sorted by time.
#[derive(Clone, Debug)]
pub(super) struct Keys<K> {
    times: Vec<f32>,
    keys: Vec<K>,
    looping: bool,
    /// Duration of the loop, seconds; at least the time from the first key to the last.
    range: f64,
}

/// Position of a moment among the keys.
pub(super) enum Moment<'k, K> {
    /// Exactly one key.
    At(&'k K),
    /// Two keys and the position between them, 0 to 1.
    Between(&'k K, &'k K, f64),
}

impl<K> Keys<K> {
    /// Sorts keys of finite times; of keys at the same time the last one counts. `range` is the duration of the loop in
    /// seconds, if the file states it.
    pub fn new(mut keys: Vec<(f32, K)>, looping: bool, range: Option<f64>) -> Self {
        // Adding zero turns -0 into 0; tools that write keys treat the two as one time.
        keys.iter_mut().for_each(|key| key.0 += 0.0);
        keys.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut own =
            Self { times: Vec::with_capacity(keys.len()), keys: Vec::with_capacity(keys.len()), looping, range: 0.0 };
        for (time, key) in keys {
            match own.keys.last_mut() {
                Some(last) if own.times.last() == Some(&time) => *last = key,
                _ => {
                    own.times.push(time);
                    own.keys.push(key);
                }
            }
        }
        debug_assert!(own.times.is_sorted_by(|a, b| a < b), "keys ascend");
        let spanned = own.end() - own.begin();
        own.range = range.filter(|range| *range >= spanned).unwrap_or(spanned);
        own
    }

    /// Replaces the keys with others made from all of them, at the same times.
    pub fn map<T>(self, make: impl FnOnce(&[f32], Vec<K>) -> Vec<T>) -> Keys<T> {
        let keys = make(&self.times, self.keys);
        debug_assert_eq!(keys.len(), self.times.len(), "every time has a key");
        Keys { times: self.times, keys, looping: self.looping, range: self.range }
    }

    pub fn iter(&self) -> impl Iterator<Item = &K> {
        self.keys.iter()
    }

    pub fn first(&self) -> Option<&K> {
        self.keys.first()
    }

    pub fn begin(&self) -> f64 {
        self.times.first().copied().map_or(0.0, f64::from)
    }

    pub fn end(&self) -> f64 {
        self.times.last().copied().map_or(0.0, f64::from)
    }

    pub fn is_looping(&self) -> bool {
        self.looping
    }

    /// Returns the time between the last key and the end of the loop, seconds.
    pub fn delta(&self) -> f64 {
        self.range - (self.end() - self.begin())
    }

    /// Returns the position of `time` seconds among the keys; `None` without keys.
    ///
    /// After the last key of a loop the first key alone applies: NeL does not interpolate there.
    pub fn at(&self, time: f64) -> Option<Moment<'_, K>> {
        let first = self.keys.first()?;
        // NeL wraps in f64, then rounds, and computes the fraction in f32; other precisions move the steps.
        let mut time = time;
        if self.looping && self.keys.len() > 1 && self.range > 0.0 {
            let begin = self.begin();
            time = begin + (time - begin).rem_euclid(self.range);
        }
        let time = time as f32;
        debug_assert_eq!(self.keys.len(), self.times.len(), "every time has a key");
        let next = self.times.partition_point(|&key| key <= time);
        let Some(previous) = next.checked_sub(1) else { return Some(Moment::At(first)) };
        let (Some(from), Some(&start)) = (self.keys.get(previous), self.times.get(previous)) else { return None };
        let (Some(to), Some(&end)) = (self.keys.get(next), self.times.get(next)) else {
            return Some(Moment::At(if self.looping { first } else { from }));
        };
        let share = ((time - start) / (end - start)).clamp(0.0, 1.0);
        Some(if share.is_nan() { Moment::At(from) } else { Moment::Between(from, to, share.into()) })
    }
}
