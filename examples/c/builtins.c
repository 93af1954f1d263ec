// How an engine's builtins call skelobj: the skel_* family as wrappers of a few lines each, in the style of Quake's
// PF_ functions. The engine's side is a stand-in here: globals for parameters and results, strings, entities.
//
//   cc -std=c11 -Iinclude examples/c/builtins.c target/release/libskelobj.a -lpthread -ldl -lm -o builtins
//   ./builtins dolls
//
// Numbers of bones and tags are those of QuakeC; an object's id has its number in it. What fails returns 0 to the script
// and tells why in the engine's log (SkelobjWorldDef.log).
#include <skelobj.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- The engine's side: replace this by yours ---------------------------------------------------------------------

enum { OFS_RETURN = 1, OFS_PARM0 = 4, OFS_PARM1 = 7, OFS_PARM2 = 10, OFS_PARM3 = 13, OFS_PARM6 = 22 };

typedef struct {
  float origin[3], angles[3], frame, frame1time, skeletonindex;
  int model;  // index of a precached model
} edict_t;

static float pr_globals[64], v_forward[3], v_right[3], v_up[3];
static const char *pr_strings[16];
static edict_t edicts[4];
static int pr_argc;
static SkelobjWorld sv_world;
static SkelobjModel sv_models[8];

#define G_FLOAT(o) (pr_globals[o])
#define G_VECTOR(o) (&pr_globals[o])
#define G_STRING(o) (pr_strings[(int)pr_globals[o]])
#define G_EDICT(o) (&edicts[(int)pr_globals[o]])
#define G_OBJECT(o) skelobj_object_from_number((int)G_FLOAT(o))
#define MODEL(o) (sv_models[(int)pr_globals[o] & 7])
#define RETURN(value) ((void)(G_FLOAT(OFS_RETURN) = (float)(value)))

static void entity_matrix(const edict_t *entity, float matrix[12]) {
  if (skelobj_entity_matrix(sv_world, entity->origin, entity->angles, 1, matrix) != SKELOBJ_STATUS_OK)
    memset(matrix, 0, 12 * sizeof(float));
}

// The 17 frame fields of an entity, in the order of SkelobjFrameDef.fields.
static SkelobjFrameDef entity_frame(const edict_t *entity, float fields[17]) {
  SkelobjFrameDef frame = skelobj_default_frame_def();
  memset(fields, 0, 17 * sizeof(float));
  fields[0] = entity->frame;
  fields[4] = entity->frame1time;
  frame.fields = fields;
  return frame;
}

// Game code goes on after a call that failed.
static void warn(SkelobjStatus status) {
  char text[256];
  if (status == SKELOBJ_STATUS_OK) return;
  skelobj_last_error(text, sizeof(text));
  fprintf(stderr, "%s\n", text);
}

// A matrix as game code sees it: the origin is returned, the axes go to v_forward, v_right and v_up.
static void return_matrix(SkelobjStatus status, const float matrix[12]) {
  memset(G_VECTOR(OFS_RETURN), 0, 3 * sizeof(float));
  if (status == SKELOBJ_STATUS_OK) warn(skelobj_matrix_axes(matrix, v_forward, v_right, v_up, G_VECTOR(OFS_RETURN)));
}

// A matrix from optional axes (parameters `first` and on) and an origin.
static void read_matrix(int first, const float *origin, float matrix[12]) {
  int given = pr_argc > first;
  warn(skelobj_matrix_from_axes(given ? G_VECTOR(OFS_PARM0 + 3 * first) : v_forward,
                                given ? G_VECTOR(OFS_PARM0 + 3 * first + 3) : v_right,
                                given ? G_VECTOR(OFS_PARM0 + 3 * first + 6) : v_up, origin, matrix));
}

// A range of bones: a script names the first bone and the first one after the range, 0 for all; skelobj_ calls take the
// first and the last.
static void read_range(int first, int32_t *from, int32_t *to) {
  int end = (int)G_FLOAT(OFS_PARM0 + 3 * first + 3);
  *from = (int)G_FLOAT(OFS_PARM0 + 3 * first);
  *to = end > 0 ? end - 1 : 0;
  if (end == 1) *from = 2, *to = 1;  // none
}

