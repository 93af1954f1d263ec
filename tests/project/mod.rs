//! Tests of the repository: layers, and pages that name code.

mod differences;
mod dolls_page;
mod layers;
mod messages;
mod tuning;
