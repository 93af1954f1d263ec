//! Joints of each body.

use super::RagJoint;

/// Numbers of the joints between two bodies, for each body in ascending order.
pub(super) struct JointLists {
    /// Start of the list of each body, and the end of the last one.
    starts: Vec<usize>,
    joints: Vec<usize>,
}

impl JointLists {
    /// Lists the joints that connect two of as many bodies, and for which `connects` returns `true`.
    pub(super) fn new(joints: &[RagJoint], bodies: usize, connects: impl Fn(usize, &RagJoint) -> bool) -> Self {
        let listed: Vec<(usize, [usize; 2])> = joints
            .iter()
            .enumerate()
            .filter(|(number, joint)| connects(*number, joint))
            .filter_map(|(number, joint)| Some((number, [joint.body1, joint.body2?])))
            .collect();
        let mut starts = vec![0; bodies + 1];
        for body in listed.iter().flat_map(|(_, bodies)| bodies) {
            starts[body + 1] += 1;
        }
        for body in 0..bodies {
            starts[body + 1] += starts[body];
        }
        let mut next = starts.clone();
        let mut joints = vec![0; 2 * listed.len()];
        for (number, bodies) in listed {
            for body in bodies {
                joints[next[body]] = number;
                next[body] += 1;
            }
        }
        Self { starts, joints }
    }

    /// Returns the joints of a body.
    pub(super) fn of(&self, body: usize) -> &[usize] {
        &self.joints[self.starts[body]..self.starts[body + 1]]
    }
}
