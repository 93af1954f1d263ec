//! Line and box traces through the world, and through single objects.

use super::{Runtime, SkelId};
use crate::math::{Mat3x4, Vec3};
#[cfg(feature = "ragdoll")]
use crate::physics::{CollisionGroups, LevelBodyId, UserData, rapier3d::prelude::*};
use crate::pose::{trace_hit_boxes, trace_skin};
use crate::skeleton::SkeletalObject;

/// The farthest corner of a box that is traced, Quake units: farther than any level.
const MAX_CORNER: f32 = 1e6;

/// A line, or a box that moves along one: what to trace, through what.
///
/// ```
/// use skelobj::math::{Mat3x4, Vec3};
/// use skelobj::runtime::{ObjectGeometry, SkelId, Trace};
///
/// let shot = Trace::line(Vec3::ZERO, Vec3::X * 1000.0);
/// # let (shooter, victim) = (SkelId::new(1).unwrap(), SkelId::new(2).unwrap());
/// let through_the_world = shot.excluding(shooter);
/// let through_one_skin = shot.on_object(victim, Mat3x4::IDENTITY, ObjectGeometry::Skin);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Trace {
    /// Start of the trace, world space.
    pub start: Vec3,
    /// End of the trace, world space.
    pub end: Vec3,
    /// Lowest corner of the box, relative to the point that moves; zero for a line.
    pub mins: Vec3,
    /// Highest corner of the box, relative to the point that moves; zero for a line.
    pub maxs: Vec3,
    /// Target of the trace: the world or one object.
    pub target: TraceTarget,
    /// Object whose ragdoll is ignored, such as the shooter's.
    pub excluded: Option<SkelId>,
    /// Groups in the world that the trace can hit. Default: all.
    #[cfg(feature = "ragdoll")]
    pub groups: CollisionGroups,
}

/// The target of a [`Trace`].
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[non_exhaustive]
pub enum TraceTarget {
    /// Everything solid: the level, entity boxes, ragdolls and the host's own colliders. Without the feature `ragdoll` there
    /// is nothing to hit.
    #[default]
    World,
    /// One skeletal object in its current pose.
    Object {
        /// Id of the object.
        skel: SkelId,
        /// Matrix of its entity, model space to world space.
        entity: Mat3x4,
        /// Geometry of the object that can be hit.
        geometry: ObjectGeometry,
    },
}

/// The geometry of a skeletal object that a trace can hit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum ObjectGeometry {
    /// The bodies of its ragdoll; without one, its model's hit boxes; without those, its skin.
    #[default]
    Best,
    /// The bodies of its ragdoll, at their places in the physics world, wherever the entity is.
    Ragdoll,
    /// Its model's hit boxes.
    HitBoxes,
    /// Its model's meshes, skinned to the current pose.
    Skin,
}

/// The first hit of a trace, world space.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Hit {
    /// Fraction of the trace before the hit: 0 at the start, 1 at the end.
    pub fraction: f32,
    /// Point that the line, or the origin of the box, reached, world space.
    pub point: Vec3,
    /// Unit normal of the surface, on the side that the trace came from; zero if the trace starts inside something solid.
    pub normal: Vec3,
    /// Skeletal object that was hit.
    pub skel: Option<SkelId>,
    /// Bone that was hit, 0-based.
    pub bone: Option<usize>,
    /// Surface that was hit.
    pub surface: Surface,
}

/// The surface that a trace hit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Surface {
    /// A body of the object's ragdoll: an index into [`Doll::bodies`](crate::Doll::bodies).
    Body(usize),
    /// A hit box: an index into [`Model::hit_boxes`](crate::Model::hit_boxes).
    HitBox(usize),
    /// The skin.
    Skin {
        /// Index into [`Model::meshes`](crate::Model::meshes).
        mesh: usize,
        /// Index of the mesh's triangle.
        triangle: usize,
    },
    /// The level or an entity's box.
    #[cfg(feature = "ragdoll")]
    Level {
        /// Id of the level body.
        body: LevelBodyId,
        /// Index of the body's shape, in the order in which the shapes were given.
        shape: u32,
        /// Triangle of a mesh: an index into [`SolidMesh::triangles`](crate::physics::SolidMesh::triangles) and
        /// [`surfaces`](crate::physics::SolidMesh::surfaces). `None` for box traces.
        triangle: Option<u32>,
    },
    /// A collider that the host put into the physics world.
    #[cfg(feature = "ragdoll")]
    Collider(ColliderHandle),
}

/// The error of [`Runtime::trace`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TraceError {
    /// The start or end is not finite, or they are farther apart than any f32.
    NotFinite,
    /// A corner of the box is not finite or more than a million units away, or `mins` is above `maxs`.
    BadBox,
    /// A box is traced through the hit boxes, skin or ragdoll of one object; only lines can be.
    BoxThroughObject,
    /// No skeletal object has this id.
    NoSuchObject,
    /// The entity's matrix has no inverse: it is flat, zero or not finite.
    SingularEntity,
}

