//! Vertex buffers: the layout of their values, and the values.

use super::super::cursor::{Scalar, finite_or_zero};
use super::stream::Stream;
use crate::model::{ModelError, ModelProblem};

/// Number of slots of a vertex for values.
const SLOTS: usize = 16;
const POSITION: usize = 0;
const NORMAL: usize = 1;
const TEXCOORD: usize = 2;
const TEXCOORDS: usize = 8;
const COLOR: usize = 10;
const WEIGHT: usize = 12;
const PALETTE: usize = 13;

/// Type number of four unsigned bytes. Lower type numbers are one to four components of three sizes.
const BYTES: u8 = 12;
const FLOAT1: u8 = 1;
const FLOAT2: u8 = 4;
const FLOAT3: u8 = 7;

/// Position and type of the values of a vertex.
pub(super) struct Layout {
    /// Type and byte offset of each stored value.
    slots: [Option<(u8, usize)>; SLOTS],
    /// Size of a vertex, bytes.
    size: usize,
    /// `true` if colours are stored blue first.
    bgra: bool,
    /// Number of vertices of the whole buffer.
    pub count: u32,
}

impl Layout {
    /// Reads the header of a buffer, versions 0 to 3.
    pub fn read(stream: &mut Stream) -> Result<Self, ModelError> {
        stream.enter("vertex buffer");
        let version = stream.version(3)?;
        let at = stream.offset();
        let (flags, types) = if version >= 1 {
            (stream.get::<u16>()?, stream.get::<[u8; SLOTS]>()?)
        } else {
            old_flags(stream.get()?, true)
        };
        let mut layout = Self::new(at, flags, types)?;
        layout.count = stream.get()?;
        layout.bgra = version >= 2 && stream.get::<u8>()? == 1;
        if version >= 3 {
            stream.skip::<i32>()?;
            stream.string()?;
        }
        Ok(layout)
    }

    fn new(at: usize, flags: u16, types: [u8; SLOTS]) -> Result<Self, ModelError> {
        let mut layout = Self { slots: [None; SLOTS], size: 0, bgra: false, count: 0 };
        for (slot, (place, kind)) in layout.slots.iter_mut().zip(types).enumerate() {
            if flags >> slot & 1 == 0 {
                continue;
            }
            if kind > BYTES {
                let problem =
                    ModelProblem::OutOfRange { field: "vertex value type", found: kind.into(), min: 0, max: 12 };
                return Err(ModelError::new("vertex buffer", at, problem));
            }
            *place = Some((kind, layout.size));
            layout.size += size(kind);
        }
        Ok(layout)
    }
}

/// Converts the flags of buffers that list no types to flags and types. The palette exists only together with all four
/// weights.
fn old_flags(old: u32, palettes: bool) -> (u16, [u8; SLOTS]) {
    const ALL_WEIGHTS: u32 = 0x1_001e;
    let mut flags = 0u16;
    let mut types = [FLOAT2; SLOTS];
    for slot in [POSITION, NORMAL] {
        types[slot] = FLOAT3;
    }
    for slot in [COLOR, COLOR + 1, PALETTE] {
        types[slot] = BYTES;
    }
    for (bit, slot) in [(0x1, POSITION), (0x20, NORMAL), (0x40, COLOR), (0x80, COLOR + 1)] {
        flags |= u16::from(old & bit != 0) << slot;
    }
    for texcoord in 0..TEXCOORDS {
        flags |= u16::from(old & 0x100 << texcoord != 0) << (TEXCOORD + texcoord);
    }
    for weights in 1..=4u8 {
        if old & 1 << weights != 0 {
            flags |= 1 << WEIGHT;
            types[WEIGHT] = FLOAT1 + 3 * (weights - 1);
        }
    }
    flags |= u16::from(palettes && old & ALL_WEIGHTS == ALL_WEIGHTS) << PALETTE;
    (flags, types)
}

fn size(kind: u8) -> usize {
    match (kind, kind % 3) {
        (BYTES, _) => 4,
        (_, 0) => components(kind) * 8,
        (_, 1) => components(kind) * 4,
        _ => components(kind) * 2,
    }
}

fn components(kind: u8) -> usize {
    usize::from(kind / 3) + 1
}

/// Returns a value as up to four floats; bytes become fractions of 255, missing components come from `fill`.
fn value<const N: usize>(kind: u8, bytes: &[u8], fill: [f32; N]) -> [f32; N] {
    let mut out = fill;
    let component = |i: usize| match (kind, kind % 3) {
        (BYTES, _) => f32::from(bytes.get(i).copied().unwrap_or(0)) / 255.0,
        (_, 0) => f64::parse::<false>(bytes.get(8 * i..).unwrap_or_default()) as f32,
        (_, 1) => f32::parse::<false>(bytes.get(4 * i..).unwrap_or_default()),
        _ => f32::from(i16::parse::<false>(bytes.get(2 * i..).unwrap_or_default())),
    };
    let stored = if kind == BYTES { 4 } else { components(kind) };
    for (i, out) in out.iter_mut().enumerate().take(stored) {
        *out = component(i);
    }
    out
}

