//! State of a physics world in a snapshot.

use std::collections::HashSet;

use rapier3d::geometry::{ColliderGraphIndex, InteractionGraph};
use rapier3d::prelude::{
    BroadPhaseBvh, CCDSolver, ColliderSet, CollisionPipeline, ImpulseJoint, ImpulseJointHandle, ImpulseJointSet,
    IntegrationParameters, IslandManager, MultibodyJointSet, NarrowPhase, PhysicsPipeline, PhysicsWorld, RigidBody,
    RigidBodyHandle, RigidBodySet, SoftBodySet, Vector,
};
use serde::{Deserialize, Serialize, Serializer};
use skelobj_model::internal;

use super::floor_cast::sweep_against_floors;
use super::impact_watch::{IMPACT_THRESHOLDS, ImpactWatch};
use super::saved_arenas::has_sound_arena;
use super::tuning::{MAX_SAVED_DISTANCE, MAX_SAVED_ITERATIONS, SAME_IMPACT_TIME, STEP_TIMES};
use super::{Physics, PhysicsSettings, Scratch, State};
use crate::id::LevelBodyId;

/// State that determines how a [`Physics`] world continues, without its settings and rapier's workspaces.
///
/// Shapes are shared with the world until one of them changes: the cost is in bodies, joints and contacts, not in the
/// level.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct SavedPhysics {
    state: State,
    world: SavedWorld,
}

/// State of a [`PhysicsWorld`] without rapier's workspaces.
#[derive(Clone, Serialize, Deserialize)]
struct SavedWorld {
    gravity: Vector,
    parameters: IntegrationParameters,
    islands: IslandManager,
    broad_phase: BroadPhaseBvh,
    narrow_phase: NarrowPhase,
    bodies: RigidBodySet,
    colliders: ColliderSet,
    #[serde(serialize_with = "super::saved_joints::serialize")]
    joints: ImpulseJointSet,
    multibody_joints: MultibodyJointSet,
    soft_bodies: SoftBodySet,
}

/// Serializes a set of bodies in an order that does not depend on the history of the set.
pub(super) fn sorted<S: Serializer>(bodies: &HashSet<RigidBodyHandle>, serializer: S) -> Result<S::Ok, S::Error> {
    let mut bodies: Vec<_> = bodies.iter().copied().collect();
    bodies.sort_unstable_by_key(|body| body.into_raw_parts());
    bodies.serialize(serializer)
}

impl Physics {
    pub(crate) fn save(&self) -> SavedPhysics {
        SavedPhysics { state: self.state.clone(), world: SavedWorld::new(&self.world) }
    }

    /// Replaces the world with a saved world and its settings. A world that the host lends stays lent.
    pub(crate) fn load(&mut self, saved: SavedPhysics, settings: PhysicsSettings) {
        let SavedPhysics { mut state, world } = saved;
        state.pending.changed_joints = true;
        let mut world = world.restore();
        sweep_against_floors(&mut world.narrow_phase, &settings);
        *self = Self {
            world,
            settings,
            impact_watch: ImpactWatch::default(),
            lent: self.lent.take(),
            state,
            scratch: Scratch::default(),
        };
    }
}

impl SavedPhysics {
    /// Returns `true` if the settings can be simulated and the parts are consistent with each other.
    pub(crate) fn is_sound(&self) -> bool {
        self.state.is_sound() && self.world.is_sound()
    }
}

impl State {
    fn is_sound(&self) -> bool {
        self.lists_kinematic_bodies()
            && self.waters.iter().all(|(_, water)| water.is_sound())
            && self.solids.iter().all(|solid| internal::is_sound(internal::tree(&solid.volume)))
            // The world's step may be longer than that of the settings.
            && (0.0..=f64::from(*STEP_TIMES.end())).contains(&self.ahead)
            && self.level_bodies.iter().all(|(_, body)| body.push.is_none_or(|push| push.is_sound()))
            && self.requested_parts.is_finite()
            && self.lists_squeezed_bodies()
            && self.impact_threshold.is_none_or(|threshold| IMPACT_THRESHOLDS.contains(&threshold))
            && self.recent_impacts.values().all(|left| (0.0..=SAME_IMPACT_TIME).contains(left))
    }

    /// Returns `true` if the list of kinematic bodies has exactly the level bodies that move, each once: the list is
    /// kept for its order.
    fn lists_kinematic_bodies(&self) -> bool {
        let mut listed = self.kinematic_bodies.clone();
        let mut moving: Vec<LevelBodyId> =
            self.level_bodies.iter().filter(|(_, body)| body.motion.is_some()).map(|(id, _)| id).collect();
        listed.sort_unstable();
        moving.sort_unstable();
        listed == moving
    }

    /// Returns `true` if no squeezed body is listed twice. One that was removed stays in the list until the next step.
    fn lists_squeezed_bodies(&self) -> bool {
        let mut listed: Vec<_> = self.squeezed.iter().map(|body| body.into_raw_parts()).collect();
        listed.sort_unstable();
        listed.dedup();
        listed.len() == self.squeezed.len()
    }
}

