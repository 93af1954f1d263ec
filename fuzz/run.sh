#!/bin/bash
# Builds a target with AddressSanitizer and runs it for some seconds, without cargo-fuzz: `run.sh capi 1800`. Needs a
# C++ compiler and the nightly toolchain; further arguments go to libFuzzer. What it finds is in artifacts/TARGET.
set -euo pipefail
cd "$(dirname "$0")"
target=$1 seconds=$2
shift 2
machine=$(rustc +nightly -vV | sed -n 's/^host: //p')
flags=(--cfg fuzzing -Zsanitizer=address -Cpasses=sancov-module -Ccodegen-units=1)
for option in level=4 inline-8bit-counters pc-table trace-compares; do
    flags+=("-Cllvm-args=-sanitizer-coverage-$option")
done
# With a target, build scripts are not instrumented.
RUSTFLAGS="${flags[*]}" cargo +nightly build --release --locked --target "$machine" --bin "$target"
mkdir -p "corpus/$target" "artifacts/$target"
exec "${CARGO_TARGET_DIR:-target}/$machine/release/$target" "corpus/$target" \
    -artifact_prefix="artifacts/$target/" -max_total_time="$seconds" -timeout=30 -rss_limit_mb=2048 "$@"
