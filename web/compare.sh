#!/bin/bash
# Builds the page as released and compares it with the committed one in dist. Exits with 3 if this machine cannot have the
# compiler of dist/rustc.txt. Needs Rust, node, npm.
set -euo pipefail
cd "$(dirname "$0")"
compiler=$(<dist/rustc.txt)
if [ "$(rustc --version)" != "$compiler" ]; then
    RUSTUP_TOOLCHAIN=$(cut -d ' ' -f 2 <<<"$compiler")
    export RUSTUP_TOOLCHAIN
    rustup toolchain install "$RUSTUP_TOOLCHAIN" --profile minimal --no-self-update || true
    if [ "$(rustc --version)" != "$compiler" ]; then
        echo "SKIPPED: the bytes of the built page, as this machine cannot have $compiler"
        exit 3
    fi
fi

made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
./build.sh "$made"
# Of compressed files the content counts: another gzip makes other bytes.
gzip -d "$made"/*.gz
for file in dist/*; do
    name=$(basename "${file%.gz}")
    case $file in *.gz) gzip -dc "$file" ;; *) cat "$file" ;; esac | cmp - "$made/$name" || {
        echo "$file is not what the sources make: run web/build.sh"
        exit 1
    }
done
echo "dist: the bytes that the sources make"
