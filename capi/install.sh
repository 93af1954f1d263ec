#!/bin/sh
# Installs the C library: header, static and shared library, pkg-config and CMake files.
#
#   cargo build --release -p skelobj-capi && capi/install.sh /usr/local
#
# Arguments: the prefix (default /usr/local), and the folder of the built libraries (default target/release). DESTDIR goes
# before the prefix, LIBDIR (default lib) after it. STRIP is the strip of another toolchain, or "true" to keep debug
# information. For Linux and other systems with ELF; packagers of others take
# cargo-c: see docs/guide/c.md.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
prefix=${1:-/usr/local}
built=${2:-$here/../target/release}
libdir=${LIBDIR:-lib}
strip=${STRIP:-strip}
root=${DESTDIR:-}$prefix
# The version of the interface. Until version 1, each second number may change it.
number=$(sed -n 's/^#define SKELOBJ_VERSION //p' "$here/../include/skelobj.h")
version=$((number / 10000)).$((number / 100 % 100)).$((number % 100))
case $version in
0.*) soversion=${version%.*} ;;
*) soversion=${version%%.*} ;;
esac
# From PREFIX/LIBDIR/cmake/skelobj up to the prefix.
up=$(echo "$libdir/cmake/skelobj" | sed 's|[^/][^/]*|..|g')

fill() {
    sed -e "s|@PREFIX@|$prefix|g" -e "s|@LIBDIR@|$libdir|g" -e "s|@VERSION@|$version|g" -e "s|@SOVERSION@|$soversion|g" \
        -e "s|@UP@|$up|g" "$here/templates/$1" >"$2"
    chmod 644 "$2"
}

for file in libskelobj.a libskelobj.so; do
    [ -f "$built/$file" ] || { echo "$built/$file is missing: cargo build --release -p skelobj-capi" >&2; exit 1; }
done
install -d "$root/include" "$root/$libdir/pkgconfig" "$root/$libdir/cmake/skelobj"
install -m 644 "$here/../include/skelobj.h" "$root/include/skelobj.h"
# Debug information is most of their bytes.
install -m 644 "$built/libskelobj.a" "$root/$libdir/libskelobj.a"
"$strip" --strip-debug "$root/$libdir/libskelobj.a"
install -m 755 "$built/libskelobj.so" "$root/$libdir/libskelobj.so.$version"
"$strip" --strip-unneeded "$root/$libdir/libskelobj.so.$version"
ln -sf "libskelobj.so.$version" "$root/$libdir/libskelobj.so.$soversion"
ln -sf "libskelobj.so.$soversion" "$root/$libdir/libskelobj.so"
fill skelobj.pc.in "$root/$libdir/pkgconfig/skelobj.pc"
fill skelobj-config.cmake.in "$root/$libdir/cmake/skelobj/skelobj-config.cmake"
fill skelobj-config-version.cmake.in "$root/$libdir/cmake/skelobj/skelobj-config-version.cmake"
echo "installed skelobj $version in $prefix"
