// skelobj as a physics plugin of FTEQW: poses that outlive a saved game.
//
// The engine saves the fields of entities, but no skeletal objects, and tells no plugin when it saves. A mod that
// declares `.string skel_ragpose` gets the pose of a limp ragdoll there whenever it has come to rest.
//
// Copyright (C) the skelobj authors. GPL-2.0-or-later: see LICENSE.md in this folder.
#include "shim.h"

enum { LONGEST = 16384 };  // bytes of a pose: a thousand bones

static string_t *field(struct shim *shim, pubprogfuncs_t *prinst, wedict_t *entity) {
  eval_t *value = prinst->GetEdictFieldValue(prinst, (edict_t *)entity, "skel_ragpose", ev_string, &shim->pose_field);
  return value ? &value->string : NULL;
}

void clear_pose(struct shim *shim, pubprogfuncs_t *prinst, wedict_t *entity) {
  string_t *text = entity && !ED_ISFREE(entity) ? field(shim, prinst, entity) : NULL;
  if (text) *text = 0;
}

void save_pose(struct shim *shim, pubprogfuncs_t *prinst, struct skeleton *s, wedict_t *entity) {
  static uint8_t bytes[LONGEST];
  static char text[2 * LONGEST + 1];
  string_t *saved = field(shim, prinst, entity);
  SkelobjRagdollInfo info;
  size_t i, size;
  if (!saved || skelobj_ragdoll_info(shim->physics, s->object, &info) != SKELOBJ_STATUS_OK) return;
  if (info.animated) {
    // The living follow their animation.
    if (s->is_saved) *saved = 0;
    s->is_saved = 0;
    return;
  }
  if (!info.is_asleep) {
    s->is_saved = s->is_saved ? 2 : 0;  // keeps the pose until it rests in another
    return;
  }
  if (s->is_saved == 1) return;
  if (skelobj_encode_bones(shim->physics, s->object, SKELOBJ_REPLICATION_FULL, bytes, LONGEST, &size)) return;
  for (i = 0; i < size; ++i) {
    text[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
    text[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
  }
  text[2 * size] = 0;
  prinst->SetStringField(prinst, (edict_t *)entity, saved, text, false);
  s->is_saved = 1;
}

static int digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

// Poses a new object as it lay when the game was saved. Returns 1 if it did.
int load_pose(struct shim *shim, pubprogfuncs_t *prinst, struct skeleton *s, wedict_t *entity) {
  static uint8_t bytes[LONGEST];
  string_t *saved = field(shim, prinst, entity);
  const char *text = saved && *saved ? PR_GetString(prinst, *saved) : "";
  size_t size;
  for (size = 0; *text && size < LONGEST; text += 2, ++size) {
    int high = digit(text[0]), low = high < 0 ? -1 : digit(text[1]);
    if (low < 0) return 0;
    bytes[size] = high << 4 | low;
  }
  if (!size || skelobj_apply_bones(shim->physics, s->object, bytes, size) != SKELOBJ_STATUS_OK) return 0;
  s->is_saved = 1;
  return 1;
}
