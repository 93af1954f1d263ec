//! Random calls with random numbers: nothing panics, and no non-finite number appears that was not passed in.
//!
//! `PROPTEST_CASES` sets the number of cases.

#[cfg(feature = "qcvm")]
mod machine;

use crate::common::calls::World;
use crate::common::replayer::host::{Argument, Returned};
use proptest::prelude::*;
use skelobj::Dialect;
use skelobj::math::{Mat3x4, Vec3};
use skelobj::qc::{Field, Rules, TABLE};

/// Generates numbers, among them those that often cause errors.
fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        6 => (-2i32..9).prop_map(|n| n as f32),
        2 => -2.0f32..2.0,
        1 => prop::sample::select(vec![
            f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, f32::MIN_POSITIVE, 1e-45, -0.0, 1e9, -1e9, 1e20,
            -1e20, 16_777_216.0, 2_147_483_648.0, -2_147_483_648.0, 65_535.0,
        ]),
    ]
}

fn text() -> impl Strategy<Value = String> {
    let known = [
        "",
        "root",
        "Head",
        "link0",
        "spine",
        "walk",
        "animate 0",
        "animate 1",
        "animate nan",
        "animate -1e38",
        "cleardoll",
        "animatebody b 1",
        "animatebody b 0.5",
        "animatebody nosuch 1",
        "animatelimb b 0",
        "animatelimb nosuch 1",
        "enablejoint j0 0",
        "enablejoint j0 1",
        "doll chain_point.doll",
        "doll chain_hinge2.doll",
        "doll weird.doll",
        "doll nosuch.doll",
        "dollstring\nbody b spine\nanimate 0\n",
        "dollstring body b link1\nsize 1e30\nmass 1e-30\noffset 1e20 0 0\n",
        "dollstring\nbody b root\nbody c spine\njoint j b c\ntype hinge\naxis 0 0 0\nLoStop nan\nHiStop -inf\n",
    ];
    prop_oneof![8 => prop::sample::select(known.to_vec()).prop_map(str::to_owned), 1 => "\\PC{0,40}"]
}

fn argument() -> impl Strategy<Value = Argument> {
    prop_oneof![
        5 => number().prop_map(Argument::Float),
        2 => [number(), number(), number()].prop_map(|v| Argument::Vector(Vec3::from(v))),
        2 => text().prop_map(|text| Argument::Text(text.into_bytes())),
        2 => (0u64..5).prop_map(Argument::Entity),
    ]
}

/// Returns the argument that a type in a signature requires, most of the time.
fn fitting(kind: &str) -> BoxedStrategy<Argument> {
    let right = match kind {
        "string" => text().prop_map(|text| Argument::Text(text.into_bytes())).boxed(),
        "vector" => [number(), number(), number()].prop_map(|v| Argument::Vector(Vec3::from(v))).boxed(),
        "entity" => (0u64..5).prop_map(Argument::Entity).boxed(),
        _ => number().prop_map(Argument::Float).boxed(),
    };
    prop_oneof![9 => right, 1 => argument()].boxed()
}

#[derive(Clone, Debug)]
enum Step {
    Call(usize, Vec<Argument>),
    Field(u64, Field, Argument),
    EndFrame,
    Physics(f32),
}

fn step() -> impl Strategy<Value = Step> {
    let call = (0..TABLE.len()).prop_flat_map(|index| {
        let signature = TABLE[index].signature;
        let parameters = signature.split_once('(').map_or("", |(_, rest)| rest);
        let kinds =
            parameters.split(',').map(|p| p.trim().trim_start_matches("optional ").split(' ').next().unwrap_or(""));
        let arguments: Vec<_> = kinds.map(fitting).collect();
        (Just(index), arguments, 0usize..9).prop_map(|(index, mut arguments, count)| {
            // Sometimes fewer arguments than the builtin has.
            arguments.truncate(count.max(1));
            Step::Call(index, arguments)
        })
    });
    let field = (0u64..4, prop::sample::select(Field::ALL.to_vec()))
        .prop_flat_map(|(entity, field)| (Just(entity), Just(field), fitting(field.kind())))
        .prop_map(|(entity, field, value)| Step::Field(entity, field, value));
    prop_oneof![10 => call, 4 => field, 1 => Just(Step::EndFrame), 1 => (0.0f32..0.05).prop_map(Step::Physics)]
}

fn run(dialect: Dialect, steps: &[Step]) {
    let mut world = World::with(dialect, Rules::Client);
    for model in ["testbones.iqm", "chain.iqm", "dd.iqm", "baseonly.iqm", "tags.md3"] {
        world.model(model);
    }
    // Handles 1 to 3 stand for objects, on entities 1 to 3.
    for (entity, model) in [(1, "testbones.iqm"), (2, "chain.iqm"), (3, "dd.iqm")] {
        let id = world.built(model);
        world.set(entity, Field::skeletonindex, Argument::Float(id));
        world.set(entity, Field::modelindex, Argument::Float(entity as f32 + 1.0));
    }
    for step in steps {
        match step {
            Step::Call(index, arguments) => {
                let name = TABLE[*index].name;
                match world.call(name, arguments) {
                    Some(Returned::Float(value)) => assert!(value.is_finite(), "{name} returned {value}"),
                    Some(Returned::Vector(value)) => {
                        assert!(Vec3::from(value).is_finite(), "{name} returned {value:?}")
                    }
                    _ => {}
                }
                let axes = world.host.axes;
                let finite = axes.forward.is_finite() && axes.right.is_finite() && axes.up.is_finite();
                assert!(finite, "{name} left {axes:?}");
            }
            Step::Field(entity, field, value) => world.set(*entity, *field, value.clone()),
            Step::EndFrame => world.runtime.flush_deleted(),
            Step::Physics(time) => {
                world.runtime.step(*time).unwrap();
            }
        }
        for (_, object) in world.runtime.objects() {
            assert!(object.pose().bones().iter().all(Mat3x4::is_finite), "{step:?}");
        }
    }
}

proptest! {
    #[test]
    fn any_calls_leave_finite_bones_under_fte(steps in prop::collection::vec(step(), 1..40)) {
        run(Dialect::Fte, &steps);
    }

    #[test]
    fn any_calls_leave_finite_bones_under_darkplaces(steps in prop::collection::vec(step(), 1..40)) {
        run(Dialect::DarkPlaces, &steps);
    }
}
