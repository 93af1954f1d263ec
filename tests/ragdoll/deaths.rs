//! Deaths beside the walls, corners, stairs and doors of real maps, where animations put limbs into them.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use skelobj::doll::{Doll, FitOptions, fit};
use skelobj::math::{Quat, Vec3};
use skelobj::physics::{CollisionGroups, Level, LevelOptions, Physics};
use skelobj::ragdoll::DropFrame;
use skelobj::runtime::Trace;
use skelobj::{DropTest, Model, Runtime, assets};

use crate::common::{self, random::Random};

const MAPS: [&str; 6] =
    ["bsp29/lqdm2", "bsp29/lqdm11", "bsp29/lq_start", "bsp30/test_weapons", "ibsp38/mp_lobby", "ibsp46/oa_ctf2"];

/// Model with its doll, its death animations, and the height of its origin above the floor.
struct Victim {
    model: Arc<Model>,
    doll: Arc<Doll>,
    deaths: Vec<usize>,
    height: f32,
}

impl Victim {
    fn new(model: Model, doll: Option<&[u8]>, height: f32) -> Self {
        let mut options = FitOptions::default();
        options.without_skin = true;
        let fitted = doll.is_none().then(|| fit(&model, &options).unwrap().text);
        let text = doll.or(fitted.as_deref()).unwrap();
        let doll = Arc::new(Doll::parse_for(text, &model.skeleton).doll);
        let is_death =
            |number: &usize| ["death", "die", "dying"].iter().any(|word| model.animations[*number].name.has_word(word));
        let deaths: Vec<usize> = (0..model.animations.len()).filter(is_death).collect();
        assert!(!deaths.is_empty());
        Self { model: Arc::new(model), doll, deaths, height }
    }
}

fn victims(corpus: &Path) -> [Victim; 4] {
    let read = |name: &str| std::fs::read(corpus.join(name)).unwrap();
    let load = |name: &str| {
        let folder = corpus.join(name).parent().unwrap().to_owned();
        let file = name.rsplit('/').next().unwrap();
        Model::load(file, &read(name), |side| std::fs::read(folder.join(side)).ok()).unwrap()
    };
    let mannequin = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None).unwrap();
    [
        Victim::new(mannequin, Some(assets::MANNEQUIN_DOLL), 1.0),
        Victim::new(load("iqm/ragtest2.iqm"), Some(&read("ragdoll/ragtest2.iqm.doll")), 1.0),
        Victim::new(load("iqm/nuclide_player_animations.vvm"), None, 37.0),
        Victim::new(load("derived_psk/ragtest2.psk"), None, 1.0),
    ]
}

/// Map with a runtime that has its walls, and the points at which something of the map is.
struct Place {
    level: Arc<Level>,
    walls: Runtime,
    points: Vec<Vec3>,
}

impl Place {
    fn new(bytes: &[u8]) -> Self {
        let level = Arc::new(Level::from_bsp(bytes).unwrap());
        let mut walls = Runtime::default();
        walls.physics_mut().add_level(&level, LevelOptions::default()).unwrap();
        let points = level.entities.iter().map(|entity| entity.vector("origin"));
        let points = points.filter(|point| *point != Vec3::ZERO && !level.is_solid(*point)).collect();
        Self { level, walls, points }
    }

    fn hit(&self, trace: Trace) -> Option<Vec3> {
        self.walls.trace(&trace.with_groups(CollisionGroups::LEVEL)).unwrap().map(|hit| hit.point)
    }

    /// Returns a point on the floor where a player has room, 17 to 33 units from a wall or door in some direction.
    fn beside_a_wall(&self, random: &mut Random, height: f32) -> Vec3 {
        loop {
            let from = random.of(&self.points);
            let direction = Quat::from_rotation_z(share(random) * std::f32::consts::TAU) * Vec3::X;
            let Some(wall) = self.hit(Trace::line(from, from + direction * 2000.0)) else { continue };
            let near = wall - direction * (17.0 + share(random) * 16.0);
            let Some(floor) = self.hit(Trace::line(near, near - Vec3::Z * 400.0)) else { continue };
            let feet = floor + Vec3::Z * 2.0;
            let (mins, maxs) = (Vec3::new(-14.0, -14.0, 0.0), Vec3::new(14.0, 14.0, 54.0));
            let has_room = self.hit(Trace::line(feet, feet + Vec3::Z * 0.01).with_box(mins, maxs)).is_none();
            let at = floor + Vec3::Z * height;
            if has_room && !self.level.is_solid(feet) && !self.level.is_solid(at) {
                return at;
            }
        }
    }
}

/// Returns a number from 0 to below 1.
fn share(random: &mut Random) -> f32 {
    random.below(1 << 20) as f32 / (1 << 20) as f32
}

/// Returns the depth of the deepest contact between a body that moves and one that does not, units.
fn depth(physics: &Physics) -> f32 {
    let world = physics.world();
    let moves = |collider| {
        let body = world.colliders.get(collider).and_then(|collider| collider.parent());
        body.is_some_and(|body| world.bodies[body].is_dynamic())
    };
    let pairs = world.narrow_phase.contact_pairs().filter(|pair| moves(pair.collider1) != moves(pair.collider2));
    pairs.flat_map(|pair| pair.manifolds()).flat_map(|manifold| &manifold.points).map(|p| -p.dist).fold(0.0, f32::max)
}

