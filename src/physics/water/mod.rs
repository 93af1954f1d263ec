//! Water: volumes of liquid in which the bodies of ragdolls float, sink and drift.

mod level_water;

pub use level_water::LevelWater;

use std::sync::Arc;

use glam::Vec3;
use rapier3d::prelude::RigidBodyHandle;
use skelobj_model::internal;
use skelobj_model::level::{Liquid, LiquidVolume, WaterError};

use super::Physics;
use super::contacts::ragdoll_of;
use crate::id::WaterId;

/// Volume of liquid at its place in the world.
///
/// [`Physics::add_water`] adds one, [`Physics::water`] returns it.
///
/// ```
/// use skelobj::Physics;
/// use skelobj::math::Vec3;
/// use skelobj::physics::{Liquid, LiquidVolume};
///
/// let mut physics = Physics::default();
/// let pool = LiquidVolume::new_box(Vec3::ZERO, Vec3::splat(64.0))?;
/// let pool = physics.add_water(pool, Liquid::WATER)?;
/// physics.move_water(pool, Vec3::Z * 16.0)?;
/// let water = physics.water(pool).expect("the pool");
/// assert!(water.contains(Vec3::new(1.0, 1.0, 79.0)) && water.origin() == Vec3::Z * 16.0);
/// # Ok::<(), skelobj::physics::WaterError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Water {
    volume: Arc<LiquidVolume>,
    liquid: Liquid,
    origin: Vec3,
    user_data: u64,
}

impl Water {
    /// Returns the properties of the liquid.
    ///
    /// ```
    /// # use skelobj::{Physics, math::Vec3, physics::{Liquid, LiquidVolume}};
    /// # let mut physics = Physics::default();
    /// let sea = physics.add_water(LiquidVolume::behind(&[(Vec3::Z, 0.0)])?, Liquid::SLIME)?;
    /// assert_eq!(physics.water(sea).map(|water| water.liquid()), Some(Liquid::SLIME));
    /// # Ok::<(), skelobj::physics::WaterError>(())
    /// ```
    #[must_use]
    pub fn liquid(&self) -> Liquid {
        self.liquid
    }

    /// Returns the origin of the volume's own space, world space, Quake units.
    ///
    /// ```
    /// # use skelobj::{Physics, math::Vec3, physics::{Liquid, LiquidVolume}};
    /// # let mut physics = Physics::default();
    /// let sea = physics.add_water(LiquidVolume::behind(&[(Vec3::Z, 0.0)])?, Liquid::WATER)?;
    /// assert_eq!(physics.water(sea).map(|water| water.origin()), Some(Vec3::ZERO));
    /// # Ok::<(), skelobj::physics::WaterError>(())
    /// ```
    #[must_use]
    pub fn origin(&self) -> Vec3 {
        self.origin
    }

    /// Returns the user data, which is 0 until [`Physics::set_water_user_data`].
    #[must_use]
    pub fn user_data(&self) -> u64 {
        self.user_data
    }

    /// Returns `true` if a point in world space is in the liquid.
    ///
    /// ```
    /// # use skelobj::{Physics, math::Vec3, physics::{Liquid, LiquidVolume}};
    /// # let mut physics = Physics::default();
    /// let sea = physics.add_water(LiquidVolume::behind(&[(Vec3::Z, 0.0)])?, Liquid::WATER)?;
    /// assert!(physics.water(sea).expect("the sea").contains(Vec3::Z * -5.0));
    /// # Ok::<(), skelobj::physics::WaterError>(())
    /// ```
    #[must_use]
    pub fn contains(&self, point: Vec3) -> bool {
        self.volume.contains(point - self.origin)
    }

    /// Returns `true` if a box around `centre`, world space, may touch the liquid.
    pub(crate) fn touches(&self, centre: Vec3, half: Vec3) -> bool {
        internal::touches(&self.volume, centre - self.origin, half)
    }

    /// Calls a function with every piece of a line in world space that is in the liquid, as shares of the line.
    pub(crate) fn cut(&self, from: Vec3, to: Vec3, found: impl FnMut(f32, f32)) {
        internal::cut(&self.volume, from - self.origin, to - self.origin, found);
    }

    /// Returns `true` if the volume and all numbers are usable.
    #[cfg(feature = "serde")]
    pub(super) fn is_sound(&self) -> bool {
        internal::is_sound(&self.volume)
            && self.liquid.check().is_ok()
            && internal::check_place("origin", self.origin).is_ok()
    }
}

