//! A miniature Quake-style engine in one file: a player with a gun, a monster behind a door, shots that find bones, a
//! death, a saved game, and a client that watches. Run it with `cargo run --release --all-features --example engine`.
//!
//! Read `examples/hello.rs` first. The chapters of `docs/guide` explain the parts one by one.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use skelobj::math::{EntityTransform, Mat3x4, Quat, Vec3};
use skelobj::model::{Attachment, Blend, Bone, FrameState, Mesh, Skeleton};
use skelobj::object::{Build, Space};
use skelobj::physics::{LevelBodyId, LevelShape, SolidMesh, Winding};
use skelobj::pose::{self, Aim};
use skelobj::ragdoll::{Command, Flinch};
use skelobj::runtime::{BoneReceiver, EntityState, ModelId, ObjectId, Replication, Snapshot, Surface, Trace};
use skelobj::{Model, Runtime, assets};

type Result<T, E = Box<dyn std::error::Error>> = std::result::Result<T, E>;

fn main() -> Result<()> {
    let outcome = play()?;
    for (time, event) in &outcome.log {
        println!("{time:5.2} s  {event}");
    }
    println!("drawn: {} vertices a frame, the lowest at z = {:.1}", outcome.vertices, outcome.lowest);
    println!("client: bones off by at most {:.3} units, {} bytes a message", outcome.client_error, outcome.message);
    let ending = if outcome.identical { "with the same bits" } else { "differently" };
    println!("saved while it fell: {} bytes; the loaded game ended {ending}", outcome.save);
    Ok(())
}

// ---- The script of the game --------------------------------------------------------------------------------------
// An engine reads input. Here the input is a list of frames, so that every run is the same and a test can watch it.

const FRAMES_A_SECOND: u32 = 60;
const FRAME: f32 = 1.0 / FRAMES_A_SECOND as f32;
/// Time in which the bodies of the dying become limp while the death animation plays on, seconds.
const FADE: f32 = 0.3;
/// The frames in which the player walks: to the door, and later through it to see what lies behind.
const WALKS: [Range<u32>; 2] = [0..60, 240..330];
/// The door opens between these frames, and the monster comes once it is open.
const OPENING: [u32; 2] = [60, 120];
/// The player lifts the gun in this frame.
const AIMS: u32 = 30;
/// The frames of shots, and the bone that each is aimed at.
const SHOTS: [(u32, &str); 3] = [(48, "chest"), (150, "chest"), (192, "head")];
/// The game is saved while the monster falls.
const SAVES: u32 = 216;
const ENDS: u32 = 600;
/// The server sends bones every third frame, 20 times per second.
const SENDS: u32 = 3;

const PLAYER: usize = 0;
const MONSTER: usize = 1;
/// Units per second at which the feet of the mannequin's walk stay where they step.
const WALK_SPEED: f32 = 47.0;
const DOOR: Vec3 = Vec3::new(128.0, 0.0, 48.0);

// ---- What an engine keeps ----------------------------------------------------------------------------------------
// The runtime holds models, bones, ragdolls and the physics world, but no entities: those are the engine's. What a
// saved game must hold of them is in one struct. Ids of objects and level bodies are numbers that a snapshot keeps.

#[derive(Serialize, Deserialize)]
struct Game {
    frame: u32,
    door: LevelBodyId,
    entities: Vec<Entity>,
}

#[derive(Serialize, Deserialize)]
struct Entity {
    object: ObjectId,
    origin: Vec3,
    /// Angle about the Z axis, degrees.
    yaw: f32,
    /// Share of the walk in the animation: 0 stands, 1 walks.
    stride: f32,
    /// Seconds of walking, for the animation of the legs.
    walked: f64,
    /// World position that the gun arm points at.
    aim: Option<Vec3>,
    health: i32,
    /// Frame of the death.
    died: u32,
    at_rest: bool,
}

/// Ids of models, numbers of bones and animations: looked up once, and again when a game is loaded, because a
/// snapshot names models instead of holding them.
struct Content {
    mannequin: ModelId,
    gun: ModelId,
    idle: usize,
    walk: usize,
    /// The first bone of the upper body. Pelvis and legs have smaller numbers.
    spine: usize,
    /// The arm with the gun, which points from the shoulder to its target, and its forearm and hand.
    arm: Aim,
    lower_arm: [usize; 2],
    /// Neck and head, which look at the target.
    look: Aim,
    /// The animation of a death. Its beginning is the recoil of a shot as well.
    death: usize,
    muzzle: usize,
}

