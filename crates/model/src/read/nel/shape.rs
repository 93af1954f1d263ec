//! `.shape` and `.skel` files: an envelope around one object of a stored class.

use super::base::MeshBase;
use super::geometry::Geometry;
use super::mesh_geom::mesh_geometry;
use super::mrm::mrm_geometry;
use super::mrm_skinned::mrm_skinned_geometry;
use super::skel;
use super::stream::{Kind, Pointer, Stream};
use super::surfaces::surfaces;
use crate::limits::Limits;
use crate::model::{Model, ModelError, ModelProblem, Name};

/// First bytes of a shape or skeleton.
pub(crate) const MAGIC: &[u8] = b"SHAP";

/// Reads a shape or a skeleton.
pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Model, ModelError> {
    let mut stream = Stream::new(bytes, limits, "header")?;
    stream.take(MAGIC.len())?;
    let at = stream.offset();
    let class = match stream.pointer(Kind::Root)? {
        Pointer::New(_, class) => class,
        _ => return Err(ModelError::new("header", at, ModelProblem::Missing { what: "shape" })),
    };
    let (base, geometry) = match class {
        b"CSkeletonShape" => return skel::read(stream),
        b"CMesh" => {
            let at = stream.offset();
            let version = stream.version(6)?;
            if version < 6 {
                let problem = ModelProblem::UnsupportedVersion { found: version, expected: "6" };
                return Err(ModelError::new("header", at, problem));
            }
            (MeshBase::read(&mut stream)?, mesh_geometry(&mut stream)?)
        }
        b"CMeshMRM" => {
            stream.version(0)?;
            (MeshBase::read(&mut stream)?, mrm_geometry(&mut stream)?)
        }
        b"CMeshMRMSkinned" => {
            stream.version(0)?;
            (MeshBase::read(&mut stream)?, mrm_skinned_geometry(&mut stream)?)
        }
        b"CMeshMultiLod" => {
            stream.version(0)?;
            (MeshBase::read(&mut stream)?, first_slot(&mut stream)?)
        }
        _ => {
            let name = Name::new(class.get(..64).unwrap_or(class));
            return Err(ModelError::new("header", at, ModelProblem::UnsupportedClass { name }));
        }
    };
    let (skeleton, meshes) = surfaces(&mut stream, &base, geometry)?;
    Ok(Model { skeleton, meshes, warnings: stream.finish(), ..Model::default() })
}

/// Reads several geometries and returns the first that is not coarse; coarse ones share their textures.
fn first_slot<'a>(stream: &mut Stream<'a>) -> Result<Geometry<'a>, ModelError> {
    const COARSE: u8 = 4;
    stream.enter("level slots");
    stream.skip::<u8>()?;
    let mut finest = None;
    for _ in 0..stream.count(30)? {
        stream.version(0)?;
        let geometry = pointed_at(stream)?;
        stream.enter("level slots");
        stream.skip::<[f32; 5]>()?;
        if stream.get::<u8>()? & COARSE == 0 {
            finest = finest.or(geometry);
        }
    }
    finest.ok_or_else(|| stream.error(ModelProblem::Missing { what: "mesh geometry" }))
}

/// Reads a pointer to a geometry of any class; returns `None` for a null pointer.
fn pointed_at<'a>(stream: &mut Stream<'a>) -> Result<Option<Geometry<'a>>, ModelError> {
    let (_, class) = match stream.pointer(Kind::Geometry)? {
        Pointer::New(id, class) => (id, class),
        Pointer::Null | Pointer::Seen(_) => return Ok(None),
    };
    match class {
        b"CMeshGeom" => mesh_geometry(stream).map(Some),
        b"CMeshMRMGeom" => mrm_geometry(stream).map(Some),
        b"CMeshMRMSkinnedGeom" => mrm_skinned_geometry(stream).map(Some),
        _ => Err(stream.error(ModelProblem::UnsupportedClass { name: Name::new(class) })),
    }
}
