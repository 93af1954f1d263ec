//! Rope of eight links with a knot at its end, stretched out from the nail that holds it.

use skelobj::Model;
use skelobj::math::Vec3;
use skelobj::model::SkeletonError;

use super::figure::{Figure, joint, ring};

const LINKS: usize = 8;
const LENGTH: f32 = 7.0;
const HEMP: [u8; 3] = [196, 160, 104];
const KNOT: [u8; 3] = [150, 112, 66];

/// Returns the rope.
pub fn model() -> Result<Model, SkeletonError> {
    let mut rope = Figure::default();
    let at = |link: usize| Vec3::new(LENGTH * link as f32, 0.0, 0.0);
    for link in 0..=LINKS {
        let name = if link == LINKS { "knot".to_owned() } else { format!("link{}", link + 1) };
        rope.bone(&name, link.checked_sub(1), at(link), at(link + 1));
    }
    rope.surface("rope", "rope/hemp");
    let mut rings = vec![ring(0, at(0) - Vec3::X * 0.5, 0.0, 0.0), ring(0, at(0), 1.0, 1.0)];
    for link in 0..LINKS {
        rings.push(ring(link, at(link) + Vec3::X * LENGTH * 0.5, 1.0, 1.0));
        rings.push(joint([link, link + 1], at(link + 1), 1.0, 1.0));
    }
    rope.loft(6, Vec3::Y, HEMP, &rings);
    let knot = |along: f32, half: f32| ring(LINKS, at(LINKS) + Vec3::X * along, half, half);
    rope.loft(8, Vec3::Y, KNOT, &[knot(-0.6, 0.0), knot(0.2, 1.8), knot(2.0, 2.5), knot(3.8, 1.8), knot(4.6, 0.0)]);
    rope.model()
}