struct Engine {
    runtime: Runtime,
    content: Content,
    game: Game,
    palette: Vec<Mat3x4>,
    /// The vertices of the frame, world space: what a renderer uploads.
    vertices: Vec<Vec3>,
    /// Transcript: seconds and messages.
    log: Vec<(f32, String)>,
}

// ---- Loading -----------------------------------------------------------------------------------------------------

/// A runtime with the models of the game: the beginning of a new game and of a loaded one.
fn load_content() -> Result<(Runtime, Content)> {
    let mut runtime = Runtime::default();
    // An engine looks into its folders and packs. A model's ragdoll is read from the file named after the model.
    runtime.set_files(|name: &str| match name {
        "mannequin.iqm" => Some(assets::MANNEQUIN_IQM.to_vec()),
        "mannequin.doll" => Some(assets::MANNEQUIN_DOLL.to_vec()),
        _ => None,
    });
    let mannequin = runtime.load_model("mannequin.iqm")?;
    let gun = runtime.add_model("gun.iqm", make_gun()?)?;
    let model = runtime.model(mannequin).ok_or("no mannequin")?;
    let bone = |name: &str| model.skeleton.find(name.as_bytes()).ok_or_else(|| format!("no bone {name}"));
    let animation = |name: &str| model.find_animation(name.as_bytes()).ok_or_else(|| format!("no animation {name}"));
    let skeleton = &model.skeleton;
    let content = Content {
        mannequin,
        gun,
        idle: animation("idle")?,
        walk: animation("walk")?,
        spine: bone("spine")?,
        // An arm's Z axis runs along the limb; its X axis is forward while the arm hangs, and so up while it points
        // ahead.
        arm: Aim::parse(skeleton, "upperarm_r")?.with_axis(Vec3::Z, Vec3::X),
        lower_arm: [bone("forearm_r")?, bone("hand_r")?],
        look: Aim::parse(skeleton, "neck 0.4, head 0.6")?.with_limit(1.2),
        death: animation("death")?,
        muzzle: runtime.model(gun).and_then(|gun| gun.find_tag("muzzle")).ok_or("no muzzle")?,
    };
    Ok((runtime, content))
}

/// A gun of one box and one bone. Models can be made by hand; most come from files. The muzzle is an attachment, a
/// named place on a bone.
fn make_gun() -> Result<Model> {
    let faces = faces(Vec3::new(-2.0, -1.0, -2.0), Vec3::new(12.0, 1.0, 2.0));
    let first_corners = (0..).step_by(4).take(faces.len());
    let mesh = Mesh {
        name: "gun".into(),
        positions: faces.iter().flatten().map(|corner| corner.to_array()).collect(),
        triangles: first_corners.flat_map(|first| [[0, 1, 2], [0, 2, 3]].map(|t| t.map(|c| first + c))).collect(),
        ..Mesh::default()
    };
    let bone = Bone { name: "gun".into(), parent: None, bind: Mat3x4::IDENTITY };
    let muzzle = Attachment { name: "muzzle".into(), bone: 0, offset: Mat3x4::from_translation(Vec3::X * 12.0) };
    let skeleton = Skeleton::new(vec![bone])?;
    Ok(Model { skeleton, meshes: vec![mesh], attachments: vec![muzzle], ..Model::default() })
}

/// The six faces of a box, counter-clockwise seen from outside.
fn faces(mins: Vec3, maxs: Vec3) -> [[Vec3; 4]; 6] {
    let corner = |bits: usize| {
        let pick = |axis: usize| if bits >> axis & 1 == 0 { mins[axis] } else { maxs[axis] };
        Vec3::new(pick(0), pick(1), pick(2))
    };
    [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]].map(|face| face.map(corner))
}

