//! Fuzzes `.framegroups` files, by the rules of FTE and of DarkPlaces.
#![no_main]

use skelobj::Model;
use skelobj_fuzz::{assert_sound, exercise, watched};

const MODEL: &[u8] = include_bytes!("../../tests/golden/models/fg.iqm");

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for load in [
        |text: &[u8]| Model::load("fg.iqm", MODEL, |_| Some(text.to_vec())),
        |text: &[u8]| Model::load_as_darkplaces("fg.iqm", MODEL, |_| Some(text.to_vec())),
    ] {
        let model = watched(bytes, || load(bytes)).expect("only the text can be wrong");
        assert_sound(&model);
        exercise(&model);
    }
});
