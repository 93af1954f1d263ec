// skelobj as a physics plugin of FTEQW: the builtins that game code calls.
//
// The engine keeps its skeletal objects: it builds, draws, networks and traces them. The plugin replaces skel_ragupdate
// and moves bones between the engine's memory (skel_mmap) and skelobj. It watches skel_create and skel_delete.
//
// Copyright (C) the skelobj authors. GPL-2.0-or-later: see LICENSE.md in this folder.
#include "shim.h"

#include "ragdoll_commands.h"

#include <stdio.h>

static const int NUMBER[BUILTINS] = {
    [SKEL_CREATE] = 263, [SKEL_DELETE] = 275, [SKEL_RAGUPDATE] = 281, [SKEL_GET_NUMBONES] = 265, [SKEL_MMAP] = 282};

// Calls a builtin of the engine with one number, from inside another one: parameters and result stay as they are.
static int call(struct shim *shim, enum builtin which, pubprogfuncs_t *prinst, struct globalvars_s *pr_globals,
                int parameter) {
  float saved = G_FLOAT(OFS_PARM0);
  int count = prinst->callargc, result;
  prinst->callargc = 1;
  G_FLOAT(OFS_PARM0) = parameter;
  shim->original[which](prinst, pr_globals);
  result = which == SKEL_MMAP ? G_INT(OFS_RETURN) : (int)G_FLOAT(OFS_RETURN);
  G_FLOAT(OFS_PARM0) = saved;
  prinst->callargc = count;
  return result;
}

static struct skeleton *skeleton(struct shim *shim, int index) {
  if (index <= 0 || index > 0xffff) return NULL;
  if (!grow((void **)&shim->skeletons, &shim->skeleton_count, index, sizeof(struct skeleton))) return NULL;
  return &shim->skeletons[index];
}

static void forget(struct shim *shim, struct skeleton *s) {
  if (s->object.id) skelobj_object_delete(shim->physics, s->object);
  shim->ragdolls -= s->has_ragdoll;
  free(s->shown);
  memset(s, 0, sizeof(*s));
}

void forget_skeletons(struct shim *shim) {
  size_t i;
  for (i = 0; i < shim->skeleton_count; ++i) forget(shim, &shim->skeletons[i]);
  free(shim->skeletons);
  shim->skeletons = NULL;
  shim->skeleton_count = 0;
}

static const char *model_name(struct shim *shim, int model_index) {
  model_t *model = shim->world->Get_CModel(shim->world, model_index);
  return model ? model->name : "";
}

// Has a model a doll? Looks where skelobj looks.
static int has_doll(const char *model) {
  char name[MAX_QPATH + 8];
  const char *dot = strrchr(model, '.');
  int i;
  for (i = 0; i < 2; ++i) {
    size_t size;
    void *text;
    if (i && !dot) return 0;
    snprintf(name, sizeof(name), "%.*s.doll", i ? (int)(dot - model) : (int)strlen(model), model);
    text = fsfuncs->LoadFile(name, &size);
    if (!text) continue;
    plugfuncs->Free(text);
    return 1;
  }
  return 0;
}

// Finds the counterpart of the engine's skeletal object, or makes it. Null on failure, which it has told.
static struct skeleton *counterpart(struct shim *shim, pubprogfuncs_t *prinst, struct globalvars_s *pr_globals,
                                    int index, int model_index, float **bones) {
  struct skeleton *s = skeleton(shim, index);
  int count = s ? call(shim, SKEL_GET_NUMBONES, prinst, pr_globals, index) : 0;
  int memory = count ? call(shim, SKEL_MMAP, prinst, pr_globals, index) : 0;
  const char *name;
  SkelobjModel model;
  if (!memory) {
    say(shim, "skeletal object %d does not exist: it was deleted, or a saved game was loaded (the engine saves none); "
              "create it again", index);
    return NULL;
  }
  *bones = (float *)(prinst->stringtable + memory);
  if (s->is_absolute) {
    say(shim, "skeletal object %d has absolute bones: call skel_create without a second parameter", index);
    return NULL;
  }
  if (s->object.id && s->bones == count) return s;
  if (s->model_index) model_index = s->model_index;
  name = model_name(shim, model_index);
  add_level(shim);
  model = skelobj_world_load_model(shim->physics, name);
  if (!model.id) return NULL;
  forget(shim, s);
  s->model_index = model_index;
  s->object = skelobj_object_create(shim->physics, model, SKELOBJ_SPACE_LOCAL);
  s->bones = skelobj_bone_count(shim->physics, s->object);
  s->shown = calloc((size_t)count * 12, sizeof(float));
  if (s->bones == count && s->shown) return s;
  say(shim, "%s has %d bones in the engine and %d in skelobj", name, count, (int)s->bones);
  forget(shim, s);
  return NULL;
}