/// The level: a floor, and a wall with an opening. It is one mesh, because limbs catch on the seams between bodies,
/// but not on those within a mesh. A map file would go through `Level::from_bsp` and `Physics::add_level`.
fn make_level(runtime: &mut Runtime) -> Result<LevelBodyId> {
    let boxes = [
        [Vec3::new(-64.0, -128.0, -16.0), Vec3::new(640.0, 128.0, 0.0)],
        [Vec3::new(120.0, -128.0, 0.0), Vec3::new(136.0, -32.0, 160.0)],
        [Vec3::new(120.0, 32.0, 0.0), Vec3::new(136.0, 128.0, 160.0)],
        [Vec3::new(120.0, -32.0, 96.0), Vec3::new(136.0, 32.0, 160.0)],
    ];
    let polygons: Vec<[Vec3; 4]> = boxes.iter().flat_map(|[mins, maxs]| faces(*mins, *maxs)).collect();
    let mesh = SolidMesh::from_polygons(polygons.iter().map(|face| (&face[..], 0)), Winding::CounterClockwise)?;
    let physics = runtime.physics_mut();
    physics.add_level_body(&[LevelShape::Mesh(&mesh)], Vec3::ZERO, Quat::IDENTITY)?;
    // A door is kinematic: it goes where the game says, and pushes everything in its way.
    Ok(physics.add_kinematic_body(&[LevelShape::Box(Vec3::new(8.0, 64.0, 96.0))], DOOR, Quat::IDENTITY)?)
}

impl Engine {
    fn new() -> Result<Self> {
        let (mut runtime, content) = load_content()?;
        let door = make_level(&mut runtime)?;
        let mut entities = Vec::new();
        for (number, (x, yaw)) in [(0.0, 0.0), (300.0, 180.0)].into_iter().enumerate() {
            let object = runtime.create_object(content.mannequin, Space::Local)?;
            // The way back from a bone that was hit to the entity.
            runtime.set_user_data(object, number as u64)?;
            let (origin, health) = (Vec3::new(x, 0.0, 0.0), 100);
            let (stride, walked, aim, died, at_rest) = (0.0, 0.0, None, 0, false);
            entities.push(Entity { object, origin, yaw, stride, walked, aim, health, died, at_rest });
        }
        Ok(Self::assemble(runtime, content, Game { frame: 0, door, entities }))
    }

    fn assemble(runtime: Runtime, content: Content, game: Game) -> Self {
        let bones = runtime.model(content.mannequin).map_or(0, |model| model.skeleton.len());
        let palette = vec![Mat3x4::IDENTITY; bones];
        Self { runtime, content, game, palette, vertices: Vec::new(), log: Vec::new() }
    }

    // ---- A frame -------------------------------------------------------------------------------------------------
    // The order matters. Poses come first, ragdolls follow them, shots and pictures see both, and the step ends the
    // frame.

    fn frame(&mut self) -> Result<()> {
        self.think()?;
        for number in 0..self.game.entities.len() {
            self.pose(number)?;
            self.ragdoll(number)?;
        }
        if let Some((_, bone)) = SHOTS.iter().find(|(frame, _)| *frame == self.game.frame) {
            self.fire(bone)?;
        }
        self.draw()?;
        self.runtime.step(FRAME)?;
        for warning in self.runtime.take_warnings() {
            println!("warning: {warning}");
        }
        self.game.frame += 1;
        Ok(())
    }

    fn time(&self) -> f32 {
        self.game.frame as f32 * FRAME
    }

    /// The matrix of an entity, model space to world space, from Quake's angles.
    fn world(&self, entity: &Entity) -> Mat3x4 {
        let place = EntityTransform::new(entity.origin, Vec3::new(0.0, entity.yaw, 0.0));
        self.runtime.settings().entity_matrix(&place)
    }

    /// The middle of a body part, which begins at its bone and lies along the bone's Z axis.
    fn middle(&self, number: usize, bone: &str) -> Result<Vec3> {
        let entity = &self.game.entities[number];
        let object = self.runtime.object(entity.object).ok_or("no object")?;
        let bone = object.find_bone(bone.as_bytes()).and_then(|bone| object.model_space(bone));
        let bone = self.world(entity) * bone.ok_or("no such bone")?;
        Ok(bone.transform_point(Vec3::Z * 4.0))
    }

