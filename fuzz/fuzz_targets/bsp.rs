//! Levels: read, and put into a world that moves on.
#![no_main]

use skelobj::Runtime;
use skelobj::physics::{Level, LevelOptions};
use skelobj_fuzz::watched;

/// Triangles of a level that is still built.
const MOST: usize = 10_000;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(level) = watched(bytes, || Level::from_bsp(bytes)) else { return };
    let meshes = level.models.iter().flat_map(|model| [&model.mesh, &model.sky]);
    let hulls: usize = level.models.iter().map(|model| model.hulls.len() + model.clip.len()).sum();
    let triangles: usize = meshes.map(|mesh| mesh.triangles().len()).sum();
    if triangles + hulls > MOST || level.brush_entities.len() > 100 {
        return;
    }
    let mut runtime = Runtime::default();
    runtime
        .physics_mut()
        .add_level(&level, LevelOptions::default().with_clip(true))
        .expect("levels from files are sound");
    runtime.step(0.1);
});