// Tells skelobj what game code has built since the last update.
static int read_bones(struct shim *shim, struct skeleton *s, const float *bones) {
  size_t size = (size_t)s->bones * 12 * sizeof(float);
  if (memcmp(s->shown, bones, size) == 0) return 1;
  memcpy(s->shown, bones, size);
  return skelobj_set_pose(shim->physics, s->object, SKELOBJ_SPACE_LOCAL, bones, s->bones) == SKELOBJ_STATUS_OK;
}

static void write_bones(struct shim *shim, struct skeleton *s, float *bones) {
  if (skelobj_pose(shim->physics, s->object, SKELOBJ_SPACE_LOCAL, bones, s->bones) == SKELOBJ_STATUS_OK)
    memcpy(s->shown, bones, (size_t)s->bones * 12 * sizeof(float));
}

// float skel_ragupdate(entity ent, string command, float animskel)
static void QCBUILTIN ragupdate(pubprogfuncs_t *prinst, struct globalvars_s *pr_globals) {
  struct shim *shim = shim_of(prinst->parms->user);
  wedict_t *entity = (wedict_t *)G_EDICT(prinst, OFS_PARM0);
  const char *command = prinst->callargc > 1 ? PR_GetStringOfs(prinst, OFS_PARM1) : "";
  int index = (int)entity->xv->skeletonindex, model = (int)entity->v->modelindex, i, is_new;
  int source_index = prinst->callargc > 2 ? (int)G_FLOAT(OFS_PARM2) : 0;
  float origin[3], angles[3], matrix[12], result = 0, *bones;
  struct skeleton *s = shim && index ? counterpart(shim, prinst, pr_globals, index, model, &bones) : NULL;
  SkelobjObject source = {0};
  SkelobjObjectInfo info;
  char problem[512] = "";
  for (i = 0; i < 3; ++i) {
    origin[i] = entity->v->origin[i];
    angles[i] = entity->v->angles[i];
  }
  if (!s || skelobj_entity_matrix(shim->physics, origin, angles, entity->xv->scale ? entity->xv->scale : 1, matrix)) {
    G_FLOAT(OFS_RETURN) = 0;
    return;
  }
  if (source_index && source_index != index) {
    float *source_bones;
    struct skeleton *from = counterpart(shim, prinst, pr_globals, source_index, model, &source_bones);
    if (from && read_bones(shim, from, source_bones)) source = from->object;
    s = &shim->skeletons[index];  // the array may have moved
  }
  is_new = !s->entity;
  s->entity = entity->entnum;
  if (read_bones(shim, s, bones) && is_new && load_pose(shim, prinst, s, entity))
    skelobj_ragdoll_command(shim->physics, s->object, matrix, "animate 0", (SkelobjObject){0}, NULL);
  if (!plugin_command(shim->physics, s->object, command, &result, problem, sizeof(problem))) {
    int32_t number = 0;
    if (skelobj_ragdoll_command(shim->physics, s->object, matrix, command, source, &number) == SKELOBJ_STATUS_OK)
      result = number;
  }
  if (problem[0]) say(shim, "%s", problem);
  if (skelobj_object_info(shim->physics, s->object, &info) == SKELOBJ_STATUS_OK) {
    shim->ragdolls += info.has_ragdoll - s->has_ragdoll;
    s->has_ragdoll = info.has_ragdoll;
    if (info.has_ragdoll) {
      write_bones(shim, s, bones);
      save_pose(shim, prinst, s, entity);
    }
  }
  G_FLOAT(OFS_RETURN) = result;
}

