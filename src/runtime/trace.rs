//! Line and box traces through the world and through single objects.

use std::sync::Arc;

use skelobj_model::internal::trace_hit_boxes;

use super::history::PastTarget;
use super::posed_skins::PosedSkins;
use super::{ObjectId, Runtime};
use crate::math::{Mat3x4, Vec3};
use crate::model::Model;
use crate::physics::{CollisionGroups, LevelBodyId, UserData, rapier3d::prelude::*};

/// Maximum coordinate of a corner of a traced box, Quake units: more than any level needs.
const MAX_CORNER: f32 = 1e6;

/// Line, or box that moves along a line, to [trace](Runtime::trace) through the world or through one object.
///
/// **Characters are in the world only once they have a ragdoll**, from their first
/// [`Runtime::ragdoll_command`] on. For others use [`with_object`](Self::with_object) with each candidate.
///
/// ```
/// use skelobj::math::{Mat3x4, Vec3};
/// use skelobj::ragdoll::Command;
/// use skelobj::runtime::{ObjectGeometry, Surface, Trace};
/// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
/// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Update, None)?;
/// let shot = Trace::line(Vec3::new(200.0, 0.0, 45.0), Vec3::new(-200.0, 0.0, 45.0));
/// let hit = runtime.trace(&shot)?.expect("the chest");
/// assert_eq!((hit.object, hit.bone), (Some(object), Some(10)));
/// let skin = runtime.trace(&shot.with_object(object, Mat3x4::IDENTITY, ObjectGeometry::Skin))?;
/// assert!(skin.is_some_and(|hit| matches!(hit.surface, Surface::Skin { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Trace {
    /// Start of the trace, world space.
    pub start: Vec3,
    /// End of the trace, world space.
    pub end: Vec3,
    /// Lowest corner of the box, Quake units relative to the point that moves; zero for a line.
    pub mins: Vec3,
    /// Highest corner of the box, Quake units relative to the point that moves; zero for a line.
    pub maxs: Vec3,
    /// Target of the trace: the world or one object.
    pub target: TraceTarget,
    /// Object whose ragdoll is ignored, such as the shooter's.
    pub excluded: Option<ObjectId>,
    /// Groups of colliders in the world that the trace can hit. Default: all.
    pub groups: CollisionGroups,
}

/// Target of a [`Trace`].
///
/// ```
/// use skelobj::math::{Mat3x4, Vec3};
/// use skelobj::runtime::{ObjectGeometry, Trace, TraceTarget};
/// let (runtime, object) = skelobj::assets::mannequin_runtime();
/// let shot = Trace::line(Vec3::new(200.0, 0.0, 45.0), Vec3::new(-200.0, 0.0, 45.0));
/// assert_eq!(shot.target, TraceTarget::World);
/// assert_eq!(runtime.trace(&shot)?, None); // the object has no ragdoll: nothing of it is in the world
/// let on_object = shot.with_object(object, Mat3x4::IDENTITY, ObjectGeometry::Best);
/// assert_eq!(runtime.trace(&on_object)?.expect("the skin").bone, Some(10)); // the chest
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[non_exhaustive]
pub enum TraceTarget {
    /// Everything solid: the level, boxes of entities, ragdolls and the host's own colliders.
    #[default]
    World,
    /// Skeletal object in its current pose.
    Object {
        /// Id of the object.
        object: ObjectId,
        /// Matrix of the object's entity, model space to world space.
        entity: Mat3x4,
        /// Geometry of the object that can be hit.
        geometry: ObjectGeometry,
    },
    /// Recorded objects at a time in the past, and the level as it is now; see
    /// [`keep_history`](crate::Runtime::keep_history).
    Past(PastTarget),
}

