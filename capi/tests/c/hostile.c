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
  FAILS(skelobj_create(world, model, 0), SKELOBJ_STATUS_BUSY);
  FAILS(skelobj_snapshot_take(world), SKELOBJ_STATUS_BUSY);
  IS(skelobj_delete(world, object), SKELOBJ_STATUS_BUSY);
  IS(skelobj_world_is_valid(world), 1);
  IS(skelobj_model_free(world), SKELOBJ_STATUS_BAD_ID);
  inside = 0;
}

static int nested;

static const uint8_t *load_nested(void *user, const char *name, size_t *size) {
  float matrix[12];
  SkelobjWorld other;
  ++nested;
  IS(skelobj_ragdoll_update(world, object, identity, 0), SKELOBJ_STATUS_BUSY);
  IS(skelobj_bone_model(world, object, 1, matrix), SKELOBJ_STATUS_BUSY);
  FAILS(skelobj_world_load_model(world, name), SKELOBJ_STATUS_BUSY);
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
    IS(skelobj_ragdoll_command(world, object, identity, command, 0, NULL), SKELOBJ_STATUS_RAGDOLL);
    IS(last_error_has("is not a plain path"), 1);
    FAILS(skelobj_world_load_model(world, outside[i]), SKELOBJ_STATUS_BAD_FILE);
    FAILS(skelobj_player_load(outside[i], "default", &load), SKELOBJ_STATUS_BAD_FILE);
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
  other = skelobj_create(world, copy, SKELOBJ_SPACE_LOCAL);
  IS(skelobj_build(world, other, copy, &frame, NULL), SKELOBJ_STATUS_OK);
  IS(skelobj_ragdoll_command(world, other, identity, "doll mannequin.doll", 0, NULL), SKELOBJ_STATUS_OK);
  IS(asked > 0, 1);
  IS(skelobj_delete(world, other), SKELOBJ_STATUS_OK);
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
  FAILS(skelobj_world_load_model(world, NULL), SKELOBJ_STATUS_NULL_POINTER);
  FAILS(skelobj_world_find_model(world, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_entity_matrix(world, NULL, NULL, 1, matrix), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_entity_matrix(world, identity, identity, 1, NULL), SKELOBJ_STATUS_NULL_POINTER);
  FAILS(skelobj_model_load(NULL, NULL, 0, NULL), SKELOBJ_STATUS_NULL_POINTER);
  FAILS(skelobj_model_load("a.iqm", NULL, 1000, NULL), SKELOBJ_STATUS_NULL_POINTER);
  FAILS(skelobj_model_load("a.iqm", NULL, 0, NULL), SKELOBJ_STATUS_BAD_FILE);
  FAILS(skelobj_model_create(NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_model_data(model, NULL), SKELOBJ_STATUS_NULL_POINTER);
  FAILS(skelobj_model_find_tag(model, NULL), SKELOBJ_STATUS_NULL_POINTER);
  FAILS(skelobj_model_find_animation(model, NULL), SKELOBJ_STATUS_NULL_POINTER);
  FAILS(skelobj_format_detect(NULL, 0, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_model_write(model, NULL, NULL, 0, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_model_write(model, "iqm", NULL, 1, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_model_skin(model, 0, NULL, 21, NULL, NULL, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_model_pose(model, NULL, 0, NULL, 21), SKELOBJ_STATUS_NULL_POINTER);
  FAILS(skelobj_model_next_event(model, 0, 0, 1, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_matrix_multiply(NULL, identity, matrix), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_matrix_axes(NULL, NULL, NULL, NULL, NULL), SKELOBJ_STATUS_NULL_POINTER);
  FAILS(skelobj_player_load(NULL, NULL, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_build(world, object, model, NULL, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_info(world, object, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_bone_name(world, object, 1, NULL, 8, NULL), SKELOBJ_STATUS_NULL_POINTER);
  FAILS(skelobj_find_bone(world, object, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_bone_local(world, object, 1, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_set_bone(world, object, 1, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_set_bone_world(world, object, NULL, 1, identity), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_set_pose(world, object, 0, NULL, 21), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_palette(world, object, NULL, 21), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_palettes(world, NULL, 1, 21, matrix, 21), SKELOBJ_STATUS_NULL_POINTER);
  FAILS(skelobj_doll_parse(NULL, 10, 0), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_doll_lint(NULL, 10, 0, NULL, 0, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_doll_format(NULL, 10, NULL, 0, NULL), SKELOBJ_STATUS_NULL_POINTER);
  FAILS(skelobj_doll_check(NULL, 10, model, NULL), SKELOBJ_STATUS_NULL_POINTER);
  FAILS(skelobj_doll_check("body a b", 8, 12345, NULL), SKELOBJ_STATUS_BAD_ID);
  IS(skelobj_doll_fit(12345, NULL, NULL, 0, NULL), SKELOBJ_STATUS_BAD_ID);
  IS(skelobj_doll_fit(model, NULL, NULL, 10, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_model_skin_vertices(model, 0, NULL, 21, NULL, NULL, NULL, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_ragdoll_command(world, object, identity, NULL, 0, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_ragdoll_command(world, object, NULL, "update", 0, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_ragdoll_update(world, object, NULL, 0), SKELOBJ_STATUS_NULL_POINTER);
  FAILS(skelobj_ragdoll_impulse(world, object, 0, NULL, NULL, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_match_pose(world, object, model, NULL, 3, 10, NULL), SKELOBJ_STATUS_NULL_POINTER);
  FAILS(skelobj_add_level_body(world, NULL), SKELOBJ_STATUS_NULL_POINTER);
  FAILS(skelobj_add_entity_box(world, NULL, NULL, NULL), SKELOBJ_STATUS_NULL_POINTER);
  FAILS(skelobj_add_water(world, NULL), SKELOBJ_STATUS_NULL_POINTER);
  FAILS(skelobj_level_load(NULL, 100, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_trace(world, NULL, NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_tag(world, NULL, 1, matrix), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_tag(world, NULL, 0, NULL), SKELOBJ_STATUS_NULL_POINTER);
  FAILS(skelobj_snapshot_read(NULL, 64), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_apply_bones(world, object, NULL, 64), SKELOBJ_STATUS_NULL_POINTER);
  FAILS(skelobj_is_plain_path(NULL), SKELOBJ_STATUS_NULL_POINTER);
  IS(skelobj_last_error(NULL, 0) > 0, 1);
  IS(skelobj_last_error(NULL, 100) > 0, 1);
}

static void ids(void) {
  const int32_t wrong[] = {0, -1, 1 << 24, INT32_MAX, INT32_MIN, 999, object, model};
  SkelobjModelData data;
  float matrix[12];
  SkelobjFrameDef frame = skelobj_default_frame_def();
  SkelobjEntity entity;
  SkelobjWorld freed = skelobj_world_create(NULL);
  SkelobjSnapshot snapshot = skelobj_snapshot_take(freed);
  size_t i, size;

  IS(skelobj_world_free(freed), SKELOBJ_STATUS_OK);
  IS(skelobj_world_free(freed), SKELOBJ_STATUS_BAD_ID);
  IS(skelobj_step(freed, 0.1f, NULL), SKELOBJ_STATUS_BAD_ID);
  IS(skelobj_world_is_valid(freed), 0);
  IS(skelobj_snapshot_free(snapshot), SKELOBJ_STATUS_OK);
  IS(skelobj_snapshot_free(snapshot), SKELOBJ_STATUS_BAD_ID);
  IS(skelobj_snapshot_restore(world, snapshot), SKELOBJ_STATUS_BAD_ID);
  for (i = 0; i < sizeof(wrong) / sizeof(*wrong); ++i) {
    int32_t id = wrong[i];
    if (id != world) {
      IS(skelobj_step(id, 0.1f, NULL), SKELOBJ_STATUS_BAD_ID);
      IS(skelobj_world_free(id), SKELOBJ_STATUS_BAD_ID);
      FAILS(skelobj_create(id, model, 0), SKELOBJ_STATUS_BAD_ID);
      IS(skelobj_build(id, object, model, &frame, NULL), SKELOBJ_STATUS_BAD_ID);
    }
    if (id != model) {
      IS(skelobj_model_free(id), SKELOBJ_STATUS_BAD_ID);
      IS(skelobj_model_data(id, &data), SKELOBJ_STATUS_BAD_ID);
      FAILS(skelobj_create(world, id, 0), SKELOBJ_STATUS_BAD_ID);
      IS(skelobj_build(world, object, id, &frame, NULL), SKELOBJ_STATUS_BAD_ID);
      IS(skelobj_world_remove_model(world, id), SKELOBJ_STATUS_BAD_ID);
    }
    if (id != object) {
      IS(skelobj_delete(world, id), SKELOBJ_STATUS_BAD_ID);
      IS(skelobj_build(world, id, model, &frame, NULL), SKELOBJ_STATUS_BAD_ID);
      IS(skelobj_bone_model(world, id, 1, matrix), SKELOBJ_STATUS_BAD_ID);
      IS(skelobj_palette(world, id, matrix, 1), SKELOBJ_STATUS_BAD_ID);
      IS(skelobj_palettes(world, &id, 1, 1, matrix, 1), SKELOBJ_STATUS_BAD_ID);
      IS(skelobj_ragdoll_update(world, id, identity, 0), SKELOBJ_STATUS_BAD_ID);
      IS(skelobj_copy_bones(world, id, object, 1, 0), SKELOBJ_STATUS_BAD_ID);
      IS(skelobj_is_valid(world, id), 0);
    }
    IS(skelobj_doll_free(id), SKELOBJ_STATUS_BAD_ID);
    IS(skelobj_level_free(id), SKELOBJ_STATUS_BAD_ID);
    IS(skelobj_receiver_free(id), SKELOBJ_STATUS_BAD_ID);
    IS(skelobj_player_free(id), SKELOBJ_STATUS_BAD_ID);
    IS(skelobj_snapshot_write(id, NULL, 0, &size), SKELOBJ_STATUS_BAD_ID);
    IS(skelobj_level_body_remove(world, id == object ? 0 : id), SKELOBJ_STATUS_BAD_ID);
    IS(skelobj_water_remove(world, id), SKELOBJ_STATUS_BAD_ID);
    (void)skelobj_kind(id);
  }
  IS(skelobj_delete(world, 999), SKELOBJ_STATUS_BAD_ID);
  IS(last_error_has("999 is not the id of an object"), 1);
  IS(skelobj_level_body_remove(world, 999), SKELOBJ_STATUS_BAD_ID);
  IS(last_error_has("999 is not the id of a level body"), 1);
  IS(skelobj_water_remove(world, 999), SKELOBJ_STATUS_BAD_ID);
  IS(last_error_has("999 is not the id of a body of water"), 1);
  memset(&entity, 0, sizeof(entity));
  entity.model = 12345;
  IS(skelobj_tag(world, &entity, 1, matrix), SKELOBJ_STATUS_BAD_ID);
  entity.model = 0;
  entity.object = 12345;
  IS(skelobj_tag(world, &entity, 1, matrix), SKELOBJ_STATUS_BAD_ID);
}

// An object whose ragdoll the first update has not made yet.
static void ragdolls(void) {
  static const float up[3] = {0, 0, 1};
  const int32_t animation = 0;
  SkelobjPoseMatch match;
  SkelobjObject fresh = skelobj_create(world, model, SKELOBJ_SPACE_LOCAL);
  FAILS(skelobj_ragdoll_impulse(world, fresh, 0, up, up, NULL), SKELOBJ_STATUS_RAGDOLL);
  IS(last_error_has("has no ragdoll: skelobj_ragdoll_update makes it"), 1);
  IS(skelobj_ragdoll_add_velocity(world, fresh, up, up, up), SKELOBJ_STATUS_RAGDOLL);
  IS(last_error_has("has no ragdoll: skelobj_ragdoll_update makes it"), 1);
  IS(skelobj_ragdoll_set_groups(world, fresh, SKELOBJ_GROUP_ALL), SKELOBJ_STATUS_RAGDOLL);
  IS(last_error_has("has no ragdoll: skelobj_ragdoll_update makes it"), 1);
  IS(skelobj_match_pose(world, fresh, model, &animation, 1, 10, &match), SKELOBJ_STATUS_RAGDOLL);
  IS(last_error_has("has no ragdoll: skelobj_ragdoll_update makes it"), 1);
  FAILS(skelobj_ragdoll_bone_body(world, fresh, 1), SKELOBJ_STATUS_RAGDOLL);
  IS(skelobj_delete(world, fresh), SKELOBJ_STATUS_OK);
  IS(skelobj_flush_deleted(world), SKELOBJ_STATUS_OK);
}

static void numbers(void) {
  SkelobjCheckDef check = skelobj_default_check_def();
  const float nan3[3] = {NAN, NAN, NAN}, far[3] = {1e30f, INFINITY, 0}, zero[3] = {0, 0, 0};
  float matrix[12], bad[12];
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
  FAILS(skelobj_doll_check("body a b", 8, model, &check), SKELOBJ_STATUS_BAD_NUMBER);
  check = skelobj_default_check_def();
  check.drops = 2000000000;
  FAILS(skelobj_doll_check("body a b", 8, model, &check), SKELOBJ_STATUS_BAD_NUMBER);
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
  FAILS(skelobj_create(world, model, 7), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_bone_model(world, object, 0, matrix), SKELOBJ_STATUS_NOT_FOUND);
  IS(skelobj_bone_model(world, object, 22, matrix), SKELOBJ_STATUS_NOT_FOUND);
  IS(skelobj_bone_model(world, object, -2, matrix), SKELOBJ_STATUS_NOT_FOUND);
  IS(skelobj_set_bone(world, object, INT32_MAX, identity), SKELOBJ_STATUS_NOT_FOUND);
  (void)skelobj_set_bone(world, object, 1, bad);
  (void)skelobj_mul_bone(world, object, 2, bad);
  IS(skelobj_mul_bones(world, object, 1, 0, bad), SKELOBJ_STATUS_BAD_NUMBER);
  (void)skelobj_set_bone_model(world, object, 1, bad);
  (void)skelobj_set_bone_world(world, object, bad, 1, bad);
  IS(skelobj_build(world, object, model, &frame, NULL), SKELOBJ_STATUS_OK);
  IS(skelobj_set_pose(world, object, 0, bad, 1), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_set_pose(world, object, 5, identity, 1), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_set_pose(world, object, 0, identity, -1), SKELOBJ_STATUS_BAD_NUMBER);
  // One matrix more than bones, of which none is read.
  IS(skelobj_set_pose(world, object, 0, NULL, 22), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_set_pose(world, object, 1, NULL, 22), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_step(world, NAN, NULL), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_step(world, -1, NULL), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_step(world, INFINITY, NULL), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_entity_matrix(world, nan3, zero, 1, matrix), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_entity_matrix(world, zero, zero, NAN, matrix), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_ragdoll_update(world, object, bad, 0), SKELOBJ_STATUS_RAGDOLL);
  IS(skelobj_ragdoll_update(world, object, identity, object), SKELOBJ_STATUS_RAGDOLL);
  IS(skelobj_ragdoll_update(world, object, identity, 4444), SKELOBJ_STATUS_BAD_ID);
  IS(skelobj_ragdoll_command(world, object, identity, "dance", 0, NULL), SKELOBJ_STATUS_RAGDOLL);
  IS(skelobj_ragdoll_command(world, object, identity, "animate nan", 0, NULL) != SKELOBJ_STATUS_PANIC, 1);
  IS(skelobj_ragdoll_command(world, object, identity, "animatebody nobody 1", 0, NULL), SKELOBJ_STATUS_NOT_FOUND);
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
  trace.object = -3;
  IS(skelobj_trace(world, &trace, &hit), SKELOBJ_STATUS_BAD_ID);
  def.step = 0;
  FAILS(skelobj_world_create(&def), SKELOBJ_STATUS_BAD_NUMBER);
  def.step = NAN;
  IS(skelobj_world_set_settings(world, &def), SKELOBJ_STATUS_BAD_NUMBER);
  def = skelobj_default_world_def();
  def.iterations = -1;
  FAILS(skelobj_world_create(&def), SKELOBJ_STATUS_BAD_NUMBER);
  FAILS(skelobj_add_floor(world, NAN), SKELOBJ_STATUS_LEVEL);
  FAILS(skelobj_add_level_body(world, &body), SKELOBJ_STATUS_LEVEL);
  body.shapes = &shape;
  body.shape_count = -4;
  FAILS(skelobj_add_level_body(world, &body), SKELOBJ_STATUS_BAD_NUMBER);
  body.shape_count = 1;
  FAILS(skelobj_add_level_body(world, &body), SKELOBJ_STATUS_LEVEL);
  shape.kind = 9;
  FAILS(skelobj_add_level_body(world, &body), SKELOBJ_STATUS_BAD_NUMBER);
  shape.kind = SKELOBJ_SHAPE_KIND_MESH;
  shape.points = points;
  shape.point_count = 3;
  shape.triangles = beyond;
  shape.triangle_count = 1;
  FAILS(skelobj_add_level_body(world, &body), SKELOBJ_STATUS_LEVEL);
  shape.kind = SKELOBJ_SHAPE_KIND_POLYGONS;
  shape.corners = beyond;
  shape.polygon_count = 3;
  FAILS(skelobj_add_level_body(world, &body), SKELOBJ_STATUS_BAD_NUMBER);
  shape.kind = SKELOBJ_SHAPE_KIND_MESH;
  shape.triangle_count = INT32_MIN;
  FAILS(skelobj_add_level_body(world, &body), SKELOBJ_STATUS_BAD_NUMBER);
  body.matrix[0] = NAN;
  shape.kind = SKELOBJ_SHAPE_KIND_BOX;
  FAILS(skelobj_add_level_body(world, &body), SKELOBJ_STATUS_BAD_NUMBER);
  FAILS(skelobj_add_entity_box(world, nan3, far, zero), SKELOBJ_STATUS_LEVEL);
  IS(skelobj_level_body_set_target(world, 1, bad), SKELOBJ_STATUS_BAD_NUMBER);
  skelobj_clear_error();
  refused = skelobj_default_water_def(77);
  IS(skelobj_last_status(), SKELOBJ_STATUS_BAD_NUMBER);
  FAILS(skelobj_add_water(world, &refused), SKELOBJ_STATUS_BAD_DEF);
  refused = skelobj_default_water_def(-1);
  IS(skelobj_water_set_liquid(world, 1, &refused), SKELOBJ_STATUS_BAD_DEF);
  water.density = NAN;
  FAILS(skelobj_add_water(world, &water), SKELOBJ_STATUS_LEVEL);
  water.plane_count = -1;
  FAILS(skelobj_add_water(world, &water), SKELOBJ_STATUS_BAD_NUMBER);
  FAILS(skelobj_water_at(world, nan3), skelobj_last_status());
  FAILS(skelobj_is_solid(world, nan3), skelobj_last_status());
  FAILS(skelobj_level_is_solid(0, zero), skelobj_last_status());
  memset(&bone, 0, sizeof(bone));
  parts.bones = &bone;
  parts.bone_count = 1;
  bone.parent = 3;
  FAILS(skelobj_model_create(&parts), SKELOBJ_STATUS_MISMATCH);
  bone.parent = 0;
  bone.bind[0] = NAN;
  FAILS(skelobj_model_create(&parts), SKELOBJ_STATUS_BAD_NUMBER);
  memcpy(bone.bind, identity, sizeof(identity));
  memset(&mesh, 0, sizeof(mesh));
  mesh.positions = points;
  mesh.vertex_count = 3;
  mesh.triangles = beyond;
  mesh.triangle_count = 1;
  parts.meshes = &mesh;
  parts.mesh_count = 1;
  FAILS(skelobj_model_create(&parts), SKELOBJ_STATUS_NOT_FOUND);
  parts.mesh_count = 0;
  memset(&animation, 0, sizeof(animation));
  animation.count = 5;
  parts.animations = &animation;
  parts.animation_count = 1;
  FAILS(skelobj_model_create(&parts), SKELOBJ_STATUS_MISMATCH);
  parts.bone_count = -1;
  FAILS(skelobj_model_create(&parts), SKELOBJ_STATUS_BAD_NUMBER);
  doll = skelobj_doll_parse("", 0, 0);
  IS(skelobj_ragdoll_set(world, object, identity, doll), SKELOBJ_STATUS_RAGDOLL);
  drop.seconds = 1e9f;
  IS(skelobj_doll_drop(doll, model, &drop, &report), SKELOBJ_STATUS_BAD_NUMBER);
  drop.seconds = 0;
  IS(skelobj_doll_drop(doll, model, &drop, &report), SKELOBJ_STATUS_RAGDOLL);
  IS(skelobj_doll_free(doll), SKELOBJ_STATUS_OK);
  FAILS(skelobj_player_model(model, 0), SKELOBJ_STATUS_BAD_ID);
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
  FAILS(skelobj_world_load_model(world, bad), SKELOBJ_STATUS_BAD_TEXT);
  FAILS(skelobj_world_find_model(world, bad), SKELOBJ_STATUS_BAD_TEXT);
  FAILS(skelobj_model_load(bad, junk, sizeof(junk), NULL), SKELOBJ_STATUS_BAD_TEXT);
  FAILS(skelobj_is_plain_path(bad), SKELOBJ_STATUS_BAD_TEXT);
  FAILS(skelobj_player_load(bad, bad, NULL), SKELOBJ_STATUS_BAD_TEXT);
  IS(skelobj_find_bone(world, object, bad), 0);
  IS(skelobj_ragdoll_command(world, object, identity, bad, 0, NULL), SKELOBJ_STATUS_RAGDOLL);
  doll = skelobj_doll_parse(bad, strlen(bad), 0);
  IS(skelobj_doll_is_valid(doll), 1);
  IS(skelobj_doll_free(doll), SKELOBJ_STATUS_OK);
  IS(skelobj_doll_free(doll), SKELOBJ_STATUS_BAD_ID);
  FAILS(skelobj_model_load("junk.iqm", junk, sizeof(junk), NULL), SKELOBJ_STATUS_BAD_FILE);
  FAILS(skelobj_level_load(junk, sizeof(junk), NULL), SKELOBJ_STATUS_BAD_FILE);
  FAILS(skelobj_snapshot_read(junk, sizeof(junk)), SKELOBJ_STATUS_BAD_SNAPSHOT);
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
  IS(skelobj_objects(world, list, -1, &count), SKELOBJ_STATUS_BAD_NUMBER);
  IS(count, -1);
  IS(skelobj_formats(NULL, 0, &count), SKELOBJ_STATUS_OK);
  IS(skelobj_encode_bones(world, object, 9, &byte, 1, &size), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_encode_bones(world, object, 0, &byte, 1, &size), SKELOBJ_STATUS_BUFFER_TOO_SMALL);
  IS(skelobj_last_error(name, 0) > 0, 1);
  IS(skelobj_last_error(name, 1) > 0 && name[0] == 0, 1);
  // Success leaves the last failure alone; only clearing forgets it.
  IS(skelobj_is_valid(world, object), 1);
  IS(skelobj_last_status(), SKELOBJ_STATUS_BUFFER_TOO_SMALL);
  skelobj_clear_error();
  IS(skelobj_last_status(), SKELOBJ_STATUS_OK);
  IS(skelobj_last_error(name, sizeof(name)), 0);
  IS(name[0], 0);
  IS(skelobj_find_bone(world, object, "nobody"), 0);
  IS(skelobj_last_status(), SKELOBJ_STATUS_OK);
  IS(skelobj_find_bone(world, 0, "nobody"), 0);
  IS(skelobj_last_status(), SKELOBJ_STATUS_BAD_ID);
  IS(strcmp(skelobj_status_name(-5), "unknown status"), 0);
  IS(skelobj_live_count(77), 0);
}

static void defs(void) {
  SkelobjWorldDef world_def;
  SkelobjFrameDef frame;
  SkelobjTraceDef trace;
  SkelobjBuildDef build = skelobj_default_build_def();
  SkelobjHit hit;
  uint32_t cookie = 0;
  float room[16] = {0};

  memset(&world_def, 0, sizeof(world_def));
  FAILS(skelobj_world_create(&world_def), SKELOBJ_STATUS_BAD_DEF);
  IS(skelobj_world_set_settings(world, &world_def), SKELOBJ_STATUS_BAD_DEF);
  memset(&frame, 0xff, sizeof(frame));
  IS(skelobj_build(world, object, model, &frame, NULL), SKELOBJ_STATUS_BAD_DEF);
  memset(&trace, 0, sizeof(trace));
  IS(skelobj_trace(world, &trace, &hit), SKELOBJ_STATUS_BAD_DEF);
  // Only the cookie of a foreign struct is read: four bytes are enough.
  IS(skelobj_trace(world, (const SkelobjTraceDef *)(const void *)&cookie, &hit), SKELOBJ_STATUS_BAD_DEF);
  FAILS(skelobj_add_level_body(world, (const SkelobjLevelBodyDef *)(const void *)&build), SKELOBJ_STATUS_BAD_DEF);
  frame = skelobj_default_frame_def();
  IS(skelobj_build(world, object, model, &frame, (const SkelobjBuildDef *)(const void *)&frame), SKELOBJ_STATUS_BAD_DEF);
  FAILS(skelobj_model_load("a.iqm", NULL, 0, (const SkelobjLoadDef *)(const void *)&build), SKELOBJ_STATUS_BAD_DEF);
  IS(skelobj_water_set_liquid(world, 1, (const SkelobjWaterDef *)(const void *)&build), SKELOBJ_STATUS_BAD_DEF);
  // A pointer into the middle of a float.
  IS(skelobj_bone_model(world, object, 1, (float *)(void *)((char *)room + 1)), SKELOBJ_STATUS_MISALIGNED);
}

static void deleted(void) {
  SkelobjObject gone = skelobj_create(world, model, 0);
  SkelobjModelData data;
  SkelobjModel again;
  SkelobjObjectInfo info;
  SkelobjFrameDef frame = skelobj_default_frame_def();
  float matrix[12];
  int i;
  IS(skelobj_delete(world, gone), SKELOBJ_STATUS_OK);
  IS(skelobj_delete(world, gone), SKELOBJ_STATUS_OK);
  IS(skelobj_flush_deleted(world), SKELOBJ_STATUS_OK);
  IS(skelobj_delete(world, gone), SKELOBJ_STATUS_BAD_ID);
  IS(skelobj_bone_model(world, gone, 1, matrix), SKELOBJ_STATUS_BAD_ID);
  IS(skelobj_set_user_data(world, gone, 1), SKELOBJ_STATUS_BAD_ID);
  FAILS(skelobj_ragdoll_clear(world, gone), SKELOBJ_STATUS_BAD_ID);
  // Its slot is not used again soon.
  for (i = 0; i < 100; ++i) {
    SkelobjObject next = skelobj_create(world, model, 0);
    IS(next != gone, 1);
    (void)skelobj_delete(world, next);
  }
  // A model that is freed while a world has it.
  IS(skelobj_model_free(model), SKELOBJ_STATUS_OK);
  IS(skelobj_model_free(model), SKELOBJ_STATUS_BAD_ID);
  IS(skelobj_model_data(model, &data), SKELOBJ_STATUS_BAD_ID);
  IS(skelobj_bone_model(world, object, 1, matrix), SKELOBJ_STATUS_OK);
  IS(skelobj_step(world, 0.02f, NULL), SKELOBJ_STATUS_OK);
  // The world still builds from the freed id, but hands it out no more.
  IS(skelobj_build(world, object, model, &frame, NULL), SKELOBJ_STATUS_OK);
  IS(skelobj_world_find_model(world, "mannequin.iqm"), 0);
  IS(skelobj_info(world, object, &info), SKELOBJ_STATUS_OK);
  IS(info.model, 0);
  // Asked for by name it gets another id.
  again = skelobj_world_load_model(world, "mannequin.iqm");
  IS(again > 0 && again != model && skelobj_model_is_valid(again), 1);
  IS(skelobj_world_find_model(world, "mannequin.iqm"), again);
  IS(skelobj_info(world, object, &info), SKELOBJ_STATUS_OK);
  IS(info.model, again);
  FAILS(skelobj_create(world, model, 0), SKELOBJ_STATUS_BAD_ID);
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
  // Ids of objects and of the table differ, so that one can be taken for the other.
  for (object = 0; object <= 8;) {
    (void)skelobj_delete(world, object);
    object = skelobj_create(world, model, SKELOBJ_SPACE_LOCAL);
    IS(skelobj_flush_deleted(world), SKELOBJ_STATUS_OK);
  }
  IS(skelobj_build(world, object, model, &frame, NULL), SKELOBJ_STATUS_OK);
  IS(skelobj_ragdoll_update(world, object, identity, 0), SKELOBJ_STATUS_OK);
  nulls();
  ids();
  ragdolls();
  numbers();
  texts();
  defs();
  names();

  def.log = on_log;
  def.files.load = load_nested;
  IS(skelobj_world_set_settings(world, &def), SKELOBJ_STATUS_OK);
  second = skelobj_world_load_model(world, "mannequin_getup.iqm");
  IS(second > 0 && nested > 0, 1);
  IS(skelobj_delete(world, -1), SKELOBJ_STATUS_BAD_ID);
  IS(inside, 0);
  // Files that disappear, a size without bytes.
  def.files.load = NULL;
  IS(skelobj_world_set_settings(world, &def), SKELOBJ_STATUS_OK);
  FAILS(skelobj_world_load_model(world, "other.iqm"), SKELOBJ_STATUS_BAD_FILE);
  IS(skelobj_model_free(second), SKELOBJ_STATUS_OK);
  deleted();
  IS(skelobj_world_free(world), SKELOBJ_STATUS_OK);
  IS(skelobj_world_free(world), SKELOBJ_STATUS_BAD_ID);
  for (count = SKELOBJ_KIND_WORLD; count <= SKELOBJ_KIND_RECEIVER; ++count) IS(skelobj_live_count(count), 0);
  printf("%d calls, %d failures\n", calls, failures);
  return failures != 0;
}
