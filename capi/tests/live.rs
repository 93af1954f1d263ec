//! Handles that are alive. Their number belongs to the process, so these tests are a program of their own and run one
//! at a time.

mod random;
#[path = "common/random_calls.rs"]
mod random_calls;
mod threads;

/// Lock of the tests that count handles.
static ALONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
