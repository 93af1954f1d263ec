//! Hit boxes of bones.

/// Box around a bone for traces, and a first approximation of a doll's body.
///
/// ```
/// use skelobj::{math::Vec3, model::HitBox};
///
/// let mannequin = skelobj::assets::mannequin();
/// let head = mannequin.skeleton.find("head").ok_or("no head")?;
/// let hit_box = HitBox { bone: head, group: 1, mins: [-4.0, -4.0, 0.0], maxs: [4.0, 4.0, 8.0] };
/// let top = mannequin.skeleton.bind_model()[hit_box.bone].transform_point(Vec3::from(hit_box.maxs));
/// assert!((top.z - 64.0).abs() < 0.1); // model space
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HitBox {
    /// Bone that the box moves with, 0-based.
    pub bone: usize,
    /// Part of the body: 0 any, 1 head, 2 chest, 3 stomach, 4 left arm, 5 right arm, 6 left leg, 7 right leg. Larger
    /// numbers belong to the game.
    pub group: i32,
    /// Smallest corner, in the bone's space.
    pub mins: [f32; 3],
    /// Largest corner, in the bone's space.
    pub maxs: [f32; 3],
}
