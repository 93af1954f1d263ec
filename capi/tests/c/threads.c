// Calls of several threads at once, as the header allows them. Arguments: the folder of the mannequin, and "models"
// for nothing but a model and a doll that all threads read.
#include "check.h"

#include <pthread.h>

enum { THREADS = 4, FRAMES = 60, ROUNDS = 200, BONES = 21 };

// What the threads share.
static SkelobjModel shared_model;
static SkelobjDoll shared_doll;
static SkelobjWorld shared_world;
static SkelobjObject shared_object;
static SkelobjReceiver shared_receiver;
static uint8_t message[2048];
static size_t message_size;

typedef struct {
  int number;
  // Numbers of calls with each outcome; the main thread counts them.
  int ok, busy, gone, other;
  // Bones at the end of a fall.
  float pose[BONES * 12];
} Thread;

// Runs a function in all threads at once.
static void run(Thread threads[THREADS], void *(*body)(void *)) {
  pthread_t handles[THREADS];
  int i;
  memset(threads, 0, sizeof(Thread) * THREADS);
  for (i = 0; i < THREADS; ++i) threads[i].number = i;
  for (i = 0; i < THREADS; ++i)
    if (pthread_create(&handles[i], NULL, body, &threads[i])) exit(2);
  for (i = 0; i < THREADS; ++i) pthread_join(handles[i], NULL);
}

static void count(Thread *thread, SkelobjStatus status) {
  if (status == SKELOBJ_STATUS_OK) ++thread->ok;
  else if (status == SKELOBJ_STATUS_BUSY) ++thread->busy;
  else if (status == SKELOBJ_STATUS_BAD_ID) ++thread->gone;
  else ++thread->other;
}

// ---- A world for each thread, one model and doll for all ----------------------------------------------------------

static void *fall(void *data) {
  Thread *thread = (Thread *)data;
  SkelobjFrameDef frame = skelobj_frame_single(0, 0.25);
  SkelobjWorld world = skelobj_world_create(NULL);
  SkelobjObject object;
  int i;
  skelobj_add_floor(world, -2);
  count(thread, skelobj_world_add_model(world, "mannequin.iqm", shared_model));
  object = skelobj_object_create(world, shared_model, SKELOBJ_SPACE_LOCAL);
  count(thread, skelobj_build(world, object, shared_model, &frame, NULL));
  count(thread, skelobj_ragdoll_set(world, object, identity, shared_doll));
  count(thread, skelobj_ragdoll_animate(world, object, identity, 0, 0, no_object));
  for (i = 0; i < FRAMES; ++i) {
    count(thread, skelobj_ragdoll_update(world, object, identity, no_object));
    count(thread, skelobj_step(world, 1.0f / 60, NULL));
  }
  count(thread, skelobj_pose(world, object, SKELOBJ_SPACE_MODEL, thread->pose, BONES));
  count(thread, skelobj_world_free(world));
  return NULL;
}

static void worlds(void) {
  static Thread threads[THREADS];
  int i;
  run(threads, fall);
  for (i = 0; i < THREADS; ++i) {
    IS(threads[i].ok, 4 + 2 * FRAMES + 2);
    IS(threads[i].busy + threads[i].gone + threads[i].other, 0);
    // Falls beside each other have the same bits.
    IS(memcmp(threads[i].pose, threads[0].pose, sizeof(threads[i].pose)), 0);
  }
  IS(threads[0].pose[11] != 0, 1);
}

// ---- Models, dolls and a receiver, which several calls may use at once --------------------------------------------

static void *read_models(void *data) {
  Thread *thread = (Thread *)data;
  SkelobjModelData info;
  SkelobjDollBody bodies[32];
  float pose[BONES * 12];
  int32_t number;
  int i;
  for (i = 0; i < ROUNDS; ++i) {
    SkelobjModel baked;
    count(thread, skelobj_model_data(shared_model, &info));
    count(thread, skelobj_model_pose(shared_model, NULL, 1, pose, BONES));
    count(thread, skelobj_doll_bodies(shared_doll, shared_model, bodies, 32, &number));
    if (info.bones[0].parent || number < 8 || skelobj_model_find_tag(shared_model, "head") < 1) ++thread->other;
    if (i % 40) continue;
    baked = skelobj_model_bake(shared_model);
    count(thread, skelobj_model_free(baked));
  }
  return NULL;
}

