//! Fuzzes `.framegroups` files, by the rules of FTE and of DarkPlaces.
#![no_main]

use skelobj::{Dialect, LoadOptions, Model};
use skelobj_fuzz::{assert_sound, exercise, watched};

const MODEL: &[u8] = include_bytes!("../../tests/golden/models/fg.iqm");

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for dialect in [Dialect::Fte, Dialect::DarkPlaces] {
        let options = LoadOptions::default().with_dialect(dialect);
        let load = || Model::load_with(&options, "fg.iqm", MODEL, |_| Some(bytes.to_vec()));
        let model = watched(bytes, load).expect("only the text can be wrong");
        assert_sound(&model);
        exercise(&model);
    }
});
