//! A [`Doll`] on a posed skeleton: bodies and joints in a [`Physics`] world, driven by animation or limp.
//!
//! Data flows one way: [`Ragdoll::new`] takes the pose the skeleton has, [`Ragdoll::update`] gives the bodies their
//! targets and writes what the bodies do back into the skeleton.

mod bones;
mod command;
mod drive;
mod drop_test;
mod guard;
mod hit;
mod hold;
mod joint;
mod rest;
mod shape;

pub use command::{Command, UnknownCommand};
pub use drop_test::{DropFrame, DropReport, DropTest};

use std::sync::Arc;

use glam::{Quat, Vec3};
use rapier3d::prelude::{
    Collider, GenericJoint, ImpulseJointHandle, JointAxesMask, Pose, RigidBodyBuilder, RigidBodyHandle,
};

use crate::doll::{Doll, Joint, JointKind, ReferencePose, Shape};
use crate::math::Mat3x4;
use crate::model::{FrameState, Model, Name};
use crate::physics::Physics;
use crate::pose;
use crate::skeleton::SkeletalObject;

/// A doll at work: its bodies and joints live in one [`Physics`] world, to which every call must be given.
#[derive(Debug)]
pub struct Ragdoll {
    doll: Arc<Doll>,
    bodies: Vec<RagBody>,
    joints: Vec<RagJoint>,
    /// For every bone the body that drives it.
    driver: Vec<Option<usize>>,
    /// The body that joints to the world hang on.
    world: Option<RigidBodyHandle>,
    /// Bones relative to their parents while an update is written.
    relative: Vec<Mat3x4>,
    /// How gaps of the solver are closed where bones are written.
    closings: Vec<bones::Closing>,
    rest: rest::RestWatch,
    travel: guard::Travel,
    recovered: usize,
    recovered_told: usize,
    /// What the doll's own strengths are multiplied by.
    strength: f32,
    /// Whether the bones are as the sleeping bodies are.
    settled: bool,
}

#[derive(Debug)]
struct RagBody {
    handle: RigidBodyHandle,
    bone: usize,
    /// Bone to body, rigid.
    place: Pose,
    /// Body to bone: also what scale and shear the bone had when the doll was made.
    to_bone: Mat3x4,
    strength: f32,
    /// Where the animation had it at the host's last frame, and where it has it now.
    from: Pose,
    to: Pose,
    /// Where it was one step ago.
    previous: Pose,
    /// Where it was when it began to follow exactly, and seconds until it is there.
    start: Pose,
    getting_up: f32,
    /// Seconds until it has got over a hit.
    flinch: f32,
}

#[derive(Debug)]
struct RagJoint {
    handle: ImpulseJointHandle,
    body1: usize,
    body2: Option<usize>,
    enabled: bool,
    /// The joint as the doll has it.
    rest: GenericJoint,
    /// How far the first pose was from what the joint allows; the frame on body 1 starts there and moves to its place.
    violation: Pose,
    /// Seconds until it is there.
    easing: f32,
    /// Whether it was enabled while its anchors were apart, and still is pulling them together.
    catching: bool,
}

/// Why a doll cannot be put on a skeleton; nothing was added to the world then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RagdollError {
    /// None of the doll's bodies is on a bone of the model.
    NoBodies,
    /// The skeletal object was never built: its bones are zeros.
    NotBuilt,
    /// The matrix of a body's bone is flat, zero or not finite.
    UnusableBone {
        /// The bone, 0-based.
        bone: usize,
    },
}

impl std::fmt::Display for RagdollError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoBodies => f.write_str("the doll has no body on a bone of this model"),
            Self::NotBuilt => f.write_str("the skeletal object was never built, its bones are zeros"),
            Self::UnusableBone { bone } => write!(f, "the matrix of bone {bone} is flat, zero or not finite"),
        }
    }
}

impl std::error::Error for RagdollError {}

/// What a body of a ragdoll is and does; world space.
#[derive(Clone, PartialEq, Debug)]
pub struct BodyState {
    /// Its name in the doll.
    pub name: Name,
    /// The bone it drives, 0-based.
    pub bone: usize,
    /// Its shape.
    pub shape: Shape,
    /// The doll's sizes, Quake units; see [`Body::size`](crate::doll::Body::size).
    pub size: [f32; 3],
    /// Its centre.
    pub position: Vec3,
    /// Its rotation.
    pub rotation: Quat,
    /// Of the centre of mass, units/s.
    pub velocity: Vec3,
    /// Radians/s.
    pub spin: Vec3,
    /// How strongly it is animated; 0 = limp.
    pub strength: f32,
    /// Whether physics lets it rest.
    pub sleeping: bool,
}

