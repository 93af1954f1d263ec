//! Attributes of bodies and joints: one table row each.

use std::ops::Range;

use skelobj_model::internal::nearest;

use super::bone_names::Bones;
use super::draft::{BodyDraft, JointDraft};
use super::encoding::Encoding;
use super::lexer::Word;
use super::problem::Problems;
use super::synonyms;
use super::{DollProblemKind, JointKind, Offset, Orient, Requirement, Shape, Stops, c_number};
use crate::math::Vec3;
use crate::model::Name;
use Requirement::{Finite, NotNegative, Positive};

/// Attribute of a body or joint.
pub(super) struct Attribute<T> {
    /// Directive of the attribute.
    pub(super) word: &'static str,
    /// Spelling of the attribute with its arguments.
    pub(super) usage: &'static str,
    /// Numbers of words that may follow the directive.
    counts: &'static [usize],
    apply: fn(&mut T, &mut Arguments),
}

impl<T> Attribute<T> {
    const fn new(
        word: &'static str,
        usage: &'static str,
        counts: &'static [usize],
        apply: fn(&mut T, &mut Arguments),
    ) -> Self {
        Self { word, usage, counts, apply }
    }

    /// Applies the attribute to `object`, or reports why it cannot.
    pub(super) fn set(
        &self,
        object: &mut T,
        directive: &Word,
        words: &[Word],
        problems: &mut Problems,
        bones: BoneLookup,
    ) {
        if self.counts.contains(&words.len()) {
            (self.apply)(object, &mut Arguments { attribute: self.word, words, problems, bones: Some(bones) });
        } else {
            problems.add(&directive.span, || DollProblemKind::WrongCount { usage: self.usage });
        }
    }
}

pub(super) const BODY: [Attribute<BodyDraft>; 9] = [
    Attribute::new("shape", "shape box|sphere|cylinder|capsule", &[1], |b, a| {
        let unknown = |word, suggestion| DollProblemKind::UnknownShape { word, suggestion };
        if let Some(shape) = a.choice(Shape::ALL, Shape::word, synonyms::shape, unknown) {
            b.body.shape = shape;
        }
    }),
    Attribute::new("size", "size X [[Y] Z]", &[1, 2, 3], set_size),
    Attribute::new("dimensions", "dimensions X [[Y] Z]", &[1, 2, 3], set_size),
    Attribute::new("mass", "mass M", &[1], |b, a| a.place_number(&mut b.body.mass, Positive, &mut b.places.mass)),
    Attribute::new("density", "density D", &[1], |b, a| {
        a.place_number(&mut b.body.density, Positive, &mut b.places.density)
    }),
    Attribute::new("animate", "animate STRENGTH", &[1], |b, a| {
        a.place_number(&mut b.body.animate, Finite, &mut b.places.animate)
    }),
    Attribute::new("draw", "draw 0|1", &[1], |b, a| a.set_flag(&mut b.body.draw)),
    Attribute::new("offset", "offset X Y Z [PITCH YAW ROLL]", &[3, 6], |b, a| {
        let Some(position) = a.vector(0) else { return };
        let angles = if a.words.len() > 3 { a.vector(3) } else { Some(Vec3::ZERO) };
        if let Some(angles) = angles {
            b.body.offset = Some(Offset { position, angles });
            b.places.offset = a.all();
        }
    }),
    Attribute::new("orient", "orient [BONE]", &[0, 1], |b, a| {
        if a.words.is_empty() {
            b.body.orient = Some(Orient::Parent);
        } else if let Some(bone) = a.bone() {
            b.body.orient = Some(Orient::Toward(bone));
        }
    }),
];

