//! Morph targets: the morphs of a mesh, or its vertex frames.

use serde_json::{Value, json};

use super::binary::Target;
use super::{Writer, text};
use crate::layout::gltf::{direction_to_gltf, point_to_gltf};
use crate::math::Vec3;
use crate::model::{Mesh, Morph};
use crate::write::WriteError;

/// Targets of a mesh.
#[derive(Default)]
pub(super) struct Targets {
    pub targets: Vec<Value>,
    pub names: Vec<String>,
}

impl Writer<'_> {
    /// Returns one target per vertex frame, or else one per morph.
    pub fn targets(&mut self, index: usize, mesh: &Mesh) -> Result<Targets, WriteError> {
        let count = mesh.positions.len();
        let frames = &mesh.frames;
        let wrong = |array, found: usize| {
            let expected = count;
            Err(WriteError::ArrayLength { mesh: index, array, found: found.checked_rem(count).unwrap_or(0), expected })
        };
        if !frames.positions.len().is_multiple_of(count) {
            return wrong("vertices in the last frame", frames.positions.len());
        }
        if frames.normals.len() != frames.positions.len() && !frames.normals.is_empty() {
            return wrong("normals in the frames", frames.normals.len());
        }
        let finite = |values: &[[f32; 3]]| values.as_flattened().iter().all(|value| value.is_finite());
        let mut targets = Targets::default();
        let each = (mesh.positions.len() + mesh.normals.len()) * size_of::<[f32; 3]>();
        let number = if frames.positions.is_empty() { mesh.morphs.len() } else { frames.positions.len() / count };
        self.binary.room(each.saturating_mul(number))?;
        if !frames.positions.is_empty() {
            if !finite(&frames.positions) || !finite(&frames.normals) {
                return Err(WriteError::NotFinite { what: "vertex frames" });
            }
            for frame in 0..number {
                let of = |all: &[[f32; 3]], base: &[[f32; 3]]| {
                    let values = all.get(frame * count..).unwrap_or_default().iter();
                    values.zip(base).map(|(a, b)| std::array::from_fn(|i| a[i] - b[i])).collect::<Vec<[f32; 3]>>()
                };
                let (positions, normals) = (of(&frames.positions, &mesh.positions), of(&frames.normals, &mesh.normals));
                targets.targets.push(self.target(&positions, &normals));
            }
            return Ok(targets);
        }
        for morph in &mesh.morphs {
            if !finite(&morph.positions) || !finite(&morph.normals) {
                return Err(WriteError::NotFinite { what: "morphs" });
            }
            let (mut positions, mut normals) = (vec![[0.0; 3]; count], vec![[0.0; 3]; mesh.normals.len()]);
            morph.apply(1.0, &mut positions, &mut normals);
            targets.targets.push(self.target(&positions, &normals));
        }
        if mesh.morphs.iter().any(|morph: &Morph| !morph.name.is_empty()) {
            targets.names.extend(mesh.morphs.iter().map(|morph| text(&morph.name).into_owned()));
        }
        Ok(targets)
    }

    fn target(&mut self, positions: &[[f32; 3]], normals: &[[f32; 3]]) -> Value {
        let map = |deltas: &[[f32; 3]], to: fn(Vec3) -> Vec3| {
            // The difference of two f32 values may overflow an f32.
            let held = |delta: [f32; 3]| delta.map(|part| part.clamp(f32::MIN, f32::MAX));
            deltas.iter().map(|&delta| to(held(delta).into()).to_array()).collect::<Vec<_>>()
        };
        let vertices = Some(Target::Vertices);
        let mut target = json!({ "POSITION": self.binary.bounded(&map(positions, point_to_gltf), vertices) });
        if !normals.is_empty() {
            target["NORMAL"] = self.binary.floats(&map(normals, direction_to_gltf), vertices).into();
        }
        target
    }
}