    /// Game logic: who walks where, what the player aims at, how far the door is open.
    fn think(&mut self) -> Result<()> {
        let frame = self.game.frame;
        let next = SHOTS.iter().find(|(shot, _)| *shot >= frame && frame >= AIMS);
        let target = next.map(|(_, bone)| self.middle(MONSTER, bone)).transpose()?;
        self.game.entities[PLAYER].aim = target;
        let settings = self.runtime.settings();
        for (number, entity) in self.game.entities.iter_mut().enumerate().filter(|(_, entity)| entity.health > 0) {
            let walks = match number {
                PLAYER => WALKS.iter().any(|walk| walk.contains(&frame)),
                _ => frame >= OPENING[1],
            };
            // A tenth of a second from standing to walking.
            entity.stride = (entity.stride + if walks { 1.0 } else { -1.0 } * FRAME * 10.0).clamp(0.0, 1.0);
            entity.walked += f64::from(FRAME);
            let place = EntityTransform::new(entity.origin, Vec3::new(0.0, entity.yaw, 0.0));
            entity.origin += settings.entity_matrix(&place).forward() * WALK_SPEED * entity.stride * FRAME;
        }
        let open = (frame.clamp(OPENING[0], OPENING[1]) - OPENING[0]) as f32 / (OPENING[1] - OPENING[0]) as f32;
        let place = DOOR + Vec3::Z * 100.0 * open;
        Ok(self.runtime.physics_mut().set_level_body_target(self.game.door, place, Quat::IDENTITY)?)
    }

    // ---- Animation -----------------------------------------------------------------------------------------------
    // A frame state has four blends for all bones, and two more that the first bones play instead. Legs come first in
    // most of Quake's models, so the second set is for legs. Then the pose meets the world: a shot throws the body
    // back, the head looks at the target, and the arm with the gun points at it.

    fn pose(&mut self, number: usize) -> Result<()> {
        let (entity, content) = (&self.game.entities[number], &self.content);
        if entity.health <= 0 {
            // The death plays on while the bodies become limp: the monster staggers. Then its bodies pose the bones.
            let since = (self.game.frame - entity.died) as f32 * FRAME;
            if since < FADE {
                let dying = FrameState::single(content.death, since.into());
                self.runtime.build(entity.object, content.mannequin, &dying, &Build::REPLACE)?;
            }
            return Ok(());
        }
        let time = f64::from(self.time());
        let idle = |weight| Blend::new(content.idle, time, weight);
        let walk = |weight| Blend::new(content.walk, entity.walked, weight);
        let whole = [idle(1.0 - entity.stride), walk(entity.stride)];
        let torso = if entity.aim.is_some() { [idle(1.0), Blend::default()] } else { whole };
        let playing = FrameState::blended(torso).with_base(whole, content.spine);
        self.runtime.build(entity.object, content.mannequin, &playing, &Build::REPLACE)?;
        let Some(target) = entity.aim else { return Ok(()) };

        // A shot throws the body back, and a quarter of a second later it is upright again. The layer is what the first
        // tenth of a second of the death changes.
        let since = SHOTS.iter().filter_map(|(shot, _)| self.game.frame.checked_sub(*shot)).min();
        let kick = since.map_or(0.0, |frames| (1.0 - frames as f32 * FRAME * 4.0).max(0.0));
        let target = self.world(entity).inverse().ok_or("a flat entity")?.transform_point(target);
        let [hit, before] = [0.1, 0.0].map(|time| FrameState::single(content.death, time));
        self.runtime.add_pose(entity.object, content.mannequin, &hit, Some(&before), kick)?;
        let object = self.runtime.object_mut(entity.object).ok_or("no object")?;
        object.aim(&content.look, target)?;
        object.aim(&content.arm, target)?;
        // Elbow and wrist straight, as in the bind pose.
        for bone in content.lower_arm {
            let straight = object.model().skeleton.bind_local()[bone];
            object.set_bone(bone, straight)?;
        }
        Ok(())
    }

    /// While an entity lives its bodies follow the animation, so that shots find them. Once it is dead they do so less
    /// and less, and the same call writes what they do into the bones.
    fn ragdoll(&mut self, number: usize) -> Result<()> {
        let entity = &self.game.entities[number];
        let (object, world) = (entity.object, self.world(entity));
        self.runtime.ragdoll_command(object, &world, Command::Update, None)?;
        let asleep = self.runtime.ragdoll(object).is_some_and(|ragdoll| ragdoll.is_asleep(self.runtime.physics()));
        if entity.health <= 0 && asleep && !entity.at_rest {
            self.game.entities[number].at_rest = true;
            let head = self.middle(number, "head")?;
            self.log.push((self.time(), format!("the body has come to rest, its head at {head:.1}")));
        }
        Ok(())
    }

    // ---- The gun -------------------------------------------------------------------------------------------------
    // An attached entity's matrix is relative to the tag it hangs on: the hand, whose Z axis points ahead and whose X
    // axis points up.