pub(super) const JOINT: [Attribute<JointDraft>; 22] = [
    Attribute::new("type", "type fixed|point|hinge|slider|universal|hinge2|cone", &[1], |j, a| {
        let unknown = |word, suggestion| DollProblemKind::UnknownJointType { word, suggestion };
        let kind = a.choice(JointKind::ALL, JointKind::word, synonyms::joint_type, unknown);
        j.kind = kind.or(j.kind);
    }),
    Attribute::new("axis", "axis X Y Z", &[3], |j, a| a.set_axis(&mut j.joint.axis, &mut j.places.axes[0])),
    Attribute::new("axis2", "axis2 X Y Z", &[3], |j, a| a.set_axis(&mut j.joint.axis2, &mut j.places.axes[1])),
    Attribute::new("LoStop", "LoStop RADIANS", &[1], |j, a| {
        a.set_stop(0, &mut j.joint.stops[0].lo, &mut j.places.stops[0][0])
    }),
    Attribute::new("HiStop", "HiStop RADIANS", &[1], |j, a| {
        a.set_stop(0, &mut j.joint.stops[0].hi, &mut j.places.stops[0][1])
    }),
    Attribute::new("LoStop2", "LoStop2 RADIANS", &[1], |j, a| {
        a.set_stop(0, &mut j.joint.stops[1].lo, &mut j.places.stops[1][0])
    }),
    Attribute::new("HiStop2", "HiStop2 RADIANS", &[1], |j, a| {
        a.set_stop(0, &mut j.joint.stops[1].hi, &mut j.places.stops[1][1])
    }),
    Attribute::new("swing", "swing LO HI", &[2], |j, a| {
        a.set_stops(&mut j.joint.stops[0], &mut j.places.stops[0]);
    }),
    Attribute::new("swing2", "swing2 LO HI", &[2], |j, a| {
        a.set_stops(&mut j.joint.stops[1], &mut j.places.stops[1]);
    }),
    Attribute::new("twist", "twist LO HI", &[2], |j, a| {
        j.twists |= a.set_stops(&mut j.joint.twist_stops, &mut j.places.stops[2]);
    }),
    Attribute::new("ERP", "ERP NUMBER", &[1], |j, a| {
        a.place_number(&mut j.joint.erp[0], NotNegative, &mut j.places.erp[0]);
    }),
    Attribute::new("ERP2", "ERP2 NUMBER", &[1], |j, a| {
        a.place_number(&mut j.joint.erp[1], NotNegative, &mut j.places.erp[1]);
    }),
    Attribute::new("CFM", "CFM NUMBER", &[1], |j, a| a.set_number(&mut j.joint.cfm[0], NotNegative)),
    Attribute::new("CFM2", "CFM2 NUMBER", &[1], |j, a| a.set_number(&mut j.joint.cfm[1], NotNegative)),
    Attribute::new("FMax", "FMax NUMBER", &[1], |j, a| a.set_number(&mut j.joint.fmax[0], NotNegative)),
    Attribute::new("FMax2", "FMax2 NUMBER", &[1], |j, a| a.set_number(&mut j.joint.fmax[1], NotNegative)),
    Attribute::new("muscle", "muscle K [DAMPING]", &[1, 2], |j, a| {
        let damping = (a.words.len() > 1).then(|| a.number_that_is(1, NotNegative));
        if let (Some(stiffness), None | Some(Some(_))) = (a.number_that_is(0, NotNegative), damping) {
            (j.joint.muscle, j.joint.muscle_damping) = (stiffness, damping.flatten());
        }
    }),
    Attribute::new("slacken", "slacken SECONDS", &[1], |j, a| {
        a.place_number(&mut j.joint.slacken, NotNegative, &mut j.places.slacken);
    }),
    Attribute::new("draw", "draw 0|1", &[1], |j, a| a.set_flag(&mut j.joint.draw)),
    Attribute::new("enabled", "enabled 0|1", &[1], |j, a| a.set_flag(&mut j.joint.enabled)),
    Attribute::new("offset", "offset X Y Z", &[3], |j, a| {
        if let Some(offset) = a.vector(0) {
            j.joint.offset = offset;
        }
    }),
    Attribute::new("pivot", "pivot BONE [X Y Z]", &[1, 4], |j, a| {
        // As in FTE, the offset counts even if the bone is missing.
        if let Some(bone) = a.bone() {
            j.joint.pivot = Some(bone);
        }
        if a.words.len() > 1
            && let Some(offset) = a.vector(1)
        {
            j.joint.offset = offset;
        }
    }),
];

