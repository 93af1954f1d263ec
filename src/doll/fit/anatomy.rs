//! Anatomy that the names of bones tell: Bip01, ValveBiped, mixamo, and plain English.

use super::vocabulary;
pub(super) use super::vocabulary::Part;
use crate::model::Skeleton;

/// Side of a figure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Side {
    Left,
    Right,
}

/// Meaning of a bone's name.
#[derive(Clone, Debug)]
pub(super) struct Meaning {
    pub(super) part: Part,
    pub(super) side: Option<Side>,
    /// `false` if the name only says to which limb the bone belongs.
    is_exact: bool,
}

impl Meaning {
    /// Returns `true` for the next part of the same limb.
    pub(super) fn continues(&self, above: &Self) -> bool {
        use Part::{Foot, Forearm, Hand, Shin, Thigh, UpperArm};
        let follows =
            matches!((above.part, self.part), (Thigh, Shin) | (Shin, Foot) | (UpperArm, Forearm) | (Forearm, Hand));
        follows && self.side == above.side
    }
}

/// Returns the meaning of every bone's name.
pub(super) fn meanings(skeleton: &Skeleton) -> Vec<Meaning> {
    let mut meanings: Vec<Meaning> = Vec::with_capacity(skeleton.len());
    for bone in 0..skeleton.len() {
        let name = skeleton.names()[bone].as_bytes();
        let mut words = words(&name[..name.len().min(LONGEST)]);
        let side = take_side(&mut words);
        let ancestors = std::iter::successors(skeleton.parent(bone), |&bone| skeleton.parent(bone));
        let above = ancestors.take(3).map(|bone| meanings[bone].part).find(|part| *part != Part::Unknown);
        let (part, is_exact) = part(&words, side, above);
        meanings.push(Meaning { part, side, is_exact });
    }
    name_rows(skeleton, &mut meanings);
    let children_of_neck: Vec<bool> = has_head_below(skeleton, &meanings);
    for (bone, meaning) in meanings.iter_mut().enumerate() {
        // A neck without a head is the head.
        if meaning.part == Part::Neck && !children_of_neck[bone] {
            meaning.part = Part::Head;
        }
    }
    // A shoulder without an arm is the arm.
    let mut arms = vec![false; meanings.len()];
    for bone in (0..meanings.len()).rev() {
        if let Some(parent) = skeleton.parent(bone) {
            arms[parent] |= arms[bone] || meanings[bone].part == Part::UpperArm;
        }
    }
    for (meaning, arm) in meanings.iter_mut().zip(arms) {
        if meaning.part == Part::Clavicle && !arm {
            meaning.part = Part::UpperArm;
        }
    }
    meanings
}

/// Corrects the parts of bones that follow one another and mean the same part: rigs split limbs for their twist, and
/// some number the bones of a limb.
fn name_rows(skeleton: &Skeleton, meanings: &mut [Meaning]) {
    use Part::{Clavicle, Foot, Forearm, Hand, Helper, Shin, Small, Thigh, UpperArm};
    for bone in 0..meanings.len() {
        let Some(parent) = skeleton.parent(bone) else { continue };
        let (part, above) = (meanings[bone].part, meanings[parent].part);
        if part != above || meanings[bone].side != meanings[parent].side {
            continue;
        }
        let grandparent = skeleton.parent(parent).filter(|&bone| meanings[bone].side == meanings[parent].side);
        let is_numbered = !meanings[bone].is_exact && !meanings[parent].is_exact;
        match (part, grandparent) {
            // Arm, Arm1, Arm2: shoulder, upper arm and forearm.
            (Forearm, Some(first)) if is_numbered && meanings[first].part == UpperArm => {
                (meanings[first].part, meanings[parent].part) = (Clavicle, UpperArm);
            }
            // A third leg has a name of its own in no language.
            (Shin, _) if is_numbered => meanings[bone].part = Part::Unknown,
            (UpperArm | Forearm | Thigh | Shin, _) => meanings[bone].part = Helper,
            (Hand | Foot, _) => meanings[bone].part = Small,
            _ => {}
        }
    }
}

