// skelobj as a physics plugin of FTEQW: worlds, frames, and what the engine calls.
//
// Copyright (C) the skelobj authors. GPL-2.0-or-later: see LICENSE.md in this folder.
#include "shim.h"

#include <stdio.h>

enum { MAX_WORLDS = 8 };
static const char ENGINE_NAME[] = "skelobj";

plugcorefuncs_t *plugfuncs;
plugcvarfuncs_t *cvarfuncs;
plugcmdfuncs_t *cmdfuncs;
plugfsfuncs_t *fsfuncs;
rbeplugfuncs_t *rbefuncs;
static cvar_t *catch_up;
static struct shim *shims[MAX_WORLDS];

static void print(const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  plugfuncs->Print(text);
}

void say(struct shim *shim, const char *format, ...) {
  char text[1000];
  unsigned hash = 2166136261u, i, known;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  for (i = 0; text[i]; ++i) hash = (hash ^ (unsigned char)text[i]) * 16777619u;
  known = shim->said_count < countof(shim->said) ? shim->said_count : countof(shim->said);
  for (i = 0; i < known; ++i)
    if (shim->said[i] == hash) return;
  shim->said[shim->said_count++ % countof(shim->said)] = hash;
  print("skelobj: %s\n", text);
}

int grow(void **array, size_t *count, size_t index, size_t size) {
  size_t wanted = (index | 63) + 1;
  void *grown;
  if (index < *count) return 1;
  grown = realloc(*array, wanted * size);
  if (!grown) return 0;
  memset((char *)grown + *count * size, 0, (wanted - *count) * size);
  *array = grown;
  *count = wanted;
  return 1;
}

// ---- Files and log of skelobj -------------------------------------------------------------------------------------

static const uint8_t *load_file(void *user, const char *name, size_t *size) {
  (void)user;
  return fsfuncs->LoadFile(name, size);
}

static void unload_file(void *user, const uint8_t *bytes, size_t size) {
  (void)user, (void)size;
  plugfuncs->Free((void *)bytes);
}

static void log_text(void *user, int32_t level, const char *text) {
  (void)level;
  say(user, "%s", text);
}

// ---- What the engine calls ----------------------------------------------------------------------------------------

static void QDECL end(world_t *world) {
  struct shim *shim = shim_of(world);
  SkelobjModel models[256];
  int32_t i, count = 0;
  if (!shim) return;
  unhook_builtins(shim);
  forget_skeletons(shim);
  // A world owns none of its models.
  while (skelobj_world_models(shim->physics, NULL, 0, &count) == SKELOBJ_STATUS_OK && count > 0 && count <= 256 &&
         skelobj_world_models(shim->physics, models, 256, &count) == SKELOBJ_STATUS_OK)
    for (i = 0; i < count; ++i) {
      skelobj_world_remove_model(shim->physics, models[i]);
      skelobj_model_free(models[i]);
    }
  skelobj_world_free(shim->physics);
  for (i = 0; i < MAX_WORLDS; ++i)
    if (shims[i] == shim) shims[i] = NULL;
  world->rbe = NULL;
  free(shim->followers);
  free(shim->submodels);
  free(shim);
}

static void QDECL remove_entity(world_t *world, wedict_t *entity) {
  struct shim *shim = shim_of(world);
  if (shim && entity) forget_follower(shim, entity);
}

static void QDECL remove_joint(world_t *world, wedict_t *entity) { (void)world, (void)entity; }

static void refuse_physics_entities(struct shim *shim) {
  say(shim, "MOVETYPE_PHYSICS, physics_addforce and the like need the engine's own physics plugin (ODE or Bullet), "
            "which cannot run beside this one: those entities stay where they are");
}

static void QDECL run_frame(world_t *world, double seconds, double gravity) {
  struct shim *shim = shim_of(world);
  SkelobjWorldDef settings;
  if (!shim) return;
  if (world->rbe_hasphysicsents) {
    world->rbe_hasphysicsents = false;
    refuse_physics_entities(shim);
  }
  if (!shim->ragdolls) {
    shim->was_idle = 1;
    return;
  }
  if ((float)gravity != shim->gravity &&
      skelobj_world_settings(shim->physics, &settings) == SKELOBJ_STATUS_OK) {
    shim->gravity = (float)gravity;
    settings.gravity[2] = -(float)gravity;
    skelobj_world_set_settings(shim->physics, &settings);
  }
  follow_entities(shim, (float)seconds, shim->was_idle);
  shim->was_idle = 0;
  skelobj_step(shim->physics, (float)seconds, NULL);
}

