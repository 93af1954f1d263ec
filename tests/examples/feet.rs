//! The example of feet on stairs keeps them on the steps.

use skelobj::math::{Mat3x4, Vec3};

#[allow(dead_code)]
#[path = "../../examples/feet.rs"]
mod example;

const LEGS: [[usize; 3]; 2] = [[1, 2, 3], [5, 6, 7]];

#[test]
fn feet_stand_on_the_steps_as_they_do_on_a_flat_floor() {
    let story: Vec<Vec<Vec3>> = example::walk(240)
        .unwrap()
        .iter()
        .map(|bones| {
            let place = |bones: &[Mat3x4], path: &[usize]| {
                path.iter().fold(Mat3x4::IDENTITY, |above, bone| above * bones[*bone]).origin()
            };
            LEGS.iter().map(|[thigh, shin, foot]| place(bones, &[0, *thigh, *shin, *foot])).collect()
        })
        .collect();
    // On the flat floor: the height of the ankle of a foot that stands.
    let flat: Vec<Vec3> = story.iter().take(30).flatten().copied().collect();
    let standing = flat.iter().map(|ankle| ankle.z).fold(f32::MAX, f32::min);
    let (mut stands, mut above) = (0, 0);
    for frames in story.windows(2) {
        for (before, ankle) in frames[0].iter().zip(&frames[1]) {
            let step = before.distance(*ankle);
            assert!(step < 4.5, "a foot moves by {step} units at once");
            // A foot that neither moves nor slides stands, and on its step.
            if step < 0.05 {
                let height = ankle.z - example::height(ankle.x) - standing;
                assert!(height.abs() < 0.6, "a foot stands {height} units above its step");
                stands += 1;
                above += usize::from(example::height(ankle.x) > 30.0);
            }
        }
    }
    assert!(stands > 100 && above > 20, "{stands} {above}");
}
