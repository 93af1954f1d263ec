// Commands of skel_ragupdate that the plugins add. See ragdoll_commands.h.
#include "ragdoll_commands.h"

#include <stdio.h>
#include <string.h>

#define DEGREE 0.017453292f

int plugin_command(SkelobjWorld world, SkelobjObject object, const char *command, float *result, char *problem,
                   size_t capacity) {
  SkelobjRagdollInfo info;
  char word[64], bone[64];
  float a[6] = {0};
  int i, count, number = 0;
  unsigned groups;
  if (sscanf(command, "%63s", word) != 1) return 0;
  if (strcmp(word, "impulse") && strcmp(word, "velocity") && strcmp(word, "groups") && strcmp(word, "asleep")) return 0;
  *result = 0;
  problem[0] = 0;
  if (!strcmp(word, "impulse")) {
    if (sscanf(command, "%*s %63s %f %f %f %f %f %f", bone, a, a + 1, a + 2, a + 3, a + 4, a + 5) != 7)
      snprintf(problem, capacity, "impulse: BONE (0 for the nearest), a point and an impulse are wanted, not \"%s\"", command);
    else if (strcmp(bone, "0") && !(number = skelobj_find_bone(world, object, bone)))
      snprintf(problem, capacity, "impulse: no bone \"%s\"", bone);
    else
      *result = (float)skelobj_ragdoll_impulse(world, object, number, a, a + 3, NULL);
  } else if (!strcmp(word, "velocity")) {
    count = sscanf(command, "%*s %f %f %f %f %f %f", a, a + 1, a + 2, a + 3, a + 4, a + 5);
    for (i = 3; i < 6; ++i) a[i] *= DEGREE;
    if (count != 3 && count != 6)
      snprintf(problem, capacity, "velocity: three or six numbers are wanted, not \"%s\"", command);
    else if (skelobj_ragdoll_info(world, object, &info) == SKELOBJ_STATUS_OK)
      *result = skelobj_ragdoll_add_velocity(world, object, a, a + 3, info.centre) == SKELOBJ_STATUS_OK;
  } else if (!strcmp(word, "groups")) {
    if (sscanf(command, "%*s %u", &groups) != 1)
      snprintf(problem, capacity, "groups: a number is wanted, not \"%s\"", command);
    else
      *result = skelobj_ragdoll_set_groups(world, object, groups) == SKELOBJ_STATUS_OK;
  } else {
    *result = skelobj_ragdoll_info(world, object, &info) == SKELOBJ_STATUS_OK && info.is_asleep;
  }
  return 1;
}
