//! Operations on poses, springs, histories, ragdolls and levels with finite numbers of any size: each returns an error
//! and keeps the pose, or everything is finite.
//!
//! Kernels such as those of `pose::raw` and `pose::add` are not among them: they multiply what they are given.

use std::sync::{Arc, LazyLock};

use skelobj::math::{EntityTransform, Mat3x4, Quat, Vec3};
use skelobj::model::{Blend, FrameState};
use skelobj::object::{Build, Space};
use skelobj::physics::CollisionGroups;
use skelobj::pose::{
    Additive, Aim, BoneMask, Chain, EndRotation, Feet, Ground, Motion, Reach, RootMotion, Spring, SpringCollider,
};
use skelobj::ragdoll::{Command, Flinch};
use skelobj::runtime::{
    BoneReceiver, HistorySettings, Hit, ModelId, ObjectGeometry, ObjectId, PastTarget, Replication, Settings, Trace,
};
use skelobj::{Doll, Model, Runtime, SkeletalObject, assets};

const SIZES: [f32; 9] = [0.0, -0.0, 1e-45, 1e9, 1e19, 1e30, 1e38, -1e38, f32::MAX];

/// Bones of which a number is replaced: a root, the start, the middle and the end of a limb, and one in the trunk.
const BONES: [&str; 5] = ["pelvis", "thigh_l", "shin_l", "foot_l", "chest"];

/// Numbers of a matrix: on its diagonal, off it, and a coordinate of its origin.
const PLACES: [usize; 4] = [0, 1, 5, 3];

const LEGS: &str = "pelvis, thigh_l, shin_l, foot_l, thigh_r, shin_r, foot_r";

static MODEL: LazyLock<Arc<Model>> = LazyLock::new(|| assets::mannequin().into());
static DOLL: LazyLock<Arc<Doll>> = LazyLock::new(|| assets::mannequin_doll().into());

/// Numbers of a result; `None` for an error.
type Numbers = Option<Vec<f32>>;

struct Operation {
    name: &'static str,
    /// `true` for a single call, whose error keeps the pose.
    is_one: bool,
    /// Arguments with which the operation succeeds.
    usual: Vec<f32>,
    run: fn(&mut Scene, &Arguments<'_>) -> Numbers,
}

struct Arguments<'a>(&'a [f32]);

impl Arguments<'_> {
    fn number(&self, at: usize) -> f32 {
        self.0[at]
    }

    fn vector(&self, at: usize) -> Vec3 {
        Vec3::from_slice(&self.0[at..])
    }

    fn matrix(&self, at: usize) -> Mat3x4 {
        Mat3x4(self.0[at..at + 12].try_into().unwrap())
    }

    fn quat(&self, at: usize) -> Quat {
        Quat::from_slice(&self.0[at..])
    }
}

/// Object in the middle of a run, with a spring that swings, and another in the same pose.
struct Scene {
    runtime: Runtime,
    model: ModelId,
    object: ObjectId,
    other: ObjectId,
}

impl Scene {
    fn new() -> Self {
        let mut runtime = Runtime::default();
        runtime.physics_mut().add_floor(0.0).unwrap();
        let model = runtime.add_model("mannequin", MODEL.clone()).unwrap();
        let [object, other] = [(); 2].map(|()| {
            let object = runtime.create_object(model, Space::Local).unwrap();
            runtime.build(object, model, &FrameState::single(2, 0.2), &Build::REPLACE).unwrap();
            object
        });
        runtime.object_mut(object).unwrap().swing(&arm(), &Mat3x4::IDENTITY, 0.02).unwrap();
        Self { runtime, model, object, other }
    }

    fn object(&mut self) -> &mut SkeletalObject {
        self.runtime.object_mut(self.object).unwrap()
    }

    fn bits(&self) -> Vec<u32> {
        let bones = self.runtime.object(self.object).unwrap().pose().bones();
        bones.iter().flat_map(|bone| bone.0.map(f32::to_bits)).collect()
    }

