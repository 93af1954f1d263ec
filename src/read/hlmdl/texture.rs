//! Textures and skins, of the model or of its texture file.

use super::super::cursor::{File, Scalar};
use super::header::Header;
use crate::model::{HalfLifeTexture, ModelError, Name};

/// Textures, and the texture of each slot in each skin.
#[derive(Default)]
pub(super) struct Textures {
    pub textures: Vec<HalfLifeTexture>,
    /// Number of slots of a skin.
    slots: usize,
    /// Texture numbers, skin by skin; shorter than the header states if the file is.
    table: Vec<u16>,
}

impl Textures {
    pub fn read(header: &Header, file: &mut File) -> Result<Self, ModelError> {
        const SIZE: usize = 80;
        let table = header.textures.cursor(file, "textures", SIZE)?;
        let mut textures = file.reserve("textures", table.offset(), header.textures.count.into())?;
        for mut record in table.records(SIZE) {
            let at = record.offset();
            let name = Name::new(record.take(64)?);
            let name = file.name("textures", at, name.as_bytes())?;
            let [flags, width, height] = record.get()?;
            textures.push(HalfLifeTexture { name, flags, width, height });
        }
        let slots = header.skin_slots as usize;
        let table = header.skins.cursor(file, "skins", 2 * slots).map(|table| table.rest()).unwrap_or_default();
        let mut numbers = file.reserve("skins", header.skins.offset as usize, table.len() as u64 / 2)?;
        numbers.extend(table.chunks_exact(u16::SIZE).map(u16::parse::<false>));
        Ok(Self { textures, slots, table: numbers })
    }

    /// Returns the number of skins.
    pub fn skins(&self) -> usize {
        self.table.len().checked_div(self.slots).unwrap_or(0)
    }

    /// Returns the texture of a slot in a skin, or the texture with the number of the slot if the skin has none.
    pub fn get(&self, skin: usize, slot: i32) -> Option<&HalfLifeTexture> {
        let slot = usize::try_from(slot).ok()?;
        let listed = (slot < self.slots).then(|| self.table.get(skin * self.slots + slot)).flatten();
        self.textures.get(listed.map_or(slot, |&number| usize::from(number)))
    }
}
