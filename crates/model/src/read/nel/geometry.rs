//! Common geometry of all mesh classes after parsing, and the parts they share.

use super::stream::{Kind, Pointer, Stream};
use super::vertices::Vertices;
use crate::model::{ModelError, ModelProblem, Name};

/// Vertices, triangles and their skin at the finest level of detail.
#[derive(Default)]
pub(super) struct Geometry<'a> {
    /// Names of the bones that the numbers of the skin refer to; empty if the numbers are those of the skeleton.
    pub bone_names: Vec<&'a [u8]>,
    pub vertices: Vertices,
    /// Number of the first vertex of `vertices`. Lower numbers are vertices that a renderer computes.
    pub first: u32,
    pub skin: Skin,
    pub passes: Vec<Pass<'a>>,
    /// Pairs of vertices for the first indices, the finer one first.
    pub geomorphs: &'a [u8],
    pub morphs: Vec<BlendShape<'a>>,
}

/// Assignment of vertices to bones.
#[derive(Default)]
pub(super) enum Skin {
    /// No bones.
    #[default]
    Rigid,
    /// Bones of the matrix block that draws the vertices.
    Palette(Vec<Vec<u32>>),
    /// Up to four bones for each vertex.
    Direct(Vec<SkinWeight>),
}

/// Bone numbers and weights of a vertex.
pub(super) type SkinWeight = ([u32; 4], [f32; 4]);

/// Triangles drawn with one material.
pub(super) struct Pass<'a> {
    pub material: u32,
    /// Index of the matrix block that the triangles use.
    pub block: usize,
    /// Byte offset, for errors.
    pub at: usize,
    pub indices: Indices<'a>,
}

/// Vertex numbers, three per triangle.
#[derive(Clone, Copy)]
pub(super) enum Indices<'a> {
    Wide(&'a [u8]),
    Narrow(&'a [u8]),
}

impl Indices<'_> {
    pub fn len(self) -> usize {
        match self {
            Self::Wide(bytes) => bytes.len() / 4,
            Self::Narrow(bytes) => bytes.len() / 2,
        }
    }
}

/// Deltas of a morph for some vertices. A list of deltas is empty or has one element per vertex.
pub(super) struct BlendShape<'a> {
    pub name: &'a [u8],
    pub positions: &'a [u8],
    pub normals: &'a [u8],
    pub vertices: &'a [u8],
}

/// Reads a list of strings.
pub(super) fn strings<'a>(stream: &mut Stream<'a>) -> Result<Vec<&'a [u8]>, ModelError> {
    let count = stream.count(4)?;
    let mut strings = stream.reserve(count)?;
    for _ in 0..count {
        strings.push(stream.string()?);
    }
    Ok(strings)
}

/// Skips the bounding box of the mesh.
pub(super) fn bounding_box(stream: &mut Stream) -> Result<(), ModelError> {
    stream.version(0)?;
    stream.skip::<[f32; 6]>()
}

/// Skips a vertex program.
pub(super) fn vertex_program(stream: &mut Stream) -> Result<(), ModelError> {
    let (_, class) = match stream.pointer(Kind::VertexProgram)? {
        Pointer::New(id, class) => (id, class),
        Pointer::Null | Pointer::Seen(_) => return Ok(()),
    };
    let parameters = match class {
        b"CMeshVPPerPixelLight" => 1,
        b"CMeshVPWindTree" => 3 * 5 * 4 + 1,
        _ => return Err(stream.error(ModelProblem::UnsupportedClass { name: Name::new(class) })),
    };
    stream.version(0)?;
    stream.take(parameters).map(drop)
}

/// Reads the morphs of a mesh.
pub(super) fn morpher<'a>(stream: &mut Stream<'a>) -> Result<Vec<BlendShape<'a>>, ModelError> {
    let section = stream.enter("morphs");
    stream.version(0)?;
    let count = stream.count(25)?;
    let mut shapes = stream.reserve(count)?;
    for _ in 0..count {
        let at = stream.offset();
        let version = stream.version(1)?;
        let name = stream.string()?;
        let positions = stream.list::<[f32; 3]>()?;
        let normals = stream.list::<[f32; 3]>()?;
        stream.list::<[f32; 2]>()?;
        stream.list::<[f32; 4]>()?;
        if version >= 1 {
            stream.list::<[f32; 3]>()?;
        }
        let vertices = stream.list::<u32>()?;
        for (field, deltas) in [("position deltas", positions), ("normal deltas", normals)] {
            let (found, expected) = (deltas.len() as i64 / 12, vertices.len() as i64 / 4);
            if found != 0 && found != expected {
                let problem = ModelProblem::Mismatch { field, found, expected };
                return Err(ModelError::new("morphs", at, problem));
            }
        }
        shapes.push(BlendShape { name, positions, normals, vertices });
    }
    stream.enter(section);
    Ok(shapes)
}

/// Reads a list of passes over index buffers.
pub(super) fn passes<'a>(stream: &mut Stream<'a>, block: usize, passes: &mut Vec<Pass<'a>>) -> Result<(), ModelError> {
    let section = stream.enter("render pass");
    let count = stream.count(18)?;
    drop(stream.reserve::<Pass>(count)?);
    for _ in 0..count {
        stream.version(0)?;
        let at = stream.offset();
        let material = stream.get()?;
        let indices = index_buffer(stream)?;
        passes.push(Pass { material, block, at, indices });
    }
    stream.enter(section);
    Ok(())
}

/// Reads an index buffer, versions 0 to 2.
fn index_buffer<'a>(stream: &mut Stream<'a>) -> Result<Indices<'a>, ModelError> {
    let version = stream.version(2)?;
    if version == 0 {
        let mut lists = [(0, &[][..]); 3];
        for list in &mut lists {
            let [count, _capacity] = stream.get::<[u32; 2]>()?;
            *list = (count, stream.list::<u32>()?);
        }
        // Lines, triangles, quads: renderers draw the triangles only.
        let [_, (triangles, indices), _] = lists;
        return Ok(Indices::Wide(cut(indices, u64::from(triangles) * 3)));
    }
    let [count, _capacity] = stream.get::<[u32; 2]>()?;
    let indices = stream.list::<u32>()?;
    stream.skip::<i32>()?;
    if version == 1 {
        stream.skip::<[u8; 5]>()?;
    }
    Ok(Indices::Wide(cut(indices, count.into())))
}

/// Returns at most `count` numbers of `bytes`.
fn cut(bytes: &[u8], count: u64) -> &[u8] {
    let length = usize::try_from(count.saturating_mul(4)).unwrap_or(usize::MAX);
    bytes.get(..length).unwrap_or(bytes)
}