static void QDECL push_command(world_t *world, rbecommandqueue_t *command) {
  struct shim *shim = shim_of(world);
  (void)command;
  if (shim) refuse_physics_entities(shim);
}

static void QDECL trace(world_t *world, wedict_t *entity, vec3_t start, vec3_t end_, trace_t *result) {
  (void)world, (void)entity, (void)start;
  result->fraction = 1;
  VectorCopy(end_, result->endpos);
}

// The engine's own ragdolls: those that the client makes of entities whose model has a doll. Their bodies stay where
// the engine puts them, so that such a model is drawn in its pose.

static qboolean QDECL rag_create_body(world_t *world, rbebody_t *body, rbebodyinfo_t *info, float *matrix,
                                      wedict_t *entity) {
  (void)world, (void)info, (void)entity;
  body->body = calloc(12, sizeof(float));
  if (body->body) memcpy(body->body, matrix, 12 * sizeof(float));
  return body->body != NULL;
}

static qboolean QDECL rag_matrix_to_body(rbebody_t *body, float *matrix) {
  if (body->body) memcpy(body->body, matrix, 12 * sizeof(float));
  return true;
}

static void QDECL rag_matrix_from_body(world_t *world, rbebody_t *body, float *matrix) {
  static const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  (void)world;
  memcpy(matrix, body->body ? body->body : identity, sizeof(identity));
}

static void QDECL rag_destroy_body(world_t *world, rbebody_t *body) {
  (void)world;
  free(body->body);
  body->body = NULL;
}

static void QDECL rag_matrix_from_joint(rbejoint_t *joint, rbejointinfo_t *info, float *matrix) {
  (void)joint, (void)info;
  rag_matrix_from_body(NULL, &(rbebody_t){0}, matrix);
}

static void QDECL rag_enable_joint(rbejoint_t *joint, qboolean enabled) { (void)joint, (void)enabled; }

static void QDECL rag_create_joint(world_t *world, rbejoint_t *joint, rbejointinfo_t *info, rbebody_t *body1,
                                   rbebody_t *body2, vec3_t axes[3]) {
  (void)world, (void)joint, (void)info, (void)body1, (void)body2, (void)axes;
}

static void QDECL rag_destroy_joint(world_t *world, rbejoint_t *joint) { (void)world, (void)joint; }

// ---- Worlds -------------------------------------------------------------------------------------------------------

struct shim *shim_of(world_t *world) {
  return world && world->rbe && world->rbe->End == end ? (struct shim *)world->rbe : NULL;
}

static void QDECL start(world_t *world) {
  SkelobjWorldDef def = skelobj_default_world_def();
  struct shim *shim;
  int i = 0;
  // The engine's model viewer has a world without game code: nothing there could ask for a ragdoll.
  if (world->rbe || !world->progs || !world->progs->parms) return;
  while (i < MAX_WORLDS && shims[i]) ++i;
  if (i == MAX_WORLDS || !(shim = calloc(1, sizeof(*shim)))) return;
  def.files.load = load_file;
  def.files.unload = unload_file;
  def.log = log_text;
  def.log_user = shim;
  def.max_step_debt = bound(0.02f, catch_up ? catch_up->value : 1, 10);
  def.mesh_pitch = cvarfuncs->GetFloat("r_meshpitch") > 0 ? 1 : -1;
  def.mesh_roll = cvarfuncs->GetFloat("r_meshroll");
  def.keep_bones = 0;
  shim->gravity = -def.gravity[2];
  shim->was_idle = 1;
  shim->physics = skelobj_world_create(&def);
  if (!shim->physics.id) {
    char why[256];
    skelobj_last_error(why, sizeof(why));
    print("skelobj: no ragdolls on this map: %s\n", why);
    free(shim);
    return;
  }
  shim->engine = (rigidbodyengine_t){
      .End = end,
      .RemoveJointFromEntity = remove_joint,
      .RemoveFromEntity = remove_entity,
      .RagMatrixToBody = rag_matrix_to_body,
      .RagCreateBody = rag_create_body,
      .RagMatrixFromJoint = rag_matrix_from_joint,
      .RagMatrixFromBody = rag_matrix_from_body,
      .RagEnableJoint = rag_enable_joint,
      .RagCreateJoint = rag_create_joint,
      .RagDestroyBody = rag_destroy_body,
      .RagDestroyJoint = rag_destroy_joint,
      .RunFrame = run_frame,
      .PushCommand = push_command,
      .Trace = trace,
  };
  shim->world = world;
  world->rbe = &shim->engine;
  world->rbe_hasphysicsents = false;
  shims[i] = shim;
  hook_builtins(shim);
}