/// What a joint of a ragdoll does.
#[derive(Clone, PartialEq, Debug)]
pub struct JointState {
    /// Its name in the doll.
    pub name: Name,
    /// Whether it holds.
    pub enabled: bool,
    /// Where each body has the joint, world space. They are apart where the solver could not hold them together.
    pub anchors: [Vec3; 2],
    /// How far the anchors are apart where the joint should hold them together, Quake units.
    pub gap: f32,
    /// The angle about (for sliders the way along) each of its axes, in the doll's sense: of body 1 against body 2,
    /// 0 in the reference pose. Radians or Quake units; 0 for axes that it does not have.
    pub position: [f32; 2],
    /// How far `position` is beyond the nearest stop. Where the first pose violated the joint, the stops count from where
    /// they are on their way back.
    pub excess: [f32; 2],
}

impl Ragdoll {
    /// Seconds over which stops that the first pose violates move to their place.
    const EASING: f32 = 0.5;

    /// Puts a doll on a skeletal object where it stands; `entity` takes model space to world space.
    ///
    /// Bodies on bones that the model lacks are left out with their joints. Nothing moves by it: joints are anchored
    /// where the pose has them, stops that the pose violates close in over half a second.
    ///
    /// # Errors
    /// [`RagdollError`].
    pub fn new(
        doll: &Arc<Doll>,
        skeleton: &SkeletalObject,
        entity: &Mat3x4,
        physics: &mut Physics,
    ) -> Result<Self, RagdollError> {
        if !skeleton.is_built() {
            return Err(RagdollError::NotBuilt);
        }
        let model = skeleton.model().clone();
        let reduced = doll.for_skeleton(&model.skeleton);
        let doll = if reduced == **doll { doll.clone() } else { Arc::new(reduced) };
        if doll.bodies.is_empty() {
            return Err(RagdollError::NoBodies);
        }
        let mut pose = vec![Mat3x4::ZERO; model.skeleton.len()];
        skeleton.write_model_space(&mut pose);
        let reference = reference_pose(&doll, &model);
        let mut bodies = Vec::with_capacity(doll.bodies.len());
        for body in &doll.bodies {
            let Some(bone) = model.skeleton.find(body.bone.as_bytes()) else { return Err(RagdollError::NoBodies) };
            let world = *entity * pose[bone];
            if world.inverse().is_none() {
                return Err(RagdollError::UnusableBone { bone });
            }
            let place = shape::place(body, bone, &model.skeleton, &reference);
            let at = body_pose(&world, &place);
            let to_bone = Mat3x4::from_rotation_translation(at.rotation, at.translation).inverse_uniform() * world;
            bodies.push(RagBody {
                handle: RigidBodyHandle::invalid(),
                bone,
                place,
                to_bone,
                strength: if body.animate.is_finite() { body.animate.max(0.0) } else { 0.0 },
                from: at,
                to: at,
                previous: at,
                start: at,
                getting_up: 0.0,
                flinch: 0.0,
            });
        }
        let mut driver = vec![None; model.skeleton.len()];
        for (i, body) in bodies.iter().enumerate() {
            driver[body.bone] = Some(i);
        }
        let relative = vec![Mat3x4::IDENTITY; model.skeleton.len()];
        let mut ragdoll = Self {
            doll,
            bodies,
            joints: Vec::new(),
            driver,
            world: None,
            relative,
            closings: Vec::new(),
            rest: rest::RestWatch::default(),
            travel: guard::Travel::new(entity),
            recovered: 0,
            recovered_told: 0,
            strength: 1.0,
            settled: false,
        };
        ragdoll.insert_bodies(physics);
        ragdoll.insert_joints(&model, &reference, entity, physics);
        ragdoll.steady(physics);
        ragdoll.separate_overlaps(&reference, physics);
        ragdoll.plan_closings();
        Ok(ragdoll)
    }

    fn insert_bodies(&mut self, physics: &mut Physics) {
        for (body, definition) in self.bodies.iter_mut().zip(&self.doll.bodies) {
            let mut built = physics.body_builder().pose(body.to).build();
            built.activation_mut().normalized_linear_threshold = physics.normalized_sleep_speed();
            built.set_body_type(body.body_type(), true);
            let collider = physics.doll_collider(shape::collider(definition));
            body.handle = physics.world_mut().insert(built, collider).0;
        }
    }