static void *receive(void *data) {
  Thread *thread = (Thread *)data;
  int i;
  for (i = 0; i < ROUNDS; ++i) {
    if (skelobj_receiver_newest(shared_receiver) < -1) ++thread->other;
    count(thread, skelobj_receiver_clear(shared_receiver));
    if (thread->number) continue;
    // Only one thread has the world.
    if (skelobj_receiver_receive(shared_world, shared_object, shared_receiver, i, message, message_size)) ++thread->ok;
  }
  return NULL;
}

static void models(void) {
  static Thread threads[THREADS];
  int i;
  run(threads, read_models);
  for (i = 0; i < THREADS; ++i) {
    IS(threads[i].ok, 3 * ROUNDS + ROUNDS / 40);
    IS(threads[i].busy + threads[i].gone + threads[i].other, 0);
  }
}

static void receivers(void) {
  static Thread threads[THREADS];
  int i;
  run(threads, receive);
  for (i = 0; i < THREADS; ++i) {
    IS(threads[i].ok >= ROUNDS, 1);
    IS(threads[i].busy + threads[i].gone + threads[i].other, 0);
  }
}

// ---- One world for all threads: a call has it alone, or is refused ------------------------------------------------

static void *contend(void *data) {
  Thread *thread = (Thread *)data;
  float pose[BONES * 12];
  int i;
  for (i = 0; i < ROUNDS; ++i) {
    switch ((i + thread->number) % 4) {
      case 0: count(thread, skelobj_step(shared_world, 1.0f / 60, NULL)); break;
      case 1: count(thread, skelobj_ragdoll_update(shared_world, shared_object, identity, no_object)); break;
      case 2: count(thread, skelobj_pose(shared_world, shared_object, SKELOBJ_SPACE_MODEL, pose, BONES)); break;
      default: {
        SkelobjSnapshot snapshot = skelobj_snapshot_take(shared_world);
        count(thread, snapshot.id ? SKELOBJ_STATUS_OK : skelobj_last_status());
        if (snapshot.id) skelobj_snapshot_free(snapshot);
      }
    }
  }
  return NULL;
}

static void one_world(void) {
  static Thread threads[THREADS];
  int i, ok = 0;
  run(threads, contend);
  for (i = 0; i < THREADS; ++i) {
    ok += threads[i].ok;
    IS(threads[i].ok + threads[i].busy, ROUNDS);
    IS(threads[i].gone + threads[i].other, 0);
  }
  IS(ok > 0, 1);
  IS(skelobj_step(shared_world, 1.0f / 60, NULL), SKELOBJ_STATUS_OK);
}

// ---- Freed while others use it: a call goes on with what it has, or is refused ------------------------------------

static SkelobjModel short_lived[ROUNDS];

static void *use_and_free(void *data) {
  Thread *thread = (Thread *)data;
  float pose[BONES * 12];
  int i;
  for (i = 0; i < ROUNDS; ++i)
    count(thread, thread->number ? skelobj_model_pose(short_lived[i], NULL, 0, pose, BONES)
                                 : skelobj_model_free(short_lived[i]));
  return NULL;
}

static void freed_beside_uses(void) {
  static Thread threads[THREADS];
  int i;
  for (i = 0; i < ROUNDS; ++i) short_lived[i] = skelobj_model_bake(shared_model);
  run(threads, use_and_free);
  IS(threads[0].ok, ROUNDS);
  for (i = 1; i < THREADS; ++i) {
    IS(threads[i].ok + threads[i].gone, ROUNDS);
    IS(threads[i].busy + threads[i].other, 0);
  }
}

