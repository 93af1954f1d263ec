//! Keys in time: which two a moment lies between.

/// Keys in the order of their times.
#[derive(Clone, Debug)]
pub(super) struct Keys<K> {
    times: Vec<f32>,
    keys: Vec<K>,
    looping: bool,
    /// Seconds after which a loop begins again; at least from the first key to the last.
    range: f64,
}

/// What lies at a moment.
pub(super) enum Moment<'k, K> {
    /// One key alone.
    At(&'k K),
    /// Two keys and how far between them it is, 0 to 1.
    Between(&'k K, &'k K, f64),
}

impl<K> Keys<K> {
    /// Keys of finite times, in any order; of those at the same time the last counts. `range` is how long a loop lasts,
    /// if the file says it.
    pub fn new(mut keys: Vec<(f32, K)>, looping: bool, range: Option<f64>) -> Self {
        // Adding zero makes -0 and 0 one time, as they are to the tools that write keys.
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
        let spanned = own.end() - own.begin();
        own.range = range.filter(|range| *range >= spanned).unwrap_or(spanned);
        own
    }

    /// The same times with other keys, made of all of them.
    pub fn map<T>(self, make: impl FnOnce(&[f32], Vec<K>) -> Vec<T>) -> Keys<T> {
        let keys = make(&self.times, self.keys);
        Keys { times: self.times, keys, looping: self.looping, range: self.range }
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

    /// Seconds between the last key and the loop's end.
    pub fn delta(&self) -> f64 {
        self.range - (self.end() - self.begin())
    }

    /// What lies at `time`; `None` without keys.
    ///
    /// In the part of a loop behind its last key the first key alone holds: NeL interpolates nothing there.
    pub fn at(&self, time: f64) -> Option<Moment<'_, K>> {
        let first = self.keys.first()?;
        // Wrapped in f64 and then rounded, and the share in f32: so steps fall where NeL has them.
        let mut time = time;
        if self.looping && self.keys.len() > 1 && self.range > 0.0 {
            let begin = self.begin();
            time = begin + (time - begin).rem_euclid(self.range);
        }
        let time = time as f32;
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
