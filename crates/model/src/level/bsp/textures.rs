//! Textures in the files of the Quake family.

use glam::UVec2;

use super::lump::{File, Record};
use super::{BspError, Format};
use crate::model::Name;

/// Length of a name, bytes.
pub(super) const NAME: usize = 16;

/// Size of a texture's header, bytes.
const HEADER: usize = 40;

/// Textures in a BSP file of Quake or Half-Life (BSP 29, BSP2, 2PSB and BSP 30, lump 2), for drawing a level.
///
/// Nothing is copied. Files of Quake 2 and 3 have no textures, and most maps of Half-Life have only some of theirs.
///
/// ```
/// use skelobj::physics::{BspTextures, Level};
///
/// let file = std::fs::read("../../tests/data/examples/floor.bsp")?;
/// let (level, textures) = (Level::from_bsp(&file)?, BspTextures::new(&file)?);
/// let floor = &level.surfaces[0];
/// let number = floor.texture.expect("a texture in the file").number;
/// let texture = textures.get(number as usize).expect("pixels");
/// assert_eq!(texture.name(), floor.name);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BspTextures<'a> {
    lump: &'a [u8],
    offsets: &'a [[u8; 4]],
    has_palettes: bool,
}

/// Texture in a BSP file: one byte per pixel, which is an index into a palette.
///
/// ```
/// use skelobj::physics::BspTextures;
///
/// let file = std::fs::read("../../tests/data/examples/floor.bsp")?;
/// let texture = BspTextures::new(&file)?.get(0).expect("pixels");
/// assert_eq!((texture.name().to_string(), texture.size().to_array()), ("tile".to_owned(), [16, 16]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BspTexture<'a> {
    name: &'a [u8],
    size: UVec2,
    indexes: &'a [u8],
    palette: &'a [[u8; 3]],
}

impl<'a> BspTextures<'a> {
    /// Returns the textures in a file; none for formats whose textures are files of their own.
    ///
    /// ```
    /// use skelobj::physics::BspTextures;
    ///
    /// let textures = |name: &str| std::fs::read(format!("../../tests/data/examples/{name}"));
    /// assert_eq!(BspTextures::new(&textures("floor.bsp")?)?.len(), 1);
    /// assert!(BspTextures::new(&textures("start.bsp")?)?.is_empty()); // a map of Quake 3
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BspError`] if the file has none of the formats that
    /// [`Level::from_bsp`](crate::level::Level::from_bsp) reads, or if the lump of textures reaches past its end.
    pub fn new(bytes: &'a [u8]) -> Result<Self, BspError> {
        match Format::of(bytes)? {
            Format::Quake(variant) => Self::of(&variant.file(bytes), variant.has_palettes()),
            Format::Quake2 | Format::Quake3(_) => Ok(Self { lump: &[], offsets: &[], has_palettes: false }),
        }
    }

    pub(super) fn of(file: &File<'a>, has_palettes: bool) -> Result<Self, BspError> {
        let lump = file.lump(2, "textures", 1)?.bytes();
        let count = Record(lump).i32(0).max(0) as usize;
        let offsets = lump.get(4..).unwrap_or_default().as_chunks().0;
        Ok(Self { lump, offsets: &offsets[..count.min(offsets.len())], has_palettes })
    }

    /// Returns the number of textures, those without pixels included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Returns `true` if the file has no textures.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.offsets.is_empty()
    }

    /// Returns a texture; `None` if the file has no such texture, states only its name, or ends before its last pixel.
    ///
    /// ```
    /// let file = std::fs::read("../../tests/data/examples/floor.bsp")?;
    /// let textures = skelobj::physics::BspTextures::new(&file)?;
    /// assert!(textures.get(0).is_some() && textures.get(1).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get(&self, number: usize) -> Option<BspTexture<'a>> {
        let record = self.record(number)?;
        let header = Record(record.get(..HEADER)?);
        let size = UVec2::new(header.u32(16), header.u32(20));
        let [pixels, smallest] = [header.u32(24), header.u32(36)].map(|offset| offset as usize);
        let count = usize::try_from(u64::from(size.x) * u64::from(size.y)).ok()?;
        if pixels < HEADER || count == 0 {
            return None;
        }
        let indexes = record.get(pixels..)?.get(..count)?;
        let palette = if self.has_palettes { palette(record, smallest, count / 64) } else { Some(&[][..]) };
        Some(BspTexture { name: &record[..NAME], size, indexes, palette: palette? })
    }

    /// Returns the name of a texture, with pixels or without.
    pub(super) fn name(&self, number: usize) -> Option<Name> {
        self.record(number)?.get(..NAME).map(Name::new)
    }

    /// Returns the bytes from a texture's header on.
    fn record(&self, number: usize) -> Option<&'a [u8]> {
        let offset = usize::try_from(i32::from_le_bytes(*self.offsets.get(number)?)).ok()?;
        self.lump.get(offset..)
    }
}

/// Returns the palette after the smallest copy of a texture, which has `size` bytes at `smallest`: the number of its
/// colours comes first.
fn palette(record: &[u8], smallest: usize, size: usize) -> Option<&[[u8; 3]]> {
    let (count, colors) = record.get(smallest..)?.get(size..)?.split_first_chunk()?;
    Some(colors.get(..3 * usize::from(u16::from_le_bytes(*count)))?.as_chunks().0)
}

impl<'a> BspTexture<'a> {
    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> Name {
        Name::new(self.name)
    }

    /// Returns the width and height, pixels; neither is 0.
    #[must_use]
    pub fn size(&self) -> UVec2 {
        self.size
    }

    /// Returns an index into the palette for every pixel, in rows from the top.
    #[must_use]
    pub fn indexes(&self) -> &'a [u8] {
        self.indexes
    }

    /// Returns the colours of the texture's own palette, as sRGB; empty in Quake, whose textures share the palette of
    /// the game: `gfx/palette.lmp`.
    ///
    /// ```
    /// let file = std::fs::read("../../tests/data/examples/floor.bsp")?; // a map of Half-Life
    /// let texture = skelobj::physics::BspTextures::new(&file)?.get(0).expect("pixels");
    /// assert_eq!(texture.palette()[0], [96, 96, 96]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn palette(&self) -> &'a [[u8; 3]] {
        self.palette
    }

    /// Returns red, green, blue (sRGB) and alpha of every pixel, in rows from the top.
    ///
    /// A texture without a palette of its own gets its colours from `palette`. Index 255 is transparent in textures
    /// whose names begin with `{`; all else is opaque. Colours that the palette lacks are black.
    ///
    /// ```
    /// let file = std::fs::read("../../tests/data/examples/floor.bsp")?;
    /// let texture = skelobj::physics::BspTextures::new(&file)?.get(0).expect("pixels");
    /// assert_eq!(texture.rgba(&[])[..2], [[96, 96, 96, 255], [160, 160, 160, 255]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rgba(&self, palette: &[[u8; 3]]) -> Vec<[u8; 4]> {
        let palette = if self.palette.is_empty() { palette } else { self.palette };
        let is_pierced = self.name.first() == Some(&b'{');
        let color = |&index: &u8| {
            let [red, green, blue] = palette.get(usize::from(index)).copied().unwrap_or_default();
            [red, green, blue, if is_pierced && index == 255 { 0 } else { 255 }]
        };
        self.indexes.iter().map(color).collect()
    }
}