    fn insert_joints(&mut self, model: &Model, reference: &[Mat3x4], entity: &Mat3x4, physics: &mut Physics) {
        let doll = self.doll.clone();
        for definition in &doll.joints {
            let (body1, body2) = (definition.body1, definition.body2);
            let pivot = pivot_bone(definition, &doll, model);
            let pivot = reference[pivot].transform_point(definition.offset);
            let frame = joint::frame(definition, pivot);
            let in_body = |body: &RagBody| body_pose(&reference[body.bone], &body.place).inverse() * frame;
            let frame1 = in_body(&self.bodies[body1]);
            let (handle2, frame2) = match body2 {
                Some(body2) => (self.bodies[body2].handle, in_body(&self.bodies[body2])),
                // The world holds the body where it is, its axes turned as the entity turns the reference pose.
                None => {
                    let anchor = self.bodies[body1].to * frame1;
                    let world =
                        *self.world.get_or_insert_with(|| physics.world_mut().insert_body(RigidBodyBuilder::fixed()));
                    (world, Pose::from_parts(anchor.translation, entity.rotation() * frame.rotation))
                }
            };
            let rest = joint::build(definition, frame1, frame2);
            let handle = physics.world_mut().insert_impulse_joint(self.bodies[body1].handle, handle2, rest);
            let enabled = definition.enabled;
            self.joints.push(RagJoint {
                handle,
                body1,
                body2,
                enabled,
                rest,
                violation: Pose::IDENTITY,
                easing: 0.0,
                catching: false,
            });
            self.fit_joint(self.joints.len() - 1, physics);
        }
    }

    /// Makes a joint accept the pose its bodies have, so that nothing jumps: bones may be stretched, so it is anchored
    /// where the second body has it, and what else it does not allow is taken back over [`EASING`](Self::EASING).
    fn fit_joint(&mut self, number: usize, physics: &mut Physics) {
        let definition = &self.doll.joints[number];
        let joint = &mut self.joints[number];
        let at1 = self.bodies[joint.body1].to;
        let at2 = joint.body2.map_or(Pose::IDENTITY, |body2| self.bodies[body2].to) * joint.rest.local_frame2;
        let mut relative = (at1 * joint.rest.local_frame1).inverse() * at2;
        let stretch =
            if joint::holds_point(definition.kind) { relative.translation } else { relative.translation.with_x(0.0) };
        joint.rest.local_frame1 = joint.rest.local_frame1 * Pose::from_translation(stretch);
        relative.translation -= stretch;
        let mut violation = relative * joint::nearest_allowed(definition, &relative).inverse();
        if violation.rotation.w < 0.0 {
            violation.rotation = -violation.rotation;
        }
        let allowed = violation.translation.length() < 1e-3 && violation.rotation.w > 0.999_999;
        joint.easing = if allowed { 0.0 } else { Self::EASING };
        joint.violation = violation;
        joint.ease(0.0, physics);
    }

    /// A body far smaller than the limb it stands for would be turned by its joints much faster than it moves them,
    /// which no solver settles: it gets the inertia of a rod that reaches to its joints.
    fn steady(&self, physics: &mut Physics) {
        let mut reach = vec![Vec3::ZERO; self.bodies.len()];
        for joint in &self.joints {
            let ends = [(Some(joint.body1), joint.rest.local_frame1), (joint.body2, joint.rest.local_frame2)];
            for (body, frame) in ends {
                if let Some(reach) = body.and_then(|body| reach.get_mut(body)) {
                    *reach = reach.max(frame.translation.abs());
                }
            }
        }
        let world = physics.world_mut();
        for (body, reach) in self.bodies.iter().zip(reach) {
            let Some(built) = world.bodies.get_mut(body.handle) else { continue };
            for handle in built.colliders().to_vec() {
                if let Some(collider) = world.colliders.get_mut(handle) {
                    collider.set_mass_properties(shape::steadied(collider, reach));
                }
            }
            built.recompute_mass_properties_from_colliders(&world.colliders);
        }
    }

    /// Bodies that overlap in the reference pose without being jointed would push each other apart for ever.
    fn separate_overlaps(&self, reference: &[Mat3x4], physics: &mut Physics) {
        let poses: Vec<Pose> = self.bodies.iter().map(|b| body_pose(&reference[b.bone], &b.place)).collect();
        for a in 0..self.bodies.len() {
            for b in a + 1..self.bodies.len() {
                let jointed = self
                    .joints
                    .iter()
                    .any(|j| (j.body1, j.body2) == (a, Some(b)) || (j.body1, j.body2) == (b, Some(a)));
                if jointed || !overlap(&self.bodies[a], &poses[a], &self.bodies[b], &poses[b], physics) {
                    continue;
                }
                let mut filter = GenericJoint::new(JointAxesMask::empty());
                filter.set_contacts_enabled(false);
                let (a, b) = (self.bodies[a].handle, self.bodies[b].handle);
                physics.world_mut().insert_impulse_joint(a, b, filter);
            }
        }
    }

