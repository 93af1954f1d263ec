//! PSK: points, wedges, faces, materials, bones and weights.

use super::super::cursor::{File, finite_or_zero};
use super::super::weights::Strongest;
use super::super::{finite_skeleton, normals::normals};
use super::chunk::{Chunk, Records, chunks, records};
use super::{BONE, Root, UNSCALED, bone_record, matrix, name};
use crate::math::Vec3;
use crate::model::{Animation, AnimationSource, Bone, Fixup, Mesh, Model, ModelError, ModelProblem, Name, Skeleton};

/// First bytes of every PSK file.
pub(crate) const MAGIC: &[u8] = b"ACTRHEAD";

/// Minimum number of points for 32-bit point numbers in wedges; below it, the upper 16 bits may hold anything.
const SHORT_POINTS: u32 = 65_536;

/// Reads a PSK without animations; warnings stay with `file`.
///
/// The rotation of the root is read as engines read it, unless the bones would be far from the points they move. Every
/// wedge is a vertex and every material a mesh; each of several meshes has the vertices it uses. A point keeps its four
/// strongest weights; a point without weights is assigned to the first bone. Normals are those of the points in the
/// file, or else computed, smooth across wedges of the same point. The bind pose is the animation "base".
///
/// # Errors
/// No points; a chunk outside the file or with records of another size; an index outside its chunk; a parent that does
/// not precede its child; a negative count. Chunks of unknown names are skipped.
pub(super) fn read(file: &mut File) -> Result<Model, ModelError> {
    let chunks = chunks(file)?;
    let table = records(&chunks, "REFSKELT", BONE)?;
    let skeleton = read_bones(file, table, Root::Mirrored)?;
    let mut psk = Psk { file, chunks, bones: skeleton.len() as u32 };
    let points = psk.points()?;
    let weights = psk.weights(points.len())?;
    let skeleton = psk.with_best_root(skeleton, table, &points, &weights)?;
    let wedges = psk.wedges(points.len())?;
    let materials = psk.materials()?;
    let faces = psk.faces(wedges.len(), materials.len())?;
    let meshes = psk.meshes(&points, &weights, &wedges, materials, faces)?;
    let bind = Animation::frames("base", 0, 1, Animation::DEFAULT_RATE, true);
    let animations = vec![Animation { source: AnimationSource::BindPose, ..bind }];
    Ok(Model { skeleton, animations, meshes, ..Model::default() })
}

fn read_bones(file: &mut File, table: Records, root: Root) -> Result<Skeleton, ModelError> {
    let at = table.offset();
    finite_skeleton::check_count("REFSKELT", at, table.count)?;
    let mut bones = file.reserve("REFSKELT", at, table.count.into())?;
    for (index, mut record) in table.iter().enumerate() {
        let bone = bone_record(&mut record, index)?;
        let name = file.name("REFSKELT", at, bone.name)?;
        let rotation = record.get()?;
        let bind = matrix(record.get()?, rotation, UNSCALED, index, root);
        bones.push(Bone { name, parent: bone.parent, bind });
    }
    finite_skeleton::skeleton(file, "REFSKELT", || at, bones)
}

/// Returns the convention for the root with which `skeleton` was read from this file.
pub(super) fn root(file: &mut File, skeleton: &Skeleton) -> Result<Root, ModelError> {
    let table = records(&chunks(file)?, "REFSKELT", BONE)?;
    let plain = read_bones(file, table, Root::Plain)?;
    let mirrored = read_bones(file, table, Root::Mirrored)?;
    let [plain, mirrored] = [plain, mirrored].map(|read| read.bind_local() == skeleton.bind_local());
    Ok(if plain && !mirrored { Root::Plain } else { Root::Mirrored })
}

/// Returns the sum of the distances between bones and the points that they move.
fn distance(skeleton: &Skeleton, points: &[[f32; 3]], weights: &[Strongest]) -> f64 {
    let weighted = points.iter().zip(weights).filter(|(_, weights)| !weights.is_empty());
    let of_point = |(&point, weights): (&[f32; 3], &Strongest)| {
        let influences = weights.finish(0);
        let bones = influences.bones.iter().filter_map(|&bone| skeleton.bind_model().get(usize::from(bone)));
        let parts = bones.zip(influences.weights);
        parts.map(|(bone, weight)| f64::from(weight * bone.origin().distance(Vec3::from(point)))).sum::<f64>()
    };
    weighted.map(of_point).sum()
}

struct Psk<'a, 'f> {
    file: &'f mut File<'a>,
    chunks: Vec<Chunk<'a>>,
    bones: u32,
}

/// Corner of a face: a point with texture coordinates.
struct Wedge {
    point: u32,
    texcoord: [f32; 2],
}

/// Triangle of wedges.
struct Face {
    wedges: [u32; 3],
    material: u8,
}

