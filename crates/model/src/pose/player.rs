//! Players of three parts as one model.

use std::collections::{HashMap, HashSet};

use super::{PoseSource, morph, palette, sample, skin, skin_morphed, to_model_space};
use crate::math::{Mat3x4, Vec3};
use crate::model::{
    Animation, FrameState, Mesh, Model, Name, Player, PlayerError, PlayerFrames, PlayerParts, Skin, Tag,
};

/// Maximum size of the model's frames and of what they are made from, bytes.
const MAX_BYTES: u64 = 256 << 20;

impl Player {
    /// Returns the player as one vertex-animated model in the space of the legs, for tools that show one model.
    ///
    /// The animations are those of `animation.cfg`, in its order. While one moves only the legs, the torso holds the
    /// start of `TORSO_STAND`; while one moves only the torso, the legs hold the start of `LEGS_IDLE`. An animation of
    /// which only the last frames loop plays once. Without `animation.cfg` the animations are those of the lower part,
    /// each with the animation of the upper part that has its name, else the first. The head holds its start. The
    /// model has the tags `tag_torso`, `tag_head` and `tag_weapon`, no bones, and the warnings of all parts.
    ///
    /// # Errors
    /// [`PlayerError::TooLarge`] if the vertices of all frames, with the bones and morphs that move them, take more
    /// than 256 MiB.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// use skelobj::model::{FrameState, Mesh, Model, Player, PlayerConfig, Tag};
    ///
    /// let mesh = Mesh { positions: vec![[0.0, 0.0, 5.0]], ..Mesh::default() };
    /// let frames = vec![Mat3x4::from_translation(Vec3::Z * 24.0)];
    /// let lower = Model { tags: vec![Tag { name: "tag_torso".into(), frames }], ..Model::default() };
    /// let upper = Model { meshes: vec![mesh], ..Model::default() };
    /// let player = Player { lower, upper, head: Model::default(), config: PlayerConfig::default() };
    /// let model = player.to_model()?;
    /// assert_eq!(model.meshes[0].positions, [[0.0, 0.0, 29.0]]);
    /// # Ok::<(), skelobj::model::PlayerError>(())
    /// ```
    pub fn to_model(&self) -> Result<Model, PlayerError> {
        let (animations, frames) = self.timeline()?;
        let parts = [&self.lower, &self.upper, &self.head];
        let mut model = Model { animations, ..Model::default() };
        let mut materials = HashSet::new();
        for part in parts {
            let first = model.meshes.len();
            model.meshes.extend(part.meshes.iter().map(surface));
            model.skins.extend(part.skins.iter().map(|skin| Skin { mesh: first + skin.mesh, ..skin.clone() }));
            let new = part.materials.iter().filter(|material| materials.insert(&material.name));
            model.materials.extend(new.cloned());
            model.warnings.extend(part.warnings.iter().cloned());
        }
        model.warnings.extend(self.config.warnings.iter().cloned());
        model.tags =
            ["tag_torso", "tag_head", "tag_weapon"].map(|name| Tag { name: name.into(), frames: vec![] }).into();
        for (number, frame) in frames.iter().enumerate() {
            let PlayerParts { upper, head, weapon } = self.place(frame);
            for (tag, matrix) in model.tags.iter_mut().zip([upper, head, weapon]) {
                tag.frames.push(matrix);
            }
            let states = [&frame.lower, &frame.upper, &frame.head];
            let posed = parts.iter().zip(states).zip([Mat3x4::IDENTITY, upper, head]);
            let moved = posed.flat_map(|((part, state), matrix)| moved(part, state, matrix));
            for (mesh, (positions, normals)) in model.meshes.iter_mut().zip(moved) {
                if number == 0 {
                    (mesh.positions, mesh.normals) = (positions.clone(), normals.clone());
                }
                mesh.frames.positions.extend(positions);
                mesh.frames.normals.extend(normals);
            }
        }
        debug_assert!(model.tags.iter().all(|tag| tag.frames.len() == frames.len()), "every tag has all frames");
        debug_assert!(
            model.meshes.iter().all(|mesh| mesh.frames.positions.len() == frames.len() * mesh.positions.len()),
            "every mesh has all frames"
        );
        Ok(model)
    }