/// Geometry of a skeletal object that a trace can hit.
///
/// ```
/// use skelobj::math::{Mat3x4, Vec3};
/// use skelobj::runtime::{ObjectGeometry, Trace};
/// let (runtime, object) = skelobj::assets::mannequin_runtime();
/// let shot = Trace::line(Vec3::new(200.0, 0.0, 45.0), Vec3::new(-200.0, 0.0, 45.0));
/// let hit_by = |geometry| runtime.trace(&shot.with_object(object, Mat3x4::IDENTITY, geometry));
/// assert!(hit_by(ObjectGeometry::Skin)?.is_some());
/// assert!(hit_by(ObjectGeometry::HitBoxes)?.is_none()); // the mannequin has none
/// assert!(hit_by(ObjectGeometry::Ragdoll)?.is_none()); // and no ragdoll was started
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum ObjectGeometry {
    /// Bodies of the object's ragdoll, and the skin between them where the bodies are; without a ragdoll, hit boxes of
    /// the model; without hit boxes, the skin.
    ///
    /// The skin counts where the line enters and leaves it without a body in between, so a shot through a neck hits.
    #[default]
    Best,
    /// Bodies of the object's ragdoll at their places in the physics world, wherever the entity is.
    Ragdoll,
    /// Hit boxes of the model, moved by the object's bones.
    HitBoxes,
    /// Meshes of the model, skinned to the object's current pose.
    Skin,
}

/// First hit of a trace, in world space.
///
/// ```
/// use skelobj::math::Vec3;
/// use skelobj::runtime::{Surface, Trace};
/// let mut runtime = skelobj::Runtime::default();
/// runtime.physics_mut().add_floor(0.0)?;
/// let hit = runtime.trace(&Trace::line(Vec3::Z * 30.0, Vec3::Z * -10.0))?.expect("the floor");
/// assert_eq!((hit.fraction, hit.normal), (0.75, Vec3::Z));
/// assert!(hit.object.is_none() && matches!(hit.surface, Surface::Level { .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Hit {
    /// Fraction of the trace before the hit: 0 at the start, 1 at the end. A trace that starts in something solid,
    /// leaves it and meets nothing else has 1; one that never leaves it has 0.
    pub fraction: f32,
    /// Point that the line, or the origin of the box, reached, world space.
    pub point: Vec3,
    /// Unit normal of the surface, world space, on the side that the trace came from; zero if the trace starts inside
    /// what it hits, or meets nothing after that.
    pub normal: Vec3,
    /// Skeletal object that was hit.
    pub object: Option<ObjectId>,
    /// Bone that was hit, 0-based.
    pub bone: Option<usize>,
    /// Surface that was hit; of what the trace starts in if it meets nothing else.
    pub surface: Surface,
    /// `true` if the trace starts inside something solid. A touch is not inside: see [`Runtime::trace`].
    pub start_solid: bool,
    /// `true` if the trace never leaves the solid that it starts in.
    pub all_solid: bool,
}

/// Surface that a trace hit.
///
/// ```
/// use skelobj::math::Vec3;
/// use skelobj::runtime::{Surface, Trace};
/// let mut runtime = skelobj::Runtime::default();
/// let floor = runtime.physics_mut().add_floor(0.0)?;
/// let hit = runtime.trace(&Trace::line(Vec3::Z, -Vec3::Z))?.expect("the floor");
/// assert_eq!(hit.surface, Surface::Level { body: floor, shape: 0, triangle: None });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Surface {
    /// Body of the object's ragdoll: an index into [`Doll::bodies`](crate::Doll::bodies).
    Body(usize),
    /// Hit box: an index into [`Model::hit_boxes`](crate::Model::hit_boxes).
    HitBox(usize),
    /// Triangle of the skin.
    Skin {
        /// Index into [`Model::meshes`](crate::Model::meshes).
        mesh: usize,
        /// Index of the mesh's triangle.
        triangle: usize,
    },
    /// Level, or box of an entity.
    Level {
        /// Id of the level body.
        body: LevelBodyId,
        /// Index of the body's shape, in the order in which the shapes were given.
        shape: u32,
        /// Triangle of a mesh: an index into [`SolidMesh::triangles`](crate::physics::SolidMesh::triangles) and
        /// [`surfaces`](crate::physics::SolidMesh::surfaces). `None` for other shapes, and for box traces.
        triangle: Option<u32>,
    },
    /// Collider that the host put into the physics world.
    Collider(ColliderHandle),
}

