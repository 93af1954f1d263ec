//! Joints of each body.

use super::{RagJoint, Ragdoll};

/// Joints between two bodies, for each body in ascending order.
pub(super) struct JointLists {
    /// Start of the list of each body, and the end of the last one.
    starts: Vec<usize>,
    /// Number of a joint, and the body on its other end.
    joints: Vec<(usize, usize)>,
}

impl JointLists {
    /// Lists joints, given as a number and two bodies in ascending order, of a doll with as many `bodies`.
    pub(super) fn new(bodies: usize, joints: impl Iterator<Item = (usize, [usize; 2])>) -> Self {
        let joints: Vec<(usize, [usize; 2])> = joints.collect();
        debug_assert!(joints.is_sorted_by_key(|(number, _)| *number), "joints ascend");
        let mut starts = vec![0; bodies + 1];
        for body in joints.iter().flat_map(|(_, bodies)| bodies) {
            starts[body + 1] += 1;
        }
        for body in 0..bodies {
            starts[body + 1] += starts[body];
        }
        let mut next = starts.clone();
        let mut listed = vec![(0, 0); 2 * joints.len()];
        for (number, [one, two]) in joints {
            for (body, other) in [(one, two), (two, one)] {
                listed[next[body]] = (number, other);
                next[body] += 1;
            }
        }
        debug_assert_eq!(starts[bodies], listed.len(), "the last list ends with the joints");
        Self { starts, joints: listed }
    }

    /// Returns a body and all that joints connect with it.
    pub(super) fn group(&self, body: usize) -> Vec<usize> {
        self.reach(body, |_, _| true)
    }

    /// Returns the joints of a body, each with the body on its other end.
    pub(super) fn of(&self, body: usize) -> &[(usize, usize)] {
        debug_assert!(body + 1 < self.starts.len(), "the body exists");
        &self.joints[self.starts[body]..self.starts[body + 1]]
    }

    /// Returns a body and all that joints connect with it, without those beyond one joint.
    pub(super) fn side(&self, body: usize, without: usize) -> Vec<usize> {
        self.reach(body, |joint, _| joint != without)
    }

    /// Returns a body and all that joints connect with it, without those beyond one body.
    pub(super) fn beside(&self, body: usize, without: usize) -> Vec<usize> {
        self.reach(body, |_, other| other != without)
    }

    /// Returns a body and all that joints connect with it, without joints that `passes` rejects with the body behind
    /// them.
    fn reach(&self, body: usize, passes: impl Fn(usize, usize) -> bool) -> Vec<usize> {
        let mut reached = vec![body];
        let mut seen = vec![false; self.starts.len() - 1];
        seen[body] = true;
        let mut next = 0;
        while let Some(&body) = reached.get(next) {
            next += 1;
            for &(joint, other) in self.of(body) {
                if passes(joint, other) && !std::mem::replace(&mut seen[other], true) {
                    reached.push(other);
                }
            }
        }
        reached
    }
}

impl Ragdoll {
    /// Returns the joints between two bodies that `connects` takes, for each body.
    pub(super) fn joint_lists(&self, connects: impl Fn(usize, &RagJoint) -> bool) -> JointLists {
        let joints = self.state.joints.iter().enumerate().filter(|(number, joint)| connects(*number, joint));
        let joints = joints.filter_map(|(number, joint)| Some((number, [joint.body1, joint.body2?])));
        JointLists::new(self.state.bodies.len(), joints)
    }

    /// Returns `true` for each body that `holds` connects with the root: of the bodies that the doll's joints connect,
    /// the one on the topmost bone.
    pub(super) fn hangs_on_root(&self, holds: impl Fn(usize, &RagJoint) -> bool) -> Vec<bool> {
        let bodies = &self.state.bodies;
        let (all, holding) = (self.joint_lists(|_, _| true), self.joint_lists(holds));
        let (mut known, mut hangs) = (vec![false; bodies.len()], vec![false; bodies.len()]);
        let mut roots: Vec<usize> = (0..bodies.len()).collect();
        // Parents come before their children.
        roots.sort_by_key(|body| bodies[*body].bone);
        for root in roots {
            if !known[root] {
                all.group(root).into_iter().for_each(|body| known[body] = true);
                holding.group(root).into_iter().for_each(|body| hangs[body] = true);
            }
        }
        hangs
    }

    /// Returns a body and all that hangs on it: the bodies that enabled joints connect with the topmost one by way of
    /// this body alone.
    pub(super) fn limb(&self, body: usize) -> Vec<usize> {
        let lists = self.joint_lists(|_, joint| joint.attachment.is_enabled());
        let mut limb = lists.group(body);
        let topmost = limb.iter().copied().min_by_key(|member| (self.state.bodies[*member].bone, *member));
        if let Some(topmost) = topmost.filter(|topmost| *topmost != body) {
            let rest = lists.beside(topmost, body);
            limb.retain(|member| !rest.contains(member));
        }
        limb
    }
}