    fn gun(&self, tag: Option<usize>) -> Mat3x4 {
        let (player, content) = (&self.game.entities[PLAYER], &self.content);
        let holder = EntityState::new(self.world(player));
        let holder = holder.with_model(content.mannequin, FrameState::default()).with_object(player.object);
        let in_hand = Mat3x4::from_columns(Vec3::Z, Vec3::NEG_Y, Vec3::X, Vec3::Z * 4.0);
        let gun = EntityState::new(in_hand).with_model(content.gun, FrameState::default());
        let [_, hand] = content.lower_arm;
        self.runtime.tag_to_world([(gun, tag), (holder, Some(hand))])
    }

    fn fire(&mut self, bone: &str) -> Result<()> {
        let start = self.gun(Some(self.content.muzzle)).origin();
        let direction = (self.middle(MONSTER, bone)? - start).normalize_or(Vec3::X);
        let shot = Trace::line(start, start + direction * 2048.0).without(self.game.entities[PLAYER].object);
        let Some(hit) = self.runtime.trace(&shot)? else { return Ok(()) };
        let event = match (hit.object, hit.bone, hit.surface) {
            (Some(object), Some(bone), _) => self.hurt(object, bone, hit.point, direction)?,
            (_, _, Surface::Level { body, .. }) if body == self.game.door => "the shot hits the door".to_owned(),
            _ => "the shot hits the level".to_owned(),
        };
        self.log.push((self.time(), event));
        Ok(())
    }

    fn hurt(&mut self, id: ObjectId, bone: usize, point: Vec3, direction: Vec3) -> Result<String> {
        let number = self.runtime.user_data(id).ok_or("no object")? as usize;
        let bone_name = self.runtime.object(id).and_then(|object| object.bone_name(bone));
        let bone_name = bone_name.ok_or("no bone")?.to_string();
        let victim = &mut self.game.entities[number];
        victim.health -= if bone_name == "head" { 80 } else { 30 };
        let health = victim.health;
        if health <= 0 {
            // It becomes limp: the bodies start with the pose and the speed that the animation had.
            victim.died = self.game.frame;
            let world = self.world(&self.game.entities[number]);
            self.runtime.ragdoll_command(id, &world, Command::Animate(0.0, Some(FADE)), None)?;
        }
        // The bodies of the dying are pushed; those that the animation holds flinch.
        self.runtime.ragdoll_impulse(id, Some(bone), point, direction * 1500.0, Flinch::default())?;
        let end = if health <= 0 { "it dies".to_owned() } else { format!("{health} health are left") };
        Ok(format!("the shot hits the monster's {bone_name}, {end}"))
    }

    // ---- The picture ---------------------------------------------------------------------------------------------
    // A renderer would upload the palette and skin on the GPU. On the CPU, every vertex goes through the matrices of
    // its bones into model space, and through the entity's into the world.

    fn draw(&mut self) -> Result<()> {
        self.vertices.clear();
        let mannequin = self.runtime.model(self.content.mannequin).ok_or("no mannequin")?.clone();
        for entity in &self.game.entities {
            self.runtime.write_palette(entity.object, &mut self.palette)?;
            let world = self.world(entity);
            for mesh in &mannequin.meshes {
                let first = self.vertices.len();
                self.vertices.resize(first + mesh.positions.len(), Vec3::ZERO);
                pose::skin_positions(mesh, &self.palette, &mut self.vertices[first..]);
                self.vertices[first..].iter_mut().for_each(|vertex| *vertex = world.transform_point(*vertex));
            }
        }
        let (gun, at) = (self.runtime.model(self.content.gun).ok_or("no gun")?, self.gun(None));
        let positions = gun.meshes.iter().flat_map(|mesh| &mesh.positions);
        self.vertices.extend(positions.map(|position| at.transform_point(Vec3::from(*position))));
        Ok(())
    }

    // ---- Saving --------------------------------------------------------------------------------------------------
    // A save file has two parts: the engine's own state, and a snapshot of everything else, the level and the falling
    // body included.

    fn save(&self) -> Result<Vec<u8>> {
        Ok(postcard::to_allocvec(&(&self.game, self.runtime.snapshot().to_bytes()?))?)
    }

    fn load(bytes: &[u8]) -> Result<Self> {
        let (game, snapshot): (Game, Vec<u8>) = postcard::from_bytes(bytes)?;
        let (mut runtime, content) = load_content()?;
        runtime.restore(&Snapshot::from_bytes(&snapshot)?)?;
        Ok(Self::assemble(runtime, content, game))
    }

