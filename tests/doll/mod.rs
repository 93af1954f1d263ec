//! Tests of the module `doll`.

mod check;
mod fit;
mod format;
mod lint;
mod parse;
mod print;