impl Physics {
    /// Adds water, or another liquid, to the world.
    ///
    /// Bodies of ragdolls float in it by their own [`density`](crate::doll::Body::density), are slowed down by its
    /// drag and drift with its current; sleeping ragdolls that it touches wake up. The effects of volumes that overlap
    /// add up. Level bodies and the host's own bodies are not affected, and traces do not hit water.
    ///
    /// ```
    /// use skelobj::assets;
    /// use skelobj::math::{Mat3x4, Vec3};
    /// use skelobj::physics::{Liquid, LiquidVolume};
    /// use skelobj::ragdoll::Command;
    ///
    /// let (mut runtime, object) = assets::mannequin_runtime();
    /// let sea = LiquidVolume::behind(&[(Vec3::Z, 200.0)])?; // below z = 200
    /// runtime.physics_mut().add_water(sea, Liquid::WATER)?;
    /// runtime.ragdoll_command(object, &Mat3x4::IDENTITY, Command::Animate(0.0, None), None)?;
    /// for _frame in 0..300 {
    ///     runtime.step(1.0 / 60.0)?;
    /// }
    /// let ragdoll = runtime.ragdoll(object).expect("a ragdoll");
    /// assert!(ragdoll.bodies(runtime.physics()).all(|body| body.position.z > 40.0)); // it rises from the floor
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`WaterError::OutOfRange`] if a number of the liquid is NaN, negative or above a million,
    /// [`WaterError::TooManyWaters`]. On error, nothing is added.
    pub fn add_water(&mut self, volume: LiquidVolume, liquid: Liquid) -> Result<WaterId, WaterError> {
        self.insert_water(Arc::new(volume), liquid, Vec3::ZERO)
    }

    pub(super) fn insert_water(
        &mut self,
        volume: Arc<LiquidVolume>,
        liquid: Liquid,
        origin: Vec3,
    ) -> Result<WaterId, WaterError> {
        liquid.check()?;
        let water = Water { volume, liquid, origin, user_data: 0 };
        let id = self.state.waters.insert(water.clone()).ok_or(WaterError::TooManyWaters)?;
        self.wake_in(&[water]);
        Ok(id)
    }

    /// Returns the water with this id.
    ///
    /// ```
    /// # use skelobj::{Physics, math::Vec3, physics::{Liquid, LiquidVolume}};
    /// # let mut physics = Physics::default();
    /// let sea = physics.add_water(LiquidVolume::behind(&[(Vec3::Z, 0.0)])?, Liquid::WATER)?;
    /// assert!(physics.water(sea).is_some());
    /// # Ok::<(), skelobj::physics::WaterError>(())
    /// ```
    #[must_use]
    pub fn water(&self, id: WaterId) -> Option<&Water> {
        self.state.waters.get(id)
    }

    /// Returns an iterator over all water in the world, with its ids, in a fixed order.
    ///
    /// ```
    /// # use skelobj::{Physics, math::Vec3, physics::{Liquid, LiquidVolume}};
    /// # let mut physics = Physics::default();
    /// let pool = LiquidVolume::new_box(Vec3::ZERO, Vec3::splat(64.0))?;
    /// let pool = physics.add_water(pool, Liquid::LAVA)?;
    /// let head = Vec3::splat(32.0);
    /// let bathing_in = physics.waters().find(|(_, water)| water.contains(head));
    /// assert_eq!(bathing_in.map(|(id, _)| id), Some(pool));
    /// # Ok::<(), skelobj::physics::WaterError>(())
    /// ```
    pub fn waters(&self) -> impl Iterator<Item = (WaterId, &Water)> {
        self.state.waters.iter()
    }

    /// Returns `true` if there is any water.
    pub(crate) fn has_water(&self) -> bool {
        !self.state.waters.is_empty()
    }

    /// Changes the liquid of a volume, such as its current. Ragdolls that it touches wake up.
    ///
    /// ```
    /// # use skelobj::{Physics, math::Vec3, physics::{Liquid, LiquidVolume}};
    /// # let mut physics = Physics::default();
    /// let sea = physics.add_water(LiquidVolume::behind(&[(Vec3::Z, 0.0)])?, Liquid::WATER)?;
    /// physics.set_water_liquid(sea, Liquid::WATER.with_current(Vec3::X * 40.0))?; // the tide turns
    /// # Ok::<(), skelobj::physics::WaterError>(())
    /// ```
    ///
    /// # Errors
    /// [`WaterError::OutOfRange`] if a number is NaN, negative or above a million, [`WaterError::NoSuchWater`]. On
    /// error, nothing changes.
    pub fn set_water_liquid(&mut self, id: WaterId, liquid: Liquid) -> Result<(), WaterError> {
        liquid.check()?;
        self.change_water(id, |water| water.liquid = liquid)
    }

    /// Moves a volume, such as a rising level of water. Ragdolls that it touches, before or after, wake up.
    ///
    /// `origin` is the new origin of the volume's own space, world space, Quake units; 0 where it was added.
    ///
    /// ```
    /// # use skelobj::{Physics, math::Vec3, physics::{Liquid, LiquidVolume}};
    /// # let mut physics = Physics::default();
    /// let sea = physics.add_water(LiquidVolume::behind(&[(Vec3::Z, 0.0)])?, Liquid::WATER)?;
    /// physics.move_water(sea, Vec3::Z * 32.0)?; // flood
    /// assert!(physics.water(sea).expect("the sea").contains(Vec3::Z * 31.0));
    /// # Ok::<(), skelobj::physics::WaterError>(())
    /// ```
    ///
    /// # Errors
    /// [`WaterError::OutOfRange`] if a coordinate is NaN or beyond a million units, [`WaterError::NoSuchWater`]. On
    /// error, nothing changes.
    pub fn move_water(&mut self, id: WaterId, origin: Vec3) -> Result<(), WaterError> {
        internal::check_place("origin", origin)?;
        self.change_water(id, |water| water.origin = origin)
    }

    /// Sets the user data of a volume, such as the number of its entity. Snapshots keep the user data.
    ///
    /// ```
    /// # use skelobj::{Physics, math::Vec3, physics::{Liquid, LiquidVolume}};
    /// # let mut physics = Physics::default();
    /// let sea = physics.add_water(LiquidVolume::behind(&[(Vec3::Z, 0.0)])?, Liquid::WATER)?;
    /// physics.set_water_user_data(sea, 17)?;
    /// assert!(physics.waters().any(|(id, water)| id == sea && water.user_data() == 17));
    /// # Ok::<(), skelobj::physics::WaterError>(())
    /// ```
    ///
    /// # Errors
    /// [`WaterError::NoSuchWater`].
    pub fn set_water_user_data(&mut self, id: WaterId, user_data: u64) -> Result<(), WaterError> {
        self.state.waters.get_mut(id).ok_or(WaterError::NoSuchWater)?.user_data = user_data;
        Ok(())
    }

    /// Removes water, wakes the ragdolls that it touches, and returns it; `None` if no water has this id.
    ///
    /// ```
    /// # use skelobj::{Physics, math::Vec3, physics::{Liquid, LiquidVolume}};
    /// # let mut physics = Physics::default();
    /// let sea = physics.add_water(LiquidVolume::behind(&[(Vec3::Z, 0.0)])?, Liquid::WATER)?;
    /// assert!(physics.remove_water(sea).is_some() && physics.remove_water(sea).is_none());
    /// # Ok::<(), skelobj::physics::WaterError>(())
    /// ```
    pub fn remove_water(&mut self, id: WaterId) -> Option<Water> {
        let removed = self.state.waters.remove(id)?;
        self.wake_in(std::slice::from_ref(&removed));
        Some(removed)
    }

    fn change_water(&mut self, id: WaterId, change: impl FnOnce(&mut Water)) -> Result<(), WaterError> {
        let water = self.state.waters.get_mut(id).ok_or(WaterError::NoSuchWater)?;
        let before = water.clone();
        change(water);
        let after = water.clone();
        if (before.liquid, before.origin) != (after.liquid, after.origin) {
            self.wake_in(&[before, after]);
        }
        Ok(())
    }

    /// Wakes the ragdolls' bodies that any of these volumes touches.
    fn wake_in(&mut self, waters: &[Water]) {
        let world = &self.world;
        let is_in = |collider| {
            let bounds = world.colliders.get(collider).map(|collider| collider.compute_aabb());
            bounds.is_some_and(|b| waters.iter().any(|water| water.touches(b.center(), b.half_extents())))
        };
        let asleep = world.bodies.iter().filter(|(_, body)| {
            body.is_sleeping() && ragdoll_of(body).is_some() && body.colliders().iter().any(|collider| is_in(*collider))
        });
        let asleep: Vec<RigidBodyHandle> = asleep.map(|(handle, _)| handle).collect();
        for body in asleep {
            self.world.wake_up(body, true);
        }
    }
}
