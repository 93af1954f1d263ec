#!/bin/bash
# Builds the library of the page again from the commit that dist/BUILT_FROM names, with the same rustc, and compares the
# bytes. Exits with 3 if history or rustc are missing. Needs Rust, node, npm.
set -euo pipefail
cd "$(dirname "$0")"
read -r _ commit changes <dist/BUILT_FROM
compiler=$(grep '^rustc ' dist/BUILT_FROM)

skip() {
    echo "SKIPPED: the bytes of dist/skelobj.wasm.gz, as $1"
    exit 3
}

[ -z "$changes" ] || skip "its sources were not committed"
git cat-file -e "$commit^{commit}" 2>/dev/null || skip "the history at hand lacks the commit $commit"
if [ "$(rustc --version)" != "$compiler" ]; then
    RUSTUP_TOOLCHAIN=$(cut -d ' ' -f 2 <<<"$compiler")
    export RUSTUP_TOOLCHAIN
    rustup toolchain install "$RUSTUP_TOOLCHAIN" --profile minimal --no-self-update || true
    [ "$(rustc --version)" = "$compiler" ] || skip "this machine cannot have $compiler"
fi

made=$(mktemp -d)
trap 'git worktree remove --force "$made/skelobj"; rm -rf "$made"' EXIT
git worktree add -q --detach "$made/skelobj" "$commit"
"$made/skelobj/web/build.sh"
gzip -dc "$made/skelobj/web/dist/skelobj.wasm.gz" | cmp - <(gzip -dc dist/skelobj.wasm.gz)
echo "dist/skelobj.wasm.gz: the bytes that $commit makes"
