#!/bin/bash
# Fills corpus/TARGET with real files of the project and of the shared folder, if there is one.
set -euo pipefail
cd "$(dirname "$0")"
shared="${SKELOBJ_SHARED:-../../shared}"
corpus="$shared/corpus"
# Larger files slow the fuzzer down without new coverage.
most=262144

# add TARGET FILE...: one seed, the concatenation of these files.
add() {
    local target="$1" seed
    shift
    for file in "$@"; do [ -f "$file" ] || return 0; done
    mkdir -p "corpus/$target"
    seed="corpus/$target/seed-$(cat "$@" | sha1sum | cut -c1-16)"
    [ "$(cat "$@" | wc -c)" -gt $most ] || cat "$@" >"$seed"
}

# each TARGET FOLDER PATTERN: every such file below the folder is a seed.
each() {
    [ -d "$2" ] || return 0
    local file
    find "$2" -name "$3" -type f | sort | while read -r file; do add "$1" "$file"; done
}

each iqm ../tests/golden/models '*.iqm'
each iqm "$corpus" '*.iqm'
each iqm "$corpus" '*.vvm'
each dpm ../tests/golden-dp/models '*.dpm'
each md3 ../tests/golden-dp/models '*.md3'
for format in dpm zym psk psa md3; do each $format "$corpus" "*.$format"; done
add psk "$corpus"/derived_psk/ropelike.psk "$corpus"/derived_psk/ropelike.psa
for mesh in "$corpus"/md5/*/*.md5mesh; do
    add md5 "$mesh"
    for animation in "$(dirname "$mesh")"/*.md5anim; do add md5 "$mesh" "$animation"; done
done
list="$(mktemp)"
trap 'rm -f "$list"' EXIT
echo 'EXTERNALANIM model m group a clampgroup b frames c group a' >"$list"
for mesh in "$corpus"/md5/*/*.md5mesh; do
    for animation in "$(dirname "$mesh")"/*.md5anim; do add md5_list "$list" "$mesh" "$animation"; done
done
each hlmdl "$corpus/hlmdl" '*.mdl'
add hlmdl "$corpus"/hlmdl/man.mdl "$corpus"/hlmdl/man01.mdl
add hlmdl "$corpus"/hlmdl/man.mdl "$corpus"/hlmdl/manT.mdl
add hlmdl "$corpus"/hlmdl/duplicate_sequence_groups.mdl "$corpus"/hlmdl/duplicate_sequence_groups01.mdl
each glb ../tests/data/gltf '*.glb'
each gltf ../tests/data/gltf '*.gltf'
each gltf "$shared/bad/amplify" '*.gltf'
each nel_shape "$corpus/nel" '*.shape'
each nel_skel "$corpus/nel" '*.skel'
each nel_anim "$corpus/nel" '*.anim'
add nel_shape "$corpus"/nel/sphere_top.shape "$corpus"/nel/sphere_skeleton.skel
add nel_skel "$corpus"/nel/sphere_skeleton.skel "$corpus"/nel/sphere_test_01.anim
add nel_skel "$corpus"/nel/generated/gen_tube24.skel "$corpus"/nel/generated/gen_tube24_wiggle.anim
for folder in ../tests "$corpus"; do each framegroups "$folder" '*.framegroups'; done
for folder in ../dolls ../tests/golden/dolls ../tests/dolls "$corpus/ragdoll"; do each doll "$folder" '*.doll'; done
for folder in "$corpus/bsp" "$shared/bad/bsp" "$shared/bad/amplify"; do each bsp "$folder" '*.bsp'; done
for folder in ../examples/quakec ../tests/qc ../qcvm/tests/qc; do each progs "$folder" '*.dat'; done
for folder in corpus/*/; do echo "$(basename "$folder"): $(find "$folder" -name 'seed-*' | wc -l) seeds"; done
