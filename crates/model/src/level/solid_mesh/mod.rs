//! Triangle meshes for collisions.

mod ear_clipping;
mod mesh_builder;
mod vertex_tree;

pub(super) use mesh_builder::MeshBuilder;

use glam::Vec3;

/// Order of a polygon's corners, seen from its solid side.
///
/// Meshes are solid on their front only: with the wrong winding, bodies fall through them.
///
/// ```
/// use skelobj::math::Vec3;
/// use skelobj::physics::{SolidMesh, Winding};
///
/// let corners = [Vec3::new(0.0, 64.0, 0.0), Vec3::new(64.0, -64.0, 0.0), Vec3::new(-64.0, -64.0, 0.0)];
/// let quake = SolidMesh::new(&corners, &[[0, 1, 2]], Winding::Clockwise)?;
/// let opengl = SolidMesh::new(&corners, &[[2, 1, 0]], Winding::CounterClockwise)?;
/// let normal = |mesh: &SolidMesh| {
///     let [a, b, c] = mesh.triangles()[0].map(|index| mesh.vertices()[index as usize]);
///     (b - a).cross(c - a).normalize()
/// };
/// assert_eq!((normal(&quake), normal(&opengl)), (Vec3::Z, Vec3::Z)); // both are floors
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Winding {
    /// Order of OpenGL and rapier.
    CounterClockwise,
    /// Order of Quake: the faces of its maps and the triangles of its models.
    Clockwise,
}

/// Triangle mesh for collisions: welded, counter-clockwise seen from outside, with a surface number for each triangle.
///
/// Where polygons abut, their triangles share vertices and edges, so that a limb slides over the seam. The mesh is
/// plain data, in the space of the level or of a brush model.
///
/// ```
/// use skelobj::math::{Quat, Vec3};
/// use skelobj::physics::{LevelShape, SolidMesh, Winding};
/// use skelobj::runtime::Trace;
///
/// let corners = [[-64.0, -64.0], [64.0, -64.0], [64.0, 64.0], [-64.0, 64.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
/// let floor = SolidMesh::new(&corners, &[[0, 1, 2], [0, 2, 3]], Winding::CounterClockwise)?;
/// let mut runtime = skelobj::Runtime::default();
/// runtime.physics_mut().add_level_body(&[LevelShape::Mesh(&floor)], Vec3::ZERO, Quat::IDENTITY)?;
/// let hit = runtime.trace(&Trace::line(Vec3::Z * 8.0, Vec3::Z * -8.0))?.expect("the floor");
/// assert_eq!(hit.normal, Vec3::Z);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SolidMesh {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    surfaces: Vec<u32>,
}

impl SolidMesh {
    /// Returns the vertices, Quake units; no two are at the same place.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::physics::{SolidMesh, Winding};
    ///
    /// // Two triangles with corners of their own, as renderers have them, share an edge once they are welded.
    /// let [a, b, c, d] = [[0.0, 0.0], [64.0, 0.0], [64.0, 64.0], [0.0, 64.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
    /// let mesh = SolidMesh::new(&[a, b, c, a, c, d], &[[0, 1, 2], [3, 4, 5]], Winding::CounterClockwise)?;
    /// assert_eq!(mesh.vertices().len(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Returns the triangles as indexes into the vertices, counter-clockwise seen from outside. A trace reports the
    /// index of the triangle that it hits.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::physics::{SolidMesh, Winding};
    ///
    /// let square = [[0.0, 0.0], [64.0, 0.0], [64.0, 64.0], [0.0, 64.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
    /// let mesh = SolidMesh::from_polygons([(&square[..], 0)], Winding::CounterClockwise)?;
    /// assert_eq!(mesh.triangles().len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Returns the surface number of every triangle; in a level from a BSP file, an index into
    /// [`Level::surfaces`](super::Level::surfaces).
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::physics::{SolidMesh, Winding};
    ///
    /// let square = [[0.0, 0.0], [64.0, 0.0], [64.0, 64.0], [0.0, 64.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
    /// let ceiling = square.map(|corner| corner.with_z(128.0));
    /// let mesh = SolidMesh::from_polygons([(&square[..], 3), (&ceiling[..], 5)], Winding::CounterClockwise)?;
    /// assert_eq!(mesh.surfaces(), [3, 3, 5, 5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn surfaces(&self) -> &[u32] {
        &self.surfaces
    }

    /// Returns `true` if the mesh has no triangles. An empty mesh is not a valid [`LevelShape`](super::LevelShape).
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::physics::{SolidMesh, Winding};
    ///
    /// let flat = [Vec3::ZERO, Vec3::X, Vec3::X * 2.0]; // a triangle without area
    /// assert!(SolidMesh::new(&flat, &[[0, 1, 2]], Winding::Clockwise)?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }
}
