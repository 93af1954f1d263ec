//! Real files with a few bytes, words or numbers changed.

use crate::common;
use crate::common::watched::read;

/// Number of changes for each file.
const TRIES: u32 = 1500;

/// File of each format, with the position of its size field.
const FILES: [(&str, Option<usize>); 8] = [
    ("dpm/spiderbot_barrels.dpm", Some(20)),
    ("zym/w_gl.zym", Some(16)),
    ("derived_psk/ropelike.psk", None),
    ("derived_psk/ropelike.psa", None),
    ("md5/door01/mesh.md5mesh", None),
    ("md5/door01/open.md5anim", None),
    ("md5/quirk_banner_bounds_count/banner.md5mesh", None),
    ("md5/quirk_banner_bounds_count/banner.md5anim", None),
];

/// Generator with the same numbers in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }

    fn of<'a, T>(&mut self, values: &'a [T]) -> &'a T {
        &values[self.below(values.len())]
    }
}

/// Writes a critical number somewhere, in either byte order.
fn change_number(bytes: &mut [u8], random: &mut Random) {
    let values = [0, 1, 2, 255, 65_535, 1 << 28, i32::MAX as u32, 1 << 31, u32::MAX, 0x7fc0_0000, 0x7f7f_ffff];
    let value = *random.of(&values);
    // Headers and tables are where the numbers matter most.
    let end = if random.below(2) == 0 { bytes.len().min(512) } else { bytes.len() };
    let at = random.below(end / 4) * 4;
    if let Some(place) = bytes.get_mut(at..at + 4) {
        let value = if random.below(2) == 0 { value.to_le_bytes() } else { value.to_be_bytes() };
        place.copy_from_slice(&value);
    }
}

/// Replaces a word by a critical one.
fn change_word(bytes: &mut Vec<u8>, random: &mut Random) {
    let words =
        ["", "(", ")", "{", "}", "\"", "//", "/*", "-1", "0", "3", "99999999999", "1e38", "-1e30", "mesh", "nan"];
    let start = random.below(bytes.len());
    let is_space = |b: &u8| b.is_ascii_whitespace();
    let from = bytes[start..].iter().position(is_space).map_or(bytes.len(), |at| start + at + 1);
    let to = bytes[from.min(bytes.len())..].iter().position(is_space).map_or(bytes.len(), |at| from + at);
    if from <= to {
        bytes.splice(from..to, random.of(&words).bytes());
    }
}

#[test]
fn changed_files_are_refused_or_sound() {
    let Some(shared) = common::shared() else {
        println!("SKIPPED changed_files_are_refused_or_sound: no shared folder");
        return;
    };
    let tries = if common::is_thorough() { TRIES } else { TRIES / 5 };
    let (mut loaded, mut refused) = (0, 0);
    for (name, size) in FILES {
        let good = std::fs::read(shared.join("corpus").join(name)).unwrap();
        assert!(read(name, &good).is_ok());
        let mut random = Random(name.len() as u64);
        for _ in 0..tries {
            let mut bytes = good.clone();
            for _ in 0..=random.below(4) {
                if name.starts_with("md5") {
                    change_word(&mut bytes, &mut random);
                } else {
                    change_number(&mut bytes, &mut random);
                }
            }
            if let Some(size) = size {
                let length = bytes.len() as u32;
                bytes[size..size + 4].copy_from_slice(&length.to_be_bytes());
            }
            match read(name, &bytes) {
                Ok(_) => loaded += 1,
                Err(_) => refused += 1,
            }
        }
    }
    assert!(loaded > tries && refused > tries, "{loaded} {refused}");
    println!("shared cases: changed_files_are_refused_or_sound: {} ({loaded} loaded)", FILES.len());
}