    /// Starts a history with the pose of the object.
    fn record(&mut self) {
        self.runtime.keep_history(Some(HistorySettings::default())).unwrap();
        self.runtime.record_pose(self.object, 1.0, &Mat3x4::IDENTITY).unwrap();
    }

    /// Lets the object be a ragdoll that is limp.
    fn fall(&mut self) -> Option<()> {
        let entity = Mat3x4::from_translation(Vec3::Z * 20.0);
        self.runtime.set_ragdoll(self.object, &entity, &DOLL).ok()?;
        self.runtime.ragdoll_command(self.object, &entity, Command::Animate(0.0, None), None).ok()?;
        self.advance(0.03)
    }

    fn advance(&mut self, seconds: f32) -> Option<()> {
        self.runtime.step(seconds).ok().map(drop)
    }

    /// Returns the positions and velocities of the bodies.
    fn bodies(&self) -> Vec<f32> {
        let bodies = self.runtime.ragdoll(self.object).map(|ragdoll| ragdoll.bodies(self.runtime.physics()).collect());
        let bodies: Vec<_> = bodies.unwrap_or_default();
        bodies
            .iter()
            .flat_map(|body| [body.position, body.velocity, body.angular_velocity])
            .flat_map(|vector| vector.to_array())
            .collect()
    }
}

fn arm() -> Spring {
    Spring::parse(&MODEL.skeleton, "upperarm_l, hand_l").unwrap()
}

fn numbers(matrices: impl IntoIterator<Item = Mat3x4>) -> Vec<f32> {
    matrices.into_iter().flat_map(|matrix| matrix.0).collect()
}

fn done<T, E>(result: Result<T, E>) -> Numbers {
    result.ok().map(|_| Vec::new())
}

fn told<E>(result: Result<f32, E>) -> Numbers {
    result.ok().map(|number| vec![number])
}

fn of_hit(hit: Option<Hit>) -> Vec<f32> {
    hit.map_or(vec![], |hit| [[hit.fraction; 3], hit.point.to_array(), hit.normal.to_array()].concat())
}

fn frame(time: f32, weights: [f32; 2]) -> FrameState {
    FrameState::blended([Blend::new(2, time.into(), weights[0]), Blend::new(1, time.into(), weights[1])])
}

fn aim(bones: &str, arguments: &Arguments<'_>) -> Aim {
    let mut aim = Aim::parse(&MODEL.skeleton, bones).unwrap();
    aim = aim.with_axis(arguments.vector(3), arguments.vector(6)).with_pole(Some(arguments.vector(9)));
    aim.with_offset(arguments.vector(12)).with_limit(arguments.number(15)).with_weight(arguments.number(16))
}

fn reach(arguments: &Arguments<'_>) -> Reach {
    let leg = Reach::parse(&MODEL.skeleton, "thigh_l, shin_l, foot_l").unwrap();
    let leg = leg.with_pole(Some(arguments.vector(3))).with_twist(arguments.number(6)).with_soften(arguments.number(7));
    leg.with_bend([arguments.number(8), arguments.number(9)]).with_weight(arguments.number(10))
}

fn hinged(arguments: &Arguments<'_>) -> Reach {
    reach(arguments).with_hinge(Some(arguments.vector(11))).with_end(EndRotation::KeptThen(arguments.quat(14)))
}

fn spring(arguments: &Arguments<'_>) -> Spring {
    let mut spring = arm();
    spring.frequency = arguments.number(13);
    spring.damping = arguments.number(14);
    spring.share = arguments.number(15);
    spring.gravity = arguments.vector(16);
    spring.limit = arguments.number(19);
    spring.radius = arguments.number(20);
    spring.teleport = arguments.number(21);
    spring.weight = arguments.number(22);
    let (from, to) = (arguments.vector(23), arguments.vector(26));
    let collider = SpringCollider { bone: 0, from, to, radius: arguments.number(29) };
    spring.with_collider(collider).unwrap()
}

fn swing(scene: &mut Scene, arguments: &Arguments<'_>) -> Numbers {
    let spring = spring(arguments);
    done(scene.object().swing(&spring, &arguments.matrix(0), arguments.number(12)))
}

