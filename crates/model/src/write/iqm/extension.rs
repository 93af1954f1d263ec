//! FTE's extensions: surfaces, events and skins, each only if it has contents.

use super::{FramePlan, Header, Table, Writer};
use crate::model::{Skin, SurfaceInfo};

impl<'m> Writer<'m> {
    pub fn extensions(&mut self, header: &mut Header, plan: &FramePlan<'m>) {
        let mut found: Vec<(&'static [u8], Table)> = Vec::new();
        found.extend(self.surfaces().map(|data| (&b"FTE_MESH"[..], data)));
        found.extend(self.events(plan).map(|data| (&b"FTE_EVENT"[..], data)));
        found.extend(self.skins().map(|data| (&b"FTE_SKINS"[..], data)));

        const SIZE: u32 = 16;
        let offset = self.align();
        header.extensions = Table { count: found.len() as u32, offset };
        for (index, (name, data)) in (1..).zip(found) {
            let name = self.text.bytes(name);
            let next = if index == header.extensions.count { 0 } else { offset + index * SIZE };
            self.u32s(&[name, data.count, data.offset, next]);
        }
    }

    /// Returns the table of the bytes from `offset` to the end.
    fn since(&self, offset: u32) -> Option<Table> {
        Some(Table { count: self.out.len() as u32 - offset, offset })
    }

    fn surfaces(&mut self) -> Option<Table> {
        let meshes = &self.model.meshes;
        if meshes.iter().all(|mesh| mesh.surface == SurfaceInfo::default()) {
            return None;
        }
        let offset = self.align();
        for s in meshes.iter().map(|mesh| mesh.surface) {
            self.u32s(&[s.contents, s.flags, s.body, s.geomset, s.geomid]);
            self.f32s(&[s.min_distance, s.max_distance]);
        }
        self.since(offset)
    }

    /// Writes the events of the written animations.
    fn events(&mut self, plan: &FramePlan<'m>) -> Option<Table> {
        let written = || self.model.animations.iter().take(plan.runs.len());
        if written().all(|animation| animation.events.is_empty()) {
            return None;
        }
        let events = (0..).zip(written()).flat_map(|(index, a)| a.events.iter().map(move |event| (index, event)));
        let offset = self.align();
        for (animation, event) in events {
            let text = self.text.offset(&event.data);
            self.u32s(&[animation]);
            self.f32s(&[event.time]);
            self.u32s(&[event.code, text]);
        }
        self.since(offset)
    }

    /// Writes the skins of each mesh.
    fn skins(&mut self) -> Option<Table> {
        let model = self.model;
        if model.skins.is_empty() {
            return None;
        }
        let mut skins: Vec<&Skin> = model.skins.iter().collect();
        skins.sort_by_key(|skin| skin.mesh);
        let frames: usize = skins.iter().map(|skin| skin.materials.len()).sum();
        let offset = self.align();
        self.u32s(&[frames as u32, skins.len() as u32]);
        for mesh in 0..model.meshes.len() {
            self.u32s(&[skins.iter().filter(|skin| skin.mesh == mesh).count() as u32]);
        }
        for material in skins.iter().flat_map(|skin| &skin.materials) {
            let names = [self.text.offset(&material.material), self.text.offset(&material.shader)];
            self.u32s(&names);
        }
        let mut first = 0;
        for skin in skins {
            let count = skin.materials.len() as u32;
            self.u32s(&[first, count]);
            self.f32s(&[skin.interval]);
            first += count;
        }
        self.since(offset)
    }
}