/// Attributes whose numbers are angles in radians.
const STOPS: [&str; 7] = ["LoStop", "HiStop", "LoStop2", "HiStop2", "swing", "swing2", "twist"];

fn set_size(draft: &mut BodyDraft, arguments: &mut Arguments) {
    let mut sizes = [0.0; 3];
    let count = arguments.words.len();
    for (i, size) in sizes.iter_mut().enumerate().take(count) {
        match arguments.number_that_is(i, Positive) {
            Some(number) => *size = number,
            None => return,
        }
    }
    let [x, y, z] = sizes;
    draft.body.size = match count {
        1 => [x, x, x],
        2 => [x, x, y],
        _ => [x, y, z],
    };
    draft.meant_size = draft.body.size;
    draft.places.size = arguments.all();
}

/// Words after a directive, and the context for reading them.
pub(super) struct Arguments<'a> {
    pub(super) attribute: &'static str,
    pub(super) words: &'a [Word<'a>],
    pub(super) problems: &'a mut Problems,
    /// Means to find bones; `None` where no bone can be an argument.
    pub(super) bones: Option<BoneLookup<'a>>,
}

/// Means to turn words into names of bones.
#[derive(Clone, Copy)]
pub(super) struct BoneLookup<'a> {
    pub(super) encoding: Encoding,
    /// Bones of the model for which the text is parsed.
    pub(super) bones: Option<&'a Bones<'a>>,
}

impl BoneLookup<'_> {
    /// Returns a word as a bone of the model, or `None` and reports that the model lacks it.
    pub(super) fn bone(self, word: &Word, problems: &mut Problems) -> Option<Name> {
        let bone = self.encoding.name(&word.bytes);
        let Some(bones) = self.bones else { return Some(bone) };
        let found = bones.resolve(&bone);
        if found.is_none() {
            problems.add(&word.span, || bones.missing(bone));
        }
        found
    }
}

