// Ragdolls of skelobj in DarkPlaces: worlds, skeletal objects and skel_ragupdate.
//
// The engine keeps its skeletal objects: it builds, draws and traces them. skel_ragupdate moves bones between the
// engine's `relativetransforms` and an object of skelobj beside it.
//
// Copyright (C) the skelobj authors. GPL-2.0-or-later: see LICENSE.md in this folder.
#include "ragdoll_local.h"

#include "ragdoll_commands.h"

static ragdolls_t ragdoll_progs[PRVM_PROG_MAX];

void Ragdoll_Say(ragdolls_t *r, const char *format, ...) {
  char text[1000];
  unsigned int hash = 2166136261u, i, known;
  va_list arguments;
  va_start(arguments, format);
  dpvsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  for (i = 0; text[i]; ++i) hash = (hash ^ (unsigned char)text[i]) * 16777619u;
  known = min(r->said_count, (unsigned int)(sizeof(r->said) / sizeof(r->said[0])));
  for (i = 0; i < known; ++i)
    if (r->said[i] == hash) return;
  r->said[r->said_count++ % (sizeof(r->said) / sizeof(r->said[0]))] = hash;
  Con_Printf("skelobj (%s): %s\n", r->prog->name, text);
}

static void say_last_error(ragdolls_t *r, const char *what) {
  char why[512];
  skelobj_last_error(why, sizeof(why));
  Ragdoll_Say(r, "%s: %s", what, why);
}

void *Ragdoll_Grow(ragdolls_t *r, void *array, int *count, int index, size_t size) {
  if (index < *count) return array;
  *count = (index | 63) + 1;
  return Mem_Realloc(r->prog->progs_mempool, array, *count * size);
}

model_t *Ragdoll_ModelByIndex(const ragdolls_t *r, int index) {
  return r->prog == SVVM_prog ? SV_GetModelByIndex(index) : CL_GetModelByIndex(index);
}

// ---- Files, log and models of skelobj -----------------------------------------------------------------------------

static const uint8_t *load_file(void *user, const char *name, size_t *size) {
  fs_offset_t length = 0;
  uint8_t *bytes = FS_LoadFile(name, tempmempool, true, &length);
  (void)user;
  *size = (size_t)length;
  return bytes;
}

static void unload_file(void *user, const uint8_t *bytes, size_t size) {
  (void)user, (void)size;
  Mem_Free((void *)bytes);
}

static void log_text(void *user, int32_t level, const char *text) {
  (void)level;
  Ragdoll_Say((ragdolls_t *)user, "%s", text);
}

static SkelobjFiles files(void) {
  SkelobjFiles result;
  result.load = load_file;
  result.unload = unload_file;
  result.user = NULL;
  return result;
}

// Reads a model by the rules of DarkPlaces, once per map.
static SkelobjModel load_model(ragdolls_t *r, const char *name) {
  SkelobjLoadDef def = skelobj_default_load_def();
  SkelobjModel model = skelobj_world_find_model(r->world, name);
  const uint8_t *bytes;
  size_t size = 0;
  if (model.id) return model;
  bytes = load_file(NULL, name, &size);
  if (!bytes) return model;
  def.as_darkplaces = 1;
  def.files = files();
  model = skelobj_model_load(name, bytes, size, &def);
  unload_file(NULL, bytes, size);
  if (model.id && skelobj_world_add_model(r->world, name, model) == SKELOBJ_STATUS_OK) return model;
  say_last_error(r, name);
  if (model.id) skelobj_model_free(model);
  model.id = 0;
  return model;
}

// Has a model a doll? Looks where skelobj looks.
static qbool has_doll(const char *model) {
  char name[MAX_QPATH + 8];
  const char *dot = strrchr(model, '.');
  dpsnprintf(name, sizeof(name), "%s.doll", model);
  if (FS_FileExists(name)) return true;
  if (!dot) return false;
  dpsnprintf(name, sizeof(name), "%.*s.doll", (int)(dot - model), model);
  return FS_FileExists(name);
}

// ---- Worlds -------------------------------------------------------------------------------------------------------

// Returns the ragdolls of a program; null if it has none.
static ragdolls_t *find(const prvm_prog_t *prog) {
  ragdolls_t *r = &ragdoll_progs[prog - prvm_prog_list];
  return r->world.id ? r : NULL;
}

// Returns the ragdolls of a program, with a new world at the first call. Null on failure, which it has told.
static ragdolls_t *need(prvm_prog_t *prog) {
  ragdolls_t *r = &ragdoll_progs[prog - prvm_prog_list];
  SkelobjWorldDef def = skelobj_default_world_def();
  if (r->world.id) return r;
  r->prog = prog;
  def.files = files();
  def.log = log_text;
  def.log_user = r;
  def.max_step_debt = 1;  // frames last up to 0.1 s, times host_timescale
  r->gravity = -def.gravity[2];
  r->was_idle = true;
  r->world = skelobj_world_create(&def);
  if (r->world.id) return r;
  say_last_error(r, "no ragdolls on this map");
  return NULL;
}

