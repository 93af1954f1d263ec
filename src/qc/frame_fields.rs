//! Where entities of a progs say what they play.

use super::Field;
use super::vm::Progs;
use crate::model::FrameFields;

/// Where the fields that [`FrameFields`] holds stand in an entity; beyond its end if the progs has none.
pub(super) struct FrameFieldPlaces([u32; FRAME_FIELDS]);

/// How many fields tell what an entity plays.
const FRAME_FIELDS: usize = size_of::<FrameFields>() / size_of::<f32>();

impl FrameFieldPlaces {
    pub(super) fn new(progs: &Progs) -> Self {
        let mut places = [u32::MAX; FRAME_FIELDS];
        for (place, field) in places.iter_mut().zip(Field::ALL) {
            *place = progs.field(field.name().as_bytes()).map_or(u32::MAX, |field| field.offset);
        }
        Self(places)
    }

    /// The fields in an entity's words. What has no weight is not looked at: most entities play one animation.
    #[inline]
    pub(super) fn read(&self, words: &[u32]) -> FrameFields {
        let field = |field: Field| {
            let bits = self.0.get(field as usize).and_then(|&place| words.get(place as usize));
            bits.map_or(0.0, |bits| f32::from_bits(*bits))
        };
        let weighted = |weight: f32, fields: [Field; 2]| if weight != 0.0 { fields.map(field) } else { [0.0; 2] };
        let [lerpfrac, lerpfrac3, lerpfrac4] = [Field::lerpfrac, Field::lerpfrac3, Field::lerpfrac4].map(field);
        let basebone = field(Field::basebone);
        let [frame2, frame2time] = weighted(lerpfrac, [Field::frame2, Field::frame2time]);
        let [frame3, frame3time] = weighted(lerpfrac3, [Field::frame3, Field::frame3time]);
        let [frame4, frame4time] = weighted(lerpfrac4, [Field::frame4, Field::frame4time]);
        let [baseframe, baseframe1time] = weighted(basebone, [Field::baseframe, Field::baseframe1time]);
        let [baseframe2, baseframe2time] = weighted(basebone, [Field::baseframe2, Field::baseframe2time]);
        let [baselerpfrac, _] = weighted(basebone, [Field::baselerpfrac; 2]);
        let [frame, frame1time] = [Field::frame, Field::frame1time].map(field);
        FrameFields {
            frame,
            frame2,
            frame3,
            frame4,
            frame1time,
            frame2time,
            frame3time,
            frame4time,
            lerpfrac,
            lerpfrac3,
            lerpfrac4,
            basebone,
            baseframe,
            baseframe2,
            baseframe1time,
            baseframe2time,
            baselerpfrac,
        }
    }
}
