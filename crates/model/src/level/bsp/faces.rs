//! Faces of the Quake and Quake 2 families: polygons with shared edges.

use glam::Vec3;

use super::bsp_error::{BspError, BspFixup, BspProblem, Ledger};
use super::bsp_tree::Plane;
use super::lump::{File, Lump};

/// Maximum number of edges of a face; tools cut faces long before.
const MAX_EDGES: usize = 1024;

/// Tables that make up faces, and the width of their numbers.
pub(super) struct Faces<'a> {
    vertices: Lump<'a>,
    edges: Lump<'a>,
    surfedges: Lump<'a>,
    faces: Lump<'a>,
    long: bool,
}

/// Work of a face, without that of its corners.
const FACE_WORK: u64 = 16;

/// Face as a polygon.
pub(super) struct Face {
    /// Corners, counter-clockwise seen from outside.
    pub corners: Vec<Vec3>,
    /// Unit normal that points outside.
    pub normal: Vec3,
    pub texinfo: usize,
}

impl<'a> Faces<'a> {
    /// Reads the tables. The numbers in the array are those of the lumps of vertices, faces, edges and surfedges.
    pub fn new(file: &File<'a>, [vertices, faces, edges, surfedges]: [usize; 4], long: bool) -> Result<Self, BspError> {
        let vertices = file.lump(vertices, "vertices", 12)?;
        for (number, record) in vertices.records().enumerate() {
            vertices.place(number, "vertex", record, 0)?;
        }
        Ok(Self {
            vertices,
            edges: file.lump(edges, "edges", if long { 8 } else { 4 })?,
            surfedges: file.lump(surfedges, "surfedges", 4)?,
            faces: file.lump(faces, "faces", if long { 28 } else { 20 })?,
            long,
        })
    }

    /// Returns the table of the faces themselves.
    pub fn lump(&self) -> &Lump<'a> {
        &self.faces
    }

    /// Returns a face; `None`, with a warning, if it has too few edges.
    pub fn get(
        &self,
        number: usize,
        planes: &[Plane],
        texinfos: usize,
        ledger: &mut Ledger,
    ) -> Result<Option<Face>, BspError> {
        let lump = self.faces;
        let Some(record) = lump.get(number) else { return Ok(None) };
        lump.within(number, ledger.allowance.work(FACE_WORK))?;
        let [plane, side, count, texinfo] = if self.long {
            [record.i32(0), record.i32(4), record.i32(12), record.i32(16)]
        } else {
            [record.u16(0), record.u16(2), record.u16(8), record.u16(10)].map(i32::from)
        };
        let first = if self.long { record.i32(8) } else { record.i32(4) };
        let plane = lump.index(number, "plane", plane.into(), planes.len())?;
        let texinfo = lump.index(number, "texinfo", texinfo.into(), texinfos)?;
        let run = lump.run(number, "end of edges", (first.into(), count.into()), self.surfedges.len())?;
        if run.len() < 3 {
            ledger.warn("faces", number, BspFixup::FewEdges);
            return Ok(None);
        }
        if run.len() > MAX_EDGES {
            let problem = BspProblem::TooManySides { found: run.len(), allowed: MAX_EDGES };
            return Err(lump.error(number, problem));
        }
        lump.within(number, ledger.allowance.work(run.len() as u64))?;
        // Corners are clockwise in the file.
        let corners = run.rev().map(|surfedge| self.corner(surfedge)).collect::<Result<Vec<_>, _>>()?;
        let Some(plane) = planes.get(plane) else { return Ok(None) };
        if corners.iter().any(|&corner| plane.above(corner).abs() > 1.0) {
            ledger.warn("faces", number, BspFixup::NotPlanar);
        }
        let normal = if side == 0 { plane.normal } else { -plane.normal };
        Ok(Some(Face { corners, normal, texinfo }))
    }

    fn corner(&self, surfedge: usize) -> Result<Vec3, BspError> {
        debug_assert!(surfedge < self.surfedges.len(), "runs of edges were checked");
        let number = self.surfedges.get(surfedge).map_or(0, |record| i64::from(record.i32(0)));
        let edge = self.surfedges.index(surfedge, "edge", number.abs(), self.edges.len())?;
        let end = usize::from(number < 0);
        let record = self.edges.get(edge);
        let vertex = record.map_or(0, |r| if self.long { r.u32(4 * end) } else { r.u16(2 * end).into() });
        let vertex = self.edges.index(edge, "vertex", vertex.into(), self.vertices.len())?;
        Ok(self.vertices.get(vertex).map_or(Vec3::ZERO, |record| record.vec3(0)))
    }
}

impl Face {
    /// Returns points just behind the face: if none of them is in something solid, the face is not solid.
    pub fn behind(&self) -> impl Iterator<Item = Vec3> + '_ {
        let centre = self.corners.iter().sum::<Vec3>() / self.corners.len().max(1) as f32;
        let middles = self.corners.iter().map(move |corner| (centre + corner) * 0.5);
        std::iter::once(centre).chain(middles).map(|point| point - self.normal * 0.25)
    }
}
