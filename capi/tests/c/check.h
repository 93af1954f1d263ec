// What the C tests share.
#ifndef CHECK_H
#define CHECK_H

#include <skelobj.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int calls, failures;

static void expect(int ok, const char *what, int line) {
  char text[256];
  ++calls;
  if (ok) return;
  ++failures;
  skelobj_last_error(text, sizeof(text));
  fprintf(stderr, "line %d: %s; the last error is: %s\n", line, what, text);
}

// A call that must have this outcome.
#define IS(call, wanted) expect((call) == (wanted), #call " should be " #wanted, __LINE__)

// A call that may fail or not.
static void any(SkelobjStatus status) { (void)status; }

// A call that fails: returns the number 0 (or -1) and leaves a status.
#define FAILS(call, wanted) \
  expect((int64_t)(call) <= 0 && skelobj_last_status() == (wanted), #call " should fail with " #wanted, __LINE__)

// A call that returns an id, or none with a status.
#define SOME(call) expect((call).id != 0, #call " should return an id", __LINE__)
#define NONE(call, wanted) \
  expect((call).id == 0 && skelobj_last_status() == (wanted), #call " should fail with " #wanted, __LINE__)
#define SAME(call, wanted) expect((call).id == (wanted).id, #call " should be " #wanted, __LINE__)

static const SkelobjObject no_object = {0};
static const SkelobjModel no_model = {0};

typedef struct {
  uint8_t *bytes;
  size_t size;
} File;

static File read_file(const char *folder, const char *name) {
  char path[1024];
  File file = {NULL, 0};
  long size;
  FILE *stream;
  snprintf(path, sizeof(path), "%s/%s", folder, name);
  stream = fopen(path, "rb");
  if (!stream) return file;
  fseek(stream, 0, SEEK_END);
  size = ftell(stream);
  fseek(stream, 0, SEEK_SET);
  file.bytes = (uint8_t *)malloc((size_t)size + 1);
  file.size = fread(file.bytes, 1, (size_t)size, stream);
  fclose(stream);
  return file;
}

// Files of a world: `user` is the folder.
static const uint8_t *load_file(void *user, const char *name, size_t *size) {
  File file = read_file((const char *)user, name);
  *size = file.size;
  return file.bytes;
}

static void unload_file(void *user, const uint8_t *bytes, size_t size) {
  (void)user;
  (void)size;
  free((void *)bytes);
}

static const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

#endif
