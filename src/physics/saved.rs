//! A physics world as a snapshot keeps it.

use rapier3d::prelude::{
    BroadPhaseBvh, CCDSolver, ColliderSet, CollisionPipeline, ImpulseJointSet, IntegrationParameters, IslandManager,
    MultibodyJointSet, NarrowPhase, PhysicsPipeline, PhysicsWorld, RigidBodyHandle, RigidBodySet, SoftBodySet, Vector,
};
use serde::{Deserialize, Serialize};

use super::{Physics, PhysicsSettings, STEPS, level_body::LevelBody};
use crate::id::{LevelBodyId, SavedIds};

/// Everything that decides how a [`Physics`] world goes on; rapier's workspaces do not.
///
/// Shapes are shared with the world until one of them changes: what costs is bodies, joints and contacts, not the level.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct SavedPhysics {
    settings: PhysicsSettings,
    ahead: f64,
    level_ids: SavedIds,
    level_bodies: Vec<(LevelBodyId, LevelBody)>,
    kinematic_bodies: Vec<LevelBodyId>,
    unguarded: Vec<RigidBodyHandle>,
    gravity: Vector,
    parameters: IntegrationParameters,
    islands: IslandManager,
    broad_phase: BroadPhaseBvh,
    narrow_phase: NarrowPhase,
    bodies: RigidBodySet,
    colliders: ColliderSet,
    joints: ImpulseJointSet,
    multibody_joints: MultibodyJointSet,
    soft_bodies: SoftBodySet,
}

impl Physics {
    pub(crate) fn save(&self) -> SavedPhysics {
        let Self { world, settings, ahead, level_bodies, kinematic_bodies, unguarded } = self;
        SavedPhysics {
            settings: *settings,
            ahead: *ahead,
            level_ids: level_bodies.save_ids(),
            level_bodies: level_bodies.iter().map(|(id, body)| (id, *body)).collect(),
            kinematic_bodies: kinematic_bodies.clone(),
            unguarded: unguarded.clone(),
            gravity: world.gravity,
            parameters: world.integration_parameters,
            islands: world.islands.clone(),
            broad_phase: world.broad_phase.clone(),
            narrow_phase: world.narrow_phase.clone(),
            bodies: world.bodies.clone(),
            colliders: world.colliders.clone(),
            joints: world.impulse_joints.clone(),
            multibody_joints: world.multibody_joints.clone(),
            soft_bodies: world.soft_bodies.clone(),
        }
    }
}

impl SavedPhysics {
    /// To be called on what was read from bytes: rapier leaves out which joints were changed since its last step, so now
    /// all of them were.
    pub(crate) fn recall_changes(&mut self) {
        let _ = self.joints.iter_mut();
    }

    /// Whether settings can be simulated, and whatever one thing says of another is so.
    pub(crate) fn is_sound(&self) -> bool {
        let has = |body| self.bodies.contains(body);
        let owns = |(collider, parent)| self.colliders.get(collider).is_some_and(|c| c.parent() == Some(parent));
        let mut owned = self.bodies.iter().flat_map(|(body, b)| b.colliders().iter().map(move |c| (*c, body)));
        let parameters = &self.parameters;
        self.settings.check().is_ok()
            && self.level_ids.are_in_use(self.level_bodies.iter().map(|(id, _)| *id))
            // The world's step may be longer than that of the settings.
            && (0.0..=f64::from(*STEPS.end())).contains(&self.ahead)
            && STEPS.contains(&parameters.dt)
            && parameters.length_unit.is_normal()
            && parameters.num_solver_iterations.max(parameters.num_internal_pgs_iterations) <= MAX_ITERATIONS
            && self.gravity.is_finite()
            && owned.all(owns)
            && self.colliders.iter().all(|(_, collider)| collider.parent().is_none_or(has))
            && self.joints.iter().all(|(_, joint)| has(joint.body1()) && has(joint.body2()))
    }

    pub(crate) fn restore(self) -> Physics {
        let world = PhysicsWorld {
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
        };
        Physics {
            world,
            settings: self.settings,
            ahead: self.ahead,
            kinematic_bodies: self.kinematic_bodies,
            level_bodies: self.level_ids.restore(self.level_bodies.into_iter()),
            unguarded: self.unguarded,
        }
    }
}

impl std::fmt::Debug for SavedPhysics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SavedPhysics")
            .field("bodies", &self.bodies.len())
            .field("colliders", &self.colliders.len())
            .finish_non_exhaustive()
    }
}

/// More than a host that tunes rapier itself would ask for.
const MAX_ITERATIONS: usize = 1024;
