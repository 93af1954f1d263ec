//! Makes the models of the lessons in `dolls`, all but the mannequin:
//! `cargo run --release --example make_lessons [FOLDER]`.
//!
//! Each model has a file: its bones, its skin, and its motion, built with `figure`.

mod dog;
mod figure;
mod ponytail;
mod rope;
mod turret;

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let dolls = concat!(env!("CARGO_MANIFEST_DIR"), "/dolls");
    let folder = std::env::args().nth(1).unwrap_or_else(|| dolls.to_owned());
    let models = [
        ("rope", rope::model()?),
        ("ponytail", ponytail::model()?),
        ("turret", turret::model()?),
        ("dog", dog::model()?),
    ];
    for (name, model) in models {
        let bytes = skelobj::write::iqm(&model)?;
        std::fs::write(format!("{folder}/{name}.iqm"), &bytes)?;
        println!("{name}.iqm: {} bytes, {} bones, {} frames", bytes.len(), model.skeleton.len(), model.frame_count());
    }
    Ok(())
}
