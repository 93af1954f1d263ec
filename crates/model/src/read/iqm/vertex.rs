//! Vertex arrays of any component format and any number of components.

use super::super::cursor::{Cursor, Scalar, finite_or_zero};
use super::Iqm;
use crate::layout::iqm as kind;
use crate::model::{Fixup, ModelError, ModelProblem, Name};

/// Number of standard types.
const STANDARD: usize = 7;

/// Vertex array that is proven to lie in the file.
pub(super) struct VertexArray<'a> {
    /// Name; empty for a standard array.
    pub name: Name,
    format: Format,
    pub components: usize,
    data: &'a [u8],
}

/// Component format.
#[derive(Clone, Copy)]
enum Format {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F16,
    F32,
    F64,
}

impl Format {
    fn from_number(number: u32) -> Option<Self> {
        use Format::*;
        [I8, U8, I16, U16, I32, U32, F16, F32, F64].get(number as usize).copied()
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 | Self::F16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

/// Component that converts to a float; integers are divided by their maximum.
trait Component: Scalar {
    fn to_f32(self) -> f32;
}

macro_rules! normalised {
    ($($t:ty),*) => {$(
        impl Component for $t {
            #[inline]
            fn to_f32(self) -> f32 {
                (f64::from(self) / f64::from(<$t>::MAX)) as f32
            }
        }
    )*};
}

normalised!(i8, u8, i16, u16, i32, u32);

impl Component for f32 {
    #[inline]
    fn to_f32(self) -> f32 {
        self
    }
}

impl Component for f64 {
    #[inline]
    fn to_f32(self) -> f32 {
        self as f32
    }
}

/// Half-precision float.
#[derive(Clone, Copy)]
struct Half(u16);

impl Scalar for Half {
    const SIZE: usize = 2;

    #[inline]
    fn parse<const BIG: bool>(bytes: &[u8]) -> Self {
        Self(u16::parse::<BIG>(bytes))
    }
}

impl Component for Half {
    #[inline]
    fn to_f32(self) -> f32 {
        let bits = u32::from(self.0);
        let (sign, exponent, fraction) = (bits >> 15 << 31, bits >> 10 & 0x1f, bits & 0x3ff);
        let magnitude = match exponent {
            0 => fraction as f32 / (1 << 24) as f32,
            0x1f => f32::from_bits(0x7f80_0000 | fraction << 13),
            _ => f32::from_bits((exponent + 127 - 15) << 23 | fraction << 13),
        };
        f32::from_bits(sign | magnitude.to_bits())
    }
}

impl<'a> VertexArray<'a> {
    /// Returns the bytes of `count` vertices from `first` on. Nothing is cut: meshes are checked against the number of
    /// vertices, and each array has that many.
    fn vertices(&self, first: usize, count: usize) -> &'a [u8] {
        let stride = self.components * self.format.size();
        self.data.get(first * stride..(first + count) * stride).unwrap_or_default()
    }

    /// Appends vertices; missing components come from `fill`. Returns the number of non-finite numbers.
    pub fn floats<const N: usize>(&self, first: usize, count: usize, fill: [f32; N], out: &mut Vec<[f32; N]>) -> usize {
        let data = self.vertices(first, count);
        self.decode(data, self.components, fill, out)
    }

    /// Appends all components of the vertices, one after another.
    pub fn flat(&self, first: usize, count: usize, out: &mut Vec<[f32; 1]>) -> usize {
        self.decode(self.vertices(first, count), 1, [0.0], out)
    }

    fn decode<const N: usize>(&self, data: &[u8], components: usize, fill: [f32; N], out: &mut Vec<[f32; N]>) -> usize {
        match self.format {
            Format::I8 => decode::<i8, N>(data, components, fill, out),
            Format::U8 => decode::<u8, N>(data, components, fill, out),
            Format::I16 => decode::<i16, N>(data, components, fill, out),
            Format::U16 => decode::<u16, N>(data, components, fill, out),
            Format::I32 => decode::<i32, N>(data, components, fill, out),
            Format::U32 => decode::<u32, N>(data, components, fill, out),
            Format::F16 => decode::<Half, N>(data, components, fill, out),
            Format::F32 => decode::<f32, N>(data, components, fill, out),
            Format::F64 => decode::<f64, N>(data, components, fill, out),
        }
    }

    /// Appends up to four integers per vertex; negative ones become [`u32::MAX`]. Arrays of floats are refused when
    /// they are read.
    pub fn indexes(&self, first: usize, count: usize, out: &mut Vec<[u32; 4]>) {
        let data = self.vertices(first, count);
        match self.format {
            Format::I8 => indexes::<i8>(data, self.components, out),
            Format::U8 => indexes::<u8>(data, self.components, out),
            Format::I16 => indexes::<i16>(data, self.components, out),
            Format::U16 => indexes::<u16>(data, self.components, out),
            Format::I32 => indexes::<i32>(data, self.components, out),
            Format::U32 => indexes::<u32>(data, self.components, out),
            Format::F16 | Format::F32 | Format::F64 => {}
        }
    }
}

fn decode<T: Component, const N: usize>(
    data: &[u8],
    components: usize,
    fill: [f32; N],
    out: &mut Vec<[f32; N]>,
) -> usize {
    let mut bad = 0;
    out.extend(data.chunks_exact(components * T::SIZE).map(|vertex| {
        let mut values = fill;
        for (value, bytes) in values.iter_mut().zip(vertex.chunks_exact(T::SIZE)) {
            *value = T::parse::<false>(bytes).to_f32();
        }
        finite_or_zero(&mut values, &mut bad);
        values
    }));
    bad
}

fn indexes<T: Scalar + Into<i64>>(data: &[u8], components: usize, out: &mut Vec<[u32; 4]>) {
    out.extend(data.chunks_exact(components * T::SIZE).map(|vertex| {
        let mut values = [0; 4];
        for (value, bytes) in values.iter_mut().zip(vertex.chunks_exact(T::SIZE)) {
            *value = u32::try_from(T::parse::<false>(bytes).into()).unwrap_or(u32::MAX);
        }
        values
    }));
}

/// Known arrays of a file.
pub(super) struct VertexArrays<'a> {
    standard: [Option<VertexArray<'a>>; STANDARD],
    pub custom: Vec<VertexArray<'a>>,
}

impl<'a> VertexArrays<'a> {
    /// Returns the array of a standard type.
    pub fn standard(&self, kind: u32) -> Option<&VertexArray<'a>> {
        self.standard.get(kind as usize)?.as_ref()
    }
}

