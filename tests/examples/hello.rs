//! Results of the program that newcomers read first.

#[allow(dead_code)]
#[path = "../../examples/hello.rs"]
mod example;

#[test]
fn the_head_walks_upright_for_a_second_and_ends_on_the_floor() {
    let heights = example::walk_and_fall().unwrap();
    assert_eq!(heights.len(), 360);
    assert!(heights[..72].iter().all(|height| (50.0..60.0).contains(height)), "it walks");
    assert!(heights[72 + 25] > 40.0, "it staggers: {}", heights[72 + 25]);
    assert!((2.0..15.0).contains(&heights[359]), "it lies: {}", heights[359]);
    assert_eq!(heights[300], heights[359], "it rests");
}
