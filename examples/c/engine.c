// A miniature Quake-style engine in C: a player with a gun, a monster behind a door, shots that find bones, a death and a
// saved game. It plays the game of examples/engine.rs, and its bones have the same bits.
//
//   cargo build --release -p skelobj-capi && capi/install.sh $PWD/target/c
//   cc -std=c11 -Iinclude examples/c/engine.c target/release/libskelobj.a -lpthread -ldl -lm -o engine && ./engine dolls
//   cc -std=c11 -Iinclude examples/c/engine.c -Ltarget/c/lib -Wl,-rpath,$PWD/target/c/lib -lskelobj -lm -o engine
// --bones after the folder prints the bones of every frame. -ffp-contract=off keeps their bits on every machine.
#include <skelobj.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- The script of the game: an engine reads input ---------------------------------------------------------------
#define FRAME (1.0f / 60.0f)
enum { PLAYER, MONSTER, ENTITIES };
enum { OPENS = 60, OPEN = 120, AIMS = 30, SAVES = 216, ENDS = 600, BONES = 64 };
enum { SHOTS = 3 };
static const int shot_frames[SHOTS] = {48, 150, 192};
static const char *const shot_bones[SHOTS] = {"chest", "chest", "head"};
#define WALK_SPEED 47.0f
#define FADE 0.3f  // seconds in which the bodies of the dying become limp while the death animation plays on

// ---- What an engine keeps ----------------------------------------------------------------------------------------
// Entities are the engine's. What a saved game must hold of them is in one struct; a snapshot keeps the ids in it.
static const SkelobjObject no_object = {0};
typedef struct {
  SkelobjObject object;
  float origin[3], yaw, stride;
  double walked;
  int health, died, at_rest;
} Entity;
typedef struct {
  int frame;
  SkelobjLevelBody door;
  Entity entities[ENTITIES];
} Game;
// Models are shared by the world that is saved and the world that is loaded.
static struct {
  SkelobjModel mannequin, gun;
  SkelobjModelData data;
  int idle, walk, death, spine, arm[3], muzzle;
} content;

typedef struct {
  SkelobjWorld world;
  Game game;
  float palettes[ENTITIES * BONES * 12];
  int prints;
} Engine;

// Calls that cannot fail in a sound game are wrapped in MUST.
static void die(const char *what) {
  char text[512];
  skelobj_last_error(text, sizeof(text));
  fprintf(stderr, "%s: %s\n", what, text);
  exit(1);
}
#define MUST(call) ((call) == SKELOBJ_STATUS_OK ? (void)0 : die(#call))

static void normalize(float v[3]) {
  float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), reciprocal = 1.0f / length;
  int axis;
  for (axis = 0; axis < 3; ++axis) v[axis] = length > 0 ? v[axis] * reciprocal : axis == 0;
}

static void columns(float m[12], const float x[3], const float y[3], const float z[3], const float origin[3]) {
  int row;
  for (row = 0; row < 3; ++row, m += 4) m[0] = x[row], m[1] = y[row], m[2] = z[row], m[3] = origin[row];
}

// ---- Loading -----------------------------------------------------------------------------------------------------
// An engine looks into its folders and packs. skelobj asks for plain paths only; the check is for the host's own calls.
static const uint8_t *load_file(void *folder, const char *name, size_t *size) {
  char path[1024];
  uint8_t *bytes;
  FILE *file;
  if (!skelobj_is_plain_path(name)) return NULL;
  if (snprintf(path, sizeof(path), "%s/%s", (const char *)folder, name) >= (int)sizeof(path)) return NULL;
  file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  bytes = (uint8_t *)malloc(*size + 1);
  *size = bytes ? fread(bytes, 1, *size, file) : 0;
  fclose(file);
  return bytes;
}

static void unload_file(void *folder, const uint8_t *bytes, size_t size) {
  (void)folder, (void)size;
  free((void *)bytes);
}

static void on_log(void *user, int32_t level, const char *text) {
  (void)user;
  fprintf(stderr, "%s: %s\n", level == SKELOBJ_LOG_LEVEL_WARNING ? "warning" : "error", text);
}

static SkelobjWorld make_world(const char *folder) {
  SkelobjWorldDef def = skelobj_default_world_def();
  def.files.load = load_file, def.files.unload = unload_file, def.files.user = (void *)folder;
  def.log = on_log;
  return skelobj_world_create(&def);
}

