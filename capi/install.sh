#!/bin/sh
# Installs the C library: header, static and shared library, pkg-config and CMake files.
#
#   cargo build --release -p skelobj-capi && capi/install.sh /usr/local
#
# Arguments: the prefix (default /usr/local), and the folder of the built libraries (default target/release). DESTDIR goes
# before the prefix, LIBDIR (default lib) after it. STRIP is the strip of another toolchain, which has its ar beside it. For
# Linux and other systems with ELF, and for libraries of the target x86_64-pc-windows-gnu; packagers of others take cargo-c:
# see docs/guide/c.md.
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

# Runs a command that may complain of bitcode, which it need not read; shows what it says if it fails.
quiet() {
    said=$("$@" 2>&1) || { echo "$said" >&2; exit 1; }
}

fill() {
    sed -e "s|@PREFIX@|$prefix|g" -e "s|@LIBDIR@|$libdir|g" -e "s|@VERSION@|$version|g" -e "s|@SOVERSION@|$soversion|g" \
        -e "s|@UP@|$up|g" -e "s|@SYSTEM@|-l$(echo "$system" | sed 's/ / -l/g')|g" \
        -e "s|@LIBRARIES@|$(echo "$system" | tr ' ' ';')|g" "$here/templates/$1" >"$2"
    chmod 644 "$2"
}

# What a static library of Rust needs, as `rustc --print native-static-libs` tells.
if [ -f "$built/skelobj.dll" ]; then
    shared=skelobj.dll
    needed="libskelobj.a skelobj.dll libskelobj.dll.a"
    system="kernel32 ntdll userenv ws2_32 dbghelp"
else
    shared=libskelobj.so
    needed="libskelobj.a libskelobj.so"
    system="pthread dl m"
fi
for file in $needed; do
    [ -f "$built/$file" ] || { echo "$built/$file is missing: cargo build --release -p skelobj-capi" >&2; exit 1; }
done
install -d "$root/include" "$root/$libdir/pkgconfig" "$root/$libdir/cmake/skelobj"
install -m 644 "$here/../include/skelobj.h" "$root/include/skelobj.h"
# Debug information is most of their bytes.
install -m 644 "$built/libskelobj.a" "$root/$libdir/libskelobj.a"
# strip refuses files that have debug information only.
split=$("${strip%strip}ar" t "$root/$libdir/libskelobj.a" 2>/dev/null | grep '\.dwo$' || true)
# shellcheck disable=SC2086
[ -z "$split" ] || quiet "${strip%strip}ar" d "$root/$libdir/libskelobj.a" $split
quiet "$strip" --strip-debug "$root/$libdir/libskelobj.a"
if [ "$shared" = skelobj.dll ]; then
    install -d "$root/bin"
    install -m 755 "$built/skelobj.dll" "$root/bin/skelobj.dll"
    "$strip" --strip-unneeded "$root/bin/skelobj.dll"
    install -m 644 "$built/libskelobj.dll.a" "$root/$libdir/libskelobj.dll.a"
else
    install -m 755 "$built/libskelobj.so" "$root/$libdir/libskelobj.so.$version"
    "$strip" --strip-unneeded "$root/$libdir/libskelobj.so.$version"
    ln -sf "libskelobj.so.$version" "$root/$libdir/libskelobj.so.$soversion"
    ln -sf "libskelobj.so.$soversion" "$root/$libdir/libskelobj.so"
fi
fill skelobj.pc.in "$root/$libdir/pkgconfig/skelobj.pc"
fill skelobj-static.pc.in "$root/$libdir/pkgconfig/skelobj-static.pc"
fill skelobj-config.cmake.in "$root/$libdir/cmake/skelobj/skelobj-config.cmake"
fill skelobj-config-version.cmake.in "$root/$libdir/cmake/skelobj/skelobj-config-version.cmake"
echo "installed skelobj $version in $prefix"