    /// The same skeletal object with another doll, in place of this one: bodies of the same name go on with the velocity
    /// and strength they have.
    ///
    /// # Errors
    /// [`RagdollError`].
    pub(crate) fn renew(
        &self,
        doll: &Arc<Doll>,
        skeleton: &SkeletalObject,
        physics: &mut Physics,
    ) -> Result<Self, RagdollError> {
        let entity = *self.travel.entity();
        let mut renewed = Self::new(doll, skeleton, &entity, physics)?;
        renewed.animate(self.strength, physics);
        for (number, body) in renewed.doll.clone().bodies.iter().enumerate() {
            let Some(old) = self.doll.find_body(body.name.as_bytes()) else { continue };
            let Some(built) = physics.world().bodies.get(self.bodies[old].handle) else { continue };
            let (linear, angular, sleeping) = (built.linvel(), built.angvel(), built.is_sleeping());
            if let Some(built) = physics.world_mut().bodies.get_mut(renewed.bodies[number].handle)
                && built.is_dynamic()
            {
                built.set_linvel(linear, !sleeping);
                built.set_angvel(angular, !sleeping);
            }
        }
        Ok(renewed)
    }

    /// Takes its bodies and joints out of the world.
    pub fn remove(self, physics: &mut Physics) {
        for handle in self.bodies.iter().map(|b| b.handle).chain(self.world) {
            physics.world_mut().remove_body(handle);
        }
    }

    /// The doll, reduced to what the model has.
    pub fn doll(&self) -> &Arc<Doll> {
        &self.doll
    }

    /// What the doll's own strengths are multiplied by: the last `animate`; 1 to begin with.
    pub fn strength(&self) -> f32 {
        self.strength
    }

    /// How many of its bodies are animated.
    pub fn animated_bodies(&self) -> usize {
        self.bodies.iter().filter(|b| b.is_animated()).count()
    }

    /// Whether physics lets all of it rest.
    pub fn is_asleep(&self, physics: &Physics) -> bool {
        self.bodies.iter().all(|b| physics.world().bodies.get(b.handle).is_none_or(|b| b.is_sleeping()))
    }

    /// Its bodies as the last step left them.
    pub fn bodies<'a>(&'a self, physics: &'a Physics) -> impl Iterator<Item = BodyState> + 'a {
        self.bodies.iter().zip(&self.doll.bodies).filter_map(|(body, definition)| {
            let built = physics.world().bodies.get(body.handle)?;
            Some(BodyState {
                name: definition.name.clone(),
                bone: body.bone,
                shape: definition.shape,
                size: definition.size,
                position: built.translation(),
                rotation: *built.rotation(),
                velocity: built.linvel(),
                spin: built.angvel(),
                strength: body.strength,
                sleeping: built.is_sleeping(),
            })
        })
    }

    /// Its joints as the last step left them.
    pub fn joints<'a>(&'a self, physics: &'a Physics) -> impl Iterator<Item = JointState> + 'a {
        self.joints.iter().zip(&self.doll.joints).map(|(joint, definition)| {
            let [at1, at2] = self.joint_frames(joint, physics);
            let relative = at1.inverse() * at2;
            let mut state = JointState {
                name: definition.name.clone(),
                enabled: joint.enabled,
                anchors: [at1.translation, at2.translation],
                gap: 0.0,
                position: [0.0; 2],
                excess: [0.0; 2],
            };
            state.gap = match definition.kind {
                JointKind::Slider => relative.translation.with_x(0.0).length(),
                _ => relative.translation.length(),
            };
            for (number, axis) in joint::axes(definition.kind).iter().enumerate() {
                state.position[number] = -joint::position(*axis, &(joint.violation_left() * relative));
                let position = -joint::position(*axis, &relative);
                if let Some((lo, hi)) = definition.range(number) {
                    state.excess[number] = (position - hi).max(lo - position).max(0.0);
                }
            }
            state
        })
    }

    /// Kinetic and potential energy of its bodies, mass * (Quake units / s)^2; the potential one from z = 0.
    pub fn energy(&self, physics: &Physics) -> f32 {
        let up = -physics.settings().gravity;
        let bodies = self.bodies.iter().filter_map(|b| physics.world().bodies.get(b.handle));
        bodies.map(|b| b.kinetic_energy() + b.mass() * up.dot(b.center_of_mass())).sum()
    }

