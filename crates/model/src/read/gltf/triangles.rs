//! Triangles from lists, strips and fans.

use super::Gltf;
use super::accessor::Elements;
use super::schema::Primitive;
use crate::model::ModelError;

/// Primitive mode that makes triangles.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    List,
    Strip,
    Fan,
}

impl Mode {
    fn of(primitive: &Primitive) -> Option<Self> {
        match primitive.mode.unwrap_or(4) {
            4 => Some(Self::List),
            5 => Some(Self::Strip),
            6 => Some(Self::Fan),
            _ => None,
        }
    }
}

/// Returns `true` if a primitive consists of triangles, not of points or lines.
pub(super) fn has_triangles(primitive: &Primitive) -> bool {
    Mode::of(primitive).is_some()
}

impl Gltf<'_> {
    /// Returns the triangles of a primitive with `vertices` vertices in Quake's winding; front faces of glTF are
    /// counterclockwise. Triangles of a strip that name a vertex twice only join its parts and are dropped.
    pub fn triangles(
        &mut self,
        mesh: usize,
        primitive: &Primitive,
        vertices: usize,
    ) -> Result<Vec<[u32; 3]>, ModelError> {
        let corners: Vec<u32> = match primitive.indices {
            None => {
                let mut corners = self.reserve("meshes", mesh, vertices as u64)?;
                corners.extend((0..).take(vertices));
                corners
            }
            Some(index) => {
                let indices = self.accessor(index, &[1])?;
                let mut corners: Vec<[u32; 1]> = self.reserve("meshes", mesh, indices.count as u64)?;
                indices.integers(Elements::First(indices.count), &mut corners);
                let corners = corners.into_flattened();
                let highest = corners.iter().copied().fold(0, u32::max);
                if !corners.is_empty() && highest as usize >= vertices {
                    return Err(self.outside("accessors", index, "vertex index", highest as usize, vertices));
                }
                corners
            }
        };
        let mode = Mode::of(primitive).unwrap_or(Mode::List);
        let count = if mode == Mode::List { corners.len() / 3 } else { corners.len().saturating_sub(2) };
        let mut out: Vec<[u32; 3]> = self.reserve("meshes", mesh, count as u64)?;
        match mode {
            Mode::List => out.extend(corners.as_chunks::<3>().0.iter().map(|&[a, b, c]| [a, c, b])),
            Mode::Strip | Mode::Fan => {
                let first = corners.first().copied();
                for (number, window) in corners.windows(3).enumerate() {
                    let &[a, b, c] = window else { continue };
                    out.push(match first {
                        Some(first) if mode == Mode::Fan => [first, c, b],
                        _ if number % 2 == 1 => [a, b, c],
                        _ => [a, c, b],
                    });
                }
            }
        }
        if mode != Mode::List {
            out.retain(|[a, b, c]| a != b && b != c && a != c);
        }
        Ok(out)
    }
}