// ---- Builtins -----------------------------------------------------------------------------------------------------

// #263: float skel_create(float modelindex, optional float useabstransforms)
static void PF_skel_create(void) {
  int space = pr_argc > 1 && G_FLOAT(OFS_PARM1) != 0 ? SKELOBJ_SPACE_MODEL : SKELOBJ_SPACE_LOCAL;
  RETURN(skelobj_object_number(skelobj_object_create(sv_world, MODEL(OFS_PARM0), space)));
}

// #264: float skel_build(float skel, entity ent, float modelindex, float retainfrac, float first, float last, float add)
static void PF_skel_build(void) {
  float fields[17];
  SkelobjFrameDef frame = entity_frame(G_EDICT(OFS_PARM1), fields);
  SkelobjBuildDef build = skelobj_default_build_def();
  SkelobjObject object = G_OBJECT(OFS_PARM0);
  int built;
  build.retain = G_FLOAT(OFS_PARM3);
  read_range(4, &build.first_bone, &build.last_bone);
  build.add = pr_argc > 6 ? G_FLOAT(OFS_PARM6) : 1 - build.retain;
  built = skelobj_build(sv_world, object, MODEL(OFS_PARM2), &frame, &build) == SKELOBJ_STATUS_OK;
  RETURN(built ? skelobj_object_number(object) : 0);
}

// #265: float skel_get_numbones(float skel)
static void PF_skel_get_numbones(void) { RETURN(skelobj_bone_count(sv_world, G_OBJECT(OFS_PARM0))); }

// #266: string skel_get_bonename(float skel, float bone)
static void PF_skel_get_bonename(void) {
  static char name[64];
  if (skelobj_bone_name(sv_world, G_OBJECT(OFS_PARM0), (int)G_FLOAT(OFS_PARM1), name, sizeof(name), NULL))
    name[0] = 0;
  pr_strings[15] = name;
  RETURN(15);
}

// #267: float skel_get_boneparent(float skel, float bone)
static void PF_skel_get_boneparent(void) {
  RETURN(skelobj_bone_parent(sv_world, G_OBJECT(OFS_PARM0), (int)G_FLOAT(OFS_PARM1)));
}

// #268: float skel_find_bone(float skel, string name)
static void PF_skel_find_bone(void) {
  RETURN(skelobj_find_bone(sv_world, G_OBJECT(OFS_PARM0), G_STRING(OFS_PARM1)));
}

// #269: vector skel_get_bonerel(float skel, float bone)
static void PF_skel_get_bonerel(void) {
  float matrix[12];
  return_matrix(skelobj_bone_local(sv_world, G_OBJECT(OFS_PARM0), (int)G_FLOAT(OFS_PARM1), matrix), matrix);
}

// #270: vector skel_get_boneabs(float skel, float bone)
static void PF_skel_get_boneabs(void) {
  float matrix[12];
  return_matrix(skelobj_bone_model(sv_world, G_OBJECT(OFS_PARM0), (int)G_FLOAT(OFS_PARM1), matrix), matrix);
}

// #271: void skel_set_bone(float skel, float bone, vector org, optional vector fwd, vector right, vector up)
static void PF_skel_set_bone(void) {
  float matrix[12];
  read_matrix(3, G_VECTOR(OFS_PARM2), matrix);
  warn(skelobj_set_bone(sv_world, G_OBJECT(OFS_PARM0), (int)G_FLOAT(OFS_PARM1), matrix));
}

// #272: void skel_mul_bone(float skel, float bone, vector org, optional vector fwd, vector right, vector up)
static void PF_skel_mul_bone(void) {
  float matrix[12];
  read_matrix(3, G_VECTOR(OFS_PARM2), matrix);
  warn(skelobj_mul_bone(sv_world, G_OBJECT(OFS_PARM0), (int)G_FLOAT(OFS_PARM1), matrix));
}

