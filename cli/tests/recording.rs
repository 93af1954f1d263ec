//! `skelobj sim --record` and `--replay`.

use crate::drawing::Folder;

/// Returns the bytes of a short recorded fall in a folder.
fn recorded(folder: &Folder) -> Vec<u8> {
    let output =
        folder.skelobj(&["sim", "--seed", "5", "--velocity", "90,0,0", "--seconds", "0.3", "--record", "fall.run"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::read(folder.0.join("fall.run")).expect("a recording")
}

/// Replays bytes; returns the exit code and what was printed.
fn replay(folder: &Folder, bytes: &[u8]) -> (Option<i32>, String) {
    folder.write("again.run", bytes);
    let output = folder.skelobj(&["sim", "--replay", "again.run"]);
    let printed = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&printed).into_owned())
}

/// Returns a recording with a right checksum again.
fn signed(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(bytes.len() - 4);
    let sum = crc32fast::hash(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// Bytes of a step of the mannequin: a hash, and four words for each of 16 bodies.
const STEP: usize = 8 + 16 * 16;

#[test]
fn a_recorded_fall_is_repeated_to_the_bit() {
    let folder = Folder::new("record");
    let bytes = recorded(&folder);
    let (code, printed) = replay(&folder, &bytes);
    assert_eq!(code, Some(0), "{printed}");
    // 0.4 s of animation, 0.3 s of falling, and the end.
    assert!(printed.contains("43 steps of 16 bodies are the same to the bit"), "{printed}");
}

#[test]
fn a_recorded_fall_may_fade() {
    let folder = Folder::new("fade");
    let fall = ["sim", "--fade", "0.3", "--velocity", "200,0,0", "--seconds", "0.5", "--record", "fall.run"];
    let printed = folder.skelobj(&fall).stdout;
    let printed = String::from_utf8_lossy(&printed);
    assert!(printed.contains("fades out of `death` for 0.30 s, then falls"), "{printed}");
    let (code, printed) = replay(&folder, &std::fs::read(folder.0.join("fall.run")).expect("a recording"));
    assert_eq!(code, Some(0), "{printed}");
    assert!(printed.contains("31 steps of 16 bodies are the same to the bit"), "{printed}");
}

#[test]
fn the_first_step_and_body_that_differ_are_named() {
    let folder = Folder::new("differ");
    let bytes = recorded(&folder);
    // The lowest bit of a position, four steps before the end, in the third body.
    let mut moved = bytes.clone();
    let at = bytes.len() - 4 - 4 * STEP + 8 + 2 * 16;
    moved[at] ^= 1;
    let (code, printed) = replay(&folder, &signed(moved));
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.contains("differs first at step 39 (0.25 s): body `"), "{printed}");
    // The body's hash covers its rotation and its velocities.
    let mut turned = bytes.clone();
    turned[at + 12] ^= 1;
    let (code, printed) = replay(&folder, &signed(turned));
    assert!(code == Some(1) && printed.contains("step 39") && printed.contains("at the same place"), "{printed}");
    // A build in which the fall is shorter or longer.
    let mut short = bytes.clone();
    short.drain(bytes.len() - 4 - STEP..bytes.len() - 4);
    let text = String::from_utf8_lossy(&short).into_owned();
    assert!(text.contains("\"steps\":43"));
    let at = short.windows(10).position(|word| word == b"\"steps\":43").expect("the number of steps");
    short[at + 9] = b'2';
    let (code, printed) = replay(&folder, &signed(short));
    assert!(code == Some(1) && printed.contains("step 42"), "{printed}");
}

#[test]
fn damage_and_other_versions_are_refused() {
    let folder = Folder::new("damage");
    let bytes = recorded(&folder);
    let mut other = bytes.clone();
    other[8] = 7;
    let (code, printed) = replay(&folder, &other);
    assert!(code == Some(1) && printed.contains("version 7, expected 4"), "{printed}");
    let (code, printed) = replay(&folder, b"INTERQUAKEMODEL\0");
    assert!(code == Some(1) && printed.contains("not a recording"), "{printed}");
    for at in [20, bytes.len() / 2, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        let (code, printed) = replay(&folder, &damaged);
        assert!(code == Some(1) && printed.contains("damaged"), "byte {at}: {printed}");
    }
    for length in [0, 4, 11, 15, 18, 40, bytes.len() - 1] {
        let (code, printed) = replay(&folder, &bytes[..length]);
        assert_eq!(code, Some(1), "{length} bytes: {printed}");
        assert!(printed.contains("again.run: ") && !printed.contains("panicked"), "{length} bytes: {printed}");
    }
}

#[test]
fn false_contents_with_a_correct_checksum_are_refused() {
    let folder = Folder::new("lies");
    let bytes = recorded(&folder);
    let text = |from: &str, to: &str| {
        let at = bytes.windows(from.len()).position(|word| word == from.as_bytes()).expect("the words");
        let mut changed = bytes.clone();
        assert_eq!(from.len(), to.len());
        changed[at..at + from.len()].copy_from_slice(to.as_bytes());
        signed(changed)
    };
    for (lie, word) in [
        (text("\"steps\":43", "\"steps\":99"), "steps"),
        (text("\"role\":\"model\"", "\"role\":\"mudel\""), "files"),
        (text("\"bodies\":[", "\"badies\":["), "bodies"),
        (text("\"orient\":[", "\"arient\":["), "orient"),
        (text("\"velocity\":[", "\"velacity\":["), "velocity"),
        (text("\"animation\":3", "\"animation\":-"), "header"),
        (text("\"animation\":3", "\"onimation\":3"), "animation"),
        (text("\"water\":null", "\"water\":\"ab\""), "water"),
        (text("\"water\":null", "\"woter\":null"), "water"),
        (text("\"iterations\":6", "\"iterations\":0"), "iterations is 0"),
        (text("\"max_contact_pairs\":100000", "\"max_contact_pairs\":999999"), "expected at most 100000"),
        (text("\"height\":90.0", "\"height\":9e30"), "height"),
        (text("\"seconds\":0.", "\"seconds\":9."), "the recorded fall had ended"),
        (text("\"step\":0.016666", "\"step\":0.001666"), "10 times the work"),
        (text("\"friction\":", "\"fraction\":"), "friction"),
        (text("\"physics\":{", "\"fysics_\":{"), "physics"),
        (text("INTERQUAKEMODEL", "INTERQUAKEMUDEL"), "again.run"),
    ] {
        let (code, printed) = replay(&folder, &lie);
        assert!(code == Some(1) && printed.contains(word) && !printed.contains("panicked"), "{word}: {printed}");
    }
    let mut header = bytes.clone();
    header[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
    let (code, printed) = replay(&folder, &signed(header));
    assert!(code == Some(1) && printed.contains("lengths"), "{printed}");
}
