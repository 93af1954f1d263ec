//! The miniature engine does what its transcript says.
#![cfg(all(feature = "ragdoll", feature = "serde"))]

#[allow(dead_code)]
#[path = "../examples/engine.rs"]
mod engine;

use engine::Event;

#[test]
fn shots_find_bones_the_body_rests_the_save_continues_and_the_client_sees_it() {
    let outcome = engine::play().unwrap();
    let events: Vec<&Event> = outcome.log.iter().map(|(_, event)| event).collect();
    let [Event::HitDoor, Event::Wounded { bone: wounded, health: 70 }, Event::Killed { bone }, Event::AtRest { head }] =
        events[..]
    else {
        panic!("{events:?}");
    };
    assert_eq!((wounded.as_str(), bone.as_str()), ("chest", "head"));
    assert!(head.x > 130.0 && (0.0..15.0).contains(&head.z), "it lies behind the door: {head}");
    assert!(outcome.log[3].0 < 9.0, "it rests: {:?}", outcome.log);
    assert!(outcome.lowest > -2.0 && outcome.vertices > 1000, "{} {}", outcome.lowest, outcome.vertices);
    assert!(outcome.client_error > 0.0 && outcome.client_error < 0.1, "{}", outcome.client_error);
    assert!(outcome.identical, "the loaded game ends as the saved one");
}
