// One of everything, as a host uses it. Argument: the folder of the mannequin.
#include "check.h"

static int warnings;

static void on_log(void *user, int32_t level, const char *text) {
  (void)user;
  (void)text;
  warnings += level == SKELOBJ_LOG_LEVEL_WARNING;
}

static SkelobjWorld make_world(const char *folder) {
  SkelobjWorldDef def = skelobj_default_world_def();
  def.files.load = load_file;
  def.files.unload = unload_file;
  def.files.user = (void *)folder;
  def.log = on_log;
  return skelobj_world_create(&def);
}

static void models(SkelobjModel model) {
  SkelobjModelData data;
  uint8_t *bytes;
  size_t size, held;
  char text[64];
  SkelobjFormat formats[32], format;
  SkelobjFile given[3];
  SkelobjFileUse uses[3];
  SkelobjPassedEvent event;
  SkelobjPosesAt poses;
  SkelobjBoneMatch found;
  SkelobjModel copy, joined;
  int32_t count;
  float matrix[12], palette[32 * 12], height, *vertices;
  const SkelobjMesh *mesh;
  SkelobjSkinDef skin = skelobj_default_skin_def();
  int i;

  IS(skelobj_model_data(model, &data), SKELOBJ_STATUS_OK);
  IS(data.bone_count, 21);
  count = data.animation_count;
  IS(data.bones[0].parent, 0);
  IS(data.bones[1].parent > 0, 1);
  IS(strcmp(data.bones[skelobj_model_find_tag(model, "head") - 1].name, "head"), 0);
  IS(strcmp(data.animations[skelobj_model_find_animation(model, "walk")].name, "walk"), 0);
  IS(data.animations[1].duration > 0, 1);
  IS(data.frame_count > 0 && data.frames != NULL && data.mesh_count > 0, 1);
  IS(data.tag_count, data.bone_count);
  IS(skelobj_model_find_skin(model, "none"), -1);
  IS(skelobj_model_animation_for_action(model, 7, 0.5f), -1);
  IS(skelobj_model_next_event(model, 0, 0, 100, &event), 0);
  IS(skelobj_model_poses_at(model, 1, 0.1, &poses), SKELOBJ_STATUS_OK);
  IS(poses.before >= 0 && poses.share >= 0, 1);
  IS(skelobj_model_tag(model, 1, NULL, matrix), SKELOBJ_STATUS_OK);
  IS(skelobj_model_pose(model, NULL, 1, palette, 32), SKELOBJ_STATUS_OK);
  IS(memcmp(matrix, palette, sizeof(matrix)), 0);

  mesh = &data.meshes[0];
  vertices = (float *)malloc(sizeof(float) * 6 * (size_t)mesh->vertex_count);
  for (i = 0; i < data.bone_count; ++i) memcpy(palette + 12 * i, identity, sizeof(identity));
  IS(skelobj_model_skin(model, 0, palette, data.bone_count, NULL, vertices, vertices + 3 * mesh->vertex_count),
     SKELOBJ_STATUS_OK);
  IS(fabsf(vertices[0] - mesh->positions[0]) < 1e-3f, 1);
  skin.normals = SKELOBJ_NORMAL_LENGTH_UNSCALED;
  skin.fused = 1;
  vertices[0] = 1e9f;
  IS(skelobj_model_skin_vertices(model, 0, palette, data.bone_count, &skin, vertices, NULL, NULL), SKELOBJ_STATUS_OK);
  IS(fabsf(vertices[0] - mesh->positions[0]) < 1e-3f, 1);
  skin.normals = 3;
  IS(skelobj_model_skin_vertices(model, 0, palette, data.bone_count, &skin, vertices, NULL, NULL),
     SKELOBJ_STATUS_BAD_NUMBER);
  free(vertices);

  IS(skelobj_model_write(model, "iqm", NULL, 0, &size), SKELOBJ_STATUS_OK);
  bytes = (uint8_t *)malloc(size);
  IS(skelobj_model_write(model, "iqm", bytes, size, NULL), SKELOBJ_STATUS_OK);
  IS(skelobj_format_detect(bytes, size, &format), 1);
  IS(strcmp(format.extension, "iqm"), 0);
  given[0].name = "man/man.iqm";
  given[0].bytes = bytes;
  given[0].size = size;
  given[1].name = "old.doll";
  given[1].bytes = NULL;
  given[1].size = 0;
  given[2].name = "man/head.md3";
  given[2].bytes = bytes;
  given[2].size = size;
  IS(skelobj_sort_files(given, 3, NULL, NULL, 0, &i), SKELOBJ_STATUS_OK);
  IS(i, 3);
  IS(skelobj_sort_files(given, 3, NULL, uses, 3, NULL), SKELOBJ_STATUS_OK);
  IS(uses[0].kind, SKELOBJ_FILE_KIND_MODEL);
  IS(uses[1].kind, SKELOBJ_FILE_KIND_UNUSED);
  IS(strcmp(uses[1].reason, "it is empty"), 0);
  IS(uses[2].kind == SKELOBJ_FILE_KIND_PART && uses[2].part == SKELOBJ_PART_HEAD, 1);
  IS(skelobj_sort_files(given, 3, NULL, uses, 2, NULL), SKELOBJ_STATUS_BUFFER_TOO_SMALL);
  IS(skelobj_sort_files(given, -1, NULL, uses, 3, NULL), SKELOBJ_STATUS_BAD_NUMBER);
  held = skelobj_memory_in_use();
  copy = skelobj_model_load("copy.iqm", bytes, size, NULL);
  free(bytes);
  IS(skelobj_model_is_valid(copy), 1);
  IS(skelobj_memory_in_use() > held + sizeof(float) * 12 * (size_t)data.frame_count, 1);
  joined = skelobj_model_add_animations(model, copy, &found);
  IS(joined.id != 0 && found.matched == 21 && found.missing == 0, 1);
  IS(skelobj_model_data(joined, &data), SKELOBJ_STATUS_OK);
  IS(data.animation_count > count, 1);
  IS(skelobj_model_free(joined), SKELOBJ_STATUS_OK);
  joined = skelobj_model_with_framegroups(copy, "copy.iqm", (const uint8_t *)"0 2 10 1 first\n", 15);
  IS(skelobj_model_find_animation(joined, "first"), 0);
  IS(skelobj_model_free(joined), SKELOBJ_STATUS_OK);
  joined = skelobj_model_bake(copy);
  IS(skelobj_model_free(joined), SKELOBJ_STATUS_OK);
  joined = skelobj_model_scale(copy, 2.0f);
  IS(skelobj_model_data(copy, &data), SKELOBJ_STATUS_OK);
  height = data.bones[1].bind[11];
  IS(skelobj_model_data(joined, &data), SKELOBJ_STATUS_OK);
  IS(data.bones[1].bind[11] == 2.0f * height, 1);
  IS(skelobj_model_free(joined), SKELOBJ_STATUS_OK);
  IS(skelobj_model_scale(copy, 0.0f).id, 0);
  joined = skelobj_model_in_proportions_of(copy, copy);
  IS(skelobj_model_data(joined, &data), SKELOBJ_STATUS_OK);
  IS(data.bone_count == 21 && data.mesh_count == 0 && data.animation_count > 3, 1);
  IS(skelobj_model_free(joined), SKELOBJ_STATUS_OK);
  joined = skelobj_model_resample(copy, 60.0f);
  IS(skelobj_model_data(joined, &data), SKELOBJ_STATUS_OK);
  IS(data.animations[1].poses == 56 && data.animations[1].rate == 60.0f, 1);
  IS(skelobj_model_resample(copy, 0.0f).id, 0);
  IS(skelobj_last_status(), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_model_free(joined), SKELOBJ_STATUS_OK);
  IS(skelobj_model_losses(copy, "iqm", text, sizeof(text), NULL), SKELOBJ_STATUS_OK);
  IS(skelobj_model_free(copy), SKELOBJ_STATUS_OK);
  // What a model takes comes back with it.
  IS(skelobj_memory_in_use() < held + 4096, 1);
  IS(skelobj_formats(formats, 32, &count), SKELOBJ_STATUS_OK);
  IS(count >= 13, 1);
}

