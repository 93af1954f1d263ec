// Ragdolls of skelobj in DarkPlaces: what ragdoll.c and ragdoll_level.c share.
//
// Copyright (C) the skelobj authors. GPL-2.0-or-later: see LICENSE.md in this folder.
#ifndef RAGDOLL_LOCAL_H
#define RAGDOLL_LOCAL_H

#include "quakedef.h"
#include "prvm_cmds.h"
#include "cl_collision.h"
#include "csprogs.h"
#include "ragdoll.h"

// The log of the world reports failures.
#define SKELOBJ_NODISCARD
#include <skelobj.h>

// Counterpart in skelobj of a skeletal object of the engine.
typedef struct ragdoll_skeleton_s {
  SkelobjObject object;      // none until the object is used for a ragdoll
  const skeleton_t *engine;  // a number is used again after skel_delete
  int has_ragdoll;
  int bones;
  float *shown;  // bones as they were written last: different ones were built by game code
} ragdoll_skeleton_t;

// Body of the level that follows an entity: a brush model, or the box of a player or monster.
typedef struct ragdoll_follower_s {
  SkelobjLevelBody body;
  const model_t *model;  // null for a box
  int submodel;          // number of the map's brush model whose body it has; 0 for a body of its own
  float scale;
  float mins[3], maxs[3];
  float matrix[12];
  unsigned int frame;  // in which the entity was there last
} ragdoll_follower_t;

// Array that grows.
typedef struct ragdoll_followers_s {
  ragdoll_follower_t *list;
  int count;
} ragdoll_followers_t;

// Ragdolls of a program. The server and CSQC have one each, from their first skeletal object until the program's end.
typedef struct ragdolls_s {
  prvm_prog_t *prog;
  SkelobjWorld world;
  qbool has_level;
  qbool was_idle;  // no ragdoll in the last frame: followers are where entities were long ago
  int ragdolls;
  float gravity;
  unsigned int frame;
  ragdoll_skeleton_t *skeletons;
  int skeleton_count;
  SkelobjLevelBody *submodels;  // bodies of the map's brush models that no entity has at present
  int submodel_count;
  ragdoll_followers_t edicts;   // by the number of the program's entity
  ragdoll_followers_t network;  // by the number of the server's entity, in CSQC
  unsigned int said[32];        // hashes of the texts that this map has had already
  unsigned int said_count;
} ragdolls_t;

// Prints a line, once per map.
void Ragdoll_Say(ragdolls_t *r, const char *format, ...) DP_FUNC_PRINTF(2);

// Makes room for element `index` of an array in the program's memory; new elements are zero.
void *Ragdoll_Grow(ragdolls_t *r, void *array, int *count, int index, size_t size);

// Returns a model of the program's map.
model_t *Ragdoll_ModelByIndex(const ragdolls_t *r, int index);

// ragdoll_level.c
void Ragdoll_AddLevel(ragdolls_t *r);
void Ragdoll_FollowEntities(ragdolls_t *r, float seconds, qbool at_once);

#endif
