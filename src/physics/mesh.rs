//! Welding of polygons into one triangle mesh without seams.

use std::collections::{HashMap, HashSet};

use glam::{DVec3, Vec3};

use super::LevelError;

/// Cells of the welding grid per Quake unit: vertices in the same cell are welded.
const WELD: f32 = 64.0;

/// Distance below which a vertex lies on an edge, Quake units.
const ON_EDGE: f32 = 1.0 / 32.0;

/// Twice the area up to which triangles are left out, square Quake units.
const NO_AREA: f64 = 1e-3;

/// Number of vertices tested against open edges before a mesh is taken as it is.
const SPLIT_WORK: usize = 20_000_000;

/// Maximum distance of a coordinate from the origin, Quake units.
pub(super) const MAX_COORDINATE: f32 = 1e6;

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

/// A triangle mesh for collisions: welded, counter-clockwise seen from outside, with a surface number for each triangle.
///
/// Where polygons abut, their triangles share vertices and edges, so that a limb slides over the seam. The mesh is plain
/// data, in the space of the level or of a brush model.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SolidMesh {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    surfaces: Vec<u32>,
}

impl SolidMesh {
    /// Creates a mesh from indexed triangles; all have surface 0. Triangles without area are left out.
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
    /// [`LevelError`]: an index is out of range, or a vertex is not finite or beyond a million units.
    pub fn new(vertices: &[Vec3], triangles: &[[u32; 3]], winding: Winding) -> Result<Self, LevelError> {
        let mut builder = MeshBuilder::default();
        for (number, triangle) in triangles.iter().enumerate() {
            let corners = triangle.map(|index| vertices.get(index as usize).copied());
            let [Some(a), Some(b), Some(c)] = corners else { return Err(LevelError::Index { triangle: number }) };
            let corners = match winding {
                Winding::CounterClockwise => [a, b, c],
                Winding::Clockwise => [c, b, a],
            };
            builder.polygon(&corners, 0)?;
        }
        Ok(builder.finish())
    }

    /// Creates a mesh from convex polygons, each with the number of its surface.
    ///
    /// # Errors
    /// [`LevelError`]: a corner is not finite or beyond a million units.
    pub fn from_polygons<'a>(
        polygons: impl IntoIterator<Item = (&'a [Vec3], u32)>,
        winding: Winding,
    ) -> Result<Self, LevelError> {
        let mut builder = MeshBuilder::default();
        for (corners, surface) in polygons {
            match winding {
                Winding::CounterClockwise => builder.polygon(corners, surface)?,
                Winding::Clockwise => {
                    let reversed: Vec<Vec3> = corners.iter().rev().copied().collect();
                    builder.polygon(&reversed, surface)?;
                }
            }
        }
        Ok(builder.finish())
    }

    /// Returns the vertices, Quake units; no two are in one place.
    #[must_use]
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Returns the triangles, indexes into the vertices, counter-clockwise seen from outside; a trace reports the index of
    /// the one it hit.
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

/// A collector of polygons that welds their corners.
#[derive(Default)]
pub(super) struct MeshBuilder {
    vertices: Vec<Vec3>,
    cells: HashMap<[i32; 3], u32>,
    polygons: Vec<Polygon>,
}

struct Polygon {
    corners: Vec<u32>,
    surface: u32,
}

impl MeshBuilder {
    /// Adds a polygon; one with fewer than three different corners is ignored.
    pub fn polygon(&mut self, corners: &[Vec3], surface: u32) -> Result<(), LevelError> {
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
        Ok(())
    }