static void forget(ragdolls_t *r, ragdoll_skeleton_t *s) {
  if (s->object.id) skelobj_object_delete(r->world, s->object);
  r->ragdolls -= s->has_ragdoll;
  if (s->shown) Mem_Free(s->shown);
  memset(s, 0, sizeof(*s));
}

void Ragdoll_Reset(prvm_prog_t *prog) {
  ragdolls_t *r = find(prog);
  SkelobjModel *models;
  int32_t i, count = 0;
  if (!r) return;
  for (i = 0; i < r->skeleton_count; ++i) forget(r, &r->skeletons[i]);
  // A world owns none of its models.
  skelobj_world_models(r->world, NULL, 0, &count);
  models = (SkelobjModel *)Mem_Alloc(tempmempool, (count + 1) * sizeof(*models));
  if (skelobj_world_models(r->world, models, count, &count) == SKELOBJ_STATUS_OK)
    for (i = 0; i < count; ++i) skelobj_model_free(models[i]);
  Mem_Free(models);
  skelobj_world_free(r->world);
  if (r->skeletons) Mem_Free(r->skeletons);
  if (r->submodels) Mem_Free(r->submodels);
  if (r->edicts.list) Mem_Free(r->edicts.list);
  if (r->network.list) Mem_Free(r->network.list);
  memset(r, 0, sizeof(*r));
}

void Ragdoll_Frame(prvm_prog_t *prog, double seconds, double gravity) {
  ragdolls_t *r = find(prog);
  SkelobjWorldDef settings;
  int i;
  if (!r || seconds <= 0) return;
  // The client's skeletal objects also end with the memory of the level.
  for (i = 0; i < r->skeleton_count; ++i)
    if (r->skeletons[i].object.id && prog->skeletons[i] != r->skeletons[i].engine) forget(r, &r->skeletons[i]);
  if (!r->ragdolls) {
    r->was_idle = true;
    skelobj_flush_deleted(r->world);
    return;
  }
  if ((float)gravity != r->gravity && skelobj_world_settings(r->world, &settings) == SKELOBJ_STATUS_OK) {
    r->gravity = (float)gravity;
    settings.gravity[2] = -r->gravity;
    skelobj_world_set_settings(r->world, &settings);
  }
  Ragdoll_FollowEntities(r, (float)seconds, r->was_idle);
  r->was_idle = false;
  skelobj_step(r->world, (float)seconds, NULL);
}

// ---- Skeletal objects ---------------------------------------------------------------------------------------------

void Ragdoll_SkeletonCreated(prvm_prog_t *prog, const skeleton_t *skeleton) {
  ragdolls_t *r;
  SkelobjModel model;
  if (!has_doll(skeleton->model->name) || !(r = need(prog))) return;
  Ragdoll_AddLevel(r);
  if (skelobj_world_find_model(r->world, skeleton->model->name).id) return;
  model = load_model(r, skeleton->model->name);
  if (model.id) skelobj_precache_doll(r->world, model);
}

void Ragdoll_SkeletonDeleted(prvm_prog_t *prog, int index) {
  ragdolls_t *r = find(prog);
  if (!r || index < 0 || index >= r->skeleton_count) return;
  forget(r, &r->skeletons[index]);
  skelobj_flush_deleted(r->world);
}

// Finds the counterpart of a skeletal object, by its number in game code, or makes it. Null on failure, which it has
// told.
static ragdoll_skeleton_t *counterpart(ragdolls_t *r, int number) {
  const skeleton_t *skeleton = number >= 1 && number <= MAX_EDICTS ? r->prog->skeletons[number - 1] : NULL;
  ragdoll_skeleton_t *s;
  SkelobjModel model;
  if (!skeleton) {
    Ragdoll_Say(r, "skeletal object %d does not exist: it was deleted, or a saved game was loaded (the engine saves none); "
                   "create it again", number);
    return NULL;
  }
  r->skeletons = (ragdoll_skeleton_t *)Ragdoll_Grow(r, r->skeletons, &r->skeleton_count, number - 1, sizeof(*s));
  s = &r->skeletons[number - 1];
  if (s->object.id && s->engine == skeleton) return s;
  forget(r, s);
  Ragdoll_AddLevel(r);
  model = load_model(r, skeleton->model->name);
  if (!model.id) return NULL;
  s->object = skelobj_object_create(r->world, model, SKELOBJ_SPACE_LOCAL);
  s->engine = skeleton;
  s->bones = skelobj_bone_count(r->world, s->object);
  if (s->object.id && s->bones == skeleton->model->num_bones) {
    s->shown = (float *)Mem_Alloc(r->prog->progs_mempool, s->bones * sizeof(float[12]));
    return s;
  }
  Ragdoll_Say(r, "%s has %d bones in the engine and %d in skelobj", skeleton->model->name, skeleton->model->num_bones,
              s->bones);
  forget(r, s);
  return NULL;
}