/// Number of bytes of a name that are read.
const LONGEST: usize = 64;

fn has_head_below(skeleton: &Skeleton, meanings: &[Meaning]) -> Vec<bool> {
    let mut below = vec![false; meanings.len()];
    for bone in (0..meanings.len()).rev() {
        if let Some(parent) = skeleton.parent(bone) {
            below[parent] |= below[bone] || meanings[bone].part == Part::Head;
        }
    }
    below
}

/// Returns the words of a name in lower case: parted by other characters, digits, and capitals after small letters, and
/// where known words are written together.
fn words(name: &[u8]) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = b' ';
    for &byte in name {
        let starts = byte.is_ascii_uppercase() && before.is_ascii_lowercase();
        if (!byte.is_ascii_alphabetic() || starts) && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if byte.is_ascii_alphabetic()
            && let Some(word) = words.last_mut()
        {
            word.push(byte.to_ascii_lowercase() as char);
        }
        before = byte;
    }
    let mut words: Vec<String> = words.iter().flat_map(|word| vocabulary::split(word)).map(str::to_owned).collect();
    words.retain(|word| !word.is_empty() && !vocabulary::RIGS.contains(&word.as_str()));
    words
}

/// Removes the word of a side and returns the side.
fn take_side(words: &mut Vec<String>) -> Option<Side> {
    let side = |word: &str| match word {
        "l" | "left" | "lft" => Some(Side::Left),
        "r" | "right" | "rgt" => Some(Side::Right),
        _ => None,
    };
    if let Some(at) = words.iter().position(|word| side(word).is_some()) {
        return side(&words.remove(at));
    }
    for word in words.iter_mut() {
        for (start, side) in [("left", Side::Left), ("right", Side::Right)] {
            if let Some(rest) = word.strip_prefix(start).or(word.strip_suffix(start)) {
                *word = rest.to_owned();
                return Some(side);
            }
        }
    }
    None
}