// #273: void skel_mul_bones(float skel, float first, float last, vector org, optional vector fwd, vector right, vector up)
static void PF_skel_mul_bones(void) {
  float matrix[12];
  int32_t first, last;
  read_range(1, &first, &last);
  read_matrix(4, G_VECTOR(OFS_PARM3), matrix);
  warn(skelobj_mul_bones(sv_world, G_OBJECT(OFS_PARM0), first, last, matrix));
}

// #274: void skel_copybones(float to, float from, float first, float last)
static void PF_skel_copybones(void) {
  int32_t first, last;
  read_range(2, &first, &last);
  warn(skelobj_copy_bones(sv_world, G_OBJECT(OFS_PARM0), G_OBJECT(OFS_PARM1), first, last));
}

// #275: void skel_delete(float skel)
static void PF_skel_delete(void) { warn(skelobj_object_delete(sv_world, G_OBJECT(OFS_PARM0))); }

// #276: float frameforname(float modelindex, string name)
static void PF_frameforname(void) { RETURN(skelobj_model_find_animation(MODEL(OFS_PARM0), G_STRING(OFS_PARM1))); }

// #277: float frameduration(float modelindex, float frame)
static void PF_frameduration(void) {
  SkelobjModelData data;
  int frame = (int)G_FLOAT(OFS_PARM1);
  int known = skelobj_model_data(MODEL(OFS_PARM0), &data) == SKELOBJ_STATUS_OK && frame >= 0 && frame < data.animation_count;
  RETURN(known ? data.animations[frame].duration : 0);
}

// #281: float skel_ragupdate(entity ent, string command, float animskel)
static void PF_skel_ragupdate(void) {
  edict_t *entity = G_EDICT(OFS_PARM0);
  SkelobjObject object = skelobj_object_from_number((int)entity->skeletonindex), source = G_OBJECT(OFS_PARM2);
  const char *command = G_STRING(OFS_PARM1);
  float matrix[12];
  int32_t result = 0;
  entity_matrix(entity, matrix);
  if (!command) command = "";  // only updates the bones
  if (!skelobj_object_is_valid(sv_world, source)) source.id = 0;
  RETURN(skelobj_ragdoll_command(sv_world, object, matrix, command, source, &result) == SKELOBJ_STATUS_OK ? result : 0);
}

// #451: float gettagindex(entity ent, string name)
static void PF_gettagindex(void) {
  RETURN(skelobj_model_find_tag(sv_models[G_EDICT(OFS_PARM0)->model], G_STRING(OFS_PARM1)));
}

// #452: vector gettaginfo(entity ent, float tag)
static void PF_gettaginfo(void) {
  const edict_t *entity = G_EDICT(OFS_PARM0);
  float fields[17], matrix[12];
  SkelobjFrameDef frame = entity_frame(entity, fields);
  SkelobjEntity link;
  memset(&link, 0, sizeof(link));
  entity_matrix(entity, link.matrix);
  link.model = sv_models[entity->model];
  link.object = skelobj_object_from_number((int)entity->skeletonindex);
  link.frame = &frame;
  link.tag = (int)G_FLOAT(OFS_PARM1);
  return_matrix(skelobj_tag(sv_world, &link, 1, matrix), matrix);
}

// ---- A script that calls them -------------------------------------------------------------------------------------

// skelobj asks for plain paths only, which stay in the folder; the check here is for the host's own calls.
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

// Calls a builtin with up to seven float parameters.
static float call(void (*builtin)(void), int count, float a, float b, float c, float d, float e, float f, float g) {
  const float parameters[7] = {a, b, c, d, e, f, g};
  for (pr_argc = 0; pr_argc < count; ++pr_argc) G_FLOAT(OFS_PARM0 + 3 * pr_argc) = parameters[pr_argc];
  builtin();
  return G_FLOAT(OFS_RETURN);
}