/// Error of [`Runtime::trace`].
///
/// ```
/// use skelobj::math::{Mat3x4, Vec3};
/// use skelobj::runtime::{ObjectGeometry, Trace, TraceError};
/// let (runtime, object) = skelobj::assets::mannequin_runtime();
/// let shot = Trace::line(Vec3::ZERO, Vec3::splat(f32::NAN));
/// assert_eq!(runtime.trace(&shot), Err(TraceError::NotFinite));
/// let walk = Trace::line(Vec3::ZERO, Vec3::X).with_box(Vec3::splat(-16.0), Vec3::splat(16.0));
/// let on_object = walk.with_object(object, Mat3x4::IDENTITY, ObjectGeometry::Skin);
/// assert_eq!(runtime.trace(&on_object), Err(TraceError::BoxThroughObject));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TraceError {
    /// The start or the end is not finite, or the vector between them is not finite in f32.
    NotFinite,
    /// A corner of the box is non-finite or beyond a million units, or a coordinate of `mins` is above that of `maxs`.
    BadBox,
    /// A box is traced through one object or through the past; only lines can be.
    BoxThroughObject,
    /// No skeletal object has this id.
    NoSuchObject,
    /// The matrix of the entity has no inverse: it is flat, zero or not finite.
    SingularEntity,
    /// A trace through the past of a runtime that keeps no history, or has recorded nothing yet.
    NoHistory,
    /// The time is before the oldest or after the newest recorded time, or not a number, and is not clamped.
    OutsideHistory,
}

impl std::fmt::Display for TraceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NotFinite => "the start, the end or the length of the trace is not finite",
            Self::BadBox => "a corner of the box is non-finite or beyond a million units, or mins is above maxs",
            Self::BoxThroughObject => "a box is traced through an object or the past, expected a line",
            Self::NoSuchObject => "no such skeletal object",
            Self::SingularEntity => "the matrix of the entity has no inverse",
            Self::NoHistory => "the runtime has recorded no poses",
            Self::OutsideHistory => "the time is outside of the recorded times",
        })
    }
}

impl std::error::Error for TraceError {}

impl Trace {
    /// Creates a line trace through everything solid in the world; `start` and `end` are in world space.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// use skelobj::runtime::{ObjectGeometry, Trace};
    /// let (runtime, object) = skelobj::assets::mannequin_runtime();
    /// let look = Trace::line(Vec3::new(200.0, 0.0, 45.0), Vec3::new(-200.0, 0.0, 45.0));
    /// let hit = runtime.trace(&look.with_object(object, Mat3x4::IDENTITY, ObjectGeometry::Skin))?.expect("the chest");
    /// assert!(hit.fraction < 0.5 && hit.normal.x > 0.0); // on the front
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn line(start: Vec3, end: Vec3) -> Self {
        Self {
            start,
            end,
            mins: Vec3::ZERO,
            maxs: Vec3::ZERO,
            target: TraceTarget::World,
            excluded: None,
            groups: CollisionGroups::ALL,
        }
    }

    /// Returns the trace with a box that moves along the line; its corners are relative to the point that moves, as
    /// with Quake's hulls.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::runtime::Trace;
    /// let mut runtime = skelobj::Runtime::default();
    /// runtime.physics_mut().add_floor(0.0)?;
    /// let player = Trace::line(Vec3::Z * 100.0, Vec3::Z * -100.0)
    ///     .with_box(Vec3::new(-16.0, -16.0, -24.0), Vec3::new(16.0, 16.0, 32.0));
    /// let hit = runtime.trace(&player)?.expect("the floor");
    /// assert!((hit.point.z - 24.0).abs() < 0.01); // the origin of a player who stands
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_box(self, mins: Vec3, maxs: Vec3) -> Self {
        Self { mins, maxs, ..self }
    }

    /// Returns the trace limited to colliders in these groups.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// use skelobj::physics::CollisionGroups;
    /// use skelobj::ragdoll::Command;
    /// use skelobj::runtime::Trace;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Update, None)?;
    /// let down = Trace::line(Vec3::Z * 100.0, Vec3::Z * -10.0);
    /// assert_eq!(runtime.trace(&down)?.unwrap().object, Some(object));
    /// let level_only = runtime.trace(&down.with_groups(CollisionGroups::LEVEL))?.unwrap();
    /// assert!(level_only.object.is_none() && level_only.point.z.abs() < 0.01); // the floor below
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_groups(self, groups: CollisionGroups) -> Self {
        Self { groups, ..self }
    }

