//! Welding of polygons into one triangle mesh without seams.

use std::collections::{HashMap, HashSet};

use glam::Vec3;

use super::ear_clipping::EarClipper;
use super::vertex_tree::VertexTree;
use super::{SolidMesh, Winding};
use crate::level::LevelError;
use crate::level::allowance::Allowance;
use crate::limits::{LimitExceeded, Limits};
use crate::out_of_range::FARTHEST;

/// Number of cells of the welding grid per Quake unit: vertices in the same cell are welded.
const WELD: f32 = 64.0;

/// Peak memory of building for each polygon, bytes.
const POLYGON_MEMORY: u64 = 128;
/// Peak memory of building for each corner of a polygon, bytes.
const CORNER_MEMORY: u64 = 112;
/// Peak memory of building for each vertex, bytes.
const VERTEX_MEMORY: u64 = 96;

/// Work of a corner, from welding to the triangle that it becomes.
const CORNER_WORK: u64 = 16;

impl SolidMesh {
    /// Creates a mesh from indexed triangles, all with surface 0.
    ///
    /// Vertices are in Quake units; those in the same cell of a grid of 1/64 unit are welded. Triangles without area
    /// are skipped.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::physics::{SolidMesh, Winding};
    ///
    /// let corners = [Vec3::new(-64.0, -64.0, 0.0), Vec3::new(-64.0, 64.0, 0.0), Vec3::new(64.0, 64.0, 0.0)];
    /// // Seen from above these go round clockwise, as the faces of a Quake map do.
    /// let floor = SolidMesh::new(&corners, &[[0, 1, 2]], Winding::Clockwise)?;
    /// let [a, b, c] = floor.triangles()[0].map(|index| floor.vertices()[index as usize]);
    /// assert!((b - a).cross(c - a).z > 0.0); // its front is up
    /// # Ok::<(), skelobj::physics::LevelError>(())
    /// ```
    ///
    /// # Errors
    /// [`LevelError`] if an index is out of range, if a vertex is non-finite or beyond a million units, or if the mesh
    /// would exceed [`Limits::default`](crate::Limits).
    pub fn new(vertices: &[Vec3], triangles: &[[u32; 3]], winding: Winding) -> Result<Self, LevelError> {
        let bytes = size_of_val(vertices) + size_of_val(triangles);
        let (mut builder, mut allowance) = (MeshBuilder::default(), Allowance::new(bytes, &Limits::DEFAULT));
        for (number, triangle) in triangles.iter().enumerate() {
            let corners = triangle.map(|index| vertices.get(index as usize).copied());
            let [Some(a), Some(b), Some(c)] = corners else { return Err(LevelError::Index { triangle: number }) };
            let corners = match winding {
                Winding::CounterClockwise => [a, b, c],
                Winding::Clockwise => [c, b, a],
            };
            builder.polygon(&corners, 0, &mut allowance)?;
        }
        Ok(builder.finish(&mut allowance)?)
    }

    /// Creates a mesh from convex polygons, each with the number of its surface.
    ///
    /// Corners are in Quake units. Edges with another polygon's corner in their middle are split, which closes the
    /// seam.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::physics::{SolidMesh, Winding};
    ///
    /// let point = |x: f32, y: f32| Vec3::new(x, y, 0.0);
    /// let wide = [point(0.0, 0.0), point(128.0, 0.0), point(128.0, 64.0), point(0.0, 64.0)];
    /// let left = [point(0.0, 64.0), point(64.0, 64.0), point(64.0, 128.0), point(0.0, 128.0)];
    /// let mesh = SolidMesh::from_polygons([(&wide[..], 0), (&left[..], 1)], Winding::CounterClockwise)?;
    /// // The square's corner in the middle of the wide polygon's edge became a corner of that polygon.
    /// assert_eq!(mesh.surfaces(), [0, 0, 0, 1, 1]);
    /// # Ok::<(), skelobj::physics::LevelError>(())
    /// ```
    ///
    /// # Errors
    /// [`LevelError`] if a corner is non-finite or beyond a million units, or if the mesh would exceed
    /// [`Limits::default`](crate::Limits).
    pub fn from_polygons<'a>(
        polygons: impl IntoIterator<Item = (&'a [Vec3], u32)>,
        winding: Winding,
    ) -> Result<Self, LevelError> {
        let (mut builder, mut allowance) = (MeshBuilder::default(), Allowance::new(0, &Limits::DEFAULT));
        for (corners, surface) in polygons {
            allowance.admit(size_of_val(corners));
            match winding {
                Winding::CounterClockwise => builder.polygon(corners, surface, &mut allowance)?,
                Winding::Clockwise => {
                    let reversed: Vec<Vec3> = corners.iter().rev().copied().collect();
                    builder.polygon(&reversed, surface, &mut allowance)?;
                }
            }
        }
        Ok(builder.finish(&mut allowance)?)
    }
}

