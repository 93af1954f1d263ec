//! The example of a tail swings alike at every frame rate, and comes to rest.

#[allow(dead_code)]
#[path = "../../examples/tail.rs"]
mod example;

#[test]
fn a_tail_swings_alike_at_every_frame_rate_and_comes_to_rest() {
    let runs = [32, 60, 144].map(|rate| example::shake(rate).unwrap());
    let swing = runs[2].iter().map(|tip| tip.y.abs()).fold(0f32, f32::max);
    assert!(swing > 1.5, "{swing}");
    for run in &runs {
        assert_eq!(run.len(), 25);
        for (tip, exact) in run.iter().zip(&runs[2]) {
            assert!(tip.distance(*exact) < 0.05 * 30.0, "{tip} {exact}");
        }
        let (last, before) = (run[24], run[23]);
        assert!(last.y.abs() < 0.1 && last.z < -0.5 && last.distance(before) < 0.1, "{last}");
    }
}
