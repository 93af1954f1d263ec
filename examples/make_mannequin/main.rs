//! Makes `dolls/mannequin.iqm`: `cargo run --release --example make_mannequin [FILE]`.
//!
//! A humanoid needs four things, and each has a file: a table of bones (`body`), a skin over them (`skin`), a way to
//! pose them (`figure`) and motion (`motion`).

mod body;
mod curve;
mod figure;
mod mannequin;
mod motion;
mod skin;

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/dolls/mannequin.iqm");
    let path = std::env::args().nth(1).unwrap_or_else(|| beside.to_owned());
    let model = mannequin::model()?;
    let bytes = skelobj::write::iqm(&model)?;
    std::fs::write(&path, &bytes)?;
    let (vertices, triangles) =
        model.meshes.iter().fold((0, 0), |(v, t), mesh| (v + mesh.positions.len(), t + mesh.triangles.len()));
    println!(
        "{path}: {} bytes, {} bones, {} frames, {vertices} vertices, {triangles} triangles",
        bytes.len(),
        model.skeleton.len(),
        model.frame_count(),
    );
    Ok(())
}