/// Collector of polygons that welds their corners.
#[derive(Default)]
pub(crate) struct MeshBuilder {
    vertices: Vec<Vec3>,
    cells: HashMap<[i32; 3], u32>,
    polygons: Vec<Polygon>,
}

struct Polygon {
    corners: Vec<u32>,
    surface: u32,
}

impl MeshBuilder {
    /// Adds a polygon; a polygon with fewer than three different corners is ignored.
    pub fn polygon(&mut self, corners: &[Vec3], surface: u32, allowance: &mut Allowance) -> Result<(), LevelError> {
        spend_corners(allowance, corners.len())?;
        allowance.memory(POLYGON_MEMORY)?;
        let before = self.vertices.len();
        let mut indexes = Vec::with_capacity(corners.len());
        for &corner in corners {
            let index = self.weld(corner)?;
            if indexes.last() != Some(&index) {
                indexes.push(index);
            }
        }
        while indexes.len() > 1 && indexes.first() == indexes.last() {
            indexes.pop();
        }
        if indexes.len() > 2 {
            self.polygons.push(Polygon { corners: indexes, surface });
        }
        allowance.memory((self.vertices.len() - before) as u64 * VERTEX_MEMORY)?;
        Ok(())
    }

    fn weld(&mut self, corner: Vec3) -> Result<u32, LevelError> {
        if !corner.is_finite() {
            return Err(LevelError::NotFinite);
        }
        if corner.abs().max_element() > FARTHEST {
            return Err(LevelError::TooFar);
        }
        let cell = (corner * WELD).round().to_array().map(|v| v as i32);
        let vertices = &mut self.vertices;
        Ok(*self.cells.entry(cell).or_insert_with(|| {
            vertices.push(corner);
            vertices.len() as u32 - 1
        }))
    }

    /// Returns the mesh, with T-junctions split.
    pub fn finish(mut self, allowance: &mut Allowance) -> Result<SolidMesh, LimitExceeded> {
        self.cells = HashMap::new();
        self.split_t_junctions(allowance)?;
        let mut mesh = SolidMesh { vertices: self.vertices, ..SolidMesh::default() };
        let mut seen = HashSet::new();
        let mut clipper = EarClipper::default();
        let mut ears = Vec::new();
        for polygon in &self.polygons {
            clipper.clip(&polygon.corners, &mesh.vertices, &mut ears);
            for triangle in ears.drain(..) {
                if seen.insert(canonical(triangle)) {
                    allowance.triangle()?;
                    mesh.triangles.push(triangle);
                    mesh.surfaces.push(polygon.surface);
                }
            }
        }
        debug_assert_eq!(mesh.triangles.len(), mesh.surfaces.len(), "every triangle has a surface");
        Ok(mesh)
    }

    /// Splits the edges that have a neighbour's corner in their middle. The edge gets that corner as well, which closes
    /// the seam.
    fn split_t_junctions(&mut self, allowance: &mut Allowance) -> Result<(), LimitExceeded> {
        let mut uses: HashMap<[u32; 2], u32> = HashMap::new();
        for polygon in &self.polygons {
            for edge in edges(&polygon.corners) {
                *uses.entry(undirected(edge)).or_default() += 1;
            }
        }
        uses.retain(|_, count| *count == 1);
        if uses.is_empty() {
            return Ok(());
        }
        let candidates = VertexTree::new(uses.keys().flatten().copied(), &self.vertices);
        // Number of the last polygon that has each vertex, counted from 1; 0 for none.
        let mut owners = vec![0; self.vertices.len()];
        for (number, polygon) in (1u32..).zip(&mut self.polygons) {
            if !edges(&polygon.corners).any(|edge| uses.contains_key(&undirected(edge))) {
                continue;
            }
            for &corner in &polygon.corners {
                owners[corner as usize] = number;
            }
            let mut split = Vec::with_capacity(polygon.corners.len());
            for edge in edges(&polygon.corners) {
                split.push(edge[0]);
                if uses.contains_key(&undirected(edge)) {
                    let (mut inner, work) = candidates.on_edge(edge);
                    allowance.work(work)?;
                    inner.retain(|&index| owners[index as usize] != number);
                    spend_corners(allowance, inner.len())?;
                    split.append(&mut inner);
                }
            }
            polygon.corners = split;
        }
        Ok(())
    }
}

fn spend_corners(allowance: &mut Allowance, count: usize) -> Result<(), LimitExceeded> {
    allowance.work(count as u64 * CORNER_WORK)?;
    allowance.memory(count as u64 * CORNER_MEMORY)
}

fn edges(corners: &[u32]) -> impl Iterator<Item = [u32; 2]> + '_ {
    corners.iter().zip(corners.iter().cycle().skip(1)).map(|(&a, &b)| [a, b])
}

fn undirected([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// Returns the triangle rotated so that its smallest index is first.
fn canonical([a, b, c]: [u32; 3]) -> [u32; 3] {
    if a < b && a < c {
        [a, b, c]
    } else if b < c {
        [b, c, a]
    } else {
        [c, a, b]
    }
}
