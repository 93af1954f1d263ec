//! Words in names of bones.

/// Part of a figure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    Pelvis,
    Spine,
    Clavicle,
    UpperArm,
    Forearm,
    Hand,
    Neck,
    Head,
    Thigh,
    Shin,
    Foot,
    /// Fingers, toes, and features of a face: too small for a body.
    Small,
    /// Bones that serve animators and games: targets, twists, attachments.
    Helper,
    Unknown,
}

impl Part {
    /// Returns `true` for arms, legs and heads.
    pub(super) fn is_limb(self) -> bool {
        use Part::{Foot, Forearm, Hand, Head, Shin, Thigh, UpperArm};
        matches!(self, UpperArm | Forearm | Hand | Head | Thigh | Shin | Foot)
    }

    /// Returns the name of a body of the part; `None` if its bone's name says more.
    pub(super) fn body(self) -> Option<&'static str> {
        Some(match self {
            Self::Pelvis => "pelvis",
            Self::Spine => "spine",
            Self::UpperArm => "upper_arm",
            Self::Forearm => "forearm",
            Self::Hand => "hand",
            Self::Neck => "neck",
            Self::Head => "head",
            Self::Thigh => "thigh",
            Self::Shin => "shin",
            Self::Foot => "foot",
            Self::Clavicle | Self::Small | Self::Helper | Self::Unknown => return None,
        })
    }

    /// Returns the English word for the joint above the part.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Pelvis => "pelvis",
            Self::Spine => "spine",
            Self::Clavicle => "clavicle",
            Self::UpperArm => "shoulder",
            Self::Forearm => "elbow",
            Self::Hand => "wrist",
            Self::Neck => "neck",
            Self::Head => "neck",
            Self::Thigh => "hip",
            Self::Shin => "knee",
            Self::Foot => "ankle",
            Self::Small => "small bone",
            Self::Helper => "helper",
            Self::Unknown => "joint",
        }
    }
}

/// Words that name a rig, not a part.
pub(super) const RIGS: [&str; 12] =
    ["bip", "mixamorig", "valve", "biped", "valvebiped", "def", "org", "bone", "jnt", "joint", "sk", "rig"];

/// Words that stand beside those of parts.
const BESIDE: [&str; 20] = [
    "l", "r", "left", "right", "lft", "rgt", "upper", "lower", "up", "low", "mid", "main", "base", "root", "top",
    "tip", "end", "front", "back", "rear",
];

/// Terms of each part. The first part with a term in a name is the one that the name means.
pub(super) const PARTS: [(Part, &[&str]); 16] = [
    (
        Part::Helper,
        &[
            "ik",
            "nub",
            "tag",
            "ctrl",
            "pole",
            "cam",
            "roll",
            "fx",
            "helper",
            "twist",
            "target",
            "control",
            "attach",
            "attachment",
            "weapon",
            "muzzle",
            "camera",
            "footsteps",
            "effector",
            "socket",
            "locator",
            "prop",
        ],
    ),
    (
        Part::Small,
        &[
            "finger",
            "fingers",
            "thumb",
            "pinky",
            "pinkie",
            "pointer",
            "digit",
            "digits",
            "knuckle",
            "knuckles",
            "jaw",
            "brow",
            "eyebrow",
            "forehead",
            "cheek",
            "tongue",
            "mouth",
            "teeth",
            "nose",
            "eyelid",
            "eyeball",
            "nostril",
            "metacarp",
            "metacarpal",
            "carpal",
            "toebase",
            "toe",
            "toes",
            "ball",
            "eye",
            "eyes",
            "lip",
            "lips",
            "lid",
            "ring",
            "index",
            "middle",
            "ear",
            "ears",
        ],
    ),
    (Part::Forearm, &["forearm", "lowerarm", "armlower", "lowarm", "armlow", "elbow", "ulna"]),
    (Part::UpperArm, &["upperarm", "armupper", "uparm", "armup", "humerus"]),
    (Part::Thigh, &["thigh", "upperleg", "legupper", "upleg", "legup", "femur"]),
    (Part::Shin, &["shin", "calf", "knee", "lowerleg", "leglower", "lowleg", "leglow", "tibia"]),
    (Part::Foot, &["foot", "feet", "ankle"]),
    (Part::Hand, &["hand", "wrist", "palm"]),
    (Part::Clavicle, &["clavicle", "collar", "collarbone", "scapula", "shoulder"]),
    (Part::Pelvis, &["pelvis", "hips"]),
    (Part::Pelvis, &["hip"]),
    (Part::Spine, &["spine", "chest", "torso", "abdomen", "waist", "ribcage", "thorax", "belly"]),
    (Part::Neck, &["neck"]),
    (Part::Head, &["head", "skull"]),
    (Part::UpperArm, &["arm"]),
    (Part::Thigh, &["leg"]),
];

/// Returns `true` if a term is in the words of a name: as a word, or as several in a row.
pub(super) fn has(words: &[String], term: &str) -> bool {
    (0..words.len()).any(|first| {
        let mut rest = term;
        words[first..].iter().any(|word| match rest.strip_prefix(word.as_str()) {
            Some(left) => {
                rest = left;
                rest.is_empty()
            }
            // No later word continues the row.
            None => {
                rest = "\0";
                false
            }
        })
    })
}

/// Splits a word of small letters into the fewest known words; a word that has other parts stays whole.
pub(super) fn split(word: &str) -> Vec<&str> {
    // For each end, the number of words before it and the start of the last one.
    let mut ways: Vec<Option<(usize, usize)>> = vec![None; word.len() + 1];
    ways[0] = Some((0, 0));
    let terms = || PARTS.iter().flat_map(|(_, terms)| terms.iter()).chain(&RIGS).chain(&BESIDE);
    for start in 0..word.len() {
        let Some((count, _)) = ways[start] else { continue };
        for term in terms().filter(|term| word[start..].starts_with(**term)) {
            let end = start + term.len();
            // Letters for sides stand before or after a word.
            if term.len() == 1 && (word.len() < 3 || start > 0 && end < word.len()) {
                continue;
            }
            if ways[end].is_none_or(|(fewest, _)| count + 1 < fewest) {
                ways[end] = Some((count + 1, start));
            }
        }
    }
    let mut parts = Vec::new();
    let mut end = word.len();
    while end > 0 {
        let Some((_, start)) = ways[end] else { return vec![word] };
        parts.push(&word[start..end]);
        end = start;
    }
    parts.reverse();
    parts
}
