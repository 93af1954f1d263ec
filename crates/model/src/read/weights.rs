//! Selection of the four influences that a vertex keeps.

use crate::model::Influences;

/// Maximum deviation of a sum of weights from 1 before the weights are scaled.
const TOLERANCE: f64 = 1e-5;

/// Strongest influences so far, strongest first; of equal ones the earlier comes first.
#[derive(Clone, Copy, Default)]
pub(super) struct Strongest {
    bones: [u16; 4],
    weights: [f32; 4],
    is_cut: bool,
}

impl Strongest {
    /// Adds an influence; one with zero weight is ignored.
    #[inline]
    pub fn add(&mut self, bone: u16, weight: f32) {
        if !(weight > 0.0 && weight.is_finite()) {
            return;
        }
        debug_assert!(self.weights.is_sorted_by(|a, b| a >= b), "the strongest stand first");
        self.is_cut |= self.weights[3] > 0.0;
        let Some(at) = self.weights.iter().position(|&kept| weight > kept) else { return };
        self.bones[at..].rotate_right(1);
        self.weights[at..].rotate_right(1);
        (self.bones[at], self.weights[at]) = (bone, weight);
    }

    /// Returns `true` if no influence was added.
    pub fn is_empty(&self) -> bool {
        self.weights[0] == 0.0
    }

    /// Returns `true` if more than four influences were added.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Returns the influences, scaled to sum to 1, or full weight on the bone `otherwise` if there are none.
    pub fn finish(self, otherwise: u16) -> Influences {
        if self.is_empty() {
            return Influences { bones: [otherwise, 0, 0, 0], weights: [1.0, 0.0, 0.0, 0.0] };
        }
        // In f64: four large weights may overflow an f32, as may the inverse of four tiny ones.
        let sum: f64 = self.weights.iter().copied().map(f64::from).sum();
        let weights = if (sum - 1.0).abs() > TOLERANCE {
            self.weights.map(|weight| (f64::from(weight) / sum) as f32)
        } else {
            self.weights
        };
        debug_assert!((weights.map(f64::from).iter().sum::<f64>() - 1.0).abs() < 1e-3, "shares add up to 1");
        Influences { bones: self.bones, weights }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_strongest_stay_in_order_and_sum_to_one() {
        let mut strongest = Strongest::default();
        for (bone, weight) in [(1, 0.1), (2, 0.3), (3, 0.05), (4, 0.25), (5, 0.1), (6, 0.2), (7, -1.0), (8, f32::NAN)] {
            strongest.add(bone, weight);
        }
        let influences = strongest.finish(9);
        assert_eq!(influences.bones, [2, 4, 6, 1]);
        assert!((influences.weights.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!((influences.weights[0] / influences.weights[3] - 3.0).abs() < 1e-5);
    }

    #[test]
    fn a_vertex_without_influences_hangs_on_the_bone_given() {
        let influences = Strongest::default().finish(9);
        assert_eq!((influences.bones[0], influences.weights[0]), (9, 1.0));
    }

    #[test]
    fn huge_and_tiny_weights_sum_to_one() {
        for weight in [f32::MAX, f32::from_bits(1)] {
            let mut strongest = Strongest::default();
            for bone in 0..4 {
                strongest.add(bone, weight);
            }
            assert_eq!(strongest.finish(0).weights, [0.25; 4]);
        }
    }
}
