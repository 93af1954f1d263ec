//! Helpers of the ragdoll tests: models, a doll on a posed object, an object that plays its animations.
#![allow(dead_code)]

use std::path::Path;
use std::sync::Arc;

use skelobj::doll::Doll;
use skelobj::math::{EntityTransform, Mat3x4, Vec3};
use skelobj::model::FrameState;
use skelobj::object::{Build, SkeletalObject, Space};
use skelobj::physics::rapier3d::prelude::{Group, InteractionGroups, InteractionTestMode, RigidBody};
use skelobj::physics::{Physics, PhysicsSettings};
use skelobj::ragdoll::{BodyState, Command, Flinch, JointState, Ragdoll};
use skelobj::runtime::{ModelId, ObjectId, RagdollCommandError, Settings};
use skelobj::{Model, Runtime, assets};

pub fn golden(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

pub fn golden_model(name: &str) -> Model {
    let file = std::fs::read(golden("models").join(name)).unwrap();
    Model::load(name, &file, |_| None).unwrap()
}

pub fn mannequin() -> Model {
    Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None).unwrap()
}

/// Returns the default physics settings with some changed.
pub fn physics_with(change: impl FnOnce(&mut PhysicsSettings)) -> PhysicsSettings {
    let mut settings = PhysicsSettings::default();
    change(&mut settings);
    settings
}

/// Returns settings without gravity and damping.
pub fn weightless() -> PhysicsSettings {
    weightless_but(Vec3::ZERO)
}

/// Returns settings without damping and with this gravity.
pub fn weightless_but(gravity: Vec3) -> PhysicsSettings {
    physics_with(|settings| {
        settings.gravity = gravity;
        settings.linear_damping = 0.0;
        settings.angular_damping = 0.0;
        settings.sleep_speed = 0.0;
    })
}

/// Returns a runtime with these settings and the files of the golden dolls.
pub fn runtime_with(physics: PhysicsSettings) -> Runtime {
    let mut settings = Settings::default();
    settings.physics = physics;
    let mut runtime = Runtime::new(settings).unwrap();
    runtime.set_files(files);
    runtime
}

/// Doll on the object of a runtime, which is posed by its bones, and whose entity may have any matrix.
pub struct Rig {
    pub runtime: Runtime,
    pub id: ObjectId,
    pub entity: Mat3x4,
}

impl Rig {
    pub fn new(object: SkeletalObject, doll: &Arc<Doll>, entity: Mat3x4, settings: PhysicsSettings) -> Self {
        Self::new_in(runtime_with(settings), object, doll, entity)
    }

    /// Creates the bodies of a doll in the world of a runtime.
    pub fn new_in(mut runtime: Runtime, object: SkeletalObject, doll: &Arc<Doll>, entity: Mat3x4) -> Self {
        let model = runtime.add_model("rig", object.model().clone()).unwrap();
        let id = runtime.create_object(model, Space::Local).unwrap();
        *runtime.object_mut(id).unwrap() = object;
        runtime.set_ragdoll(id, &entity, doll).unwrap();
        Self { runtime, id, entity }
    }

    /// Creates the bodies of a doll's text on the golden chain: six bones along X, 16 units apart, 100 units up.
    pub fn chain(text: &str, settings: PhysicsSettings) -> Self {
        Self::chain_posed(text, settings, |_| {})
    }

    /// Creates the bodies of a doll's text on the golden chain after `edit` has changed its relative matrices.
    pub fn chain_posed(text: &str, settings: PhysicsSettings, edit: impl FnOnce(&mut [Mat3x4])) -> Self {
        let model = Arc::new(golden_model("chain.iqm"));
        let parsed = Doll::parse_for(text.as_bytes(), &model.skeleton);
        let mut object = bind_pose(&model);
        edit(object.bones_mut());
        Self::new(object, &Arc::new(parsed.doll), Mat3x4::IDENTITY, settings)
    }

    /// Creates the mannequin in its bind pose at the origin.
    pub fn mannequin(settings: PhysicsSettings) -> Self {
        let model = Arc::new(mannequin());
        let doll = Doll::parse_for(assets::MANNEQUIN_DOLL, &model.skeleton).doll;
        Self::new(bind_pose(&model), &Arc::new(doll), Mat3x4::IDENTITY, settings)
    }

