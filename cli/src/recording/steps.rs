//! State after each step of a recording.

use skelobj::math::Vec3;
use skelobj::ragdoll::DropFrame;

/// Bytes of the hash of a step, and of each of its bodies.
const STEP_BYTES: usize = 8;
const BODY_BYTES: usize = 16;

/// State after a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Hash of all bones and bodies.
    pub hash: u64,
    /// States of the bodies, in the order of the doll.
    pub bodies: Vec<BodyMark>,
}

/// State of a body: the bits of its position, and a hash of its rotation and its velocities.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BodyMark {
    pub position: [u32; 3],
    pub hash: u32,
}

impl BodyMark {
    /// Returns the position, world space.
    pub fn place(&self) -> Vec3 {
        Vec3::from_array(self.position.map(f32::from_bits))
    }
}

impl Step {
    /// Returns the state of a drop test's frame.
    pub fn of(frame: &DropFrame<'_>) -> Self {
        let mut all = Fnv::default();
        frame.bones.iter().flat_map(|bone| bone.0).for_each(|number| all.add(number));
        let mark = |body: skelobj::ragdoll::BodyState| {
            let mut own = Fnv::default();
            let moving = body.velocity.to_array().into_iter().chain(body.angular_velocity.to_array());
            body.rotation.to_array().into_iter().chain(moving).for_each(|number| own.add(number));
            let position = body.position.to_array();
            position.iter().for_each(|number| all.add(*number));
            all.add_bits(own.0 as u32);
            BodyMark { position: position.map(f32::to_bits), hash: (own.0 ^ own.0 >> 32) as u32 }
        };
        let bodies = frame.ragdoll.bodies(frame.physics).map(mark).collect();
        Self { hash: all.0, bodies }
    }

    /// Adds the bytes of the step.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.hash.to_le_bytes());
        for body in &self.bodies {
            out.extend(body.position.iter().chain([&body.hash]).flat_map(|bits| bits.to_le_bytes()));
        }
    }
}

/// Returns the steps in some bytes; `None` if there are too many or too few bytes for steps of so many bodies.
pub fn read(bytes: &[u8], bodies: usize) -> Option<Vec<Step>> {
    let size = bodies.checked_mul(BODY_BYTES)?.checked_add(STEP_BYTES)?;
    if !bytes.len().is_multiple_of(size) {
        return None;
    }
    let step = |bytes: &[u8]| {
        let (hash, rest) = bytes.split_first_chunk::<STEP_BYTES>()?;
        let body = |bytes: &[u8]| {
            let word =
                |at: usize| bytes.get(at..).and_then(|rest| rest.first_chunk()).map(|word| u32::from_le_bytes(*word));
            Some(BodyMark { position: [word(0)?, word(4)?, word(8)?], hash: word(12)? })
        };
        let bodies = rest.chunks_exact(BODY_BYTES).map(body).collect::<Option<_>>()?;
        Some(Step { hash: u64::from_le_bytes(*hash), bodies })
    };
    bytes.chunks_exact(size).map(step).collect()
}

/// Hash of Fowler, Noll and Vo over words of 32 bits.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, number: f32) {
        self.add_bits(number.to_bits());
    }

    fn add_bits(&mut self, bits: u32) {
        for byte in bits.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
}
