// Ids given for others: a C compiler refuses each marked line, and ids.rs removes them and compiles the rest.
#include <skelobj.h>
#include <stdio.h>
#include <stdlib.h>

static const uint8_t *load(void *user, const char *name, size_t *size) {
  char path[300];
  FILE *file;
  uint8_t *bytes;
  (void)user;
  snprintf(path, sizeof(path), "dolls/%.200s", name);
  file = fopen(path, "rb");
  if (!file) return NULL;
  bytes = (uint8_t *)malloc(8 << 20);
  *size = bytes ? fread(bytes, 1, 8 << 20, file) : 0;
  fclose(file);
  return bytes;
}

int main(void) {
  SkelobjWorldDef def = skelobj_default_world_def();
  SkelobjWaterDef water_def = skelobj_default_water_def(SKELOBJ_LIQUID_KIND_WATER);
  SkelobjWorld world;
  SkelobjModel model;
  SkelobjObject first, second;
  SkelobjLevelBody floor;
  SkelobjWater water;
  float matrix[12] = {0};
  def.files.load = load;
  world = skelobj_world_create(&def);
  model = skelobj_world_load_model(world, "mannequin.iqm");
  first = skelobj_object_create(world, model, SKELOBJ_SPACE_LOCAL);
  second = skelobj_object_create(world, model, SKELOBJ_SPACE_LOCAL);
  floor = skelobj_add_floor(world, 0);
  water_def.maxs[0] = water_def.maxs[1] = water_def.maxs[2] = 10;
  water = skelobj_add_water(world, &water_def);
  printf("%x %x %x %x %x %x\n", world.id, model.id, first.id, second.id, floor.id, water.id);
  skelobj_bone_model(world, model, 1, matrix); // mixed up
  skelobj_level_body_remove(world, first); // mixed up
  skelobj_water_remove(world, floor); // mixed up
  skelobj_object_delete(world, model); // mixed up
  return matrix[0] > 0;
}
