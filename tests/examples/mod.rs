//! Tests of the examples, and of the models that examples make.

mod engine;
mod feet;
mod getting_up;
mod hello;
mod lag;
mod lessons;
mod mannequin;
mod quakec_host;
mod tail;
mod walk;
