//! Meshes: one for each primitive of each node that shows a mesh.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

use super::super::normals::normals;
use super::Gltf;
use super::document::unsupported;
use super::hierarchy::Hook;
use super::nodes::Nodes;
use super::rig::Rig;
use super::schema::Primitive;
use super::triangles::has_triangles;
use super::vertices::Vertices;
use crate::layout::gltf::color_to_srgb;
use crate::model::{Fixup, Influences, Material, Mesh, ModelError, Name};
use glam::DAffine3;

/// Mesh and its origin.
pub(super) struct Drawn {
    pub mesh: Mesh,
    /// Node that shows the mesh.
    pub node: usize,
    /// Strength of each morph that is baked into the vertices; 0 past the end of the list.
    pub weights: Vec<f32>,
}

impl<'a> Gltf<'a> {
    /// Returns all meshes of the scene.
    pub fn meshes(&mut self, nodes: &Nodes, rig: &Rig, materials: &[Material]) -> Result<Vec<Drawn>, ModelError> {
        let root = self.root;
        let mut uses: HashMap<usize, usize> = HashMap::new();
        for primitive in root.meshes.iter().flat_map(|mesh| &mesh.primitives) {
            if let Some(positions) = positions(primitive) {
                *uses.entry(positions).or_default() += 1;
            }
        }
        // Many nodes may show a mesh of many primitives.
        let shown = root.nodes.iter().zip(&nodes.included).filter(|(_, included)| **included);
        let shown = shown.filter_map(|(node, _)| root.meshes.get(node.mesh?)).map(|mesh| mesh.primitives.len() as u64);
        let mut drawn = self.reserve("nodes", 0, shown.fold(0, u64::saturating_add))?;
        let mut left_out = BTreeSet::new();
        let mut target_names: HashMap<usize, Vec<Name>> = HashMap::new();
        let mut numbers = Vec::new();
        for (index, node) in root.nodes.iter().enumerate() {
            let Some(number) = node.mesh.filter(|_| nodes.included[index]) else { continue };
            let Some(mesh) = root.meshes.get(number) else {
                return Err(self.outside("nodes", index, "mesh", number, root.meshes.len()));
            };
            // Many nodes may show the mesh, so its names are read once.
            let target_names: &[Name] = match target_names.entry(number) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(self.target_names(number)?),
            };
            for primitive in &mesh.primitives {
                let positions = match positions(primitive) {
                    _ if !has_triangles(primitive) => Err("primitives that have no triangles"),
                    None => Err("primitives without positions"),
                    Some(positions) => Ok(positions),
                };
                match positions {
                    // One warning per mesh, not per primitive and node.
                    Err(what) if left_out.insert((number, what)) => self.warn("meshes", number, Fixup::Dropped(what)),
                    Err(_) => {}
                    Ok(positions) => {
                        let shared = uses.get(&positions).is_some_and(|&uses| uses > 1);
                        let surface = Surface { node: index, mesh: number, primitive, positions, shared, target_names };
                        drawn.push(self.surface(&surface, nodes, rig, materials, &mut numbers)?);
                    }
                }
            }
        }
        Ok(drawn)
    }

    /// Reads one primitive. `numbers` is the list that [`used`](Self::used) needs, reused from call to call.
    fn surface(
        &mut self,
        surface: &Surface,
        nodes: &Nodes,
        rig: &Rig,
        materials: &[Material],
        numbers: &mut Vec<u32>,
    ) -> Result<Drawn, ModelError> {
        let &Surface { node, mesh: number, primitive, .. } = surface;
        let root = self.root;
        let (json_node, json_mesh) = (&root.nodes[node], &root.meshes[number]);
        let in_file = root.accessors.get(surface.positions).is_none_or(|json| json.buffer_view.is_some());
        if let Some(compression) = primitive.extensions.keys().find(|name| name.contains("compression") && !in_file) {
            return Err(self.error("meshes", number, unsupported(compression)));
        }
        let stored = self.accessor(surface.positions, &[3])?;
        let mut triangles = self.triangles(number, primitive, stored.count)?;
        let used = if surface.shared { Some(self.used(number, &mut triangles, stored.count, numbers)?) } else { None };

        let (bone, fixed) = standing(node, nodes, rig);
        let mut vertices = Vertices { mesh: number, stored: stored.count, used, fixed, skin: None };
        let bindings = match json_node.skin {
            None => &[][..],
            Some(skin) => match rig.skins.get(skin) {
                Some(bindings) => bindings,
                None => return Err(self.outside("nodes", node, "skin", skin, rig.skins.len())),
            },
        };
        let count = vertices.count();
        let influences: Vec<Influences> = if bindings.is_empty() {
            let mut all = self.reserve("meshes", number, count as u64)?;
            let one = bone.map(|bone| Influences { bones: [bone, 0, 0, 0], weights: [1.0, 0.0, 0.0, 0.0] });
            all.extend(one.iter().flat_map(|&one| std::iter::repeat_n(one, count)));
            all
        } else {
            let by_joint = self.by_joint(primitive, &vertices, bindings.len())?;
            vertices.skin = Some((bindings, by_joint));
            let mut all = self.reserve("meshes", number, count as u64)?;
            all.extend(vertices.influences());
            all
        };
        // Mirroring swaps the front and the back of a mesh.
        if vertices.skin.is_none() && fixed.matrix3.determinant() < 0.0 {
            triangles.iter_mut().for_each(|[_, b, c]| std::mem::swap(b, c));
        }

        let mut positions = self.positions(&vertices, &stored)?;
        let mut normals = match self.attribute(primitive, &vertices, "NORMAL", &[3])? {
            Some(stored) => self.normals(&vertices, &stored)?,
            None => normals(&mut self.file, "meshes", 0, &positions, triangles.iter().copied())?,
        };
        let tangents = match self.attribute(primitive, &vertices, "TANGENT", &[4])? {
            Some(stored) => self.tangents(&vertices, &stored)?,
            None => Vec::new(),
        };
        let texcoords = self.attribute(primitive, &vertices, "TEXCOORD_0", &[2])?;
        let texcoords = self.plain(&vertices, texcoords, [0.0; 2])?;
        let colors = self.attribute(primitive, &vertices, "COLOR_0", &[4, 3])?;
        let mut colors = self.plain(&vertices, colors, [1.0; 4])?;
        colors.iter_mut().for_each(|color| *color = color_to_srgb(*color));

        let morphs = self.morphs(primitive, &vertices, surface.target_names)?;
        let stated = json_node.weights.as_ref().or(json_mesh.weights.as_ref());
        let stated = stated.map_or(&[][..], |stated| stated.get(..morphs.len()).unwrap_or(stated));
        let mut weights: Vec<f32> = self.reserve("meshes", number, stated.len() as u64)?;
        weights.extend(stated.iter().map(|&weight| if weight.is_finite() { weight } else { 0.0 }));
        for (morph, &weight) in morphs.iter().zip(&weights).filter(|(_, weight)| **weight != 0.0) {
            morph.apply(weight, &mut positions, &mut normals);
        }
        if weights.iter().any(|&weight| weight != 0.0) {
            self.repair(number, positions.as_flattened_mut());
            self.repair(number, normals.as_flattened_mut());
        }

        let name = json_mesh.name.as_deref().or(json_node.name.as_deref()).unwrap_or_default();
        let material = match primitive.material {
            None => Name::default(),
            Some(material) => match materials.get(material) {
                Some(material) => material.name.clone(),
                None => return Err(self.outside("meshes", number, "material", material, materials.len())),
            },
        };
        self.file.charge("meshes", 0, (name.len() + material.as_bytes().len()) as u64)?;
        let mesh = Mesh {
            name: Name::from(name),
            material,
            positions,
            normals,
            tangents,
            texcoords,
            colors,
            influences,
            morphs,
            triangles,
            ..Mesh::default()
        };
        Ok(Drawn { mesh, node, weights })
    }

    /// Returns the vertices that triangles use, and the triangles with vertex numbers among them. The cost depends on
    /// the triangles, not on the vertices, because many primitives may share one large array. `numbers` holds zeros
    /// before and after the call.
    fn used(
        &mut self,
        mesh: usize,
        triangles: &mut [[u32; 3]],
        stored: usize,
        numbers: &mut Vec<u32>,
    ) -> Result<Vec<u32>, ModelError> {
        if let Some(more) = stored.checked_sub(numbers.len()) {
            self.charge("meshes", mesh, more as u64 * size_of::<u32>() as u64)?;
            numbers.resize(stored, 0);
        }
        let mut used = self.reserve("meshes", mesh, stored.min(triangles.len() * 3) as u64)?;
        for &corner in triangles.iter().flatten() {
            if std::mem::replace(&mut numbers[corner as usize], 1) == 0 {
                used.push(corner);
            }
        }
        used.sort_unstable();
        for (number, &vertex) in (0..).zip(&used) {
            numbers[vertex as usize] = number;
        }
        for corner in triangles.iter_mut().flatten() {
            *corner = numbers[*corner as usize];
        }
        for &vertex in &used {
            numbers[vertex as usize] = 0;
        }
        Ok(used)
    }
}

/// Primitive as a node shows it.
struct Surface<'a> {
    node: usize,
    mesh: usize,
    primitive: &'a Primitive<'a>,
    positions: usize,
    /// `true` if other primitives have their vertices in the same arrays.
    shared: bool,
    /// Names of the morph targets of the mesh; targets past the end have none.
    target_names: &'a [Name],
}

fn positions(primitive: &Primitive) -> Option<usize> {
    primitive.attributes.get("POSITION").copied()
}

/// Returns the bone that moves the mesh of a node, and the transform of the mesh in the bind pose.
fn standing(node: usize, nodes: &Nodes, rig: &Rig) -> (Option<u16>, DAffine3) {
    let Hook { bone: above, between } = rig.hierarchy.hooks[node];
    let of = |bone: u16| rig.bind.get(usize::from(bone)).copied().unwrap_or_default();
    match (rig.hierarchy.bones[node], above) {
        (Some(own), _) => (Some(own), of(own)),
        (None, Some(above)) => (Some(above), of(above) * between * nodes.locals[node]),
        (None, None) => (None, between * nodes.locals[node]),
    }
}
