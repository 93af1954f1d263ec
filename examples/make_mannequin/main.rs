//! Makes `dolls/mannequin.iqm` and `dolls/mannequin_getup.iqm`:
//! `cargo run --release --example make_mannequin [FOLDER]`.
//!
//! A humanoid needs four things, and each has a file: a table of bones (`body`), a skin over them (`skin`), a way to
//! pose them (`figure`) and motion (`motion`, `getup`).

mod body;
mod curve;
mod figure;
mod getup;
mod mannequin;
mod motion;
mod skin;

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let dolls = concat!(env!("CARGO_MANIFEST_DIR"), "/dolls");
    let folder = std::env::args().nth(1).unwrap_or_else(|| dolls.to_owned());
    for (name, model) in [("mannequin.iqm", mannequin::model()?), ("mannequin_getup.iqm", mannequin::get_ups()?)] {
        let bytes = skelobj::write::iqm(&model)?;
        std::fs::write(format!("{folder}/{name}"), &bytes)?;
        let (vertices, triangles) =
            model.meshes.iter().fold((0, 0), |(v, t), mesh| (v + mesh.positions.len(), t + mesh.triangles.len()));
        println!(
            "{name}: {} bytes, {} bones, {} frames, {vertices} vertices, {triangles} triangles",
            bytes.len(),
            model.skeleton.len(),
            model.frame_count(),
        );
    }
    Ok(())
}
