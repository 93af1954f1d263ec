//! Ids: positive integers below 2^24 for everything that a host, a script or C refers to.
//!
//! An id is the same number in Rust and in QuakeC: an f32 holds it exactly. C has the number in the low bits of a
//! struct, below the kind of thing. [`IdBits`] is the layout of both: 14 bits for a slot of a table, 10 bits that count
//! the uses of the slot, 4 bits for the kind. A freed slot is reused after all other slots, so while at most half of
//! the slots are taken, an old id cannot refer to a newer value before 8 million further creations.
//!
//! The values live in a slot map of the crate `slotmap`. The table translates ids to its keys.

mod bits;
mod slot_map;

use std::num::NonZeroU32;

pub use bits::IdBits;
pub(crate) use slot_map::IdSlotMap;
#[cfg(feature = "serde")]
pub(crate) use slot_map::SavedIds;

/// Type of ids.
pub(crate) trait Id: Copy {
    /// Returns the id with this number, or `None` for a number that is not an id.
    fn from_number(number: u32) -> Option<Self>;
    /// Returns the number of the id.
    fn number(self) -> u32;
}

macro_rules! ids {
    ($($(#[$attribute:meta])* $module:ident::$name:ident;)*) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(try_from = "u32", into = "u32"))]
        pub struct $name(NonZeroU32);

        impl $name {
            /// Returns the id with this number, or `None` for 0 and for numbers of 2^24 and above.
            ///
            /// Every other number is accepted. A call that takes the id reports it if no value has it.
            ///
            /// ```
            #[doc = concat!("use skelobj::", stringify!($module), "::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert!(", stringify!($name), "::new(7).is_some());")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::new(0), None);")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::new(1 << 24), None);")]
            /// ```
            #[inline]
            #[must_use]
            pub const fn new(number: u32) -> Option<Self> {
                if number >= 1 << 24 {
                    return None;
                }
                match NonZeroU32::new(number) {
                    Some(number) => Some(Self(number)),
                    None => None,
                }
            }

            /// Returns the number of the id.
            ///
            /// QuakeC has the same number. The C API has it in the low 24 bits of a struct.
            ///
            /// ```
            #[doc = concat!("use skelobj::", stringify!($module), "::", stringify!($name), ";")]
            ///
            #[doc = concat!("let id = ", stringify!($name), "::try_from(7_u32)?;")]
            /// let in_quakec = id.get() as f32; // exact
            #[doc = concat!("assert_eq!(", stringify!($name), "::new(in_quakec as u32), Some(id));")]
            /// # Ok::<(), skelobj::runtime::InvalidId>(())
            /// ```
            #[inline]
            #[must_use]
            pub const fn get(self) -> u32 {
                self.0.get()
            }
        }

        impl Id for $name {
            #[inline]
            fn from_number(number: u32) -> Option<Self> {
                Self::new(number)
            }

            #[inline]
            fn number(self) -> u32 {
                self.get()
            }
        }

        impl From<$name> for u32 {
            fn from(id: $name) -> u32 {
                id.get()
            }
        }

        impl TryFrom<u32> for $name {
            type Error = InvalidId;

            fn try_from(number: u32) -> Result<Self, InvalidId> {
                Self::new(number).ok_or(InvalidId { number })
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

ids! {
    /// Id of a skeletal object of a [`Runtime`](crate::Runtime): the number that `skel_create` (#263) returns.
    ///
    /// ```
    /// use skelobj::{assets, runtime::ObjectId};
    ///
    /// let (_, object) = assets::mannequin_runtime();
    /// let number = object.get(); // for a script or a saved game
    /// assert_eq!(ObjectId::new(number), Some(object));
    /// ```
    runtime::ObjectId;
    /// Id of a model of a [`Runtime`](crate::Runtime).
    ///
    /// ```
    /// use skelobj::{Model, Runtime, assets};
    /// let mut runtime = Runtime::default();
    /// let id = runtime.add_model("mannequin.iqm", Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?)?;
    /// assert_eq!(runtime.model_by_name("mannequin.iqm"), Some(id));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    runtime::ModelId;
    /// Id of a level body: a floor, a wall, a door, or the box of an entity.
    ///
    /// ```
    /// let mut runtime = skelobj::Runtime::default();
    /// let floor = runtime.physics_mut().add_floor(0.0).expect("a finite height");
    /// assert_eq!(floor.get(), 1);
    /// ```
    physics::LevelBodyId;
    /// Id of a volume of water or another liquid.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::physics::{Liquid, LiquidVolume, Physics, WaterId};
    ///
    /// let sea = LiquidVolume::behind(&[(Vec3::Z, 0.0)])?;
    /// let sea = Physics::default().add_water(sea, Liquid::WATER)?;
    /// assert_eq!(WaterId::new(sea.get()), Some(sea)); // for a saved game
    /// # Ok::<(), skelobj::physics::WaterError>(())
    /// ```
    physics::WaterId;
}

impl ObjectId {
    /// Returns a number that no other living object has, by which objects are ordered.
    #[inline]
    pub(crate) fn slot(self) -> usize {
        slot_map::slot_of(self.get())
    }
}

#[cfg(feature = "qc")]
impl ObjectId {
    /// Returns the id with the number that a script passed, or `None` for 0.
    ///
    /// Numbers of 2^24 and above are accepted here, because no value has such an id and a look-up refuses them anyway.
    #[inline]
    pub(crate) fn of_script(number: u32) -> Option<Self> {
        NonZeroU32::new(number).map(Self)
    }
}

/// Error of a number that is not an id: 0, or 2^24 and above.
///
/// ```
/// use skelobj::runtime::{InvalidId, ObjectId};
///
/// let error: InvalidId = ObjectId::try_from(0).unwrap_err();
/// assert_eq!(error.number, 0);
/// assert_eq!(error.to_string(), "0 is not an id: ids are above 0 and below 2^24");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct InvalidId {
    /// Number that was given.
    pub number: u32,
}

impl std::fmt::Display for InvalidId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} is not an id: ids are above 0 and below 2^24", self.number)
    }
}

impl std::error::Error for InvalidId {}