    /// Returns the trace with the ragdoll of one object ignored.
    ///
    /// An [entity box](crate::Physics::add_entity_box) is a level body, not part of the ragdoll, and is not ignored: a
    /// line from the eye of a shooter with a box starts in that box, and the box of a victim hides the bones in it.
    /// Shots that should find bones leave the boxes out with
    /// [`with_groups`](Self::with_groups)`(CollisionGroups::LEVEL | CollisionGroups::RAGDOLLS)`.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// use skelobj::physics::CollisionGroups;
    /// use skelobj::ragdoll::Command;
    /// use skelobj::runtime::Trace;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Update, None)?;
    /// let head = runtime.object(object).unwrap().model_space(12).unwrap();
    /// let eye = head.transform_point(Vec3::new(0.0, 0.0, 4.0)); // inside the body of the head
    /// let look = Trace::line(eye, eye + Vec3::X * 1000.0);
    /// assert_eq!(runtime.trace(&look)?.map(|hit| hit.object), Some(Some(object)));
    /// assert_eq!(runtime.trace(&look.without(object))?, None);
    ///
    /// let (mins, maxs) = (Vec3::new(-16.0, -16.0, -24.0), Vec3::new(16.0, 16.0, 40.0));
    /// runtime.physics_mut().add_entity_box(mins, maxs, Vec3::Z * 24.0)?; // the shooter's
    /// runtime.step(1.0 / 60.0)?;
    /// assert!(runtime.trace(&look.without(object))?.is_some_and(|hit| hit.start_solid && hit.fraction == 1.0));
    /// let shot = look.without(object).with_groups(CollisionGroups::LEVEL | CollisionGroups::RAGDOLLS);
    /// assert_eq!(runtime.trace(&shot)?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn without(self, object: ObjectId) -> Self {
        Self { excluded: Some(object), ..self }
    }

    /// Returns the trace through one object and nothing else; `entity` is the matrix of its entity, model space to
    /// world space.
    ///
    /// [`excluded`](Self::excluded) and the groups are then ignored.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// use skelobj::runtime::{ObjectGeometry, Trace};
    /// let (runtime, object) = skelobj::assets::mannequin_runtime();
    /// let entity = Mat3x4::from_translation(Vec3::new(0.0, 300.0, 0.0));
    /// let shot = Trace::line(Vec3::new(200.0, 300.0, 58.0), Vec3::new(-200.0, 300.0, 58.0));
    /// let hit = runtime.trace(&shot.with_object(object, entity, ObjectGeometry::Best))?.expect("the head");
    /// assert_eq!((hit.object, hit.bone), (Some(object), Some(12)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_object(self, object: ObjectId, entity: Mat3x4, geometry: ObjectGeometry) -> Self {
        Self { target: TraceTarget::Object { object, entity, geometry }, ..self }
    }

    /// Returns the trace through recorded objects at a time in the past, and through the level as it is now.
    ///
    /// The [`excluded`](Self::excluded) object is skipped, and objects without one of the groups: objects without a
    /// ragdoll count as [`CollisionGroups::RAGDOLLS`](crate::physics::CollisionGroups::RAGDOLLS). Entity boxes and
    /// ragdolls of the present are not hit. A target with an object hits that object only, whatever is excluded and
    /// whatever the groups are. Only lines can be traced.
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// use skelobj::runtime::{HistorySettings, PastTarget, Trace};
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// runtime.keep_history(Some(HistorySettings::default()))?;
    /// for tick in 0..10 {
    ///     let entity = Mat3x4::from_translation(Vec3::Y * 10.0 * tick as f32); // it walks to the left
    ///     runtime.record_pose(object, f64::from(tick) * 0.05, &entity)?;
    /// }
    /// let shot = Trace::line(Vec3::new(200.0, 30.0, 58.0), Vec3::new(-200.0, 30.0, 58.0));
    /// let hit = runtime.trace(&shot.with_past(PastTarget::at(0.15)))?.expect("the head, where it was");
    /// assert_eq!((hit.object, hit.bone), (Some(object), Some(12)));
    /// assert_eq!(runtime.trace(&shot.with_past(PastTarget::at(0.45)))?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_past(self, past: PastTarget) -> Self {
        Self { target: TraceTarget::Past(past), ..self }
    }

    fn is_line(&self) -> bool {
        self.mins == self.maxs
    }

    /// Returns the two points that the line connects.
    pub(super) fn line_ends(&self) -> [Vec3; 2] {
        [self.start, self.end].map(|place| place + self.mins)
    }

    /// Returns `true` if the box can be traced: parry panics if the square of an edge overflows.
    fn has_sound_box(&self) -> bool {
        let is_near = |corner: Vec3| corner.is_finite() && corner.abs().max_element() <= MAX_CORNER;
        is_near(self.mins) && is_near(self.maxs) && (self.maxs - self.mins).min_element() >= 0.0
    }

    /// Returns the hit at a fraction of the line.
    pub(super) fn hit(
        &self,
        fraction: f32,
        normal: Vec3,
        object: Option<ObjectId>,
        bone: Option<usize>,
        surface: Surface,
    ) -> Hit {
        let point = self.start + (self.end - self.start) * fraction;
        let start_solid = normal == Vec3::ZERO;
        Hit { fraction, point, normal, object, bone, surface, start_solid, all_solid: false }
    }
}