// float skel_create(float modelindex, optional float useabstransforms)
static void QCBUILTIN create(pubprogfuncs_t *prinst, struct globalvars_s *pr_globals) {
  struct shim *shim = shim_of(prinst->parms->user);
  int model = (int)G_FLOAT(OFS_PARM0), is_absolute = prinst->callargc > 1 && G_FLOAT(OFS_PARM1) != 0;
  struct skeleton *s;
  const char *name;
  if (!shim) {
    G_FLOAT(OFS_RETURN) = 0;
    return;
  }
  shim->original[SKEL_CREATE](prinst, pr_globals);
  s = skeleton(shim, (int)G_FLOAT(OFS_RETURN));
  if (!s) return;
  forget(shim, s);
  s->model_index = model;
  s->is_absolute = is_absolute;
  // Files are read when the map spawns its entities rather than when the first of them dies.
  name = model_name(shim, model);
  if (is_absolute || skelobj_world_find_model(shim->physics, name).id || !has_doll(name)) return;
  add_level(shim);
  skelobj_precache_doll(shim->physics, skelobj_world_load_model(shim->physics, name));
}

// void skel_delete(float skel)
static void QCBUILTIN delete(pubprogfuncs_t *prinst, struct globalvars_s *pr_globals) {
  struct shim *shim = shim_of(prinst->parms->user);
  int index = (int)G_FLOAT(OFS_PARM0);
  if (!shim) return;
  if (index > 0 && (size_t)index < shim->skeleton_count) {
    int entity = shim->skeletons[index].entity;
    if (entity > 0 && (unsigned)entity < shim->world->num_edicts)
      clear_pose(shim, prinst, WEDICT_NUM_PB(prinst, entity));
    forget(shim, &shim->skeletons[index]);
    skelobj_flush_deleted(shim->physics);
  }
  shim->original[SKEL_DELETE](prinst, pr_globals);
}

static const builtin_t REPLACEMENT[REPLACED] = {
    [SKEL_CREATE] = create, [SKEL_DELETE] = delete, [SKEL_RAGUPDATE] = ragupdate};

// Replaces pointers in the engine's table. A builtin declared by name (#0) has another number than the usual one, but
// the same pointer.
static void exchange(progexterns_t *parms, int first, const builtin_t *from, const builtin_t *to) {
  int i, b;
  for (i = first; i < parms->numglobalbuiltins; ++i)
    for (b = 0; b < REPLACED; ++b)
      if (parms->globalbuiltins[i] == from[b]) {
        parms->globalbuiltins[i] = to[b];
        break;
      }
}

// Gives numbers to builtins that are declared by name in code that is loaded later.
static int PDECL map_named(pubprogfuncs_t *progs, int crc, const char *name) {
  struct shim *shim = shim_of(progs->parms->user);
  int number = shim ? shim->map_named(progs, crc, name) : 0;
  if (number > 0) exchange(progs->parms, number, shim->original, REPLACEMENT);
  return number;
}

void hook_builtins(struct shim *shim) {
  progexterns_t *parms = shim->world->progs->parms;
  int b;
  for (b = 0; b < BUILTINS; ++b) {
    shim->original[b] = NUMBER[b] < parms->numglobalbuiltins ? parms->globalbuiltins[NUMBER[b]] : NULL;
    if (!shim->original[b]) {
      say(shim, "the engine has no builtin %d: no ragdolls", NUMBER[b]);
      memset(shim->original, 0, sizeof(shim->original));
      return;
    }
  }
  exchange(parms, 1, shim->original, REPLACEMENT);
  shim->map_named = parms->MapNamedBuiltin;
  if (shim->map_named) parms->MapNamedBuiltin = map_named;
}

void unhook_builtins(struct shim *shim) {
  progexterns_t *parms = shim->world->progs ? shim->world->progs->parms : NULL;
  if (!parms || !shim->original[SKEL_RAGUPDATE]) return;
  exchange(parms, 1, REPLACEMENT, shim->original);
  if (parms->MapNamedBuiltin == map_named) parms->MapNamedBuiltin = shim->map_named;
}
