//! Builtin calls: checked arguments, and the conversion of entities for the runtime.

use std::ops::Range;
use std::sync::Arc;

use skelobj_model::internal::{self, all_finite, finite_number, id_number};

use super::argument_number::{finite_vector, index, integer, object_id};
use super::frame_state::frame_state;
use super::{Builtin, Dialect, Entity, Field, Host, ModelRef, Rules, ScriptResult};
use crate::math::{Axes, EntityTransform, Mat3x4, Vec3, truncate};
use crate::model::{Model, Name};
use crate::object::ObjectError;
use crate::qc::dialect::same_name;
use crate::runtime::{EntityState, Hit, ObjectId, Runtime, Trace};

/// Render flag that makes `v_forward`, `v_right` and `v_up` an entity's axes: `RF_USEAXIS`.
pub(super) const USE_AXIS: i32 = 16;

/// Names that a builtin compares in the time of one QuakeC statement.
pub(super) const NAMES_A_STATEMENT: u64 = 4;

/// Bytes of names that a builtin compares in the time of one QuakeC statement.
const NAME_BYTES_A_STATEMENT: u64 = 32;

/// Cost of a search for a file, in QuakeC statements.
pub(super) const LOOKUP: u64 = 1000;

/// Cost of a trace through the world, in QuakeC statements.
pub(super) const TRACE: u64 = 128;

/// Matrices that a builtin multiplies in the time of one QuakeC statement.
pub(super) const BONES_A_STATEMENT: u64 = 4;

/// Running builtin.
pub(super) struct Call<'a, H: ?Sized> {
    pub(super) runtime: &'a mut Runtime,
    pub(super) host: &'a mut H,
    pub(super) builtin: &'a Builtin,
}

