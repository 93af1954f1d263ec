//! Random numbers that are the same in every run.
// Of each test program, only some need all.
#![allow(dead_code)]

use skelobj::math::{Quat, Vec3};

/// Marsaglia's xorshift; the seed is not 0.
pub struct Random(pub u64);

/// Number of random inputs of a test that compares fast code with its definition.
pub const INPUTS: u64 = 10_000;

/// Runs a check with random numbers of so many seeds. A failure prints the seed.
pub fn for_each_seed(seeds: u64, mut check: impl FnMut(&mut Random)) {
    struct Seed(u64);

    impl Drop for Seed {
        fn drop(&mut self) {
            if std::thread::panicking() {
                eprintln!("the check failed with seed {}", self.0);
            }
        }
    }

    for seed in 0..seeds {
        let _seed = Seed(seed);
        check(&mut Random::seeded(seed));
    }
}

impl Random {
    /// Returns the random numbers of a seed; neighbouring seeds have nothing in common.
    pub fn seeded(seed: u64) -> Self {
        Self((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// Returns a number from 0 to below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }

    /// Returns an element of a list that is not empty.
    pub fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// Returns a number from `low` to `high`.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * (self.below(1 << 20) as f32 / (1 << 20) as f32)
    }

    /// Returns a unit vector.
    pub fn direction(&mut self) -> Vec3 {
        let (angle, up) = (self.between(0.0, std::f32::consts::TAU), self.between(-1.0, 1.0));
        let across = (1.0 - up * up).sqrt();
        Vec3::new(across * angle.cos(), across * angle.sin(), up)
    }

    /// Returns a rotation by up to an angle, radians.
    pub fn turn(&mut self, most: f32) -> Quat {
        Quat::from_axis_angle(self.direction(), self.between(-most, most))
    }

    /// Returns `true` once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}
