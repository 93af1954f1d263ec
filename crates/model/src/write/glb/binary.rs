//! Buffer with its views and accessors.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde_json::{Value, json};

use crate::write::WriteError;

/// Use of a view; other data has none.
#[derive(Clone, Copy)]
pub(super) enum Target {
    Vertices = 34962,
    Triangles = 34963,
}

const U8: u32 = 5121;
const U16: u32 = 5123;
const U32: u32 = 5125;
const F32: u32 = 5126;

/// Buffer so far.
#[derive(Default)]
pub(super) struct Binary {
    pub bytes: Vec<u8>,
    pub views: Vec<Value>,
    pub accessors: Vec<Value>,
    /// Shared accessors by a hash of their contents.
    tracks: HashMap<u64, Vec<Track>>,
}

/// Accessor that others with the same contents can share.
#[derive(Clone, Copy)]
struct Track {
    accessor: usize,
    width: usize,
    /// `true` for times; an accessor may not be both times and values.
    times: bool,
    /// Position of the first byte.
    start: usize,
}

impl Binary {
    /// Refuses to grow by `more` bytes if the file would become too large.
    pub fn room(&self, more: usize) -> Result<(), WriteError> {
        let bytes = self.bytes.len().saturating_add(more);
        u32::try_from(bytes).map_or(Err(WriteError::TooLarge { bytes }), |_| Ok(()))
    }

    /// Adds an accessor to vectors of `N` floats.
    pub fn floats<const N: usize>(&mut self, values: &[[f32; N]], target: Option<Target>) -> usize {
        let bytes = values.as_flattened().iter().flat_map(|value| value.to_le_bytes());
        self.accessor(bytes, values.len(), N, F32, target)
    }

    /// Adds an accessor to vectors of `N` floats with the bounds that the format requires for positions.
    pub fn bounded<const N: usize>(&mut self, values: &[[f32; N]], target: Option<Target>) -> usize {
        let index = self.floats(values, target);
        let bound = |choose: fn(f32, f32) -> f32| {
            let bound = values.iter().copied().reduce(|a, b| std::array::from_fn(|i| choose(a[i], b[i])));
            // Widened, because validators compare bits.
            bound.unwrap_or([0.0; N]).iter().map(|&value| f64::from(value)).collect::<Vec<_>>()
        };
        if let Some(accessor) = self.accessors.get_mut(index) {
            accessor["min"] = json!(bound(f32::min));
            accessor["max"] = json!(bound(f32::max));
        }
        index
    }

    /// Returns an accessor to vectors of `width` floats, with bounds if they are `times`: an earlier one with the same
    /// contents, or a new one.
    pub fn track(&mut self, values: &[f32], width: usize, times: bool) -> usize {
        debug_assert!(values.len().is_multiple_of(width), "every key has all numbers");
        debug_assert!(!times || values.is_sorted(), "times ascend");
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let mut hasher = DefaultHasher::new();
        (width, times, &bytes).hash(&mut hasher);
        let hash = hasher.finish();
        let is_same = |track: &&Track| {
            let stored = self.bytes.get(track.start..track.start + bytes.len());
            let count = self.accessors.get(track.accessor).map(|accessor| &accessor["count"]);
            (track.width, track.times) == (width, times)
                && count == Some(&json!(values.len() / width))
                && stored == Some(&bytes)
        };
        let known = self.tracks.get(&hash).and_then(|tracks| tracks.iter().find(is_same)).map(|track| track.accessor);
        let accessor = known.unwrap_or_else(|| {
            let start = self.bytes.len().next_multiple_of(4);
            let accessor = self.accessor(bytes.into_iter(), values.len() / width, width, F32, None);
            self.tracks.entry(hash).or_default().push(Track { accessor, width, times, start });
            accessor
        });
        if times && let Some(accessor) = self.accessors.get_mut(accessor) {
            let bound = |value: Option<&f32>| json!([value.copied().map_or(0.0, f64::from)]);
            (accessor["min"], accessor["max"]) = (bound(values.first()), bound(values.last()));
        }
        accessor
    }

    /// Adds an accessor to four joints per vertex, in bytes if they fit.
    pub fn joints(&mut self, joints: &[[u16; 4]]) -> usize {
        let (flat, target) = (joints.as_flattened(), Some(Target::Vertices));
        match flat.iter().all(|&joint| joint <= u16::from(u8::MAX)) {
            true => self.accessor(flat.iter().map(|&joint| joint as u8), joints.len(), 4, U8, target),
            false => self.accessor(flat.iter().flat_map(|joint| joint.to_le_bytes()), joints.len(), 4, U16, target),
        }
    }

    /// Adds an accessor to the corners of triangles, in 16 bits if they fit; the highest number is reserved.
    pub fn triangles(&mut self, triangles: &[[u32; 3]]) -> usize {
        let (flat, target) = (triangles.as_flattened(), Some(Target::Triangles));
        match flat.iter().all(|&corner| corner < u16::MAX.into()) {
            true => {
                let bytes = flat.iter().flat_map(|&corner| (corner as u16).to_le_bytes());
                self.accessor(bytes, flat.len(), 1, U16, target)
            }
            false => self.accessor(flat.iter().flat_map(|corner| corner.to_le_bytes()), flat.len(), 1, U32, target),
        }
    }

    /// Adds a view of bytes that no accessor reads.
    pub fn blob(&mut self, bytes: &[u8]) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.push(json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() }));
        self.bytes.extend_from_slice(bytes);
        self.views.len() - 1
    }

    fn accessor(
        &mut self,
        bytes: impl Iterator<Item = u8>,
        count: usize,
        width: usize,
        component: u32,
        target: Option<Target>,
    ) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let start = self.bytes.len();
        self.bytes.extend(bytes);
        debug_assert!((self.bytes.len() - start).is_multiple_of(count.max(1)), "elements are equally long");
        let mut view = json!({ "buffer": 0, "byteOffset": start, "byteLength": self.bytes.len() - start });
        if let Some(target) = target {
            view["target"] = json!(target as u32);
        }
        let kind = match width {
            1 => "SCALAR",
            2 => "VEC2",
            3 => "VEC3",
            4 => "VEC4",
            _ => "MAT4",
        };
        self.accessors.push(json!({
            "bufferView": self.views.len(),
            "componentType": component,
            "count": count,
            "type": kind,
        }));
        self.views.push(view);
        self.accessors.len() - 1
    }
}
