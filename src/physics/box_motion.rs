//! Linear motion of a box past a convex solid, by separating axes.

use glam::{DVec3, Vec3};

use super::tuning::TRACE_TOUCH;

/// Share of a coordinate by which it may be rounded, several times over.
const ROUNDING: f64 = 1.0 / (1 << 22) as f64;

/// Least square of the length of an axis; that of parallel edges is less.
const PARALLEL: f64 = 1e-12;

/// Difference of times that are the same.
pub(super) const SAME_TIME: f64 = 1e-9;

/// Box with edges along the axes of the world, moving in a straight line. The time is 0 at the start and 1 at the end.
#[derive(Clone, Copy)]
pub(super) struct BoxMotion {
    /// Centre of the box at the start, world space.
    pub start: DVec3,
    pub way: DVec3,
    pub half: DVec3,
    /// Depth in a surface up to which the box touches it and is not inside, units.
    pub touch: f64,
    /// Way towards a surface that is due to rounding, units.
    rounding: f64,
}

/// Plane of a surface, with its normal on the open side.
#[derive(Clone, Copy)]
pub(super) struct Surface {
    pub normal: DVec3,
    pub distance: f64,
}

/// Convex solid in world space.
pub(super) struct Convex<'a> {
    pub points: &'a [DVec3],
    /// Unit normals of the faces.
    pub faces: &'a [DVec3],
    /// Unit normals of planes that divide it from what is solid, too.
    pub seams: &'a [DVec3],
    /// Directions of the edges, of any length.
    pub edges: &'a [DVec3],
    /// Normal of the front of a triangle, which stops a box on both sides; `None` for what has an inside.
    pub front: Option<DVec3>,
}

/// Relation of a moving box to a solid.
pub(super) enum Meeting {
    /// The box never overlaps the solid.
    Apart,
    /// The box touches the solid at the start, and moves along its surface or away.
    Touching(Surface),
    /// The box overlaps the solid.
    Overlap(Overlap),
}

/// Times at which a box overlaps a solid.
#[derive(Clone, Copy)]
pub(super) struct Overlap {
    /// Time at which the box enters; negative infinity if it starts inside.
    pub enter: f64,
    pub leave: f64,
    /// Normal of the surface that the box enters through; zero if it starts inside.
    pub normal: DVec3,
    /// Share of the way up to the surface.
    pub fraction: f64,
}

impl Overlap {
    /// Returns the overlap of a box that starts inside and leaves at a time.
    pub fn from_start(leave: f64) -> Self {
        Self { enter: f64::NEG_INFINITY, leave, normal: DVec3::ZERO, fraction: 0.0 }
    }
}

impl BoxMotion {
    /// Returns the motion of a box with corners relative to the point that moves. `scale` is that of the world.
    pub fn new(start: Vec3, end: Vec3, corners: [Vec3; 2], scale: f32) -> Self {
        let [start, end, mins, maxs] = [start, end, corners[0], corners[1]].map(Vec3::as_dvec3);
        let (way, half) = (end - start, (maxs - mins) * 0.5);
        let start = start + (mins + maxs) * 0.5;
        let size = start.abs().max_element() + half.max_element();
        let touch = TRACE_TOUCH * f64::from(scale) + ROUNDING * size;
        Self { start, way, half, touch, rounding: 2.0 * ROUNDING * (size + way.length()) }
    }

    /// Returns the corners of the box that contains the whole motion, and `margin` more on each side.
    pub fn bounds(&self, margin: f64) -> [DVec3; 2] {
        let (end, half) = (self.start + self.way, self.half + margin);
        [self.start.min(end) - half, self.start.max(end) + half]
    }

    /// Returns how far the box reaches from its centre along a direction.
    pub fn reach(&self, normal: DVec3) -> f64 {
        normal.abs().dot(self.half)
    }

    /// Returns the distance from its way up to which something may matter to the box.
    pub fn margin(&self) -> f64 {
        8.0 * self.touch + self.rounding
    }

    /// Returns `true` if the box moves against a surface with this normal.
    pub fn is_towards(&self, normal: DVec3) -> bool {
        -normal.dot(self.way) > self.rounding
    }

    /// Returns when the box overlaps everything behind a plane.
    pub fn meet_half_space(&self, surface: Surface) -> Meeting {
        let solid = Convex { points: &[], faces: &[], seams: &[], edges: &[], front: None };
        let mut search = Search::new(self, &solid, self.touch);
        search.try_side(surface, true);
        search.meeting()
    }

