//! Moment of a motion as triangles.

use std::borrow::Cow;

use skelobj::Model;
use skelobj::math::Vec3;
use skelobj::ragdoll::BodyState;

use super::look::Look;
use super::pierced::pierced;
use super::shell::Shell;
use super::shot::{Faults, Shot, Stamp};
use super::skin::{Posed, Surfaces};
use super::timeline::Kind;
use super::{solid, surface};

/// Shape of a body.
pub struct Hull {
    pub triangles: Vec<[Vec3; 3]>,
    pub color: [u8; 3],
}

/// Surroundings that all panels share.
#[derive(Default)]
pub struct Stage {
    /// Height of the floor. Without one, and without a level, a grid lies under the figures.
    pub floor: Option<f32>,
    /// Triangles of the level, counter-clockwise seen from inside the rooms, world space.
    pub level: Vec<[Vec3; 3]>,
    /// Least width of a panel at the middle of the motion, Quake units.
    pub across: f32,
}

/// Contents of one panel.
pub struct Scene {
    /// Label.
    pub stamp: Stamp,
    /// Kind of the moment.
    pub kind: Kind,
    /// Skins, or bones of models without a skin.
    pub solid: Surfaces,
    /// `true` if `solid` has a skin.
    pub skinned: bool,
    /// Shapes of the bodies.
    pub hulls: Vec<Hull>,
    /// Faults of the joints.
    pub faults: Faults,
    /// Height of the surface of the water.
    pub water: Option<f32>,
    /// Corners at which the camera aims; all, if there are none.
    pub aim: Option<Vec<Vec3>>,
}

impl Scene {
    /// Creates an empty scene.
    pub fn new(stamp: Stamp, kind: Kind) -> Self {
        Self {
            stamp,
            kind,
            solid: Surfaces::default(),
            skinned: false,
            hulls: Vec::new(),
            faults: Faults::default(),
            water: None,
            aim: None,
        }
    }

    /// Creates the scene of a model's moment. The shapes of bodies are included if `bodies`, or if nothing else is
    /// visible.
    pub fn of_shot(model: &Model, looks: &[Look], shot: &Shot, bodies: bool) -> Self {
        let mut scene = Self { water: shot.water, faults: shot.faults.clone(), ..Self::new(shot.stamp, shot.kind) };
        let (bones, frame, world) = (&shot.bones, &shot.frame, &shot.world);
        scene.add(&Posed { model, looks, bones, frame, world, color: 0 });
        if bodies || scene.solid.faces.is_empty() {
            scene.add_bodies(&shot.bodies);
        }
        scene
    }

    /// Adds a model: its skin, or its bones.
    pub fn add(&mut self, posed: &Posed<'_>) {
        self.skinned |= posed.is_skinned();
        posed.add_to(&mut self.solid);
    }

    /// Adds the shapes of bodies.
    pub fn add_bodies(&mut self, bodies: &[BodyState]) {
        self.hulls.extend(bodies.iter().map(|body| Hull { triangles: solid::body(body), color: surface::body(body) }));
    }

    /// Returns all corners of all triangles.
    pub fn points(&self) -> impl Iterator<Item = Vec3> + Clone {
        let solid = self.solid.shell.points.iter();
        solid.chain(self.hulls.iter().flat_map(|hull| hull.triangles.iter().flatten())).copied()
    }

    /// Returns the corners at which the camera aims.
    pub fn aimed(&self) -> impl Iterator<Item = Vec3> + Clone {
        let all = self.aim.is_none().then(|| self.points());
        self.aim.iter().flatten().copied().chain(all.into_iter().flatten())
    }

    /// Returns the farthest points in several directions at which the camera aims: enough for a camera, and few.
    pub fn extremes(&self) -> Vec<Vec3> {
        const STEPS: [f32; 3] = [-1.0, 0.0, 1.0];
        let ways = STEPS.iter().flat_map(|x| STEPS.iter().map(move |y| (*x, *y)));
        let ways = ways.flat_map(|(x, y)| STEPS.iter().map(move |z| Vec3::new(x, y, *z)));
        let points: Vec<Vec3> = self.aimed().filter(|point| point.is_finite()).collect();
        let farthest = |way: Vec3| {
            let farther = |best: (f32, Vec3), at: (f32, Vec3)| if at.0 > best.0 { at } else { best };
            points.iter().map(|point| (point.dot(way), *point)).reduce(farther).map(|(_, point)| point)
        };
        ways.filter_map(farthest).collect()
    }

    /// Returns the triangles that cast shadows: the skin without its holes, and without a skin also the bodies.
    pub fn casters(&self) -> Cow<'_, Shell> {
        let mut casters = pierced(&self.solid).map_or(Cow::Borrowed(&self.solid.shell), Cow::Owned);
        if !self.skinned {
            let triangles = self.hulls.iter().flat_map(|hull| &hull.triangles);
            triangles.for_each(|triangle| casters.to_mut().triangle(*triangle));
        }
        casters
    }
}
