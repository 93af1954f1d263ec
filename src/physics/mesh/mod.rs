//! Triangle meshes for collisions.

mod builder;
mod ears;
mod tree;

pub(super) use builder::MeshBuilder;

use glam::Vec3;

/// The order of a polygon's corners, seen from its solid side.
///
/// Meshes are solid on their front only: with the wrong winding, bodies fall through them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Winding {
    /// OpenGL's and rapier's order.
    CounterClockwise,
    /// Quake's order: the faces of its maps and the triangles of its models.
    Clockwise,
}

/// A triangle mesh for collisions: welded, counter-clockwise seen from outside, with a surface number for each
/// triangle.
///
/// Where polygons abut, their triangles share vertices and edges, so that a limb slides over the seam. The mesh is
/// plain data, in the space of the level or of a brush model.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SolidMesh {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    surfaces: Vec<u32>,
}

impl SolidMesh {
    /// Returns the vertices, Quake units; no two are in one place.
    #[must_use]
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Returns the triangles, indexes into the vertices, counter-clockwise seen from outside; a trace reports the index
    /// of the one it hit.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Returns the surface number of every triangle: in a level from a BSP file an index into
    /// [`Level::surfaces`](super::Level::surfaces).
    #[must_use]
    pub fn surfaces(&self) -> &[u32] {
        &self.surfaces
    }

    /// Returns whether the mesh has no triangles.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }
}
