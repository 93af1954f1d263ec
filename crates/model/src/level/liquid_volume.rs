//! Volumes of liquid: trees of planes, which host boxes and BSP files have in common.

use glam::Vec3;

use super::WaterError;
use crate::out_of_range::{FARTHEST, OutOfRange};

/// Maximum number of parts of a volume that a query visits. A level visits some dozens; a made-up file may have a chain
/// of any length.
const MAX_VISITS: usize = 4096;

/// Space that a liquid fills, in its own space.
///
/// A box, everything behind some planes, or the liquid of a level as its BSP tree divides it. The tree has no limit on
/// its size: a query only descends to the leaves that it touches.
///
/// ```
/// use skelobj::math::Vec3;
/// use skelobj::physics::LiquidVolume;
///
/// let pool = LiquidVolume::new_box(Vec3::ZERO, Vec3::new(256.0, 256.0, 64.0))?;
/// assert!(pool.contains(Vec3::new(8.0, 8.0, 32.0)) && !pool.contains(Vec3::new(8.0, 8.0, 65.0)));
/// let sea = LiquidVolume::behind(&[(Vec3::Z, -24.0)])?; // everything below -24
/// assert!(sea.contains(Vec3::new(5000.0, 0.0, -300.0)));
/// # Ok::<(), skelobj::physics::WaterError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LiquidVolume {
    /// Nodes; each has only parts that come before it.
    nodes: Vec<Node>,
    root: Part,
}

/// Plane with the parts in front of and behind it.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Node {
    normal: Vec3,
    distance: f32,
    sides: [Part; 2],
}

/// Part of space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Part {
    /// Space without liquid.
    Dry,
    /// Space full of liquid.
    Full,
    /// Node by its index.
    Node(u32),
}

impl LiquidVolume {
    /// Maximum number of planes of a volume [`behind`](Self::behind) planes.
    pub const MAX_PLANES: usize = 256;

    /// Memory of a node, bytes.
    pub(crate) const NODE_MEMORY: usize = 2 * size_of::<Node>();