impl SavedWorld {
    fn new(world: &PhysicsWorld) -> Self {
        let PhysicsWorld {
            gravity,
            integration_parameters,
            physics_pipeline: _,
            collision_pipeline: _,
            islands,
            broad_phase,
            narrow_phase,
            bodies,
            colliders,
            impulse_joints,
            multibody_joints,
            soft_bodies,
            ccd_solver: _,
        } = world;
        Self {
            gravity: *gravity,
            parameters: *integration_parameters,
            islands: islands.clone(),
            broad_phase: broad_phase.clone(),
            narrow_phase: narrow_phase.clone(),
            bodies: bodies.clone(),
            colliders: colliders.clone(),
            joints: impulse_joints.clone(),
            multibody_joints: multibody_joints.clone(),
            soft_bodies: soft_bodies.clone(),
        }
    }

    fn is_sound(&self) -> bool {
        let has = |body| self.bodies.contains(body);
        let owns = |(collider, parent)| self.colliders.get(collider).is_some_and(|c| c.parent() == Some(parent));
        let mut owned = self.bodies.iter().flat_map(|(body, b)| b.colliders().iter().map(move |c| (*c, body)));
        let parameters = &self.parameters;
        self.has_sound_arenas()
            && STEP_TIMES.contains(&parameters.dt)
            && parameters.length_unit.is_normal()
            && parameters.num_solver_iterations.max(parameters.num_internal_pgs_iterations) <= MAX_SAVED_ITERATIONS
            && self.gravity.is_finite()
            && owned.all(owns)
            && self.colliders.iter().all(|(_, collider)| collider.parent().is_none_or(has))
            && self.bodies.iter().all(|(_, body)| is_somewhere(body))
            && self.has_sound_joints()
            && self.has_sound_contacts()
    }

    /// Returns `true` if the sets have as many items as they state. Nothing may iterate over them before.
    fn has_sound_arenas(&self) -> bool {
        has_sound_arena(&self.bodies)
            && has_sound_arena(&self.colliders)
            && has_sound_arena(&self.joints)
            && has_sound_arena(&self.multibody_joints)
            && has_sound_arena(&self.soft_bodies)
    }

    /// Returns `true` if joints agree with their handles and their bodies exist.
    fn has_sound_joints(&self) -> bool {
        let joints = &self.joints;
        let is_sound = |(handle, joint): (ImpulseJointHandle, &ImpulseJoint)| {
            let bodies = [joint.body1(), joint.body2()];
            bodies.iter().all(|body| self.bodies.contains(*body))
                && joints.get(handle).is_some_and(|found| std::ptr::eq(found, joint))
        };
        is_sound_graph(joints.joint_graph()) && joints.iter().all(is_sound)
    }

    /// Returns `true` if contacts are between colliders that exist.
    fn has_sound_contacts(&self) -> bool {
        let exists = |collider| self.colliders.contains(collider);
        is_sound_graph(self.narrow_phase.contact_graph())
            && is_sound_graph(self.narrow_phase.intersection_graph())
            && self.narrow_phase.contact_pairs().all(|pair| exists(pair.collider1) && exists(pair.collider2))
    }

    fn restore(self) -> PhysicsWorld {
        PhysicsWorld {
            gravity: self.gravity,
            integration_parameters: self.parameters,
            physics_pipeline: PhysicsPipeline::new(),
            collision_pipeline: CollisionPipeline::new(),
            islands: self.islands,
            broad_phase: self.broad_phase,
            narrow_phase: self.narrow_phase,
            bodies: self.bodies,
            colliders: self.colliders,
            impulse_joints: self.joints,
            multibody_joints: self.multibody_joints,
            soft_bodies: self.soft_bodies,
            ccd_solver: CCDSolver::new(),
        }
    }
}

/// Returns `true` if every edge of a graph is in the lists of both its nodes, and in no other list.
fn is_sound_graph<N: Copy, E>(graph: &InteractionGraph<N, E>) -> bool {
    let graph = graph.raw_graph();
    let (nodes, edges) = (graph.raw_nodes().len(), graph.raw_edges().len());
    let ends = graph.raw_edges().iter().flat_map(|edge| [edge.source().index(), edge.target().index()]);
    let mut listed = 0;
    let nodes_are_sound = (0..u32::try_from(nodes).unwrap_or(u32::MAX)).all(|number| {
        // A cyclic list is longer than all edges.
        let own = graph.edges(ColliderGraphIndex::new(number)).take(edges + 1);
        listed += own.filter(|edge| edge.id().index() < edges).count();
        listed <= 2 * edges
    });
    { ends }.all(|end| end < nodes) && nodes_are_sound && listed == 2 * edges
}

/// Returns `true` if a body has a valid pose and a plausible speed. A body that rapier disabled because of non-finite
/// numbers has a valid pose, but its velocity may be non-finite.
fn is_somewhere(body: &RigidBody) -> bool {
    let (position, speeds) = (body.position(), [body.linvel(), body.angvel()]);
    position.translation.abs().cmple(Vector::splat(MAX_SAVED_DISTANCE)).all()
        && (0.5..2.0).contains(&position.rotation.length_squared())
        && !speeds.iter().any(|speed| speed.abs().max_element() > MAX_SAVED_DISTANCE)
        && (!body.is_enabled() || speeds.iter().all(|speed| speed.is_finite()))
}

impl std::fmt::Debug for SavedPhysics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SavedPhysics")
            .field("bodies", &self.world.bodies.len())
            .field("colliders", &self.world.colliders.len())
            .finish_non_exhaustive()
    }
}