#define CALL1(f, a) call(f, 1, a, 0, 0, 0, 0, 0, 0)
#define CALL2(f, a, b) call(f, 2, a, b, 0, 0, 0, 0, 0)
#define CALL3(f, a, b, c) call(f, 3, a, b, c, 0, 0, 0, 0)
#define CALL4(f, a, b, c, d) call(f, 4, a, b, c, d, 0, 0, 0)

static int wrong;

static void expect(int is, const char *what) {
  if (is) return;
  wrong = 1;
  printf("wrong: %s\n", what);
}

#define EXPECT(condition) expect(condition, #condition)

int main(int argc, char **argv) {
  SkelobjWorldDef def = skelobj_default_world_def();
  float skel, other, head, height;
  int i;
  def.files.load = load_file;
  def.files.unload = unload_file;
  def.keep_bones = 0;
  def.files.user = argc > 1 ? argv[1] : (char *)"dolls";
  sv_world = skelobj_world_create(&def);
  sv_models[1] = skelobj_world_load_model(sv_world, "mannequin.iqm");
  skelobj_add_floor(sv_world, 0);
  pr_strings[1] = "head";
  pr_strings[2] = "walk";
  pr_strings[3] = "animate 0";
  pr_strings[4] = "";
  edicts[1].model = 1;
  edicts[1].frame = CALL2(PF_frameforname, 1, 2);
  EXPECT(CALL2(PF_frameduration, 1, edicts[1].frame) > 0);
  skel = CALL1(PF_skel_create, 1);
  other = CALL1(PF_skel_create, 1);
  edicts[1].skeletonindex = skel;
  EXPECT(skel > 0 && other > skel);
  EXPECT(call(PF_skel_build, 6, skel, 1, 1, 0, 0, 0, 0) == skel);
  EXPECT(CALL1(PF_skel_get_numbones, skel) == 21);
  head = CALL2(PF_skel_find_bone, skel, 1);
  CALL2(PF_skel_get_bonename, skel, head);
  EXPECT(strcmp(pr_strings[15], "head") == 0);
  EXPECT(CALL2(PF_skel_get_boneparent, skel, head) > 0);
  CALL2(PF_skel_get_boneabs, skel, head);
  height = G_VECTOR(OFS_RETURN)[2];
  EXPECT(height > 40);
  CALL2(PF_skel_get_bonerel, skel, head);
  EXPECT(v_forward[0] * v_forward[0] + v_forward[1] * v_forward[1] + v_forward[2] * v_forward[2] > 0.9f);
  CALL3(PF_skel_set_bone, skel, head, 0);
  CALL3(PF_skel_mul_bone, skel, head, 0);
  CALL4(PF_skel_mul_bones, skel, head, head, 0);
  CALL4(PF_skel_copybones, other, skel, 0, 0);
  EXPECT(call(PF_skel_build, 6, skel, 1, 1, 0, 0, 0, 0) == skel);
  EXPECT(CALL2(PF_gettagindex, 1, 1) == head);
  CALL2(PF_gettaginfo, 1, head);
  EXPECT(G_VECTOR(OFS_RETURN)[2] > 40);
  EXPECT(CALL3(PF_skel_ragupdate, 1, 4, 0) == 1);
  EXPECT(CALL3(PF_skel_ragupdate, 1, 3, 0) == 1);
  for (i = 0; i < 240; ++i) {
    CALL3(PF_skel_ragupdate, 1, 4, 0);
    warn(skelobj_step(sv_world, 1.0f / 60, NULL));
  }
  CALL2(PF_skel_get_boneabs, skel, head);
  EXPECT(G_VECTOR(OFS_RETURN)[2] < height / 2);
  CALL1(PF_skel_delete, skel);
  CALL1(PF_skel_delete, other);
  warn(skelobj_step(sv_world, 1.0f / 60, NULL));
  EXPECT(CALL1(PF_skel_get_numbones, skel) == 0);
  skelobj_world_free(sv_world);
  skelobj_model_free(sv_models[1]);
  printf("%s\n", wrong ? "something is wrong" : "every builtin does what it should");
  return wrong;
}
