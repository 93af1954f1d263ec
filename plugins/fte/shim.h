// skelobj as a physics plugin of FTEQW: what the files of the plugin share.
//
// Copyright (C) the skelobj authors. GPL-2.0-or-later: see LICENSE.md in this folder.
#ifndef SKELOBJ_FTE_SHIM_H
#define SKELOBJ_FTE_SHIM_H

#include "quakedef.h"

#include "pr_common.h"

#include "../plugins/plugin.h"

// The log of the world reports failures.
#define SKELOBJ_NODISCARD
#include <skelobj.h>

// Builtins that the plugin replaces or calls.
enum builtin {
  SKEL_CREATE,
  SKEL_DELETE,
  SKEL_RAGUPDATE,
  REPLACED,  // number of replaced ones
  SKEL_GET_NUMBONES = REPLACED,
  SKEL_MMAP,
  BUILTINS
};

// Skeletal object of the engine, and its counterpart in skelobj.
struct skeleton {
  SkelobjObject object;  // none until the object is used for a ragdoll
  int model_index;       // 0 for an object from before the plugin was loaded: its entity has the model
  int is_absolute;
  int has_ragdoll;
  int is_saved;  // its pose at rest is in the entity's field
  int entity;    // number of the entity that it was updated for last
  int bones;
  float *shown;  // bones as the plugin wrote them last: different ones were built by game code
};

// Body of the level that follows an entity: a brush model, or the box of a player or monster.
struct follower {
  SkelobjLevelBody body;
  int submodel;  // number of the map's brush model whose body it has; 0 for a body of its own
  int is_box;
  int model_index;
  float scale;
  float origin[3], mins[3], maxs[3];
};

// World of the engine with a world of skelobj. The engine's pointer to its physics engine points to `engine`.
struct shim {
  rigidbodyengine_t engine;
  world_t *world;
  SkelobjWorld physics;
  int has_level;
  int was_idle;  // no ragdoll in the last frame: followers are where entities were long ago
  int ragdolls;
  float gravity;
  builtin_t original[BUILTINS];
  int (PDECL *map_named)(pubprogfuncs_t *progs, int crc, const char *name);
  evalc_t pose_field;
  struct skeleton *skeletons;
  size_t skeleton_count;
  SkelobjLevelBody *submodels;  // bodies of the map's brush models that no entity has at present
  size_t submodel_count;
  struct follower *followers;
  size_t follower_count;
  unsigned said[32];  // hashes of the texts that this map has had already
  unsigned said_count;
};

extern rbeplugfuncs_t *rbefuncs;
extern plugfsfuncs_t *fsfuncs;

// Returns the shim of a world; null if the world has none.
struct shim *shim_of(world_t *world);

// Prints a line, once per map.
void say(struct shim *shim, const char *format, ...) LIKEPRINTF(2);

// Makes room for element `index` of an array; new elements are zero. Returns 0 without memory.
int grow(void **array, size_t *count, size_t index, size_t size);

// saved.c
void save_pose(struct shim *shim, pubprogfuncs_t *prinst, struct skeleton *s, wedict_t *entity);
int load_pose(struct shim *shim, pubprogfuncs_t *prinst, struct skeleton *s, wedict_t *entity);
void clear_pose(struct shim *shim, pubprogfuncs_t *prinst, wedict_t *entity);

// builtins.c
void hook_builtins(struct shim *shim);
void unhook_builtins(struct shim *shim);
void forget_skeletons(struct shim *shim);

// level.c
void add_level(struct shim *shim);
void follow_entities(struct shim *shim, float seconds, int at_once);
void forget_follower(struct shim *shim, const wedict_t *entity);

#endif
