//! Tree of nodes: parents, membership in the scene, placement.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::Gltf;
use super::schema::{Node, Property};
use crate::layout::gltf::matrix_to_quake;
use crate::model::{ModelError, ModelProblem, Name};

/// Translation, rotation and scale.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub translation: DVec3,
    pub rotation: DQuat,
    pub scale: DVec3,
}

impl Place {
    pub fn matrix(&self) -> DAffine3 {
        DAffine3::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    /// Decomposes a matrix; shear is lost.
    fn of(matrix: &DAffine3) -> Self {
        let axes = [matrix.matrix3.x_axis, matrix.matrix3.y_axis, matrix.matrix3.z_axis];
        let mut scale = DVec3::from_array(axes.map(DVec3::length));
        let [x, y, z] = axes.map(DVec3::normalize_or_zero);
        if x.dot(y.cross(z)) < 0.0 {
            scale.x = -scale.x;
        }
        let x = x * scale.x.signum();
        let rotation = DQuat::from_mat3(&DMat3::from_cols(x, y, z));
        Self { translation: matrix.translation, rotation: unit(rotation), scale }
    }
}

/// Normalises a quaternion; one without a direction becomes the identity.
pub(super) fn unit(rotation: DQuat) -> DQuat {
    let length = rotation.length();
    if length > 0.0 && length.is_finite() { rotation / length } else { DQuat::IDENTITY }
}

/// Relations and placement of the nodes of a document.
pub(super) struct Nodes {
    /// Parent of each node.
    pub parents: Vec<Option<usize>>,
    /// Nodes in the order of the document, except that parents precede their children, as in FTE.
    pub order: Vec<usize>,
    /// `true` for each node that is in the scene, is a joint, or is above a joint.
    pub included: Vec<bool>,
    pub is_joint: Vec<bool>,
    /// `true` for each node that an animation moves.
    pub animated: Vec<bool>,
    /// Rest transform of each node relative to its parent.
    pub places: Vec<Place>,
    /// Rest matrix of each node relative to its parent, as stored.
    pub locals: Vec<DAffine3>,
    /// Rest transform of each node in the scene.
    pub wholes: Vec<DAffine3>,
}

impl Nodes {
    pub fn new(gltf: &mut Gltf) -> Result<Self, ModelError> {
        let count = gltf.root.nodes.len();
        let parents = parents(gltf)?;
        let order = order(gltf, &parents)?;
        let mut is_joint = vec![false; count];
        for (index, skin) in gltf.root.skins.iter().enumerate() {
            for &joint in &skin.joints {
                let Some(is_joint) = is_joint.get_mut(joint) else {
                    return Err(gltf.outside("skins", index, "joint", joint, count));
                };
                *is_joint = true;
            }
        }
        let mut animated = vec![false; count];
        for (index, animation) in gltf.root.animations.iter().enumerate() {
            for target in animation.channels.iter().map(|channel| &channel.target) {
                // A channel without a node moves something other than a node.
                let Some(node) = target.node else { continue };
                let Some(animated) = animated.get_mut(node) else {
                    return Err(gltf.outside("animations", index, "node", node, count));
                };
                *animated |= Property::of(&target.path).is_some_and(|property| property != Property::Weights);
            }
        }
        let included = included(gltf, &parents, &order, &is_joint)?;
        let mut places = gltf.reserve("nodes", 0, count as u64)?;
        let mut locals = gltf.reserve("nodes", 0, count as u64)?;
        for (place, local) in gltf.root.nodes.iter().map(place) {
            places.push(place);
            locals.push(local);
        }
        let mut wholes: Vec<DAffine3> = gltf.reserve("nodes", 0, count as u64)?;
        wholes.resize(count, DAffine3::IDENTITY);
        for &node in &order {
            wholes[node] = parents[node].map_or(locals[node], |parent| wholes[parent] * locals[node]);
            let fits = |matrix| matrix_to_quake(matrix).is_finite();
            if !fits(&locals[node]) || (included[node] && !fits(&wholes[node])) {
                let name = Name::from(gltf.root.nodes[node].name());
                return Err(gltf.error("nodes", node, ModelProblem::OutOfReach { what: "node", name }));
            }
        }
        debug_assert_eq!(order.len(), count, "every node stands in the order");
        Ok(Self { parents, order, included, is_joint, animated, places, locals, wholes })
    }
}

fn parents(gltf: &Gltf) -> Result<Vec<Option<usize>>, ModelError> {
    let nodes = &gltf.root.nodes;
    let mut parents = vec![None; nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        for &child in &node.children {
            match parents.get_mut(child) {
                None => return Err(gltf.outside("nodes", index, "child", child, nodes.len())),
                Some(parent @ None) => *parent = Some(index),
                Some(&mut Some(parent)) => {
                    let (found, expected) = (index as i64, parent as i64);
                    let problem = ModelProblem::Mismatch { field: "parent", found, expected };
                    return Err(gltf.error("nodes", child, problem));
                }
            }
        }
    }
    Ok(parents)
}

fn order(gltf: &Gltf, parents: &[Option<usize>]) -> Result<Vec<usize>, ModelError> {
    let mut order = Vec::with_capacity(parents.len());
    let mut placed = vec![false; parents.len()];
    let mut above = Vec::new();
    for index in 0..parents.len() {
        let mut next = Some(index).filter(|&index| !placed[index]);
        while let Some(node) = next {
            if above.len() > parents.len() {
                return Err(gltf.error("nodes", index, ModelProblem::Missing { what: "root above this node" }));
            }
            above.push(node);
            next = parents[node].filter(|&parent| !placed[parent]);
        }
        while let Some(node) = above.pop() {
            placed[node] = true;
            order.push(node);
        }
    }
    Ok(order)
}

/// Returns which nodes are used: those of the scene, and joints with all nodes above them; without scenes, all nodes.
fn included(
    gltf: &Gltf,
    parents: &[Option<usize>],
    order: &[usize],
    is_joint: &[bool],
) -> Result<Vec<bool>, ModelError> {
    let scenes = &gltf.root.scenes;
    let number = gltf.root.scene.unwrap_or(0);
    let mut included = vec![scenes.is_empty(); parents.len()];
    match scenes.get(number) {
        None if scenes.is_empty() => return Ok(included),
        None => return Err(gltf.outside("scenes", 0, "scene", number, scenes.len())),
        Some(scene) => {
            for &node in &scene.nodes {
                match included.get_mut(node) {
                    Some(included) => *included = true,
                    None => return Err(gltf.outside("scenes", number, "node", node, parents.len())),
                }
            }
        }
    }
    for &node in order {
        included[node] |= parents[node].is_some_and(|parent| included[parent]);
    }
    for &node in order.iter().rev() {
        included[node] |= is_joint[node];
        if let Some(parent) = parents[node]
            && included[node]
        {
            included[parent] = true;
        }
    }
    Ok(included)
}

/// Returns the rest transform of a node relative to its parent.
fn place(node: &Node) -> (Place, DAffine3) {
    if let Some(matrix) = &node.matrix {
        let [x, y, z, origin] = columns(matrix);
        let matrix = DAffine3::from_cols(x, y, z, origin);
        return (Place::of(&matrix), matrix);
    }
    let vector = |values: Option<[f32; 3]>, otherwise: DVec3| {
        values.map_or(otherwise, |values| DVec3::from_array(values.map(f64::from)))
    };
    let rotation = node.rotation.map_or(DQuat::IDENTITY, |rotation| DQuat::from_array(rotation.map(f64::from)));
    let (translation, scale) = (vector(node.translation, DVec3::ZERO), vector(node.scale, DVec3::ONE));
    let place = Place { translation, rotation: unit(rotation), scale };
    (place, place.matrix())
}

/// Returns the columns of a stored matrix without their fourth rows.
pub(super) fn columns(matrix: &[f32; 16]) -> [DVec3; 4] {
    let number = |i: usize| f64::from(matrix[i]);
    std::array::from_fn(|i| DVec3::new(number(4 * i), number(4 * i + 1), number(4 * i + 2)))
}