impl Arguments<'_> {
    fn number(&mut self, at: usize) -> Option<f32> {
        self.numeral(at, c_number::float)
    }

    /// Reads word `at` as a whole number.
    pub(super) fn integer(&mut self, at: usize) -> Option<i64> {
        self.numeral(at, c_number::integer)
    }

    fn numeral<N>(&mut self, at: usize, read: fn(&[u8]) -> Option<(N, usize)>) -> Option<N> {
        let word = self.words.get(at)?;
        let Some((value, len)) = read(&word.bytes) else {
            let suggestion = self.meant(at);
            self.problems.add(&word.span, || DollProblemKind::NotANumber { word: Name::new(&word.bytes), suggestion });
            return None;
        };
        if len < word.bytes.len() {
            let suggestion = self.meant(at);
            self.problems.add(&word.span, || DollProblemKind::TrailingJunk {
                word: Name::new(&word.bytes),
                number: Name::new(&word.bytes[..len]),
                suggestion,
            });
        }
        Some(value)
    }

    /// Returns the number that word `at` probably means, if it is in another notation.
    fn meant(&self, at: usize) -> Option<Name> {
        let word = &self.words.get(at)?.bytes;
        let flag = || synonyms::flag(word).filter(|_| ["draw", "enabled", "animate"].contains(&self.attribute));
        let stop = || synonyms::degrees(word).filter(|_| STOPS.contains(&self.attribute));
        synonyms::number(word).or_else(flag).or_else(stop)
    }

    /// Reads word `at` as a number, if it meets the requirement.
    pub(super) fn number_that_is(&mut self, at: usize, requirement: Requirement) -> Option<f32> {
        let number = self.number(at)?;
        let good = number.is_finite()
            && match requirement {
                Positive => number > 0.0,
                NotNegative => number >= 0.0,
                Finite => true,
            };
        (good || self.refuse(at, requirement)).then_some(number)
    }

    /// Reports that word `at` is unusable; always returns `false`.
    pub(super) fn refuse(&mut self, at: usize, requirement: Requirement) -> bool {
        if let Some(word) = self.words.get(at) {
            let attribute = self.attribute;
            self.problems.add(&word.span, || DollProblemKind::BadNumber { attribute, requirement });
        }
        false
    }

    fn set_number(&mut self, target: &mut f32, requirement: Requirement) {
        if let Some(number) = self.number_that_is(0, requirement) {
            *target = number;
        }
    }

    /// Sets a number and its place.
    fn place_number(&mut self, target: &mut f32, requirement: Requirement, place: &mut Range<usize>) {
        if let Some(number) = self.number_that_is(0, requirement) {
            (*target, *place) = (number, self.all());
        }
    }

    /// Returns the place of all words.
    fn all(&self) -> Range<usize> {
        match self.words {
            [first, .., last] | [first @ last] => first.span.start..last.span.end,
            [] => 0..0,
        }
    }

    fn set_flag(&mut self, target: &mut bool) {
        if let Some(number) = self.integer(0) {
            *target = number != 0;
        }
    }

    /// Sets a stop. Any number is accepted: infinite and NaN mean that there is no stop.
    fn set_stop(&mut self, at: usize, target: &mut f32, span: &mut Range<usize>) {
        if let (Some(stop), Some(word)) = (self.number(at), self.words.get(at)) {
            (*target, *span) = (stop, word.span.clone());
        }
    }

    /// Sets a low and a high stop, or neither. Returns `true` if both were set.
    fn set_stops(&mut self, target: &mut Stops, spans: &mut [Range<usize>; 2]) -> bool {
        let (mut stops, mut places) = (Stops { lo: f32::NAN, hi: f32::NAN }, [0..0, 0..0]);
        self.set_stop(0, &mut stops.lo, &mut places[0]);
        self.set_stop(1, &mut stops.hi, &mut places[1]);
        let whole = places.iter().all(|place| !place.is_empty());
        if whole {
            (*target, *spans) = (stops, places);
        }
        whole
    }

    /// Reads three words from `from` on as a vector.
    fn vector(&mut self, from: usize) -> Option<Vec3> {
        let mut vector = [0.0; 3];
        for (i, component) in vector.iter_mut().enumerate() {
            *component = self.number_that_is(from + i, Finite)?;
        }
        Some(vector.into())
    }

    fn set_axis(&mut self, target: &mut Vec3, span: &mut Range<usize>) {
        let mut axis = [0.0; 3];
        for (i, component) in axis.iter_mut().enumerate() {
            match self.number(i) {
                Some(number) => *component = number,
                None => return,
            }
        }
        let axis = Vec3::from(axis);
        let place = self.all();
        if axis.try_normalize().is_some() {
            (*target, *span) = (axis, place);
        } else {
            self.problems.add(&place, || DollProblemKind::ZeroAxis);
        }
    }

    /// Returns the first word as a bone of the model, or reports that the model lacks it.
    fn bone(&mut self) -> Option<Name> {
        self.bones?.bone(self.words.first()?, self.problems)
    }

    fn choice<T: Copy, const N: usize>(
        &mut self,
        choices: [T; N],
        spelt: fn(T) -> &'static str,
        synonym: fn(&[u8]) -> Option<Name>,
        unknown: fn(Name, Option<Name>) -> DollProblemKind,
    ) -> Option<T> {
        let word = self.words.first()?;
        let found = choices.into_iter().find(|&c| word.bytes.eq_ignore_ascii_case(spelt(c).as_bytes()));
        if found.is_none() {
            self.problems.add(&word.span, || {
                let near = || nearest(&word.bytes, choices.map(|c| spelt(c).as_bytes()));
                unknown(Name::new(&word.bytes), synonym(&word.bytes).or_else(near))
            });
        }
        found
    }
}
