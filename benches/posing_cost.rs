//! Instructions of aiming, reaching and layers against limits. The counts are the same on every machine.
//!
//! `cargo bench -p skelobj-benches --no-default-features --bench posing_cost` runs each row below under valgrind's
//! callgrind and compares the instructions a call, or a bone, with the limits. It fails if one is missed, or without
//! valgrind. With `-- aim`, it runs one row for a profiler.
//!
//! The limits are near what ozz-animation 0.16 takes for the same inputs, counted with its own jobs (gcc 12, -O3,
//! SSE2): 462 and with a weight of one half 473 for an aim, 1,211 for a head; 1,026, 1,071 and 1,784 for a leg; 31.1
//! and 32.4 a bone for a layer. Its poses keep four bones in each vector, where ours are matrices that a layer
//! transposes and back.

mod callgrind;
mod limits;

use std::hint::black_box;
use std::process::ExitCode;

use limits::{CALLS, Row};
use skelobj_model::math::{Mat3x4, Quat, Vec3};
use skelobj_model::model::{Bone, Skeleton};
use skelobj_model::pose::raw::SimdLevel;
use skelobj_model::pose::{
    self, Additive, Aim, BoneMask, Chain, Feet, FeetState, Ground, Reach, Spring, SpringCollider, SpringState,
};

/// Number of bones of the rows with layers.
const BONES: usize = 75;

/// Number of segments of the tail.
const SEGMENTS: usize = 8;

const ROWS: [Row<Scene>; 15] = [
    Row { name: "aim", most: 480.0, run: |scene| scene.aim(0) },
    Row { name: "aim-half", most: 575.0, run: |scene| scene.aim(1) },
    Row { name: "aim-head", most: 1211.0, run: Scene::aim_head },
    Row { name: "reach", most: 1040.0, run: |scene| scene.reach(0) },
    Row { name: "reach-half", most: 1200.0, run: |scene| scene.reach(1) },
    Row { name: "reach-leg", most: 1930.0, run: Scene::reach_leg },
    Row { name: "chain", most: 10_000.0, run: Scene::reach_chain },
    Row { name: "spring", most: 1080.0 * SEGMENTS as f64, run: |scene| scene.swing(0) },
    Row { name: "spring-gravity", most: 1250.0 * SEGMENTS as f64, run: |scene| scene.swing(1) },
    Row { name: "spring-collider", most: 1340.0 * SEGMENTS as f64, run: |scene| scene.swing(2) },
    Row { name: "feet", most: 8_000.0, run: Scene::place_feet },
    Row { name: "layer", most: 64.0 * BONES as f64, run: |scene| scene.add(0) },
    Row { name: "layer-masked", most: 76.0 * BONES as f64, run: |scene| scene.add(1) },
    Row { name: "layer-avx2", most: 51.0 * BONES as f64, run: |scene| scene.add(0) },
    Row { name: "layer-masked-avx2", most: 58.0 * BONES as f64, run: |scene| scene.add(1) },
];

/// A leg of four bones and a head with two bones below it.
struct Scene {
    aims: [Aim; 2],
    reaches: [Reach; 2],
    leg: [Mat3x4; 4],
    /// Matrices of start and middle in model space, and the place of the end.
    limb: ([Mat3x4; 2], Vec3),
    head: [Mat3x4; 3],
    /// Tail of segments in a row.
    tail: [Mat3x4; SEGMENTS + 1],
    tail_parents: [i32; SEGMENTS + 1],
    chain: Chain,
    /// A spring, one with gravity and one with a collider.
    springs: [Spring; 3],
    swings: SpringState,
    /// Pelvis with two legs, on stairs.
    body: [Mat3x4; 7],
    feet: Feet,
    steps: FeetState,
    /// Places of an entity that sways, frame by frame, and the frame.
    ways: Vec<Mat3x4>,
    frame: usize,
    parents: [i32; 4],
    out: [Mat3x4; 4],
    pose: Vec<Mat3x4>,
    layer: Additive,
    mask: BoneMask,
}

