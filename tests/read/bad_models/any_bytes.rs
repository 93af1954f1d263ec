//! Files cut or changed at any position.

use proptest::prelude::*;

use super::small::{fix_size, put, small, small_file};
use crate::common;
use crate::common::watched::{assert_sound, read};

#[test]
fn no_truncation_panics() {
    let mut files = vec![("small".to_owned(), small_file())];
    match common::shared() {
        Some(shared) => {
            files.push(("ropelike.iqm".into(), std::fs::read(shared.join("corpus/iqm/ropelike.iqm")).unwrap()));
        }
        None => println!("SKIPPED no_truncation_panics on corpus files: no shared folder"),
    }
    for (name, bytes) in &files {
        assert!(read(name, bytes).is_ok());
        for length in 0..bytes.len() {
            let mut cut = bytes[..length].to_vec();
            assert!(read(name, &cut).is_err(), "{name} cut to {length}");
            fix_size(&mut cut);
            // The last bytes are names or ends of strings: without them the file may still be complete.
            let result = read(name, &cut);
            assert!(result.is_err() || length > bytes.len() / 2, "{name} cut to {length}");
        }
    }
    println!("shared cases: no_truncation_panics: {}", files.len() - 1);
}

/// Real files, cut at each byte if they are small, otherwise at some bytes, with and without a corrected size field.
#[test]
fn no_truncation_of_real_files_panics() {
    let Some(shared) = common::shared() else {
        println!("SKIPPED no_truncation_of_real_files_panics: no shared folder");
        return;
    };
    let paths: Vec<_> =
        ["corpus/iqm", "corpus/derived_iqm"].iter().flat_map(|f| common::files(&shared.join(f))).collect();
    let mut cuts = 0;
    for path in &paths {
        let bytes = std::fs::read(path).unwrap();
        let step = if bytes.len() < 8 << 10 { 1 } else { bytes.len() / 200 };
        for length in (0..bytes.len()).step_by(step) {
            let mut cut = bytes[..length].to_vec();
            assert!(read("cut", &cut).is_err(), "{} cut to {length}", path.display());
            fix_size(&mut cut);
            let _ = read("cut", &cut);
            cuts += 1;
        }
    }
    assert!(paths.len() >= 20);
    println!("shared cases: no_truncation_of_real_files_panics: {} ({cuts} cuts)", paths.len());
}

#[test]
fn every_count_and_offset_may_be_huge() {
    let good = small_file();
    for field in (20..124).step_by(4) {
        for value in [u32::MAX, u32::MAX - 15, 1 << 31, 1 << 30, 1 << 16, good.len() as u32, good.len() as u32 - 1] {
            let mut bytes = good.clone();
            put(&mut bytes, field, value);
            let _ = read(&format!("field {field} = {value:#x}"), &bytes);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_may_be_changed(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..24),
    ) {
        let mut bytes = small_file();
        for (index, value) in changes {
            // The magic and the size field stay, because the data after them is to be reached.
            let at = 24 + index.index(bytes.len() - 24);
            bytes[at] = value;
        }
        let _ = read("changed", &bytes);
    }

    #[test]
    fn any_words_may_be_changed(
        changes in prop::collection::vec((any::<prop::sample::Index>(), prop_oneof![
            any::<u32>(), 0u32..64, Just(u32::MAX), Just(f32::NAN.to_bits()), Just(f32::MAX.to_bits()),
        ]), 1..8),
    ) {
        let mut bytes = small_file();
        for (index, value) in changes {
            let at = 24 + 4 * index.index((bytes.len() - 24) / 4);
            put(&mut bytes, at, value);
        }
        let _ = read("changed", &bytes);
    }

    #[test]
    fn side_files_may_hold_anything(text in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut model = small();
        model.apply_framegroups("m", &text);
        assert_sound("side file", &model);
    }

    #[test]
    fn side_files_may_hold_any_words(text in "([-0-9,.e]{1,9}|[ \\n\"{}\\[\\]:]|true|\"framegroups\":|//|name){0,60}") {
        let mut model = small();
        model.apply_framegroups("m", text.as_bytes());
        assert_sound("side file", &model);
    }
}
