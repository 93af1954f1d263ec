#!/bin/bash
# Compiles every example, and what the benchmark of calls runs, with Debian's fteqcc (apt-get install fteqcc), and keeps the
# line numbers of qcvm's game. With a folder as argument the files go there.
set -euo pipefail
cd "$(dirname "$0")"
into=${1:+$(realpath "$1")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp ./*.qc ../../benches/*.qc ../../qcvm/examples/*.qc ../../include/skelobj.qc "$work"

# compile SOURCE HEADER...: compiles one program, with these headers before it.
compile() {
    local path=$1 name
    name=$(basename "${path%.qc}")
    printf '%s\n' "$name.dat" "${@:2}" "$name.qc" >"$work/progs.src"
    (cd "$work" && fteqcc) >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    cp "$work/$name.dat" "${into:-$(dirname "$path")}"
}

for path in *.qc ../../benches/*.qc; do
    [ "$path" = defs.qc ] || compile "$path" defs.qc skelobj.qc
done
for path in ../../qcvm/examples/*.qc; do
    compile "$path"
done
cp "$work/game.lno" "${into:-../../qcvm/examples}"

# The mod has a progs.src of its own, with the header by its path.
mkdir -p "$work/examples/quakec" "$work/include"
cp -r mod "$work/examples/quakec"
cp ../../include/skelobj.qc "$work/include"
(cd "$work/examples/quakec/mod" && fteqcc -Tfte) >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
grep -qx "0 warnings" "$work/log" || { cat "$work/log"; exit 1; }
cp "$work/examples/quakec/mod/mod.dat" "${into:-mod}"
