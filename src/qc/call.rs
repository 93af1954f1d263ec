//! One builtin call: checked arguments, and what entities mean to the runtime.

use std::ops::Range;

use super::{Dialect, Entity, Field, Host, ModelRef, Rules};
use crate::math::{Axes, EntityTransform, Mat3x4, Vec3, all_finite, truncate};
use crate::model::{AnimationSource, FrameFields, FrameState, PoseParameters};
use crate::runtime::{EntityState, ModelId, Report, Runtime, SkelId};
use crate::skeleton::SkelError;

/// The render flag that makes frame times start times: `RF_FRAMETIMESARESTARTTIMES`.
pub(super) const FRAME_TIMES_ARE_START_TIMES: i32 = 64;
/// The render flag that makes `v_forward`, `v_right` and `v_up` an entity's axes: `RF_USEAXIS`.
pub(super) const USE_AXIS: i32 = 16;

/// A running builtin.
pub(super) struct Call<'a, H: ?Sized> {
    pub(super) runtime: &'a mut Runtime,
    pub(super) host: &'a mut H,
    pub(super) dialect: Dialect,
    pub(super) name: &'static str,
}

impl<H: Host + ?Sized> Call<'_, H> {
    /// A float argument; what is not finite is 0 and reported (ruling 18).
    #[inline]
    pub(super) fn float(&mut self, argument: usize) -> f32 {
        let value = self.host.float(argument);
        if value.is_finite() { value } else { self.not_finite(0.0) }
    }

    /// A float argument truncated toward zero.
    #[inline]
    pub(super) fn integer(&mut self, argument: usize) -> i32 {
        self.float(argument) as i32
    }

    #[inline]
    pub(super) fn vector(&mut self, argument: usize) -> Vec3 {
        let value = self.host.vector(argument);
        if value.is_finite() { value } else { self.not_finite(finite(value)) }
    }

    fn not_finite<T>(&mut self, instead: T) -> T {
        self.runtime.report_not_finite(self.name);
        instead
    }

    /// The live object of a handle argument.
    #[inline]
    pub(super) fn object(&mut self, argument: usize) -> Option<SkelId> {
        let handle = u32::try_from(self.integer(argument)).ok()?;
        self.runtime.object_by_handle(handle)
    }

    /// A 1-based number argument as an index.
    #[inline]
    pub(super) fn index(&mut self, argument: usize) -> Option<usize> {
        usize::try_from(i64::from(self.integer(argument)) - 1).ok()
    }

    /// The bones that two arguments, first and last, mean.
    #[inline]
    pub(super) fn bones(&mut self, first: usize) -> Range<usize> {
        let (first, last) = (self.float(first), self.float(first + 1));
        self.dialect.bones(first, last)
    }

    /// The matrix of an origin argument and three axis arguments behind it. The globals stand in unless all three were
    /// passed (ruling 17).
    #[inline]
    pub(super) fn matrix(&mut self, origin: usize) -> Mat3x4 {
        let passed = self.host.argc() > origin + 3 && self.dialect == Dialect::Fte;
        let axes = if passed {
            let vector = |n| self.host.vector(origin + n);
            Axes { forward: vector(1), right: vector(2), up: vector(3) }
        } else {
            self.host.axes()
        };
        let matrix = Mat3x4::from_axes(axes, self.host.vector(origin));
        if matrix.is_finite() { matrix } else { self.not_finite(Mat3x4(matrix.0.map(finite_number))) }
    }

    #[inline]
    pub(super) fn global_axes(&mut self) -> Axes {
        let axes = self.host.axes();
        if axes.forward.is_finite() && axes.right.is_finite() && axes.up.is_finite() {
            return axes;
        }
        let axes = Axes { forward: finite(axes.forward), right: finite(axes.right), up: finite(axes.up) };
        self.not_finite(axes)
    }

    /// What a model index argument stands for.
    #[inline]
    pub(super) fn model(&mut self, argument: usize) -> ModelRef {
        let index = self.integer(argument);
        self.host.model(self.runtime, index)
    }

    pub(super) fn entity_model(&mut self, entity: Entity) -> ModelRef {
        let index = truncate(self.host.float_field(entity, Field::modelindex));
        self.host.model(self.runtime, index)
    }

    /// The live object of an entity's `skeletonindex`.
    pub(super) fn entity_object(&self, entity: Entity) -> Option<SkelId> {
        let handle = truncate(self.host.float_field(entity, Field::skeletonindex));
        self.runtime.object_by_handle(u32::try_from(handle).ok()?)
    }

    /// Whether an entity says that it has an object, be it gone or not.
    pub(super) fn names_object(&self, entity: Entity) -> bool {
        truncate(self.host.float_field(entity, Field::skeletonindex)) != 0
    }

    pub(super) fn transform(&self, entity: Entity) -> EntityTransform {
        let field = |field| finite(self.host.vector_field(entity, field));
        EntityTransform { origin: field(Field::origin), angles: field(Field::angles), scale: self.scale(entity) }
    }

    /// Model space to world space of an entity whose model is known.
    pub(super) fn world(&mut self, entity: Entity, model: ModelRef) -> Mat3x4 {
        self.world_with(entity, model, Axes::from_angles)
    }

    /// The same with another way from angles to axes.
    pub(super) fn world_with(&mut self, entity: Entity, model: ModelRef, from_angles: fn(Vec3) -> Axes) -> Mat3x4 {
        let EntityTransform { origin, mut angles, scale } = self.transform(entity);
        if self.dialect == Dialect::DarkPlaces {
            angles.x *= if model.id().is_some() { -1.0 } else { 1.0 };
            return self.scaled_world(entity, origin, angles, scale);
        }
        if self.has_mesh_angles(model) {
            let settings = self.runtime.settings();
            angles.x *= settings.mesh_pitch;
            angles.z *= settings.mesh_roll;
        }
        Mat3x4::from_axes(from_angles(angles), origin)
    }

    /// Whether `r_meshpitch` and `r_meshroll` count for a model's entities (ruling 42): not for Half-Life's and levels.
    fn has_mesh_angles(&self, model: ModelRef) -> bool {
        match model {
            ModelRef::Unknown => true,
            ModelRef::None | ModelRef::Other => false,
            ModelRef::Model(id) => self.runtime.model(id).is_none_or(|model| model.studio.is_none()),
        }
    }

    /// An entity's scale, of which 0 is 1.
    fn scale(&self, entity: Entity) -> f32 {
        match finite_number(self.host.float_field(entity, Field::scale)) {
            0.0 => 1.0,
            scale => scale,
        }
    }

    /// What DarkPlaces adds: axes from the globals, and a scale.
    fn scaled_world(&mut self, entity: Entity, origin: Vec3, angles: Vec3, scale: f32) -> Mat3x4 {
        let flags = truncate(self.host.float_field(entity, Field::renderflags));
        let axes = if self.host.rules() == Rules::Client && flags & USE_AXIS != 0 {
            self.global_axes()
        } else {
            Axes::from_angles(angles)
        };
        Mat3x4::from_axes(axes.scaled(scale), origin)
    }

    /// An entity with everything that poses its bones.
    pub(super) fn entity_state(&mut self, entity: Entity) -> EntityState {
        let model = self.entity_model(entity);
        EntityState {
            world: self.world(entity, model),
            model: model.id(),
            skeleton: self.entity_object(entity),
            frame: self.frame_state(entity, model.id()),
        }
    }

    /// What an entity's fields say it plays (rulings 11, 43 and 48).
    #[inline]
    pub(super) fn frame_state(&mut self, entity: Entity, model: Option<ModelId>) -> FrameState {
        let mut fields = self.host.frame_fields(entity);
        if !all_finite(fields.as_floats_mut()) {
            fields.as_floats_mut().iter_mut().for_each(|value| *value = finite_number(*value));
        }
        let rules = self.host.rules();
        let start_times = match self.dialect {
            Dialect::DarkPlaces => true,
            Dialect::Fte => {
                let flags = truncate(self.host.float_field(entity, Field::renderflags));
                rules == Rules::Client && flags & FRAME_TIMES_ARE_START_TIMES != 0
            }
        };
        if start_times {
            let now = finite_number(self.host.time());
            each_time(&mut fields, |time| now - time);
        }
        let state = match (self.dialect, rules) {
            (Dialect::Fte, Rules::Client) => FrameState::client(&fields),
            (Dialect::Fte, Rules::Server) => FrameState::server(&fields),
            (Dialect::DarkPlaces, _) => {
                // No base group, and what has not started yet shows its first pose.
                fields.basebone = 0.0;
                each_time(&mut fields, |time| time.max(0.0));
                FrameState::client(&fields)
            }
        };
        let model = model.and_then(|id| self.runtime.model(id));
        if model.is_some_and(|model| model.studio.is_some()) {
            return state.with_parameters(self.pose_parameters(entity));
        }
        state
    }

    /// Whether the entity plays an animation that shows the bind pose of a model that has others: FTE has no relative
    /// matrices of it and builds nothing.
    #[inline]
    pub(super) fn shows_bind_pose(&self, model: ModelId, frame: &FrameState) -> bool {
        let first = frame.blends().iter().find(|blend| blend.weight > 0.0);
        let model = self.runtime.model(model).filter(|model| !model.frames.is_empty());
        let animation = model.zip(first).and_then(|(model, blend)| {
            let number = usize::try_from(blend.animation).unwrap_or(0);
            model.animations.get(number).or(model.animations.first())
        });
        animation.is_some_and(|animation| matches!(animation.source, AnimationSource::BindPose))
    }

    /// Half-Life's controls. The sub-blends run from -1 to 1 in the fields.
    fn pose_parameters(&self, entity: Entity) -> PoseParameters {
        let field = |field| finite_number(self.host.float_field(entity, field));
        let blend = |name| (field(name) + 1.0) * 0.5;
        use Field::{bonecontrol1, bonecontrol2, bonecontrol3, bonecontrol4, bonecontrol5};
        PoseParameters {
            controllers: [bonecontrol1, bonecontrol2, bonecontrol3, bonecontrol4, bonecontrol5].map(field),
            blends: [blend(Field::subblendfrac), blend(Field::subblend2frac)],
        }
    }

    /// Gives a matrix as result: the origin returned, the axes in the globals. None is the origin with unturned axes in
    /// FTE, with zero axes in DarkPlaces; so is one whose numbers overflow.
    #[inline]
    pub(super) fn return_matrix(&mut self, matrix: Option<Mat3x4>) {
        let (origin, axes) = match matrix.filter(Mat3x4::is_finite) {
            Some(matrix) => (matrix.origin(), matrix.axes()),
            None if self.dialect == Dialect::Fte => (Vec3::ZERO, Axes::IDENTITY),
            None => (Vec3::ZERO, Axes { forward: Vec3::ZERO, right: Vec3::ZERO, up: Vec3::ZERO }),
        };
        self.host.set_axes(axes);
        self.host.return_vector(origin);
    }

    /// Prints why a call did nothing.
    pub(super) fn complain(&mut self, problem: &dyn std::fmt::Display) {
        let text = format!("{}: {problem}\n", self.name);
        self.host.print(&text);
    }

    /// Prints why an edit did nothing, unless it named what is not there: scripts do that without harm.
    #[inline]
    pub(super) fn check(&mut self, result: Result<(), SkelError>) -> bool {
        match result {
            Ok(()) => return true,
            Err(SkelError::NoSuchObject | SkelError::NoSuchBone) => {}
            Err(error) => self.complain(&error),
        }
        false
    }

    /// Prints what the runtime has to say.
    pub(super) fn print_reports(&mut self) {
        for report in self.runtime.take_reports() {
            self.host.print(&match &report {
                Report::NotFinite { .. } => format!("{report}\n"),
                _ => format!("{}: {report}\n", self.name),
            });
        }
    }
}

fn finite_number(number: f32) -> f32 {
    if number.is_finite() { number } else { 0.0 }
}

fn finite(v: Vec3) -> Vec3 {
    Vec3::from(v.to_array().map(finite_number))
}

fn each_time(fields: &mut FrameFields, change: impl Fn(f32) -> f32) {
    let times = [
        &mut fields.frame1time,
        &mut fields.frame2time,
        &mut fields.frame3time,
        &mut fields.frame4time,
        &mut fields.baseframe1time,
        &mut fields.baseframe2time,
    ];
    for time in times {
        *time = change(*time);
    }
}