static float step_on_the_left(void *user, const float from[3], const float to[3], float normal[3]) {
  float height = from[1] > 0 ? 8.0f : 0.0f;
  normal[0] = normal[1] = 0, normal[2] = 1;
  ++*(int *)user;
  return (from[2] - height) / (from[2] - to[2]);
}

static void objects(SkelobjWorld world, SkelobjModel model, SkelobjObject object) {
  const float target[3] = {60, 40, 80}, stair[3] = {6, 4, 12}, button[3] = {20, 6, 30};
  const char leg[] =
    "body a thigh_l\nbody b shin_l\njoint k a b\n\ttype hinge\n\taxis 0 -1 0\n\tlostop -0.1\n\thistop 2.5\n";
  SkelobjDoll knee;
  const float quarter[12] = {0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0};
  SkelobjAimDef aim = skelobj_default_aim_def();
  SkelobjReachDef reach = skelobj_default_reach_def();
  int32_t copied;
  float missed;
  SkelobjFrameDef frame = skelobj_frame_single(skelobj_model_find_animation(model, "walk"), 0.25);
  SkelobjBuildDef build = skelobj_default_build_def();
  SkelobjObjectInfo info;
  SkelobjObject other, list[2];
  float local[12], before[12], after[12], pose[21 * 12], palettes[2 * 21 * 12], fields[17] = {0};
  char name[32];
  size_t length;
  uint64_t revision;
  int32_t count, head;

  IS(skelobj_bone_count(world, object), 21);
  head = skelobj_find_bone(world, object, "head");
  IS(head > 0, 1);
  IS(skelobj_bone_parent(world, object, 1), 0);
  IS(skelobj_bone_name(world, object, head, name, sizeof(name), &length), SKELOBJ_STATUS_OK);
  IS(length == 4 && strcmp(name, "head") == 0, 1);
  IS(skelobj_build(world, object, model, &frame, NULL), SKELOBJ_STATUS_OK);
  revision = skelobj_object_revision(world, object);
  build.first_bone = head;
  build.last_bone = head;
  build.retain = 0.5f;
  build.add = 0.5f;
  IS(skelobj_build(world, object, model, &frame, &build), SKELOBJ_STATUS_OK);
  build.normalized = 1;
  IS(skelobj_build(world, object, model, &frame, &build), SKELOBJ_STATUS_OK);
  IS(skelobj_object_revision(world, object) != revision, 1);
  IS(skelobj_bone_local(world, object, head, local), SKELOBJ_STATUS_OK);
  IS(skelobj_set_bone(world, object, head, local), SKELOBJ_STATUS_OK);
  IS(skelobj_bone_model(world, object, head, before), SKELOBJ_STATUS_OK);
  IS(skelobj_set_bone_model(world, object, head, before), SKELOBJ_STATUS_OK);
  IS(skelobj_set_bone_world(world, object, identity, head, before), SKELOBJ_STATUS_OK);
  IS(skelobj_mul_bone(world, object, head, identity), SKELOBJ_STATUS_OK);
  IS(skelobj_post_mul_bone(world, object, head, identity), SKELOBJ_STATUS_OK);
  IS(skelobj_mul_bones(world, object, 1, 0, identity), SKELOBJ_STATUS_OK);
  IS(skelobj_bone_model(world, object, head, after), SKELOBJ_STATUS_OK);
  IS(fabsf(before[11] - after[11]) < 1e-3f, 1);
  IS(skelobj_pose(world, object, SKELOBJ_SPACE_LOCAL, pose, 21), SKELOBJ_STATUS_OK);
  IS(skelobj_set_pose(world, object, SKELOBJ_SPACE_LOCAL, pose, 21), SKELOBJ_STATUS_OK);
  IS(skelobj_pose(world, object, SKELOBJ_SPACE_MODEL, pose, 21), SKELOBJ_STATUS_OK);
  IS(fabsf(pose[12 * (head - 1) + 11] - after[11]) < 1e-3f, 1);

  // Corrections of a built pose.
  IS(skelobj_build(world, object, model, &frame, NULL), SKELOBJ_STATUS_OK);
  IS(skelobj_aim(world, object, "chest 0.2, neck 0.3, head 0.5", target, NULL, &missed), SKELOBJ_STATUS_OK);
  IS(missed >= 0 && missed < 1e-3f, 1);
  aim.limit = 0.25f;
  IS(skelobj_build(world, object, model, &frame, NULL), SKELOBJ_STATUS_OK);
  IS(skelobj_turn(world, object, "head", 0, 1, &aim, &missed), SKELOBJ_STATUS_OK);
  IS(fabsf(missed - 0.75f) < 1e-3f, 1);
  reach.pole[0] = 1;
  IS(skelobj_reach(world, object, "thigh_l, shin_l, foot_l", stair, &reach, &missed), SKELOBJ_STATUS_OK);
  IS(missed >= 0 && missed < 1e-3f, 1);
  IS(skelobj_bone_model(world, object, skelobj_find_bone(world, object, "foot_l"), after), SKELOBJ_STATUS_OK);
  IS(fabsf(after[3] - stair[0]) < 1e-3f && fabsf(after[11] - stair[2]) < 1e-3f, 1);
  // With the knee of the doll, without a pole.
  reach.pole[0] = 0;
  knee = skelobj_doll_parse(leg, strlen(leg), model);
  reach.doll = knee;
  IS(skelobj_reach(world, object, "thigh_l, shin_l, foot_l", stair, &reach, &missed), SKELOBJ_STATUS_OK);
  IS(missed >= 0 && missed < 1e-3f, 1);
  IS(skelobj_reach(world, object, "upperarm_l, forearm_l, hand_l", stair, &reach, &missed), SKELOBJ_STATUS_NOT_FOUND);
  aim = skelobj_default_aim_def();
  aim.doll = knee;
  IS(skelobj_aim(world, object, "shin_l", target, &aim, &missed), SKELOBJ_STATUS_OK);
  IS(missed > 0.5f, 1); /* the knee turns by 0.1 radians to one side */
  IS(skelobj_aim(world, object, "head", target, &aim, NULL), SKELOBJ_STATUS_NOT_FOUND);
  IS(skelobj_doll_free(knee), SKELOBJ_STATUS_OK);
  // A spring: the arm lags where the entity moves.
  {
    SkelobjSpringDef spring = skelobj_default_spring_def();
    float moving[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, still[12], swung[12];
    int32_t hand = skelobj_find_bone(world, object, "hand_l");
    IS(skelobj_build(world, object, model, &frame, NULL), SKELOBJ_STATUS_OK);
    IS(skelobj_swing(world, object, "upperarm_l, hand_l", moving, 0.02f, "chest 3", &spring), SKELOBJ_STATUS_OK);
    IS(skelobj_bone_model(world, object, hand, still), SKELOBJ_STATUS_OK);
    IS(skelobj_build(world, object, model, &frame, NULL), SKELOBJ_STATUS_OK);
    IS(skelobj_swing(world, object, "upperarm_l, hand_l", moving, 0.02f, NULL, &spring), SKELOBJ_STATUS_OK);
    moving[3] = 10;
    IS(skelobj_build(world, object, model, &frame, NULL), SKELOBJ_STATUS_OK);
    IS(skelobj_swing(world, object, "upperarm_l, hand_l", moving, 0.02f, NULL, NULL), SKELOBJ_STATUS_OK);
    IS(skelobj_bone_model(world, object, hand, swung), SKELOBJ_STATUS_OK);
    IS(swung[3] < still[3] - 2, 1);
    IS(skelobj_reset_springs(world, object), SKELOBJ_STATUS_OK);
    IS(skelobj_build(world, object, model, &frame, NULL), SKELOBJ_STATUS_OK);
    IS(skelobj_swing(world, object, "upperarm_l, hand_l", moving, 0.02f, NULL, NULL), SKELOBJ_STATUS_OK);
    IS(skelobj_bone_model(world, object, hand, swung), SKELOBJ_STATUS_OK);
    IS(fabsf(swung[3] - still[3]) < 1e-3f, 1);
    spring.share = -1;
    IS(skelobj_swing(world, object, "upperarm_l, hand_l", moving, 0.02f, NULL, &spring) != SKELOBJ_STATUS_OK, 1);
    spring = skelobj_default_spring_def();
    spring.damping = 2;
    IS(skelobj_swing(world, object, "upperarm_l, hand_l", moving, 0.02f, NULL, &spring) != SKELOBJ_STATUS_OK, 1);
    IS(skelobj_swing(world, object, "tail, hand_l", moving, 0.02f, NULL, NULL) != SKELOBJ_STATUS_OK, 1);
  }
  // Feet: on a step that a function finds below the left one, and on the level.
  {
    SkelobjFeetDef feet = skelobj_default_feet_def();
    const char *legs = "pelvis, thigh_l, shin_l, foot_l, thigh_r, shin_r, foot_r";
    float left[12], right[12];
    int traces = 0;
    SkelobjFrameDef idle = skelobj_frame_single(skelobj_model_find_animation(model, "idle"), 0);
    int32_t left_foot = skelobj_find_bone(world, object, "foot_l"), right_foot = skelobj_find_bone(world, object, "foot_r");
    feet.trace = step_on_the_left;
    feet.user = &traces;
    IS(skelobj_build(world, object, model, &idle, NULL), SKELOBJ_STATUS_OK);
    IS(skelobj_place_feet(world, object, legs, identity, 0.02f, &feet), SKELOBJ_STATUS_OK);
    IS(skelobj_bone_model(world, object, left_foot, left), SKELOBJ_STATUS_OK);
    IS(skelobj_bone_model(world, object, right_foot, right), SKELOBJ_STATUS_OK);
    IS(fabsf(left[11] - right[11] - 8) < 0.1f, 1);
    IS(traces, 2);
    IS(skelobj_reset_feet(world, object), SKELOBJ_STATUS_OK);
    IS(skelobj_build(world, object, model, &idle, NULL), SKELOBJ_STATUS_OK);
    IS(skelobj_place_feet(world, object, legs, identity, 0.02f, NULL), SKELOBJ_STATUS_OK);
    IS(skelobj_bone_model(world, object, left_foot, left), SKELOBJ_STATUS_OK);
    IS(fabsf(left[11] - right[11]) < 1, 1);
    feet.weight = 2;
    IS(skelobj_place_feet(world, object, legs, identity, 0.02f, &feet) != SKELOBJ_STATUS_OK, 1);
    IS(skelobj_place_feet(world, object, "pelvis", identity, 0.02f, NULL) != SKELOBJ_STATUS_OK, 1);
  }
  // The past: the mannequin has moved on, but is hit where it was.
  {
    SkelobjHistoryDef history = skelobj_default_history_def();
    SkelobjTraceDef line = skelobj_default_trace_def();
    SkelobjHit struck;
    float away[12] = {1, 0, 0, 0, 0, 1, 0, 500, 0, 0, 1, 0}, seen[12], bones[21 * 12];
    double oldest = 0, newest = 0;
    int32_t is_recorded = -1, packed;
    line.start[0] = 200, line.end[0] = -200, line.start[2] = line.end[2] = 45;
    line.is_past = 1;
    IS(skelobj_trace(world, &line, &struck), SKELOBJ_STATUS_NOT_FOUND);
    IS(skelobj_record_pose(world, object, 1, identity, &is_recorded), SKELOBJ_STATUS_NOT_FOUND);
    IS(skelobj_history_window(world, &oldest, NULL), SKELOBJ_STATUS_NOT_FOUND);
    IS(skelobj_build(world, object, model, &frame, NULL), SKELOBJ_STATUS_OK);
    for (packed = 0; packed < 2; packed++) {
      history.is_packed = packed;
      IS(skelobj_keep_history(world, &history), SKELOBJ_STATUS_OK);
      IS(skelobj_record_pose(world, object, 1, identity, &is_recorded), SKELOBJ_STATUS_OK);
      IS(is_recorded, 1);
      IS(skelobj_record_pose(world, object, 1, away, &is_recorded), SKELOBJ_STATUS_OK);
      IS(is_recorded, 0);
      IS(skelobj_record_pose(world, object, 1.1, away, NULL), SKELOBJ_STATUS_OK);
      IS(skelobj_break_history(world, object), SKELOBJ_STATUS_OK);
      IS(skelobj_record_pose(world, object, 1.2, identity, NULL), SKELOBJ_STATUS_OK);
      IS(skelobj_history_window(world, &oldest, &newest), SKELOBJ_STATUS_OK);
      IS(oldest == 1 && newest == 1.2, 1);
      line.time = 1;
      IS(skelobj_trace(world, &line, &struck), SKELOBJ_STATUS_OK);
      IS(struck.object.id == object.id && struck.bone > 0, 1);
      line.time = 1.19; /* before the break */
      line.object = object;
      IS(skelobj_trace(world, &line, &struck), SKELOBJ_STATUS_OK);
      IS(struck.object.id, 0);
      line.object.id = 0;
      line.time = 0.5;
      IS(skelobj_trace(world, &line, &struck), SKELOBJ_STATUS_BAD_NUMBER);
      line.is_clamped = 1;
      IS(skelobj_trace(world, &line, &struck), SKELOBJ_STATUS_OK);
      IS(struck.object.id, object.id);
      line.excluded = object;
      IS(skelobj_trace(world, &line, &struck), SKELOBJ_STATUS_OK);
      IS(struck.object.id, 0);
      line.excluded.id = 0;
      line.is_clamped = 0;
      IS(skelobj_past_pose(world, object, 1.05, 0, seen, bones, 21), SKELOBJ_STATUS_OK);
      IS(fabsf(seen[7] - 250) < 0.1f && bones[12 * 12 + 11] > 40, 1);
      IS(skelobj_past_pose(world, object, 1.05, 0, seen, bones, 20), SKELOBJ_STATUS_BUFFER_TOO_SMALL);
      IS(skelobj_past_pose(world, object, 9, 0, seen, bones, 21), SKELOBJ_STATUS_NOT_FOUND);
      IS(skelobj_past_pose(world, object, 9, 1, seen, bones, 21), SKELOBJ_STATUS_OK);
      IS(skelobj_past_pose(world, object, 9, 2, seen, bones, 21), SKELOBJ_STATUS_BAD_NUMBER);
    }
    IS(skelobj_record_pose(world, object, NAN, identity, NULL), SKELOBJ_STATUS_BAD_NUMBER);
    line.is_past = 2;
    IS(skelobj_trace(world, &line, &struck), SKELOBJ_STATUS_BAD_NUMBER);
    history.max_bytes = 10;
    IS(skelobj_keep_history(world, &history), SKELOBJ_STATUS_OK);
    IS(skelobj_record_pose(world, object, 1, identity, NULL), SKELOBJ_STATUS_LIMIT);
    history.seconds = -1;
    IS(skelobj_keep_history(world, &history), SKELOBJ_STATUS_BAD_NUMBER);
    IS(skelobj_keep_history(world, NULL), SKELOBJ_STATUS_OK);
  }
  // Root motion: the dying mannequin falls backwards.
  {
    SkelobjFrameDef start = skelobj_frame_single(3, 0), end = skelobj_frame_single(3, 1);
    const uint32_t parts = SKELOBJ_MOTION_PART_DISTANCE | SKELOBJ_MOTION_PART_HEIGHT;
    float moved[3], yaw, wanted[12], shown[12];
    IS(skelobj_motion(world, model, "pelvis", &start, &end, parts, moved, &yaw), SKELOBJ_STATUS_OK);
    IS(moved[0] < -10 && moved[2] < -10 && yaw == 0, 1);
    IS(skelobj_motion(world, model, "hips", &start, &end, parts, moved, NULL), SKELOBJ_STATUS_NOT_FOUND);
    IS(skelobj_motion(world, model, "pelvis", &start, &end, 8, NULL, NULL), SKELOBJ_STATUS_BAD_NUMBER);
    IS(skelobj_build(world, object, model, &end, NULL), SKELOBJ_STATUS_OK);
    IS(skelobj_bone_model(world, object, head, wanted), SKELOBJ_STATUS_OK);
    IS(skelobj_take_motion(world, object, model, &end, "pelvis", parts), SKELOBJ_STATUS_OK);
    IS(skelobj_bone_model(world, object, head, shown), SKELOBJ_STATUS_OK);
    IS(fabsf(shown[3] + moved[0] - wanted[3]) < 1e-3f && fabsf(shown[11] + moved[2] - wanted[11]) < 1e-3f, 1);
    IS(skelobj_build(world, object, model, &frame, NULL), SKELOBJ_STATUS_OK);
  }
  IS(skelobj_set_bone_axes(world, object, head, identity), SKELOBJ_STATUS_OK);
  IS(skelobj_bone_model(world, object, head, after), SKELOBJ_STATUS_OK);
  IS(fabsf(after[0] - 1) < 1e-4f && fabsf(after[11] - before[11]) < 4, 1);
  IS(skelobj_reach(world, object, "spine, hand_l", button, NULL, &missed), SKELOBJ_STATUS_OK);
  IS(missed >= 0 && missed < 0.05f, 1);
  IS(skelobj_object_set_mask(world, object, "head"), SKELOBJ_STATUS_OK);
  IS(skelobj_bone_local(world, object, 2, before), SKELOBJ_STATUS_OK);
  IS(skelobj_add_pose(world, object, model, &frame, NULL, 0.5f), SKELOBJ_STATUS_OK);
  IS(skelobj_mul_bones(world, object, 1, 0, quarter), SKELOBJ_STATUS_OK);
  IS(skelobj_bone_local(world, object, 2, after), SKELOBJ_STATUS_OK);
  IS(memcmp(before, after, sizeof(before)), 0);
  IS(skelobj_object_set_mask(world, object, ""), SKELOBJ_STATUS_OK);
  IS(skelobj_mul_bones(world, object, 1, 0, quarter), SKELOBJ_STATUS_OK);
  IS(skelobj_bone_local(world, object, 2, after), SKELOBJ_STATUS_OK);
  IS(memcmp(before, after, sizeof(before)) != 0, 1);
  IS(skelobj_build(world, object, model, &frame, NULL), SKELOBJ_STATUS_OK);
  // Halfway from idle to run, in both ways.
  {
    SkelobjFrameDef fade = skelobj_default_frame_def();
    SkelobjObjectInfo seen;
    int32_t blending, i, axis;
    fade.blends[0].animation = 0;
    fade.blends[1].animation = 2;
    fade.blends[0].time = fade.blends[1].time = 0.2;
    fade.blends[0].weight = fade.blends[1].weight = 0.5f;
    for (blending = 1; blending >= 0; --blending) {
      float least = 1, bones[12 * 21];
      IS(skelobj_object_set_blending(world, object, blending), SKELOBJ_STATUS_OK);
      IS(skelobj_object_info(world, object, &seen), SKELOBJ_STATUS_OK);
      IS(seen.blending, blending);
      IS(skelobj_build(world, object, model, &fade, NULL), SKELOBJ_STATUS_OK);
      IS(skelobj_pose(world, object, SKELOBJ_SPACE_LOCAL, bones, 21), SKELOBJ_STATUS_OK);
      for (i = 0; i < 21; ++i) {
        for (axis = 0; axis < 3; ++axis) {
          const float *b = bones + 12 * i + axis;
          least = fminf(least, b[0] * b[0] + b[4] * b[4] + b[8] * b[8]);
        }
      }
      IS(least > 0.99999f, blending == SKELOBJ_BLENDING_ROTATIONS);
      IS(least < 0.8f, blending == SKELOBJ_BLENDING_LINEAR);
    }
    IS(skelobj_object_set_blending(world, object, SKELOBJ_BLENDING_LINEAR), SKELOBJ_STATUS_OK);
    IS(skelobj_build(world, object, model, &frame, NULL), SKELOBJ_STATUS_OK);
  }

  fields[0] = 1;
  frame.fields = fields;
  other = skelobj_object_create(world, model, SKELOBJ_SPACE_LOCAL);
  IS(skelobj_build(world, other, model, &frame, NULL), SKELOBJ_STATUS_OK);
  IS(skelobj_copy_bones_by_name(world, other, object, NULL, &copied), SKELOBJ_STATUS_OK);
  IS(copied, 21);
  IS(skelobj_copy_bones(world, other, object, 1, 0), SKELOBJ_STATUS_OK);
  list[0] = object;
  list[1] = other;
  IS(skelobj_palettes(world, list, 2, 21, palettes, 42), SKELOBJ_STATUS_OK);
  IS(skelobj_palette(world, object, pose, 21), SKELOBJ_STATUS_OK);
  IS(memcmp(palettes, pose, sizeof(pose)), 0);
  IS(memcmp(palettes + 21 * 12, pose, sizeof(pose)), 0);
  IS(skelobj_object_set_user_data(world, other, 12345678901234ull), SKELOBJ_STATUS_OK);
  IS(skelobj_object_user_data(world, other), 12345678901234ull);
  IS(skelobj_world_objects(world, list, 2, &count), SKELOBJ_STATUS_OK);
  IS(count == 2 && list[0].id == object.id && list[1].id == other.id, 1);
  IS(skelobj_object_number(other), skelobj_object_number(object) + 1);
  SAME(skelobj_object_from_number(skelobj_object_number(other)), other);
  IS(skelobj_object_info(world, other, &info), SKELOBJ_STATUS_OK);
  IS(info.model.id == model.id && info.bone_count == 21 && info.is_built, 1);
  IS(skelobj_object_delete(world, other), SKELOBJ_STATUS_OK);
  IS(skelobj_flush_deleted(world), SKELOBJ_STATUS_OK);
  IS(skelobj_object_is_valid(world, other), 0);
}

static void level(SkelobjWorld world) {
  static const float corners[4][3] = {{-200, -200, 0}, {200, -200, 0}, {200, 200, 0}, {-200, 200, 0}};
  static const uint32_t triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};
  static const float mins[3] = {-16, -16, -24}, maxs[3] = {16, 16, 32}, at[3] = {150, 150, 24}, wet[3] = {400, 0, -10};
  SkelobjShape mesh = skelobj_default_shape(), box = skelobj_default_shape();
  SkelobjLevelBodyDef body = skelobj_default_level_body_def();
  SkelobjWaterDef water = skelobj_default_water_def(SKELOBJ_LIQUID_KIND_WATER);
  SkelobjLevelBody ground, door, player, listed[4];
  SkelobjWater sea, waters[2];
  SkelobjContact contacts[4];
  float target[12];
  int32_t count;

  mesh.kind = SKELOBJ_SHAPE_KIND_MESH;
  mesh.points = corners[0];
  mesh.triangles = triangles[0];
  mesh.point_count = 4;
  mesh.triangle_count = 2;
  box.size[0] = 8;
  box.size[1] = 64;
  box.size[2] = 96;
  body.shapes = &mesh;
  body.shape_count = 1;
  ground = skelobj_add_level_body(world, &body);
  body.shapes = &box;
  body.is_moving = 1;
  body.matrix[3] = 500;
  door = skelobj_add_level_body(world, &body);
  player = skelobj_add_entity_box(world, mins, maxs, at);
  IS(SKELOBJ_IS_NONE(ground) || SKELOBJ_IS_NONE(door) || SKELOBJ_IS_NONE(player), 0);
  IS(SKELOBJ_IS_SAME(ground, ground) && !SKELOBJ_IS_SAME(ground, door), 1);
  memcpy(target, body.matrix, sizeof(target));
  target[11] += 10;
  IS(skelobj_level_body_set_target(world, door, target), SKELOBJ_STATUS_OK);
  IS(skelobj_level_body_teleport(world, door, target), SKELOBJ_STATUS_OK);
  IS(skelobj_level_body_set_solid(world, door, 0), SKELOBJ_STATUS_OK);
  IS(skelobj_level_body_set_shapes(world, door, &box, 1), SKELOBJ_STATUS_OK);
  IS(skelobj_level_body_set_push_force(world, player, 1000), SKELOBJ_STATUS_OK);
  IS(skelobj_contacts(world, player, contacts, 4, &count), SKELOBJ_STATUS_OK);
  IS(count, 0);
  IS(skelobj_level_body_user_data(world, door), 0);
  IS(skelobj_level_body_set_user_data(world, door, 0xfedcba9876543210), SKELOBJ_STATUS_OK);
  IS(skelobj_level_body_user_data(world, door) == 0xfedcba9876543210, 1);
  IS(skelobj_world_level_bodies(world, listed, 4, &count), SKELOBJ_STATUS_OK);
  IS(count == 3 && SKELOBJ_IS_SAME(listed[0], ground) && SKELOBJ_IS_SAME(listed[1], door), 1);
  IS(skelobj_level_body_remove(world, door), SKELOBJ_STATUS_OK);
  IS(skelobj_level_body_is_valid(world, door), 0);
  IS(skelobj_level_body_user_data(world, door), 0);
  IS(skelobj_last_status(), SKELOBJ_STATUS_BAD_ID);
  IS(skelobj_level_body_set_user_data(world, door, 1), SKELOBJ_STATUS_LEVEL);
  water.mins[0] = 300;
  water.mins[1] = water.mins[2] = -100;
  water.maxs[0] = 500;
  water.maxs[1] = 100;
  sea = skelobj_add_water(world, &water);
  SAME(skelobj_water_at(world, wet), sea);
  IS(skelobj_water_set_liquid(world, sea, &water), SKELOBJ_STATUS_OK);
  IS(skelobj_water_move(world, sea, mins), SKELOBJ_STATUS_OK);
  IS(skelobj_water_is_valid(world, sea), 1);
  IS(skelobj_water_set_user_data(world, sea, 7), SKELOBJ_STATUS_OK);
  IS(skelobj_water_user_data(world, sea), 7);
  IS(skelobj_world_waters(world, waters, 2, &count), SKELOBJ_STATUS_OK);
  IS(count == 1 && SKELOBJ_IS_SAME(waters[0], sea), 1);
  IS(skelobj_water_remove(world, sea), SKELOBJ_STATUS_OK);
  IS(skelobj_water_set_user_data(world, sea, 7), SKELOBJ_STATUS_LEVEL);
  IS(skelobj_is_solid(world, wet), 0);
}

