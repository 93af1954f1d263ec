// Calls that a broken host makes. Every one is refused, and the world goes on. Argument: the folder of the mannequin.
#include "check.h"

static SkelobjWorld world;
static SkelobjModel model;
static SkelobjObject object;
static int inside;

static int last_error_has(const char *wanted) {
  char text[256];
  skelobj_last_error(text, sizeof(text));
  return strstr(text, wanted) != NULL;
}

static SkelobjModel as_model(uint32_t id) {
  SkelobjModel named;
  named.id = id;
  return named;
}

static SkelobjLevelBody as_body(uint32_t id) {
  SkelobjLevelBody body;
  body.id = id;
  return body;
}

// Callbacks that call back into their world, into another one, and into things that are freed.
static void on_log(void *user, int32_t level, const char *text) {
  SkelobjWorldDef def;
  (void)user;
  (void)level;
  (void)text;
  if (inside) return;
  inside = 1;
  IS(skelobj_step(world, 0.1f, NULL), SKELOBJ_STATUS_BUSY);
  IS(skelobj_world_free(world), SKELOBJ_STATUS_BUSY);
  IS(skelobj_world_settings(world, &def), SKELOBJ_STATUS_BUSY);
  NONE(skelobj_object_create(world, model, 0), SKELOBJ_STATUS_BUSY);
  NONE(skelobj_snapshot_take(world), SKELOBJ_STATUS_BUSY);
  IS(skelobj_object_delete(world, object), SKELOBJ_STATUS_BUSY);
  IS(skelobj_world_is_valid(world), 1);
  IS(skelobj_model_free(as_model(world.id)), SKELOBJ_STATUS_BAD_ID);
  inside = 0;
}

static int nested;

static const uint8_t *load_nested(void *user, const char *name, size_t *size) {
  float matrix[12];
  SkelobjWorld other;
  ++nested;
  IS(skelobj_ragdoll_update(world, object, identity, no_object), SKELOBJ_STATUS_BUSY);
  IS(skelobj_bone_model(world, object, 1, matrix), SKELOBJ_STATUS_BUSY);
  NONE(skelobj_world_load_model(world, name), SKELOBJ_STATUS_BUSY);
  IS(skelobj_world_free(world), SKELOBJ_STATUS_BUSY);
  // Another world is free to use.
  other = skelobj_world_create(NULL);
  IS(skelobj_step(other, 0.01f, NULL), SKELOBJ_STATUS_OK);
  IS(skelobj_world_free(other), SKELOBJ_STATUS_OK);
  return load_file(user, name, size);
}

static int asked;

static const uint8_t *load_plain(void *user, const char *name, size_t *size) {
  ++asked;
  IS(skelobj_is_plain_path(name), 1);
  return load_file(user, name, size);
}

// A host's files are asked for by plain paths only, whoever states the name.
static void names(void) {
  static const char *const outside[] = {"../../x.doll", "/etc/passwd", "", "a/../../b.doll", "c:\\x", "a\\..\\b", "nul.doll"};
  SkelobjWorldDef def;
  SkelobjLoadDef load = skelobj_default_load_def();
  SkelobjModelData data;
  SkelobjModel copy;
  SkelobjObject other;
  SkelobjFrameDef frame = skelobj_default_frame_def();
  const uint8_t *bytes;
  char command[64];
  size_t size = 0, i;

  IS(skelobj_world_settings(world, &def), SKELOBJ_STATUS_OK);
  bytes = load_file(def.files.user, "mannequin.iqm", &size);
  def.files.load = load_plain;
  load.files = def.files;
  IS(skelobj_world_set_settings(world, &def), SKELOBJ_STATUS_OK);
  for (i = 0; i < sizeof(outside) / sizeof(*outside); ++i) {
    snprintf(command, sizeof(command), "doll \"%s\"", outside[i]);
    IS(skelobj_ragdoll_command(world, object, identity, command, no_object, NULL), SKELOBJ_STATUS_RAGDOLL);
    IS(last_error_has("is not a plain path"), 1);
    NONE(skelobj_world_load_model(world, outside[i]), SKELOBJ_STATUS_BAD_FILE);
    NONE(skelobj_player_load(outside[i], "default", &load), SKELOBJ_STATUS_BAD_FILE);
    IS(last_error_has("is not a plain path"), 1);
  }
  IS(asked, 0);
  // An engine with absolute paths gives bytes. Nothing beside them is read.
  copy = skelobj_model_load("/games/m.iqm", bytes, size, &load);
  IS(skelobj_model_data(copy, &data), SKELOBJ_STATUS_OK);
  IS(data.warning_count, 1);
  IS(strstr(data.warnings[0], "\"/games/m.iqm.framegroups\" is not a plain path") != NULL, 1);
  IS(skelobj_world_add_model(world, "/games/m.iqm", copy), SKELOBJ_STATUS_OK);
  IS(skelobj_precache_doll(world, copy), 0);
  IS(asked, 0);
  other = skelobj_object_create(world, copy, SKELOBJ_SPACE_LOCAL);
  IS(skelobj_build(world, other, copy, &frame, NULL), SKELOBJ_STATUS_OK);
  IS(skelobj_ragdoll_command(world, other, identity, "doll mannequin.doll", no_object, NULL), SKELOBJ_STATUS_OK);
  IS(asked > 0, 1);
  IS(skelobj_ragdoll_command(world, other, identity, "doll none.doll", no_object, NULL), SKELOBJ_STATUS_NOT_FOUND);
  NONE(skelobj_world_load_model(world, "none.iqm"), SKELOBJ_STATUS_NOT_FOUND);
  NONE(skelobj_player_load("models/none", "default", &load), SKELOBJ_STATUS_NOT_FOUND);
  IS(skelobj_object_delete(world, other), SKELOBJ_STATUS_OK);
  IS(skelobj_flush_deleted(world), SKELOBJ_STATUS_OK);
  IS(skelobj_world_remove_model(world, copy), SKELOBJ_STATUS_OK);
  IS(skelobj_model_free(copy), SKELOBJ_STATUS_OK);
  unload_file(def.files.user, bytes, size);
  def.files.load = load_file;
  IS(skelobj_world_set_settings(world, &def), SKELOBJ_STATUS_OK);
}

