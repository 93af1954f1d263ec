// Ragdolls of skelobj in DarkPlaces: what ragdolls collide with.
//
// Copyright (C) the skelobj authors. GPL-2.0-or-later: see LICENSE.md in this folder.
#include "ragdoll_local.h"

// Units per frame beyond which an entity was put elsewhere rather than moved.
#define FARTHEST_MOVE 128

// ---- The map ------------------------------------------------------------------------------------------------------

// Makes a body of the triangles that the engine has of a model.
static SkelobjLevelBody add_model(ragdolls_t *r, model_t *model, float scale, const float matrix[12], int is_moving) {
  SkelobjLevelBodyDef def = skelobj_default_level_body_def();
  SkelobjShape shape;
  SkelobjLevelBody body = {0};
  const shadowmesh_t *mesh;
  float *points;
  uint32_t *corners;
  int i, j;
  if (!model->brush.collisionmesh) Mod_CreateCollisionMesh(model);
  mesh = model->brush.collisionmesh;
  if (!mesh || mesh->numtriangles <= 0) return body;
  points = (float *)Mem_Alloc(tempmempool, mesh->numtriangles * sizeof(float[9]));
  corners = (uint32_t *)Mem_Alloc(tempmempool, mesh->numtriangles * sizeof(uint32_t));
  for (i = 0; i < 3 * mesh->numtriangles; ++i)
    for (j = 0; j < 3; ++j) points[3 * i + j] = scale * mesh->vertex3f[3 * mesh->element3i[i] + j];
  for (i = 0; i < mesh->numtriangles; ++i) corners[i] = 3;
  memset(&shape, 0, sizeof(shape));
  shape.kind = SKELOBJ_SHAPE_KIND_POLYGONS;
  shape.points = points;
  shape.point_count = 3 * mesh->numtriangles;
  shape.corners = corners;
  shape.polygon_count = mesh->numtriangles;
  shape.is_clockwise = 1;
  def.is_moving = is_moving;
  def.shapes = &shape;
  def.shape_count = 1;
  if (matrix) memcpy(def.matrix, matrix, sizeof(def.matrix));
  body = skelobj_add_level_body(r->world, &def);
  Mem_Free(points);
  Mem_Free(corners);
  return body;
}

// Adds the bodies of the map's brush models, which wait for entities.
static void add_submodels(ragdolls_t *r, const SkelobjEntityBody *bodies, int count) {
  int i;
  for (i = 0; i < count; ++i) {
    int number = bodies[i].model;
    skelobj_level_body_set_solid(r->world, bodies[i].body, 0);
    if (number <= 0 || number >= MAX_MODELS) continue;
    r->submodels = (SkelobjLevelBody *)Ragdoll_Grow(r, r->submodels, &r->submodel_count, number, sizeof(SkelobjLevelBody));
    r->submodels[number] = bodies[i].body;
  }
}

// Reads the map's file. That has the sky and water besides the engine's triangles.
static qbool add_map_file(ragdolls_t *r, const char *name) {
  fs_offset_t size = 0;
  unsigned char *bytes = FS_LoadFile(name, tempmempool, true, &size);
  SkelobjLevel level = {0};
  SkelobjEntityBody *bodies;
  SkelobjLevelBody body = {0};
  SkelobjLevelInfo info;
  int32_t count = 0;
  if (!bytes) return false;
  level = skelobj_level_load(bytes, (size_t)size, NULL);
  Mem_Free(bytes);
  if (!level.id) return false;
  memset(&info, 0, sizeof(info));
  skelobj_level_info(level, &info);
  bodies = (SkelobjEntityBody *)Mem_Alloc(tempmempool, (info.entity_count + 1) * sizeof(*bodies));
  if (skelobj_add_level(r->world, level, NULL, &body, bodies, info.entity_count, &count) == SKELOBJ_STATUS_OK) {
    add_submodels(r, bodies, count);
    skelobj_add_level_water(r->world, level, NULL, 0, NULL);
  }
  Mem_Free(bodies);
  skelobj_level_free(level);
  return !SKELOBJ_IS_NONE(body);
}