    pub fn command<'a>(&mut self, command: impl Into<Command<'a>>) -> Result<u32, RagdollCommandError> {
        self.runtime.ragdoll_command(self.id, &self.entity, command, None)
    }

    /// Makes all bodies limp.
    pub fn limp(&mut self) {
        self.command(Command::Animate(0.0, None)).unwrap();
    }

    pub fn update(&mut self) {
        self.command(Command::Update).unwrap();
    }

    /// Poses the object by matrices relative to the parents.
    pub fn pose(&mut self, bones: &[Mat3x4]) {
        self.object_mut().set_local_pose(bones).unwrap();
    }

    pub fn hit(
        &mut self,
        bone: Option<usize>,
        point: Vec3,
        impulse: Vec3,
        flinch: Flinch,
    ) -> Result<bool, RagdollCommandError> {
        self.runtime.ragdoll_impulse(self.id, bone, point, impulse, flinch)
    }

    pub fn step(&mut self, seconds: f32) {
        self.runtime.step(seconds).unwrap();
    }

    /// Simulates sixtieths of a second and calls `each` after every one.
    pub fn run(&mut self, seconds: f32, mut each: impl FnMut(&mut Self)) {
        for _ in 0..(seconds * 60.0).round() as usize {
            self.update();
            self.step(1.0 / 60.0);
            each(self);
        }
    }

    pub fn physics(&self) -> &Physics {
        self.runtime.physics()
    }

    pub fn physics_mut(&mut self) -> &mut Physics {
        self.runtime.physics_mut()
    }

    pub fn object(&self) -> &SkeletalObject {
        self.runtime.object(self.id).unwrap()
    }

    pub fn object_mut(&mut self) -> &mut SkeletalObject {
        self.runtime.object_mut(self.id).unwrap()
    }

    pub fn ragdoll(&self) -> &Ragdoll {
        self.runtime.ragdoll(self.id).unwrap()
    }

    pub fn bodies(&self) -> Vec<BodyState> {
        self.ragdoll().bodies(self.physics()).collect()
    }

    pub fn body(&self, name: &str) -> BodyState {
        self.ragdoll().bodies(self.physics()).find(|body| body.name == *name).unwrap()
    }

    pub fn joints(&self) -> Vec<JointState> {
        self.ragdoll().joints(self.physics()).collect()
    }

    pub fn joint(&self, name: &str) -> JointState {
        self.ragdoll().joints(self.physics()).find(|joint| joint.name == *name).unwrap()
    }

    pub fn built(&mut self, name: &str) -> &mut RigidBody {
        let state = self.body(name);
        built(self.physics_mut(), &state)
    }

    pub fn widest_gap(&self) -> f32 {
        self.joints().iter().map(|joint| joint.gap).fold(0.0, f32::max)
    }

    pub fn fastest(&self) -> f32 {
        fastest(&self.bodies())
    }

    pub fn energy(&self) -> f32 {
        self.ragdoll().energy(self.physics())
    }

    pub fn is_asleep(&self) -> bool {
        self.ragdoll().is_asleep(self.physics())
    }
}

/// Returns the rapier body of a body's state.
pub fn built<'a>(physics: &'a mut Physics, state: &BodyState) -> &'a mut RigidBody {
    let same = |body: &RigidBody| body.translation() == state.position && *body.rotation() == state.rotation;
    let (handle, _) = physics.world().bodies.iter().find(|(_, body)| same(body)).unwrap();
    physics.world_mut().bodies.get_mut(handle).unwrap()
}

/// Turns off all contacts from now on.
pub fn without_contacts(physics: &mut Physics) {
    let nothing = InteractionGroups::new(Group::NONE, Group::NONE, InteractionTestMode::And);
    for (_, collider) in physics.world_mut().colliders.iter_mut() {
        collider.set_collision_groups(nothing);
    }
}

pub fn fastest(bodies: &[BodyState]) -> f32 {
    bodies.iter().map(|body| body.velocity.length()).fold(0.0, f32::max)
}

pub fn bind_pose(model: &Arc<Model>) -> SkeletalObject {
    let mut object = SkeletalObject::new(model.clone(), Space::Local);
    object.set_local_pose(model.skeleton.bind_local()).unwrap();
    object
}

/// Object of a runtime with the files of the golden dolls.
pub struct Stage {
    pub runtime: Runtime,
    pub model: ModelId,
    pub object: ObjectId,
    pub entity: EntityTransform,
}

impl Stage {
    pub fn new(name: &str, model: Model, physics: PhysicsSettings) -> Self {
        let mut runtime = runtime_with(physics);
        let model = runtime.add_model(name, model).unwrap();
        let object = runtime.create_object(model, Space::Local).unwrap();
        Self { runtime, model, object, entity: EntityTransform::IDENTITY }
    }

    /// Creates the mannequin on a floor without building it.
    pub fn mannequin() -> Self {
        Self::mannequin_on(|physics| {
            physics.add_floor(0.0).unwrap();
        })
    }

    /// Creates the mannequin without building it, on what `add` adds.
    pub fn mannequin_on(add: impl FnOnce(&mut Physics)) -> Self {
        let mut stage = Self::new("mannequin.iqm", mannequin(), PhysicsSettings::default());
        add(stage.runtime.physics_mut());
        stage
    }

