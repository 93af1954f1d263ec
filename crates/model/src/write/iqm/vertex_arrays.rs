//! Meshes, vertex arrays and triangles.

use std::collections::HashMap;

use super::{Header, Table, Writer};
use crate::layout::iqm as kind;
use crate::model::{Mesh, Name};

/// Component formats by their numbers in the file.
mod format {
    pub const U8: u32 = 1;
    pub const U16: u32 = 3;
    pub const F32: u32 = 7;
}

/// Records of the vertex array table.
type Records = Vec<[u32; 5]>;

/// Returns the byte that equals `value` after a reader divides it by 255.
fn byte(value: f32) -> Option<u8> {
    let byte = (value * 255.0).round() as u8;
    ((f64::from(byte) / 255.0) as f32 == value).then_some(byte)
}

/// Custom array of the file.
struct Array<'m> {
    name: &'m Name,
    components: usize,
    /// Values of each mesh that has the array.
    data: Vec<(usize, &'m [f32])>,
}

impl<'m> Writer<'m> {
    pub fn meshes(&mut self, header: &mut Header) {
        let meshes = &self.model.meshes;
        let mut records = Records::new();
        self.floats(&mut records, kind::POSITION, [0.0; 3], |mesh| &mesh.positions);
        self.floats(&mut records, kind::TEXCOORD, [0.0; 2], |mesh| &mesh.texcoords);
        self.floats(&mut records, kind::NORMAL, [0.0; 3], |mesh| &mesh.normals);
        self.floats(&mut records, kind::TANGENT, [0.0, 0.0, 0.0, 1.0], |mesh| &mesh.tangents);
        self.influences(&mut records);
        self.floats_or_bytes(&mut records, kind::COLOR, [1.0; 4], |mesh| mesh.colors.iter().copied());
        self.custom(&mut records);
        header.vertex_arrays = Table { count: records.len() as u32, offset: self.align() };
        self.u32s(records.as_flattened());

        header.triangles.offset = self.align();
        let mut first = 0;
        for mesh in meshes {
            for triangle in &mesh.triangles {
                self.u32s(&triangle.map(|index| first + index));
            }
            first += mesh.positions.len() as u32;
        }
        header.vertex_count = first;

        header.meshes = Table { count: meshes.len() as u32, offset: self.align() };
        let (mut vertex, mut triangle) = (0, 0);
        for mesh in meshes {
            let (vertices, triangles) = (mesh.positions.len() as u32, mesh.triangles.len() as u32);
            let names = [self.text.offset(&mesh.name), self.text.offset(&mesh.material)];
            self.u32s(&names);
            self.u32s(&[vertex, vertices, triangle, triangles]);
            vertex += vertices;
            triangle += triangles;
        }
        header.triangles.count = triangle;
    }

    /// Writes an array of floats, if any mesh has it.
    fn floats<const N: usize>(
        &mut self,
        records: &mut Records,
        kind: u32,
        fill: [f32; N],
        get: impl Fn(&Mesh) -> &Vec<[f32; N]>,
    ) {
        let meshes = &self.model.meshes;
        if meshes.iter().all(|mesh| get(mesh).is_empty()) {
            return;
        }
        records.push([kind, 0, format::F32, N as u32, self.align()]);
        for mesh in meshes {
            let values = get(mesh);
            self.f32s(values.as_flattened());
            for _ in values.len()..mesh.positions.len() {
                self.f32s(&fill);
            }
        }
    }

    /// Writes four numbers per vertex, if any mesh has them: as bytes if bytes hold all of them exactly, otherwise as
    /// floats.
    fn floats_or_bytes<I: ExactSizeIterator<Item = [f32; 4]>>(
        &mut self,
        records: &mut Records,
        kind: u32,
        fill: [f32; 4],
        get: impl Fn(&'m Mesh) -> I,
    ) {
        let meshes = &self.model.meshes;
        if meshes.iter().all(|mesh| get(mesh).len() == 0) {
            return;
        }
        let exact = meshes.iter().flat_map(&get).flatten().all(|value| byte(value).is_some());
        records.push([kind, 0, if exact { format::U8 } else { format::F32 }, 4, self.align()]);
        for mesh in meshes {
            let missing = mesh.positions.len().saturating_sub(get(mesh).len());
            for values in get(mesh).chain(std::iter::repeat_n(fill, missing)) {
                if exact {
                    self.out.extend(values.iter().filter_map(|&value| byte(value)));
                } else {
                    self.f32s(&values);
                }
            }
        }
    }

    /// Writes blend indexes, wider than bytes only if necessary, and weights.
    fn influences(&mut self, records: &mut Records) {
        let meshes = &self.model.meshes;
        if meshes.iter().all(|mesh| mesh.influences.is_empty()) {
            return;
        }
        let all = meshes.iter().flat_map(|mesh| &mesh.influences).flat_map(|influences| influences.bones);
        let wide = all.max() > Some(u16::from(u8::MAX));
        records.push([kind::BLEND_INDEXES, 0, if wide { format::U16 } else { format::U8 }, 4, self.align()]);
        for mesh in meshes {
            let missing = mesh.positions.len() - mesh.influences.len();
            let bones = mesh.influences.iter().map(|influences| influences.bones);
            for bone in bones.chain(std::iter::repeat_n([0; 4], missing)).flatten() {
                let bytes = bone.to_le_bytes();
                self.out.extend_from_slice(if wide { &bytes } else { &bytes[..1] });
            }
        }
        let whole = [1.0, 0.0, 0.0, 0.0];
        self.floats_or_bytes(records, kind::BLEND_WEIGHTS, whole, |mesh| mesh.influences.iter().map(|i| i.weights));
    }

    /// Writes custom arrays; those with the same name and size in several meshes are one array of the file.
    fn custom(&mut self, records: &mut Records) {
        let meshes = &self.model.meshes;
        let mut known: HashMap<(&'m Name, usize), usize> = HashMap::new();
        // In the order in which meshes name them.
        let mut arrays: Vec<Array<'m>> = Vec::new();
        for (number, mesh) in meshes.iter().enumerate() {
            for custom in &mesh.custom {
                let key = (&custom.name, custom.components);
                let array = *known.entry(key).or_insert(arrays.len());
                if array == arrays.len() {
                    arrays.push(Array { name: &custom.name, components: custom.components, data: Vec::new() });
                }
                let data = &mut arrays[array].data;
                // Of two with the same name and size in one mesh the first counts.
                if data.last().is_none_or(|(last, _)| *last < number) {
                    data.push((number, &custom.data));
                }
            }
        }
        for Array { name, components, data } in arrays {
            let kind = kind::CUSTOM + self.text.offset(name);
            records.push([kind, 0, format::F32, components as u32, self.align()]);
            let mut data = data.into_iter().peekable();
            for (number, mesh) in meshes.iter().enumerate() {
                match data.next_if(|(mesh, _)| *mesh == number) {
                    Some((_, data)) => self.f32s(data),
                    None => self.out.resize(self.out.len() + 4 * mesh.positions.len() * components, 0),
                }
            }
        }
    }
}