    fn weld(&mut self, corner: Vec3) -> Result<u32, LevelError> {
        if !corner.is_finite() {
            return Err(LevelError::NotFinite);
        }
        if corner.abs().max_element() > MAX_COORDINATE {
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
    pub fn finish(mut self) -> SolidMesh {
        self.cells = HashMap::new();
        self.split_t_junctions();
        let mut mesh = SolidMesh { vertices: self.vertices, ..SolidMesh::default() };
        let mut seen = HashSet::new();
        let mut ears = Vec::new();
        for polygon in &self.polygons {
            clip_ears(&polygon.corners, &mesh.vertices, &mut ears);
            for triangle in ears.drain(..) {
                if seen.insert(canonical(triangle)) {
                    mesh.triangles.push(triangle);
                    mesh.surfaces.push(polygon.surface);
                }
            }
        }
        mesh
    }

    /// Splits the edges that have a neighbour's corner in their middle: the edge gets that corner too, which closes the
    /// seam.
    fn split_t_junctions(&mut self) {
        let mut uses: HashMap<[u32; 2], u32> = HashMap::new();
        for polygon in &self.polygons {
            for edge in edges(&polygon.corners) {
                *uses.entry(undirected(edge)).or_default() += 1;
            }
        }
        uses.retain(|_, count| *count == 1);
        let candidates = Candidates::new(uses.keys().flatten().copied(), &self.vertices);
        let mut work = SPLIT_WORK;
        for polygon in &mut self.polygons {
            if !edges(&polygon.corners).any(|edge| uses.contains_key(&undirected(edge))) {
                continue;
            }
            let mut split = Vec::with_capacity(polygon.corners.len());
            for edge in edges(&polygon.corners) {
                split.push(edge[0]);
                if uses.contains_key(&undirected(edge)) {
                    let inner = candidates.on_edge(edge, &self.vertices, &mut work);
                    split.extend(inner.into_iter().filter(|index| !polygon.corners.contains(index)));
                }
            }
            polygon.corners = split;
        }
    }
}

/// Vertices sorted along each axis.
struct Candidates([Vec<u32>; 3]);

impl Candidates {
    fn new(indexes: impl Iterator<Item = u32>, vertices: &[Vec3]) -> Self {
        let mut indexes: Vec<u32> = indexes.collect();
        indexes.sort_unstable();
        indexes.dedup();
        Self([0, 1, 2].map(|axis| {
            let mut sorted = indexes.clone();
            sorted.sort_by(|&a, &b| coordinate(vertices, a, axis).total_cmp(&coordinate(vertices, b, axis)));
            sorted
        }))
    }

    /// Returns the vertices inside an edge, in order.
    fn on_edge(&self, [from, to]: [u32; 2], vertices: &[Vec3], work: &mut usize) -> Vec<u32> {
        let [a, b] = [from, to].map(|index| vertices.get(index as usize).copied().unwrap_or_default());
        let near = self.0.iter().enumerate().map(|(axis, sorted)| {
            let [low, high] = [a.min(b)[axis] - ON_EDGE, a.max(b)[axis] + ON_EDGE];
            let first = sorted.partition_point(|&index| coordinate(vertices, index, axis) < low);
            let last = sorted.partition_point(|&index| coordinate(vertices, index, axis) <= high);
            sorted.get(first..last).unwrap_or_default()
        });
        let Some(near) = near.min_by_key(|near| near.len()).filter(|near| near.len() <= *work) else {
            return Vec::new();
        };
        *work -= near.len();
        let along = b - a;
        let length = along.length();
        let mut found: Vec<(f32, u32)> = near
            .iter()
            .filter_map(|&index| {
                let offset = *vertices.get(index as usize)? - a;
                let t = offset.dot(along) / length;
                let inside = index != from && index != to && t > ON_EDGE && t < length - ON_EDGE;
                (inside && (offset - along * (t / length)).length() <= ON_EDGE).then_some((t, index))
            })
            .collect();
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        found.into_iter().map(|(_, index)| index).collect()
    }
}

fn coordinate(vertices: &[Vec3], index: u32, axis: usize) -> f32 {
    vertices.get(index as usize).map_or(0.0, |vertex| vertex[axis])
}

fn edges(corners: &[u32]) -> impl Iterator<Item = [u32; 2]> + '_ {
    corners.iter().zip(corners.iter().cycle().skip(1)).map(|(&a, &b)| [a, b])
}

fn undirected([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// Returns the triangle with its smallest index first.
fn canonical([a, b, c]: [u32; 3]) -> [u32; 3] {
    if a < b && a < c {
        [a, b, c]
    } else if b < c {
        [b, c, a]
    } else {
        [c, a, b]
    }
}

/// Cuts a convex polygon into triangles that all have area, so that no corner on a straight edge is lost: always the ear
/// with the best shape that leaves a remainder with area.
fn clip_ears(corners: &[u32], vertices: &[Vec3], out: &mut Vec<[u32; 3]>) {
    let mut ring: Vec<(u32, DVec3)> = corners
        .iter()
        .map(|&index| (index, vertices.get(index as usize).copied().unwrap_or_default().as_dvec3()))
        .collect();
    let Some(&(_, origin)) = ring.first() else { return };
    let doubled: DVec3 = ring.windows(2).map(|pair| (pair[0].1 - origin).cross(pair[1].1 - origin)).sum();
    let Some(normal) = doubled.try_normalize() else { return };
    let mut left = doubled.length();
    let mut ears: Vec<Ear> = (0..ring.len()).map(|i| Ear::at(&ring, i, normal)).collect();
    while ring.len() > 3 {
        let usable = |ear: &Ear| ear.area > NO_AREA && left - ear.area > NO_AREA;
        let best = ears.iter().enumerate().filter(|(_, ear)| usable(ear));
        let Some((best, &Ear { area, .. })) = best.max_by(|(_, a), (_, b)| a.shape.total_cmp(&b.shape)) else { return };
        let count = ring.len();
        let [before, after] = [(best + count - 1) % count, (best + 1) % count];
        out.push([ring[before].0, ring[best].0, ring[after].0]);
        left -= area;
        ring.remove(best);
        ears.remove(best);
        let count = ring.len();
        for neighbour in [(best + count - 1) % count, best % count] {
            ears[neighbour] = Ear::at(&ring, neighbour, normal);
        }
    }
    if left > NO_AREA
        && let [(a, _), (b, _), (c, _)] = ring[..]
        && a != b
        && b != c
        && c != a
    {
        out.push([a, b, c]);
    }
}

/// The result of cutting off a corner.
struct Ear {
    /// Twice its area; negative at a corner that points inward.
    area: f64,
    /// Quality of the shape: the larger, the closer to equilateral.
    shape: f64,
}

impl Ear {
    fn at(ring: &[(u32, DVec3)], corner: usize, normal: DVec3) -> Self {
        let count = ring.len();
        let [(i, a), (j, b), (k, c)] = [ring[(corner + count - 1) % count], ring[corner], ring[(corner + 1) % count]];
        let area = if i == k || i == j || j == k { 0.0 } else { (b - a).cross(c - a).dot(normal) };
        let longest = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a));
        Self { area, shape: area / longest }
    }
}