    /// Returns the volume of a box by its lowest and highest coordinates, Quake units.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::physics::{LiquidVolume, WaterError};
    ///
    /// let error = LiquidVolume::new_box(Vec3::ZERO, Vec3::new(64.0, 64.0, 0.0)).unwrap_err();
    /// assert_eq!(error, WaterError::Flat);
    /// ```
    ///
    /// # Errors
    /// [`WaterError::OutOfRange`] if a coordinate is NaN or beyond a million units, [`WaterError::Flat`] if the box has
    /// no volume.
    pub fn new_box(mins: Vec3, maxs: Vec3) -> Result<Self, WaterError> {
        OutOfRange::check_place("mins", mins)?;
        OutOfRange::check_place("maxs", maxs)?;
        if !mins.cmplt(maxs).all() {
            return Err(WaterError::Flat);
        }
        let planes = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| [(axis, maxs.dot(axis)), (-axis, -mins.dot(axis))]);
        Self::behind(planes.as_flattened())
    }

    /// Returns the volume behind all of these planes, each given by its normal and its distance from the origin along
    /// the normal, Quake units. Normals need not have length 1; the distance is that along the normal of length 1.
    ///
    /// The volume may be infinite: one plane makes a sea.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::physics::LiquidVolume;
    ///
    /// let ditch = [(Vec3::Z, 0.0), (Vec3::new(1.0, 0.0, -1.0), 0.0), (Vec3::new(-1.0, 0.0, -1.0), 64.0)];
    /// let ditch = LiquidVolume::behind(&ditch)?;
    /// assert!(ditch.contains(Vec3::new(-40.0, 9999.0, -20.0)) && !ditch.contains(Vec3::new(-5.0, 0.0, -20.0)));
    /// # Ok::<(), skelobj::physics::WaterError>(())
    /// ```
    ///
    /// # Errors
    /// [`WaterError::OutOfRange`] if a number is NaN or beyond a million, [`WaterError::Flat`] if there is no plane or
    /// a normal has no direction, [`WaterError::TooManyPlanes`].
    pub fn behind(planes: &[(Vec3, f32)]) -> Result<Self, WaterError> {
        if planes.len() > Self::MAX_PLANES {
            return Err(WaterError::TooManyPlanes);
        }
        let mut volume = Self::default();
        let mut part = Part::Full;
        for &(normal, distance) in planes {
            OutOfRange::check_place("normal", normal)?;
            OutOfRange::check(distance.abs() <= FARTHEST, "distance", distance, "a number from -1e6 to 1e6")?;
            let normal = normal.try_normalize().ok_or(WaterError::Flat)?;
            part = volume.divide((normal, distance), [Part::Dry, part]);
        }
        if part == Part::Full {
            return Err(WaterError::Flat);
        }
        volume.root = part;
        Ok(volume)
    }

    /// Divides space by a plane into two parts, and returns the whole.
    pub(crate) fn divide(&mut self, (normal, distance): (Vec3, f32), sides: [Part; 2]) -> Part {
        debug_assert!(sides.into_iter().all(|side| self.has(side)), "parts stand before the node that divides them");
        match sides {
            [Part::Dry, Part::Dry] => Part::Dry,
            [Part::Full, Part::Full] => Part::Full,
            _ => {
                self.nodes.push(Node { normal, distance, sides });
                Part::Node(self.nodes.len() as u32 - 1)
            }
        }
    }

    /// Returns the volume with this root.
    pub(crate) fn rooted(mut self, root: Part) -> Self {
        debug_assert!(self.has(root), "the root is a part");
        self.root = root;
        self.nodes.shrink_to_fit();
        self
    }

    /// Returns `true` if the volume is empty, as that of a level without liquid.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.root == Part::Dry
    }

    /// Returns `true` if a point of the volume's own space is in the volume.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::physics::LiquidVolume;
    ///
    /// let pool = LiquidVolume::new_box(Vec3::ZERO, Vec3::splat(64.0))?;
    /// assert!(pool.contains(Vec3::splat(1.0)) && !pool.contains(Vec3::splat(-1.0)));
    /// # Ok::<(), skelobj::physics::WaterError>(())
    /// ```
    #[must_use]
    pub fn contains(&self, point: Vec3) -> bool {
        let mut part = self.root;
        while let Some(node) = self.node(part) {
            part = node.sides[usize::from(node.above(point) < 0.0)];
        }
        part == Part::Full
    }

    /// Returns the part that is all of space.
    pub(crate) fn root(&self) -> Part {
        self.root
    }

    /// Returns the plane that divides a part, and the parts in front of it and behind it; `None` if nothing does.
    pub(crate) fn division(&self, part: Part) -> Option<((Vec3, f32), [Part; 2])> {
        self.node(part).map(|node| ((node.normal, node.distance), node.sides))
    }

    /// Returns `true` if a box around `centre` may touch the liquid.
    pub(crate) fn touches(&self, centre: Vec3, half: Vec3) -> bool {
        let (mut next, mut open) = (Some(self.root), Vec::new());
        for _ in 0..MAX_VISITS {
            let Some(part) = next.take().or_else(|| open.pop()) else { return false };
            let Some(node) = self.node(part) else {
                if part == Part::Full {
                    return true;
                }
                continue;
            };
            let (above, reach) = (node.above(centre), node.normal.abs().dot(half));
            let [front, behind] = node.sides;
            // Dry parts need no memory, so that a box needs none.
            if above + reach >= 0.0 && front != Part::Dry {
                next = Some(front);
            }
            if above - reach < 0.0 && behind != Part::Dry {
                open.extend(next.replace(behind));
            }
        }
        true
    }

    /// Calls a function with every piece of a line that is in the volume: its ends as shares of the line, in order.
    pub(crate) fn cut(&self, from: Vec3, to: Vec3, mut found: impl FnMut(f32, f32)) {
        let (mut next, mut open) = (Some((self.root, 0.0, 1.0)), Vec::new());
        for _ in 0..MAX_VISITS {
            let Some((part, start, end)) = next.take().or_else(|| open.pop()) else { return };
            let Some(node) = self.node(part) else {
                if part == Part::Full {
                    found(start, end);
                }
                continue;
            };
            let (a, b) = (node.above(from), node.above(to));
            let at = |share: f32| a + (b - a) * share;
            let behind = [at(start) < 0.0, at(end) < 0.0].map(usize::from);
            if behind[0] == behind[1] {
                next = Some((node.sides[behind[0]], start, end));
            } else {
                let middle = (a / (a - b)).clamp(start, end);
                let first = (node.sides[behind[0]], start, middle);
                let second = (node.sides[behind[1]], middle, end);
                // Dry ends need no memory, so that a surface needs none.
                match (first.0, second.0) {
                    (Part::Dry, _) => next = Some(second),
                    (_, Part::Dry) => next = Some(first),
                    _ => {
                        open.push(second);
                        next = Some(first);
                    }
                }
            }
        }
    }

    /// Returns `true` if a part is not one of a node to come.
    fn has(&self, part: Part) -> bool {
        !matches!(part, Part::Node(node) if node as usize >= self.nodes.len())
    }

    fn node(&self, part: Part) -> Option<&Node> {
        match part {
            Part::Node(node) => self.nodes.get(node as usize),
            Part::Dry | Part::Full => None,
        }
    }

    /// Returns `true` if every node has finite numbers, and only nodes before it: no walk is endless.
    #[cfg(feature = "serde")]
    pub(crate) fn is_sound(&self) -> bool {
        let before = |part: &Part, count: usize| !matches!(part, Part::Node(node) if *node as usize >= count);
        before(&self.root, self.nodes.len())
            && self.nodes.iter().enumerate().all(|(number, node)| {
                node.normal.is_finite()
                    && node.distance.is_finite()
                    && node.sides.iter().all(|side| before(side, number))
            })
    }
}

impl Default for LiquidVolume {
    fn default() -> Self {
        Self { nodes: Vec::new(), root: Part::Dry }
    }
}

impl Node {
    /// Returns the signed distance of a point, positive in front of the plane.
    fn above(&self, point: Vec3) -> f32 {
        self.normal.dot(point) - self.distance
    }
}
