//! Names of bones in texts that were not found.

use skelobj::assets;
use skelobj::math::Mat3x4;
use skelobj::model::{Bone, Name, Skeleton};
use skelobj::pose::{Aim, BoneMask, Chain, PosingError, Reach, RootMotion, Spring};

type Refused = fn(&Skeleton, &str) -> PosingError;

/// Every function that reads names of bones, with a word where a bone is expected.
const READERS: [(&str, Refused); 7] = [
    ("aim", |skeleton, word| Aim::parse(skeleton, format!("pelvis 0.5, {word} 0.5")).unwrap_err()),
    ("mask", |skeleton, word| BoneMask::parse(skeleton, format!("spine 1 1 , {word} 0.5 2")).unwrap_err()),
    ("chain", |skeleton, word| Chain::parse(skeleton, format!("pelvis, {word}")).unwrap_err()),
    ("reach", |skeleton, word| Reach::parse(skeleton, format!("thigh_l, {word}, foot_l")).unwrap_err()),
    ("root", |skeleton, word| RootMotion::parse(skeleton, word).unwrap_err()),
    ("spring", |skeleton, word| Spring::parse(skeleton, format!("{word}, hand_l")).unwrap_err()),
    ("colliders", |skeleton, word| {
        let spring = Spring::parse(skeleton, "upperarm_l, hand_l").unwrap();
        spring.with_colliders(skeleton, format!("chest 7, {word} 6")).unwrap_err()
    }),
];

/// Returns a word with each letter left out, doubled or exchanged with the next, and in the other case.
fn misspelt(word: &str) -> Vec<String> {
    let mut words = vec![word.to_ascii_uppercase()];
    for at in 0..word.len() {
        let (front, rest) = word.split_at(at);
        words.push(format!("{front}{}", &rest[1..]));
        words.push(format!("{front}{}{rest}", &rest[..1]));
        if rest.len() > 1 {
            words.push(format!("{front}{}{}{}", &rest[1..2], &rest[..1], &rest[2..]));
        }
    }
    words
}

#[test]
fn every_reader_names_the_word_that_it_did_not_find_and_the_bone_that_was_meant() {
    let skeleton = assets::mannequin().skeleton;
    let mut count = 0;
    for name in skeleton.names() {
        for word in misspelt(name.as_str().unwrap()).iter().filter(|word| skeleton.find(word).is_none()) {
            // `thigh_` may be either thigh.
            let is_meant = |name: &&Name| misspelt(name.as_str().unwrap()).contains(word);
            let meant = skeleton.names().iter().find(is_meant);
            for (reader, refused) in READERS {
                let error = refused(&skeleton, word);
                let unknown = PosingError::NoBoneNamed { name: word.as_str().into(), suggestion: meant.cloned() };
                assert_eq!(error, unknown, "{reader}, {name}");
                let told = format!("no bone is named `{word}`, did you mean `{}`?", meant.unwrap());
                assert_eq!(error.to_string(), told);
                count += 1;
            }
        }
    }
    assert!(count > 2000, "{count}");
}

#[test]
fn far_words_have_no_suggestion() {
    let skeleton = assets::mannequin().skeleton;
    let long = "x".repeat(70_000);
    for word in ["tentacle", "a", "", "+-", "\u{202e}", "h\u{e9}ros", &long] {
        for (reader, refused) in READERS.into_iter().filter(|(reader, _)| !word.is_empty() || *reader == "chain") {
            let unknown = PosingError::NoBoneNamed { name: Name::from(word), suggestion: None };
            assert_eq!(refused(&skeleton, word), unknown, "{reader}: {word}");
        }
    }
}

#[test]
fn numbers_are_part_of_a_name_only_where_a_bone_has_them() {
    let bone = |name: &str, parent| Bone { name: name.into(), parent, bind: Mat3x4::IDENTITY };
    let bones = vec![bone("", None), bone("Bip01 Spine", Some(0)), bone("Bip01 Spine 1", Some(1)), bone("7", Some(2))];
    let skeleton = Skeleton::new(bones).unwrap();
    let told = |text: &str| Aim::parse(&skeleton, text).map_err(|error| error.to_string());
    assert_eq!(told("Bip01 Spine 1").map(|aim| aim == Aim::new(&skeleton, &[(2, 1.0)]).unwrap()), Ok(true));
    assert_eq!(told("Bip01 Spine 0.5").map(|aim| aim == Aim::new(&skeleton, &[(1, 0.5)]).unwrap()), Ok(true));
    assert_eq!(told("7 0.5").map(|aim| aim == Aim::new(&skeleton, &[(3, 0.5)]).unwrap()), Ok(true));
    let wrong = |text: &str| Err(format!("found `{text}`, expected a bone and at most one number between commas"));
    for text in ["Bip01 Spine 1 2 3", "Bip01 Spine x", "Bip01 Spine 1 0.5 7", "7 much"] {
        assert_eq!(told(text), wrong(text));
    }
    for (text, name, meant) in [
        ("Bip01 Spin 1", "Bip01 Spin", Some("Bip01 Spine")),
        ("Bip01 spine 1 0.5", "Bip01 spine", Some("Bip01 Spine")),
        ("8", "8", None),
        ("0.5 8", "0.5", None),
    ] {
        let (name, suggestion) = (name.into(), meant.map(Name::from));
        assert_eq!(Aim::parse(&skeleton, text), Err(PosingError::NoBoneNamed { name, suggestion }), "{text}");
    }
    let alone = "found `Bip01 Spine 2`, expected a bone without a number";
    assert_eq!(RootMotion::parse(&skeleton, "Bip01 Spine 2").unwrap_err().to_string(), alone);
    assert_eq!(Chain::parse(&skeleton, "7, Bip01 Spine 2").unwrap_err().to_string(), alone);
}
