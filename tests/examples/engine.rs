//! The miniature engine does what its transcript says.
#![cfg(feature = "serde")]

#[allow(dead_code)]
#[path = "../../examples/engine.rs"]
mod example;

/// Number of the bone "head" of the mannequin.
const HEAD: usize = 12;

#[test]
fn shots_find_bones_the_body_rests_the_save_continues_and_the_client_sees_it() {
    let outcome = example::play().unwrap();
    let events: Vec<&str> = outcome.log.iter().map(|(_, event)| event.as_str()).collect();
    let expected = [
        "the shot hits the door",
        "the shot hits the monster's chest, 70 health are left",
        "the shot hits the monster's head, it dies",
        "the body has come to rest, its head at",
    ];
    assert!(
        events.len() == 4 && events.iter().zip(expected).all(|(event, start)| event.starts_with(start)),
        "{events:?}"
    );
    assert!(outcome.log[3].0 < 9.0, "it rests: {:?}", outcome.log);
    // Both characters have 21 bones, and the monster's are the last in a frame.
    let death = (outcome.log[2].0 * 60.0).round() as usize;
    let head = |frame: usize| outcome.bones[(2 * frame + 1) * 21 + HEAD].origin().z;
    assert!(head(death) > 50.0 && head(death + 21) > 40.0, "it staggers: {} {}", head(death), head(death + 21));
    assert!(head(599) < 20.0, "it lies: {}", head(599));
    assert!(outcome.lowest > -2.0 && outcome.vertices > 1000, "{} {}", outcome.lowest, outcome.vertices);
    assert!(outcome.client_error > 0.0 && outcome.client_error < 0.1, "{}", outcome.client_error);
    assert!(outcome.identical, "the loaded game ends as the saved one");
}