void Ragdoll_AddLevel(ragdolls_t *r) {
  model_t *map = r->prog == SVVM_prog ? sv.worldmodel : cl.worldmodel;
  if (r->has_level || !map) return;
  r->has_level = true;
  if (!add_map_file(r, map->name) && !add_model(r, map, 1, NULL, 0).id)
    Ragdoll_Say(r, "the map has no surfaces that ragdolls could lie on");
}

// ---- Doors, lifts, players and monsters ---------------------------------------------------------------------------

static void remove_follower(ragdolls_t *r, ragdoll_follower_t *f) {
  if (f->body.id && f->submodel) {
    skelobj_level_body_set_solid(r->world, f->body, 0);
    r->submodels[f->submodel] = f->body;
  } else if (f->body.id) {
    skelobj_level_body_remove(r->world, f->body);
  }
  memset(f, 0, sizeof(*f));
}

// Gives a follower the body of the map's brush model that it shows, if that is free.
static qbool take_submodel(ragdolls_t *r, ragdoll_follower_t *f) {
  int number = f->model->name[0] == '*' ? atoi(f->model->name + 1) : 0;
  if (f->scale != 1 || number <= 0 || number >= r->submodel_count || !r->submodels[number].id) return false;
  f->submodel = number;
  f->body = r->submodels[number];
  r->submodels[number].id = 0;
  skelobj_level_body_teleport(r->world, f->body, f->matrix);
  skelobj_level_body_set_solid(r->world, f->body, 1);
  return true;
}

// Makes the follower with a number what `now` describes, at the place that it has.
static void follow(ragdolls_t *r, ragdoll_followers_t *followers, int number, ragdoll_follower_t *now, qbool at_once) {
  ragdoll_follower_t *f;
  float move[3];
  int i;
  followers->list = (ragdoll_follower_t *)Ragdoll_Grow(r, followers->list, &followers->count, number, sizeof(*f));
  f = &followers->list[number];
  now->frame = r->frame;
  if (f->frame && f->model == now->model && f->scale == now->scale && !memcmp(f->mins, now->mins, sizeof(f->mins)) &&
      !memcmp(f->maxs, now->maxs, sizeof(f->maxs))) {
    for (i = 0; i < 3; ++i) move[i] = now->matrix[4 * i + 3] - f->matrix[4 * i + 3];
    now->body = f->body;
    now->submodel = f->submodel;
    if (now->body.id && (at_once || VectorLength2(move) > FARTHEST_MOVE * FARTHEST_MOVE))
      skelobj_level_body_teleport(r->world, now->body, now->matrix);
    else if (now->body.id)
      skelobj_level_body_set_target(r->world, now->body, now->matrix);
  } else {
    remove_follower(r, f);
    if (!now->model) {
      for (i = 0; i < 3; ++i) move[i] = now->matrix[4 * i + 3];
      now->body = skelobj_add_entity_box(r->world, now->mins, now->maxs, move);
    } else if (!take_submodel(r, now)) {
      now->body = add_model(r, (model_t *)now->model, now->scale, now->matrix, 1);
    }
  }
  *f = *now;
}

// Removes the followers of entities that are no longer there.
static void sweep(ragdolls_t *r, ragdoll_followers_t *followers) {
  int i;
  for (i = 0; i < followers->count; ++i)
    if (followers->list[i].frame && followers->list[i].frame != r->frame) remove_follower(r, &followers->list[i]);
}

// Has an entity a ragdoll of its own? It would lie in the entity's box.
static qbool has_ragdoll(const ragdolls_t *r, int skeleton) {
  return skeleton >= 1 && skeleton <= r->skeleton_count && r->skeletons[skeleton - 1].has_ragdoll;
}