impl Runtime {
    /// Returns the first hit of a line or box; `None` if it neither hits anything nor starts inside something.
    ///
    /// **Characters are in the world only once they have a ragdoll**, from their first `ragdoll_command` on. For others
    /// use [`Trace::with_object`] with each candidate, such as those whose bounding boxes the line meets:
    ///
    /// ```
    /// use skelobj::math::{Mat3x4, Vec3};
    /// use skelobj::model::FrameState;
    /// use skelobj::object::{Build, Space};
    /// use skelobj::runtime::{ObjectGeometry, Trace};
    /// let (mut runtime, near) = skelobj::assets::mannequin_runtime();
    /// let model = runtime.model_by_name("mannequin.iqm").unwrap();
    /// let far = runtime.create_object(model, Space::Local)?;
    /// runtime.build(far, model, &FrameState::single(0, 0.0), &Build::REPLACE)?;
    /// let shot = Trace::line(Vec3::new(-200.0, 0.0, 45.0), Vec3::new(200.0, 0.0, 45.0));
    /// let candidates = [(far, Mat3x4::from_translation(Vec3::X * 60.0)), (near, Mat3x4::IDENTITY)];
    /// let mut first = runtime.trace(&shot)?; // the level, and characters with ragdolls
    /// for (object, entity) in candidates {
    ///     let hit = runtime.trace(&shot.with_object(object, entity, ObjectGeometry::Best))?;
    ///     first = [first, hit].into_iter().flatten().min_by(|a, b| a.fraction.total_cmp(&b.fraction));
    /// }
    /// assert_eq!(first.and_then(|hit| hit.object), Some(near));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Ragdolls and kinematic bodies are where the last step left them, new ones where they were created. The triangles
    /// of a mesh are hit from both sides.
    ///
    /// A trace of the world stops on the surface that it hits. Surfaces that it touches at the start, as where the last
    /// trace stopped, do not stop a motion along them or away from them; a motion into them has fraction 0. A trace
    /// that starts inside something solid goes on to the open, and from there to what it hits next. One exception is a
    /// line from inside a ragdoll's body, such as a shot at close range: it hits that body at fraction 0.
    ///
    /// ```
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
    /// [`TraceError`] if a number of the trace cannot be used, or its object does not exist.
    pub fn trace(&self, trace: &Trace) -> Result<Option<Hit>, TraceError> {
        if !(trace.start.is_finite() && trace.end.is_finite() && (trace.end - trace.start).is_finite()) {
            return Err(TraceError::NotFinite);
        }
        if !trace.has_sound_box() {
            return Err(TraceError::BadBox);
        }
        match trace.target {
            TraceTarget::World => Ok(self.trace_world(trace, true)),
            TraceTarget::Object { .. } | TraceTarget::Past(_) if !trace.is_line() => Err(TraceError::BoxThroughObject),
            TraceTarget::Past(past) => self.trace_past(trace, past),
            TraceTarget::Object { object: id, entity, geometry } => {
                let object = self.object(id).ok_or(TraceError::NoSuchObject)?;
                let to_model = entity.inverse().ok_or(TraceError::SingularEntity)?;
                match geometry {
                    ObjectGeometry::Best if self.ragdoll(id).is_some() => {
                        return Ok(self.trace_skin_between_bodies(trace, id));
                    }
                    ObjectGeometry::Ragdoll => return Ok(self.trace_ragdoll(trace, id)),
                    _ => {}
                }
                let mut bones = vec![Mat3x4::ZERO; object.bone_count()];
                object.write_model_space(&mut bones);
                Ok(trace_posed(&self.posed_skins, object.model(), &bones, trace, id, &to_model, geometry))
            }
        }
    }

