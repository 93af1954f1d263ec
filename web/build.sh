#!/bin/bash
# Builds the library, the page, the worker, and their licences into web/dist, which is committed, or into another folder:
# `build.sh [--quick] [FOLDER]`. With --quick, the library is larger, and built in a third of the time: for tests. Needs
# Rust, node, npm.
set -euo pipefail
cd "$(dirname "$0")"
released=(--config 'profile.release.lto="fat"' --config profile.release.codegen-units=1)
if [ "${1:-}" = --quick ]; then
    released=()
    shift
fi
out=${1:-dist}
mkdir -p "$out"
out=$(cd "$out" && pwd)
target="${CARGO_TARGET_DIR:-$PWD/../target}/web"

# Neither paths nor names of the machine that builds it are in the library.
flags="-C target-feature=+simd128 -C link-arg=-zstack-size=4194304 --remap-path-prefix=$(cd .. && pwd)=skelobj"
for crates in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*; do
    flags="$flags --remap-path-prefix=$crates=crates"
done
flags="$flags --remap-path-prefix=$(rustc --print sysroot)=rust"
rustup target add wasm32-unknown-unknown
# Small, but for the physics, in which nearly all of the time is spent.
RUSTFLAGS="$flags" CARGO_INCREMENTAL=0 cargo build --locked -p skelobj-capi --release --features enhanced-determinism \
    --target wasm32-unknown-unknown --target-dir "$target" "${released[@]}" --config 'profile.release.strip="symbols"' \
    --config profile.release.debug=false --config 'profile.release.opt-level="s"' \
    --config profile.release.package.rapier3d.opt-level=3 --config profile.release.package.parry3d.opt-level=3 \
    --config profile.release.package.glam.opt-level=3

./modules.sh
node bundle.mjs "$out"
node licences.mjs "$out"
install -m 644 "$target/wasm32-unknown-unknown/release/skelobj.wasm" "$out/skelobj.wasm"
for file in page.js worker.js skelobj.wasm; do
    gzip -9nf "$out/$file"
done
# Other compilers make other bytes.
rustc --version >"$out/rustc.txt"
ls -l "$out"
