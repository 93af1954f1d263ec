//! Rigid bodies of a doll.

use crate::math::Vec3;
use crate::model::Name;

/// A rigid body that takes the place of a bone.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Body {
    /// What joints and commands call it; at most 31 bytes.
    pub name: Name,
    /// The bone whose frame it has, and which it drives.
    pub bone: Name,
    /// Default: a box.
    pub shape: Shape,
    /// Full extents along the body's own axes, Quake units; above zero. Default 4, 4, 4. What they mean depends on the
    /// [`Shape`]; see [`radius`](Self::radius).
    pub size: [f32; 3],
    /// Above zero. Default 1.
    pub mass: f32,
    /// How strongly the body follows the animation: 0 not at all, 1 exactly. Default 1.
    pub animate: f32,
    /// Whether an engine should show it when asked to show bodies. Default no.
    pub draw: bool,
    /// Where the body stands in its bone's frame. Default: its centre at the bone, turned as the bone is.
    pub offset: Option<Offset>,
    /// Lays the body along a bone. Default: it is turned as its bone is.
    pub orient: Option<Orient>,
    /// The line of the file that makes it, 1-based; 0 for a body made by code.
    pub line: usize,
}

impl Body {
    /// A body with the defaults of the format.
    ///
    /// ```
    /// let body = skelobj::doll::Body::new("head".into(), "Head".into());
    /// assert_eq!((body.size, body.mass, body.animate), ([4.0; 3], 1.0, 1.0));
    /// ```
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

    /// The radius of a sphere (the mean of the three sizes), cylinder or capsule (the mean of the first two) in Quake
    /// units; `None` for a box. Sizes are **not** diameters: a sphere of size 4 is 8 across.
    pub fn radius(&self) -> Option<f32> {
        let [x, y, z] = self.size;
        match self.shape {
            Shape::Box => None,
            Shape::Sphere => Some((x + y + z) / 3.0),
            Shape::Cylinder | Shape::Capsule => Some((x + y) / 2.0),
        }
    }
}

/// What a body is to the things it hits.
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
    /// All shapes.
    pub const ALL: [Self; 4] = [Self::Box, Self::Sphere, Self::Cylinder, Self::Capsule];

    /// The word for it in a `.doll` file.
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
pub enum Orient {
    /// The parent of the body's bone (`orient`).
    Parent,
    /// A bone by name (`orient BONE`).
    Toward(Name),
}