    pub(super) fn trace_ragdoll(&self, trace: &Trace, object: ObjectId) -> Option<Hit> {
        let [start, end] = trace.line_ends();
        Some(trace.body_hit(self.ragdoll(object)?.cast_line(start, end, &self.physics)?, object))
    }

    /// Traces the level and the colliders of the host, and ragdolls if `ragdolls`.
    pub(super) fn trace_world(&self, trace: &Trace, ragdolls: bool) -> Option<Hit> {
        let excluded = trace.excluded.map(|object| u64::from(object.get()));
        let wanted = |_: ColliderHandle, collider: &Collider| match UserData::from_bits(collider.user_data) {
            Some(UserData::Ragdoll { owner, .. }) => ragdolls && Some(owner) != excluded,
            _ => true,
        };
        let corners = [trace.mins, trace.maxs];
        let found = self.physics.trace([trace.start, trace.end], corners, trace.groups, &wanted)?;
        let (object, bone, surface) = self.struck(found.hit.collider, found.hit.triangle);
        let hit = trace.hit(found.hit.fraction, found.hit.normal, object, bone, surface);
        Some(Hit { start_solid: found.start_solid, all_solid: found.all_solid, ..hit })
    }

    fn struck(&self, handle: ColliderHandle, triangle: Option<u32>) -> (Option<ObjectId>, Option<usize>, Surface) {
        let user_data = self.physics.world().colliders.get(handle).map_or(0, |collider| collider.user_data);
        if let Some(UserData::Level { body, shape }) = UserData::from_bits(user_data) {
            return (None, None, Surface::Level { body, shape, triangle });
        }
        match self.owner_of(user_data) {
            Some(super::BodyOwner::Ragdoll { object, body, bone }) => (Some(object), Some(bone), Surface::Body(body)),
            _ => (None, None, Surface::Collider(handle)),
        }
    }
}

/// Traces the hit boxes or the skin of a model; `bones` are in model space.
pub(super) fn trace_posed(
    skins: &PosedSkins,
    model: &Arc<Model>,
    bones: &[Mat3x4],
    trace: &Trace,
    id: ObjectId,
    to_model: &Mat3x4,
    geometry: ObjectGeometry,
) -> Option<Hit> {
    let [from, to] = trace.line_ends().map(|place| to_model.transform_point(place));
    if geometry == ObjectGeometry::HitBoxes || geometry == ObjectGeometry::Best && !model.hit_boxes.is_empty() {
        let found = trace_hit_boxes(&model.hit_boxes, bones, from, to)?;
        let bone = model.hit_boxes.get(found.hit_box).map(|hit_box| hit_box.bone);
        let normal = world_normal(to_model, found.normal);
        return Some(trace.hit(found.fraction, normal, Some(id), bone, Surface::HitBox(found.hit_box)));
    }
    let found = skins.get(model, bones).trace(&model.meshes, from, to)?;
    let surface = Surface::Skin { mesh: found.mesh, triangle: found.triangle };
    Some(trace.hit(found.fraction, world_normal(to_model, found.normal), Some(id), found.bone, surface))
}

/// Returns a normal of model space in world space: by the transposed inverse, so that it stays perpendicular under
/// scale.
fn world_normal(to_model: &Mat3x4, normal: Vec3) -> Vec3 {
    let m = &to_model.0;
    let row = |number: usize| Vec3::new(m[4 * number], m[4 * number + 1], m[4 * number + 2]);
    (row(0) * normal.x + row(1) * normal.y + row(2) * normal.z).normalize_or_zero()
}
