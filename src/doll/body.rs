//! Rigid bodies of a doll.

use crate::math::Vec3;
use crate::model::Name;

/// Rigid body that takes the place of a bone.
///
/// [`Body::new`] creates one with the defaults of the format; the other fields are assigned afterwards.
///
/// ```
/// use skelobj::doll::{Body, Doll, Shape};
///
/// let mut head = Body::new("head".into(), "head".into());
/// head.shape = Shape::Sphere;
/// head.size = [3.8; 3];
/// head.mass = 4.0;
/// let mut doll = Doll::default();
/// doll.bodies.push(head);
/// assert_eq!(doll.to_text(), b"body head head\n\tshape sphere\n\tsize 3.8\n\tmass 4\n");
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Body {
    /// Name by which joints and commands refer to the body; at most 31 bytes.
    pub name: Name,
    /// Name of the bone that the body takes its frame from and drives.
    pub bone: Name,
    /// Shape for collisions. Default: a box.
    pub shape: Shape,
    /// Full extents along the body's own axes, Quake units; above zero. Default 4, 4, 4. Their meaning depends on the
    /// [`Shape`]; see [`radius`](Self::radius).
    pub size: [f32; 3],
    /// Mass, above zero. Default 1.
    pub mass: f32,
    /// Density relative to water, above zero: a body floats in a liquid that is denser. Default 0.95: a human body with
    /// air in its lungs floats low in water. Independent of the mass.
    pub density: f32,
    /// Strength with which the body follows the animation: 0 not at all, 1 exactly. Default 1.
    pub animate: f32,
    /// Asks engines that can show bodies to show this one. Default `false`.
    pub draw: bool,
    /// Pose of the body in its bone's frame, or in the frame that `orient` gives. Default: centred on the bone, with
    /// the bone's rotation.
    pub offset: Option<Offset>,
    /// Bone along which the body lies. Default: the body has the rotation of its own bone.
    pub orient: Option<Orient>,
    /// Line of the file that defines the body, 1-based; 0 for a body made in code.
    pub line: usize,
}

impl Body {
    /// Creates a body with the defaults of the format.
    ///
    /// ```
    /// let body = skelobj::doll::Body::new("head".into(), "Head".into());
    /// assert_eq!((body.size, body.mass, body.density, body.animate), ([4.0; 3], 1.0, 0.95, 1.0));
    /// ```
    #[must_use]
    pub fn new(name: Name, bone: Name) -> Self {
        Self {
            name,
            bone,
            shape: Shape::Box,
            size: [4.0; 3],
            mass: 1.0,
            density: 0.95,
            animate: 1.0,
            draw: false,
            offset: None,
            orient: None,
            line: 0,
        }
    }

    /// Returns the radius, Quake units: for a sphere the mean of the three sizes, for a cylinder or capsule the mean of
    /// the first two; `None` for a box.
    ///
    /// Sizes are **not** diameters: a sphere of size 4 is 8 units across.
    ///
    /// ```
    /// use skelobj::doll::Doll;
    ///
    /// let doll = Doll::parse(b"body shin shin_l\n shape capsule\n size 2 3 10\n").doll;
    /// assert_eq!(doll.bodies[0].radius(), Some(2.5)); // 15 units long: 10 and two half spheres
    /// ```
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

/// Shape of a body for collisions.
///
/// ```
/// use skelobj::doll::{Doll, Shape};
///
/// let doll = Doll::parse(b"body pelvis pelvis\nbody head head\n shape sphere\n").doll;
/// assert_eq!(doll.bodies[0].shape, Shape::Box); // the default
/// assert_eq!(doll.bodies[1].shape, Shape::Sphere);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Shape {
    /// Box; the sizes are its full edges.
    #[default]
    Box,
    /// Sphere; its radius is the mean of the sizes.
    Sphere,
    /// Cylinder along the body's Z axis; its length is the third size, its radius the mean of the first two.
    Cylinder,
    /// Cylinder along the body's Z axis with a half sphere on each end; the third size is its length **without** them.
    Capsule,
}

impl Shape {
    /// All shapes.
    pub const ALL: [Self; 4] = [Self::Box, Self::Sphere, Self::Cylinder, Self::Capsule];

    /// Returns the word for the shape in a `.doll` file.
    ///
    /// ```
    /// use skelobj::doll::Shape;
    ///
    /// assert_eq!(Shape::ALL.map(Shape::word), ["box", "sphere", "cylinder", "capsule"]);
    /// ```
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

/// Translation and rotation in a bone's frame; the body's frame is that of the bone times this.
///
/// ```
/// use skelobj::doll::{Doll, Offset};
/// use skelobj::math::Vec3;
///
/// let doll = Doll::parse(b"body foot_l foot_l\n offset -2.6 0 2.4 0 90 0\n").doll;
/// let offset = Offset { position: Vec3::new(-2.6, 0.0, 2.4), angles: Vec3::new(0.0, 90.0, 0.0) };
/// assert_eq!(doll.bodies[0].offset, Some(offset));
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Offset {
    /// Translation along the bone's own axes, Quake units.
    pub position: Vec3,
    /// Pitch, yaw and roll in **degrees**, as `makevectors` takes them.
    pub angles: Vec3,
}

/// Bone toward which a body lies: the body's Z axis runs from its own bone to that bone, its centre is halfway between.
///
/// ```
/// use skelobj::doll::{Doll, Orient};
///
/// let doll = Doll::parse(b"body thigh thigh_l\n orient shin_l\nbody toe toe_l\n orient\n").doll;
/// assert_eq!(doll.bodies[0].orient, Some(Orient::Toward("shin_l".into())));
/// assert_eq!(doll.bodies[1].orient, Some(Orient::Parent));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Orient {
    /// Parent of the body's bone (`orient`).
    Parent,
    /// Bone with this name (`orient BONE`).
    Toward(Name),
}
