//! Meshes, each with its node.

use serde_json::{Value, json};

use super::binary::Target;
use super::{Writer, named};
use crate::layout::gltf::{color_to_linear, direction_to_gltf, point_to_gltf};
use crate::math::Vec3;
use crate::model::{Influences, Mesh};
use crate::write::WriteError;

/// Returns `true` if a mesh has at least one triangle with distinct vertices.
pub(super) fn is_written(mesh: &Mesh) -> bool {
    mesh.triangles.iter().any(is_whole)
}

fn is_whole([a, b, c]: &[u32; 3]) -> bool {
    a != b && b != c && a != c
}

impl<'m> Writer<'m> {
    pub fn meshes(&mut self, skin: bool) -> Result<Vec<Value>, WriteError> {
        let mut meshes = Vec::new();
        let model = self.model;
        for (index, mesh) in model.meshes.iter().enumerate() {
            if !is_written(mesh) {
                continue;
            }
            let mut primitive = self.primitive(mesh);
            if !mesh.material.is_empty() {
                primitive["material"] = self.material(&mesh.material).into();
            }
            let targets = self.targets(index, mesh)?;
            if !targets.targets.is_empty() {
                primitive["targets"] = targets.targets.into();
            }
            let mut written = named(json!({ "primitives": [primitive] }), &mesh.name);
            if !targets.names.is_empty() {
                written["extras"] = json!({ "targetNames": targets.names });
            }
            let mut node = named(json!({ "mesh": meshes.len() }), &mesh.name);
            if skin && !mesh.influences.is_empty() {
                node["skin"] = 0.into();
            }
            meshes.push(written);
            let node = self.node(node);
            self.mesh_nodes.push(node);
            self.scene.push(node);
        }
        Ok(meshes)
    }

    fn primitive(&mut self, mesh: &Mesh) -> Value {
        let vertices = Some(Target::Vertices);
        let positions: Vec<[f32; 3]> = mesh.positions.iter().map(|&p| point_to_gltf(p.into()).to_array()).collect();
        let mut attributes = json!({ "POSITION": self.binary.bounded(&positions, vertices) });
        if !mesh.normals.is_empty() {
            let normals: Vec<_> = mesh.normals.iter().map(|&normal| unit(normal, Vec3::Y)).collect();
            attributes["NORMAL"] = self.binary.floats(&normals, vertices).into();
        }
        if !mesh.tangents.is_empty() && !mesh.normals.is_empty() {
            let tangent = |&[x, y, z, side]: &[f32; 4]| {
                let [x, y, z] = unit([x, y, z], Vec3::X);
                [x, y, z, if side < 0.0 { -1.0 } else { 1.0 }]
            };
            let tangents: Vec<_> = mesh.tangents.iter().map(tangent).collect();
            attributes["TANGENT"] = self.binary.floats(&tangents, vertices).into();
        }
        if !mesh.texcoords.is_empty() {
            attributes["TEXCOORD_0"] = self.binary.floats(&mesh.texcoords, vertices).into();
        }
        if !mesh.colors.is_empty() {
            let colors: Vec<_> =
                mesh.colors.iter().map(|&color| color_to_linear(color.map(|part| part.clamp(0.0, 1.0)))).collect();
            attributes["COLOR_0"] = self.binary.floats(&colors, vertices).into();
        }
        if !mesh.influences.is_empty() {
            let (joints, weights): (Vec<_>, Vec<_>) = mesh.influences.iter().map(influence).unzip();
            attributes["JOINTS_0"] = self.binary.joints(&joints).into();
            attributes["WEIGHTS_0"] = self.binary.floats(&weights, vertices).into();
        }
        // Front faces are clockwise in Quake and counterclockwise in glTF.
        let triangles: Vec<_> = mesh.triangles.iter().filter(|t| is_whole(t)).map(|&[a, b, c]| [a, c, b]).collect();
        json!({ "attributes": attributes, "indices": self.binary.triangles(&triangles) })
    }
}

/// Returns a direction in glTF space with length 1; `otherwise` for one without length.
fn unit(direction: [f32; 3], otherwise: Vec3) -> [f32; 3] {
    let direction = direction_to_gltf(direction.into()).as_dvec3();
    direction.normalize_or(otherwise.as_dvec3()).as_vec3().to_array()
}

/// Returns distinct joints with positive weights that sum to 1; unused entries are joint 0 with weight 0.
fn influence(influences: &Influences) -> ([u16; 4], [f32; 4]) {
    let (mut joints, mut weights, mut used) = ([0; 4], [0.0_f64; 4], 0);
    for (&bone, &weight) in influences.bones.iter().zip(&influences.weights).filter(|(_, weight)| **weight > 0.0) {
        let place = joints[..used].iter().position(|&joint| joint == bone).unwrap_or(used);
        used = used.max(place + 1);
        joints[place] = bone;
        weights[place] += f64::from(weight);
    }
    let sum: f64 = weights.iter().sum();
    if sum <= 0.0 {
        return ([influences.bones[0], 0, 0, 0], [1.0, 0.0, 0.0, 0.0]);
    }
    let mut weights = weights.map(|weight| (weight / sum) as f32);
    for (joint, _) in joints.iter_mut().zip(&weights).filter(|(_, weight)| **weight == 0.0) {
        *joint = 0;
    }
    // The first weight takes the rounding error.
    weights[0] = 1.0 - (weights[1] + weights[2] + weights[3]);
    (joints, weights)
}