impl<'a> Iqm<'a> {
    /// Reads the standard arrays and the named ones. Of two arrays of the same standard type the last counts.
    pub fn vertex_arrays(&mut self) -> Result<VertexArrays<'a>, ModelError> {
        const SIZE: usize = 20;
        let table = self.table("vertexarrays", self.header.vertex_arrays, SIZE)?;
        let count = self.header.vertex_arrays.count.into();
        let custom = self.file.reserve("vertexarrays", table.offset(), count)?;
        let mut arrays = VertexArrays { standard: Default::default(), custom };
        for mut record in table.records(SIZE) {
            let at = record.offset();
            let [kind, _flags] = record.get::<[u32; 2]>()?;
            if let Some(standard) = arrays.standard.get_mut(kind as usize) {
                // Blend indexes are integers.
                let formats = if kind == kind::BLEND_INDEXES { 0..=5 } else { 0..=8 };
                let format = record.ranged("format", formats)?;
                *standard = Some(self.vertex_array(record, Name::default(), format)?);
            } else if let Some(name) = kind.checked_sub(kind::CUSTOM) {
                let name = self.text_at("vertexarrays", at, name)?;
                match record.ranged("format", 0..=8) {
                    Ok(format) => arrays.custom.push(self.vertex_array(record, name, format)?),
                    Err(_) => {
                        let fixup = Fixup::Dropped("a custom vertex array of unknown format");
                        self.file.warn("vertexarrays", at, fixup);
                    }
                }
            } else {
                self.file.warn("vertexarrays", at, Fixup::Dropped("a vertex array of unknown type"));
            }
        }
        Ok(arrays)
    }

    /// Reads the rest of a record: number of components and position of the data.
    fn vertex_array(&self, mut record: Cursor<'a>, name: Name, format: u32) -> Result<VertexArray<'a>, ModelError> {
        let missing = ModelProblem::Missing { what: "known component format" };
        let format = Format::from_number(format).ok_or_else(|| record.error(missing))?;
        let components = record.ranged::<u32>("size", 1..=i64::from(u32::MAX / 8))? as usize;
        let offset = record.get::<u32>()?;
        let table = self.file.table("vertexarrays", offset, self.header.vertex_count, components * format.size())?;
        Ok(VertexArray { name, format, components, data: table.rest() })
    }
}
