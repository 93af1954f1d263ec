//! Fuzzes the C API: each input is a sequence of calls with ids, numbers, matrices and texts. No call may meet a
//! defect, and nothing may be left when everything is freed.
#![no_main]

#[path = "../../capi/tests/common/random_calls.rs"]
mod random_calls;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| random_calls::run(bytes));
