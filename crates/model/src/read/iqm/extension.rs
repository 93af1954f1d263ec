//! FTE's extensions: surfaces, events and skins.

use super::super::cursor::{Cursor, finite_or_zero};
use super::Iqm;
use crate::model::{Animation, Event, Fixup, Mesh, ModelError, Skin, SkinMaterial, SurfaceInfo};

/// Data of the known extensions that the file has.
pub(super) struct Extensions<'a> {
    mesh: Option<Cursor<'a>>,
    event: Option<Cursor<'a>>,
    skins: Option<Cursor<'a>>,
}

impl<'a> Iqm<'a> {
    /// Walks the list of extensions; of two with the same name the first counts.
    pub fn extensions(&mut self) -> Result<Extensions<'a>, ModelError> {
        const SIZE: usize = 16;
        let mut found = Extensions { mesh: None, event: None, skins: None };
        let mut offset = self.header.extensions.offset;
        // Reading a circular list stops after the maximum number of entries of a file of this size.
        let mut left = self.file.len() / SIZE;
        for _ in 0..self.header.extensions.count {
            if offset == 0 {
                break;
            }
            if left == 0 {
                self.file.warn("extensions", offset as usize, Fixup::Dropped("a circular list"));
                break;
            }
            left -= 1;
            let Ok(mut entry) = self.file.table("extensions", offset, 1, SIZE) else {
                self.file.warn("extensions", offset as usize, Fixup::Dropped("an extension past the end"));
                break;
            };
            let at = entry.offset();
            let [name, size, data, next] = entry.get::<[u32; 4]>()?;
            offset = next;
            let slot = if self.text.is(name, b"FTE_MESH") {
                &mut found.mesh
            } else if self.text.is(name, b"FTE_EVENT") {
                &mut found.event
            } else if self.text.is(name, b"FTE_SKINS") {
                &mut found.skins
            } else {
                continue;
            };
            if slot.is_some() {
                continue;
            }
            match self.file.table("extensions", data, size, 1) {
                Ok(data) => *slot = Some(data),
                Err(_) => self.file.warn("extensions", at, Fixup::Dropped("an extension whose data is past the end")),
            }
        }
        Ok(found)
    }

    /// Reads `FTE_MESH`: surface flags for traces, and the distances at which each mesh is drawn.
    pub fn surfaces(&mut self, extensions: &Extensions<'a>, meshes: &mut [Mesh]) -> Result<(), ModelError> {
        const SIZE: usize = 28;
        let Some(data) = extensions.mesh else { return Ok(()) };
        if data.rest().len() != SIZE * meshes.len() {
            self.file.warn("FTE_MESH", data.offset(), Fixup::Dropped("mesh information of the wrong size"));
            return Ok(());
        }
        for (mesh, mut record) in meshes.iter_mut().zip(data.records(SIZE)) {
            let at = record.offset();
            let [contents, flags, body, geomset, geomid] = record.get()?;
            let mut distances = record.get::<[f32; 2]>()?;
            let mut bad = 0;
            finite_or_zero(&mut distances, &mut bad);
            self.file.warn_not_finite("FTE_MESH", at, bad);
            let [min_distance, max_distance] = distances;
            mesh.surface = SurfaceInfo { contents, flags, body, geomset, geomid, min_distance, max_distance };
        }
        Ok(())
    }

    /// Reads `FTE_EVENT`: events, sorted by time.
    pub fn events(&mut self, extensions: &Extensions<'a>, animations: &mut [Animation]) -> Result<(), ModelError> {
        const SIZE: usize = 16;
        let Some(data) = extensions.event else { return Ok(()) };
        self.file.reserve::<Event>("FTE_EVENT", data.offset(), (data.rest().len() / SIZE) as u64)?;
        for mut record in data.records(SIZE) {
            let at = record.offset();
            let animation = record.get::<u32>()?;
            let time = record.get::<f32>()?;
            let code = record.get()?;
            let Some(animation) = animations.get_mut(animation as usize).filter(|_| time.is_finite()) else {
                self.file.warn("FTE_EVENT", at, Fixup::Dropped("an event without an animation or a time"));
                continue;
            };
            let data = self.name("FTE_EVENT", &mut record)?;
            animation.events.push(Event { time, code, data });
        }
        for animation in animations {
            animation.events.sort_by(|a, b| a.time.total_cmp(&b.time));
        }
        Ok(())
    }

    /// Reads `FTE_SKINS`: materials by skin number. An inconsistent table is dropped as a whole, because skins are
    /// counted.
    pub fn skins(&mut self, extensions: &Extensions<'a>) -> Result<Vec<Skin>, ModelError> {
        let Some(data) = extensions.skins else { return Ok(Vec::new()) };
        let skins = self.parse_skins(data)?;
        if skins.is_none() {
            self.file.warn("FTE_SKINS", data.offset(), Fixup::Dropped("an inconsistent skin table"));
        }
        Ok(skins.unwrap_or_default())
    }

    fn parse_skins(&mut self, mut data: Cursor<'a>) -> Result<Option<Vec<Skin>>, ModelError> {
        let at = data.offset();
        let size = data.rest().len() as u64;
        let Ok([frame_count, skin_count]) = data.get::<[u32; 2]>() else { return Ok(None) };
        let mesh_count = self.header.meshes.count;
        let needed = 8 + 4 * u64::from(mesh_count) + 8 * u64::from(frame_count) + 12 * u64::from(skin_count);
        if needed > size {
            return Ok(None);
        }
        let mut counts = data;
        let mut frames = data;
        frames.take(4 * mesh_count as usize)?;
        let mut records = frames;
        records.take(8 * frame_count as usize)?;

        let mut skins = self.file.reserve("FTE_SKINS", at, skin_count.into())?;
        for mesh in 0..mesh_count as usize {
            for _ in 0..counts.get::<u32>()? {
                let Ok([first, count]) = records.get::<[u32; 2]>() else { return Ok(None) };
                let Ok(interval) = records.get::<f32>() else { return Ok(None) };
                let inside = u64::from(first) + u64::from(count) <= u64::from(frame_count);
                if skins.len() == skin_count as usize || count == 0 || !inside || !interval.is_finite() {
                    return Ok(None);
                }
                let mut frames = frames;
                frames.take(8 * first as usize)?;
                let mut materials = self.file.reserve("FTE_SKINS", at, count.into())?;
                for _ in 0..count {
                    let material = self.name("FTE_SKINS", &mut frames)?;
                    let shader = self.name("FTE_SKINS", &mut frames)?;
                    materials.push(SkinMaterial { material, shader });
                }
                skins.push(Skin { mesh, interval, materials });
            }
        }
        Ok(Some(skins))
    }
}