static void nulls(void) {
  float matrix[12];
  IS(skelobj_world_settings(world, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_world_set_settings(world, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_world_add_model(world, NULL, model), SKELOBJ_STATUS_NULL_POINTER);
  NONE(skelobj_world_load_model(world, NULL), SKELOBJ_STATUS_NULL_POINTER);
  NONE(skelobj_world_find_model(world, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_entity_matrix(world, NULL, NULL, 1, matrix), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_entity_matrix(world, identity, identity, 1, NULL), SKELOBJ_STATUS_NULL_POINTER);
  NONE(skelobj_model_load(NULL, NULL, 0, NULL), SKELOBJ_STATUS_NULL_POINTER);
  NONE(skelobj_model_load("a.iqm", NULL, 1000, NULL), SKELOBJ_STATUS_NULL_POINTER);
  NONE(skelobj_model_load("a.iqm", NULL, 0, NULL), SKELOBJ_STATUS_BAD_FILE);
  NONE(skelobj_model_create(NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_model_data(model, NULL), SKELOBJ_STATUS_NULL_POINTER);
  FAILS(skelobj_model_find_tag(model, NULL), SKELOBJ_STATUS_NULL_POINTER);
  FAILS(skelobj_model_find_animation(model, NULL), SKELOBJ_STATUS_NULL_POINTER);
  FAILS(skelobj_format_detect(NULL, 0, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_sort_files(NULL, 1, NULL, NULL, 0, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_sort_files(NULL, 0, NULL, NULL, 1, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_model_write(model, NULL, NULL, 0, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_model_write(model, "iqm", NULL, 1, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_model_skin(model, 0, NULL, 21, NULL, NULL, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_model_pose(model, NULL, 0, NULL, 21), SKELOBJ_STATUS_NULL_POINTER);
  FAILS(skelobj_model_next_event(model, 0, 0, 1, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_matrix_multiply(NULL, identity, matrix), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_matrix_axes(NULL, NULL, NULL, NULL, NULL), SKELOBJ_STATUS_NULL_POINTER);
  NONE(skelobj_player_load(NULL, NULL, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_build(world, object, model, NULL, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_object_info(world, object, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_bone_name(world, object, 1, NULL, 8, NULL), SKELOBJ_STATUS_NULL_POINTER);
  FAILS(skelobj_find_bone(world, object, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_bone_local(world, object, 1, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_set_bone(world, object, 1, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_set_bone_world(world, object, NULL, 1, identity), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_set_pose(world, object, 0, NULL, 21), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_aim(world, object, NULL, identity, NULL, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_aim(world, object, "head", NULL, NULL, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_reach(world, object, "thigh_l, shin_l, foot_l", NULL, NULL, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_object_set_mask(world, object, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_add_pose(world, object, model, NULL, NULL, 1), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_set_bone_axes(world, object, 1, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_palette(world, object, NULL, 21), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_palettes(world, NULL, 1, 21, matrix, 21), SKELOBJ_STATUS_NULL_POINTER);
  NONE(skelobj_doll_parse(NULL, 10, no_model), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_doll_lint(NULL, 10, no_model, NULL, 0, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_doll_format(NULL, 10, NULL, 0, NULL), SKELOBJ_STATUS_NULL_POINTER);
  NONE(skelobj_doll_check(NULL, 10, model, NULL), SKELOBJ_STATUS_NULL_POINTER);
  NONE(skelobj_doll_check("body a b", 8, as_model(12345), NULL), SKELOBJ_STATUS_BAD_ID);
  IS(skelobj_doll_fit(as_model(12345), NULL, NULL, 0, NULL), SKELOBJ_STATUS_BAD_ID);
  IS(skelobj_doll_fit(model, NULL, NULL, 10, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_model_skin_vertices(model, 0, NULL, 21, NULL, NULL, NULL, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_ragdoll_command(world, object, identity, NULL, no_object, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_ragdoll_command(world, object, NULL, "update", no_object, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_ragdoll_update(world, object, NULL, no_object), SKELOBJ_STATUS_NULL_POINTER);
  FAILS(skelobj_ragdoll_impulse(world, object, 0, NULL, NULL, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_match_pose(world, object, model, NULL, 3, 10, NULL), SKELOBJ_STATUS_NULL_POINTER);
  NONE(skelobj_add_level_body(world, NULL), SKELOBJ_STATUS_NULL_POINTER);
  NONE(skelobj_add_entity_box(world, NULL, NULL, NULL), SKELOBJ_STATUS_NULL_POINTER);
  NONE(skelobj_add_water(world, NULL), SKELOBJ_STATUS_NULL_POINTER);
  NONE(skelobj_level_load(NULL, 100, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_trace(world, NULL, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_tag(world, NULL, 1, matrix), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_tag(world, NULL, 0, NULL), SKELOBJ_STATUS_NULL_POINTER);
  NONE(skelobj_snapshot_read(NULL, 64), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_apply_bones(world, object, NULL, 64), SKELOBJ_STATUS_NULL_POINTER);
  FAILS(skelobj_is_plain_path(NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_last_error(NULL, 0) > 0, 1);
  IS(skelobj_last_error(NULL, 100) > 0, 1);
}

// Ids that stand for nothing, for something that is gone, or for another kind of thing: a host that gets around the
// compiler has them.
static void ids(void) {
  const uint32_t floor = skelobj_add_floor(world, -1000).id;
  // None, bits that are not ids, numbers without a kind, kinds that do not exist, ids of other things, later uses of slots.
  const uint32_t wrong[] = {0, UINT32_MAX, 1u << 31, 1, 999, object.id & 0xffffff, 11u << 24 | 1, 15u << 24 | 1,
                            floor, world.id, object.id, model.id, 1u << 24 | 16383, model.id + (1u << 14),
                            object.id + (1u << 14)};
  SkelobjModelData data;
  float matrix[12];
  SkelobjFrameDef frame = skelobj_default_frame_def();
  SkelobjEntity entity;
  SkelobjWorld freed = skelobj_world_create(NULL);
  SkelobjSnapshot snapshot = skelobj_snapshot_take(freed);
  size_t i, size;

  IS(skelobj_world_free(freed), SKELOBJ_STATUS_OK);
  IS(skelobj_world_free(freed), SKELOBJ_STATUS_BAD_ID);
  IS(last_error_has("does not exist: its id was never given out, or it was freed"), 1);
  IS(skelobj_step(freed, 0.1f, NULL), SKELOBJ_STATUS_BAD_ID);
  IS(skelobj_world_is_valid(freed), 0);
  IS(skelobj_snapshot_free(snapshot), SKELOBJ_STATUS_OK);
  IS(skelobj_snapshot_free(snapshot), SKELOBJ_STATUS_BAD_ID);
  IS(skelobj_snapshot_restore(world, snapshot), SKELOBJ_STATUS_BAD_ID);
  for (i = 0; i < sizeof(wrong) / sizeof(*wrong); ++i) {
    const SkelobjWorld a_world = {wrong[i]};
    const SkelobjModel a_model = {wrong[i]};
    const SkelobjObject an_object = {wrong[i]};
    const SkelobjLevelBody a_body = {wrong[i]};
    const SkelobjWater a_water = {wrong[i]};
    const SkelobjDoll a_doll = {wrong[i]};
    const SkelobjLevel a_level = {wrong[i]};
    const SkelobjReceiver a_receiver = {wrong[i]};
    const SkelobjPlayer a_player = {wrong[i]};
    const SkelobjSnapshot a_snapshot = {wrong[i]};
    if (wrong[i] != world.id) {
      IS(skelobj_step(a_world, 0.1f, NULL), SKELOBJ_STATUS_BAD_ID);
      IS(skelobj_world_free(a_world), SKELOBJ_STATUS_BAD_ID);
      IS(skelobj_world_is_valid(a_world), 0);
      NONE(skelobj_object_create(a_world, model, 0), SKELOBJ_STATUS_BAD_ID);
      IS(skelobj_build(a_world, object, model, &frame, NULL), SKELOBJ_STATUS_BAD_ID);
    }
    if (wrong[i] != model.id) {
      IS(skelobj_model_free(a_model), SKELOBJ_STATUS_BAD_ID);
      IS(skelobj_model_is_valid(a_model), 0);
      IS(skelobj_model_data(a_model, &data), SKELOBJ_STATUS_BAD_ID);
      NONE(skelobj_object_create(world, a_model, 0), SKELOBJ_STATUS_BAD_ID);
      IS(skelobj_build(world, object, a_model, &frame, NULL), SKELOBJ_STATUS_BAD_ID);
      IS(skelobj_world_remove_model(world, a_model), SKELOBJ_STATUS_BAD_ID);
    }
    if (wrong[i] != object.id) {
      IS(skelobj_object_delete(world, an_object), SKELOBJ_STATUS_BAD_ID);
      IS(skelobj_build(world, an_object, model, &frame, NULL), SKELOBJ_STATUS_BAD_ID);
      IS(skelobj_bone_model(world, an_object, 1, matrix), SKELOBJ_STATUS_BAD_ID);
      IS(skelobj_palette(world, an_object, matrix, 1), SKELOBJ_STATUS_BAD_ID);
      IS(skelobj_palettes(world, &an_object, 1, 1, matrix, 1), SKELOBJ_STATUS_BAD_ID);
      IS(skelobj_ragdoll_update(world, an_object, identity, no_object), SKELOBJ_STATUS_BAD_ID);
      IS(skelobj_copy_bones(world, an_object, object, 1, 0), SKELOBJ_STATUS_BAD_ID);
      IS(skelobj_object_is_valid(world, an_object), 0);
    }
    if (wrong[i] != floor) {
      IS(skelobj_level_body_remove(world, a_body), SKELOBJ_STATUS_BAD_ID);
      IS(skelobj_level_body_is_valid(world, a_body), 0);
    }
    IS(skelobj_doll_free(a_doll), SKELOBJ_STATUS_BAD_ID);
    IS(skelobj_level_free(a_level), SKELOBJ_STATUS_BAD_ID);
    IS(skelobj_receiver_free(a_receiver), SKELOBJ_STATUS_BAD_ID);
    IS(skelobj_player_free(a_player), SKELOBJ_STATUS_BAD_ID);
    IS(skelobj_snapshot_write(a_snapshot, NULL, 0, &size), SKELOBJ_STATUS_BAD_ID);
    IS(skelobj_water_remove(world, a_water), SKELOBJ_STATUS_BAD_ID);
    IS(skelobj_water_is_valid(world, a_water), 0);
  }
  memset(&entity, 0, sizeof(entity));
  entity.model = as_model(12345);
  IS(skelobj_tag(world, &entity, 1, matrix), SKELOBJ_STATUS_BAD_ID);
  entity.model = no_model;
  entity.object = skelobj_object_from_number(12345);
  IS(skelobj_tag(world, &entity, 1, matrix), SKELOBJ_STATUS_BAD_ID);
  IS(skelobj_level_body_remove(world, as_body(floor)), SKELOBJ_STATUS_OK);
}

// The text of a refused id tells what was given for what.
static void id_texts(void) {
  const SkelobjLevelBody floor = skelobj_add_floor(world, -1000);
  const SkelobjWater water = {10u << 24 | 999};
  char text[64];
  IS(skelobj_object_delete(world, no_object), SKELOBJ_STATUS_BAD_ID);
  IS(last_error_has("the id of an object is needed, but it is 0"), 1);
  IS(skelobj_object_delete(world, skelobj_object_from_number(999)), SKELOBJ_STATUS_BAD_ID);
  IS(last_error_has("object 999 does not exist: its id was never given out, or it was freed"), 1);
  IS(skelobj_level_body_remove(world, as_body(object.id)), SKELOBJ_STATUS_BAD_ID);
  snprintf(text, sizeof(text), "the id of a level body is needed, but it is that of object %d",
           (int)skelobj_object_number(object));
  IS(last_error_has(text), 1);
  IS(skelobj_level_body_is_valid(world, floor), 1);
  IS(skelobj_model_free(as_model(world.id)), SKELOBJ_STATUS_BAD_ID);
  IS(last_error_has("the id of a model is needed, but it is that of world"), 1);
  IS(skelobj_model_free(as_model(UINT32_MAX)), SKELOBJ_STATUS_BAD_ID);
  IS(last_error_has("the id of a model is needed, but 0xffffffff is not an id"), 1);
  IS(skelobj_water_remove(world, water), SKELOBJ_STATUS_BAD_ID);
  IS(last_error_has("body of water 999 does not exist"), 1);
  IS(skelobj_level_body_remove(world, floor), SKELOBJ_STATUS_OK);
}

// Numbers of QuakeC.
static void id_numbers(void) {
  static const int32_t none[] = {0, -1, 1 << 24, INT32_MAX, INT32_MIN};
  size_t i;
  SAME(skelobj_object_from_number(skelobj_object_number(object)), object);
  IS((float)skelobj_object_number(object) == (float)(object.id & 0xffffff), 1);
  IS(skelobj_object_number(no_object), 0);
  for (i = 0; i < sizeof(none) / sizeof(*none); ++i) IS(skelobj_object_from_number(none[i]).id, 0);
  IS(skelobj_object_from_number((1 << 24) - 1).id, 8u << 24 | 0xffffff);
}

// An object whose ragdoll the first update has not made yet.
static void ragdolls(void) {
  static const float up[3] = {0, 0, 1};
  const int32_t animation = 0;
  SkelobjPoseMatch match;
  SkelobjObject fresh = skelobj_object_create(world, model, SKELOBJ_SPACE_LOCAL);
  FAILS(skelobj_ragdoll_impulse(world, fresh, 0, up, up, NULL), SKELOBJ_STATUS_RAGDOLL);
  IS(last_error_has("has no ragdoll: skelobj_ragdoll_update makes it"), 1);
  IS(skelobj_ragdoll_add_velocity(world, fresh, up, up, up), SKELOBJ_STATUS_RAGDOLL);
  IS(last_error_has("has no ragdoll: skelobj_ragdoll_update makes it"), 1);
  IS(skelobj_ragdoll_set_groups(world, fresh, SKELOBJ_GROUP_ALL), SKELOBJ_STATUS_RAGDOLL);
  IS(last_error_has("has no ragdoll: skelobj_ragdoll_update makes it"), 1);
  IS(skelobj_match_pose(world, fresh, model, &animation, 1, 10, &match), SKELOBJ_STATUS_RAGDOLL);
  IS(last_error_has("has no ragdoll: skelobj_ragdoll_update makes it"), 1);
  FAILS(skelobj_ragdoll_bone_body(world, fresh, 1), SKELOBJ_STATUS_RAGDOLL);
  IS(skelobj_object_delete(world, fresh), SKELOBJ_STATUS_OK);
  IS(skelobj_flush_deleted(world), SKELOBJ_STATUS_OK);
}

static void numbers(void) {
  const SkelobjLevelBody no_body = {0};
  const SkelobjWater no_water = {0};
  const SkelobjLevel no_level = {0};
  const SkelobjPlayer no_player = {0};
  SkelobjCheckDef check = skelobj_default_check_def();
  const float nan3[3] = {NAN, NAN, NAN}, far[3] = {1e30f, INFINITY, 0}, zero[3] = {0, 0, 0};
  float matrix[12], bad[12], many[22 * 12];
  SkelobjFrameDef frame = skelobj_frame_single(1 << 30, 1e300);
  SkelobjBuildDef build = skelobj_default_build_def();
  SkelobjTraceDef trace = skelobj_default_trace_def();
  SkelobjWorldDef def = skelobj_default_world_def();
  SkelobjLevelBodyDef body = skelobj_default_level_body_def();
  SkelobjShape shape = skelobj_default_shape();
  SkelobjWaterDef water = skelobj_default_water_def(SKELOBJ_LIQUID_KIND_WATER);
  SkelobjWaterDef refused;
  SkelobjModelDef parts = skelobj_default_model_def();
  SkelobjBonePart bone;
  SkelobjMeshPart mesh;
  SkelobjAnimationPart animation;
  SkelobjDropDef drop = skelobj_default_drop_def();
  SkelobjHit hit;
  SkelobjDropReport report;
  static const uint32_t beyond[3] = {0, 1, 1000000};
  static const float points[9] = {0};
  SkelobjDoll doll;
  int i;

  for (i = 0; i < 12; ++i) bad[i] = NAN;
  check.max_gap = NAN;
  NONE(skelobj_doll_check("body a b", 8, model, &check), SKELOBJ_STATUS_BAD_NUMBER);
  check = skelobj_default_check_def();
  check.drops = 2000000000;
  NONE(skelobj_doll_check("body a b", 8, model, &check), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_build(world, object, model, &frame, NULL), SKELOBJ_STATUS_OK);
  frame.blends[0].time = (double)NAN;
  IS(skelobj_build(world, object, model, &frame, NULL), SKELOBJ_STATUS_BAD_NUMBER);
  frame = skelobj_default_frame_def();
  frame.base_bones = -5;
  IS(skelobj_build(world, object, model, &frame, NULL), SKELOBJ_STATUS_BAD_NUMBER);
  frame.base_bones = 0;
  build.retain = NAN;
  IS(skelobj_build(world, object, model, &frame, &build), SKELOBJ_STATUS_BAD_NUMBER);
  build = skelobj_default_build_def();
  build.first_bone = -1;
  IS(skelobj_build(world, object, model, &frame, &build), SKELOBJ_STATUS_NOT_FOUND);
  build.first_bone = INT32_MAX;
  build.last_bone = INT32_MAX;
  IS(skelobj_build(world, object, model, &frame, &build), SKELOBJ_STATUS_OK);
  NONE(skelobj_object_create(world, model, 7), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_bone_model(world, object, 0, matrix), SKELOBJ_STATUS_NOT_FOUND);
  IS(skelobj_bone_model(world, object, 22, matrix), SKELOBJ_STATUS_NOT_FOUND);
  IS(skelobj_bone_model(world, object, -2, matrix), SKELOBJ_STATUS_NOT_FOUND);
  IS(skelobj_set_bone(world, object, INT32_MAX, identity), SKELOBJ_STATUS_NOT_FOUND);
  any(skelobj_set_bone(world, object, 1, bad));
  any(skelobj_mul_bone(world, object, 2, bad));
  IS(skelobj_mul_bones(world, object, 1, 0, bad), SKELOBJ_STATUS_BAD_NUMBER);
  any(skelobj_set_bone_model(world, object, 1, bad));
  any(skelobj_set_bone_world(world, object, bad, 1, bad));
  IS(skelobj_build(world, object, model, &frame, NULL), SKELOBJ_STATUS_OK);
  IS(skelobj_set_pose(world, object, 0, bad, 1), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_aim(world, object, "Head", identity, NULL, NULL), SKELOBJ_STATUS_NOT_FOUND);
  IS(last_error_has("no bone is named `Head`, did you mean `head`?"), 1);
  IS(skelobj_aim(world, object, "head much", identity, NULL, NULL), SKELOBJ_STATUS_MISMATCH);
  IS(last_error_has("found `head much`, expected a bone and at most one number between commas"), 1);
  IS(skelobj_ragdoll_enable_joint(world, object, identity, "Knee_L", 0, no_object), SKELOBJ_STATUS_NOT_FOUND);
  IS(last_error_has("the doll has no joint `Knee_L`, did you mean `knee_l`?"), 1);
  IS(skelobj_aim(world, object, "head 2", identity, NULL, NULL), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_aim(world, object, "head", bad, NULL, NULL), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_turn(world, object, "head", bad[0], 0, NULL, NULL), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_turn(world, object, "head, chest", 0, 0, NULL, NULL), SKELOBJ_STATUS_MISMATCH);
  IS(skelobj_reach(world, object, "shin_l", identity, NULL, NULL), SKELOBJ_STATUS_MISMATCH);
  IS(skelobj_reach(world, object, "foot_l, shin_l", identity, NULL, NULL), SKELOBJ_STATUS_MISMATCH);
  IS(skelobj_object_set_mask(world, object, "head 7"), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_object_set_blending(world, object, 2), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_object_set_blending(world, object, -1), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_add_pose(world, object, model, &frame, NULL, 3), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_set_bone_axes(world, object, 99, identity), SKELOBJ_STATUS_NOT_FOUND);
  IS(skelobj_set_pose(world, object, 5, identity, 1), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_set_pose(world, object, 0, identity, -1), SKELOBJ_STATUS_BAD_NUMBER);
  // One matrix more than bones.
  for (i = 0; i < 22; ++i) memcpy(many + 12 * i, identity, sizeof(identity));
  IS(skelobj_set_pose(world, object, 0, many, 22), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_set_pose(world, object, 1, many, 22), SKELOBJ_STATUS_BAD_NUMBER);
  IS(last_error_has("22 matrices, expected 21 at most"), 1);
  IS(skelobj_set_pose(world, object, 1, NULL, 21), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_step(world, NAN, NULL), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_step(world, -1, NULL), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_step(world, INFINITY, NULL), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_entity_matrix(world, nan3, zero, 1, matrix), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_entity_matrix(world, zero, zero, NAN, matrix), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_ragdoll_update(world, object, bad, no_object), SKELOBJ_STATUS_RAGDOLL);
  IS(skelobj_ragdoll_update(world, object, identity, object), SKELOBJ_STATUS_RAGDOLL);
  IS(skelobj_ragdoll_update(world, object, identity, skelobj_object_from_number(4444)), SKELOBJ_STATUS_BAD_ID);
  IS(skelobj_ragdoll_command(world, object, identity, "dance", no_object, NULL), SKELOBJ_STATUS_RAGDOLL);
  IS(skelobj_ragdoll_command(world, object, identity, "animate nan", no_object, NULL) != SKELOBJ_STATUS_PANIC, 1);
  IS(skelobj_ragdoll_command(world, object, identity, "animatebody nobody 1", no_object, NULL),
     SKELOBJ_STATUS_NOT_FOUND);
  FAILS(skelobj_ragdoll_impulse(world, object, 0, nan3, zero, NULL), SKELOBJ_STATUS_BAD_NUMBER);
  FAILS(skelobj_ragdoll_impulse(world, object, 0, zero, far, NULL), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_ragdoll_add_velocity(world, object, nan3, nan3, nan3), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_set_impact_threshold(world, NAN), SKELOBJ_STATUS_BAD_NUMBER);
  trace.start[0] = NAN;
  IS(skelobj_trace(world, &trace, &hit), SKELOBJ_STATUS_BAD_NUMBER);
  trace = skelobj_default_trace_def();
  trace.mins[0] = 5;
  IS(skelobj_trace(world, &trace, &hit), SKELOBJ_STATUS_BAD_NUMBER);
  trace = skelobj_default_trace_def();
  trace.object = object;
  trace.geometry = 44;
  IS(skelobj_trace(world, &trace, &hit), SKELOBJ_STATUS_BAD_NUMBER);
  trace.object.id = UINT32_MAX;
  IS(skelobj_trace(world, &trace, &hit), SKELOBJ_STATUS_BAD_ID);
  def.step = 0;
  NONE(skelobj_world_create(&def), SKELOBJ_STATUS_BAD_NUMBER);
  def.step = NAN;
  IS(skelobj_world_set_settings(world, &def), SKELOBJ_STATUS_BAD_NUMBER);
  def = skelobj_default_world_def();
  def.iterations = -1;
  NONE(skelobj_world_create(&def), SKELOBJ_STATUS_BAD_NUMBER);
  NONE(skelobj_add_floor(world, NAN), SKELOBJ_STATUS_LEVEL);
  NONE(skelobj_add_level_body(world, &body), SKELOBJ_STATUS_LEVEL);
  body.shapes = &shape;
  body.shape_count = -4;
  NONE(skelobj_add_level_body(world, &body), SKELOBJ_STATUS_BAD_NUMBER);
  body.shape_count = 1;
  NONE(skelobj_add_level_body(world, &body), SKELOBJ_STATUS_LEVEL);
  shape.kind = 9;
  NONE(skelobj_add_level_body(world, &body), SKELOBJ_STATUS_BAD_NUMBER);
  shape.kind = SKELOBJ_SHAPE_KIND_MESH;
  shape.points = points;
  shape.point_count = 3;
  shape.triangles = beyond;
  shape.triangle_count = 1;
  NONE(skelobj_add_level_body(world, &body), SKELOBJ_STATUS_LEVEL);
  shape.kind = SKELOBJ_SHAPE_KIND_POLYGONS;
  shape.corners = beyond;
  shape.polygon_count = 3;
  NONE(skelobj_add_level_body(world, &body), SKELOBJ_STATUS_BAD_NUMBER);
  shape.kind = SKELOBJ_SHAPE_KIND_MESH;
  shape.triangle_count = INT32_MIN;
  NONE(skelobj_add_level_body(world, &body), SKELOBJ_STATUS_BAD_NUMBER);
  body.matrix[0] = NAN;
  shape.kind = SKELOBJ_SHAPE_KIND_BOX;
  NONE(skelobj_add_level_body(world, &body), SKELOBJ_STATUS_BAD_NUMBER);
  NONE(skelobj_add_entity_box(world, nan3, far, zero), SKELOBJ_STATUS_LEVEL);
  IS(skelobj_level_body_set_target(world, no_body, bad), SKELOBJ_STATUS_BAD_NUMBER);
  skelobj_clear_error();
  refused = skelobj_default_water_def(77);
  IS(skelobj_last_status(), SKELOBJ_STATUS_BAD_NUMBER);
  NONE(skelobj_add_water(world, &refused), SKELOBJ_STATUS_BAD_DEF);
  refused = skelobj_default_water_def(-1);
  IS(skelobj_water_set_liquid(world, no_water, &refused), SKELOBJ_STATUS_BAD_DEF);
  water.density = NAN;
  NONE(skelobj_add_water(world, &water), SKELOBJ_STATUS_LEVEL);
  water.plane_count = -1;
  NONE(skelobj_add_water(world, &water), SKELOBJ_STATUS_BAD_NUMBER);
  NONE(skelobj_water_at(world, nan3), skelobj_last_status());
  FAILS(skelobj_is_solid(world, nan3), skelobj_last_status());
  FAILS(skelobj_level_is_solid(no_level, zero), skelobj_last_status());
  memset(&bone, 0, sizeof(bone));
  parts.bones = &bone;
  parts.bone_count = 1;
  bone.parent = 3;
  NONE(skelobj_model_create(&parts), SKELOBJ_STATUS_MISMATCH);
  bone.parent = 0;
  bone.bind[0] = NAN;
  NONE(skelobj_model_create(&parts), SKELOBJ_STATUS_BAD_NUMBER);
  memcpy(bone.bind, identity, sizeof(identity));
  memset(&mesh, 0, sizeof(mesh));
  mesh.positions = points;
  mesh.vertex_count = 3;
  mesh.triangles = beyond;
  mesh.triangle_count = 1;
  parts.meshes = &mesh;
  parts.mesh_count = 1;
  NONE(skelobj_model_create(&parts), SKELOBJ_STATUS_NOT_FOUND);
  parts.mesh_count = 0;
  memset(&animation, 0, sizeof(animation));
  animation.count = 5;
  parts.animations = &animation;
  parts.animation_count = 1;
  NONE(skelobj_model_create(&parts), SKELOBJ_STATUS_MISMATCH);
  parts.bone_count = -1;
  NONE(skelobj_model_create(&parts), SKELOBJ_STATUS_BAD_NUMBER);
  doll = skelobj_doll_parse("", 0, no_model);
  IS(skelobj_ragdoll_set(world, object, identity, doll), SKELOBJ_STATUS_RAGDOLL);
  drop.seconds = 1e9f;
  IS(skelobj_doll_drop(doll, model, &drop, &report), SKELOBJ_STATUS_BAD_NUMBER);
  drop.seconds = 0;
  IS(skelobj_doll_drop(doll, model, &drop, &report), SKELOBJ_STATUS_RAGDOLL);
  IS(skelobj_doll_free(doll), SKELOBJ_STATUS_OK);
  NONE(skelobj_player_model(no_player, 0), SKELOBJ_STATUS_BAD_ID);
}

static void texts(void) {
  const char *bad = "\xff\xfe\x80 name";
  const uint8_t junk[64] = {0x80, 1, 2, 3};
  char name[8], exact[5];
  size_t size;
  int32_t count = -1;
  SkelobjObject list[1];
  float matrices[24];
  uint8_t byte;
  SkelobjDoll doll;

  IS(skelobj_world_add_model(world, bad, model), SKELOBJ_STATUS_BAD_TEXT);
  NONE(skelobj_world_load_model(world, bad), SKELOBJ_STATUS_BAD_TEXT);
  NONE(skelobj_world_find_model(world, bad), SKELOBJ_STATUS_BAD_TEXT);
  NONE(skelobj_model_load(bad, junk, sizeof(junk), NULL), SKELOBJ_STATUS_BAD_TEXT);
  FAILS(skelobj_is_plain_path(bad), SKELOBJ_STATUS_BAD_TEXT);
  NONE(skelobj_player_load(bad, bad, NULL), SKELOBJ_STATUS_BAD_TEXT);
  IS(skelobj_find_bone(world, object, bad), 0);
  IS(skelobj_ragdoll_command(world, object, identity, bad, no_object, NULL), SKELOBJ_STATUS_RAGDOLL);
  doll = skelobj_doll_parse(bad, strlen(bad), no_model);
  IS(skelobj_doll_is_valid(doll), 1);
  IS(skelobj_doll_free(doll), SKELOBJ_STATUS_OK);
  IS(skelobj_doll_free(doll), SKELOBJ_STATUS_BAD_ID);
  NONE(skelobj_model_load("junk.iqm", junk, sizeof(junk), NULL), SKELOBJ_STATUS_BAD_FILE);
  NONE(skelobj_level_load(junk, sizeof(junk), NULL), SKELOBJ_STATUS_BAD_FILE);
  NONE(skelobj_snapshot_read(junk, sizeof(junk)), SKELOBJ_STATUS_BAD_SNAPSHOT);
  IS(skelobj_apply_bones(world, object, junk, sizeof(junk)), SKELOBJ_STATUS_BAD_MESSAGE);
  IS(skelobj_apply_bones(world, object, junk, 0), SKELOBJ_STATUS_BAD_MESSAGE);
  IS(skelobj_model_write(model, "exe", NULL, 0, &size), SKELOBJ_STATUS_NOT_FOUND);
  IS(skelobj_model_write(model, "md3", NULL, 0, &size), SKELOBJ_STATUS_BAD_FILE);

  // Short buffers: nothing is written but the size.
  memset(name, 'x', sizeof(name));
  IS(skelobj_bone_name(world, object, skelobj_find_bone(world, object, "head"), name, 4, &size),
     SKELOBJ_STATUS_BUFFER_TOO_SMALL);
  IS(size == 4 && name[0] == 'x', 1);
  IS(skelobj_bone_name(world, object, skelobj_find_bone(world, object, "head"), exact, 5, NULL), SKELOBJ_STATUS_OK);
  IS(skelobj_model_write(model, "iqm", &byte, 1, &size), SKELOBJ_STATUS_BUFFER_TOO_SMALL);
  IS(skelobj_palette(world, object, matrices, 2), SKELOBJ_STATUS_BUFFER_TOO_SMALL);
  IS(skelobj_palettes(world, &object, 1, 21, matrices, 2), SKELOBJ_STATUS_BUFFER_TOO_SMALL);
  IS(skelobj_palettes(world, &object, 1, INT32_MAX, matrices, 2), SKELOBJ_STATUS_BUFFER_TOO_SMALL);
  IS(skelobj_pose(world, object, 0, matrices, -1), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_world_objects(world, list, -1, &count), SKELOBJ_STATUS_BAD_NUMBER);
  IS(count, -1);
  IS(skelobj_formats(NULL, 0, &count), SKELOBJ_STATUS_OK);
  IS(skelobj_encode_bones(world, object, 9, &byte, 1, &size), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_encode_bones(world, object, 0, &byte, 1, &size), SKELOBJ_STATUS_BUFFER_TOO_SMALL);
  IS(skelobj_last_error(name, 0) > 0, 1);
  IS(skelobj_last_error(name, 1) > 0 && name[0] == 0, 1);
  // Success leaves the last failure alone; only clearing forgets it.
  IS(skelobj_object_is_valid(world, object), 1);
  IS(skelobj_last_status(), SKELOBJ_STATUS_BUFFER_TOO_SMALL);
  skelobj_clear_error();
  IS(skelobj_last_status(), SKELOBJ_STATUS_OK);
  IS(skelobj_last_error(name, sizeof(name)), 0);
  IS(name[0], 0);
  IS(skelobj_find_bone(world, object, "nobody"), 0);
  IS(skelobj_last_status(), SKELOBJ_STATUS_OK);
  IS(skelobj_find_bone(world, no_object, "nobody"), 0);
  IS(skelobj_last_status(), SKELOBJ_STATUS_BAD_ID);
  IS(strcmp(skelobj_status_name(-5), "unknown status"), 0);
  IS(skelobj_live_count(77), 0);
}

static void defs(void) {
  const SkelobjWater no_water = {0};
  SkelobjWorldDef world_def;
  SkelobjFrameDef frame;
  SkelobjTraceDef trace;
  SkelobjBuildDef build = skelobj_default_build_def();
  SkelobjHit hit;
  void *cookie = calloc(1, 4);
  float room[16] = {0};

  memset(&world_def, 0, sizeof(world_def));
  NONE(skelobj_world_create(&world_def), SKELOBJ_STATUS_BAD_DEF);
  IS(skelobj_world_set_settings(world, &world_def), SKELOBJ_STATUS_BAD_DEF);
  memset(&frame, 0xff, sizeof(frame));
  IS(skelobj_build(world, object, model, &frame, NULL), SKELOBJ_STATUS_BAD_DEF);
  memset(&trace, 0, sizeof(trace));
  IS(skelobj_trace(world, &trace, &hit), SKELOBJ_STATUS_BAD_DEF);
  // Only the cookie of a foreign struct is read: four bytes are enough.
  IS(skelobj_trace(world, (const SkelobjTraceDef *)cookie, &hit), SKELOBJ_STATUS_BAD_DEF);
  free(cookie);
  NONE(skelobj_add_level_body(world, (const SkelobjLevelBodyDef *)(const void *)&build), SKELOBJ_STATUS_BAD_DEF);
  frame = skelobj_default_frame_def();
  IS(skelobj_build(world, object, model, &frame, (const SkelobjBuildDef *)(const void *)&frame), SKELOBJ_STATUS_BAD_DEF);
  NONE(skelobj_model_load("a.iqm", NULL, 0, (const SkelobjLoadDef *)(const void *)&build), SKELOBJ_STATUS_BAD_DEF);
  IS(skelobj_water_set_liquid(world, no_water, (const SkelobjWaterDef *)(const void *)&build), SKELOBJ_STATUS_BAD_DEF);
  // A pointer into the middle of a float.
  IS(skelobj_bone_model(world, object, 1, (float *)(void *)((char *)room + 1)), SKELOBJ_STATUS_MISALIGNED);
}

static void deleted(void) {
  SkelobjModel list[8];
  int32_t count;
  SkelobjObject gone = skelobj_object_create(world, model, 0);
  SkelobjModelData data;
  SkelobjModel again;
  SkelobjObjectInfo info;
  SkelobjFrameDef frame = skelobj_default_frame_def();
  float matrix[12];
  int i;
  IS(skelobj_object_delete(world, gone), SKELOBJ_STATUS_OK);
  IS(skelobj_object_delete(world, gone), SKELOBJ_STATUS_OK);
  IS(skelobj_flush_deleted(world), SKELOBJ_STATUS_OK);
  IS(skelobj_object_delete(world, gone), SKELOBJ_STATUS_BAD_ID);
  IS(skelobj_bone_model(world, gone, 1, matrix), SKELOBJ_STATUS_BAD_ID);
  IS(skelobj_object_set_user_data(world, gone, 1), SKELOBJ_STATUS_BAD_ID);
  FAILS(skelobj_ragdoll_clear(world, gone), SKELOBJ_STATUS_BAD_ID);
  // Its slot is not used again soon.
  for (i = 0; i < 100; ++i) {
    SkelobjObject next = skelobj_object_create(world, model, 0);
    IS(next.id != gone.id, 1);
    any(skelobj_object_delete(world, next));
  }
  // A model that is freed while a world has it.
  IS(skelobj_model_free(model), SKELOBJ_STATUS_OK);
  IS(skelobj_model_free(model), SKELOBJ_STATUS_BAD_ID);
  IS(skelobj_model_data(model, &data), SKELOBJ_STATUS_BAD_ID);
  IS(skelobj_bone_model(world, object, 1, matrix), SKELOBJ_STATUS_OK);
  IS(skelobj_step(world, 0.02f, NULL), SKELOBJ_STATUS_OK);
  // The world still builds from the freed id, but hands it out no more.
  IS(skelobj_build(world, object, model, &frame, NULL), SKELOBJ_STATUS_OK);
  IS(skelobj_world_find_model(world, "mannequin.iqm").id, 0);
  IS(skelobj_world_models(world, list, 8, &count), SKELOBJ_STATUS_OK);
  IS(count, 0);
  IS(skelobj_object_info(world, object, &info), SKELOBJ_STATUS_OK);
  IS(info.model.id, 0);
  // Asked for by name it gets another id.
  again = skelobj_world_load_model(world, "mannequin.iqm");
  IS(again.id != 0 && again.id != model.id && skelobj_model_is_valid(again), 1);
  SAME(skelobj_world_find_model(world, "mannequin.iqm"), again);
  IS(skelobj_world_models(world, list, 8, &count), SKELOBJ_STATUS_OK);
  for (i = 0; i < count; ++i) IS(skelobj_model_is_valid(list[i]), 1);
  IS(skelobj_object_info(world, object, &info), SKELOBJ_STATUS_OK);
  SAME(info.model, again);
  NONE(skelobj_object_create(world, model, 0), SKELOBJ_STATUS_BAD_ID);
  IS(skelobj_model_free(again), SKELOBJ_STATUS_OK);
}

int main(int count, char **arguments) {
  SkelobjWorldDef def = skelobj_default_world_def();
  SkelobjFrameDef frame = skelobj_default_frame_def();
  SkelobjModel second;
  def.files.load = load_file;
  def.files.unload = unload_file;
  def.files.user = (void *)(count > 1 ? arguments[1] : "dolls");
  world = skelobj_world_create(&def);
  model = skelobj_world_load_model(world, "mannequin.iqm");
  object = skelobj_object_create(world, model, SKELOBJ_SPACE_LOCAL);
  IS(skelobj_build(world, object, model, &frame, NULL), SKELOBJ_STATUS_OK);
  IS(skelobj_ragdoll_update(world, object, identity, no_object), SKELOBJ_STATUS_OK);
  nulls();
  ids();
  id_texts();
  id_numbers();
  ragdolls();
  numbers();
  texts();
  defs();
  names();

  def.log = on_log;
  def.files.load = load_nested;
  IS(skelobj_world_set_settings(world, &def), SKELOBJ_STATUS_OK);
  second = skelobj_world_load_model(world, "mannequin_getup.iqm");
  IS(second.id != 0 && nested > 0, 1);
  IS(skelobj_object_delete(world, no_object), SKELOBJ_STATUS_BAD_ID);
  IS(inside, 0);
  // Files that disappear, a size without bytes.
  def.files.load = NULL;
  IS(skelobj_world_set_settings(world, &def), SKELOBJ_STATUS_OK);
  NONE(skelobj_world_load_model(world, "other.iqm"), SKELOBJ_STATUS_NOT_FOUND);
  IS(skelobj_model_free(second), SKELOBJ_STATUS_OK);
  deleted();
  IS(skelobj_world_free(world), SKELOBJ_STATUS_OK);
  IS(skelobj_world_free(world), SKELOBJ_STATUS_BAD_ID);
  for (count = SKELOBJ_KIND_WORLD; count <= SKELOBJ_KIND_RECEIVER; ++count) IS(skelobj_live_count(count), 0);
  printf("%d calls, %d failures\n", calls, failures);
  return failures != 0;
}
