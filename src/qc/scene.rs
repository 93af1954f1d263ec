//! Scene of client code: the entities that it adds, and the view that it sets.

use std::collections::BTreeMap;

use super::Entity;
use crate::math::Vec3;
use crate::runtime::EntityState;

/// Maximum number of entities in a scene.
const MOST: usize = 16_384;

/// Numbers of the view's vector properties, and how many of the next numbers are their components.
const VECTORS: [(i32, i32); 6] = [(1, 2), (4, 2), (8, 2), (11, 3), (15, 3), (33, 3)];

/// Entity in a [`Scene`], as it was when it was added.
///
/// # Example
/// ```
/// use skelobj::math::{Mat3x4, Vec3};
/// use skelobj::qc::{Entity, Scene, SceneEntity};
/// use skelobj::runtime::EntityState;
///
/// let place = Mat3x4::from_translation(Vec3::new(64.0, 0.0, 24.0));
/// let monster = SceneEntity::new(Entity(3), EntityState::new(place));
/// let mut scene = Scene::default();
/// scene.add(monster);
/// assert_eq!(scene.entities()[0].state.world.origin().x, 64.0);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct SceneEntity {
    /// Number of the entity.
    pub entity: Entity,
    /// Place, model, skeletal object and animations of the entity. The world matrix contains its scale and the entity
    /// that it is attached to.
    pub state: EntityState,
    /// Value of `renderflags`.
    pub flags: i32,
}

impl SceneEntity {
    /// Creates an entity without render flags.
    ///
    /// [`SceneEntity`] shows a use.
    #[must_use]
    pub const fn new(entity: Entity, state: EntityState) -> Self {
        Self { entity, state, flags: 0 }
    }
}

/// Scene of client code: the entities added since it was cleared, the view properties, and the number of scenes
/// rendered.
///
/// `clearscene`, `addentity`, `addentities`, `setproperty` and `renderscene` fill it; a host draws it.
///
/// # Example
/// ```
/// use skelobj::math::{Mat3x4, Vec3};
/// use skelobj::qc::{Entity, Scene, SceneEntity};
/// use skelobj::runtime::EntityState;
///
/// let mut scene = Scene::default();
/// scene.add(SceneEntity::new(Entity(1), EntityState::new(Mat3x4::IDENTITY)));
/// scene.set_property(11, [0.0, 0.0, 56.0]); // VF_ORIGIN
/// scene.render();
/// assert_eq!((scene.entities().len(), scene.rendered()), (1, 1));
/// assert_eq!(scene.origin(), Some(Vec3::new(0.0, 0.0, 56.0)));
/// scene.clear();
/// assert_eq!((scene.entities().len(), scene.rendered()), (0, 1));
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Scene {
    entities: Vec<SceneEntity>,
    properties: BTreeMap<i32, [f32; 3]>,
    rendered: u64,
    /// `true` if an entity did not fit.
    is_full: bool,
}

impl Scene {
    /// Returns the entities added since the scene was cleared, in the order in which they were added.
    #[must_use]
    pub fn entities(&self) -> &[SceneEntity] {
        &self.entities
    }

    /// Returns the number of scenes rendered since the environment was created.
    #[must_use]
    pub fn rendered(&self) -> u64 {
        self.rendered
    }

    /// Returns the origin of the view in world space (`VF_ORIGIN`), `None` if it was not set.
    ///
    /// [`Scene`] shows a use.
    #[must_use]
    pub fn origin(&self) -> Option<Vec3> {
        self.property(11).map(Vec3::from)
    }

    /// Returns pitch, yaw and roll of the view in degrees (`VF_ANGLES`), `None` if they were not set.
    ///
    /// # Example
    /// ```
    /// use skelobj::math::Vec3;
    ///
    /// let mut scene = skelobj::qc::Scene::default();
    /// assert_eq!(scene.angles(), None); // the host chooses
    /// scene.set_property(15, [10.0, 180.0, 0.0]); // VF_ANGLES
    /// assert_eq!(scene.angles(), Some(Vec3::new(10.0, 180.0, 0.0)));
    /// ```
    #[must_use]
    pub fn angles(&self) -> Option<Vec3> {
        self.property(15).map(Vec3::from)
    }

    /// Returns the horizontal and vertical field of view in degrees (`VF_FOV`), `None` if it was not set.
    #[must_use]
    pub fn fov(&self) -> Option<[f32; 2]> {
        self.property(8).map(|[x, y, _]| [x, y])
    }

    /// Returns a view property by its `VF_` number, `None` if it was not set. Numbers and single components of vectors
    /// are in the first element.
    ///
    /// # Example
    /// ```
    /// let mut scene = skelobj::qc::Scene::default();
    /// scene.set_property(16, [90.0, 0.0, 0.0]); // VF_ANGLES_X
    /// scene.set_property(17, [45.0, 0.0, 0.0]); // VF_ANGLES_Y
    /// assert_eq!(scene.property(15), Some([90.0, 45.0, 0.0])); // VF_ANGLES
    /// assert_eq!(scene.property(17), Some([45.0, 0.0, 0.0]));
    /// assert_eq!(scene.property(8), None);
    /// ```
    #[must_use]
    pub fn property(&self, number: i32) -> Option<[f32; 3]> {
        let (base, component) = component(number);
        let value = *self.properties.get(&base)?;
        Some(component.map_or(value, |component| [value[component], 0.0, 0.0]))
    }

    /// Sets a view property by its `VF_` number; returns `false` if the engines have none with this number.
    ///
    /// A component of a vector, such as `VF_ORIGIN_X`, is the first element of `value`.
    pub fn set_property(&mut self, number: i32, value: [f32; 3]) -> bool {
        if !matches!(number, 1..=24 | 33..=36 | 200..=225 | 400..=401) {
            return false;
        }
        let (base, component) = component(number);
        match component {
            Some(component) => self.properties.entry(base).or_default()[component] = value[0],
            None => drop(self.properties.insert(base, value)),
        }
        true
    }

    /// Adds an entity, unless the scene has 16,384; returns `true` if the entity was added.
    pub fn add(&mut self, entity: SceneEntity) -> bool {
        let has_room = self.entities.len() < MOST;
        if has_room {
            self.entities.push(entity);
        } else {
            self.is_full = true;
        }
        has_room
    }

    /// Returns `true` if an entity did not fit since the scene was cleared.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Adds 1 to the number of rendered scenes. The host draws them.
    pub fn render(&mut self) {
        self.rendered += 1;
    }

    /// Removes all entities and view properties.
    pub fn clear(&mut self) {
        self.entities.clear();
        self.properties.clear();
        self.is_full = false;
    }
}

/// Returns `true` if the value of a property is a vector.
pub(super) fn is_vector(number: i32) -> bool {
    VECTORS.iter().any(|(base, _)| *base == number) || matches!(number, 7 | 204 | 205 | 208 | 222..=225)
}

/// Returns the vector and the component that a property belongs to.
fn component(number: i32) -> (i32, Option<usize>) {
    let found = VECTORS.iter().find(|(base, components)| {
        number.checked_sub(*base).is_some_and(|component| (1..=*components).contains(&component))
    });
    found.map_or((number, None), |(base, _)| (*base, usize::try_from(number - base - 1).ok()))
}
