//! Boxes that traces hit.

/// A box around a bone, for traces; a fair first guess for the bodies of a doll.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HitBox {
    /// The bone, 0-based.
    pub bone: usize,
    /// Part of the body: 0 any, 1 head, 2 chest, 3 stomach, 4 left arm, 5 right arm, 6 left leg, 7 right
    /// leg; more are the game's own.
    pub group: i32,
    /// Smallest corner, in the bone's space.
    pub mins: [f32; 3],
    /// Largest corner, in the bone's space.
    pub maxs: [f32; 3],
}
