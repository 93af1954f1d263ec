//! Bones as nodes, and the skin with them as joints.

use glam::{DAffine3, DQuat, DVec3};
use serde_json::{Value, json};

use super::{Writer, named, number};
use crate::layout::gltf::{direction_to_gltf, matrix_to_gltf, matrix_to_quake, point_to_gltf};
use crate::math::convert::decompose;
use crate::math::{Mat3x4, Vec3};
use crate::write::WriteError;

/// Translation, rotation and scale of a bone in glTF space.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Place {
    pub translation: [f32; 3],
    pub rotation: [f32; 4],
    pub scale: [f32; 3],
}

impl Place {
    /// Decomposes the parent-relative matrix of a bone.
    pub fn of(matrix: &Mat3x4) -> Self {
        let (translation, rotation, scale) = decompose(matrix);
        let turned = direction_to_gltf(Vec3::new(rotation.x as f32, rotation.y as f32, rotation.z as f32));
        let rotation = DQuat::from_xyzw(turned.x.into(), turned.y.into(), turned.z.into(), rotation.w).normalize();
        Self {
            translation: point_to_gltf(translation.into()).to_array(),
            rotation: rotation.as_quat().to_array(),
            scale: direction_to_gltf(scale.into()).to_array(),
        }
    }

    /// Returns the matrix that a reader makes of the written numbers.
    fn as_read(&self) -> DAffine3 {
        let read = |value: f32| number(value).as_f64().unwrap_or(value.into());
        let rotation = DQuat::from_array(self.rotation.map(read)).normalize();
        let [translation, scale] = [self.translation, self.scale].map(|values| DVec3::from(values.map(read)));
        DAffine3::from_scale_rotation_translation(scale, rotation, translation)
    }

    /// Negates the quaternion if that brings it nearer to the quaternion of `other`.
    pub fn near(mut self, other: &Self) -> Self {
        let dot: f32 = self.rotation.iter().zip(other.rotation).map(|(a, b)| a * b).sum();
        if dot < 0.0 {
            self.rotation = self.rotation.map(|part| -part);
        }
        self
    }
}

impl Writer<'_> {
    /// Returns the rest transforms of the bones.
    pub fn rest(&self) -> Vec<Place> {
        let skeleton = &self.model.skeleton;
        let first = self.model.frame(0).filter(|_| !skeleton.has_bind());
        first.unwrap_or(skeleton.bind_local()).iter().map(Place::of).collect()
    }

    /// Refuses bones that are farther away than a reader can represent, or larger.
    fn check_reach(&self, rest: &[Place]) -> Result<(), WriteError> {
        let skeleton = &self.model.skeleton;
        let mut wholes: Vec<DAffine3> = Vec::with_capacity(rest.len());
        for (bone, place) in rest.iter().enumerate() {
            let local = place.as_read();
            let whole = skeleton.parent(bone).map_or(local, |parent| wholes[parent] * local);
            if ![local, whole].iter().all(|matrix| matrix_to_quake(matrix).is_finite()) {
                return Err(WriteError::OutOfReach { bone: skeleton.names()[bone].clone() });
            }
            wholes.push(whole);
        }
        Ok(())
    }

    /// Returns the nodes of the bones, and the skin if it is needed: without a skinned mesh, animations determine which
    /// nodes are bones.
    ///
    /// # Errors
    /// [`WriteError::OutOfReach`].
    pub fn skeleton(&mut self) -> Result<Vec<Value>, WriteError> {
        let skeleton = &self.model.skeleton;
        let rest = self.rest();
        self.check_reach(&rest)?;
        let mut children = vec![Vec::new(); skeleton.len()];
        let mut roots = Vec::new();
        for bone in 0..skeleton.len() {
            skeleton.parent(bone).map_or(&mut roots, |parent| &mut children[parent]).push(bone);
        }
        for ((name, place), children) in skeleton.names().iter().zip(rest).zip(children) {
            let mut node = named(json!({}), name);
            if !children.is_empty() {
                node["children"] = json!(children);
            }
            if place.translation != [0.0; 3] {
                node["translation"] = place.translation.map(number).to_vec().into();
            }
            if place.rotation != [0.0, 0.0, 0.0, 1.0] {
                node["rotation"] = place.rotation.map(number).to_vec().into();
            }
            if place.scale != [1.0; 3] {
                node["scale"] = place.scale.map(number).to_vec().into();
            }
            self.node(node);
        }
        // The joints of a skin need a common root node.
        if roots.len() > 1 {
            roots = vec![self.node(json!({ "children": roots }))];
        }
        self.scene.extend(roots);

        let skinned =
            self.model.meshes.iter().any(|mesh| super::mesh_nodes::is_written(mesh) && !mesh.influences.is_empty());
        if skeleton.is_empty() || !(skinned || self.model.animations.is_empty()) {
            return Ok(Vec::new());
        }
        let inverse_bind: Vec<[f32; 16]> = skeleton.inverse_bind().iter().map(columns).collect();
        let inverse_bind = self.binary.floats(&inverse_bind, None);
        let joints: Vec<usize> = (0..skeleton.len()).collect();
        Ok(vec![json!({ "joints": joints, "inverseBindMatrices": inverse_bind })])
    }
}

/// Returns a matrix in the order of glTF.
fn columns(matrix: &Mat3x4) -> [f32; 16] {
    let matrix = matrix_to_gltf(matrix).as_affine3a();
    glam::Mat4::from(matrix).to_cols_array()
}
