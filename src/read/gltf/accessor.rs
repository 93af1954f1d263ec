//! Accessors: numbers in buffers, proven to lie inside them before one is read.

use gltf_json::accessor::{ComponentType, Type};
use gltf_json::validation::{Checked, USize64};
use gltf_json::{Index, accessor, buffer};

use super::super::cursor::Scalar;
use super::{Gltf, size};
use crate::model::{ModelError, ModelProblem};

/// The elements of an accessor, read one by one.
#[derive(Clone, Copy)]
pub(super) struct Accessor<'a> {
    /// How many elements there are.
    pub count: usize,
    /// How many numbers an element has.
    pub width: usize,
    /// The accessor's number in the document.
    pub index: usize,
    component: ComponentType,
    normalized: bool,
    /// The first element's bytes and those that follow; empty where all are zero.
    bytes: &'a [u8],
    stride: usize,
    sparse: Option<Sparse<'a>>,
}

/// Elements that stand elsewhere.
#[derive(Clone, Copy)]
struct Sparse<'a> {
    count: usize,
    component: ComponentType,
    indices: &'a [u8],
    values: &'a [u8],
}

impl Sparse<'_> {
    /// Which of the values replaces an element. Indices increase, as the format demands.
    fn find(&self, element: usize) -> Option<usize> {
        let index = |place: usize| {
            let bytes = self.indices.get(place * self.component.size()..).unwrap_or_default();
            integer(self.component, bytes) as usize
        };
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            match index(middle).cmp(&element) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }
}

impl Accessor<'_> {
    /// An element as numbers; those it lacks are zero.
    pub fn floats<const N: usize>(&self, element: usize) -> [f32; N] {
        let number = |bytes: &[u8]| float(self.component, self.normalized, bytes);
        self.numbers(element, number)
    }

    /// An element as integers; those it lacks are zero.
    pub fn integers<const N: usize>(&self, element: usize) -> [u32; N] {
        self.numbers(element, |bytes| integer(self.component, bytes))
    }

    fn numbers<T: Default + Copy, const N: usize>(&self, element: usize, parse: impl Fn(&[u8]) -> T) -> [T; N] {
        let size = self.component.size();
        let bytes = match self.sparse.and_then(|sparse| Some((sparse, sparse.find(element)?))) {
            Some((sparse, place)) => sparse.values.get(place * self.width * size..),
            None => self.bytes.get(element.saturating_mul(self.stride)..),
        };
        let bytes = bytes.unwrap_or_default();
        let number = |i: usize| bytes.get(i * size..).filter(|b| !b.is_empty() && i < self.width).map(&parse);
        std::array::from_fn(|i| number(i).unwrap_or_default())
    }
}

fn integer(component: ComponentType, bytes: &[u8]) -> u32 {
    match component {
        ComponentType::I8 => i8::parse::<false>(bytes).max(0) as u32,
        ComponentType::U8 => u8::parse::<false>(bytes).into(),
        ComponentType::I16 => i16::parse::<false>(bytes).max(0) as u32,
        ComponentType::U16 => u16::parse::<false>(bytes).into(),
        ComponentType::U32 => u32::parse::<false>(bytes),
        ComponentType::F32 => f32::parse::<false>(bytes) as u32,
    }
}

fn float(component: ComponentType, normalized: bool, bytes: &[u8]) -> f32 {
    let (value, most) = match component {
        ComponentType::I8 => (i8::parse::<false>(bytes).into(), 127.0),
        ComponentType::U8 => (u8::parse::<false>(bytes).into(), 255.0),
        ComponentType::I16 => (i16::parse::<false>(bytes).into(), 32767.0),
        ComponentType::U16 => (u16::parse::<false>(bytes).into(), 65535.0),
        ComponentType::U32 => (u32::parse::<false>(bytes) as f32, u32::MAX as f32),
        ComponentType::F32 => return f32::parse::<false>(bytes),
    };
    if normalized { (value / most).max(-1.0) } else { value }
}

