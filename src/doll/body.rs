//! Rigid bodies of a doll.

use crate::math::Vec3;
use crate::model::Name;

/// A rigid body that takes the place of a bone; made by [`Body::new`], its other fields assigned afterwards.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Body {
    /// Name by which joints and commands refer to the body; at most 31 bytes.
    pub name: Name,
    /// Bone that the body takes its frame from and drives.
    pub bone: Name,
    /// Shape for collisions. Default: a box.
    pub shape: Shape,
    /// Full extents along the body's own axes, Quake units; above zero. Default 4, 4, 4. What they mean depends on the
    /// [`Shape`]; see [`radius`](Self::radius).
    pub size: [f32; 3],
    /// Mass, above zero. Default 1.
    pub mass: f32,
    /// Strength with which the body follows the animation: 0 not at all, 1 exactly. Default 1.
    pub animate: f32,
    /// Flag for engines that show bodies on request: this one is shown. Default no.
    pub draw: bool,
    /// Place of the body in its bone's frame. Default: centred on the bone, turned as the bone is.
    pub offset: Option<Offset>,
    /// Bone along which the body lies. Default: the body is turned as its own bone is.
    pub orient: Option<Orient>,
    /// Line of the file that makes the body, 1-based; 0 for a body made by code.
    pub line: usize,
}

impl Body {
    /// Makes a body with the defaults of the format.
    ///
    /// ```
    /// let body = skelobj::doll::Body::new("head".into(), "Head".into());
    /// assert_eq!((body.size, body.mass, body.animate), ([4.0; 3], 1.0, 1.0));
    /// ```
    #[must_use]
    pub fn new(name: Name, bone: Name) -> Self {
        Self {
            name,
            bone,
            shape: Shape::Box,
            size: [4.0; 3],
            mass: 1.0,
            animate: 1.0,
            draw: false,
            offset: None,
            orient: None,
            line: 0,
        }
    }

    /// Returns the radius of a sphere (the mean of the three sizes), cylinder or capsule (the mean of the first two) in
    /// Quake units; `None` for a box. Sizes are **not** diameters: a sphere of size 4 is 8 across.
    #[must_use]
    pub fn radius(&self) -> Option<f32> {
        let [x, y, z] = self.size;
        match self.shape {
            Shape::Box => None,
            Shape::Sphere => Some((x + y + z) / 3.0),
            Shape::Cylinder | Shape::Capsule => Some((x + y) / 2.0),
        }
    }
}

/// The shape of a body for collisions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Shape {
    /// A box; the sizes are its full edges.
    #[default]
    Box,
    /// A sphere; its radius is the mean of the sizes.
    Sphere,
    /// A cylinder along the body's Z axis, as long as the third size; its radius is the mean of the first two.
    Cylinder,
    /// A cylinder with a half sphere on each end; the third size is its length **without** them.
    Capsule,
}

impl Shape {
    /// Every shape.
    pub const ALL: [Self; 4] = [Self::Box, Self::Sphere, Self::Cylinder, Self::Capsule];

    /// Returns the word for the shape in a `.doll` file.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Box => "box",
            Self::Sphere => "sphere",
            Self::Cylinder => "cylinder",
            Self::Capsule => "capsule",
        }
    }
}

/// A place and a turn in a bone's frame: the body's frame is the bone times this.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Offset {
    /// Along the bone's own axes, Quake units.
    pub position: Vec3,
    /// Pitch, yaw and roll in **degrees**, as `makevectors` takes them.
    pub angles: Vec3,
}

/// The bone toward which a body lies: its Z axis runs from its own bone to that one, its centre halfway between.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Orient {
    /// The parent of the body's bone (`orient`).
    Parent,
    /// A bone by name (`orient BONE`).
    Toward(Name),
}
