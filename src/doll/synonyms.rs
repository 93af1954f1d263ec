//! Words that people write, and the words of the language that they mean.

use skelobj_model::internal::nearest;

use super::c_number;
use crate::model::Name;

/// Word of the language, and words of other formats and engines for the same.
type Synonyms = (&'static str, &'static [&'static str]);

const DIRECTIVES: [Synonyms; 13] = [
    ("body", &["bodies", "bone", "bones", "rigidbody"]),
    ("joint", &["joints", "constraint"]),
    ("refpose", &["pose", "bindpose", "basepose"]),
    ("size", &["radius", "length", "height", "width", "diameter", "extents", "extent"]),
    ("mass", &["weight"]),
    ("offset", &["position", "origin", "translation", "center", "centre"]),
    ("LoStop", &["lo", "low", "lower", "min", "minangle", "lolimit", "lowerlimit"]),
    ("HiStop", &["hi", "high", "upper", "max", "maxangle", "hilimit", "upperlimit"]),
    ("swing", &["limit", "limits", "range", "stops"]),
    ("FMax", &["friction", "maxforce", "maxtorque"]),
    ("muscle", &["spring", "stiffness"]),
    ("pivot", &["anchor"]),
    ("enabled", &["active"]),
];

const SHAPES: [Synonyms; 4] = [
    ("box", &["cube", "cuboid", "block", "aabb"]),
    ("sphere", &["ball", "round"]),
    ("cylinder", &["rod", "tube", "pipe"]),
    ("capsule", &["pill", "sphyl", "capped_cylinder", "ccylinder"]),
];

const JOINT_TYPES: [Synonyms; 6] = [
    ("fixed", &["weld", "rigid", "locked", "static"]),
    ("point", &["ball", "balljoint", "ballsocket", "ball_and_socket", "socket", "spherical", "p2p"]),
    ("hinge", &["revolute", "elbow", "knee"]),
    ("slider", &["prismatic", "piston"]),
    ("universal", &["cardan"]),
    ("cone", &["conetwist", "swingtwist"]),
];

const POSES: [Synonyms; 1] = [("skin", &["bind", "bindpose", "base", "basepose", "rest", "default"])];

const FLAGS: [Synonyms; 2] = [("0", &["no", "false", "off", "none"]), ("1", &["yes", "true", "on"])];

/// Returns the directive that a word means, and otherwise the nearest one.
pub(super) fn directive<'a>(word: &[u8], directives: impl IntoIterator<Item = &'a [u8]>) -> Option<Name> {
    meant(&DIRECTIVES, word).or_else(|| nearest(word, directives))
}

/// Returns the shape that a word means.
pub(super) fn shape(word: &[u8]) -> Option<Name> {
    meant(&SHAPES, word)
}

/// Returns the type of joint that a word means.
pub(super) fn joint_type(word: &[u8]) -> Option<Name> {
    meant(&JOINT_TYPES, word)
}

/// Returns the reference pose that a word means, and otherwise the nearest one.
pub(super) fn pose(word: &[u8]) -> Option<Name> {
    meant(&POSES, word).or_else(|| nearest(word, [b"skin".as_slice()]))
}

/// Returns 0 or 1 for a word that means one of them.
pub(super) fn flag(word: &[u8]) -> Option<Name> {
    meant(&FLAGS, word)
}

fn meant(table: &[Synonyms], word: &[u8]) -> Option<Name> {
    let is_word = |other: &&str| other.as_bytes().eq_ignore_ascii_case(word);
    table.iter().find(|(_, others)| others.iter().any(is_word)).map(|(word, _)| (*word).into())
}

/// Maximum length of a word that may be a number in another notation, bytes.
const LONGEST_NUMBER: usize = 40;

/// Returns the number of a word that groups its digits with commas, has a decimal comma, or a sign of typographers.
pub(super) fn number(word: &[u8]) -> Option<Name> {
    let text = std::str::from_utf8(word).ok().filter(|text| text.len() <= LONGEST_NUMBER)?;
    let text = text.replace(['\u{2212}', '\u{2013}'], "-");
    let unsigned = text.trim_start_matches(['+', '-']);
    let sign = &text[..text.len() - unsigned.len()];
    let mut groups = unsigned.split(',');
    let first = groups.next()?;
    let rest: Vec<&str> = groups.collect();
    let is_digits = |digits: &str| digits.bytes().all(|b| b.is_ascii_digit());
    let whole = |group: &str| group.split('.').next().is_some_and(|digits| digits.len() == 3 && is_digits(digits));
    let is_grouped = (1..=3).contains(&first.len()) && !first.starts_with('0') && rest.iter().all(|group| whole(group));
    let unsigned = match rest.as_slice() {
        [] => first.to_owned(),
        groups if is_grouped && is_digits(first) => first.to_owned() + &groups.concat(),
        [fraction] if is_digits(first) && is_digits(fraction) && !fraction.is_empty() => {
            format!("{}.{fraction}", if first.is_empty() { "0" } else { first })
        }
        _ => return None,
    };
    let number = format!("{sign}{unsigned}");
    let is_number = c_number::float(number.as_bytes()).is_some_and(|(_, len)| len == number.len());
    (is_number && number.as_bytes() != word).then(|| number.as_str().into())
}

/// Returns in radians an angle whose word says that it is in degrees.
pub(super) fn degrees(word: &[u8]) -> Option<Name> {
    let (value, len) = c_number::float(word)?;
    let unit = std::str::from_utf8(&word[len..]).ok()?.to_ascii_lowercase();
    let is_degrees = matches!(unit.as_str(), "deg" | "degs" | "degree" | "degrees" | "d" | "\u{b0}");
    (is_degrees && value.is_finite()).then(|| format!("{:.3}", value.to_radians()).as_str().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_other_notations_are_those_of_the_language() {
        let cases = [
            ("4,000", Some("4000")),
            ("-1,234,567.5", Some("-1234567.5")),
            ("0,524", Some("0.524")),
            ("2,5", Some("2.5")),
            (",5", Some("0.5")),
            ("\u{2212}0.1", Some("-0.1")),
            ("\u{2013}3", Some("-3")),
            ("0,0,2", None),
            ("1,2,3", None),
            ("4,", None),
            ("4;", None),
            ("4", None),
            ("", None),
            (",", None),
            ("wide", None),
        ];
        for (word, expected) in cases {
            assert_eq!(number(word.as_bytes()), expected.map(Name::from), "{word}");
        }
    }

    #[test]
    fn every_synonym_is_of_a_word_of_the_language() {
        for (word, _) in DIRECTIVES {
            assert!(crate::doll::directives().any(|directive| directive.word == word), "{word}");
        }
        for (word, _) in SHAPES {
            assert!(crate::doll::Shape::ALL.iter().any(|shape| shape.word() == word), "{word}");
        }
        for (word, _) in JOINT_TYPES {
            assert!(crate::doll::JointKind::ALL.iter().any(|kind| kind.word() == word), "{word}");
        }
    }
}
