//! Tests of the repository: layers, sizes, and pages that name code.

mod differences;
mod dolls_page;
mod layers;
mod messages;
mod size;
mod tuning;
