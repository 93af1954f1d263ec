//! Random sequences of C calls. `SKELOBJ_SEQUENCES=10000 cargo test -p skelobj-capi --test live random` makes more of
//! them; the fuzz target `capi` searches for them.

use std::sync::PoisonError;

use crate::{ALONE, random_calls};

#[test]
fn random_calls_meet_no_defect_and_leave_nothing() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let sequences = std::env::var("SKELOBJ_SEQUENCES").map_or(100, |number| number.parse().expect("a number"));
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 32) as u8
    };
    for _ in 0..sequences {
        let bytes: Vec<u8> = (0..1500).map(|_| random()).collect();
        random_calls::run(&bytes);
    }
}
