#!/bin/bash
# Compiles every example, and what the benchmark of calls runs, with Debian's fteqcc (apt-get install fteqcc). With a folder
# as argument the progs go there.
set -euo pipefail
cd "$(dirname "$0")"
into=${1:+$(realpath "$1")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp ./*.qc ../../benches/*.qc ../../include/skelobj.qc "$work"
for path in *.qc ../../benches/*.qc; do
    source=$(basename "$path")
    name=${source%.qc}
    [ "$name" = defs ] && continue
    printf '%s\n' "$name.dat" defs.qc skelobj.qc "$source" >"$work/progs.src"
    (cd "$work" && fteqcc) >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    cp "$work/$name.dat" "${into:-$(dirname "$path")}"
done