/// Death at a place of a map, its yaw in degrees.
struct Death {
    map: usize,
    victim: usize,
    animation: usize,
    play: f32,
    at: Vec3,
    yaw: f32,
}

/// Bodies in walls at the release and at rest, and the depth of the deepest contact at rest, units.
struct Rest {
    released: Vec<String>,
    resting: Vec<String>,
    depth: f32,
}

impl Death {
    /// Returns a death by lot that puts a victim beside a wall.
    fn new(number: usize, places: &[Place], victims: &[Victim], random: &mut Random) -> Self {
        let (map, victim) = (number % places.len(), number / places.len() % victims.len());
        let Victim { model, deaths, height, .. } = &victims[victim];
        let at = places[map].beside_a_wall(random, *height);
        let animation = random.of(deaths);
        let play = 0.1 + share(random) * model.animations[animation].duration().min(2.0);
        Self { map, victim, animation, play, at, yaw: share(random) * 360.0 }
    }

    /// Returns the words for a failed death.
    fn name(&self, victims: &[Victim]) -> String {
        let animation = &victims[self.victim].model.animations[self.animation].name;
        format!("{animation} for {} s at {} in {}, yaw {}", self.play, self.at, MAPS[self.map], self.yaw)
    }

    /// Lets the victim die and fall until it sleeps.
    fn run(&self, place: &Place, victims: &[Victim]) -> Rest {
        let Victim { model, doll, .. } = &victims[self.victim];
        let mut fall = DropTest::new(model.clone(), doll.clone());
        (fall.at, fall.animation, fall.play, fall.orient.y) = (self.at, Some(self.animation), self.play, self.yaw);
        (fall.level, fall.seconds) = (Some(place.level.clone()), 8.0);
        let lost = |frame: &DropFrame<'_>| {
            let bodies = frame.ragdoll.bodies(frame.physics);
            bodies.filter(|body| place.level.is_solid(body.position)).map(|body| body.name.to_string()).collect()
        };
        let (mut released, mut rest) = (None, Rest { released: Vec::new(), resting: Vec::new(), depth: 0.0 });
        let report = fall.run_with(|frame| {
            if frame.time >= 0.0 {
                rest.resting = lost(frame);
                released.get_or_insert_with(|| rest.resting.clone());
                rest.depth = depth(frame.physics);
            }
            ControlFlow::Continue(())
        });
        let report = report.unwrap();
        assert!(!report.left_level && report.asleep_after.is_some(), "{}: {report:?}", self.name(victims));
        assert!(rest.resting.is_empty(), "{}: {:?} in walls", self.name(victims), rest.resting);
        Rest { released: released.unwrap_or_default(), ..rest }
    }
}

fn place(corpus: &Path, map: usize) -> Place {
    Place::new(&std::fs::read(corpus.join(format!("bsp/{}.bsp", MAPS[map]))).unwrap())
}

#[test]
fn corpses_stay_out_of_walls() {
    let test = "corpses_stay_out_of_walls";
    let Some(shared) = common::shared() else {
        println!("SKIPPED {test}: no shared folder");
        return;
    };
    let corpus = shared.join("corpus");
    let deaths = std::env::var("SKELOBJ_DEATHS").ok().and_then(|count| count.parse().ok()).unwrap_or(30);
    let places: Vec<Place> = (0..MAPS.len()).map(|map| place(&corpus, map)).collect();
    let victims = victims(&corpus);
    let mut random = Random(0x5eed_1234_abcd);
    let (mut in_walls, mut deep) = (0, Vec::new());
    for number in 0..deaths {
        let death = Death::new(number, &places, &victims, &mut random);
        let rest = death.run(&places[death.map], &victims);
        in_walls += usize::from(!rest.released.is_empty());
        if rest.depth > 1.0 {
            deep.push(format!("{number}, {}: {} units deep", death.name(&victims), rest.depth));
        }
    }
    assert!(deep.len() * 100 <= deaths, "{}", deep.join("\n"));
    assert!(in_walls * 5 > deaths, "only {in_walls} of {deaths} deaths put bodies into walls");
    println!("shared cases: {test}: {deaths} ({in_walls} with bodies in walls)");
}

#[test]
fn a_corpse_whose_limbs_reach_around_a_pillar_comes_off_it() {
    let test = "a_corpse_whose_limbs_reach_around_a_pillar_comes_off_it";
    let Some(shared) = common::shared() else {
        println!("SKIPPED {test}: no shared folder");
        return;
    };
    let corpus = shared.join("corpus");
    let victims = victims(&corpus);
    let at = Vec3::new(-553.7472, 447.65558, 353.0);
    let death = Death { map: 0, victim: 3, animation: 1, play: 0.2647341, at, yaw: 110.922775 };
    let rest = death.run(&place(&corpus, death.map), &victims);
    assert!(rest.released.contains(&"spine_2".to_owned()), "{:?}", rest.released);
    println!("shared cases: {test}: 1");
}