    /// Returns when the box overlaps a solid. Nothing that lies behind one of the `touched` surfaces, along which the
    /// box moves, is in its way.
    pub fn meet(&self, solid: &Convex<'_>, touched: &[Surface]) -> Meeting {
        let is_behind = |surface: &Surface| {
            solid.points.iter().all(|point| surface.normal.dot(*point) <= surface.distance + self.touch)
        };
        if touched.iter().any(is_behind) {
            return Meeting::Apart;
        }
        match self.meet_within(solid, self.touch) {
            // Not touched all the same: what is thin must not slip between two faces.
            Meeting::Apart if self.half.min_element() < self.touch => self.meet_within(solid, 0.0),
            meeting => meeting,
        }
    }

    /// Returns when the box overlaps a solid whose faces it touches up to a depth.
    fn meet_within(&self, solid: &Convex<'_>, depth: f64) -> Meeting {
        let mut search = Search::new(self, solid, depth);
        let axes = [DVec3::X, DVec3::Y, DVec3::Z];
        let crossed = || {
            let crossed = solid.edges.iter().flat_map(|edge| axes.map(|axis| edge.cross(axis)));
            crossed.filter(|axis| axis.length_squared() > PARALLEL).map(|axis| axis / axis.length())
        };
        let is_met = solid.faces.iter().all(|face| search.try_axis(*face, true))
            && axes.iter().chain(solid.seams).all(|axis| search.try_axis(*axis, false))
            && crossed().all(|axis| search.try_axis(axis, false));
        if is_met { search.meeting() } else { Meeting::Apart }
    }
}

/// Search for an axis that separates a box from a solid.
struct Search<'a> {
    motion: &'a BoxMotion,
    solid: &'a Convex<'a>,
    /// Depth up to which the box touches faces.
    depth: f64,
    overlap: Overlap,
    /// `true` if the box enters through a face.
    is_on_face: bool,
    /// Distance at the start along the axis that separates the most.
    nearest: f64,
    /// Surface that separates the box from the solid all the way.
    passed: Option<Surface>,
}

impl<'a> Search<'a> {
    fn new(motion: &'a BoxMotion, solid: &'a Convex<'a>, depth: f64) -> Self {
        let overlap = Overlap::from_start(f64::INFINITY);
        Self { motion, solid, depth, overlap, is_on_face: false, nearest: f64::NEG_INFINITY, passed: None }
    }

    fn meeting(self) -> Meeting {
        match self.passed {
            Some(surface) if self.nearest <= self.motion.touch => Meeting::Touching(surface),
            None if self.overlap.enter <= self.overlap.leave + SAME_TIME => Meeting::Overlap(self.overlap),
            _ => Meeting::Apart,
        }
    }

    /// Returns `false` if the axis shows that the box is never near the solid.
    fn try_axis(&mut self, axis: DVec3, is_face: bool) -> bool {
        let along = self.solid.points.iter().map(|point| axis.dot(*point));
        let (low, high) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), d| (low.min(d), high.max(d)));
        let sides = [Surface { normal: axis, distance: high }, Surface { normal: -axis, distance: -low }];
        // A box that touches both sides of a triangle is in front of it.
        let reach = (axis.dot(self.motion.start) - high).abs() + high - low + self.motion.reach(axis);
        let front = self.solid.front.filter(|_| reach < 4.0 * self.motion.touch);
        let mut tried = sides.into_iter().filter(|side| front.is_none_or(|front| front.dot(side.normal) >= 0.0));
        tried.all(|side| self.try_side(side, is_face))
    }

    fn try_side(&mut self, surface: Surface, is_face: bool) -> bool {
        let BoxMotion { start, way, half, touch, rounding } = *self.motion;
        let Surface { normal, distance } = surface;
        let at_start = normal.dot(start) - self.motion.reach(normal) - distance;
        let towards = -normal.dot(way);
        let at_end = at_start - towards;
        // A box is that much smaller, so that it passes what it touches; a thin one has less to lose.
        let slack = normal.abs().dot((half * 0.25).min(DVec3::splat(touch)));
        let allowed = if is_face { self.depth.max(slack) } else { slack };
        self.nearest = self.nearest.max(at_start);
        if at_start <= -2.0 * allowed {
            if towards < 0.0 {
                self.overlap.leave = self.overlap.leave.min((slack + at_start) / towards);
            }
            return true;
        }
        let passes = at_end > 0.0
            || towards <= 0.0
            || (towards <= rounding && at_end > -1.5 * allowed)
            || (!is_face && at_end > -allowed);
        if passes {
            if self.passed.is_none() || is_face {
                self.passed = Some(surface);
            }
            return at_start <= touch;
        }
        let enter = (if is_face { at_start } else { at_start + slack }).max(0.0) / towards;
        let is_later =
            enter > self.overlap.enter || (is_face && !self.is_on_face && enter >= self.overlap.enter - SAME_TIME);
        if is_later {
            let fraction = at_start.max(0.0) / towards;
            self.overlap = Overlap { enter, normal, fraction, ..self.overlap };
            self.is_on_face = is_face;
        }
        true
    }
}
