//! Entities with models as they are in a frame.

use std::sync::Arc;

use skelobj::Model;
use skelobj::math::Mat3x4;
use skelobj::model::FrameState;
use skelobj::object::{Build, SkeletalObject, Space};
use skelobj::qc::{SceneEntity, VmHost};
use skelobj::ragdoll::{BodyState, JointState, Ragdoll};
use skelobj::runtime::{ObjectId, Runtime};

use super::game::Game;
use crate::draw::Faults;

/// Entity with a model.
#[derive(Clone)]
pub struct Figure {
    /// Number of the entity.
    pub entity: u64,
    /// Skeletal object that poses it.
    pub object: Option<ObjectId>,
    /// `true` unless a skeletal object poses it that was never built: then nothing of it is visible.
    pub visible: bool,
    /// Name of the model.
    pub name: String,
    /// Model that it shows.
    pub model: Arc<Model>,
    /// Matrix from model space to world space.
    pub world: Mat3x4,
    /// State of the animations, for vertices that move without bones.
    pub frame: FrameState,
    /// Bones, model space.
    pub bones: Vec<Mat3x4>,
    /// Bodies of the ragdoll.
    pub bodies: Vec<BodyState>,
    /// `true` if the ragdoll has left the level.
    pub left_level: bool,
    /// Number of joints of the ragdoll that are switched off.
    pub severed: usize,
    /// Faults of the joints.
    pub faults: Faults,
}

/// Entities with models in a frame.
pub struct Figures {
    /// Entities.
    pub all: Vec<Figure>,
    /// `true` if client code has made a scene of them.
    pub is_scene: bool,
}

/// Returns the entities of the scene that client code has made; without one, all entities with models.
pub fn seen(game: &mut Game) -> Figures {
    let scene = game.environment.scene().entities().to_vec();
    let is_scene = !scene.is_empty();
    Figures { all: if is_scene { figures(&scene, &game.runtime.borrow()) } else { all(game) }, is_scene }
}

/// Returns all entities with models.
pub fn all(game: &mut Game) -> Vec<Figure> {
    let mut runtime = game.runtime.borrow_mut();
    let mut host = VmHost { runtime: &mut runtime, environment: &mut game.environment };
    let machine = &mut game.machine;
    let entities: Vec<_> =
        (1..machine.entity_count()).filter_map(|entity| host.scene_entity(machine, entity)).collect();
    figures(&entities, &runtime)
}

fn figures(entities: &[SceneEntity], runtime: &Runtime) -> Vec<Figure> {
    entities.iter().filter_map(|entity| Figure::new(entity, runtime)).collect()
}

impl Figure {
    fn new(drawn: &SceneEntity, runtime: &Runtime) -> Option<Self> {
        let state = &drawn.state;
        let posed = state.object.and_then(|id| Some((id, runtime.object(id)?)));
        let shown = state.model.and_then(|id| runtime.model(id));
        let model = shown.or(posed.map(|(_, object)| object.model()))?.clone();
        let id = state.model.or(posed.and_then(|(id, _)| runtime.model_of(id)));
        let name = id.and_then(|id| runtime.model_name(id)).unwrap_or_default().to_owned();
        let mut bones = vec![Mat3x4::IDENTITY; model.skeleton.len()];
        match posed {
            Some((_, object)) if object.bone_count() == bones.len() => object.write_model_space(&mut bones),
            _ => {
                let mut object = SkeletalObject::new(model.clone(), Space::Local);
                // Without a pose, the model is in its bind pose.
                if object.build(&model, &state.frame, &Build::REPLACE).is_ok() {
                    object.write_model_space(&mut bones);
                }
            }
        }
        let object = posed.map(|(id, _)| id);
        // A model without a skin, such as a file of animations, shows nothing unless it is posed.
        let visible = posed.map_or(!model.meshes.is_empty(), |(_, object)| object.is_built());
        let ragdoll = object.and_then(|id| runtime.ragdoll(id));
        let bodies = ragdoll.map(|ragdoll| ragdoll.bodies(runtime.physics()).collect()).unwrap_or_default();
        let left_level = ragdoll.is_some_and(Ragdoll::has_left_level);
        let is_off = |joint: &JointState| !joint.is_enabled;
        let severed = ragdoll.map_or(0, |ragdoll| ragdoll.joints(runtime.physics()).filter(is_off).count());
        let faults = ragdoll.map(|ragdoll| Faults::of(ragdoll, runtime.physics())).unwrap_or_default();
        let (entity, world, frame) = (drawn.entity.0, state.world, state.frame);
        Some(Self { entity, object, visible, name, model, world, frame, bones, bodies, left_level, severed, faults })
    }
}
