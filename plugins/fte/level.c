// skelobj as a physics plugin of FTEQW: what ragdolls collide with.
//
// Copyright (C) the skelobj authors. GPL-2.0-or-later: see LICENSE.md in this folder.
#include "shim.h"

// Units per frame beyond which an entity was put elsewhere rather than moved.
#define FARTHEST_MOVE 128

// Has the engine the faces of a model? A dedicated server keeps none of maps of Quake II and Quake III, and its function
// for meshes does not look.
static int has_faces(const model_t *model) {
  int i;
  if (model->type != mod_brush) return 1;
  if (!model->surfaces) return 0;
  for (i = 0; i < model->nummodelsurfaces; ++i)
    if (!model->surfaces[model->firstmodelsurface + i].mesh && (!model->surfedges || !model->edges || !model->vertexes))
      return 0;
  return 1;
}

// Makes a shape of an entity's model, as the engine gives it to physics engines. Free the points afterwards.
static int model_shape(struct shim *shim, wedict_t *entity, model_t *model, float scale, SkelobjShape *shape) {
  vec3_t centre = {0, 0, 0};
  int i, j, triangles;
  float *points;
  uint32_t *corners;
  memset(shape, 0, sizeof(*shape));
  if (!has_faces(model) || !rbefuncs->GenerateCollisionMesh(shim->world, model, entity, centre)) return 0;
  triangles = entity->rbe.numtriangles;
  points = malloc(triangles * (9 * sizeof(float) + sizeof(uint32_t)));
  if (points) {
    corners = (uint32_t *)(points + 9 * triangles);
    for (i = 0; i < 3 * triangles; ++i)
      for (j = 0; j < 3; ++j) points[3 * i + j] = scale * entity->rbe.vertex3f[3 * entity->rbe.element3i[i] + j];
    for (i = 0; i < triangles; ++i) corners[i] = 3;
    shape->kind = SKELOBJ_SHAPE_KIND_POLYGONS;
    shape->points = points;
    shape->point_count = 3 * triangles;
    shape->corners = corners;
    shape->polygon_count = triangles;
  }
  rbefuncs->ReleaseCollisionMesh(entity);
  return points != NULL;
}

static SkelobjLevelBody add_model(struct shim *shim, wedict_t *entity, model_t *model, float scale,
                                  const float matrix[12], int is_moving) {
  SkelobjLevelBodyDef def = skelobj_default_level_body_def();
  SkelobjLevelBody body = {0};
  SkelobjShape shape;
  if (!model_shape(shim, entity, model, scale, &shape)) return body;
  def.is_moving = is_moving;
  def.shapes = &shape;
  def.shape_count = 1;
  if (matrix) memcpy(def.matrix, matrix, sizeof(def.matrix));
  body = skelobj_add_level_body(shim->physics, &def);
  free((void *)shape.points);
  return body;
}

// Adds the bodies of the map's brush models, which wait for entities.
static void add_submodels(struct shim *shim, const SkelobjEntityBody *bodies, int count) {
  int i;
  for (i = 0; i < count; ++i) {
    int number = bodies[i].model;
    skelobj_level_body_set_solid(shim->physics, bodies[i].body, 0);
    if (number > 0 && number < 0xffff &&
        grow((void **)&shim->submodels, &shim->submodel_count, number, sizeof(SkelobjLevelBody)))
      shim->submodels[number] = bodies[i].body;
  }
}

// Reads the map's file. That has more than the engine's faces: the sky, water, and what a dedicated server leaves out.
static int add_map_file(struct shim *shim, const char *name) {
  size_t size = 0;
  void *bytes = fsfuncs->LoadFile(name, &size);
  SkelobjLevel level = {0};
  SkelobjEntityBody *bodies;
  SkelobjLevelBody body = {0};
  SkelobjLevelInfo info;
  int32_t count = 0;
  if (!bytes) return 0;
  level = skelobj_level_load(bytes, size, NULL);
  plugfuncs->Free(bytes);
  if (!level.id) return 0;
  memset(&info, 0, sizeof(info));
  skelobj_level_info(level, &info);
  bodies = calloc(info.entity_count + 1, sizeof(*bodies));
  if (bodies &&
      skelobj_add_level(shim->physics, level, NULL, &body, bodies, info.entity_count, &count) == SKELOBJ_STATUS_OK) {
    add_submodels(shim, bodies, count);
    skelobj_add_level_water(shim->physics, level, NULL, 0, NULL);
  }
  free(bodies);
  skelobj_level_free(level);
  return !SKELOBJ_IS_NONE(body);
}

void add_level(struct shim *shim) {
  world_t *world = shim->world;
  if (shim->has_level) return;
  shim->has_level = 1;
  if (world->worldmodel && add_map_file(shim, world->worldmodel->name)) return;
  if (!world->worldmodel || !add_model(shim, WEDICT_NUM_PB(world->progs, 0), world->worldmodel, 1, NULL, 0).id)
    say(shim, "the map has no surfaces that ragdolls could lie on");
}