impl Psk<'_, '_> {
    fn points(&mut self) -> Result<Vec<[f32; 3]>, ModelError> {
        let table = records(&self.chunks, "PNTS0000", 12)?;
        if !table.is_present() {
            return Err(ModelError::new("PNTS0000", self.file.len(), ModelProblem::Missing { what: "points" }));
        }
        let mut points = self.file.reserve("PNTS0000", table.offset(), table.count.into())?;
        let mut bad = 0;
        for mut record in table.iter() {
            let mut point = record.get::<[f32; 3]>()?;
            finite_or_zero(&mut point, &mut bad);
            points.push(point);
        }
        self.file.warn_not_finite("PNTS0000", table.offset(), bad);
        Ok(points)
    }

    /// Reads the weights and returns the strongest of each point.
    fn weights(&mut self, points: usize) -> Result<Vec<Strongest>, ModelError> {
        let table = records(&self.chunks, "RAWWEIGHTS", 12)?;
        let mut weights: Vec<Strongest> = self.file.reserve("RAWWEIGHTS", table.offset(), points as u64)?;
        weights.resize(points, Strongest::default());
        let mut bad = 0;
        for mut record in table.iter() {
            let mut weight = [record.get::<f32>()?];
            finite_or_zero(&mut weight, &mut bad);
            let point = record.ranged::<i32>("point", 0..=points as i64 - 1)?;
            let bone = record.ranged::<i32>("bone", 0..=i64::from(self.bones) - 1)?;
            if let Some(strongest) = weights.get_mut(point as usize) {
                strongest.add(bone as u16, weight[0]);
            }
        }
        self.file.warn_not_finite("RAWWEIGHTS", table.offset(), bad);
        let cut = weights.iter().filter(|weights| weights.is_cut()).count();
        self.file.warn_cut_influences("RAWWEIGHTS", table.offset(), cut);
        if self.bones > 0 && weights.iter().any(Strongest::is_empty) {
            let what = "points without weights (assigned to the first bone)";
            self.file.warn("RAWWEIGHTS", table.offset(), Fixup::Tolerated(what));
        }
        Ok(weights)
    }

    /// Returns the skeleton with the other convention for the root if its bones are clearly nearer to the points.
    fn with_best_root(
        &mut self,
        mirrored: Skeleton,
        table: Records,
        points: &[[f32; 3]],
        weights: &[Strongest],
    ) -> Result<Skeleton, ModelError> {
        /// Ratio of the distances below which the other convention is clearly nearer.
        const NEARER: f64 = 0.75;
        let plain = read_bones(self.file, table, Root::Plain)?;
        if plain == mirrored || distance(&plain, points, weights) >= NEARER * distance(&mirrored, points, weights) {
            return Ok(mirrored);
        }
        let what = "a root whose rotation is stored without negated Y";
        self.file.warn("REFSKELT", table.offset(), Fixup::Tolerated(what));
        Ok(plain)
    }

    fn wedges(&mut self, points: usize) -> Result<Vec<Wedge>, ModelError> {
        let table = records(&self.chunks, "VTXW0000", 16)?;
        let mut wedges = self.file.reserve("VTXW0000", table.offset(), table.count.into())?;
        let mask = if points > SHORT_POINTS as usize { u32::MAX } else { SHORT_POINTS - 1 };
        let mut bad = 0;
        for mut record in table.iter() {
            let start = record;
            let point = record.get::<u32>()? & mask;
            if point as usize >= points {
                let (found, max) = (point.into(), points as i64 - 1);
                return Err(start.error(ModelProblem::OutOfRange { field: "point", found, min: 0, max }));
            }
            let mut texcoord = record.get::<[f32; 2]>()?;
            finite_or_zero(&mut texcoord, &mut bad);
            wedges.push(Wedge { point, texcoord });
        }
        self.file.warn_not_finite("VTXW0000", table.offset(), bad);
        Ok(wedges)
    }

    /// Reads the names of the materials; returns one empty name if there are none.
    fn materials(&mut self) -> Result<Vec<Name>, ModelError> {
        let table = records(&self.chunks, "MATT0000", 88)?;
        let mut materials = self.file.reserve("MATT0000", table.offset(), table.count.max(1).into())?;
        for mut record in table.iter() {
            let at = record.offset();
            materials.push(self.file.name("MATT0000", at, name(&mut record)?)?);
        }
        if materials.is_empty() {
            materials.push(Name::default());
        }
        Ok(materials)
    }