// ---- Console commands ---------------------------------------------------------------------------------------------

static void status(void) {
  int i;
  for (i = 0; i < MAX_WORLDS; ++i) {
    SkelobjRagdollInfo info;
    size_t s;
    int awake = 0, bodies = 0;
    const struct shim *shim = shims[i];
    if (!shim) continue;
    for (s = 0; s < shim->skeleton_count; ++s)
      if (shim->skeletons[s].has_ragdoll &&
          skelobj_ragdoll_info(shim->physics, shim->skeletons[s].object, &info) == SKELOBJ_STATUS_OK) {
        awake += !info.is_asleep;
        bodies += info.body_count;
      }
    print("skelobj: %s: %d ragdolls, %d awake, %d bodies\n", shim->world->keydestmask ? "client" : "server",
          shim->ragdolls, awake, bodies);
  }
  print("skelobj: %d worlds, %d models, %d dolls in memory, %.1f MB\n", (int)skelobj_live_count(SKELOBJ_KIND_WORLD),
        (int)skelobj_live_count(SKELOBJ_KIND_MODEL), (int)skelobj_live_count(SKELOBJ_KIND_DOLL),
        (double)skelobj_memory_in_use() / 1e6);
}

static void reload(void) {
  int i, changed = 0;
  for (i = 0; i < MAX_WORLDS; ++i)
    if (shims[i]) {
      shims[i]->said_count = 0;  // what was wrong with a doll may be wrong again
      changed += skelobj_reload_dolls(shims[i]->physics);
    }
  print("skelobj: %d ragdolls changed\n", changed);
}

// ---- Loading ------------------------------------------------------------------------------------------------------

// Starts in a world that runs already: the engine starts physics engines with each map only.
static void attach(const char *machine) {
  pubprogfuncs_t *progs = plugfuncs->GetEngineInterface(machine, 0);
  world_t *world = progs && progs->parms ? progs->parms->user : NULL;
  if (world && world->worldmodel && world->progs == progs && progs->edicttable_length) start(world);
}

static void QDECL shut_down(void) { rbefuncs->UnregisterPhysicsEngine(ENGINE_NAME); }

qboolean NATIVEEXPORT FTEPlug_Init(plugcorefuncs_t *core) {
  plugfuncs = core;
  cvarfuncs = plugfuncs->GetEngineInterface(plugcvarfuncs_name, sizeof(*cvarfuncs));
  cmdfuncs = plugfuncs->GetEngineInterface(plugcmdfuncs_name, sizeof(*cmdfuncs));
  fsfuncs = plugfuncs->GetEngineInterface(plugfsfuncs_name, sizeof(*fsfuncs));
  rbefuncs = plugfuncs->GetEngineInterface(plugrbefuncs_name, sizeof(*rbefuncs));
  if (!cvarfuncs || !cmdfuncs || !fsfuncs || !rbefuncs || rbefuncs->version < RBEPLUGFUNCS_VERSION ||
      rbefuncs->wedictsize != sizeof(wedict_t)) {
    print("skelobj: this plugin was built for another version of FTEQW: build it against the source of this one\n");
    return false;
  }
  if (!rbefuncs->RegisterPhysicsEngine(ENGINE_NAME, start)) {
    print("skelobj: another physics plugin is loaded: unload it (plug_close ode, plug_close bullet), then plug_load "
          "skelobj\n");
    return false;
  }
  catch_up = cvarfuncs->GetNVFDG("skelobj_catchup", "1", 0,
                                 "Longest frame that ragdolls simulate whole, seconds. From the next map on.", "skelobj");
  plugfuncs->ExportFunction("Shutdown", (funcptr_t)shut_down);
  cmdfuncs->AddCommand("skelobj_status", status, "Prints how many ragdolls there are.");
  cmdfuncs->AddCommand("skelobj_reload", reload, "Reads all doll files again and changes the ragdolls in place.");
  attach("SSQCVM");
  attach("CSQCVM");
  print("skelobj %d.%d.%d: skel_ragupdate is ready\n", skelobj_version() / 10000, skelobj_version() / 100 % 100,
        skelobj_version() % 100);
  return true;
}
