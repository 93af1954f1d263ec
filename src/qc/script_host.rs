//! Interface from the builtins of models and traces to hosts without an engine.

use super::named::named;
use super::{Entity, Scene};
use crate::math::Vec3;
use crate::runtime::{Hit, Runtime, Trace};

/// Values of the `trace_` globals after a trace.
///
/// # Example
/// ```
/// use skelobj::assets;
/// use skelobj::math::{Mat3x4, Vec3};
/// use skelobj::qc::ScriptTrace;
/// use skelobj::runtime::{ObjectGeometry, Trace};
///
/// let (runtime, object) = assets::mannequin_runtime();
/// let (start, end) = (Vec3::new(50.0, 0.0, 45.0), Vec3::new(-50.0, 0.0, 45.0));
/// let shot = Trace::line(start, end).with_object(object, Mat3x4::IDENTITY, ObjectGeometry::Best);
/// let globals = runtime.trace(&shot)?.map_or(ScriptTrace::clear(end), ScriptTrace::from);
/// assert!(globals.fraction > 0.3 && globals.fraction < 0.5); // the front of the chest
/// assert!(globals.normal.x > 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct ScriptTrace {
    /// Fraction of the trace before the hit, 0 to 1 (`trace_fraction`).
    pub fraction: f32,
    /// End of the trace, world space (`trace_endpos`).
    pub end: Vec3,
    /// Unit normal of the surface that was hit, zero if nothing was (`trace_plane_normal`).
    pub normal: Vec3,
    /// Distance of the surface's plane from the world's origin along its normal, Quake units (`trace_plane_dist`).
    pub distance: f32,
    /// `true` if the trace started inside something solid (`trace_startsolid`).
    pub start_solid: bool,
    /// `true` if the trace never left what it started in (`trace_allsolid`).
    pub all_solid: bool,
    /// Entity that was hit, `None` for the level (`trace_ent`).
    pub entity: Option<Entity>,
}

impl ScriptTrace {
    /// Returns the result of a trace that reached `end` without a hit.
    ///
    /// # Example
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::qc::ScriptTrace;
    ///
    /// let trace = ScriptTrace::clear(Vec3::new(0.0, 0.0, -64.0));
    /// assert_eq!(trace.fraction, 1.0);
    /// assert_eq!(trace.normal, Vec3::ZERO);
    /// ```
    #[must_use]
    pub const fn clear(end: Vec3) -> Self {
        let (normal, entity) = (Vec3::ZERO, None);
        Self { fraction: 1.0, end, normal, distance: 0.0, start_solid: false, all_solid: false, entity }
    }

    /// Returns the result of a trace of the level from `start` to `end`, which stops before what it hits.
    pub(crate) fn before(hit: Option<Hit>, start: Vec3, end: Vec3) -> Self {
        let Some(hit) = hit else { return Self::clear(end) };
        // A trace that ends on a surface has reached its end, as one that stays in something solid.
        if hit.normal == Vec3::ZERO || hit.fraction >= 1.0 {
            return Self { start_solid: hit.start_solid, all_solid: hit.all_solid, ..Self::clear(end) };
        }
        let towards = (start - end).dot(hit.normal);
        let fraction = (hit.fraction - GAP / towards.max(f32::MIN_POSITIVE)).max(0.0);
        Self { fraction, end: start + (end - start) * fraction, ..Self::from(hit) }
    }
}

/// Distance from a surface at which `traceline` and `tracebox` stop, Quake units.
pub(super) const GAP: f32 = 1.0 / 32.0;

impl From<Hit> for ScriptTrace {
    fn from(hit: Hit) -> Self {
        Self {
            fraction: hit.fraction,
            end: hit.point,
            normal: hit.normal,
            distance: hit.normal.dot(hit.point),
            start_solid: hit.start_solid,
            all_solid: hit.all_solid,
            entity: None,
        }
    }
}

