//! The example of lag compensation hits what its client saw.

#[allow(dead_code)]
#[path = "../../examples/lag.rs"]
mod example;

use skelobj::runtime::HistoryForm;

#[test]
fn shots_hit_the_head_that_the_client_saw_and_nothing_in_the_present() {
    for form in [HistoryForm::Exact, HistoryForm::Packed] {
        let shots = example::shoot(form, 8.0).unwrap();
        assert_eq!(shots.len(), 24);
        for shot in &shots {
            assert_eq!((shot.seen, shot.present), (Some(12), None), "{form:?} at {}", shot.time);
            assert!(shot.missed < 6.0, "{}", shot.missed); // the surface of the head
        }
    }
}
