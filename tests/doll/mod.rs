//! Tests of the module `doll`.

mod advice;
mod check;
mod encoding;
mod fit;
mod format;
mod lint;
mod parse;
mod print;
