#!/bin/bash
# Compiles the programs of the tests of `skelobj script`, and their line numbers, with Debian's fteqcc. The argument is the
# path of skelobj.qc, for a copy of this folder.
set -euo pipefail
header=$(realpath "${1:-$(dirname "$0")/../../../include/skelobj.qc}")
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp ./*.qc "$header" "$work"
for path in *.qc; do
    name=${path%.qc}
    [ "$name" = defs ] && continue
    printf '%s\n' "$name.dat" defs.qc skelobj.qc "$name.qc" >"$work/progs.src"
    (cd "$work" && fteqcc) >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    cp "$work/$name.dat" "$work/$name.lno" .
done