// Tells skelobj what game code has built since the last update.
static qbool read_bones(ragdolls_t *r, ragdoll_skeleton_t *s) {
  size_t size = s->bones * sizeof(float[12]);
  float *bones = (float *)Mem_Alloc(tempmempool, size);
  qbool is_read = true;
  int i;
  for (i = 0; i < s->bones; ++i) Matrix4x4_ToArray12FloatD3D(&s->engine->relativetransforms[i], bones + 12 * i);
  if (memcmp(s->shown, bones, size)) {
    memcpy(s->shown, bones, size);
    is_read = skelobj_set_pose(r->world, s->object, SKELOBJ_SPACE_LOCAL, bones, s->bones) == SKELOBJ_STATUS_OK;
  }
  Mem_Free(bones);
  return is_read;
}

static void write_bones(ragdolls_t *r, ragdoll_skeleton_t *s) {
  int i;
  if (skelobj_pose(r->world, s->object, SKELOBJ_SPACE_LOCAL, s->shown, s->bones) != SKELOBJ_STATUS_OK) return;
  for (i = 0; i < s->bones; ++i) Matrix4x4_FromArray12FloatD3D(&s->engine->relativetransforms[i], s->shown + 12 * i);
}

void VM_skel_ragupdate(prvm_prog_t *prog) {
  ragdolls_t *r = need(prog);
  prvm_edict_t *entity = PRVM_G_EDICT(OFS_PARM0);
  const char *command = prog->argc > 1 ? PRVM_G_STRING(OFS_PARM1) : "";
  int number = (int)PRVM_gameedictfloat(entity, skeletonindex);
  int source_number = prog->argc > 2 ? (int)PRVM_G_FLOAT(OFS_PARM2) : 0;
  ragdoll_skeleton_t *s;
  SkelobjObject source = {0};
  SkelobjObjectInfo info;
  matrix4x4_t place;
  float matrix[12], result = 0;
  char problem[512] = "";
  VM_SAFEPARMCOUNTRANGE(1, 3, VM_skel_ragupdate);
  PRVM_G_FLOAT(OFS_RETURN) = 0;
  if (!r || !number) return;
  if (source_number && source_number != number) {
    s = counterpart(r, source_number);
    if (s && read_bones(r, s)) source = s->object;
  }
  s = counterpart(r, number);
  if (!s) return;
  if (prog == SVVM_prog)
    SV_GetEntityMatrix(prog, entity, &place, false);
  else
    CL_GetEntityMatrix(prog, entity, &place, false);
  Matrix4x4_ToArray12FloatD3D(&place, matrix);
  read_bones(r, s);
  if (!plugin_command(r->world, s->object, command, &result, problem, sizeof(problem))) {
    int32_t value = 0;
    if (skelobj_ragdoll_command(r->world, s->object, matrix, command, source, &value) == SKELOBJ_STATUS_OK)
      result = (float)value;
  }
  if (problem[0]) Ragdoll_Say(r, "%s", problem);
  if (skelobj_object_info(r->world, s->object, &info) == SKELOBJ_STATUS_OK) {
    r->ragdolls += info.has_ragdoll - s->has_ragdoll;
    s->has_ragdoll = info.has_ragdoll;
    if (s->has_ragdoll) write_bones(r, s);
  }
  PRVM_G_FLOAT(OFS_RETURN) = result;
}

// ---- Console commands ---------------------------------------------------------------------------------------------

static void status_f(cmd_state_t *cmd) {
  int i, j;
  (void)cmd;
  for (i = 0; i < PRVM_PROG_MAX; ++i) {
    const ragdolls_t *r = &ragdoll_progs[i];
    SkelobjRagdollInfo info;
    int awake = 0, bodies = 0;
    if (!r->world.id) continue;
    for (j = 0; j < r->skeleton_count; ++j)
      if (r->skeletons[j].has_ragdoll &&
          skelobj_ragdoll_info(r->world, r->skeletons[j].object, &info) == SKELOBJ_STATUS_OK) {
        awake += !info.is_asleep;
        bodies += info.body_count;
      }
    Con_Printf("skelobj: %s: %d ragdolls, %d awake, %d bodies\n", r->prog->name, r->ragdolls, awake, bodies);
  }
  Con_Printf("skelobj: %d worlds, %d models, %d dolls in memory\n", (int)skelobj_live_count(SKELOBJ_KIND_WORLD),
             (int)skelobj_live_count(SKELOBJ_KIND_MODEL), (int)skelobj_live_count(SKELOBJ_KIND_DOLL));
}

static void reload_f(cmd_state_t *cmd) {
  int i, changed = 0;
  (void)cmd;
  for (i = 0; i < PRVM_PROG_MAX; ++i)
    if (ragdoll_progs[i].world.id) {
      ragdoll_progs[i].said_count = 0;  // what was wrong with a doll may be wrong again
      changed += skelobj_reload_dolls(ragdoll_progs[i].world);
    }
  Con_Printf("skelobj: %d ragdolls changed\n", changed);
}

void Ragdoll_Init(void) {
  Cmd_AddCommand(CF_SHARED, "skelobj_status", status_f, "prints how many ragdolls there are");
  Cmd_AddCommand(CF_SHARED, "skelobj_reload", reload_f, "reads all doll files again and changes the ragdolls in place");
}
