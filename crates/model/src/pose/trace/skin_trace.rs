//! Rays through the skin between the bodies of a ragdoll.

use super::{Crossing, PosedSkin, SkinHit};
use crate::math::Vec3;
use crate::model::Mesh;

/// Maximum length of a triangle's edge, as a multiple of its length in the bind pose. Skin beyond it spans a cut.
const TORN: f32 = 2.5;

impl PosedSkin {
    /// Finds where a line enters the skin, if it leaves the skin before it reaches a body; all in world space.
    ///
    /// `body` is the fraction at which the line hits a body, if it does. A body that the line reaches first, or inside
    /// the skin that it enters first, counts instead of the skin. `scale` is the length of a unit of the model.
    pub fn trace_between_bodies(
        &self,
        meshes: &[Mesh],
        scale: f32,
        [start, end]: [Vec3; 2],
        body: Option<f32>,
    ) -> Option<SkinHit> {
        let along = end - start;
        let mut first: Option<SkinHit> = None;
        let mut crossings: Vec<(f32, bool)> = Vec::new();
        self.each_crossing(meshes, start, end, |crossing| {
            if is_torn(crossing, scale) {
                return;
            }
            crossings.push((crossing.fraction, crossing.face().dot(along) > 0.0));
            if first.is_none_or(|first| crossing.fraction < first.fraction) {
                first = crossing.hit(along).or(first);
            }
        });
        let entry = first?;
        let Some(body) = body else { return Some(entry) };
        crossings.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Windings differ between formats; the first crossing enters. Parts of the skin may overlap.
        let enters = crossings.first()?.1;
        let mut depth = 0;
        let exit = crossings.iter().find(|(_, side)| {
            depth += if *side == enters { 1 } else { -1 };
            depth <= 0
        });
        exit.is_some_and(|(exit, _)| *exit < body).then_some(entry)
    }
}

/// Returns `true` for a triangle that spans a cut, such as that between a body and its severed limb.
fn is_torn(crossing: &Crossing<'_>, scale: f32) -> bool {
    let bind = crossing.indexes.map(|index| crossing.mesh.1.positions.get(index as usize).copied());
    let [Some(a), Some(b), Some(c)] = bind.map(|place| place.map(Vec3::from)) else { return true };
    let posed = crossing.corners;
    let edges = [(a.distance(b), posed[0].distance(posed[1])), (b.distance(c), posed[1].distance(posed[2]))];
    let edges = edges.into_iter().chain([(c.distance(a), posed[2].distance(posed[0]))]);
    // A unit more for small triangles at a bent joint.
    edges.into_iter().any(|(bind, posed)| posed > (bind * TORN + 1.0) * scale)
}
