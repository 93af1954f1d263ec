#!/bin/bash
# Compiles the conformance suite as builds.txt says: each line has a build, its compiler, its flags and its families.
# Debian's fteqcc (apt-get install fteqcc) is FTEQCC or in the path. The builds of a current fteqcc and of gmqcc 0.3.6
# are made only where CURRENT_FTEQCC and GMQCC are their paths. With a folder as argument the progs go there.
set -euo pipefail
cd "$(dirname "$0")"
sources=$PWD
into=$(realpath "${1:-progs}")
declare -A compilers=([debian]=${FTEQCC:-fteqcc} [current]=${CURRENT_FTEQCC:-} [gmqcc]=${GMQCC:-})
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp ./*.qc ../../include/skelobj.qc "$work"
cd "$work"

while read -r build compiler flags families; do
    command=${compilers[$compiler]}
    [ -n "$command" ] || continue
    IFS=, read -ra flags <<<"$flags"
    [ "${flags[*]}" != - ] || flags=()
    mkdir -p "$into/$build"
    for family in $families; do
        rm -f out.dat
        files=(defs.qc)
        [ "$family" != header ] || files+=(skelobj.qc)
        files+=("$family.qc")
        if [ "$compiler" = gmqcc ]; then
            run=("$command" "${flags[@]}" "${files[@]}" -o out.dat)
        else
            printf '%s\n' out.dat "${files[@]}" >progs.src
            run=("$command" "${flags[@]}")
        fi
        "${run[@]}" >log 2>&1 || { cat log; exit 1; }
        [ -f out.dat ] || { cat log; exit 1; }
        cp out.dat "$into/$build/$family.dat"
    done
done <"$sources/builds.txt"