fn place(scene: &mut Scene, arguments: &Arguments<'_>) -> Numbers {
    let mut feet = Feet::parse(&MODEL.skeleton, LEGS).unwrap();
    feet.floor = arguments.number(13);
    feet.step = arguments.number(14);
    feet.slope = arguments.number(15);
    feet.frequency = arguments.number(16);
    feet.weight = arguments.number(17);
    let ground = Ground { point: arguments.vector(18), normal: arguments.vector(21) };
    done(scene.object().place_feet(&feet, &arguments.matrix(0), arguments.number(12), |_, _| Some(ground)))
}

fn operations() -> Vec<Operation> {
    let identity = Mat3x4::IDENTITY.0.to_vec();
    let moved = Mat3x4::from_translation_rotation_scale([3.0, 4.0, 30.0], [0.0, 0.6, 0.0, 0.8], [1.0; 3]).0.to_vec();
    let looks = [60.0, 30.0, 90.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.1, 1.0, 0.5, 1.0, 0.25, 1.2, 0.9].to_vec();
    let leg = [6.0, 5.0, 12.0, 1.0, 0.2, 0.0, 0.1, 0.97, 0.2, 3.0, 0.9].to_vec();
    let hinged_leg = [leg.clone(), vec![0.0, -1.0, 0.0, 0.0, 0.1, 0.0, 0.995]].concat();
    let swung = [2.0, 0.3, 0.25, 0.0, 0.0, -100.0, 3.0, 0.5, 4.0, 0.9, 0.0, 0.0, 0.0, 0.0, 0.0, 10.0, 4.0].to_vec();
    let swung = [moved.clone(), vec![0.02], swung].concat();
    let placed = [vec![0.02], vec![-2.0, 18.0, 0.6, 3.0, 0.9, 3.0, 4.0, 5.0, 0.1, -0.2, 1.0]].concat();
    let placed = [Mat3x4::from_translation(Vec3::Z * 3.0).0.to_vec(), placed].concat();
    let weights = vec![0.3, 0.75, 0.5];
    let one = |name, usual, run| Operation { name, is_one: true, usual, run };
    let several = |name, usual, run| Operation { name, is_one: false, usual, run };
    vec![
        one("aim a bone", looks.clone(), |scene, a| {
            let aim = aim("head", a);
            told(scene.object().aim(&aim, a.vector(0)))
        }),
        one("aim a chain", looks.clone(), |scene, a| {
            let aim = aim("chest 0.2, neck 0.3, head 0.5", a);
            told(scene.object().aim(&aim, a.vector(0)))
        }),
        one("aim without a limit", looks, |scene, a| {
            let aim = aim("head", a).with_limit(std::f32::consts::PI).with_offset(Vec3::ZERO);
            told(scene.object().aim(&aim, a.vector(0)))
        }),
        one("rotation of an aim", [vec![60.0, 30.0, 90.0], identity.clone()].concat(), |_, a| {
            let head = Aim::parse(&MODEL.skeleton, "head").unwrap();
            Some(head.rotation(&a.matrix(3), a.vector(0)).ok()?.to_array().to_vec())
        }),
        one("turn", vec![0.4, -0.7], |scene, a| {
            let aim = Aim::parse(&MODEL.skeleton, "chest 0.2, head 0.8").unwrap();
            told(scene.object().turn(&aim, a.number(0), a.number(1)))
        }),
        one("reach", leg.clone(), |scene, a| told(scene.object().reach(&reach(a), a.vector(0)))),
        one("reach with a hinge", hinged_leg, |scene, a| told(scene.object().reach(&hinged(a), a.vector(0)))),
        one("rotations of a reach", [leg, moved.clone(), identity.clone(), vec![1.0, 2.0, -30.0]].concat(), |_, a| {
            let made = reach(a).rotations(&a.matrix(11), &a.matrix(23), a.vector(35), a.vector(0)).ok()?;
            Some([made.start.to_array(), made.middle.to_array(), [made.missed; 4]].concat())
        }),
        one("reach with a chain", vec![20.0, -8.0, 50.0, 0.01, 0.9], |scene, a| {
            let chain = Chain::parse(&MODEL.skeleton, "chest, hand_r").unwrap();
            let chain = chain.with_tolerance(a.number(3)).with_weight(a.number(4));
            told(scene.object().reach_chain(&chain, a.vector(0)))
        }),
        one("place_feet", placed.clone(), place),
        several("place_feet again", placed, |scene, a| {
            scene
                .runtime
                .place_feet(scene.object, &Feet::parse(&MODEL.skeleton, LEGS).unwrap(), &Mat3x4::IDENTITY, 0.02)
                .ok()?;
            place(scene, a)?;
            place(scene, a)
        }),
        one("swing", swung.clone(), swing),
        several("swing again", swung.clone(), |scene, a| {
            swing(scene, a)?;
            done(scene.object().swing(&arm(), &Mat3x4::IDENTITY, 0.02))
        }),
        several("swing in model space", swung, |scene, a| {
            let mut pose = vec![Mat3x4::ZERO; MODEL.skeleton.len()];
            scene.object().write_model_space(&mut pose);
            scene.object().set_model_space_pose(&pose).ok()?;
            scene.object().reset_springs();
            done(scene.object().swing(&arm(), &Mat3x4::IDENTITY, 0.02))?;
            swing(scene, a)
        }),
        one("set_bone", moved.clone(), |scene, a| done(scene.object().set_bone(1, a.matrix(0)))),
        one("mul_bone", moved.clone(), |scene, a| done(scene.object().mul_bone(1, a.matrix(0)))),
        one("mul_bones", moved.clone(), |scene, a| {
            scene.object().mul_bones(0..5, a.matrix(0));
            Some(Vec::new())
        }),
        one("post_mul_bone", moved.clone(), |scene, a| done(scene.object().post_mul_bone(1, a.matrix(0)))),
        one("set_bone_axes", moved.clone(), |scene, a| done(scene.object().set_bone_axes(1, &a.matrix(0)))),
        one("set_bone_model_space", moved.clone(), |scene, a| {
            done(scene.object().set_bone_model_space(1, a.matrix(0)))
        }),
        one("set_bone_world", [moved.clone(), identity.clone()].concat(), |scene, a| {
            done(scene.runtime.set_bone_world(scene.object, &a.matrix(12), 2, &a.matrix(0)))
        }),
        one("set_local_pose", moved.clone(), |scene, a| done(scene.object().set_local_pose(&[a.matrix(0)]))),
        one("set_model_space_pose", moved.clone(), |scene, a| {
            done(scene.object().set_model_space_pose(&[a.matrix(0), a.matrix(0)]))
        }),
        one("copy_bones_by_name", moved.clone(), |scene, a| {
            done(scene.runtime.copy_bones_by_name(scene.object, scene.other, &a.matrix(0)))
        }),
        one("build", [weights.clone(), vec![0.5, 0.5]].concat(), |scene, a| {
            let build = Build { retain: a.number(3), add: a.number(4), ..Build::REPLACE };
            let frame = frame(a.number(0), [a.number(1), a.number(2)]);
            done(scene.runtime.build(scene.object, scene.model, &frame, &build))
        }),
        one("build_normalized", [weights.clone(), vec![0.5, 0.5]].concat(), |scene, a| {
            let build = Build { retain: a.number(3), add: a.number(4), ..Build::REPLACE };
            let frame = frame(a.number(0), [a.number(1), a.number(2)]);
            done(scene.runtime.build_normalized(scene.object, scene.model, &frame, &build))
        }),
        one("build through a mask", [weights.clone(), vec![0.5]].concat(), |scene, a| {
            let mask = BoneMask::new(vec![a.number(3); MODEL.skeleton.len()]).ok()?;
            scene.object().set_mask(Some(mask.into()));
            let frame = frame(a.number(0), [a.number(1), a.number(2)]);
            done(scene.runtime.build(scene.object, scene.model, &frame, &Build::REPLACE))
        }),
        one("add_pose", [weights.clone(), vec![0.5]].concat(), |scene, a| {
            let frame = frame(a.number(0), [a.number(1), a.number(2)]);
            let reference = FrameState::single(0, a.number(0).into());
            done(scene.runtime.add_pose(scene.object, scene.model, &frame, Some(&reference), a.number(3)))
        }),
        one("add_layer", [moved.clone(), identity.clone(), vec![-0.5]].concat(), |scene, a| {
            let layer = Additive::new(&[a.matrix(0); 6], &[a.matrix(12); 6]);
            done(scene.object().add_layer(&layer, a.number(24)))
        }),
        one("take_motion", weights.clone(), |scene, a| {
            let root = RootMotion::parse(&MODEL.skeleton, "pelvis").unwrap();
            let frame = frame(a.number(0), [a.number(1), a.number(2)]);
            done(scene.runtime.take_motion(scene.object, &root, scene.model, &frame))
        }),
        one("motion", [weights, vec![0.1, 0.2, 0.7]].concat(), |_, a| {
            let root = RootMotion::parse(&MODEL.skeleton, "pelvis").unwrap();
            let frames = [0, 3].map(|at| frame(a.number(at), [a.number(at + 1), a.number(at + 2)]));
            let motion = root.motion(&MODEL, &frames[1], &frames[0]).ok()?;
            let during = root.during(&MODEL, &frames[0], a.number(3).into()).ok()?;
            let between = root.between(&MODEL, 2, a.number(0).into(), a.number(3).into()).ok()?;
            let motions = [motion, during, between, motion.then(during)];
            Some(numbers(motions.map(|motion| Mat3x4([motion.yaw; 12]).with_origin(motion.translation))))
        }),
        one("matrix of a motion", vec![10.0, 5.0, 1.0, 0.5], |_, a| {
            let motion = Motion { translation: a.vector(0), yaw: a.number(3) };
            let entity = EntityTransform::new(Vec3::ONE, Vec3::Y * 45.0).to_world(-1.0, 1.0);
            Some(numbers([motion.matrix(), Motion::default().then(motion).matrix(), motion.moved(&entity)]))
        }),
        several("record_pose", [moved.clone(), vec![1.1, 1.05]].concat(), |scene, a| {
            scene.record();
            scene.runtime.record_pose(scene.object, a.number(12).into(), &a.matrix(0)).ok()?;
            let history = scene.runtime.history().unwrap();
            let past = history.pose_at(scene.object, PastTarget::at(a.number(13).into()).clamped())?;
            Some([numbers([past.entity]), numbers(past.bones)].concat())
        }),
        one("trace an object", [vec![-40.0, 1.0, 36.0, 40.0, 1.0, 36.0], identity.clone()].concat(), |scene, a| {
            let trace = Trace::line(a.vector(0), a.vector(3));
            let trace = trace.with_object(scene.object, a.matrix(6), ObjectGeometry::Skin);
            let hit = scene.runtime.trace(&trace).ok()?;
            Some(of_hit(hit))
        }),
        one("trace the past", vec![-40.0, 1.0, 36.0, 40.0, 1.0, 36.0, 1.0], |scene, a| {
            scene.record();
            let past = PastTarget::at(a.number(6).into()).clamped().with_object(scene.object, ObjectGeometry::Skin);
            let hit = scene.runtime.trace(&Trace::line(a.vector(0), a.vector(3)).with_past(past)).ok()?;
            Some(of_hit(hit))
        }),
        one("trace the level", vec![0.0, 1.0, 36.0, 40.0, 1.0, -36.0, -2.0, -2.0, -2.0, 2.0, 2.0, 2.0], |scene, a| {
            let trace = Trace::line(a.vector(0), a.vector(3)).with_box(a.vector(6), a.vector(9));
            let hit = scene.runtime.trace(&trace.with_groups(CollisionGroups::LEVEL)).ok()?;
            Some(of_hit(hit))
        }),
        several("show_bones", vec![1.0, 2.0, 1.5], |scene, a| {
            let mut receiver = BoneReceiver::default();
            for (time, what) in [(a.number(0), Replication::Full), (a.number(1), Replication::Positions)] {
                let mut message = Vec::new();
                scene.runtime.encode_bones(scene.object, what, &mut message).ok()?;
                let pose = scene.runtime.decode_bones(scene.object, &message).ok()?;
                receiver.receive(time.into(), pose);
            }
            done(scene.runtime.show_bones(scene.object, &receiver, a.number(2).into()))
        }),
        several("set_settings", vec![-1.0, 1.0, 0.0, 0.0, -800.0, 0.7, 0.02, 0.1], |scene, a| {
            let mut settings = Settings::default();
            (settings.mesh_pitch, settings.mesh_roll) = (a.number(0), a.number(1));
            (settings.physics.gravity, settings.physics.friction) = (a.vector(2), a.number(5));
            (settings.physics.step, settings.physics.max_step_debt) = (a.number(6), a.number(7));
            scene.runtime.set_settings(settings).ok()?;
            scene.fall()?;
            Some(scene.bodies())
        }),
        several("ragdoll in a world", [moved.clone(), vec![0.03]].concat(), |scene, a| {
            let entity = a.matrix(0);
            scene.runtime.set_ragdoll(scene.object, &entity, &DOLL).ok()?;
            scene.advance(a.number(12))?;
            scene.runtime.ragdoll_command(scene.object, &entity, Command::Update, None).ok()?;
            Some(scene.bodies())
        }),
        several(
            "ragdoll that is hit",
            [moved, vec![0.0, 3.0, 50.0, 400.0, 0.0, 100.0, 0.5, 0.3]].concat(),
            |scene, a| {
                scene.fall()?;
                let hit = Flinch::default().with_strength(a.number(18)).with_seconds(a.number(19));
                scene.runtime.ragdoll_impulse(scene.object, Some(1), a.vector(12), a.vector(15), hit).ok()?;
                scene.runtime.add_ragdoll_velocity(scene.object, a.vector(15), a.vector(12), a.vector(0)).ok()?;
                scene.advance(0.03)?;
                scene.runtime.ragdoll_command(scene.object, &a.matrix(0), Command::Update, None).ok()?;
                Some(scene.bodies())
            },
        ),
    ]
}

