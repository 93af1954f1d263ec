//! Lines and boxes through everything that is solid.

use slotmap::{Key, KeyData};

use super::{Hit, Runtime, SkelId, Surface};
use crate::math::Vec3;
use crate::physics::rapier3d::prelude::{Collider, ColliderHandle};
use crate::physics::{Layers, Owner, TraceHit};

/// A line, or a box that moves along one, through the physics world.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Trace {
    /// Where it starts, world space.
    pub start: Vec3,
    /// Where it ends.
    pub end: Vec3,
    /// The box's lowest corner, relative to the place that moves; zero for a line.
    pub mins: Vec3,
    /// Its highest corner; zero for a line.
    pub maxs: Vec3,
    /// What it may hit. Default: everything.
    pub kinds: Layers,
    /// Whose ragdoll it passes through: the one that shoots.
    pub ignored: Option<SkelId>,
}

impl Trace {
    /// A line that hits everything.
    pub fn line(start: Vec3, end: Vec3) -> Self {
        Self { start, end, mins: Vec3::ZERO, maxs: Vec3::ZERO, kinds: Layers::ALL, ignored: None }
    }

    /// The same for a box.
    pub fn with_box(self, mins: Vec3, maxs: Vec3) -> Self {
        Self { mins, maxs, ..self }
    }

    /// Of these kinds only.
    pub fn of(self, kinds: Layers) -> Self {
        Self { kinds, ..self }
    }

    /// Passing through one object's ragdoll.
    pub fn ignoring(self, skel: SkelId) -> Self {
        Self { ignored: Some(skel), ..self }
    }
}

impl Runtime {
    /// The first thing in the way: the level, entity boxes, ragdolls, and what else the host has in the physics world.
    ///
    /// Ragdolls are where the last step left them, new ones where they were made. An object without a ragdoll, or its hit
    /// boxes and skin, are traced by [`trace_object`](Self::trace_object).
    ///
    /// ```
    /// use skelobj::Runtime;
    /// use skelobj::math::Vec3;
    /// use skelobj::runtime::Trace;
    /// let mut runtime = Runtime::default();
    /// runtime.physics_mut().add_floor(0.0);
    /// let down = Trace::line(Vec3::Z * 100.0, Vec3::Z * -100.0);
    /// assert_eq!(runtime.trace(&down).unwrap().fraction, 0.5);
    /// let walker = down.with_box(Vec3::new(-16.0, -16.0, -24.0), Vec3::new(16.0, 16.0, 32.0));
    /// assert!((runtime.trace(&walker).unwrap().point.z - 24.0).abs() < 0.01);
    /// ```
    pub fn trace(&self, trace: &Trace) -> Option<Hit> {
        let ignored = trace.ignored.map(|skel| skel.data().as_ffi());
        let wanted = |_: ColliderHandle, collider: &Collider| match Owner::of(collider.user_data) {
            Some(Owner::Doll { owner, .. }) => Some(owner) != ignored,
            _ => true,
        };
        let size = (trace.mins, trace.maxs);
        let hit = self.physics.trace_box_where(trace.start, trace.end, size, trace.kinds, &wanted)?;
        let (skel, bone, surface) = self.struck(&hit);
        Some(Hit { fraction: hit.fraction, point: hit.point, normal: hit.normal, skel, bone, surface })
    }

    fn struck(&self, hit: &TraceHit) -> (Option<SkelId>, Option<usize>, Surface) {
        if let Some(Owner::Doll { owner, body }) = hit.owner {
            let skel = SkelId::from(KeyData::from_ffi(owner));
            if let Some(bone) = self.ragdoll(skel).and_then(|ragdoll| ragdoll.body_bone(body as usize)) {
                return (Some(skel), Some(bone), Surface::Body(body as usize));
            }
        }
        let surface = match hit.part {
            Some(part) => Surface::Part { part, shape: hit.shape, triangle: hit.triangle },
            None => Surface::Collider(hit.collider),
        };
        (None, None, surface)
    }
}