// Describes what an entity should have in skelobj's world. Returns false for nothing.
static qbool describe(const ragdolls_t *r, prvm_edict_t *entity, ragdoll_follower_t *now) {
  prvm_prog_t *prog = r->prog;
  int solid = (int)PRVM_gameedictfloat(entity, solid);
  memset(now, 0, sizeof(*now));
  now->scale = 1;
  if (solid == SOLID_BSP) {
    if (PRVM_gameedictfloat(entity, scale)) now->scale = PRVM_gameedictfloat(entity, scale);
    now->model = Ragdoll_ModelByIndex(r, (int)PRVM_gameedictfloat(entity, modelindex));
    return now->model != NULL;
  }
  if ((solid != SOLID_BBOX && solid != SOLID_SLIDEBOX) || has_ragdoll(r, (int)PRVM_gameedictfloat(entity, skeletonindex)))
    return false;
  VectorCopy(PRVM_gameedictvector(entity, mins), now->mins);
  VectorCopy(PRVM_gameedictvector(entity, maxs), now->maxs);
  return now->mins[0] < now->maxs[0] && now->mins[1] < now->maxs[1] && now->mins[2] < now->maxs[2];
}

// Writes where an entity will be after `seconds`. The server moves doors and lifts after the ragdolls: a target without
// that move would come a frame late, and too fast or too slow when frames differ in length.
static void entity_matrix(const ragdolls_t *r, prvm_edict_t *entity, qbool turns, float seconds, float matrix[12]) {
  prvm_prog_t *prog = r->prog;
  vec3_t origin, angles;
  matrix4x4_t place;
  VectorCopy(PRVM_gameedictvector(entity, origin), origin);
  VectorCopy(PRVM_gameedictvector(entity, angles), angles);
  if (prog == SVVM_prog && (int)PRVM_serveredictfloat(entity, movetype) == MOVETYPE_PUSH) {
    float until_think = PRVM_serveredictfloat(entity, nextthink) - PRVM_serveredictfloat(entity, ltime);
    seconds = bound(0, until_think, seconds);
    VectorMA(origin, seconds, PRVM_serveredictvector(entity, velocity), origin);
    VectorMA(angles, seconds, PRVM_serveredictvector(entity, avelocity), angles);
  }
  if (turns)
    angles[0] *= prog == SVVM_prog ? SV_GetPitchSign(prog, entity) : CL_GetPitchSign(prog, entity);
  else
    VectorClear(angles);
  Matrix4x4_CreateFromQuakeEntity(&place, origin[0], origin[1], origin[2], angles[0], angles[1], angles[2], 1);
  Matrix4x4_ToArray12FloatD3D(&place, matrix);
}

// Follows the doors and lifts of the server, which CSQC has no entities for. Whether they are solid is not sent: those are
// followed to which the map's file gives a body.
static void follow_network_entities(ragdolls_t *r, qbool at_once) {
  ragdoll_follower_t now;
  matrix4x4_t place;
  int i;
  for (i = 0; i < cl.num_brushmodel_entities; ++i) {
    int entity = cl.brushmodel_entities[i];
    entity_render_t *render = &cl.entities[entity].render;
    int number = render->model ? atoi(render->model->name + 1) : 0;
    if (number <= 0 || number >= r->submodel_count) continue;
    if (!r->submodels[number].id && (entity >= r->network.count || r->network.list[entity].submodel != number)) continue;
    memset(&now, 0, sizeof(now));
    now.model = render->model;
    now.scale = render->scale;
    Matrix4x4_Normalize(&place, &render->matrix);
    Matrix4x4_ToArray12FloatD3D(&place, now.matrix);
    follow(r, &r->network, entity, &now, at_once);
  }
}

void Ragdoll_FollowEntities(ragdolls_t *r, float seconds, qbool at_once) {
  prvm_prog_t *prog = r->prog;
  ragdoll_follower_t now;
  int i;
  if (!++r->frame) r->frame = 1;  // 0 is for followers that are none
  for (i = 1; i < prog->num_edicts; ++i) {
    prvm_edict_t *entity = PRVM_EDICT_NUM(i);
    if (entity->free || !describe(r, entity, &now)) continue;
    entity_matrix(r, entity, now.model != NULL, seconds, now.matrix);
    follow(r, &r->edicts, i, &now, at_once);
  }
  if (prog == CLVM_prog) follow_network_entities(r, at_once);
  sweep(r, &r->edicts);
  sweep(r, &r->network);
}
