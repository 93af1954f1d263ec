// Ragdolls of skelobj in DarkPlaces: what the engine's own files call. apply.sh inserts the calls.
//
// Copyright (C) the skelobj authors. GPL-2.0-or-later: see LICENSE.md in this folder.
#ifndef RAGDOLL_H
#define RAGDOLL_H

struct prvm_prog_s;
struct skeleton_s;

// Registers the console commands, once at the start of the engine.
void Ragdoll_Init(void);

// Reads the doll of a new skeletal object's model, and the map, before anything dies.
void Ragdoll_SkeletonCreated(struct prvm_prog_s *prog, const struct skeleton_s *skeleton);

// Removes the ragdoll of a skeletal object that is about to be freed. `index` begins at 0.
void Ragdoll_SkeletonDeleted(struct prvm_prog_s *prog, int index);

// Moves the ragdolls of a program by a frame: the server's after StartFrame, the client's before CSQC_UpdateView.
void Ragdoll_Frame(struct prvm_prog_s *prog, double seconds, double gravity);

// Frees all that a program has, before its memory is: with each change of the map.
void Ragdoll_Reset(struct prvm_prog_s *prog);

// Builtin 281 of server and client: float skel_ragupdate(entity ent, string command, float animskel).
void VM_skel_ragupdate(struct prvm_prog_s *prog);

#endif