/// Interface from the builtins of [`Family::Engine`](super::Family::Engine) to their host, in addition to
/// [`Host`](super::Host).
///
/// Engines have these builtins already. Only standalone hosts implement this trait and return it from
/// [`Host::script`](super::Host::script).
///
/// # Example
/// ```
/// use skelobj::Runtime;
/// use skelobj::math::Vec3;
/// use skelobj::qc::{Entity, ScriptHost, ScriptTrace};
///
/// #[derive(Default)]
/// struct Game {
///     models: Vec<String>,
///     shown: Vec<(Entity, usize)>, // modelindex of entities
///     trace_endpos: Vec3,
/// }
///
/// impl ScriptHost for Game {
///     fn set_model(&mut self, runtime: &mut Runtime, entity: Entity, name: &[u8]) {
///         let index = self.precache_model(runtime, name);
///         self.shown.push((entity, index));
///     }
///
///     fn precache_model(&mut self, _runtime: &mut Runtime, name: &[u8]) -> usize {
///         let name = String::from_utf8_lossy(name).into_owned();
///         let known = self.models.iter().position(|model| *model == name);
///         let place = known.unwrap_or_else(|| {
///             self.models.push(name); // and `runtime.load_model`
///             self.models.len() - 1
///         });
///         place + 1
///     }
///
///     fn set_trace(&mut self, trace: &ScriptTrace) {
///         self.trace_endpos = trace.end;
///     }
/// }
///
/// let (mut runtime, mut game) = (Runtime::default(), Game::default());
/// game.set_model(&mut runtime, Entity(1), b"mannequin.iqm");
/// game.set_model(&mut runtime, Entity(2), b"mannequin.iqm");
/// assert_eq!(game.shown, [(Entity(1), 1), (Entity(2), 1)]);
/// ```
pub trait ScriptHost {
    /// Sets an entity's `model` and `modelindex`, and loads a new model. The empty name means no model.
    fn set_model(&mut self, runtime: &mut Runtime, entity: Entity, name: &[u8]);
    /// Returns the index of a model, and loads a new model.
    fn precache_model(&mut self, runtime: &mut Runtime, name: &[u8]) -> usize;
    /// Returns the index of a model that was loaded. The default knows none.
    fn find_model(&self, name: &[u8]) -> Option<usize> {
        let _ = name;
        None
    }
    /// Returns the name of the model with an index. The default knows none.
    fn model_name(&self, index: usize) -> Option<Vec<u8>> {
        let _ = index;
        None
    }
    /// Returns the number of a shader, the same for the same name; 0 means no shader, as the default does.
    fn shader(&mut self, name: &[u8]) -> usize {
        let _ = name;
        0
    }
    /// Sets the `trace_` globals that the game declares.
    fn set_trace(&mut self, trace: &ScriptTrace);
    /// Shortens the result of a trace of the level to the first solid entity in its way, as `tracebox` does with the
    /// bits of `nomonsters`. The entity `ignored`, its owner and what it owns are not hit. The default hits none.
    fn trace_entities(
        &mut self,
        runtime: &Runtime,
        trace: &Trace,
        result: &mut ScriptTrace,
        nomonsters: i32,
        ignored: Entity,
    ) {
        let _ = (runtime, trace, result, nomonsters, ignored);
    }

    /// Moves the entity in `self` down to the level, at most 256 units, and returns `true` if it then stands on
    /// it, as `droptofloor` does. The default moves nothing.
    fn drop_to_floor(&mut self, runtime: &Runtime) -> bool {
        let _ = runtime;
        false
    }

    /// Takes a step of a distance in Quake units in a direction in degrees with the entity in `self`, and returns
    /// `true` if it moved, as `walkmove` does. The default moves nothing.
    fn walk(&mut self, runtime: &Runtime, yaw: f32, distance: f32) -> bool {
        let _ = (runtime, yaw, distance);
        false
    }

    /// Takes a step towards `goalentity` with the entity in `self`, as `movetogoal` does. The default moves nothing.
    fn approach(&mut self, runtime: &Runtime, distance: f32) {
        let _ = (runtime, distance);
    }

    /// Returns `true` if an entity stands on the level with all corners, as `checkbottom` does. The default returns
    /// `false`.
    fn stands(&mut self, runtime: &Runtime, entity: Entity) -> bool {
        let _ = (runtime, entity);
        false
    }

    /// Returns the scene that client code fills. The default has none: its builtins do nothing.
    fn scene(&mut self) -> Option<&mut Scene> {
        None
    }

    /// Adds the living entities whose `drawmask` has a bit of `mask` to the scene, after a call of their `predraw`.
    ///
    /// The calls must happen after the running builtin has returned. The default adds none.
    fn add_entities(&mut self, mask: i32) {
        let _ = mask;
    }

    /// Returns `true` for an entity other than the world that was not removed. The default always returns `true`.
    fn is_alive(&self, entity: Entity) -> bool {
        let _ = entity;
        true
    }
}

named! {
    /// Global of a script for a result of a builtin, which is also returned through an `__out` argument.
    ///
    /// The names are those in QuakeC. Compilers without `__out`, such as Debian's fteqcc and gmqcc, lose what is
    /// returned through arguments, and their scripts read these globals.
    ///
    /// # Example
    /// ```
    /// use skelobj::qc::ScriptResult;
    ///
    /// let results = ScriptResult::ALL.iter().map(|result| format!("{} {};", result.kind(), result.name()));
    /// for declaration in results {
    ///     assert!(skelobj::qc::header().contains(&declaration));
    /// }
    /// ```
    ScriptResult:
    "float":
        skel_impact_skel skel_impact_bone skel_impact_impulse skel_impact_other skel_trace_bone skel_trace_fraction
        modelevent_time modelevent_code;
    "string": modelevent_data;
}