// Writes where an entity will be after `seconds`. The engine moves doors and lifts after the ragdolls: a target without
// that move would come a frame late, and too fast or too slow when frames differ in length.
static void entity_matrix(struct shim *shim, const wedict_t *entity, const model_t *model, float seconds,
                          float matrix[12]) {
  static const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  vec3_t angles, forward, right, up;
  float origin[3];
  VectorCopy(entity->v->angles, angles);
  VectorCopy(entity->v->origin, origin);
  if ((int)entity->v->movetype == MOVETYPE_PUSH) {
    float until_think = entity->v->nextthink - entity->v->ltime;
    if (until_think < seconds) seconds = until_think > 0 ? until_think : 0;
    VectorMA(origin, seconds, entity->v->velocity, origin);
    VectorMA(angles, seconds, entity->v->avelocity, angles);
  }
  if (model && model->type == mod_alias) {
    skelobj_entity_matrix(shim->physics, origin, angles, 1, matrix);
    return;
  }
  memcpy(matrix, identity, sizeof(identity));
  if (!model) VectorClear(angles);  // boxes do not turn
  rbefuncs->AngleVectors(angles, forward, right, up);
  skelobj_matrix_from_axes(forward, right, up, origin, matrix);
}

static void remove_follower(struct shim *shim, struct follower *follower) {
  if (follower->body.id && follower->submodel) {
    skelobj_level_body_set_solid(shim->physics, follower->body, 0);
    shim->submodels[follower->submodel] = follower->body;
  } else if (follower->body.id) {
    skelobj_level_body_remove(shim->physics, follower->body);
  }
  memset(follower, 0, sizeof(*follower));
}

void forget_follower(struct shim *shim, const wedict_t *entity) {
  if (entity->entnum > 0 && (size_t)entity->entnum < shim->follower_count)
    remove_follower(shim, &shim->followers[entity->entnum]);
}

// Has an entity a ragdoll of its own? It would lie in the entity's box.
static int has_ragdoll(const struct shim *shim, const wedict_t *entity) {
  int index = (int)entity->xv->skeletonindex;
  return index > 0 && (size_t)index < shim->skeleton_count && shim->skeletons[index].has_ragdoll;
}

// Describes what an entity should have in skelobj's world. Returns 0 for nothing.
static int wanted(struct shim *shim, const wedict_t *entity, model_t **model, struct follower *follower) {
  int solid = (int)entity->v->solid;
  memset(follower, 0, sizeof(*follower));
  *model = NULL;
  if (ED_ISFREE(entity)) return 0;
  if (solid == SOLID_BSP) {
    follower->model_index = (int)entity->v->modelindex;
    follower->scale = entity->xv->scale ? entity->xv->scale : 1;
    *model = shim->world->Get_CModel(shim->world, follower->model_index);
    return *model != NULL;
  }
  if ((solid != SOLID_BBOX && solid != SOLID_SLIDEBOX) || has_ragdoll(shim, entity)) return 0;
  follower->is_box = 1;
  VectorCopy(entity->v->mins, follower->mins);
  VectorCopy(entity->v->maxs, follower->maxs);
  return follower->mins[0] < follower->maxs[0] && follower->mins[1] < follower->maxs[1] &&
         follower->mins[2] < follower->maxs[2];
}

// Gives an entity the body of the map's brush model that it shows, if it is free. Returns 0 if it is not.
static int take_submodel(struct shim *shim, const model_t *model, struct follower *follower, const float matrix[12]) {
  const char *star = strchr(model->name, '*');
  int number = star ? atoi(star + 1) : 0;
  if (follower->scale != 1 || number <= 0 || (size_t)number >= shim->submodel_count ||
      !shim->submodels[number].id)
    return 0;
  follower->submodel = number;
  follower->body = shim->submodels[number];
  shim->submodels[number].id = 0;
  skelobj_level_body_teleport(shim->physics, follower->body, matrix);
  skelobj_level_body_set_solid(shim->physics, follower->body, 1);
  return 1;
}

static int is_same(const struct follower *a, const struct follower *b) {
  return a->is_box == b->is_box && a->model_index == b->model_index && a->scale == b->scale &&
         !memcmp(a->mins, b->mins, sizeof(a->mins)) && !memcmp(a->maxs, b->maxs, sizeof(a->maxs));
}

void follow_entities(struct shim *shim, float seconds, int at_once) {
  world_t *world = shim->world;
  unsigned i;
  for (i = 1; i < world->num_edicts; ++i) {
    wedict_t *entity = WEDICT_NUM_PB(world->progs, i);
    struct follower now, *follower;
    float matrix[12], move[3];
    model_t *model;
    int j, is_wanted = entity && wanted(shim, entity, &model, &now);
    if (!is_wanted && i >= shim->follower_count) continue;
    if (!grow((void **)&shim->followers, &shim->follower_count, i, sizeof(*follower))) return;
    follower = &shim->followers[i];
    if (!is_wanted) {
      remove_follower(shim, follower);
      continue;
    }
    entity_matrix(shim, entity, model, seconds, matrix);
    for (j = 0; j < 3; ++j) {
      now.origin[j] = matrix[4 * j + 3];
      move[j] = now.origin[j] - follower->origin[j];
    }
    if (!is_same(&now, follower)) {
      remove_follower(shim, follower);
      if (now.is_box)
        now.body = skelobj_add_entity_box(shim->physics, now.mins, now.maxs, now.origin);
      else if (!take_submodel(shim, model, &now, matrix))
        now.body = add_model(shim, entity, model, now.scale, matrix, 1);
    } else {
      now.body = follower->body;
      now.submodel = follower->submodel;
      if (now.body.id && (at_once || DotProduct(move, move) > FARTHEST_MOVE * FARTHEST_MOVE))
        skelobj_level_body_teleport(shim->physics, now.body, matrix);
      else if (now.body.id)
        skelobj_level_body_set_target(shim->physics, now.body, matrix);
    }
    *follower = now;
  }
}
