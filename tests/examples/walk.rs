//! The example of a walk leaves its feet where they stand.

#[allow(dead_code)]
#[path = "../../examples/walk.rs"]
mod example;

#[test]
fn a_planted_foot_stays_at_its_place() {
    let story = example::walk(300).unwrap();
    let (mut steps, mut worst) = (0, 0f32);
    for foot in 0..2 {
        let lowest = story.iter().map(|frame| frame.toes[foot].z).fold(f32::MAX, f32::min);
        let mut stood: Option<skelobj::math::Vec3> = None;
        for frame in &story {
            let toe = frame.toes[foot];
            if toe.z > lowest + 0.3 {
                stood = None;
                continue;
            }
            let first = *stood.get_or_insert_with(|| {
                steps += 1;
                toe
            });
            worst = worst.max(first.distance(toe));
        }
    }
    let walked = story.last().unwrap().entity.origin().length();
    assert!(steps >= 8 && worst < 1.0, "{steps} steps, {worst} units");
    assert!((walked - 46.7 * 299.0 / 60.0).abs() < 1.0, "{walked}");
}
