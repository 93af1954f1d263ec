#!/bin/bash
# Compiles every example with Debian's fteqcc (apt-get install fteqcc). With a folder as argument the progs go there.
set -euo pipefail
cd "$(dirname "$0")"
into=$(realpath "${1:-.}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp ./*.qc ../../include/skelobj.qc "$work"
for source in *.qc; do
    name=${source%.qc}
    [ "$name" = defs ] && continue
    printf '%s\n' "$name.dat" defs.qc skelobj.qc "$source" >"$work/progs.src"
    (cd "$work" && fteqcc) >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    cp "$work/$name.dat" "$into"
done
