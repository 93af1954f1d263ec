//! Textures and skins, of the model or of its texture file.

use std::collections::HashSet;

use super::super::cursor::{Cursor, File, Scalar};
use super::header::Header;
use super::png::{PALETTE, Picture};
use crate::model::{Fixup, Material, ModelError, Name, Texture};

/// Flag of a texture whose last colour is clear.
const MASKED: i32 = 0x40;
/// Greatest width and height of an image, pixels.
const LARGEST: i32 = 16384;

/// Name, flags and size of a texture.
pub(super) struct Record {
    pub name: Name,
    flags: i32,
    pub width: i32,
    pub height: i32,
}

/// Textures, and the texture of each slot in each skin.
#[derive(Default)]
pub(super) struct Textures {
    textures: Vec<Record>,
    /// Materials with the images of the textures that have one. Of textures with one name the first counts.
    pub materials: Vec<Material>,
    /// Number of slots of a skin.
    slots: usize,
    /// Texture numbers, skin by skin; shorter than the header states if the file is.
    table: Vec<u16>,
}

impl Textures {
    pub fn read(header: &Header, file: &mut File) -> Result<Self, ModelError> {
        const SIZE: usize = 80;
        let table = header.textures.cursor(file, "textures", SIZE)?;
        let count = header.textures.count.into();
        let mut textures = file.reserve("textures", table.offset(), count)?;
        let mut materials = file.reserve("textures", table.offset(), count)?;
        // A set has more places than names.
        file.reserve::<[Name; 3]>("textures", table.offset(), count)?;
        let mut names = HashSet::new();
        for mut record in table.records(SIZE) {
            let at = record.offset();
            let name = Name::new(record.take(64)?);
            let name = file.name("textures", at, name.as_bytes())?;
            let [flags, width, height] = record.get()?;
            let texture = Record { name, flags, width, height };
            if !names.contains(&texture.name)
                && let Some(image) = image(file, &texture, record)?
            {
                names.insert(texture.name.clone());
                let (is_masked, has_more) = (flags & MASKED != 0, flags & !MASKED != 0);
                let name = texture.name.clone();
                materials.push(Material { name, texture: Some(image), is_masked, has_more, ..Material::default() });
            }
            textures.push(texture);
        }
        let slots = header.skin_slots as usize;
        let table = header.skins.cursor(file, "skins", 2 * slots).map(|table| table.rest()).unwrap_or_default();
        let mut numbers = file.reserve("skins", header.skins.offset as usize, table.len() as u64 / 2)?;
        numbers.extend(table.chunks_exact(u16::SIZE).map(u16::parse::<false>));
        Ok(Self { textures, materials, slots, table: numbers })
    }

    /// Returns the number of skins.
    pub fn skins(&self) -> usize {
        self.table.len().checked_div(self.slots).unwrap_or(0)
    }

    /// Returns the texture of a slot in a skin, or the texture with the number of the slot if the skin has none.
    pub fn get(&self, skin: usize, slot: i32) -> Option<&Record> {
        let slot = usize::try_from(slot).ok()?;
        let listed = (slot < self.slots).then(|| self.table.get(skin * self.slots + slot)).flatten();
        self.textures.get(listed.map_or(slot, |&number| usize::from(number)))
    }
}

/// Returns the image of a texture, whose record continues with its position; `None` if the file does not have it.
fn image(file: &mut File, texture: &Record, mut record: Cursor) -> Result<Option<Texture>, ModelError> {
    let at = record.offset();
    let position = record.get()?;
    if position == 0 {
        return Ok(None);
    }
    let Some(picture) = picture(file, texture, position) else {
        file.warn("textures", at, Fixup::Dropped("an image of an impossible size or outside the file"));
        return Ok(None);
    };
    // The bytes are copied once more when they get their final place.
    file.charge("textures", at, picture.memory().saturating_mul(2))?;
    Ok(Some(Texture::Embedded { mime: "image/png".into(), bytes: picture.png().into() }))
}

/// Returns the picture at a position of the file: one byte per pixel, then the palette.
fn picture<'a>(file: &File<'a>, texture: &Record, position: u32) -> Option<Picture<'a>> {
    let side = |pixels: i32| (1..=LARGEST).contains(&pixels).then_some(pixels as u32);
    let (width, height) = (side(texture.width)?, side(texture.height)?);
    let bytes = file.table("textures", position, width * height + PALETTE as u32, 1).ok()?.rest();
    let (pixels, palette) = bytes.split_last_chunk::<PALETTE>()?;
    let mut palette = *palette;
    let clear = (texture.flags & MASKED != 0).then_some(u8::MAX);
    if let Some(shown) = clear.and_then(|clear| mean(pixels, &palette, clear)) {
        // Filters mix the clear colour, which is a glaring one, into the pixels beside it.
        palette[PALETTE - 3..].copy_from_slice(&shown);
    }
    Some(Picture { width, pixels, palette, clear })
}

/// Returns the mean colour of the pixels that are not clear; `None` if all are.
fn mean(pixels: &[u8], palette: &[u8; PALETTE], clear: u8) -> Option<[u8; 3]> {
    let mut uses = [0_u64; 256];
    pixels.iter().for_each(|&pixel| uses[usize::from(pixel)] += 1);
    uses[usize::from(clear)] = 0;
    let count: u64 = uses.iter().sum();
    let part = |part: usize| {
        let sum: u64 =
            palette.iter().skip(part).step_by(3).zip(uses).map(|(&light, uses)| u64::from(light) * uses).sum();
        sum.checked_div(count).map(|mean| mean as u8)
    };
    Some([part(0)?, part(1)?, part(2)?])
}
