#!/bin/sh
# Runs the demo in a dedicated server of DarkPlaces that has ragdolls, and looks at what it prints.
#
#   ./try.sh /path/to/darkplaces-dedicated [/path/to/map.bsp] [/path/to/darkplaces-sdl]
#
# The map needs an info_player_start and a func_door; without one, or with "", ../common/room.py makes it. Takes about three
# minutes. WRAPPER=valgrind runs the engine in it. MAPS=30 DOLLS=100 changes the map more often, with more dolls.
# The client needs a display, or xvfb-run.
#
# Copyright (C) the skelobj authors. GPL-2.0-or-later: see LICENSE.md in this folder.
set -eu

cd "$(dirname "$0")"
server=$(realpath "${1:?the dedicated server is missing}")
map=${2:-}
client=${3:-}
[ -z "$client" ] || client=$(realpath "$client")
run=build/run
wrapper=${WRAPPER:-}

rm -rf $run
mkdir -p $run/id1/models $run/id1/maps
cp build/*.dat $run/id1
cp ../../dolls/mannequin.iqm ../../dolls/mannequin.doll $run/id1/models
if [ -n "$map" ]; then
    cp "$map" $run/id1/maps/try.bsp
else
    ../common/room.py $run/id1
    mv $run/id1/maps/room.bsp $run/id1/maps/try.bsp
fi
echo stuffcmds >$run/id1/quake.rc  # the commands of the command line
cd $run

# Runs an engine; writes its log, and its resident memory once a second.
play() {
    log=$1
    engine=$2
    shift 2
    # shellcheck disable=SC2086
    timeout 900 $wrapper "$engine" -basedir . -nohome +set sv_public 0 "$@" +map try </dev/null >"$log" 2>&1 &
    pid=$!
    : >"$log.memory"
    while kill -0 $pid 2>/dev/null; do
        child=$(pgrep -P $pid | head -n 1) || child=
        [ -z "$child" ] || sed -n 's/VmRSS:[ \t]*//p' "/proc/$child/status" >>"$log.memory" 2>/dev/null || true
        sleep 1
    done
    wait $pid || true
    grep -a '^demo\|^client\|^skelobj' "$log"
}

fail() {
    echo "$1" >&2
    exit 1
}

play demo.txt "$server"
[ "$(grep -ac 'asleep after' demo.txt)" = 3 ] && [ "$(grep -ac 'server: 101 ragdolls' demo.txt)" = 3 ] &&
    [ "$(grep -ac 'server: 0 ragdolls' demo.txt)" = 4 ] || fail "the demo did not come to its end"

maps=${MAPS:-20} dolls=${DOLLS:-20}
play maps.txt "$server" +set sv_progs maps.dat +set demo_limit "$maps" +set demo_dolls "$dolls"
[ "$(grep -ac 'demo: map' maps.txt)" = $((maps + 1)) ] && [ "$(grep -ac "server: $dolls ragdolls" maps.txt)" = $((maps + 1)) ] &&
    [ "$(grep -ac '1 worlds, 1 models' maps.txt)" = $((maps + 1)) ] || fail "a map change left something behind"
echo "memory after five seconds and at the end: $(head -n 5 maps.txt.memory | tail -n 1), $(tail -n 1 maps.txt.memory)"

play hostile.txt "$server" +set sv_progs hostile.dat
grep -aq 'calls not refused: 0, asleep: 1' hostile.txt || fail "a call that makes no sense did something"

[ -n "$client" ] || exit 0
[ -n "${DISPLAY:-}" ] || wrapper="xvfb-run -a $wrapper"
play client.txt "$client" -nosound -window -width 320 -height 240 +set sv_progs server.dat +set vid_fullscreen 0
grep -aq 'asleep after' client.txt && grep -aq 'client: 0 ragdolls' client.txt || fail "the client's demo did not come to its end"
