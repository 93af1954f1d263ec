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

# The mods have sources of their own, with the header by its path.
mkdir -p "$work/examples/quakec" "$work/include"
cp -r mod network "$work/examples/quakec"
cp ../../include/skelobj.qc "$work/include"

# compile_mod FOLDER SOURCE PROGS: compiles a mod, which must not have a warning.
compile_mod() {
    (cd "$work/examples/quakec/$1" && fteqcc -Tfte -srcfile "$2") >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    grep -qx "0 warnings" "$work/log" || { cat "$work/log"; exit 1; }
    cp "$work/examples/quakec/$1/$3" "${into:-$1}"
}

compile_mod mod progs.src mod.dat
compile_mod network server.src server.dat
compile_mod network client.src client.dat