impl std::fmt::Display for TraceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NotFinite => "the trace starts or ends at a place that is not finite, or is too long",
            Self::BadBox => "the corners of the box must be finite, within a million units, and mins below maxs",
            Self::BoxThroughObject => "only lines can be traced through a single object",
            Self::NoSuchObject => "no such skeletal object",
            Self::SingularEntity => "the matrix of the entity has no inverse",
        })
    }
}

impl std::error::Error for TraceError {}

impl Trace {
    /// Creates a line trace through everything solid in the world.
    #[must_use]
    pub fn line(start: Vec3, end: Vec3) -> Self {
        Self {
            start,
            end,
            mins: Vec3::ZERO,
            maxs: Vec3::ZERO,
            target: TraceTarget::World,
            excluded: None,
            #[cfg(feature = "ragdoll")]
            groups: CollisionGroups::ALL,
        }
    }

    /// Returns the trace with a box that moves along the line: corners relative to the point that moves, as with Quake's
    /// hulls.
    #[must_use]
    pub fn with_box(self, mins: Vec3, maxs: Vec3) -> Self {
        Self { mins, maxs, ..self }
    }

    /// Returns the trace limited to colliders in these groups.
    #[cfg(feature = "ragdoll")]
    #[must_use]
    pub fn in_groups(self, groups: CollisionGroups) -> Self {
        Self { groups, ..self }
    }

    /// Returns the trace with the ragdoll of one object ignored.
    #[must_use]
    pub fn excluding(self, skel: SkelId) -> Self {
        Self { excluded: Some(skel), ..self }
    }

    /// Goes through one object, whose entity stands at `entity`, and nothing else, whatever is excluded and in which groups.
    #[must_use]
    pub fn on_object(self, skel: SkelId, entity: Mat3x4, geometry: ObjectGeometry) -> Self {
        Self { target: TraceTarget::Object { skel, entity, geometry }, ..self }
    }

    fn is_line(&self) -> bool {
        self.mins == self.maxs
    }

    /// The places between which the line goes.
    fn line_ends(&self) -> [Vec3; 2] {
        [self.start, self.end].map(|place| place + self.mins)
    }

    /// Whether the box can be traced: parry panics at boxes of which the squares overflow.
    fn has_sound_box(&self) -> bool {
        let is_near = |corner: Vec3| corner.is_finite() && corner.abs().max_element() <= MAX_CORNER;
        is_near(self.mins) && is_near(self.maxs) && (self.maxs - self.mins).min_element() >= 0.0
    }

    /// What is hit at a fraction of the way.
    fn hit(&self, fraction: f32, normal: Vec3, skel: Option<SkelId>, bone: Option<usize>, surface: Surface) -> Hit {
        let point = self.start + (self.end - self.start) * fraction;
        Hit { fraction, point, normal, skel, bone, surface }
    }
}

impl Runtime {
    /// Returns the first hit of a line or box, `None` if nothing is in the way.
    ///
    /// Ragdolls and kinematic bodies are where the last step left them, new ones where they were made. The triangles of a
    /// mesh are hit from both sides.
    ///
    #[cfg_attr(feature = "ragdoll", doc = "```")]
    #[cfg_attr(not(feature = "ragdoll"), doc = "```ignore")]
    /// use skelobj::Runtime;
    /// use skelobj::math::Vec3;
    /// use skelobj::runtime::Trace;
    ///
    /// let mut runtime = Runtime::default();
    /// runtime.physics_mut().add_floor(0.0)?;
    /// let down = Trace::line(Vec3::Z * 100.0, Vec3::Z * -100.0);
    /// let hit = runtime.trace(&down)?.expect("the floor");
    /// assert_eq!((hit.fraction, hit.normal), (0.5, Vec3::Z));
    /// let walker = down.with_box(Vec3::new(-16.0, -16.0, -24.0), Vec3::new(16.0, 16.0, 32.0));
    /// let hit = runtime.trace(&walker)?.expect("the floor");
    /// assert!((hit.point.z - 24.0).abs() < 0.01);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`TraceError`].
    pub fn trace(&self, trace: &Trace) -> Result<Option<Hit>, TraceError> {
        if !(trace.start.is_finite() && trace.end.is_finite() && (trace.end - trace.start).is_finite()) {
            return Err(TraceError::NotFinite);
        }
        if !trace.has_sound_box() {
            return Err(TraceError::BadBox);
        }
        match trace.target {
            TraceTarget::World => self.trace_world(trace),
            TraceTarget::Object { .. } if !trace.is_line() => Err(TraceError::BoxThroughObject),
            TraceTarget::Object { skel, entity, geometry } => {
                let object = self.object(skel).ok_or(TraceError::NoSuchObject)?;
                let to_model = entity.inverse().ok_or(TraceError::SingularEntity)?;
                Ok(match geometry {
                    ObjectGeometry::Best if self.has_ragdoll(skel) => self.trace_ragdoll(trace, skel),
                    ObjectGeometry::Ragdoll => self.trace_ragdoll(trace, skel),
                    ObjectGeometry::HitBoxes => trace_boxes_of(object, trace, skel, &to_model),
                    ObjectGeometry::Best if !object.model().hit_boxes.is_empty() => {
                        trace_boxes_of(object, trace, skel, &to_model)
                    }
                    ObjectGeometry::Best | ObjectGeometry::Skin => trace_skin_of(object, trace, skel, &to_model),
                })
            }
        }
    }
}

