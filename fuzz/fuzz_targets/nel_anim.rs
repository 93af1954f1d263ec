//! Fuzzes NeL animations.
#![no_main]

use skelobj_fuzz::joined;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| -> libfuzzer_sys::Corpus { joined("fuzz.anim", &[b"NEL_ANIM"], bytes) });
