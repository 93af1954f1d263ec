//! Memory of ragdolls, and allocations by this crate while they move or sleep.

use crate::{counting, stage};
use skelobj::Runtime;
use skelobj::math::{EntityTransform, Mat3x4, Vec3};
use skelobj::model::FrameState;
use skelobj::object::{Build, Space};
use skelobj::physics::rapier3d::prelude::{
    BroadPhaseBvh, ColliderSet, ImpulseJointSet, IslandManager, NarrowPhase, PhysicsPipeline, RigidBodySet,
};
use skelobj::physics::{Liquid, LiquidVolume};
use skelobj::ragdoll::Command;
use skelobj::runtime::{ModelId, ObjectId};

/// Bound of the memory of a mannequin in a crowd that has fallen for half a second, most of it rapier's, kilobytes.
const MAX_KILOBYTES: f32 = 224.0;

/// Duration of a frame, seconds; one physics step.
const FRAME: f32 = 1.0 / 60.0;

const BONES: usize = 21;
const HEAD: usize = 12;

/// Allocations by the calls of a frame.
#[derive(Default, PartialEq, Debug)]
struct Allocated {
    poses: usize,
    commands: usize,
    hooks: usize,
    rapier: usize,
    ends: usize,
}

struct Crowd {
    runtime: Runtime,
    model: ModelId,
    dolls: Vec<(ObjectId, Mat3x4)>,
    objects: Vec<ObjectId>,
    palettes: Vec<Mat3x4>,
}

impl Crowd {
    /// Creates limp mannequins in rows of ten on a floor.
    fn new(dolls: usize) -> Self {
        let mut runtime = Runtime::default();
        runtime.physics_mut().add_floor(0.0).unwrap();
        runtime.set_files(stage::files);
        let model = runtime.add_model("mannequin.iqm", stage::mannequin()).unwrap();
        let palettes = vec![Mat3x4::ZERO; dolls * BONES];
        let mut crowd = Self { runtime, model, dolls: Vec::new(), objects: Vec::new(), palettes };
        for number in 0..dolls {
            let object = crowd.runtime.create_object(model, Space::Local).unwrap();
            let origin = Vec3::new((number % 10) as f32 * 120.0, (number / 10) as f32 * 120.0, 24.0);
            let turn = number as f32;
            let angles = Vec3::new(turn * 37.0 % 60.0 - 30.0, turn * 137.5 % 360.0, turn * 73.0 % 40.0);
            crowd.objects.push(object);
            crowd.dolls.push((object, EntityTransform::new(origin, angles).to_world(-1.0, 1.0)));
        }
        crowd.build(0.0);
        crowd.command(Command::Animate(0.0, None));
        crowd
    }

    fn build(&mut self, time: f32) {
        for (object, _) in &self.dolls {
            self.runtime.build(*object, self.model, &FrameState::single(0, time.into()), &Build::REPLACE).unwrap();
        }
    }

    fn command(&mut self, command: Command<'_>) {
        for (object, entity) in &self.dolls {
            self.runtime.ragdoll_command(*object, entity, command, None).unwrap();
        }
    }

    fn run(&mut self, seconds: f32) {
        for _ in 0..(seconds / FRAME) as usize {
            self.command(Command::Update);
            self.runtime.step(FRAME).unwrap();
        }
    }

    /// Builds the poses of a time, edits them and writes the palettes.
    fn show(&mut self, time: f32) {
        self.build(time);
        let turn = Mat3x4::from_translation(Vec3::Z);
        for (object, _) in &self.dolls {
            self.runtime.object_mut(*object).unwrap().mul_bone(HEAD, turn).unwrap();
        }
        self.runtime.write_palettes(&self.objects, BONES, &mut self.palettes).unwrap();
    }

    /// Runs a frame in the parts of `Runtime::step`, and adds what each of them allocated.
    fn count(&mut self, allocated: &mut Allocated) {
        allocated.commands += counting::allocations(|| self.command(Command::Update)).1;
        let runtime = &mut self.runtime;
        let mut hook = |runtime: &mut Runtime, run: fn(&mut Runtime)| {
            borrow_bodies(runtime);
            allocated.hooks += counting::allocations(|| run(runtime)).1;
        };
        hook(runtime, |runtime| runtime.pre_step(FRAME.into(), FRAME).unwrap());
        allocated.rapier += counting::allocations(|| runtime.physics_mut().world_mut().step()).1;
        hook(runtime, Runtime::post_step);
        allocated.ends += counting::allocations(|| runtime.end_steps(0.0).unwrap()).1;
    }