fn trace_boxes_of(object: &SkeletalObject, trace: &Trace, skel: SkelId, to_model: &Mat3x4) -> Option<Hit> {
    let mut bones = vec![Mat3x4::ZERO; object.bone_count()];
    object.write_model_space(&mut bones);
    let [from, to] = trace.line_ends().map(|place| to_model.transform_point(place));
    let boxes = &object.model().hit_boxes;
    let found = trace_hit_boxes(boxes, &bones, from, to)?;
    let bone = boxes.get(found.hit_box).map(|hit_box| hit_box.bone);
    let normal = world_normal(to_model, found.normal);
    Some(trace.hit(found.fraction, normal, Some(skel), bone, Surface::HitBox(found.hit_box)))
}

fn trace_skin_of(object: &SkeletalObject, trace: &Trace, skel: SkelId, to_model: &Mat3x4) -> Option<Hit> {
    let mut palette = vec![Mat3x4::ZERO; object.bone_count()];
    object.write_palette(&mut palette);
    let [from, to] = trace.line_ends().map(|place| to_model.transform_point(place));
    let found = trace_skin(&object.model().meshes, &palette, from, to)?;
    let surface = Surface::Skin { mesh: found.mesh, triangle: found.triangle };
    Some(trace.hit(found.fraction, world_normal(to_model, found.normal), Some(skel), found.bone, surface))
}

/// Returns a normal of model space in world space: by the transposed inverse, so that it stays perpendicular under scale.
fn world_normal(to_model: &Mat3x4, normal: Vec3) -> Vec3 {
    let m = &to_model.0;
    let row = |number: usize| Vec3::new(m[4 * number], m[4 * number + 1], m[4 * number + 2]);
    (row(0) * normal.x + row(1) * normal.y + row(2) * normal.z).normalize_or_zero()
}

#[cfg(feature = "ragdoll")]
impl Runtime {
    fn has_ragdoll(&self, skel: SkelId) -> bool {
        self.ragdoll(skel).is_some()
    }

    fn trace_ragdoll(&self, trace: &Trace, skel: SkelId) -> Option<Hit> {
        let [start, end] = trace.line_ends();
        let hit = self.ragdoll(skel)?.cast_line(start, end, &self.physics)?;
        Some(trace.hit(hit.fraction, hit.normal, Some(skel), Some(hit.bone), Surface::Body(hit.body)))
    }

    fn trace_world(&self, trace: &Trace) -> Result<Option<Hit>, TraceError> {
        let excluded = trace.excluded.map(|skel| u64::from(skel.get()));
        let wanted = |_: ColliderHandle, collider: &Collider| match UserData::from_bits(collider.user_data) {
            Some(UserData::Ragdoll { owner, .. }) => Some(owner) != excluded,
            _ => true,
        };
        let hit = match trace.is_line() {
            true => {
                let [start, end] = trace.line_ends();
                self.physics.cast_line(start, end, trace.groups, &wanted)
            }
            false => {
                let corners = [trace.mins, trace.maxs];
                self.physics.cast_box(trace.start, trace.end, corners, trace.groups, &wanted)
            }
        };
        Ok(hit.map(|hit| {
            let (skel, bone, surface) = self.struck(hit.collider, hit.triangle);
            trace.hit(hit.fraction, hit.normal, skel, bone, surface)
        }))
    }

    fn struck(&self, handle: ColliderHandle, triangle: Option<u32>) -> (Option<SkelId>, Option<usize>, Surface) {
        let user_data = self.physics.world().colliders.get(handle).map_or(0, |collider| collider.user_data);
        if let Some(UserData::Level { body, shape }) = UserData::from_bits(user_data) {
            return (None, None, Surface::Level { body, shape, triangle });
        }
        match self.owner_of(user_data) {
            Some(super::BodyOwner::Ragdoll { skel, body, bone }) => (Some(skel), Some(bone), Surface::Body(body)),
            _ => (None, None, Surface::Collider(handle)),
        }
    }
}

#[cfg(not(feature = "ragdoll"))]
impl Runtime {
    fn has_ragdoll(&self, _: SkelId) -> bool {
        false
    }

    fn trace_ragdoll(&self, _: &Trace, _: SkelId) -> Option<Hit> {
        None
    }

    fn trace_world(&self, _: &Trace) -> Result<Option<Hit>, TraceError> {
        Ok(None)
    }
}