// Bones without a skin get bodies only where that is wanted.
static void bones_alone(void) {
  SkelobjFitDef fit = skelobj_default_fit_def();
  SkelobjModelDef def = skelobj_default_model_def();
  SkelobjBonePart bones[2];
  SkelobjModel model;
  size_t length;
  int i;

  memset(bones, 0, sizeof(bones));
  for (i = 0; i < 2; ++i) bones[i].bind[0] = bones[i].bind[5] = bones[i].bind[10] = 1.0f;
  bones[0].name = "hip";
  bones[1].name = "knee";
  bones[1].parent = 1;
  bones[1].bind[3] = 20.0f;
  def.bones = bones;
  def.bone_count = 2;
  model = skelobj_model_create(&def);
  IS(skelobj_model_is_valid(model), 1);
  IS(skelobj_doll_fit(model, &fit, NULL, 0, &length), SKELOBJ_STATUS_RAGDOLL);
  fit.without_skin = 1;
  IS(skelobj_doll_fit(model, &fit, NULL, 0, &length), SKELOBJ_STATUS_OK);
  IS(skelobj_model_free(model), SKELOBJ_STATUS_OK);
}

static void ragdolls(SkelobjWorld world, SkelobjModel model, SkelobjObject object, const char *folder) {
  SkelobjRagdollInfo info;
  SkelobjBodyState bodies[32];
  SkelobjJointState joints[32];
  SkelobjContactPoint contacts[256];
  SkelobjDollBody parts[32];
  SkelobjDollJoint links[32];
  SkelobjDollProblem problems[8];
  SkelobjDropReport report;
  SkelobjDropDef drop = skelobj_default_drop_def();
  SkelobjCheckDef check = skelobj_default_check_def();
  SkelobjFitDef fit = skelobj_default_fit_def();
  SkelobjDirective *words;
  SkelobjImpact impacts[64];
  SkelobjTraceDef trace = skelobj_default_trace_def();
  SkelobjHit hit;
  SkelobjStepped stepped;
  SkelobjEntity entity;
  SkelobjDoll doll;
  SkelobjPoseMatch found;
  float tag[12], seconds, carried = 0;
  static const float push[3] = {4000, 0, 0}, up[3] = {0, 0, 100}, none[3] = {0, 0, 0};
  char *text, decoded[8];
  size_t length;
  int32_t count, bones, seen = 0, animations[2] = {0, 1}, animation, i;
  File file = read_file(folder, "mannequin.doll");

  IS(skelobj_precache_doll(world, model), 1);
  IS(skelobj_ragdoll_update(world, object, identity, no_object), SKELOBJ_STATUS_OK);
  IS(skelobj_ragdoll_info(world, object, &info), SKELOBJ_STATUS_OK);
  IS(info.body_count > 8 && info.animated == info.body_count, 1);
  trace.start[0] = 200;
  trace.start[2] = trace.end[2] = 45;
  trace.end[0] = -200;
  IS(skelobj_trace(world, &trace, &hit), SKELOBJ_STATUS_OK);
  IS(hit.object.id == object.id && hit.bone > 0 && hit.surface == SKELOBJ_SURFACE_KIND_BODY, 1);
  IS(skelobj_ragdoll_bone_body(world, object, hit.bone), hit.index);
  trace.object = object;
  trace.geometry = SKELOBJ_GEOMETRY_SKIN;
  IS(skelobj_trace(world, &trace, &hit), SKELOBJ_STATUS_OK);
  IS(hit.surface == SKELOBJ_SURFACE_KIND_SKIN && hit.triangle >= 0, 1);
  IS(skelobj_ragdoll_command(world, object, identity, "animate 0", no_object, &bones), SKELOBJ_STATUS_OK);
  IS(bones, 1);
  IS(skelobj_ragdoll_impulse(world, object, hit.bone, hit.point, push, NULL), 1);
  IS(skelobj_ragdoll_add_velocity(world, object, up, none, none), SKELOBJ_STATUS_OK);
  IS(skelobj_set_impact_threshold(world, 100), SKELOBJ_STATUS_OK);
  for (i = 0; i < 240; ++i) {
    IS(skelobj_step(world, 1.0f / 60, &stepped), SKELOBJ_STATUS_OK);
    IS(skelobj_impacts(world, impacts, 64, &count), SKELOBJ_STATUS_OK);
    seen += count;
    IS(skelobj_ragdoll_update(world, object, identity, no_object), SKELOBJ_STATUS_OK);
  }
  IS(seen > 0, 1);
  IS(skelobj_ragdoll_info(world, object, &info), SKELOBJ_STATUS_OK);
  IS(info.lowest > -2 && info.centre[2] < 30, 1);
  IS(skelobj_ragdoll_bodies(world, object, bodies, 32, &count), SKELOBJ_STATUS_OK);
  IS(count, info.body_count);
  IS(skelobj_ragdoll_joints(world, object, joints, 32, &count), SKELOBJ_STATUS_OK);
  IS(count == info.joint_count && joints[0].gap < 2, 1);
  IS(skelobj_ragdoll_contact_points(world, object, contacts, 256, &count), SKELOBJ_STATUS_OK);
  for (i = 0; i < count; ++i) {
    carried += contacts[i].force * contacts[i].normal[2];
    IS(contacts[i].body >= 0 && contacts[i].body < info.body_count, 1);
    IS(contacts[i].other.level_body.id != 0 && contacts[i].point[2] < 2 && contacts[i].depth < 2, 1);
  }
  IS(carried > 62.6f * 600 * 0.9f && carried < 62.6f * 600 * 1.1f, 1);
  IS(skelobj_ragdoll_contact_points(world, object, contacts, count - 1, &count), SKELOBJ_STATUS_BUFFER_TOO_SMALL);
  for (i = 0; i < 2; ++i) {
    IS(skelobj_ragdoll_set_awake(world, object, identity, i, no_object), SKELOBJ_STATUS_OK);
    IS(skelobj_step(world, 1.0f / 60, NULL), SKELOBJ_STATUS_OK);
    IS(skelobj_ragdoll_info(world, object, &info), SKELOBJ_STATUS_OK);
    IS(info.is_asleep, !i);
  }
  IS(skelobj_ragdoll_set_groups(world, object, SKELOBJ_GROUP_CORPSES), SKELOBJ_STATUS_OK);
  IS(skelobj_match_pose(world, object, model, animations, 2, 10000, &found), SKELOBJ_STATUS_OK);
  {
    static const float far_away[3] = {0, 900, 0}, angles[3] = {0, 90, 0};
    SkelobjFrameDef start = skelobj_default_frame_def();
    SkelobjObject turned = skelobj_object_create(world, model, SKELOBJ_SPACE_LOCAL);
    IS(skelobj_build(world, turned, model, &start, NULL), SKELOBJ_STATUS_OK);
    IS(skelobj_entity_matrix(world, far_away, angles, 1, tag), SKELOBJ_STATUS_OK);
    IS(skelobj_ragdoll_update(world, turned, tag, no_object), SKELOBJ_STATUS_OK);
    IS(skelobj_match_pose(world, turned, model, animations, 1, 10000, &found), SKELOBJ_STATUS_OK);
    IS(found.animation == 0 && found.yaw > 89 && found.yaw < 91, 1);
    IS(skelobj_object_delete(world, turned), SKELOBJ_STATUS_OK);
    IS(skelobj_flush_deleted(world), SKELOBJ_STATUS_OK);
  }

  memset(&entity, 0, sizeof(entity));
  memcpy(entity.matrix, identity, sizeof(identity));
  entity.model = model;
  entity.object = object;
  entity.tag = skelobj_find_bone(world, object, "hand_r");
  IS(skelobj_tag(world, &entity, 1, tag), SKELOBJ_STATUS_OK);
  IS(skelobj_tag_local(world, &entity, tag, &bones), SKELOBJ_STATUS_OK);
  IS(bones > 0, 1);

  doll = skelobj_doll_parse((const char *)file.bytes, file.size, model);
  IS(skelobj_doll_problems(doll, problems, 8, &count), SKELOBJ_STATUS_OK);
  IS(count, 0);
  IS(skelobj_doll_bodies(doll, model, parts, 32, &count), SKELOBJ_STATUS_OK);
  IS(count == info.body_count && strcmp(parts[0].name, bodies[0].name) == 0, 1);
  for (i = 0; i < count; ++i) IS(parts[i].bone_number, bodies[i].bone);
  IS(skelobj_doll_joints(doll, model, links, 32, &count), SKELOBJ_STATUS_OK);
  IS(count, info.joint_count);
  for (i = 0; i < count; ++i) IS(links[i].pivot_number, skelobj_model_find_tag(model, links[i].pivot));
  IS(skelobj_doll_bodies(doll, no_model, parts, 32, &count), SKELOBJ_STATUS_OK);
  IS(count == info.body_count && parts[0].bone_number == 0, 1);
  IS(skelobj_doll_reference(doll, &animation, &seconds), SKELOBJ_STATUS_OK);
  IS(skelobj_doll_is_compatible(doll, model), 1);
  IS(skelobj_doll_text(doll, NULL, 0, &length), SKELOBJ_STATUS_OK);
  text = (char *)malloc(length + 1);
  IS(skelobj_doll_text(doll, text, length + 1, NULL), SKELOBJ_STATUS_OK);
  IS(strlen(text), length);
  free(text);
  drop.seconds = 1;
  IS(skelobj_doll_drop(doll, model, &drop, &report), SKELOBJ_STATUS_OK);
  IS(report.bodies == info.body_count && report.non_finite == 0, 1);
  seconds = report.energy, drop.fade = 0.8f;
  IS(skelobj_doll_drop(doll, model, &drop, &report), SKELOBJ_STATUS_OK);
  IS(report.energy > seconds && report.lowest_z > -2, 1);
  drop.fade = -1;
  IS(skelobj_doll_drop(doll, model, &drop, &report), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_ragdoll_set(world, object, identity, doll), SKELOBJ_STATUS_OK);
  IS(skelobj_ragdoll_update_default(world, object, identity, 0), SKELOBJ_STATUS_OK);
  IS(skelobj_ragdoll_clear(world, object), 1);
  IS(skelobj_reload_dolls(world) >= 0, 1);
  IS(skelobj_doll_free(doll), SKELOBJ_STATUS_OK);
  IS(skelobj_doll_lint("body a\n", 7, model, problems, 8, &count), SKELOBJ_STATUS_OK);
  IS(count > 0 && problems[0].is_error && problems[0].line == 1, 1);
  IS(skelobj_doll_lint("body a nowhere\n", 15, model, problems, 8, &count), SKELOBJ_STATUS_OK);
  IS(strcmp(problems[0].code, "no-such-bone"), 0);
  IS(problems[0].suggestion[0], 0);
  IS(skelobj_doll_lint("body a Head\n\tshape ball\n", 24, model, problems, 8, &count), SKELOBJ_STATUS_OK);
  IS(count, 2);
  IS(strcmp(problems[0].suggestion, "head"), 0);
  IS(strcmp(problems[1].suggestion, "sphere"), 0);
  IS(skelobj_doll_decode("\xef\xbb\xbf" "caf\xe9", 7, NULL, 0, &length), SKELOBJ_STATUS_OK);
  IS(length, 5);
  IS(skelobj_doll_decode("\xef\xbb\xbf" "caf\xe9", 7, decoded, sizeof decoded, NULL), SKELOBJ_STATUS_OK);
  IS(strcmp(decoded, "caf\xc3\xa9"), 0);

  IS(skelobj_doll_directives(NULL, 0, &count), SKELOBJ_STATUS_OK);
  words = (SkelobjDirective *)malloc((size_t)count * sizeof *words);
  IS(skelobj_doll_directives(words, count, NULL), SKELOBJ_STATUS_OK);
  IS(strcmp(words[0].usage, "body NAME BONE") == 0 && words[0].scope == SKELOBJ_DIRECTIVE_SCOPE_FILE, 1);
  IS(words[count - 1].scope, SKELOBJ_DIRECTIVE_SCOPE_JOINT);
  free(words);

  IS(skelobj_doll_format("body  a  b", 10, NULL, 0, &length), SKELOBJ_STATUS_OK);
  IS(length, 9);
  IS(skelobj_doll_fit(model, NULL, NULL, 0, &length), SKELOBJ_STATUS_OK);
  text = (char *)malloc(length + 1);
  bones_alone();
  fit.name = "mannequin.iqm";
  fit.max_bodies = 16;
  IS(skelobj_doll_fit(model, &fit, NULL, 0, &length), SKELOBJ_STATUS_OK);
  text = (char *)realloc(text, length + 1);
  IS(skelobj_doll_fit(model, &fit, text, length + 1, NULL), SKELOBJ_STATUS_OK);
  check.drops = 1;
  doll = skelobj_doll_check(text, length, model, &check);
  IS(skelobj_doll_problems(doll, NULL, 0, &count), SKELOBJ_STATUS_OK);
  IS(count, 0);
  IS(skelobj_doll_free(doll), SKELOBJ_STATUS_OK);
  check.max_sleep = 0.1f;
  doll = skelobj_doll_check(text, length, model, &check);
  IS(skelobj_doll_problems(doll, problems, 8, &count), SKELOBJ_STATUS_OK);
  IS(count > 0 && problems[0].is_error, 1);
  IS(skelobj_doll_free(doll), SKELOBJ_STATUS_OK);
  free(text);
  free(file.bytes);
}

