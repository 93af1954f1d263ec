//! A plugin that poses entities with skelobj: by animations while they live, by a ragdoll once they are dead.

use bevy_app::{App, Plugin, PostUpdate};
use bevy_ecs::prelude::*;
use bevy_transform::{TransformSystems, components::Transform};
use skelobj::glam::{Affine3A, Mat3A, Vec3A};
use skelobj::math::Mat3x4;
use skelobj::model::FrameState;
use skelobj::object::{Build, ObjectError, Space};
use skelobj::ragdoll::Command;
use skelobj::runtime::{ModelId, ObjectId, Runtime};

/// Quake units in a metre, as in the glTF files that skelobj reads and writes.
const UNITS: f32 = 30.0;
/// Rotation of Quake's axes (X forward, Y left, Z up) to Bevy's (-Z forward, -X left, Y up).
const AXES: Mat3A = Mat3A::from_cols(Vec3A::NEG_Z, Vec3A::NEG_X, Vec3A::Y);

/// Converts a matrix between two of Quake's spaces to one between the same spaces of Bevy.
pub fn to_bevy(matrix: Mat3x4) -> Affine3A {
    let Affine3A { matrix3, translation } = matrix.into();
    Affine3A { matrix3: AXES * matrix3 * AXES.transpose(), translation: AXES * translation / UNITS }
}

/// Converts a matrix between two of Bevy's spaces to one between the same spaces of Quake.
pub fn to_quake(matrix: Affine3A) -> Mat3x4 {
    let back = AXES.transpose();
    Affine3A { matrix3: back * matrix.matrix3 * AXES, translation: back * matrix.translation * UNITS }.into()
}

/// The runtime, and the length of this frame in seconds: a game with `bevy_time` copies `Time::delta_secs` to it.
#[derive(Resource, Default)]
pub struct Skeletons {
    pub runtime: Runtime,
    pub frame_time: f32,
}

/// A posed entity without a parent. Its `Transform` belongs to the game until its death, and follows the corpse then.
#[derive(Component)]
#[require(Transform)]
pub struct Figure {
    model: ModelId,
    object: ObjectId,
    /// Animations that pose the living entity.
    pub playing: FrameState,
    pub is_dead: bool,
}

/// One matrix per bone, from the bind pose to the current one, for vertices in Bevy's axes and metres.
#[derive(Component)]
pub struct Palette(pub Vec<Affine3A>);

/// A child of a figure whose `Transform` is that of the parent's bone with this number.
#[derive(Component)]
#[require(Transform)]
pub struct OnBone(pub usize);

impl Skeletons {
    /// Creates the components of an entity with this model.
    pub fn figure(&mut self, model: ModelId) -> Result<(Figure, Palette), ObjectError> {
        let object = self.runtime.create_object(model, Space::Local)?;
        let bones = self.runtime.object(object).map_or(0, |object| object.bone_count());
        let figure = Figure { model, object, playing: FrameState::default(), is_dead: false };
        Ok((figure, Palette(vec![Affine3A::IDENTITY; bones])))
    }
}

pub struct SkelobjPlugin;

impl Plugin for SkelobjPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Skeletons>()
            .add_observer(delete)
            .add_systems(PostUpdate, (pose, attach).chain().before(TransformSystems::Propagate));
    }
}

/// Poses all figures, then steps the physics.
fn pose(
    mut skeletons: ResMut<Skeletons>,
    mut figures: Query<(&Figure, &mut Palette, &mut Transform)>,
    mut matrices: Local<Vec<Mat3x4>>,
) -> Result {
    let Skeletons { runtime, frame_time } = &mut *skeletons;
    for (figure, mut palette, mut transform) in &mut figures {
        let limp = runtime.ragdoll(figure.object).filter(|ragdoll| ragdoll.animated_bodies() == 0);
        if let Some(ragdoll) = limp.filter(|_| figure.is_dead) {
            let mut ground = ragdoll.centre_of_mass(runtime.physics());
            ground.z = ragdoll.lowest_point(runtime.physics());
            transform.translation = to_bevy(Mat3x4::from_translation(ground)).translation.into();
        }
        let command = if figure.is_dead && limp.is_none() { Command::Animate(0.0, None) } else { Command::Update };
        if !figure.is_dead {
            runtime.build(figure.object, figure.model, &figure.playing, &Build::REPLACE)?;
        }
        runtime.ragdoll_command(figure.object, &to_quake(transform.compute_affine()), command, None)?;
        matrices.resize(palette.0.len(), Mat3x4::IDENTITY);
        runtime.write_palette(figure.object, &mut matrices)?;
        palette.0.iter_mut().zip(&*matrices).for_each(|(shown, matrix)| *shown = to_bevy(*matrix));
    }
    runtime.step(*frame_time)?;
    Ok(())
}

/// Moves what figures carry. Bevy then computes their `GlobalTransform`.
fn attach(skeletons: Res<Skeletons>, figures: Query<&Figure>, mut carried: Query<(&OnBone, &ChildOf, &mut Transform)>) {
    for (bone, child_of, mut transform) in &mut carried {
        let object = figures.get(child_of.parent()).ok().and_then(|figure| skeletons.runtime.object(figure.object));
        if let Some(matrix) = object.and_then(|object| object.model_space(bone.0)) {
            *transform = Transform::from_matrix(to_bevy(matrix).into());
        }
    }
}

/// Deletes the skeletal object, and with it the ragdoll, of a figure that is despawned.
fn delete(removed: On<Remove<Figure>>, figures: Query<&Figure>, mut skeletons: ResMut<Skeletons>) {
    if let Ok(figure) = figures.get(removed.entity) {
        let _ = skeletons.runtime.delete_object(figure.object);
    }
}