    /// Creates and builds the golden chain 100 units up, without a floor.
    pub fn chain() -> Self {
        let mut stage = Self::new("models/chain.iqm", golden_model("chain.iqm"), PhysicsSettings::default());
        stage.build(0, 0.0);
        stage
    }

    pub fn build(&mut self, animation: usize, time: f32) {
        self.runtime
            .build(self.object, self.model, &FrameState::single(animation, time.into()), &Build::REPLACE)
            .unwrap();
    }

    pub fn animation(&self, name: &str) -> usize {
        self.runtime.model(self.model).unwrap().find_animation(name).unwrap()
    }

    pub fn command(&mut self, text: &str) -> Result<u32, RagdollCommandError> {
        self.command_from(text, None)
    }

    pub fn command_from(&mut self, text: &str, source: Option<ObjectId>) -> Result<u32, RagdollCommandError> {
        let entity = self.runtime.settings().entity_matrix(&self.entity);
        self.runtime.ragdoll_command(self.object, &entity, Command::parse(text).unwrap(), source)
    }

    pub fn step(&mut self, seconds: f32) -> usize {
        self.runtime.step(seconds).unwrap().steps
    }

    /// Returns the matrices of the object in whatever space they are.
    pub fn raw(&self) -> Vec<Mat3x4> {
        self.runtime.object(self.object).unwrap().pose().bones().to_vec()
    }

    /// Returns all bones in model space.
    pub fn bones(&self) -> Vec<Mat3x4> {
        let object = self.runtime.object(self.object).unwrap();
        let mut bones = vec![Mat3x4::ZERO; object.bone_count()];
        object.write_model_space(&mut bones);
        bones
    }

    pub fn bone(&self, name: &str) -> usize {
        self.runtime.object(self.object).unwrap().find_bone(name.as_bytes()).unwrap()
    }

    pub fn ragdoll(&self) -> &Ragdoll {
        self.runtime.ragdoll(self.object).unwrap()
    }

    pub fn bodies(&self) -> Vec<BodyState> {
        self.ragdoll().bodies(self.runtime.physics()).collect()
    }

    pub fn body(&self, name: &str) -> BodyState {
        self.bodies().into_iter().find(|body| body.name == *name).unwrap()
    }

    pub fn joints(&self) -> Vec<JointState> {
        self.ragdoll().joints(self.runtime.physics()).collect()
    }

    pub fn built(&mut self, name: &str) -> &mut RigidBody {
        let state = self.body(name);
        built(self.runtime.physics_mut(), &state)
    }

    pub fn widest_gap(&self) -> f32 {
        self.joints().iter().filter(|joint| joint.is_enabled).map(|joint| joint.gap).fold(0.0, f32::max)
    }

    /// Returns the velocity of the centre of mass, and the kinetic energy without rotation.
    pub fn motion(&self) -> (Vec3, f32) {
        let (mut momentum, mut mass, mut energy) = (Vec3::ZERO, 0.0, 0.0);
        for (body, definition) in self.bodies().iter().zip(&self.ragdoll().doll().bodies) {
            momentum += body.velocity * definition.mass;
            mass += definition.mass;
            energy += 0.5 * definition.mass * body.velocity.length_squared();
        }
        (momentum / mass, energy)
    }

    pub fn assert_finite(&self, when: &str) {
        for (number, bone) in self.raw().iter().enumerate() {
            assert!(bone.0.iter().all(|v| v.is_finite()), "bone {number} {when}: {bone:?}");
        }
        if let Some(ragdoll) = self.runtime.ragdoll(self.object) {
            for body in ragdoll.bodies(self.runtime.physics()) {
                let finite = body.position.is_finite() && body.rotation.is_finite();
                assert!(finite && body.velocity.is_finite() && body.angular_velocity.is_finite(), "{when}: {body:?}");
            }
        }
    }
}

/// Returns the golden dolls and that of the mannequin.
pub fn files(name: &str) -> Option<Vec<u8>> {
    if name == "mannequin.doll" {
        return Some(assets::MANNEQUIN_DOLL.to_vec());
    }
    std::fs::read(golden("dolls").join(name)).ok()
}

/// Returns the largest difference between two lists of matrices.
pub fn difference(a: &[Mat3x4], b: &[Mat3x4]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).flat_map(|(a, b)| a.0.iter().zip(&b.0)).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

/// Returns the bits of all bones.
pub fn bits(bones: &[Mat3x4]) -> Vec<u32> {
    bones.iter().flat_map(|bone| bone.0.map(f32::to_bits)).collect()
}

/// Checks that two recordings of frames are equal bit for bit.
#[track_caller]
pub fn assert_same(expected: &[Vec<u32>], found: &[Vec<u32>]) {
    let first = expected.iter().zip(found).position(|(a, b)| a != b);
    assert_eq!((first, expected.len()), (None, found.len()), "the first frame that differs");
}