// Commands as functions, on a ragdoll of its own.
static void commands(SkelobjWorld world, SkelobjModel model) {
  SkelobjFrameDef frame = skelobj_frame_single(0, 0.25);
  SkelobjObject object = skelobj_object_create(world, model, SKELOBJ_SPACE_LOCAL);
  SkelobjRagdollInfo info;
  SkelobjBodyState bodies[32];
  SkelobjJointState joints[32];
  int32_t animated = -1, count, i, severed = 0;

  IS(skelobj_build(world, object, model, &frame, NULL), SKELOBJ_STATUS_OK);
  IS(skelobj_ragdoll_animate(world, object, identity, 0, 0, no_object), SKELOBJ_STATUS_OK);
  IS(skelobj_ragdoll_info(world, object, &info), SKELOBJ_STATUS_OK);
  IS(info.animated, 0);
  IS(skelobj_ragdoll_animate_body(world, object, identity, "head", 1, 0, no_object, &animated), SKELOBJ_STATUS_OK);
  IS(animated, 1);
  IS(skelobj_ragdoll_animate_body(world, object, identity, "head", 0, 0, no_object, NULL), SKELOBJ_STATUS_OK);
  IS(skelobj_ragdoll_animate_body(world, object, identity, "nobody", 1, 0, no_object, NULL), SKELOBJ_STATUS_NOT_FOUND);
  IS(skelobj_ragdoll_animate_limb(world, object, identity, "upperarm_r", 1, 0, no_object, &animated),
     SKELOBJ_STATUS_OK);
  IS(animated, 3);
  IS(skelobj_ragdoll_animate_limb(world, object, identity, "upperarm_r", 0, 0, no_object, NULL), SKELOBJ_STATUS_OK);
  IS(skelobj_ragdoll_animate_limb(world, object, identity, "nobody", 1, 0, no_object, NULL), SKELOBJ_STATUS_NOT_FOUND);
  // Over half a second, the strengths are on their way after a quarter.
  IS(skelobj_ragdoll_animate(world, object, identity, 0.8f, 0.5f, no_object), SKELOBJ_STATUS_OK);
  for (i = 0; i < 15; ++i) {
    IS(skelobj_ragdoll_update(world, object, identity, no_object), SKELOBJ_STATUS_OK);
    IS(skelobj_step(world, 1.0f / 60, NULL), SKELOBJ_STATUS_OK);
  }
  IS(skelobj_ragdoll_bodies(world, object, bodies, 32, NULL), SKELOBJ_STATUS_OK);
  IS(bodies[0].strength > 0.3f && bodies[0].strength < 0.5f, 1);
  IS(skelobj_ragdoll_animate(world, object, identity, 0.5f, -1, no_object), SKELOBJ_STATUS_OK);
  IS(skelobj_ragdoll_info(world, object, &info), SKELOBJ_STATUS_OK);
  IS(info.drive_strength == 0.5f, 1);
  IS(skelobj_ragdoll_animate(world, object, identity, NAN, 0, no_object), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_ragdoll_animate(world, object, identity, 1, NAN, no_object), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_ragdoll_animate(world, object, identity, 1, -INFINITY, no_object), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_ragdoll_enable_joint(world, object, identity, "neck", 0, no_object), SKELOBJ_STATUS_OK);
  IS(skelobj_ragdoll_joints(world, object, joints, 32, &count), SKELOBJ_STATUS_OK);
  for (i = 0; i < count; ++i)
    severed += joints[i].mode == SKELOBJ_JOINT_MODE_SEVERED && strcmp(joints[i].name, "neck") == 0;
  IS(severed, 1);
  IS(skelobj_ragdoll_enable_joint(world, object, identity, "knee", 0, no_object), SKELOBJ_STATUS_NOT_FOUND);
  IS(skelobj_ragdoll_muscle(world, object, identity, 0.5f, no_object), SKELOBJ_STATUS_OK);
  IS(skelobj_ragdoll_muscle(world, object, identity, NAN, no_object), SKELOBJ_STATUS_BAD_NUMBER);
  IS(skelobj_ragdoll_muscle_joint(world, object, identity, "neck", 0.5f, no_object), SKELOBJ_STATUS_OK);
  IS(skelobj_ragdoll_muscle_joint(world, object, identity, "knee", 1, no_object), SKELOBJ_STATUS_NOT_FOUND);
  IS(skelobj_ragdoll_clear(world, object), 1);
  IS(skelobj_object_delete(world, object), SKELOBJ_STATUS_OK);
  IS(skelobj_flush_deleted(world), SKELOBJ_STATUS_OK);
}

