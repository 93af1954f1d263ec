//! Printer: doll to text.

use std::borrow::Cow;
use std::fmt::Write;

use super::lexer::has_blank;
use super::{Body, Doll, Joint, JointKind, Orient, ReferencePose, c_number};
use crate::math::Vec3;
use crate::model::Name;

pub(super) fn print(doll: &Doll) -> Vec<u8> {
    let mut text = Text::default();
    if let ReferencePose::Animation { index, time } = doll.reference {
        text.words("refpose").integer(index).number(time).end();
    }
    for body in &doll.bodies {
        text.blank_line();
        print_body(&mut text, body);
    }
    for joint in &doll.joints {
        let body_name = |index: usize| doll.bodies.get(index).map(|b| &b.name);
        let Some(body1) = body_name(joint.body1) else { continue };
        text.blank_line();
        text.words("joint").name(&joint.name).name(body1);
        if let Some(body2) = joint.body2.and_then(body_name) {
            text.name(body2);
        }
        text.end();
        print_joint(&mut text, joint);
    }
    text.bytes
}

fn print_body(text: &mut Text, body: &Body) {
    let plain = Body::new(Name::default(), Name::default());
    text.words("body").name(&body.name).name(&body.bone).end();
    text.words("\tshape").words(body.shape.word()).end();
    let [x, y, z] = body.size;
    match x.to_bits() == y.to_bits() && y.to_bits() == z.to_bits() {
        true => text.words("\tsize").number(x).end(),
        false => text.words("\tsize").number(x).number(y).number(z).end(),
    }
    text.number_line("\tmass", body.mass, plain.mass);
    text.number_line("\tdensity", body.density, plain.density);
    text.number_line("\tanimate", body.animate, plain.animate);
    if let Some(offset) = body.offset {
        text.words("\toffset").vector(offset.position);
        if !same(offset.angles, Vec3::ZERO) {
            text.vector(offset.angles);
        }
        text.end();
    }
    match &body.orient {
        None => {}
        Some(Orient::Parent) => text.words("\torient").end(),
        Some(Orient::Toward(bone)) => text.words("\torient").name(bone).end(),
    }
    if body.draw {
        text.words("\tdraw 1").end();
    }
}

fn print_joint(text: &mut Text, joint: &Joint) {
    let plain = Joint::new(Name::default(), joint.kind, 0, None);
    // Engines that do not know cones skip the twist and read a universal joint.
    let cone = joint.kind == JointKind::Cone;
    text.words("\ttype").words(if cone { JointKind::Universal.word() } else { joint.kind.word() }).end();
    for (word, axis, default) in [("\taxis", joint.axis, plain.axis), ("\taxis2", joint.axis2, plain.axis2)] {
        if !same(axis, default) {
            text.words(word).vector(axis).end();
        }
    }
    let words = [
        ["\tLoStop", "\tHiStop", "\tERP", "\tCFM", "\tFMax"],
        ["\tLoStop2", "\tHiStop2", "\tERP2", "\tCFM2", "\tFMax2"],
    ];
    for (i, [lo, hi, erp, cfm, fmax]) in words.into_iter().enumerate() {
        text.number_line(lo, joint.stops[i].lo, plain.stops[i].lo);
        text.number_line(hi, joint.stops[i].hi, plain.stops[i].hi);
        text.number_line(erp, joint.erp[i], plain.erp[i]);
        text.number_line(cfm, joint.cfm[i], plain.cfm[i]);
        text.number_line(fmax, joint.fmax[i], plain.fmax[i]);
    }
    if joint.muscle.to_bits() != plain.muscle.to_bits() || joint.muscle_damping.is_some() {
        text.words("\tmuscle").number(joint.muscle);
        if let Some(damping) = joint.muscle_damping {
            text.number(damping);
        }
        text.end();
    }
    text.number_line("\tslacken", joint.slacken, plain.slacken);
    if cone {
        text.words("\ttwist").number(joint.twist_stops.lo).number(joint.twist_stops.hi).end();
    }
    match &joint.pivot {
        Some(bone) if same(joint.offset, Vec3::ZERO) => text.words("\tpivot").name(bone).end(),
        Some(bone) => text.words("\tpivot").name(bone).vector(joint.offset).end(),
        None if same(joint.offset, Vec3::ZERO) => {}
        None => text.words("\toffset").vector(joint.offset).end(),
    }
    if !joint.enabled {
        text.words("\tenabled 0").end();
    }
    if joint.draw {
        text.words("\tdraw 1").end();
    }
}

/// No-break space in Latin-1.
const LATIN_1_BLANK: u8 = 0xa0;

/// Returns a name as a word, quoted if it would not be read as one word otherwise.
pub(super) fn quoted(name: &[u8]) -> Cow<'_, [u8]> {
    // One name that is not UTF-8 makes the whole text Latin-1.
    let plain = !name.is_empty()
        && !has_blank(name)
        && !name.iter().any(|&b| b == b'"' || b == LATIN_1_BLANK)
        && !name.starts_with(b"//")
        && !name.starts_with(b"/*");
    if plain {
        return name.into();
    }
    let mut word = vec![b'"'];
    for piece in name.split_inclusive(|&b| b == b'"') {
        word.extend_from_slice(piece);
        if piece.ends_with(b"\"") {
            word.push(b'"');
        }
    }
    word.push(b'"');
    word.into()
}

/// Compares the bits of two vectors: zero and minus zero differ.
fn same(a: Vec3, b: Vec3) -> bool {
    a.to_array().map(f32::to_bits) == b.to_array().map(f32::to_bits)
}

/// Lines of words.
#[derive(Default)]
pub(super) struct Text {
    pub(super) bytes: Vec<u8>,
}

impl Text {
    pub(super) fn words(&mut self, words: &str) -> &mut Self {
        self.word(words.as_bytes())
    }

    fn word(&mut self, word: &[u8]) -> &mut Self {
        if self.bytes.last().is_some_and(|&b| b != b'\n') {
            self.bytes.push(b' ');
        }
        self.bytes.extend_from_slice(word);
        self
    }

    pub(super) fn end(&mut self) {
        self.bytes.push(b'\n');
    }

    fn blank_line(&mut self) {
        if !self.bytes.is_empty() {
            self.end();
        }
    }

    /// Adds a name, quoted if it would not be read as one word otherwise.
    pub(super) fn name(&mut self, name: &Name) -> &mut Self {
        self.word(&quoted(name.as_bytes()))
    }

    fn integer(&mut self, value: u32) -> &mut Self {
        self.words(&value.to_string())
    }

    /// Adds the shortest numeral that is read back as the same number.
    fn number(&mut self, value: f32) -> &mut Self {
        let mut numeral = String::new();
        let moderate = value == 0.0 || !value.is_finite() || (1e-6..1e9).contains(&value.abs());
        // Writing to a String cannot fail.
        let _ = if moderate { write!(numeral, "{value}") } else { write!(numeral, "{value:e}") };
        // The shortest numeral of an f32 can be rounded differently by way of an f64, which is how it is read.
        if c_number::float(numeral.as_bytes()).is_none_or(|(read, _)| read.to_bits() != value.to_bits())
            && !value.is_nan()
        {
            numeral = format!("{:e}", f64::from(value));
        }
        self.words(&numeral)
    }

    fn vector(&mut self, vector: Vec3) -> &mut Self {
        self.number(vector.x).number(vector.y).number(vector.z)
    }

    fn number_line(&mut self, word: &str, value: f32, default: f32) {
        if value.to_bits() != default.to_bits() {
            self.words(word).number(value).end();
        }
    }
}
