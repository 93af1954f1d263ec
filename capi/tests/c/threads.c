// Four threads at once, as hosts have them: each has a world of its own, and all share a model and one more world, whose
// calls wait for nobody: while another thread uses it, they fail. Arguments: the folder of the mannequin, and "own" to
// leave out the world that all share.
#include "check.h"

#include <pthread.h>

enum { THREADS = 4, FRAMES = 20, BONES = 64 };

typedef struct {
  SkelobjModel model;
  SkelobjWorld shared;
  int calls, failures;
} Thread;

static void note(Thread *thread, int ok) {
  ++thread->calls;
  thread->failures += !ok;
}

static void *run(void *argument) {
  Thread *thread = (Thread *)argument;
  SkelobjWorld world = skelobj_world_create(NULL);
  SkelobjObject object;
  SkelobjStatus status;
  float bones[BONES * 12];
  char text[256];
  int frame;

  note(thread, skelobj_world_add_model(world, "mannequin.iqm", thread->model) == SKELOBJ_STATUS_OK);
  object = skelobj_create(world, thread->model, SKELOBJ_SPACE_LOCAL);
  note(thread, object > 0);
  for (frame = 0; frame < FRAMES; ++frame) {
    SkelobjFrameDef pose = skelobj_frame_single(2, frame / 60.0);
    note(thread, skelobj_build(world, object, thread->model, &pose, NULL) == SKELOBJ_STATUS_OK);
    note(thread, skelobj_pose(world, object, SKELOBJ_SPACE_MODEL, bones, BONES) == SKELOBJ_STATUS_OK);
    note(thread, skelobj_step(world, 1.0f / 60, NULL) == SKELOBJ_STATUS_OK);
    status = thread->shared ? skelobj_step(thread->shared, 1.0f / 60, NULL) : SKELOBJ_STATUS_OK;
    note(thread, status == SKELOBJ_STATUS_OK || status == SKELOBJ_STATUS_BUSY);
    // The failures of other threads are not this one's.
    note(thread, skelobj_create(world, thread->model + 12345, SKELOBJ_SPACE_LOCAL) == 0);
    note(thread, skelobj_last_status() == SKELOBJ_STATUS_BAD_ID && skelobj_last_error(text, sizeof(text)) > 0);
  }
  note(thread, skelobj_world_free(world) == SKELOBJ_STATUS_OK);
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  Thread states[THREADS];
  File file = read_file(argc > 1 ? argv[1] : "dolls", "mannequin.iqm");
  SkelobjModel model = skelobj_model_load("mannequin.iqm", file.bytes, file.size, NULL);
  SkelobjWorld shared = skelobj_world_create(NULL);
  int i;

  IS(model > 0 && shared > 0, 1);
  free(file.bytes);
  for (i = 0; i < THREADS; ++i) {
    states[i].model = model;
    states[i].shared = argc > 2 ? 0 : shared;
    states[i].calls = states[i].failures = 0;
    IS(pthread_create(&threads[i], NULL, run, &states[i]), 0);
  }
  for (i = 0; i < THREADS; ++i) {
    IS(pthread_join(threads[i], NULL), 0);
    calls += states[i].calls;
    failures += states[i].failures;
  }
  IS(skelobj_world_free(shared), SKELOBJ_STATUS_OK);
  IS(skelobj_model_free(model), SKELOBJ_STATUS_OK);
  printf("%d calls, %d failures\n", calls, failures);
  return failures != 0;
}