/// Returns the part that words mean, and `false` if they only say to which limb it belongs.
fn part(words: &[String], side: Option<Side>, above: Option<Part>) -> (Part, bool) {
    let is_known = |terms: &[&str]| terms.iter().any(|term| vocabulary::has(words, term));
    match vocabulary::PARTS.iter().find(|(_, terms)| is_known(terms)) {
        // Words for the whole limb, which stand for the next part below a known one.
        Some((Part::UpperArm, ["arm"])) => match above {
            Some(Part::UpperArm | Part::Forearm) => (Part::Forearm, false),
            _ => (Part::UpperArm, false),
        },
        Some((Part::Thigh, ["leg"])) => match above {
            Some(Part::Thigh | Part::Shin) => (Part::Shin, false),
            _ => (Part::Thigh, false),
        },
        Some((Part::Pelvis, ["hip"])) if side.is_some() => (Part::Thigh, true),
        Some((part, _)) => (*part, true),
        None => (Part::Unknown, true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meaning(names: &[&str]) -> Vec<(Part, Option<Side>)> {
        let bones = names.iter().enumerate().map(|(i, name)| ((*name).into(), i.checked_sub(1)));
        let skeleton = Skeleton::without_bind(bones.collect()).unwrap();
        meanings(&skeleton).into_iter().map(|m| (m.part, m.side)).collect()
    }

    #[test]
    fn names_of_four_rigs_mean_the_same() {
        let (left, right) = (Some(Side::Left), Some(Side::Right));
        let arm = |side| [(Part::Clavicle, side), (Part::UpperArm, side), (Part::Forearm, side), (Part::Hand, side)];
        assert_eq!(meaning(&["Bip01 L Clavicle", "Bip01 L UpperArm", "Bip01 L Forearm", "Bip01 L Hand"]), arm(left));
        let valve = ["ValveBiped.Bip01_R_Clavicle", "ValveBiped.Bip01_R_UpperArm", "ValveBiped.Bip01_R_Forearm"];
        assert_eq!(meaning(&valve), arm(right)[..3]);
        let mixamo = ["mixamorig:LeftShoulder", "mixamorig:LeftArm", "mixamorig:LeftForeArm", "mixamorig:LeftHand"];
        assert_eq!(meaning(&mixamo), arm(left));
        assert_eq!(meaning(&["clavicle_r", "upperarm_r", "lowerarm_r", "hand_r"]), arm(right));
        let leg = |side| [(Part::Thigh, side), (Part::Shin, side), (Part::Foot, side)];
        assert_eq!(meaning(&["mixamorig:RightUpLeg", "mixamorig:RightLeg", "mixamorig:RightFoot"]), leg(right));
        assert_eq!(meaning(&["Bip01 L Thigh", "Bip01 L Calf", "Bip01 L Foot"]), leg(left));
        assert_eq!(meaning(&["leg_L", "leg_L.001", "foot.L"]), leg(left));
        // Half-Life's players.
        assert_eq!(meaning(&["Bip01 L Arm", "Bip01 L Arm1", "Bip01 L Arm2", "Bip01 L Hand"]), arm(left));
        assert_eq!(meaning(&["Bip01 R Leg", "Bip01 R Leg1", "Bip01 R Foot"]), leg(right));
    }

    #[test]
    fn segments_of_a_limb_are_one_part() {
        let parts = |names: &[&str]| meaning(names).into_iter().map(|m| m.0).collect::<Vec<_>>();
        let arm = ["upper_arm.L.01", "upper_arm.L.02", "forearm.L.01", "forearm.L.02", "hand.L", "palm.01.L"];
        use Part::{Foot, Forearm, Hand, Helper, Shin, Small, Thigh, UpperArm};
        assert_eq!(parts(&arm), [UpperArm, Helper, Forearm, Helper, Hand, Small]);
        assert_eq!(
            parts(&["thigh.L", "thigh.L.001", "shin.L", "foot.L", "foot.L.001"]),
            [Thigh, Helper, Shin, Foot, Small]
        );
        assert_eq!(parts(&["leg1.L", "leg2.L", "leg3.L"]), [Thigh, Shin, Part::Unknown]);
        // The other side is another limb.
        assert_eq!(parts(&["thigh.L", "thigh.R"]), [Thigh, Thigh]);
    }

    #[test]
    fn words_inside_other_words_are_ignored() {
        let names =
            ["overhead", "bottleneck", "handle", "armor", "legion", "propeller", "chipset", "shinto", "ringleader"];
        for name in names {
            assert_eq!(meaning(&[name])[0].0, Part::Unknown, "{name}");
        }
        assert_eq!(meaning(&["forehead"])[0].0, Part::Small);
    }

    #[test]
    fn words_written_together_are_read() {
        let (left, right) = (Some(Side::Left), Some(Side::Right));
        assert_eq!(meaning(&["Lfoot", "rthigh", "leftlowerarm"])[..2], [(Part::Foot, left), (Part::Thigh, right)]);
        assert_eq!(meaning(&["leftlowerarm"]), [(Part::Forearm, left)]);
        assert_eq!(
            meaning(&["uparmtwist", "headbone", "LUpArm", "handr"])[..],
            [(Part::Helper, None), (Part::Head, None), (Part::UpperArm, left), (Part::Hand, right),]
        );
        assert_eq!(
            meaning(&["hips", "hip_l", "spine1", "rl"]).iter().map(|m| m.0).collect::<Vec<_>>(),
            [Part::Pelvis, Part::Thigh, Part::Spine, Part::Unknown,]
        );
    }

    #[test]
    fn small_bones_and_helpers_are_told_apart() {
        let parts = |names: &[&str]| meaning(names).into_iter().map(|m| m.0).collect::<Vec<_>>();
        assert_eq!(parts(&["Bip01 L Finger01", "toe_l", "jaw"]), [Part::Small; 3]);
        assert_eq!(parts(&["upperarm_twist_01_l", "ik chain01", "Bip01 Footsteps"]), [Part::Helper; 3]);
        assert_eq!(parts(&["", "Bone_3", "b0", "object12"]), [Part::Unknown; 4]);
        assert_eq!(parts(&["neck", "head"]), [Part::Neck, Part::Head]);
        assert_eq!(parts(&["Neck"]), [Part::Head], "without a head, the neck is it");
    }
}