impl<'a> Gltf<'a> {
    /// The accessor with this number, its elements of `widths` numbers each.
    pub fn accessor(&self, index: Index<accessor::Accessor>, widths: &[usize]) -> Result<Accessor<'a>, ModelError> {
        let index = index.value();
        let Some(json) = self.root.accessors.get(index) else {
            return Err(self.outside("accessors", index, "accessor", index, self.root.accessors.len()));
        };
        let (Checked::Valid(component), Checked::Valid(kind)) = (&json.component_type, &json.type_) else {
            return Err(self.error("accessors", index, ModelProblem::Missing { what: "known componentType and type" }));
        };
        let (component, width) = (component.0, kind.multiplicity());
        if !widths.contains(&width) || matches!(kind, Type::Mat2) {
            let expected = widths.first().copied().unwrap_or(0) as i64;
            let problem = ModelProblem::Mismatch { field: "numbers an element", found: width as i64, expected };
            return Err(self.error("accessors", index, problem));
        }
        let element = width * component.size();
        let Some(count) = size(json.count) else {
            return Err(self.past_end(index, json.count.0, 0));
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
            let (bytes, stride) = self.view(index, view, json.byte_offset.unwrap_or_default())?;
            accessor.stride = stride.unwrap_or(element);
            let before_last = (count as u64).saturating_sub(1).saturating_mul(accessor.stride as u64);
            let needed = if count == 0 { 0 } else { before_last.saturating_add(element as u64) };
            if needed > bytes.len() as u64 {
                return Err(self.past_end(index, needed, bytes.len()));
            }
            accessor.bytes = bytes;
        }
        if let Some(sparse) = &json.sparse {
            let Checked::Valid(component) = sparse.indices.component_type else {
                return Err(self.error("accessors", index, ModelProblem::Missing { what: "known componentType" }));
            };
            let (indices, _) = self.view(index, sparse.indices.buffer_view, sparse.indices.byte_offset)?;
            let (values, _) = self.view(index, sparse.values.buffer_view, sparse.values.byte_offset)?;
            for (bytes, size) in [(indices, component.0.size()), (values, element)] {
                let needed = sparse.count.0.saturating_mul(size as u64);
                if needed > bytes.len() as u64 {
                    return Err(self.past_end(index, needed, bytes.len()));
                }
            }
            let count = sparse.count.0 as usize;
            accessor.sparse = Some(Sparse { count, component: component.0, indices, values });
        }
        Ok(accessor)
    }

    /// The bytes of a view from `offset` on, and its stride.
    fn view(
        &self,
        accessor: usize,
        view: Index<buffer::View>,
        offset: USize64,
    ) -> Result<(&'a [u8], Option<usize>), ModelError> {
        let index = view.value();
        let Some(view) = self.root.buffer_views.get(index) else {
            let length = self.root.buffer_views.len();
            return Err(self.outside("accessors", accessor, "bufferView", index, length));
        };
        let buffers = self.buffers;
        let Some(buffer) = buffers.get(view.buffer.value()) else {
            return Err(self.outside("bufferViews", index, "buffer", view.buffer.value(), buffers.len()));
        };
        let start = view.byte_offset.unwrap_or_default();
        let rest = size(start).and_then(|start| buffer.get(start..)).unwrap_or_default();
        let Some(bytes) = size(view.byte_length).and_then(|length| rest.get(..length)) else {
            let problem = ModelProblem::PastEnd { needed: view.byte_length.0, available: rest.len() };
            return Err(self.error("bufferViews", index, problem));
        };
        let Some(bytes) = size(offset).and_then(|offset| bytes.get(offset..)) else {
            return Err(self.past_end(accessor, offset.0, bytes.len()));
        };
        Ok((bytes, view.byte_stride.map(|stride| stride.0)))
    }

    fn past_end(&self, accessor: usize, needed: u64, available: usize) -> ModelError {
        self.error("accessors", accessor, ModelProblem::PastEnd { needed, available })
    }
}
