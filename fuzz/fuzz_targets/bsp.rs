//! Fuzzes levels: read, with their textures, and put into a world that is simulated.
#![no_main]

use std::time::Duration;

use skelobj::Runtime;
use skelobj::physics::{BspTextures, Level, LevelError, LevelOptions};
use skelobj_fuzz::{prompt, watched, watched_up_to};

/// Maximum duration of reading, of adding to a world, and of a few steps. Limits of work keep it far below on any
/// machine.
const TIME: Duration = Duration::from_secs(5);

/// Maximum memory of a world with a level: 65,536 shapes, and the trees of their triangles.
const WORLD: usize = 384 << 20;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(level) = prompt(TIME, || watched(bytes, || Level::from_bsp(bytes))) else { return };
    textures(bytes, &level);
    let mut runtime = Runtime::default();
    let options = LevelOptions::default().with_clip(true);
    let added = prompt(TIME, || watched_up_to(WORLD, || runtime.physics_mut().add_level(&level, options)));
    match added {
        Ok(_) => {
            let stepped = prompt(TIME, || watched_up_to(WORLD, || runtime.step(0.02)));
            assert!(stepped.is_ok());
        }
        Err(LevelError::TooManyBodies | LevelError::LimitExceeded(_)) => {
            assert!(runtime.physics().world().bodies.is_empty());
        }
        Err(error) => panic!("levels from files are sound: {error}"),
    }
});

/// Reads the textures of a level that was read.
fn textures(bytes: &[u8], level: &Level) {
    let textures = BspTextures::new(bytes).expect("a level has its lump of textures");
    for surface in level.surfaces.iter().filter_map(|surface| surface.texture) {
        assert!((surface.number as usize) < textures.len() && surface.s.is_finite() && surface.t.is_finite());
    }
    // Any number of them may share their pixels.
    for texture in (0..textures.len()).take(64).filter_map(|number| textures.get(number)) {
        let pixels = watched(bytes, || texture.rgba(&[[1, 2, 3]; 256]));
        assert_eq!(pixels.len() as u64, u64::from(texture.size().x) * u64::from(texture.size().y));
    }
}