impl Scene {
    fn new() -> Self {
        let at = |x, y, z| Mat3x4::from_rotation_translation(Quat::from_rotation_z(0.1), Vec3::new(x, y, z));
        let leg = [at(0.0, 8.0, 40.0), at(2.0, 0.0, -19.0), at(-2.0, 0.0, -19.0), at(6.0, 0.0, -1.0)];
        let head = [at(0.0, 0.0, 64.0), at(0.0, 0.0, 6.0), at(3.0, 0.0, 4.0)];
        let skeleton = |bones: &[Mat3x4]| {
            let bone = |(number, bind): (usize, &Mat3x4)| {
                let name = format!("bone{number}").as_str().into();
                Bone { name, parent: number.checked_sub(1), bind: *bind }
            };
            Skeleton::new(bones.iter().enumerate().map(bone).collect()).expect("parents stand before children")
        };
        let aim = Aim::new(&skeleton(&head), &[(0, 1.0)]).expect("a bone");
        let reach = Reach::new(&skeleton(&leg), [0, 1, 2]).expect("three bones").with_pole(Some(Vec3::X));
        let reach = reach.with_hinge(Some(Vec3::NEG_Y));
        let tail: [Mat3x4; SEGMENTS + 1] = std::array::from_fn(|bone| at(if bone == 0 { 0.0 } else { 6.0 }, 0.0, 0.0));
        let tail_parents = std::array::from_fn(|bone| bone as i32 - 1);
        let chain = Chain::new(&skeleton(&tail), 0, SEGMENTS).expect("a chain");
        let spring = Spring::new(chain.clone());
        let ball = SpringCollider { bone: 0, from: Vec3::NEG_Y * 20.0, to: Vec3::Y * 20.0, radius: 2.0 };
        let collided = spring.clone().with_collider(ball).expect("the first one");
        let springs = [spring.clone(), spring.with_gravity(Vec3::Z * -200.0), collided];
        let swings = SpringState::default();
        let side = |y: f32| [at(0.0, y, 0.0), leg[1], leg[2]];
        let body: Vec<Mat3x4> = [leg[0]].into_iter().chain(side(8.0)).chain(side(-8.0)).collect();
        let bone = |(number, bind): (usize, &Mat3x4)| {
            let name = format!("bone{number}").as_str().into();
            let parent = number.checked_sub(1).map(|above| if above % 3 == 0 { 0 } else { above });
            Bone { name, parent, bind: *bind }
        };
        let of_body =
            Skeleton::new(body.iter().enumerate().map(bone).collect()).expect("parents stand before children");
        let feet = Feet::parse(&of_body, "bone0, bone1, bone2, bone3, bone4, bone5, bone6").expect("two legs");
        let mut body: [Mat3x4; 7] = body.try_into().expect("seven bones");
        body[5] = body[5] * Mat3x4::from_rotation_translation(Quat::from_rotation_y(0.5), Vec3::ZERO);
        let way = |frame: usize| {
            let time = frame as f32 / 60.0;
            let place = Vec3::new(20.0 * (5.0 * time).sin(), 10.0 * (3.0 * time).cos(), 0.0);
            Mat3x4::from_rotation_translation(Quat::from_rotation_z((3.0 * time).sin()), place)
        };
        let ways = (0..2 * CALLS).map(way).collect();
        let out = [Mat3x4::ZERO; 4];
        let aims = [aim.clone(), aim.with_weight(0.5)];
        let reaches = [reach.clone(), reach.with_weight(0.5)];
        let (hip, knee) = (leg[0], leg[0] * leg[1]);
        let limb = ([hip, knee], (knee * leg[2]).origin());
        let posed =
            |turn: f32| (0..BONES).map(|bone| at(bone as f32, turn, 1.0) * at(turn, 0.0, 0.0)).collect::<Vec<_>>();
        let (pose, layer) = (posed(0.0), Additive::new(&posed(0.3), &posed(0.0)));
        let mask =
            BoneMask::new((0..BONES).map(|bone| bone as f32 / BONES as f32).collect::<Vec<_>>()).expect("weights");
        Self {
            aims,
            reaches,
            leg,
            limb,
            head,
            tail,
            tail_parents,
            chain,
            springs,
            swings,
            body,
            feet,
            steps: FeetState::default(),
            ways,
            frame: 0,
            parents: [-1, 0, 1, 2],
            out,
            pose,
            layer,
            mask,
        }
    }