/// Runs an operation and returns what is wrong with its outcome.
fn trial(operation: &Operation, scene: &mut Scene, arguments: &[f32]) -> Option<&'static str> {
    let before = scene.bits();
    let outcome = (operation.run)(scene, &Arguments(arguments));
    let is_finite = scene.object().pose().bones().iter().all(Mat3x4::is_finite);
    match outcome {
        _ if !is_finite => Some("bones that are not finite"),
        Some(numbers) if !numbers.iter().all(|number| number.is_finite()) => Some("a result that is not finite"),
        None if operation.is_one && before != scene.bits() => Some("an error that changes the pose"),
        _ => None,
    }
}

#[test]
fn arguments_of_any_size_give_an_error_or_finite_numbers() {
    let mut wrong = Vec::new();
    for operation in operations() {
        let mut scene = Scene::new();
        assert!((operation.run)(&mut scene, &Arguments(&operation.usual)).is_some(), "{}", operation.name);
        for (at, size) in (0..operation.usual.len()).flat_map(|at| SIZES.map(|size| (at, size))) {
            let mut arguments = operation.usual.clone();
            arguments[at] = size;
            if let Some(problem) = trial(&operation, &mut Scene::new(), &arguments) {
                wrong.push(format!("{}, argument {at} is {size:e}: {problem}", operation.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn poses_of_any_size_give_an_error_or_finite_numbers() {
    let mut wrong = Vec::new();
    for operation in operations() {
        for (bone, place) in BONES.iter().flat_map(|bone| PLACES.map(|place| (bone, place))) {
            for size in SIZES {
                let mut scene = Scene::new();
                let bone = scene.object().find_bone(bone).unwrap();
                let mut matrix = scene.object().pose().bones()[bone];
                matrix.0[place] = size;
                if scene.object().set_bone(bone, matrix).is_ok()
                    && let Some(problem) = trial(&operation, &mut scene, &operation.usual)
                {
                    wrong.push(format!("{}, number {place} of bone {bone} is {size:e}: {problem}", operation.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