    /// Reads the faces of either size. A material number past the last wraps around.
    fn faces(&mut self, wedges: usize, materials: usize) -> Result<Vec<Face>, ModelError> {
        let (short, long) = (records(&self.chunks, "FACE0000", 12)?, records(&self.chunks, "FACE3200", 18)?);
        let count = u64::from(short.count) + u64::from(long.count);
        let mut faces = self.file.reserve("FACE0000", short.offset(), count)?;
        let mut beyond = 0;
        for (mut record, is_long) in short.iter().map(|r| (r, false)).chain(long.iter().map(|r| (r, true))) {
            let start = record;
            let corners = if is_long { record.get()? } else { record.get::<[u16; 3]>()?.map(u32::from) };
            let [a, b, c] = corners;
            let last = a.max(b).max(c);
            if last as usize >= wedges {
                let (found, max) = (last.into(), wedges as i64 - 1);
                return Err(start.error(ModelProblem::OutOfRange { field: "wedge", found, min: 0, max }));
            }
            let material = record.get::<u8>()?;
            let inside = usize::from(material) % materials.max(1);
            beyond += usize::from(inside != usize::from(material));
            faces.push(Face { wedges: corners, material: inside as u8 });
        }
        if beyond > 0 {
            let what = "material numbers past the last (wrapped around)";
            self.file.warn("FACE0000", short.offset(), Fixup::Tolerated(what));
        }
        Ok(faces)
    }

    /// Replaces the computed normals of the points with those that the file has.
    fn take_stored_normals(&mut self, normals: &mut [[f32; 3]]) -> Result<(), ModelError> {
        let Some(table) = self.chunks.iter().find(|chunk| chunk.is("VTXNORMS")) else { return Ok(()) };
        let at = table.offset();
        let Some(stored) = table.of_size(12).filter(|stored| stored.count as usize == normals.len()) else {
            self.file.warn("VTXNORMS", at, Fixup::Dropped("normals for another number of points (computed instead)"));
            return Ok(());
        };
        let mut bad = 0;
        for (normal, mut record) in normals.iter_mut().zip(stored.iter()) {
            let mut stored = record.get::<[f32; 3]>()?;
            finite_or_zero(&mut stored, &mut bad);
            *normal = Vec3::from(stored).normalize_or(Vec3::from(*normal)).to_array();
        }
        self.file.warn_not_finite("VTXNORMS", at, bad);
        Ok(())
    }

    fn meshes(
        &mut self,
        points: &[[f32; 3]],
        weights: &[Strongest],
        wedges: &[Wedge],
        materials: Vec<Name>,
        faces: Vec<Face>,
    ) -> Result<Vec<Mesh>, ModelError> {
        let point = |wedge: u32| wedges.get(wedge as usize).map_or(0, |wedge| wedge.point);
        let triangles = faces.iter().map(|face| face.wedges.map(point));
        let mut normals = normals(self.file, "FACE0000", 0, points, triangles)?;
        self.take_stored_normals(&mut normals)?;

        let all_in_one = materials.len() == 1;
        // Index of each wedge among the vertices of the current mesh.
        let mut places: Vec<u32> = self.file.reserve("VTXW0000", 0, wedges.len() as u64)?;
        places.resize(wedges.len(), u32::MAX);
        let mut used: Vec<u32> = self.file.reserve("VTXW0000", 0, wedges.len() as u64)?;
        let mut by_material: Vec<Vec<[u32; 3]>> = Vec::new();
        by_material.resize_with(materials.len(), Vec::new);
        for face in faces {
            if let Some(triangles) = by_material.get_mut(usize::from(face.material)) {
                triangles.push(face.wedges);
            }
        }
        let mut meshes = self.file.reserve("MATT0000", 0, materials.len() as u64)?;
        for (material, mut triangles) in materials.into_iter().zip(by_material) {
            used.clear();
            if all_in_one {
                used.extend(0..wedges.len() as u32);
            } else {
                used.extend(triangles.iter().flatten());
                used.sort_unstable();
                used.dedup();
                for (place, &wedge) in used.iter().enumerate() {
                    places[wedge as usize] = place as u32;
                }
                for index in triangles.iter_mut().flatten() {
                    *index = places[*index as usize];
                }
            }
            let mut mesh = Mesh { name: material.clone(), material, triangles, ..Mesh::default() };
            let count = used.len() as u64;
            mesh.positions = self.file.reserve("VTXW0000", 0, count)?;
            mesh.normals = self.file.reserve("VTXW0000", 0, count)?;
            mesh.texcoords = self.file.reserve("VTXW0000", 0, count)?;
            mesh.influences = self.file.reserve("VTXW0000", 0, count)?;
            for wedge in used.iter().filter_map(|&wedge| wedges.get(wedge as usize)) {
                let point = wedge.point as usize;
                mesh.positions.push(points[point]);
                mesh.normals.push(normals[point]);
                mesh.texcoords.push(wedge.texcoord);
                if self.bones > 0 {
                    mesh.influences.push(weights[point].finish(0));
                }
            }
            meshes.push(mesh);
        }
        Ok(meshes)
    }
}