// The six faces of a box, counter-clockwise seen from outside: 24 corners.
static float *faces(float *out, const float mins[3], const float maxs[3]) {
  static const int bits[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
  int corner, axis;
  for (corner = 0; corner < 24; ++corner)
    for (axis = 0; axis < 3; ++axis) *out++ = bits[corner] >> axis & 1 ? maxs[axis] : mins[axis];
  return out;
}

// A gun of one box and one bone, made from parts as an engine's own reader would. The muzzle is a place on its bone.
static SkelobjModel make_gun(void) {
  static const float mins[3] = {-2, -1, -2}, maxs[3] = {12, 1, 2};
  SkelobjBonePart bone = {"gun", 0, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
  SkelobjAttachmentPart muzzle = {"muzzle", 1, {1, 0, 0, 12, 0, 1, 0, 0, 0, 0, 1, 0}};
  SkelobjMeshPart mesh = {"gun", NULL, 24, 12, NULL, NULL, NULL, NULL, NULL};
  SkelobjModelDef def = skelobj_default_model_def();
  float corners[24 * 3];
  uint32_t triangles[36], i;
  faces(corners, mins, maxs);
  for (i = 0; i < 36; ++i) triangles[i] = i / 6 * 4 + (uint32_t)("012023"[i % 6] - '0');
  mesh.positions = corners, mesh.triangles = triangles;
  def.bones = &bone, def.attachments = &muzzle, def.meshes = &mesh;
  def.bone_count = def.attachment_count = def.mesh_count = 1;
  return skelobj_model_create(&def);
}

static void load_content(SkelobjWorld world) {
  static const char *const arm[3] = {"upperarm_r", "forearm_r", "hand_r"};
  int i;
  content.mannequin = skelobj_world_load_model(world, "mannequin.iqm");
  content.gun = make_gun();
  if (!content.mannequin.id || !content.gun.id) die("models");
  MUST(skelobj_world_add_model(world, "gun.iqm", content.gun));
  MUST(skelobj_model_data(content.mannequin, &content.data));
  content.idle = skelobj_model_find_animation(content.mannequin, "idle");
  content.walk = skelobj_model_find_animation(content.mannequin, "walk");
  content.death = skelobj_model_find_animation(content.mannequin, "death");
  content.spine = skelobj_model_find_tag(content.mannequin, "spine");
  for (i = 0; i < 3; ++i) content.arm[i] = skelobj_model_find_tag(content.mannequin, arm[i]);
  content.muzzle = skelobj_model_find_tag(content.gun, "muzzle");
}

// A floor, and a wall with an opening: one shape, because limbs catch on the seams between bodies. A map file would go
// through skelobj_level_load and skelobj_add_level.
static SkelobjLevelBody make_level(SkelobjWorld world) {
  static const float boxes[4][2][3] = {{{-64, -128, -16}, {640, 128, 0}}, {{120, -128, 0}, {136, -32, 160}},
                                       {{120, 32, 0}, {136, 128, 160}}, {{120, -32, 96}, {136, 32, 160}}};
  float corners[4 * 24 * 3], *end = corners;
  uint32_t counts[4 * 6];
  SkelobjShape level = {SKELOBJ_SHAPE_KIND_POLYGONS, {0, 0, 0}, corners, NULL, counts, 96, 0, 24, 0};
  SkelobjShape door = {SKELOBJ_SHAPE_KIND_BOX, {8, 64, 96}, NULL, NULL, NULL, 0, 0, 0, 0};
  SkelobjLevelBodyDef def = skelobj_default_level_body_def();
  int i;
  for (i = 0; i < 4; ++i) end = faces(end, boxes[i][0], boxes[i][1]);
  for (i = 0; i < 24; ++i) counts[i] = 4;
  def.shapes = &level, def.shape_count = 1;
  if (!skelobj_add_level_body(world, &def).id) die("level");
  // A door goes where the game says, and pushes everything in its way.
  def.shapes = &door, def.is_moving = 1, def.matrix[3] = 128, def.matrix[11] = 48;
  return skelobj_add_level_body(world, &def);
}

// ---- A frame -----------------------------------------------------------------------------------------------------
// The order matters. Poses come first, ragdolls follow them, shots and pictures see both, and the step ends the frame.
static float now(const Engine *engine) { return (float)engine->game.frame * FRAME; }
static void tell(const Engine *engine, const char *event) {
  if (engine->prints) printf("%5.2f s  %s\n", (double)now(engine), event);
}

static void world_matrix(const Engine *engine, const Entity *entity, float m[12]) {
  float angles[3] = {0, entity->yaw, 0};
  MUST(skelobj_entity_matrix(engine->world, entity->origin, angles, 1, m));
}

// The middle of the monster's body part, which begins at its bone and lies along the bone's Z axis.
static void middle(const Engine *engine, const char *name, float out[3]) {
  const Entity *monster = &engine->game.entities[MONSTER];
  const float along[3] = {0, 0, 4};
  float world[12], bone[12];
  world_matrix(engine, monster, world);
  MUST(skelobj_bone_model(engine->world, monster->object, skelobj_find_bone(engine->world, monster->object, name), bone));
  MUST(skelobj_matrix_multiply(world, bone, bone));
  MUST(skelobj_matrix_transform(bone, along, out));
}

// Game logic: who walks where, what the player aims at, how far the door is open.
static int think(Engine *engine, float aim[3]) {
  Game *game = &engine->game;
  int frame = game->frame, aims = 0, i, axis;
  float open = (float)((frame < OPENS ? OPENS : frame > OPEN ? OPEN : frame) - OPENS) / (float)(OPEN - OPENS);
  float place[12] = {1, 0, 0, 128, 0, 1, 0, 0, 0, 0, 1, 0};
  for (i = 0; i < SHOTS && frame >= AIMS && !aims; ++i) aims = shot_frames[i] >= frame ? i + 1 : 0;
  if (aims) middle(engine, shot_bones[aims - 1], aim);
  for (i = 0; i < ENTITIES; ++i) {
    Entity *entity = &game->entities[i];
    int walks = i == PLAYER ? frame < 60 || (frame >= 240 && frame < 330) : frame >= OPEN;
    float world[12];
    if (entity->health <= 0) continue;
    // A tenth of a second from standing to walking.
    entity->stride = fminf(fmaxf(entity->stride + (walks ? 1.0f : -1.0f) * FRAME * 10.0f, 0), 1);
    entity->walked += (double)FRAME;
    world_matrix(engine, entity, world);
    for (axis = 0; axis < 3; ++axis) entity->origin[axis] += world[4 * axis] * WALK_SPEED * entity->stride * FRAME;
  }
  place[11] = 48 + 100 * open;
  MUST(skelobj_level_body_set_target(engine->world, game->door, place));
  return aims;
}

// A frame def has four blends for all bones, and two more that the first bones play instead: here the legs. Then the pose
// meets the world: a shot throws the body back, the head looks at the target, and the arm with the gun points at it.
static void pose(Engine *engine, const Entity *entity, const float *aim) {
  SkelobjFrameDef frame = skelobj_default_frame_def();
  SkelobjBlend idle = {(double)now(engine), content.idle, 1.0f - entity->stride};
  SkelobjBlend walk = {entity->walked, content.walk, entity->stride};
  SkelobjFrameDef hit = skelobj_frame_single(content.death, 0.1), before = skelobj_frame_single(content.death, 0.0);
  SkelobjAimDef look = skelobj_default_aim_def(), arm = skelobj_default_aim_def();
  float world[12], target[3], kick = 0;
  int i;
  if (entity->health <= 0) {  // the death plays on while the bodies become limp; then they pose the bones
    float since = (float)(engine->game.frame - entity->died) * FRAME;
    frame = skelobj_frame_single(content.death, (double)since);
    if (since < FADE) MUST(skelobj_build(engine->world, entity->object, content.mannequin, &frame, NULL));
    return;
  }
  frame.base_bones = content.spine - 1;
  frame.blends[0] = frame.base[0] = idle;
  frame.base[1] = walk;
  if (aim) frame.blends[0].weight = 1;
  else frame.blends[1] = walk;
  MUST(skelobj_build(engine->world, entity->object, content.mannequin, &frame, NULL));
  if (!aim) return;
  // The first tenth of a second of the death, which fades within a quarter of a second.
  for (i = 0; i < SHOTS; ++i)
    if (engine->game.frame >= shot_frames[i])
      kick = fmaxf(1.0f - (float)(engine->game.frame - shot_frames[i]) * FRAME * 4.0f, 0);
  MUST(skelobj_add_pose(engine->world, entity->object, content.mannequin, &hit, &before, kick));
  world_matrix(engine, entity, world);
  MUST(skelobj_matrix_inverse(world, world)), MUST(skelobj_matrix_transform(world, aim, target));
  look.limit = 1.2f;
  MUST(skelobj_aim(engine->world, entity->object, "neck 0.4, head 0.6", target, &look, NULL));
  // An arm's Z axis runs along the limb; its X axis is forward while the arm hangs, and so up while it points ahead.
  arm.axis[2] = arm.up[0] = 1;
  MUST(skelobj_aim(engine->world, entity->object, "upperarm_r", target, &arm, NULL));
  // Elbow and wrist straight, as in the bind pose.
  for (i = 1; i < 3; ++i)
    MUST(skelobj_set_bone(engine->world, entity->object, content.arm[i], content.data.bones[content.arm[i] - 1].bind));
}

// While an entity lives its bodies follow the animation. Once it is dead they do so less and less.
static void ragdoll(Engine *engine, Entity *entity) {
  SkelobjRagdollInfo info;
  float world[12];
  world_matrix(engine, entity, world);
  MUST(skelobj_ragdoll_update(engine->world, entity->object, world, no_object));
  MUST(skelobj_ragdoll_info(engine->world, entity->object, &info));
  if (entity->health <= 0 && info.is_asleep && !entity->at_rest) {
    entity->at_rest = 1;
    tell(engine, "the body has come to rest");
  }
}

// An attached entity's matrix is relative to the tag that it hangs on: the hand, whose Z axis points ahead.
static void muzzle(const Engine *engine, float out[12]) {
  static const float x[3] = {1, 0, 0}, y[3] = {0, -1, 0}, z[3] = {0, 0, 1}, hold[3] = {0, 0, 4};
  SkelobjEntity links[2];
  memset(links, 0, sizeof(links));
  columns(links[0].matrix, z, y, x, hold);
  links[0].model = content.gun, links[0].tag = content.muzzle;
  world_matrix(engine, &engine->game.entities[PLAYER], links[1].matrix);
  links[1].model = content.mannequin, links[1].object = engine->game.entities[PLAYER].object;
  links[1].tag = content.arm[2];
  MUST(skelobj_tag(engine->world, links, 2, out));
}

static void fire(Engine *engine, const char *bone) {
  SkelobjTraceDef shot = skelobj_default_trace_def();
  float from[12], direction[3], impulse[3], world[12];
  char name[32], event[80];
  SkelobjHit hit;
  Entity *victim;
  int axis;
  muzzle(engine, from);
  middle(engine, bone, direction);
  for (axis = 0; axis < 3; ++axis) direction[axis] -= shot.start[axis] = from[4 * axis + 3];
  normalize(direction);
  for (axis = 0; axis < 3; ++axis) shot.end[axis] = shot.start[axis] + direction[axis] * 2048;
  shot.excluded = engine->game.entities[PLAYER].object;
  MUST(skelobj_trace(engine->world, &shot, &hit));
  if (!hit.object.id) {
    tell(engine, SKELOBJ_IS_SAME(hit.level_body, engine->game.door) ? "the shot hits the door" : "the shot hits the level");
    return;
  }
  victim = &engine->game.entities[skelobj_object_user_data(engine->world, hit.object)];
  MUST(skelobj_bone_name(engine->world, hit.object, hit.bone, name, sizeof(name), NULL));
  victim->health -= strcmp(name, "head") == 0 ? 80 : 30;
  if (victim->health <= 0) {
    victim->died = engine->game.frame;
    world_matrix(engine, victim, world);
    MUST(skelobj_ragdoll_animate(engine->world, hit.object, world, 0, FADE, no_object));
  }
  // The bodies of the dying are pushed; those that the animation holds flinch.
  for (axis = 0; axis < 3; ++axis) impulse[axis] = direction[axis] * 1500;
  skelobj_ragdoll_impulse(engine->world, hit.object, hit.bone, hit.point, impulse, NULL);
  snprintf(event, sizeof(event), "the shot hits the %s: %d health", name, victim->health);
  tell(engine, event);
}

static void run_frame(Engine *engine) {
  SkelobjObject drawn[ENTITIES];
  float aim[3];
  int aims = think(engine, aim), i;
  for (i = 0; i < ENTITIES; ++i) {
    Entity *entity = &engine->game.entities[i];
    pose(engine, entity, aims && i == PLAYER ? aim : NULL);
    ragdoll(engine, entity);
    drawn[i] = entity->object;
  }
  for (i = 0; i < SHOTS; ++i)
    if (shot_frames[i] == engine->game.frame) fire(engine, shot_bones[i]);
  // What a renderer uploads.
  MUST(skelobj_palettes(engine->world, drawn, ENTITIES, BONES, engine->palettes, ENTITIES * BONES));
  MUST(skelobj_step(engine->world, FRAME, NULL));
  ++engine->game.frame;
}

// ---- Saving: the engine's own state, and a snapshot of everything else, the falling body included -----------------
static size_t save(const Engine *engine, uint8_t **bytes) {
  SkelobjSnapshot snapshot = skelobj_snapshot_take(engine->world);
  size_t size;
  MUST(skelobj_snapshot_write(snapshot, NULL, 0, &size));
  if (!(*bytes = (uint8_t *)malloc(sizeof(Game) + size))) exit(1);
  memcpy(*bytes, &engine->game, sizeof(Game));
  MUST(skelobj_snapshot_write(snapshot, *bytes + sizeof(Game), size, NULL)), MUST(skelobj_snapshot_free(snapshot));
  return sizeof(Game) + size;
}

static void load(Engine *engine, const char *folder, const uint8_t *bytes, size_t size) {
  SkelobjSnapshot snapshot = skelobj_snapshot_read(bytes + sizeof(Game), size - sizeof(Game));
  memcpy(&engine->game, bytes, sizeof(Game));
  engine->world = make_world(folder);
  MUST(skelobj_world_add_model(engine->world, "mannequin.iqm", content.mannequin));
  MUST(skelobj_world_add_model(engine->world, "gun.iqm", content.gun));
  MUST(skelobj_snapshot_restore(engine->world, snapshot)), MUST(skelobj_snapshot_free(snapshot));
}

static void print_bones(const Engine *engine) {
  float matrices[BONES * 12];
  uint32_t bits[BONES * 12];
  int i, number;
  for (i = 0; i < ENTITIES; ++i) {
    MUST(skelobj_pose(engine->world, engine->game.entities[i].object, SKELOBJ_SPACE_MODEL, matrices, BONES));
    memcpy(bits, matrices, sizeof(bits));
    for (number = 0; number < content.data.bone_count * 12; ++number)
      printf("%08x%c", (unsigned)bits[number], number % 12 == 11 ? '\n' : ' ');
  }
}

int main(int argc, char **argv) {
  static Engine engine, loaded;
  const char *folder = argc > 1 ? argv[1] : "dolls";
  int bones = argc > 2 && strcmp(argv[2], "--bones") == 0, same = 1, i;
  uint8_t *bytes;
  size_t size = 0;
  engine.prints = !bones;
  engine.world = make_world(folder);
  load_content(engine.world);
  engine.game.door = make_level(engine.world);
  for (i = 0; i < ENTITIES; ++i) {
    Entity *entity = &engine.game.entities[i];
    entity->object = skelobj_object_create(engine.world, content.mannequin, SKELOBJ_SPACE_LOCAL);
    // The way back from a bone that was hit to the entity.
    MUST(skelobj_object_set_user_data(engine.world, entity->object, (uint64_t)i));
    entity->origin[0] = i == PLAYER ? 0.0f : 300.0f, entity->yaw = i == PLAYER ? 0.0f : 180.0f;
    entity->health = 100;
  }
  while (engine.game.frame < ENDS) {
    run_frame(&engine);
    if (bones) print_bones(&engine);
    if (loaded.world.id) {  // it runs beside the game that was saved
      run_frame(&loaded);
      same = same && memcmp(engine.palettes, loaded.palettes, sizeof(engine.palettes)) == 0;
    } else if (engine.game.frame == SAVES) {
      size = save(&engine, &bytes);
      load(&loaded, folder, bytes, size);
      free(bytes);
    }
  }
  if (!bones) printf("saved: %u bytes; the loaded game ended %s\n", (unsigned)size, same ? "with the same bits" : "differently");
  MUST(skelobj_world_free(engine.world)), MUST(skelobj_world_free(loaded.world));
  MUST(skelobj_model_free(content.mannequin)), MUST(skelobj_model_free(content.gun));
  return !same;
}