static void states(SkelobjWorld world, SkelobjModel model, SkelobjObject object) {
  SkelobjSnapshot snapshot = skelobj_snapshot_take(world), copy;
  SkelobjObject later = skelobj_object_create(world, model, SKELOBJ_SPACE_MODEL);
  SkelobjReceiver receiver = skelobj_receiver_create();
  uint8_t *bytes, message[2048];
  char names[64];
  size_t size;

  IS(skelobj_snapshot_write(snapshot, NULL, 0, &size), SKELOBJ_STATUS_OK);
  bytes = (uint8_t *)malloc(size);
  IS(skelobj_snapshot_write(snapshot, bytes, size, &size), SKELOBJ_STATUS_OK);
  copy = skelobj_snapshot_read(bytes, size);
  free(bytes);
  IS(skelobj_snapshot_is_valid(copy), 1);
  IS(skelobj_snapshot_models(copy, names, sizeof(names), NULL), SKELOBJ_STATUS_OK);
  IS(strcmp(names, "mannequin.iqm"), 0);
  IS(skelobj_snapshot_restore(world, copy), SKELOBJ_STATUS_OK);
  IS(skelobj_object_is_valid(world, later), 0);
  IS(skelobj_snapshot_free(copy), SKELOBJ_STATUS_OK);
  IS(skelobj_snapshot_free(snapshot), SKELOBJ_STATUS_OK);

  IS(skelobj_encode_bones(world, object, SKELOBJ_REPLICATION_FULL, message, sizeof(message), &size), SKELOBJ_STATUS_OK);
  IS(skelobj_apply_bones(world, object, message, size), SKELOBJ_STATUS_OK);
  IS(skelobj_receiver_receive(world, object, receiver, 1.0, message, size), 1);
  IS(skelobj_receiver_newest(receiver), 1.0);
  IS(skelobj_receiver_show(world, object, receiver, 1.0), 1);
  IS(skelobj_receiver_clear(receiver), SKELOBJ_STATUS_OK);
  IS(skelobj_receiver_newest(receiver), -1.0);
  IS(skelobj_receiver_is_valid(receiver), 1);
  IS(skelobj_receiver_free(receiver), SKELOBJ_STATUS_OK);
}