    fn aim(&mut self, number: usize) {
        let rotation = self.aims[number].rotation(black_box(&self.head[0]), black_box(Vec3::new(100.0, 60.0, 90.0)));
        black_box(rotation.expect("a target"));
    }

    fn aim_head(&mut self) {
        let mut local = black_box(self.head);
        pose::aim(&self.parents[..3], &mut local, &self.aims[0], black_box(Vec3::new(100.0, 60.0, 90.0)))
            .expect("a target");
        pose::to_model_space(&self.parents[..3], &local, &mut self.out[..3]);
        black_box(&self.out);
    }

    fn reach(&mut self, number: usize) {
        let ([hip, knee], foot) = black_box(&self.limb);
        let target = black_box(Vec3::new(1.0, 8.0, 9.0));
        black_box(self.reaches[number].rotations(hip, knee, *foot, target).expect("a target"));
    }

    fn reach_chain(&mut self) {
        let mut local = black_box(self.tail);
        let missed =
            pose::reach_chain(&self.tail_parents, &mut local, &self.chain, black_box(Vec3::new(20.0, 25.0, 8.0)));
        assert!(missed.expect("a target") < 0.01);
        black_box(&local);
    }

    fn swing(&mut self, number: usize) {
        let mut local = black_box(self.tail);
        let entity = black_box(self.ways[self.frame]);
        self.frame = (self.frame + 1) % self.ways.len();
        let spring = &self.springs[number];
        pose::swing(&self.tail_parents, &mut local, spring, &mut self.swings, &entity, black_box(1.0 / 60.0))
            .expect("a tail");
        black_box(&local);
    }

    /// Places both feet, one of which stands and the other swings, on steps of 4 units; the traces are the least ones.
    fn place_feet(&mut self) {
        let mut local = black_box(self.body);
        let entity = black_box(self.ways[self.frame]);
        self.frame = (self.frame + 1) % self.ways.len();
        let ground = |from: Vec3, _: Vec3| {
            Some(Ground { point: from.with_z(if from.x > 0.0 { 4.0 } else { 0.0 }), normal: Vec3::Z })
        };
        let parents = [-1, 0, 1, 2, 0, 4, 5];
        pose::place_feet(&parents, &mut local, &self.feet, &mut self.steps, &entity, black_box(1.0 / 60.0), ground)
            .expect("two legs");
        black_box(&local);
    }

    fn reach_leg(&mut self) {
        let mut local = black_box(self.leg);
        pose::reach(&self.parents, &mut local, &self.reaches[0], black_box(Vec3::new(1.0, 8.0, 9.0)))
            .expect("a target");
        pose::to_model_space(&self.parents, &local, &mut self.out);
        black_box(&self.out);
    }
}

impl Scene {
    fn add(&mut self, masks: usize) {
        let mask = (masks > 0).then_some(&self.mask);
        pose::add(&mut self.pose, &self.layer, black_box(0.5), mask).expect("a weight");
        black_box(&self.pose);
    }
}

fn main() -> ExitCode {
    limits::check(&ROWS, |name| {
        let level = if name.ends_with("-avx2") { SimdLevel::Avx2 } else { SimdLevel::Sse2 };
        (!cfg!(target_arch = "x86_64") || level.select()).then(Scene::new)
    })
}
