//! The example of getting up tells the whole story.

#[allow(dead_code)]
#[path = "../../examples/getting_up.rs"]
mod example;

use skelobj::math::Vec3;

#[test]
fn the_character_is_shot_lies_gets_up_and_walks_on() {
    for (shot, animation) in [(Vec3::X * -2500.0, "getup_back"), (Vec3::X * 2500.0, "getup_front")] {
        let story = example::play(shot).unwrap();
        let events: Vec<(usize, &str)> =
            story.iter().enumerate().filter_map(|(number, frame)| Some((number, frame.event.as_deref()?))).collect();
        let starts = ["it is shot", &format!("it plays {animation}"), "it walks on"];
        assert!(
            events.len() == 3 && events.iter().zip(starts).all(|((_, event), start)| event.starts_with(start)),
            "{events:?}"
        );
        let head = |number: usize| story[number].bodies.iter().find(|body| body.name == *"head").unwrap().position;
        let (up, walks) = (events[1].0, events[2].0);
        assert!(head(59).z > 50.0 && head(up).z < 15.0 && head(walks).z > 55.0);
        let end = story.len() - 1;
        let (way, walked) = (head(end).distance(head(walks)), (end - walks) as f32 / 60.0 * 47.0);
        assert!((way - walked).abs() < 5.0, "{way} of {walked}");
        let gap = story[up + 2..].iter().map(|frame| frame.gap).fold(0.0, f32::max);
        assert!(gap < 0.5, "{gap}");
    }
}