/// Vertices as arrays; each array is empty or as long as `positions`.
#[derive(Default)]
pub(super) struct Vertices {
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    pub texcoords: Vec<[f32; 2]>,
    pub colors: Vec<[f32; 4]>,
    pub weights: Vec<[f32; 4]>,
    pub palette: Vec<[u8; 4]>,
}

impl Vertices {
    /// Reads a whole buffer, versions 0 to 2.
    pub fn read(stream: &mut Stream) -> Result<Self, ModelError> {
        stream.enter("vertex buffer");
        let version = stream.version(2)?;
        let mut vertices = Self::default();
        if version >= 2 {
            let layout = Layout::read(stream)?;
            vertices.subset(stream, &layout, layout.count)?;
            return Ok(vertices);
        }
        let at = stream.offset();
        let (flags, types) = old_flags(stream.get()?, version >= 1);
        let mut layout = Layout::new(at, flags, types)?;
        layout.count = stream.get()?;
        vertices.values(stream, &layout, layout.count)?;
        Ok(vertices)
    }

    /// Appends the next `count` vertices.
    pub fn subset(&mut self, stream: &mut Stream, layout: &Layout, count: u32) -> Result<(), ModelError> {
        stream.enter("vertex buffer");
        let version = stream.version(2)?;
        self.values(stream, layout, count)?;
        if version >= 2 {
            // Assignment of texture coordinates to texture stages; meshes here have one stage, the first.
            stream.skip::<[u8; TEXCOORDS]>()?;
        }
        Ok(())
    }

    fn values(&mut self, stream: &mut Stream, layout: &Layout, count: u32) -> Result<(), ModelError> {
        let at = stream.offset();
        let count = count as usize;
        // A vertex without positions may have size 0, and then any number of vertices would fit.
        if layout.slots[POSITION].is_none() && count > 0 {
            return Err(ModelError::new("vertex buffer", at, ModelProblem::Missing { what: "positions" }));
        }
        let data = stream.elements(count, layout.size)?;
        let mut column = Column { data, stride: layout.size.max(1), count, bad: 0 };
        let slot = |slot: usize| layout.slots.get(slot).copied().flatten();
        column.append(stream, slot(POSITION), [0.0; 3], &mut self.positions)?;
        column.append(stream, slot(NORMAL), [0.0; 3], &mut self.normals)?;
        column.append(stream, slot(TEXCOORD), [0.0; 2], &mut self.texcoords)?;
        let colors = self.colors.len();
        column.append(stream, slot(COLOR), [0.0, 0.0, 0.0, 1.0], &mut self.colors)?;
        if layout.bgra {
            self.colors.iter_mut().skip(colors).for_each(|color| color.swap(0, 2));
        }
        column.append(stream, slot(WEIGHT), [0.0; 4], &mut self.weights)?;
        if let Some((BYTES, offset)) = slot(PALETTE) {
            append(stream, &mut self.palette, count)?;
            let entries = data.chunks_exact(column.stride).map(|vertex| vertex.get(offset..).unwrap_or_default());
            self.palette.extend(entries.map(<[u8; 4]>::parse::<false>));
        }
        let bad = column.bad;
        stream.warn_not_finite(at, bad);
        Ok(())
    }
}

/// Reserves room for `count` more elements.
fn append<T>(stream: &mut Stream, out: &mut Vec<T>, count: usize) -> Result<(), ModelError> {
    // Charged, then grown in place: the subsets of levels of detail follow one another.
    drop(stream.reserve::<T>(count)?);
    out.reserve(count);
    Ok(())
}

/// Vertices of a subset, read value by value.
struct Column<'a> {
    data: &'a [u8],
    stride: usize,
    count: usize,
    bad: usize,
}

impl Column<'_> {
    fn append<const N: usize>(
        &mut self,
        stream: &mut Stream,
        slot: Option<(u8, usize)>,
        fill: [f32; N],
        out: &mut Vec<[f32; N]>,
    ) -> Result<(), ModelError> {
        let Some((kind, offset)) = slot else { return Ok(()) };
        append(stream, out, self.count)?;
        for vertex in self.data.chunks_exact(self.stride) {
            let mut values = value(kind, vertex.get(offset..).unwrap_or_default(), fill);
            finite_or_zero(&mut values, &mut self.bad);
            out.push(values);
        }
        Ok(())
    }
}
