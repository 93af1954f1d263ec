#!/bin/sh
# Puts ragdolls of skelobj into a checkout of DarkPlaces: copies our files beside the engine's and inserts our calls.
#
#   ./apply.sh /path/to/darkplaces /path/to/libskelobj.a
#
# Nothing is changed unless every place was found once. `git checkout .` in the checkout takes the lines out again.
#
# Copyright (C) the skelobj authors. GPL-2.0-or-later: see LICENSE.md in this folder.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
engine=${1:?the checkout of DarkPlaces is missing}
library=$(realpath "${2:?libskelobj.a is missing}")
cd "$engine"
[ -f svvm_cmds.c ] || { echo "$engine is no checkout of DarkPlaces" >&2; exit 1; }
if grep -q Ragdoll_ svvm_cmds.c; then
    echo "$engine has the calls already: its lines stay, our files are copied again"
    applied=1
fi

# Each line: file | function, or - for the whole file | pattern of the line | after, before or instead | our text
places() {
    cat <<PLACES
quakedef.h|-|#include "csprogs.h"|after|#include "ragdoll.h"
host.c|-|World_Init();|after|	Ragdoll_Init();
prvm_cmds.c|VM_Cmd_Reset|CL_PurgeOwner(|before|	Ragdoll_Reset(prog);
svvm_cmds.c|VM_SV_skel_create|relativetransforms = (matrix4x4_t \*)(skeleton+1);|after|	Ragdoll_SkeletonCreated(prog, skeleton);
svvm_cmds.c|VM_SV_skel_delete|Mem_Free(skeleton);|before|	Ragdoll_SkeletonDeleted(prog, skeletonindex);
svvm_cmds.c|-|^NULL,.*// #281|instead|VM_skel_ragupdate,				// #281 float(entity ent, string command, float animskel) skel_ragupdate = #281; (SKELOBJ_RAGDOLL)
svvm_cmds.c|-|^"DP_SKELETONOBJECTS",|after|"SKELOBJ_RAGDOLL",
clvm_cmds.c|VM_CL_skel_create|relativetransforms = (matrix4x4_t \*)(skeleton+1);|after|	Ragdoll_SkeletonCreated(prog, skeleton);
clvm_cmds.c|VM_CL_skel_delete|Mem_Free(skeleton);|before|	Ragdoll_SkeletonDeleted(prog, skeletonindex);
clvm_cmds.c|-|^NULL,.*// #281|instead|VM_skel_ragupdate,				// #281 float(entity ent, string command, float animskel) skel_ragupdate = #281; (SKELOBJ_RAGDOLL)
sv_phys.c|SV_Physics|ExecuteProgram(prog, PRVM_serverfunction(StartFrame)|after|	Ragdoll_Frame(prog, sv.frametime, sv_gravity.value);
csprogs.c|CL_VM_UpdateView|PRVM_GarbageCollection(prog);|after|	Ragdoll_Frame(prog, frametime, cl.movevars_gravity);
makefile.inc|-|^OBJ_COMMON= |after|	ragdoll.o ragdoll_commands.o ragdoll_level.o \\\\
makefile.inc|-|^LDFLAGS_UNIXCOMMON=|after|LDFLAGS_UNIXCOMMON+=$library -lpthread -ldl -lm
PLACES
}

# Edits one place; prints the file. Fails unless there is exactly one such line.
edit() {
    FUNCTION=$2 PATTERN=$3 HOW=$4 TEXT=$5 awk '
        BEGIN { function_ = ENVIRON["FUNCTION"]; pattern = ENVIRON["PATTERN"]; how = ENVIRON["HOW"]; text = ENVIRON["TEXT"]
                plain = pattern ~ /^\^/ ? 0 : 1; gsub(/\\\*/, "*", pattern); gsub(/\\\\$/, "\\", text); inside = function_ == "-" }
        function_ != "-" && /^[A-Za-z].*\)/ && !/;[ \t\r]*$/ { inside = $0 ~ ("[ *]" function_ " *\\(") }
        {
            hit = inside && (plain ? index($0, pattern) : $0 ~ pattern)
            found += hit ? 1 : 0
            if (hit && how == "before") print text
            if (!(hit && how == "instead")) print
            if (hit && how != "before") print text
        }
        END { exit found != 1 }' "$1"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -z "${applied:-}" ]; then
    places | while IFS='|' read -r file function pattern how text; do
        [ -f "$work/$file" ] || cp "$file" "$work/$file"
        edit "$work/$file" "$function" "$pattern" "$how" "$text" >"$work/edited" || {
            echo "$file: expected one line with '$pattern' in $function: this version of DarkPlaces differs; nothing was changed" >&2
            exit 1
        }
        mv "$work/edited" "$work/$file"
    done
    cp "$work"/* .
fi
cp "$here"/ragdoll.c "$here"/ragdoll.h "$here"/ragdoll_local.h "$here"/ragdoll_level.c "$here"/../common/ragdoll_commands.c \
    "$here"/../common/ragdoll_commands.h "$here"/../../include/skelobj.h .
echo "ready: make sv-release, make sdl-release"
