//! Skinning on the processor.

use skelobj::pose::{self, NormalLength, SkinOptions, SkinnedVertices};

use super::{LoadedModel, SkelobjFrameDef};
use crate::SkelobjStatus;
use crate::error::{Failure, Result};
use crate::guard;
use crate::id::SkelobjModel;
use crate::numbers;
use crate::pointer::{Def, In, InMatrix, Out, OutVector};
use crate::table;

/// Length of skinned normals and tangents.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SkelobjNormalLength {
    /// Unit length, by square root and division.
    Exact = 0,
    /// Unit length within 0.066 %, by one Newton step.
    Newton = 1,
    /// Length that the matrices give, for shaders that normalise.
    Unscaled = 2,
}

/// Arithmetic of skinning. Get one from skelobj_default_skin_def.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjSkinDef {
    /// Proof that the def was initialised.
    pub cookie: u32,
    /// Length of normals and tangents, SKELOBJ_NORMAL_LENGTH_... Default SKELOBJ_NORMAL_LENGTH_EXACT.
    pub normals: i32,
    /// 1 to let the processor round once where it multiplies and adds: faster, and slightly different from machine to
    /// machine. Default 0.
    pub fused: i32,
}

/// Returns the default arithmetic, which gives the same bits on every machine.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_default_skin_def() -> SkelobjSkinDef {
    SkelobjSkinDef { cookie: SkelobjSkinDef::COOKIE, normals: SkelobjNormalLength::Exact as i32, fused: 0 }
}

fn options(def: &SkelobjSkinDef) -> Result<SkinOptions> {
    let normals = match def.normals {
        0 => NormalLength::Exact,
        1 => NormalLength::Newton,
        2 => NormalLength::Unscaled,
        _ => return Err(Failure::number("normals", "SKELOBJ_NORMAL_LENGTH_...")),
    };
    Ok(SkinOptions { normals, fused: def.fused != 0 })
}

fn mesh_of(loaded: &LoadedModel, mesh: i32) -> Result<(&skelobj::model::Mesh, &pose::Skinner)> {
    let number = numbers::index(mesh, "mesh")?;
    let found = loaded.model().meshes.get(number).zip(loaded.skinner(number));
    found.ok_or_else(|| Failure::not_found(format_args!("mesh {mesh}")))
}

/// Moves the vertices of a mesh by a palette (skelobj_palette), for hosts that skin on the processor.
///
/// `palette` has `bone_count` matrices. `positions` and `normals` have room for 3 floats for each vertex of the mesh;
/// `normals` may be null. `frame` is what the model plays, for meshes that are morphed; null for others.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_model_skin(
    model: SkelobjModel,
    mesh: i32,
    palette: InMatrix,
    bone_count: i32,
    frame: In<SkelobjFrameDef>,
    mut positions: OutVector,
    mut normals: OutVector,
) -> SkelobjStatus {
    guard::status(|| {
        let loaded = table::model(model)?;
        let (mesh, skinner) = mesh_of(&loaded, mesh)?;
        let palette = palette.matrices(numbers::size(bone_count)?)?;
        let vertices = mesh.positions.len();
        let wants_normals = normals.wanted()?.is_some() && !mesh.normals.is_empty();
        let (positions, normals) =
            (positions.vectors(vertices)?, normals.vectors(if wants_normals { vertices } else { 0 })?);
        if frame.is_null() || !mesh.is_morphed() {
            let vertices = SkinnedVertices { positions, normals, ..SkinnedVertices::default() };
            skinner.skin(palette, vertices, SkinOptions::default());
            return Ok(());
        }
        let source = pose::PoseSource { model: loaded.model(), frame: &frame.state()? };
        pose::morph(mesh, source, positions, normals);
        pose::skin_morphed(mesh, palette, positions, normals);
        Ok(())
    })
}

/// Moves the vertices of a mesh by a palette as `def` says (null for the default), with tangents. Each of `positions`
/// (3 floats a vertex), `normals` (3) and `tangents` (4; the last is the side of the bitangent) may be null.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_model_skin_vertices(
    model: SkelobjModel,
    mesh: i32,
    palette: InMatrix,
    bone_count: i32,
    def: In<SkelobjSkinDef>,
    mut positions: OutVector,
    mut normals: OutVector,
    mut tangents: Out<f32>,
) -> SkelobjStatus {
    guard::status(|| {
        let (loaded, options) = (table::model(model)?, options(&def.def_or(skelobj_default_skin_def)?)?);
        let (mesh, skinner) = mesh_of(&loaded, mesh)?;
        let palette = palette.matrices(numbers::size(bone_count)?)?;
        let all = mesh.positions.len();
        let wanted =
            |out: &OutVector, has: bool| -> Result<usize> { Ok(if has && out.wanted()?.is_some() { all } else { 0 }) };
        let counts = [wanted(&positions, true)?, wanted(&normals, !mesh.normals.is_empty())?];
        let tangent_count = if tangents.wanted()?.is_some() { mesh.tangents.len().min(all) } else { 0 };
        let vertices = SkinnedVertices {
            positions: positions.vectors(counts[0])?,
            normals: normals.vectors(counts[1])?,
            tangents: tangents.quads(tangent_count)?,
        };
        skinner.skin(palette, vertices, options);
        Ok(())
    })
}