// ---- Failures belong to a thread ----------------------------------------------------------------------------------

static void *fail(void *data) {
  Thread *thread = (Thread *)data;
  SkelobjModel unknown;
  char wanted[64], text[256];
  int i;
  unknown.id = (uint32_t)(SKELOBJ_KIND_MODEL << 24 | (16000 + thread->number));
  snprintf(wanted, sizeof(wanted), "model %d does not exist", 16000 + thread->number);
  for (i = 0; i < ROUNDS; ++i) {
    skelobj_clear_error();
    if (skelobj_last_status() != SKELOBJ_STATUS_OK || skelobj_last_error(NULL, 0) != 0) ++thread->other;
    // The failures of some threads come between those of others.
    if (i % (thread->number + 1)) continue;
    count(thread, skelobj_model_free(unknown));
    skelobj_last_error(text, sizeof(text));
    if (skelobj_last_status() != SKELOBJ_STATUS_BAD_ID || !strstr(text, wanted)) ++thread->other;
  }
  return NULL;
}

static void failures_of_threads(void) {
  static Thread threads[THREADS];
  int i;
  skelobj_clear_error();
  run(threads, fail);
  IS(skelobj_last_status(), SKELOBJ_STATUS_OK);
  for (i = 0; i < THREADS; ++i) {
    IS(threads[i].gone, (ROUNDS + i) / (i + 1));
    IS(threads[i].ok + threads[i].busy + threads[i].other, 0);
  }
}

static void with_worlds(const char *folder) {
  SkelobjWorldDef def = skelobj_default_world_def();
  SkelobjFrameDef frame = skelobj_frame_single(0, 0.25);
  def.files.load = load_file;
  def.files.unload = unload_file;
  def.files.user = (void *)folder;
  shared_world = skelobj_world_create(&def);
  IS(skelobj_world_add_model(shared_world, "mannequin.iqm", shared_model), SKELOBJ_STATUS_OK);
  shared_object = skelobj_object_create(shared_world, shared_model, SKELOBJ_SPACE_LOCAL);
  IS(skelobj_build(shared_world, shared_object, shared_model, &frame, NULL), SKELOBJ_STATUS_OK);
  shared_receiver = skelobj_receiver_create();
  IS(skelobj_encode_bones(shared_world, shared_object, SKELOBJ_REPLICATION_FULL, message, sizeof(message),
                          &message_size),
     SKELOBJ_STATUS_OK);
  worlds();
  receivers();
  one_world();
  IS(skelobj_receiver_free(shared_receiver), SKELOBJ_STATUS_OK);
  IS(skelobj_world_free(shared_world), SKELOBJ_STATUS_OK);
}

int main(int arguments, char **argument) {
  const char *folder = arguments > 1 ? argument[1] : "dolls";
  File model = read_file(folder, "mannequin.iqm"), doll = read_file(folder, "mannequin.doll");
  int kind;
  shared_model = skelobj_model_load("mannequin.iqm", model.bytes, model.size, NULL);
  shared_doll = skelobj_doll_parse((const char *)doll.bytes, doll.size, shared_model);
  free(model.bytes);
  free(doll.bytes);
  if (arguments > 2) {
    // Made at the first use, under a lock that helgrind does not know.
    SkelobjModelData info;
    IS(skelobj_model_data(shared_model, &info), SKELOBJ_STATUS_OK);
  }
  models();
  if (arguments < 3) {
    freed_beside_uses();
    failures_of_threads();
    with_worlds(folder);
  }
  IS(skelobj_doll_free(shared_doll), SKELOBJ_STATUS_OK);
  IS(skelobj_model_free(shared_model), SKELOBJ_STATUS_OK);
  for (kind = SKELOBJ_KIND_WORLD; kind <= SKELOBJ_KIND_RECEIVER; ++kind) IS(skelobj_live_count(kind), 0);
  printf("%d calls, %d failures\n", calls, failures);
  return failures != 0;
}
