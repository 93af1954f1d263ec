//! A Bevy app without a window: one mannequin walks on, another dies, and its transform follows the corpse.
//!
//! cargo run --manifest-path examples/bevy/Cargo.toml

mod plugin;

use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_transform::TransformPlugin;
use bevy_transform::components::{GlobalTransform, Transform};
use plugin::{Figure, OnBone, Palette, Skeletons, SkelobjPlugin, to_bevy};
use skelobj::glam::Vec3;
use skelobj::model::FrameState;
use skelobj::{Model, assets};

const FRAME_TIME: f32 = 1.0 / 60.0;
const DEATH: u16 = 60;
const FRAMES: u16 = 300;

/// Entities of the scene, and what is known of their model.
struct Scene {
    walker: Entity,
    victim: Entity,
    gun: Entity,
    walk: usize,
    head: usize,
    /// Place of the head in the bind pose, metres.
    head_bind: Vec3,
}

/// Place of an entity, its head and the gun in a frame, metres.
#[derive(Clone, Copy)]
struct Seen {
    place: Vec3,
    head: Vec3,
    gun: Vec3,
}

impl Scene {
    /// Loads the model on another thread, and spawns the entities.
    fn spawn(world: &mut World) -> Result<Self> {
        let loading = std::thread::spawn(|| Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_side_file| None));
        let mut skeletons = world.resource_mut::<Skeletons>();
        skeletons.frame_time = FRAME_TIME;
        let runtime = &mut skeletons.runtime;
        runtime.set_files(|name: &str| (name == "mannequin.doll").then(|| assets::MANNEQUIN_DOLL.to_vec()));
        runtime.physics_mut().add_floor(0.0)?;

        let model = loading.join().map_err(|_| "the thread that loads has panicked")??;
        let walk = model.find_animation("walk").ok_or("no walk")?;
        let head = model.skeleton.find("head").ok_or("no head")?;
        let hand = model.skeleton.find("hand_r").ok_or("no hand")?;
        let head_bind = to_bevy(model.skeleton.bind_model()[head]).translation.into();
        let model = runtime.add_model("mannequin.iqm", model)?;
        let figures = [skeletons.figure(model)?, skeletons.figure(model)?];

        let [walker, victim] = figures.map(|figure| world.spawn(figure).id());
        world.entity_mut(victim).insert(Transform::from_xyz(3.0, 0.0, 0.0));
        let gun = world.spawn((OnBone(hand), ChildOf(victim))).id();
        Ok(Self { walker, victim, gun, walk, head, head_bind })
    }

    /// Plays the walk, and kills the victim when its time has come.
    fn play(&self, world: &mut World, frame: u16) -> Result {
        for entity in [self.walker, self.victim] {
            let mut figure = world.get_mut::<Figure>(entity).ok_or("no figure")?;
            figure.playing = FrameState::single(self.walk, f64::from(frame) * f64::from(FRAME_TIME));
            figure.is_dead = entity == self.victim && frame >= DEATH;
        }
        Ok(())
    }

    /// Returns where a renderer draws an entity: its head by the palette, the gun by its own matrix.
    fn look(&self, world: &World, entity: Entity) -> Result<Seen> {
        let global = |entity| world.get::<GlobalTransform>(entity).ok_or("no transform");
        let palette = &world.get::<Palette>(entity).ok_or("no palette")?.0;
        let (place, gun) = (global(entity)?, global(self.gun)?.translation());
        let head = place.transform_point(palette[self.head].transform_point3(self.head_bind));
        Ok(Seen { place: place.translation(), head, gun })
    }
}

fn main() -> Result {
    let mut app = App::new();
    app.add_plugins((TransformPlugin, SkelobjPlugin));
    let scene = Scene::spawn(app.world_mut())?;
    let mut seen = Vec::new();
    for frame in 0..FRAMES {
        scene.play(app.world_mut(), frame)?;
        app.update();
        let now = scene.look(app.world(), scene.victim)?;
        if frame % 30 == 0 {
            let Seen { place, head, gun } = now;
            println!("{:4.1} s  entity at {place:5.2}, head at {head:5.2}, gun at {gun:5.2}", f32::from(frame) / 60.0);
        }
        seen.push(now);
    }

    let (alive, corpse) = (seen[usize::from(DEATH) - 1], seen[seen.len() - 1]);
    assert!(alive.head.y > 1.5 && alive.gun.y > 0.5, "it walks upright, the gun in its hand");
    assert!(corpse.head.y < 0.5 && corpse.gun.y < 0.5, "head and gun lie on the floor");
    assert!(corpse.place.distance(alive.place) > 0.1, "the entity has followed its corpse");
    assert!(corpse.place.y.abs() < 0.1, "on the floor");
    assert!(corpse.head.distance(corpse.place) < 1.5, "the palette is relative to the entity");
    let walker = scene.look(app.world(), scene.walker)?;
    assert!(walker.head.y > 1.5 && walker.place == Vec3::ZERO, "the other is alive, where the game has put it");

    // Bevy despawns the gun with its parent; the plugin deletes the skeletal object, which is freed in the next frame.
    app.world_mut().despawn(scene.victim);
    app.update();
    let left = app.world().resource::<Skeletons>().runtime.objects().count();
    assert_eq!(left, 1, "the skeletal object of the walker");
    println!("the corpse is despawned, skeletal objects left: {left}");
    Ok(())
}