    /// Counts the allocations of some frames after as many to warm up; checks that rapier made all of them.
    fn check(&mut self, what: &str, frames: usize, is_animated: bool) {
        let (mut warm, mut counted) = (Allocated::default(), Allocated::default());
        for frame in 0..frames * 2 {
            let allocated = if frame < frames { &mut warm } else { &mut counted };
            if is_animated {
                allocated.poses += counting::allocations(|| self.show(frame as f32 * FRAME)).1;
            }
            self.count(allocated);
        }
        println!("{what}: {counted:?} in {frames} frames, after {warm:?}");
        assert_eq!(counted, Allocated { rapier: counted.rapier, ..Allocated::default() }, "{what}");
    }

    fn asleep(&self) -> usize {
        let physics = self.runtime.physics();
        self.dolls.iter().filter(|(object, _)| self.runtime.ragdoll(*object).unwrap().is_asleep(physics)).count()
    }
}

/// Borrows all bodies that move mutably, so that rapier's list of such bodies has no reason to grow afterwards.
///
/// Every step of rapier's own frees the list.
fn borrow_bodies(runtime: &mut Runtime) {
    let bodies = &mut runtime.physics_mut().world_mut().bodies;
    let moving = bodies.iter().filter(|(_, body)| !body.is_fixed() && !body.is_sleeping());
    for handle in moving.map(|(handle, _)| handle).collect::<Vec<_>>() {
        bodies.get_mut(handle);
    }
}

/// Returns the memory that a change frees, bytes.
fn freed(change: impl FnOnce()) -> i64 {
    let before = counting::held();
    change();
    before - counting::held()
}

#[test]
fn the_memory_of_a_mannequin_is_bounded() {
    let _alone = counting::alone();
    let one = Crowd::new(1);
    let before = counting::held();
    let mut crowd = Crowd::new(101);
    let made = counting::held() - before;
    crowd.run(0.5);
    assert_eq!(crowd.asleep(), 0);
    let grown = counting::held() - before;
    let each = |bytes: i64| bytes as f32 / 1024.0 / 101.0;
    println!("KB a mannequin: {:.1} when made, {:.1} after half a second", each(made), each(grown));
    let world = crowd.runtime.physics_mut().world_mut();
    for (what, freed) in [
        ("rapier's solver", freed(|| world.physics_pipeline = PhysicsPipeline::default())),
        ("rapier's contacts", freed(|| world.narrow_phase = NarrowPhase::default())),
        ("rapier's broad phase", freed(|| world.broad_phase = BroadPhaseBvh::default())),
        ("rapier's islands", freed(|| world.islands = IslandManager::default())),
        ("rapier's joints", freed(|| world.impulse_joints = ImpulseJointSet::default())),
        ("rapier's colliders", freed(|| world.colliders = ColliderSet::default())),
        ("rapier's bodies", freed(|| world.bodies = RigidBodySet::default())),
    ] {
        println!("of these {what}: {:.1}", each(freed));
    }
    let own = each(counting::held() - before);
    println!("of these this crate's own: {own:.1}");
    assert!(own < 32.0, "{own}");
    drop(one);
    assert!(each(grown) < MAX_KILOBYTES, "{}", each(grown));
}

#[test]
fn nothing_is_allocated_for_ragdolls_that_fall_and_settle() {
    let _alone = counting::alone();
    let mut crowd = Crowd::new(10);
    crowd.run(0.5);
    crowd.check("awake", 20, false);
    assert!(crowd.asleep() < 10);
    crowd.run(20.0);
    assert_eq!(crowd.asleep(), 10);
    crowd.check("asleep", 20, false);
}

#[test]
fn nothing_is_allocated_for_ragdolls_that_follow_an_animation() {
    let _alone = counting::alone();
    for strength in [0.3, 1.0] {
        let mut crowd = Crowd::new(3);
        crowd.command(Command::Animate(strength, Some(0.05)));
        crowd.check("animated", 30, true);
    }
}

#[test]
fn nothing_is_allocated_for_ragdolls_in_water() {
    let _alone = counting::alone();
    let mut crowd = Crowd::new(3);
    let (mins, maxs) = (Vec3::new(-100.0, -100.0, 0.0), Vec3::new(500.0, 100.0, 50.0));
    crowd.runtime.physics_mut().add_water(LiquidVolume::new_box(mins, maxs).unwrap(), Liquid::WATER).unwrap();
    crowd.check("swimming", 30, false);
}