    /// Positions of an entity's bones, model space.
    fn bones(&self, number: usize) -> Vec<Vec3> {
        bone_positions(&self.runtime, self.game.entities[number].object)
    }
}

fn bone_positions(runtime: &Runtime, id: ObjectId) -> Vec<Vec3> {
    let object = runtime.object(id);
    let bones =
        object.into_iter().flat_map(|object| (0..object.bone_count()).filter_map(|bone| object.model_space(bone)));
    bones.map(|bone| bone.origin()).collect()
}

// ---- A client ----------------------------------------------------------------------------------------------------
// A client has the model and no physics. It shows the server's past, one message late, so that there are always two
// poses to interpolate between.

struct Client {
    runtime: Runtime,
    monster: ObjectId,
    receiver: BoneReceiver,
}

impl Client {
    fn new() -> Result<Self> {
        let (mut runtime, content) = load_content()?;
        let monster = runtime.create_object(content.mannequin, Space::Model)?;
        Ok(Self { runtime, monster, receiver: BoneReceiver::default() })
    }

    fn receive(&mut self, time: f64, message: &[u8]) -> Result<()> {
        self.receiver.receive(time, self.runtime.decode_bones(self.monster, message)?);
        Ok(())
    }

    fn show(&mut self, time: f64) -> Result<Vec<Vec3>> {
        self.runtime.show_bones(self.monster, &self.receiver, time)?;
        Ok(bone_positions(&self.runtime, self.monster))
    }
}

// ---- The whole game ----------------------------------------------------------------------------------------------

/// Results of a run of the game.
pub struct Outcome {
    pub log: Vec<(f32, String)>,
    /// Number of vertices drawn in the last frame.
    pub vertices: usize,
    /// World Z of the lowest vertex.
    pub lowest: f32,
    /// Largest distance between a bone on the client and the one that the server sent, units.
    pub client_error: f32,
    /// Size of a message, bytes.
    pub message: usize,
    /// Size of the save file, bytes.
    pub save: usize,
    /// Bones of both characters in every frame, model space.
    pub bones: Vec<Mat3x4>,
    /// True if the loaded game drew the same vertices in every frame as the game that was saved, and ended in the same
    /// state, bit for bit.
    pub identical: bool,
}

pub fn play() -> Result<Outcome> {
    let (mut engine, mut client) = (Engine::new()?, Client::new()?);
    let (mut save, mut loaded, mut identical) = (Vec::new(), None, true);
    let (mut message, mut sent, mut client_error, mut bones) = (Vec::new(), Vec::new(), 0f32, Vec::new());
    while engine.game.frame < ENDS {
        engine.frame()?;
        for entity in &engine.game.entities {
            let object = engine.runtime.object(entity.object).ok_or("no object")?;
            bones.extend((0..object.bone_count()).filter_map(|bone| object.model_space(bone)));
        }
        // The loaded game runs beside the one that was saved, in an engine that has only the save file.
        if let Some(loaded) = &mut loaded {
            Engine::frame(loaded)?;
            identical &= engine.vertices == loaded.vertices;
        } else if engine.game.frame == SAVES {
            save = engine.save()?;
            loaded = Some(Engine::load(&save)?);
        }
        if engine.game.frame % SENDS == 0 {
            message.clear();
            engine.runtime.encode_bones(engine.game.entities[MONSTER].object, Replication::Full, &mut message)?;
            let time = f64::from(engine.game.frame) / f64::from(FRAMES_A_SECOND);
            client.receive(time, &message)?;
            // The client shows now what the server sent one message ago.
            let shown = client.show(time - f64::from(SENDS) / f64::from(FRAMES_A_SECOND))?;
            let distances = shown.iter().zip(&sent).map(|(shown, sent): (&Vec3, &Vec3)| shown.distance(*sent));
            client_error = distances.fold(client_error, f32::max);
            sent = engine.bones(MONSTER);
        }
    }
    let loaded = loaded.ok_or("nothing was saved")?;
    Ok(Outcome {
        vertices: engine.vertices.len(),
        lowest: engine.vertices.iter().map(|vertex| vertex.z).fold(f32::MAX, f32::min),
        client_error,
        message: message.len(),
        save: save.len(),
        bones,
        identical: identical && engine.save()? == loaded.save()?,
        log: engine.log,
    })
}
