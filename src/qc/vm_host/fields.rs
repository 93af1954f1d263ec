//! Places of the builtins' fields in the entities of a progs.

use crate::model::FrameFields;
use crate::qc::vm::Progs;
use crate::qc::{Field, SingleFrame};

/// Offset of every [`Field`] in an entity; beyond every entity if the progs lacks the field, or declares it with a type
/// of fewer words.
pub(super) struct FieldPlaces([u32; Field::ALL.len()]);

impl FieldPlaces {
    pub(super) fn new(progs: &Progs) -> Self {
        Self(std::array::from_fn(|number| {
            let place = Field::ALL.get(number).and_then(|field| {
                let words = if field.kind() == "vector" { 3 } else { 1 };
                progs.field(field.name().as_bytes()).filter(|found| found.kind.words() >= words)
            });
            place.map_or(u32::MAX, |field| field.offset)
        }))
    }

    /// Returns the offset of a field, if the progs has it.
    #[inline]
    pub(super) fn get(&self, field: Field) -> Option<u32> {
        let place = self.place(field);
        (place != u32::MAX).then_some(place)
    }

    #[inline]
    fn place(&self, field: Field) -> u32 {
        self.0[field as usize]
    }

    /// Returns a field of the entity with these words; 0 if the progs lacks the field.
    #[inline]
    pub(super) fn float(&self, words: &[u32], field: Field) -> f32 {
        words.get(self.place(field) as usize).map_or(0.0, |bits| f32::from_bits(*bits))
    }

    /// Returns the frame of the entity with these words, if it plays one animation.
    #[inline]
    pub(super) fn single_frame(&self, words: &[u32]) -> Option<SingleFrame> {
        let bits = |field| words.get(self.place(field) as usize).copied().unwrap_or(0);
        let others = bits(Field::lerpfrac) | bits(Field::lerpfrac3) | bits(Field::lerpfrac4) | bits(Field::basebone);
        // A zero may be negative.
        if others << 1 != 0 {
            return None;
        }
        let float = |field| self.float(words, field);
        Some(SingleFrame {
            frame: float(Field::frame),
            time: float(Field::frame1time),
            flags: float(Field::renderflags),
        })
    }

    /// Returns all fields that determine the animations of the entity with these words.
    pub(super) fn frame_fields(&self, words: &[u32]) -> FrameFields {
        let mut fields = FrameFields::default();
        for (value, field) in fields.as_floats_mut().iter_mut().zip(Field::ALL) {
            *value = self.float(words, *field);
        }
        fields
    }
}
