//! Accessors: numbers in buffers, proven to lie inside them before one is read.

use super::schema::View;
use super::{Gltf, size};
use crate::model::{ModelError, ModelProblem};

/// Component type.
#[derive(Clone, Copy)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn of(number: u32) -> Option<Self> {
        Some(match number {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }
}

/// Returns the number of components of an element; `None` for types that are not read.
fn width(kind: &str) -> Option<usize> {
    Some(match kind {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" => 4,
        "MAT3" => 9,
        "MAT4" => 16,
        _ => return None,
    })
}

/// Selection of the elements to read.
#[derive(Clone, Copy)]
pub(super) enum Elements<'e> {
    /// Number of elements, starting with the first.
    First(usize),
    /// Numbers of the elements.
    These(&'e [u32]),
}

impl Elements<'_> {
    pub fn len(&self) -> usize {
        match self {
            Self::First(count) => *count,
            Self::These(numbers) => numbers.len(),
        }
    }
}

/// Elements of an accessor.
#[derive(Clone, Copy)]
pub(super) struct Accessor<'a> {
    /// Number of elements.
    pub count: usize,
    /// Number of components of an element.
    pub width: usize,
    /// Number of the accessor in the document.
    pub index: usize,
    component: Component,
    normalized: bool,
    /// Bytes starting at the first element; empty if all elements are zero.
    bytes: &'a [u8],
    stride: usize,
    sparse: Option<Sparse<'a>>,
}

/// Elements that replace others.
#[derive(Clone, Copy)]
struct Sparse<'a> {
    count: usize,
    component: Component,
    indices: &'a [u8],
    values: &'a [u8],
}

impl Sparse<'_> {
    /// Returns the number of the element that a value replaces.
    fn element(&self, place: usize) -> usize {
        debug_assert!(place < self.count, "the element exists");
        let bytes = self.indices.get(place * self.component.size()..).unwrap_or_default();
        let byte = |i: usize| usize::from(bytes.get(i).copied().unwrap_or(0));
        (0..self.component.size()).map(|i| byte(i) << (8 * i)).sum()
    }

    /// Returns the value that replaces an element. Indices increase, as the format requires.
    fn find(&self, element: usize) -> Option<usize> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.element(middle).cmp(&element) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }
}

impl Accessor<'_> {
    /// Appends elements as floats; missing components are zero.
    pub fn floats<const N: usize>(&self, elements: Elements, out: &mut Vec<[f32; N]>) {
        // The component type is examined once per array, not once per number.
        match (self.component, self.normalized) {
            (Component::F32, _) => self.read(elements, f32::from_le_bytes, out),
            (Component::I8, false) => self.read(elements, |b| i8::from_le_bytes(b).into(), out),
            (Component::U8, false) => self.read(elements, |[b]| b.into(), out),
            (Component::I16, false) => self.read(elements, |b| i16::from_le_bytes(b).into(), out),
            (Component::U16, false) => self.read(elements, |b| u16::from_le_bytes(b).into(), out),
            (Component::U32, false) => self.read(elements, |b| u32::from_le_bytes(b) as f32, out),
            (Component::I8, true) => {
                self.read(elements, |b| (f32::from(i8::from_le_bytes(b)) / 127.0).max(-1.0), out);
            }
            (Component::U8, true) => self.read(elements, |[b]| f32::from(b) / 255.0, out),
            (Component::I16, true) => {
                self.read(elements, |b| (f32::from(i16::from_le_bytes(b)) / 32767.0).max(-1.0), out);
            }
            (Component::U16, true) => self.read(elements, |b| f32::from(u16::from_le_bytes(b)) / 65535.0, out),
            (Component::U32, true) => {
                self.read(elements, |b| u32::from_le_bytes(b) as f32 / u32::MAX as f32, out);
            }
        }
    }

    /// Appends elements as integers; missing components are zero.
    pub fn integers<const N: usize>(&self, elements: Elements, out: &mut Vec<[u32; N]>) {
        match self.component {
            Component::I8 => self.read(elements, |b| i8::from_le_bytes(b).max(0) as u32, out),
            Component::U8 => self.read(elements, |[b]| b.into(), out),
            Component::I16 => self.read(elements, |b| i16::from_le_bytes(b).max(0) as u32, out),
            Component::U16 => self.read(elements, |b| u16::from_le_bytes(b).into(), out),
            Component::U32 => self.read(elements, u32::from_le_bytes, out),
            Component::F32 => self.read(elements, |b| f32::from_le_bytes(b) as u32, out),
        }
    }

    fn read<T: Default + Copy, const S: usize, const N: usize>(
        &self,
        elements: Elements,
        parse: impl Fn([u8; S]) -> T + Copy,
        out: &mut Vec<[T; N]>,
    ) {
        let width = self.width;
        let element = |bytes: &[u8]| -> [T; N] {
            let (numbers, _) = bytes.as_chunks::<S>();
            match numbers.first_chunk::<N>() {
                Some(numbers) if width == N => numbers.map(parse),
                _ => std::array::from_fn(|i| numbers.get(i).filter(|_| i < width).map_or(T::default(), |&b| parse(b))),
            }
        };
        let at = |number: usize| element(self.bytes.get(number.saturating_mul(self.stride)..).unwrap_or_default());
        let start = out.len();
        match elements {
            Elements::First(count) if self.bytes.is_empty() => out.resize(start + count, [T::default(); N]),
            Elements::First(count) if width == N && self.stride == N * S => {
                let (all, _) = self.bytes.as_chunks::<S>().0.as_chunks::<N>();
                out.extend(all.iter().take(count).map(|numbers| numbers.map(parse)));
            }
            Elements::First(count) => out.extend((0..count).map(at)),
            Elements::These(numbers) => out.extend(numbers.iter().map(|&number| at(number as usize))),
        }
        let Some(sparse) = self.sparse else { return };
        let read = out.get_mut(start..).unwrap_or_default();
        let value = |place: usize| element(sparse.values.get(place * width * S..).unwrap_or_default());
        match elements {
            Elements::First(_) => {
                for place in 0..sparse.count {
                    if let Some(replaced) = read.get_mut(sparse.element(place)) {
                        *replaced = value(place);
                    }
                }
            }
            Elements::These(numbers) => {
                for (replaced, &number) in read.iter_mut().zip(numbers) {
                    *replaced = sparse.find(number as usize).map_or(*replaced, value);
                }
            }
        }
    }
}

