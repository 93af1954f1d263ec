//! The example of a host for an engine with a machine of its own runs, and what it leaves out has sound defaults.
#![cfg(feature = "qc")]

use skelobj::Runtime;
use skelobj::qc::{Args as _, Builtin, Entity, Field, Function, Host as _, Pointer};

#[allow(dead_code)]
#[path = "../../examples/quakec_host.rs"]
mod example;

use example::{Call, Machine, Places};

#[test]
fn the_example_poses_its_monster() {
    let height = example::play().unwrap();
    assert!((50.0..60.0).contains(&height), "{height}");
}

#[test]
fn methods_that_an_engine_leaves_out_have_defaults() {
    let declared = [(0, "skel_mmap"), (0, "skel_build_ptr"), (9999, "engine_builtin"), (0, "getnextmodelevent")];
    let globals = [("time", 30), ("v_forward", 31), ("v_right", 34), ("v_up", 37)].into_iter().collect();
    let fields = [("frame", 0), ("origin", 1)].into_iter().collect();
    let places = Places::new(&declared, &fields, &globals);
    let mut machine = Machine { globals: vec![7; 40], entities: vec![vec![0; 4]; 2], argc: 3, ..Machine::default() };
    let mut call = Call { machine: &mut machine, places: &places, models: &[] };
    assert_eq!((call.int(0), call.function(0), call.pointer(0)), (7, Function(0), Pointer(0)));
    call.set_int(1, -5);
    assert_eq!(call.int(1), -5);
    call.set_string(2, b"ignored");
    assert_eq!((call.int(2), call.random()), (7, 0.0));
    let mut runtime = Runtime::default();
    assert!(call.run(&mut runtime, 0), "skel_mmap");
    assert_eq!(call.machine.globals[1], 0, "the null pointer");
    assert!(call.run(&mut runtime, 1) && call.run(&mut runtime, 3));
    assert!(!call.run(&mut runtime, 2), "a builtin of the engine itself");
    // The world, an entity that does not exist and a field that is not declared read as 0.
    for entity in [Entity(0), Entity(99)] {
        assert_eq!(call.float_field(entity, Field::lerpfrac), 0.0);
        assert_eq!(call.frame_fields(entity).frame, 0.0);
        assert_eq!(call.vector_field(entity, Field::origin).length(), 0.0);
        assert_eq!(call.entity_field(entity, Field::tag_entity), None);
        call.set_float_field(entity, Field::tag_index, 1.0);
    }
    assert!(Builtin::by_number(263).is_some());
}