    /// Returns the animations of the whole player, and the pose of each of their frames; at least one.
    fn timeline(&self) -> Result<(Vec<Animation>, Vec<PlayerFrames>), PlayerError> {
        let held = |name: &str| self.frame_state(name, 0.0).unwrap_or(FrameState::single(0, 0.0));
        let (legs, torso) = (held("LEGS_IDLE"), held("TORSO_STAND"));
        // Of each animation: that of the whole, and the numbers of those that the lower and the upper part play.
        let mut plays: Vec<(Animation, Option<usize>, Option<usize>)> = Vec::new();
        let [lower_numbers, upper_numbers] = [&self.lower, &self.upper].map(numbers);
        for animation in &self.config.animations {
            let number = |moves: Option<u32>, part: &HashMap<&Name, usize>| {
                moves.and_then(|_| part.get(&animation.name).copied())
            };
            let (lower, upper) = (number(animation.legs, &lower_numbers), number(animation.torso, &upper_numbers));
            let poses = |part: &Model, number: Option<usize>| Some(part.animations.get(number?)?.pose_count());
            let count = poses(&self.lower, lower).max(poses(&self.upper, upper)).unwrap_or(1);
            let looping = animation.loop_frames >= animation.count;
            plays.push((whole(&animation.name, count, animation.rate, looping), lower, upper));
        }
        if plays.is_empty() {
            let any = (!self.upper.animations.is_empty()).then_some(0);
            for (number, animation) in self.lower.animations.iter().enumerate() {
                let upper = upper_numbers.get(&animation.name).copied().or(any);
                let count = animation.pose_count();
                plays.push((whole(&animation.name, count, animation.rate, animation.looping), Some(number), upper));
            }
        }
        let of_frame: u64 = [&self.lower, &self.upper, &self.head].map(bytes).iter().sum();
        let frames: u64 = plays.iter().map(|(animation, ..)| animation.pose_count() as u64).sum();
        let needed = frames.saturating_mul(of_frame);
        if needed > MAX_BYTES {
            return Err(PlayerError::TooLarge { needed, allowed: MAX_BYTES });
        }

        debug_assert!(needed <= MAX_BYTES && frames <= u64::from(u32::MAX), "frames have numbers");
        let (mut animations, mut poses) = (Vec::with_capacity(plays.len()), Vec::new());
        for (animation, lower, upper) in plays {
            let (first, count) = (poses.len() as u32, animation.pose_count() as u32);
            for pose in 0..count {
                let state = |number: Option<usize>, held: FrameState| {
                    let time = if animation.rate > 0.0 { f64::from(pose) / f64::from(animation.rate) } else { 0.0 };
                    number.map_or(held, |number| FrameState::single(number, time))
                };
                let (lower, upper) = (state(lower, legs), state(upper, torso));
                poses.push(PlayerFrames { lower, upper, ..PlayerFrames::default() });
            }
            animations.push(Animation::frames(animation.name, first, count, animation.rate, animation.looping));
        }
        if poses.is_empty() {
            poses.push(PlayerFrames { lower: legs, upper: torso, ..PlayerFrames::default() });
        }
        Ok((animations, poses))
    }
}

/// Returns the numbers of a part's animations; of equal names, that of the first.
fn numbers(part: &Model) -> HashMap<&Name, usize> {
    part.animations.iter().enumerate().rev().map(|(number, animation)| (&animation.name, number)).collect()
}

/// Returns the bytes of a part in one frame: of its vertices, and of what is read to place them.
fn bytes(part: &Model) -> u64 {
    let mesh = |mesh: &Mesh| {
        let morphed: usize = mesh.morphs.iter().map(|morph| morph.vertices.len()).sum();
        size_of::<Mesh>() + (mesh.positions.len() + morphed) * 24
    };
    let meshes: usize = part.meshes.iter().map(mesh).sum();
    (size_of::<PlayerFrames>() + part.skeleton.len() * size_of::<Mat3x4>() + meshes) as u64
}

/// Returns an animation of the whole player, whose first frame is not known yet.
fn whole(name: &Name, count: usize, rate: f32, looping: bool) -> Animation {
    Animation::frames(name.clone(), 0, u32::try_from(count).unwrap_or(u32::MAX), rate, looping)
}

/// Returns what a mesh has besides its vertices' places and what moves them.
fn surface(mesh: &Mesh) -> Mesh {
    Mesh {
        name: mesh.name.clone(),
        material: mesh.material.clone(),
        texcoords: mesh.texcoords.clone(),
        colors: mesh.colors.clone(),
        custom: mesh.custom.clone(),
        triangles: mesh.triangles.clone(),
        triangle_groups: mesh.triangle_groups.clone(),
        surface: mesh.surface,
        ..Mesh::default()
    }
}

/// Returns the positions and normals of each mesh of a part that a matrix places.
fn moved<'a>(
    model: &'a Model,
    frame: &FrameState,
    matrix: Mat3x4,
) -> impl Iterator<Item = (Vec<[f32; 3]>, Vec<[f32; 3]>)> + use<'a> {
    let bones = model.skeleton.len();
    let [mut local, mut placed, mut skinning] = [(); 3].map(|()| vec![Mat3x4::IDENTITY; bones]);
    let frame = *frame;
    sample(PoseSource { model, frame: &frame }, 0..bones, &mut local);
    to_model_space(model.skeleton.parents(), &local, &mut placed);
    palette(&placed, model.skeleton.inverse_bind(), &mut skinning);
    model.meshes.iter().map(move |mesh| {
        let mut positions = vec![Vec3::ZERO; mesh.positions.len()];
        let mut normals = vec![Vec3::ZERO; mesh.normals.len()];
        if mesh.is_morphed() || mesh.influences.is_empty() {
            morph(mesh, PoseSource { model, frame: &frame }, &mut positions, &mut normals);
            skin_morphed(mesh, &skinning, &mut positions, &mut normals);
        } else {
            skin(mesh, &skinning, &mut positions, &mut normals);
        }
        let positions = positions.into_iter().map(|position| matrix.transform_point(position).to_array());
        let normals = normals.into_iter().map(|normal| matrix.transform_vector(normal).normalize_or(normal).to_array());
        (positions.collect(), normals.collect())
    })
}