impl<'a> Gltf<'a> {
    /// Returns an accessor, whose elements must have one of `widths` numbers of components.
    pub fn accessor(&self, index: usize, widths: &[usize]) -> Result<Accessor<'a>, ModelError> {
        let Some(json) = self.root.accessors.get(index) else {
            return Err(self.outside("accessors", index, "accessor", index, self.root.accessors.len()));
        };
        let (Some(component), Some(width)) = (Component::of(json.component_type), width(&json.kind)) else {
            return Err(self.error("accessors", index, ModelProblem::Missing { what: "known componentType and type" }));
        };
        if !widths.contains(&width) {
            let expected = widths.first().copied().unwrap_or(0) as i64;
            let problem = ModelProblem::Mismatch { field: "numbers an element", found: width as i64, expected };
            return Err(self.error("accessors", index, problem));
        }
        let element = width * component.size();
        let Some(count) = size(json.count) else {
            return Err(self.past_end(index, json.count, 0));
        };
        let mut accessor = Accessor {
            count,
            width,
            index,
            component,
            normalized: json.normalized,
            bytes: &[],
            stride: element,
            sparse: None,
        };
        if let Some(view) = json.buffer_view {
            let (bytes, stride) = self.view(index, view, json.byte_offset)?;
            accessor.stride = stride.unwrap_or(element);
            let before_last = (count as u64).saturating_sub(1).saturating_mul(accessor.stride as u64);
            let needed = if count == 0 { 0 } else { before_last.saturating_add(element as u64) };
            if needed > bytes.len() as u64 {
                return Err(self.past_end(index, needed, bytes.len()));
            }
            accessor.bytes = bytes;
        }
        if let Some(sparse) = &json.sparse {
            let Some(component) = sparse.indices.component_type.and_then(Component::of) else {
                return Err(self.error("accessors", index, ModelProblem::Missing { what: "known componentType" }));
            };
            if sparse.count > json.count {
                let (found, max) = (sparse.count.min(i64::MAX as u64) as i64, count as i64);
                let problem = ModelProblem::OutOfRange { field: "sparse count", found, min: 0, max };
                return Err(self.error("accessors", index, problem));
            }
            let (indices, _) = self.view(index, sparse.indices.buffer_view, sparse.indices.byte_offset)?;
            let (values, _) = self.view(index, sparse.values.buffer_view, sparse.values.byte_offset)?;
            for (bytes, size) in [(indices, component.size()), (values, element)] {
                let needed = sparse.count.saturating_mul(size as u64);
                if needed > bytes.len() as u64 {
                    return Err(self.past_end(index, needed, bytes.len()));
                }
            }
            accessor.sparse = Some(Sparse { count: sparse.count as usize, component, indices, values });
        }
        Ok(accessor)
    }

    /// Returns the bytes of a view from `offset` on, and the stride.
    fn view(&self, accessor: usize, index: usize, offset: u64) -> Result<(&'a [u8], Option<usize>), ModelError> {
        let Some(view) = self.root.buffer_views.get(index) else {
            let length = self.root.buffer_views.len();
            return Err(self.outside("accessors", accessor, "bufferView", index, length));
        };
        let bytes = self.view_bytes(index, view)?;
        let Some(bytes) = size(offset).and_then(|offset| bytes.get(offset..)) else {
            return Err(self.past_end(accessor, offset, bytes.len()));
        };
        Ok((bytes, view.byte_stride.filter(|&stride| stride > 0)))
    }

    /// Returns all bytes of a view.
    pub fn view_bytes(&self, index: usize, view: &View) -> Result<&'a [u8], ModelError> {
        let buffers = self.buffers;
        let Some(buffer) = buffers.get(view.buffer) else {
            return Err(self.outside("bufferViews", index, "buffer", view.buffer, buffers.len()));
        };
        let rest = size(view.byte_offset).and_then(|start| buffer.get(start..)).unwrap_or_default();
        size(view.byte_length).and_then(|length| rest.get(..length)).ok_or_else(|| {
            let problem = ModelProblem::PastEnd { needed: view.byte_length, available: rest.len() };
            self.error("bufferViews", index, problem)
        })
    }

    fn past_end(&self, accessor: usize, needed: u64, available: usize) -> ModelError {
        self.error("accessors", accessor, ModelProblem::PastEnd { needed, available })
    }
}
