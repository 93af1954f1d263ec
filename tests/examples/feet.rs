//! The example of feet on stairs keeps them on the steps.

#[allow(dead_code)]
#[path = "../../examples/feet.rs"]
mod example;

#[test]
fn feet_stand_on_the_steps_as_they_do_on_a_flat_floor() {
    let story = example::walk(360).unwrap();
    // On the flat floor: the height of the ankle of a foot that stands.
    let flat: Vec<_> = story.iter().take(30).flat_map(|frame| &frame.feet).collect();
    let standing = flat.iter().map(|foot| foot.ankle.z).fold(f32::MAX, f32::min);
    let climbed = story.last().unwrap().feet[0].floor;
    assert!(climbed >= 40.0, "{climbed}");
    let (mut stands, mut missed) = (0, 0f32);
    for foot in story.iter().flat_map(|frame| &frame.feet) {
        let above = foot.ankle.z - foot.floor;
        assert!(above > standing - 0.5, "{foot:?} is in a step");
        if foot.animated < standing + 0.5 {
            assert!(above < standing + 4.0, "{foot:?} floats");
            stands += 1;
        }
        missed = missed.max(foot.missed);
    }
    assert!(stands > 100 && missed < 2.0, "{stands} {missed}");
}