    /// Adds a velocity (units/s) and a spin (radians/s, about `centre`) to all its limp bodies, in world space.
    pub fn push(&self, velocity: Vec3, spin: Vec3, centre: Vec3, physics: &mut Physics) {
        if !(velocity.is_finite() && spin.is_finite() && centre.is_finite()) {
            return;
        }
        for body in &self.bodies {
            if let Some(body) = physics.world_mut().bodies.get_mut(body.handle)
                && body.is_dynamic()
            {
                let linear = body.linvel() + velocity + spin.cross(body.center_of_mass() - centre);
                let angular = body.angvel() + spin;
                body.set_linvel(linear, true);
                body.set_angvel(angular, true);
            }
        }
    }

    /// The lowest point of any body's shape as the last step left it, world Z.
    pub fn lowest_now(&self, physics: &Physics) -> f32 {
        let colliders = self.bodies.iter().filter_map(|body| collider(body, physics));
        colliders.map(|c| c.compute_aabb().mins.z).fold(f32::MAX, f32::min)
    }

    /// The lowest point that the bodies' shapes would have if they stood on these bones (model space), world Z.
    pub(super) fn lowest_point(&self, bones: &[Mat3x4], entity: &Mat3x4, physics: &Physics) -> f32 {
        let lowest = |body: &RagBody| {
            let collider = collider(body, physics)?;
            let at = body_pose(&(*entity * *bones.get(body.bone)?), &body.place);
            Some(collider.shape().compute_aabb(&collider_pose(&at, collider)).mins.z)
        };
        self.bodies.iter().filter_map(lowest).fold(f32::MAX, f32::min)
    }

    /// The joint's frame as each of its bodies has it, world space.
    fn joint_frames(&self, joint: &RagJoint, physics: &Physics) -> [Pose; 2] {
        let pose = |body: usize| {
            let body = &self.bodies[body];
            physics.world().bodies.get(body.handle).map_or(body.to, |b| *b.position())
        };
        let at2 = joint.body2.map_or(Pose::IDENTITY, pose);
        [pose(joint.body1) * joint.frame1(), at2 * joint.rest.local_frame2]
    }
}

/// The body's pose on a bone that may be scaled.
fn body_pose(bone: &Mat3x4, place: &Pose) -> Pose {
    Pose::from_parts(bone.transform_point(place.translation), bone.rotation() * place.rotation)
}

/// The model in the doll's reference pose, model space.
fn reference_pose(doll: &Doll, model: &Model) -> Vec<Mat3x4> {
    let ReferencePose::Animation { index, time } = doll.reference else {
        return model.skeleton.bind_model().to_vec();
    };
    let frame = FrameState::playing(i32::try_from(index).unwrap_or(0), time);
    let mut relative = model.skeleton.bind_relative().to_vec();
    let source = pose::PoseSource { model, frame: &frame };
    pose::sample(source, 0..relative.len(), &mut relative);
    let mut reference = relative.clone();
    pose::to_model_space(model.skeleton.parents(), &relative, &mut reference);
    reference
}

fn pivot_bone(joint: &Joint, doll: &Doll, model: &Model) -> usize {
    let default = &doll.bodies[joint.body2.unwrap_or(joint.body1)].bone;
    let find = |name: &Name| model.skeleton.find(name.as_bytes());
    joint.pivot.as_ref().and_then(find).or_else(|| find(default)).unwrap_or(0)
}

impl Ragdoll {
    /// Whether two bodies' shapes overlap where they are.
    fn bodies_overlap(&self, a: usize, b: usize, physics: &Physics) -> bool {
        let pose = |body: &RagBody| physics.world().bodies.get(body.handle).map_or(body.to, |b| *b.position());
        let (a, b) = (&self.bodies[a], &self.bodies[b]);
        overlap(a, &pose(a), b, &pose(b), physics)
    }
}

fn overlap(a: &RagBody, at_a: &Pose, b: &RagBody, at_b: &Pose, physics: &Physics) -> bool {
    let (Some(a), Some(b)) = (collider(a, physics), collider(b, physics)) else { return false };
    let (at_a, at_b) = (collider_pose(at_a, a), collider_pose(at_b, b));
    rapier3d::parry::query::intersection_test(&at_a, a.shape(), &at_b, b.shape()).is_ok_and(|hit| hit.intersecting)
}

fn collider<'a>(body: &RagBody, physics: &'a Physics) -> Option<&'a Collider> {
    let handle = *physics.world().bodies.get(body.handle)?.colliders().first()?;
    physics.world().colliders.get(handle)
}

fn collider_pose(body: &Pose, collider: &Collider) -> Pose {
    *body * collider.position_wrt_parent().copied().unwrap_or(Pose::IDENTITY)
}