int main(int count, char **arguments) {
  const char *folder = count > 1 ? arguments[1] : "dolls";
  SkelobjWorld world = make_world(folder);
  SkelobjWorldDef def;
  SkelobjModel model, list[4];
  SkelobjObject object;
  char name[64];
  float matrix[12], inverse[12], axes[4][3];
  static const float origin[3] = {1, 2, 3}, angles[3] = {0, 90, 0};
  int32_t number;

  IS(skelobj_version(), SKELOBJ_VERSION);
  IS(strcmp(skelobj_status_name(SKELOBJ_STATUS_BAD_ID), "bad id"), 0);
  IS(skelobj_is_plain_path("progs/player.mdl"), 1);
  IS(skelobj_is_plain_path("../secret"), 0);
  IS(skelobj_world_is_valid(world), 1);
  IS(world.id >> 24, SKELOBJ_KIND_WORLD);
  model = skelobj_world_load_model(world, "mannequin.iqm");
  SOME(model);
  SAME(skelobj_world_load_model(world, "mannequin.iqm"), model);
  SAME(skelobj_world_find_model(world, "mannequin.iqm"), model);
  IS(skelobj_world_model_name(world, model, name, sizeof(name), NULL), SKELOBJ_STATUS_OK);
  IS(strcmp(name, "mannequin.iqm"), 0);
  IS(skelobj_world_models(world, list, 4, &number), SKELOBJ_STATUS_OK);
  IS(number == 1 && list[0].id == model.id, 1);
  IS(skelobj_world_settings(world, &def), SKELOBJ_STATUS_OK);
  def.gravity[2] = -600;
  IS(skelobj_world_set_settings(world, &def), SKELOBJ_STATUS_OK);
  IS(skelobj_entity_matrix(world, origin, angles, 1, matrix), SKELOBJ_STATUS_OK);
  IS(matrix[3] == 1 && matrix[7] == 2 && matrix[11] == 3 && fabsf(matrix[4] - 1) < 1e-6f, 1);
  IS(skelobj_matrix_inverse(matrix, inverse), SKELOBJ_STATUS_OK);
  IS(skelobj_matrix_transform(inverse, origin, axes[0]), SKELOBJ_STATUS_OK);
  IS(fabsf(axes[0][0]) + fabsf(axes[0][1]) + fabsf(axes[0][2]) < 1e-5f, 1);
  IS(skelobj_matrix_multiply(matrix, inverse, inverse), SKELOBJ_STATUS_OK);
  IS(fabsf(inverse[0] - 1) + fabsf(inverse[3]) < 1e-5f, 1);
  IS(skelobj_matrix_axes(matrix, axes[0], axes[1], axes[2], axes[3]), SKELOBJ_STATUS_OK);
  IS(skelobj_matrix_from_axes(axes[0], axes[1], axes[2], axes[3], inverse), SKELOBJ_STATUS_OK);
  IS(fabsf(inverse[4] - matrix[4]) < 1e-6f && inverse[11] == 3, 1);
  object = skelobj_object_create(world, model, SKELOBJ_SPACE_LOCAL);
  models(model);
  objects(world, model, object);
  level(world);
  ragdolls(world, model, object, folder);
  commands(world, model);
  states(world, model, object);
  IS(skelobj_step_blend(world) >= 0, 1);
  IS(skelobj_world_remove_model(world, model), SKELOBJ_STATUS_OK);
  IS(skelobj_bone_count(world, object), 21);
  IS(skelobj_world_free(world), SKELOBJ_STATUS_OK);
  IS(skelobj_model_is_valid(model), 1);
  IS(skelobj_model_free(model), SKELOBJ_STATUS_OK);
  for (number = SKELOBJ_KIND_WORLD; number <= SKELOBJ_KIND_RECEIVER; ++number) IS(skelobj_live_count(number), 0);
  // What stays belongs to the threads of the library.
  IS(skelobj_memory_in_use() < 1 << 20, 1);
  printf("%d calls, %d failures\n", calls, failures);
  return failures != 0;
}
