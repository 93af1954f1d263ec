//! Figure under construction: bones, a skin of lofted rings over them, and animations.
//!
//! Model space is Quake's: X forward, Y left, Z up, Quake units. The Z axis of each bone runs along the limb.

use std::f32::consts::TAU;

use skelobj::Model;
use skelobj::math::{Mat3x4, Quat, Vec3};
use skelobj::model::{Animation, Bone, Influences, Mesh, Skeleton, SkeletonError};

/// Bone in the bind pose, model space.
struct Limb {
    name: String,
    parent: Option<usize>,
    at: Vec3,
    turn: Quat,
}

/// Ring of a loft.
#[derive(Clone, Copy)]
pub struct Ring {
    /// Centre, model space.
    pub at: Vec3,
    /// Half the thickness in the loft's two directions; 0 closes the loft.
    pub half: [f32; 2],
    /// Bone that moves the ring.
    pub bone: usize,
    /// Bone that shares it, and that bone's weight as a byte.
    pub other: (usize, u8),
}

/// Returns a ring that a single bone moves.
pub fn ring(bone: usize, at: Vec3, x: f32, y: f32) -> Ring {
    Ring { at, half: [x, y], bone, other: (0, 0) }
}

/// Returns a ring at a joint, half and half.
pub fn joint(bones: [usize; 2], at: Vec3, x: f32, y: f32) -> Ring {
    Ring { at, half: [x, y], bone: bones[0], other: (bones[1], 127) }
}

/// Figure so far.
#[derive(Default)]
pub struct Figure {
    limbs: Vec<Limb>,
    meshes: Vec<Mesh>,
    animations: Vec<Animation>,
    frames: Vec<Mat3x4>,
}

impl Figure {
    /// Adds a bone at `at` that points to `to`, and returns its number.
    pub fn bone(&mut self, name: &str, parent: Option<usize>, at: Vec3, to: Vec3) -> usize {
        let z = (to - at).normalize();
        let front = if z.x.abs() < 0.9 { Vec3::X } else { Vec3::Z };
        let x = (front - z * front.dot(z)).normalize();
        let turn = Mat3x4::from_columns(x, z.cross(x), z, Vec3::ZERO).rotation();
        self.limbs.push(Limb { name: name.to_owned(), parent, at, turn });
        self.limbs.len() - 1
    }

    /// Adds a surface of one colour, which later lofts belong to.
    pub fn surface(&mut self, name: &str, material: &str) {
        self.meshes.push(Mesh { name: name.into(), material: material.into(), ..Mesh::default() });
    }

    /// Adds a skin around rings. The first half of a ring lies along `side`.
    ///
    /// A loft of four sides is a box with sharp edges; others are smooth.
    pub fn loft(&mut self, sides: usize, side: Vec3, color: [u8; 3], rings: &[Ring]) {
        let Some(mesh) = self.meshes.last_mut() else { return };
        let way = |i: usize| {
            let (before, after) = (rings[i.saturating_sub(1)], rings[(i + 1).min(rings.len() - 1)]);
            (after.at - before.at).normalize_or(Vec3::Z)
        };
        let point = |row: usize, corner: usize| {
            let z = way(row);
            let x = (side - z * side.dot(z)).normalize_or(z.any_orthonormal_vector());
            let (sin, cos) = (TAU * (corner as f32 + 0.5) / sides as f32).sin_cos();
            // The flats of a box are as thick as its numbers say.
            let wide = if sides == 4 { std::f32::consts::SQRT_2 } else { 1.0 };
            rings[row].at + (x * cos * rings[row].half[0] + z.cross(x) * sin * rings[row].half[1]) * wide
        };
        let mut triangles = Vec::new();
        let mut vertex = |row: usize, place: Vec3, normal: Vec3| {
            mesh.positions.push(place.to_array());
            mesh.normals.push(normal.to_array());
            mesh.colors.push([byte(color[0]), byte(color[1]), byte(color[2]), 1.0]);
            mesh.influences.push(influences(&rings[row]));
            mesh.positions.len() as u32 - 1
        };
        let sharp = sides == 4;
        let mut shared = Vec::new();
        for (row, ring) in rings.iter().enumerate().filter(|_| !sharp) {
            for corner in 0..sides {
                let place = point(row, corner);
                shared.push(vertex(row, place, (place - ring.at).normalize_or(way(row))));
            }
        }
        for row in 0..rings.len() - 1 {
            for corner in 0..sides {
                let corners = [(row, corner), (row, corner + 1), (row + 1, corner + 1), (row + 1, corner)];
                let places = corners.map(|(row, corner)| point(row, corner));
                let face = (places[2] - places[0]).cross(places[3] - places[1]).normalize_or(Vec3::Z);
                let vertices = if sharp {
                    [0, 1, 2, 3].map(|i| vertex(corners[i].0, places[i], face))
                } else {
                    corners.map(|(row, corner)| shared[row * sides + corner % sides])
                };
                for triangle in [[0, 2, 1], [0, 3, 2]] {
                    let [a, b, c] = triangle.map(|i: usize| places[i]);
                    if (b - a).cross(c - a).length() > 1e-4 {
                        triangles.push(triangle.map(|i| vertices[i]));
                    }
                }
            }
        }
        mesh.triangles.extend(triangles);
    }

    /// Adds an animation of `count` frames. `turn` gives the rotation of a bone on its parent at a phase from 0 to 1,
    /// about the axes of the model in the bind pose.
    pub fn animation(&mut self, name: &str, count: u32, rate: f32, turn: impl Fn(usize, f32) -> Quat) {
        let first = self.animations.iter().map(|animation| animation.pose_count() as u32).sum();
        self.animations.push(Animation::frames(name, first, count, rate, true));
        for frame in 0..count {
            let phase = frame as f32 / count as f32;
            for (number, limb) in self.limbs.iter().enumerate() {
                let own = turn(number, phase) * limb.turn;
                self.frames.push(self.relative(limb, own));
            }
        }
    }

    /// Returns the matrix of a limb relative to its parent in the bind pose, with another rotation.
    fn relative(&self, limb: &Limb, turn: Quat) -> Mat3x4 {
        match limb.parent.map(|parent| &self.limbs[parent]) {
            Some(parent) => {
                let back = parent.turn.inverse();
                Mat3x4::from_rotation_translation(back * turn, back * (limb.at - parent.at))
            }
            None => Mat3x4::from_rotation_translation(turn, limb.at),
        }
    }

    /// Returns the model.
    pub fn model(self) -> Result<Model, SkeletonError> {
        let bone = |limb: &Limb| Bone {
            name: limb.name.as_str().into(),
            parent: limb.parent,
            bind: self.relative(limb, limb.turn),
        };
        let skeleton = Skeleton::new(self.limbs.iter().map(bone).collect())?;
        let mut model = Model { skeleton, meshes: self.meshes, ..Model::default() };
        (model.animations, model.frames) = (self.animations, self.frames);
        model.comments.push("skelobj lesson, MIT OR Apache-2.0".into());
        Ok(model)
    }
}

/// Converts a byte to a weight or colour, so that the file can store these as bytes.
fn byte(value: u8) -> f32 {
    (f64::from(value) / 255.0) as f32
}

fn influences(ring: &Ring) -> Influences {
    let (other, weight) = ring.other;
    Influences { bones: [ring.bone as u16, other as u16, 0, 0], weights: [byte(255 - weight), byte(weight), 0.0, 0.0] }
}
