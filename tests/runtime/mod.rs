//! Tests of the module `runtime`.

mod attachments;
mod file_names;
mod files;
mod finite_numbers;
mod golden;
mod history;
mod models;
mod replicate;
mod rules;
mod send_sync;
mod short_ways;
mod skin_traces;
mod snapshot;
mod snapshot_histories;
mod snapshot_hostile;
mod snapshot_size;
mod trace;