impl<H: Host + ?Sized> Call<'_, H> {
    #[inline]
    pub(super) fn dialect(&self) -> Dialect {
        self.host.dialect()
    }

    /// Runs a call on a ragdoll with the dialect's rule for bones without bodies (difference 32).
    pub(super) fn on_ragdoll<T>(&mut self, run: impl FnOnce(&mut Runtime) -> T) -> T {
        match self.dialect() {
            Dialect::Fte => self.runtime.without_kept_bones(run),
            Dialect::DarkPlaces => run(self.runtime),
        }
    }

    /// Returns the first arguments as floats, without checks.
    #[inline]
    pub(super) fn floats<const N: usize>(&self) -> [f32; N] {
        let mut values = [0.0; N];
        self.host.floats(&mut values);
        values
    }

    /// Returns an integer argument, which compilers without integers pass as a float.
    pub(super) fn int(&self, argument: usize) -> i32 {
        integer(self.host.int(argument))
    }

    /// Returns a number through an argument that the script passed for it, and through a global.
    pub(super) fn out_float(&mut self, argument: usize, global: ScriptResult, value: f32) {
        if argument < self.host.argc() {
            self.host.set_float(argument, value);
        }
        self.host.set_result(global, value);
    }

    /// Returns an integer through an argument that the script passed for it, and as a float through a global.
    pub(super) fn out_int(&mut self, argument: usize, global: ScriptResult, value: i32) {
        if argument < self.host.argc() {
            self.host.set_int(argument, value);
        }
        self.host.set_result(global, value as f32);
    }

    /// Returns a text through an argument that the script passed for it, and through a global.
    pub(super) fn out_string(&mut self, argument: usize, global: ScriptResult, value: &[u8]) {
        if argument < self.host.argc() {
            self.host.set_string(argument, value);
        }
        self.host.set_string_result(global, value);
    }

    /// Replaces non-finite arguments with 0 and reports them (difference 18), also those that the call does not need.
    #[inline]
    pub(super) fn finite<const N: usize>(&mut self, values: [f32; N]) -> [f32; N] {
        // A non-finite summand makes the sum non-finite.
        if values.iter().sum::<f32>().is_finite() { values } else { self.made_finite(values) }
    }

    #[cold]
    fn made_finite<const N: usize>(&mut self, values: [f32; N]) -> [f32; N] {
        if all_finite(&values) { values } else { self.not_finite(values.map(finite_number)) }
    }

    /// Returns a float argument; a non-finite value is treated as 0 and reported (difference 18).
    #[inline]
    pub(super) fn float(&mut self, argument: usize) -> f32 {
        let value = self.host.float(argument);
        if value.is_finite() { value } else { self.not_finite(0.0) }
    }

    /// Returns a float argument truncated toward zero.
    #[inline]
    pub(super) fn integer(&mut self, argument: usize) -> i32 {
        truncate(self.float(argument))
    }

    #[inline]
    pub(super) fn vector(&mut self, argument: usize) -> Vec3 {
        let value = self.host.vector(argument);
        if value.is_finite() { value } else { self.not_finite(finite_vector(value)) }
    }

    fn not_finite<T>(&mut self, instead: T) -> T {
        self.host.not_finite(self.builtin.name);
        instead
    }

    /// Returns the id in an argument; its use shows if the object exists.
    #[inline]
    pub(super) fn object(&mut self, argument: usize) -> Option<ObjectId> {
        object_id(self.float(argument))
    }

    /// Returns the object of an id argument, if it exists.
    pub(super) fn live_object(&mut self, argument: usize) -> Option<ObjectId> {
        let id = self.object(argument);
        id.filter(|id| self.runtime.object(*id).is_some())
    }

    /// Returns the object of argument 0 and the bone of argument 1 as an index, beyond all objects for numbers below 1.
    #[inline]
    pub(super) fn object_and_bone(&mut self) -> (Option<ObjectId>, usize) {
        let values: [f32; 2] = self.floats();
        let sum = values.iter().sum::<f32>();
        if sum.is_finite() { object_and_bone_of(values) } else { self.finite_object_and_bone() }
    }

    /// Returns the object and bone with non-finite numbers replaced; out of line to keep two floats in two registers.
    #[cold]
    fn finite_object_and_bone(&mut self) -> (Option<ObjectId>, usize) {
        let values = self.made_finite(self.floats());
        object_and_bone_of(values)
    }

    /// Returns a 1-based number argument as an index.
    #[inline]
    pub(super) fn index(&mut self, argument: usize) -> Option<usize> {
        index(self.float(argument))
    }

    /// Returns the range of bones of two arguments, first and last.
    #[inline]
    pub(super) fn bones(&mut self, first: usize) -> Range<usize> {
        let (first, last) = (self.float(first), self.float(first + 1));
        self.dialect().bones(first, last)
    }

    /// Returns the matrix of an origin argument and the three axis arguments after it.
    ///
    /// The globals are used unless all three were passed (difference 17).
    pub(super) fn matrix(&mut self, origin: usize) -> Mat3x4 {
        let matrix = if self.has_axes(origin) { self.passed_matrix(origin) } else { self.global_matrix(origin) };
        if matrix.is_finite() { matrix } else { self.not_finite(Mat3x4(matrix.0.map(finite_number))) }
    }

    /// Returns `true` if the three axes after an origin argument were passed.
    #[inline]
    pub(super) fn has_axes(&self, origin: usize) -> bool {
        self.host.argc() > origin + 3 && self.dialect() == Dialect::Fte
    }

    /// Returns the matrix of an origin argument and the three arguments after it, without checks.
    #[inline]
    pub(super) fn passed_matrix(&self, origin: usize) -> Mat3x4 {
        let vector = |n| self.host.vector(origin + n);
        Mat3x4::from_axes(Axes { forward: vector(1), right: vector(2), up: vector(3) }, vector(0))
    }

    /// Returns the matrix of an origin argument and the globals, without checks.
    #[inline]
    pub(super) fn global_matrix(&self, origin: usize) -> Mat3x4 {
        Mat3x4::from_axes(self.host.axes(), self.host.vector(origin))
    }

    #[inline]
    pub(super) fn global_axes(&mut self) -> Axes {
        let axes = self.host.axes();
        if axes.forward.is_finite() && axes.right.is_finite() && axes.up.is_finite() {
            return axes;
        }
        let axes =
            Axes { forward: finite_vector(axes.forward), right: finite_vector(axes.right), up: finite_vector(axes.up) };
        self.not_finite(axes)
    }

    /// Returns the model of a model index argument.
    #[inline]
    pub(super) fn model(&mut self, argument: usize) -> ModelRef {
        let index = self.integer(argument);
        self.host.model(self.runtime, index)
    }

    pub(super) fn entity_model(&mut self, entity: Entity) -> ModelRef {
        let index = truncate(self.host.float_field(entity, Field::modelindex));
        self.host.model(self.runtime, index)
    }

    /// Returns the live object of an entity's `skeletonindex`; if that is 0, the one that the host gave the entity.
    pub(super) fn entity_object(&self, entity: Entity) -> Option<ObjectId> {
        let handle = self.host.float_field(entity, Field::skeletonindex);
        let id = if handle == 0.0 { self.host.own_object(entity) } else { object_id(handle) };
        id.filter(|id| self.runtime.object(*id).is_some())
    }

    /// Returns `true` if an entity's `skeletonindex` refers to an object, even to one that no longer exists.
    pub(super) fn names_object(&self, entity: Entity) -> bool {
        truncate(self.host.float_field(entity, Field::skeletonindex)) != 0
    }

    pub(super) fn transform(&self, entity: Entity) -> EntityTransform {
        let field = |field| finite_vector(self.host.vector_field(entity, field));
        let scale = finite_number(self.host.float_field(entity, Field::scale));
        EntityTransform { origin: field(Field::origin), angles: field(Field::angles), scale }
    }

    /// Returns the matrix from model space to world space for ragdolls, with the entity's scale and the angles of mesh
    /// entities.
    pub(super) fn ragdoll_world(&self, entity: Entity) -> Mat3x4 {
        self.runtime.settings().entity_matrix(&self.transform(entity))
    }

    /// Returns the matrix from model space to world space of an entity whose model is known.
    pub(super) fn world(&mut self, entity: Entity, model: ModelRef) -> Mat3x4 {
        self.world_with(entity, model, Axes::from_angles)
    }

    /// Returns the matrix from model space to world space, with a given conversion from angles to axes.
    pub(super) fn world_with(&mut self, entity: Entity, model: ModelRef, from_angles: fn(Vec3) -> Axes) -> Mat3x4 {
        let transform = self.transform(entity);
        let EntityTransform { origin, mut angles, .. } = transform;
        if self.dialect() == Dialect::DarkPlaces {
            angles.x *= if model.id().is_some() { -1.0 } else { 1.0 };
            return self.scaled_world(entity, origin, angles, internal::factor(&transform));
        }
        if self.has_mesh_angles(model) {
            let settings = self.runtime.settings();
            angles.x *= settings.mesh_pitch;
            angles.z *= settings.mesh_roll;
        }
        Mat3x4::from_axes(from_angles(angles), origin)
    }

    /// Returns `true` if `r_meshpitch` and `r_meshroll` apply to a model's entities (difference 42): not to those of
    /// Half-Life models and levels.
    fn has_mesh_angles(&self, model: ModelRef) -> bool {
        match model {
            ModelRef::Unknown => true,
            ModelRef::None | ModelRef::Other => false,
            ModelRef::Model(id) => self.runtime.model(id).is_none_or(|model| model.half_life.is_none()),
        }
    }

    /// Returns an entity's matrix with DarkPlaces' additions: axes from the globals, and a scale.
    fn scaled_world(&mut self, entity: Entity, origin: Vec3, angles: Vec3, scale: f32) -> Mat3x4 {
        let flags = truncate(self.host.float_field(entity, Field::renderflags));
        let axes = if self.host.rules() == Rules::Client && flags & USE_AXIS != 0 {
            self.global_axes()
        } else {
            Axes::from_angles(angles)
        };
        Mat3x4::from_axes(axes.scaled(scale), origin)
    }

    /// Returns the state of an entity with everything that poses its bones.
    pub(super) fn entity_state(&mut self, entity: Entity) -> EntityState {
        let model = self.entity_model(entity);
        let loaded = model.id().and_then(|id| self.runtime.model(id));
        let frame = frame_state(self.host, entity, loaded.map(Arc::as_ref));
        EntityState { world: self.world(entity, model), model: model.id(), object: self.entity_object(entity), frame }
    }

    /// Sets the result to a matrix: returns the origin, and sets the globals to the axes.
    ///
    /// Without a matrix, or if its numbers overflow, the origin is zero and the axes are those of no rotation in FTE,
    /// zero in DarkPlaces.
    #[inline]
    pub(super) fn return_matrix(&mut self, matrix: Option<Mat3x4>) {
        let (origin, axes) = match matrix.filter(Mat3x4::is_finite) {
            Some(matrix) => (matrix.origin(), matrix.axes()),
            None if self.dialect() == Dialect::Fte => (Vec3::ZERO, Axes::IDENTITY),
            None => (Vec3::ZERO, Axes { forward: Vec3::ZERO, right: Vec3::ZERO, up: Vec3::ZERO }),
        };
        self.host.set_axes(axes);
        self.host.return_vector(origin);
    }

    /// Charges work on all bones of an object, with this many statements for each.
    pub(super) fn charge_bones(&self, id: ObjectId, statements: u64) -> bool {
        let bones = self.runtime.object(id).map_or(0, |object| object.bone_count() as u64);
        self.host.charge(bones * statements)
    }

    /// Returns the size of the skin and the hit boxes of an object's model.
    pub(super) fn skin_size(&self, id: ObjectId) -> u64 {
        self.runtime.object(id).map_or(0, |object| internal::skin_size(object.model()))
    }

    /// Returns the index of the first name that equals `wanted`, and charges for the comparisons.
    pub(super) fn find_name<'n>(&self, names: impl Iterator<Item = &'n Name>, wanted: &[u8]) -> Option<usize> {
        let dialect = self.dialect();
        let (mut visited, mut bytes) = (0, 0);
        let mut names = names.map(Name::as_bytes);
        let found = names.position(|name| {
            visited += 1;
            // Names of other lengths differ without a look at their bytes.
            bytes += if name.len() == wanted.len() { wanted.len() as u64 } else { 0 };
            same_name(dialect, name, wanted)
        });
        self.host.charge(visited / NAMES_A_STATEMENT + bytes / NAME_BYTES_A_STATEMENT);
        found
    }

    /// Returns the number of a model's first skin with exactly this name, and charges for the comparisons.
    pub(super) fn find_skin(&self, model: &Model, wanted: &[u8]) -> Option<usize> {
        self.host.charge(model.skins.len() as u64 * (wanted.len() as u64 / NAME_BYTES_A_STATEMENT));
        model.find_skin(wanted)
    }

    /// Returns the hit of a trace. A trace that cannot be made hits nothing, and the reason is printed.
    pub(super) fn traced(&mut self, trace: &Trace) -> Option<Hit> {
        self.runtime.trace(trace).unwrap_or_else(|error| {
            self.complain(&error);
            None
        })
    }

    /// Tells the host the reason why a call did nothing.
    pub(super) fn complain(&mut self, problem: &dyn std::fmt::Display) {
        self.host.complain(self.builtin, &problem.to_string());
    }

    /// Returns `true` if an edit succeeded.
    ///
    /// Errors are printed, except for objects and bones that do not exist, which scripts may look up.
    #[inline]
    pub(super) fn check(&mut self, result: Result<(), ObjectError>) -> bool {
        result.map_err(|error| self.complain_of(error)).is_ok()
    }

    #[cold]
    fn complain_of(&mut self, error: ObjectError) {
        if !matches!(error, ObjectError::NoSuchObject | ObjectError::NoSuchBone) {
            self.complain(&error);
        }
    }

    /// Prints the runtime's warnings.
    pub(super) fn print_warnings(&mut self) {
        for warning in self.runtime.take_warnings() {
            self.complain(&warning);
        }
    }
}

#[inline]
fn object_and_bone_of([handle, bone]: [f32; 2]) -> (Option<ObjectId>, usize) {
    (object_id(handle), id_number(bone).wrapping_sub(1) as usize)
}
