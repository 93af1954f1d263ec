#!/bin/bash
# Tests of the package, the worker and the page in dist: `test.sh SKELOBJ`, where SKELOBJ is the command, built for this
# machine. Needs node and npm; with CHROMIUM or /usr/bin/chromium, the page is tested in it.
set -euo pipefail
command=$(realpath "$1")
cd "$(dirname "$0")"
./modules.sh

node make_layout.mjs --check
node test/contrast.mjs
node test/hash.mjs
node test/package.mjs dist/skelobj.wasm.gz "$command"
sed -n '/^```js/,/^```/p' README.md | grep -v '^```' | node --input-type=module - >/dev/null
node test/worker.mjs

# What is handed out is what the sources make; the library is compared by its falls.
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
node bundle.mjs "$made"
cmp "$made/index.html" dist/index.html || { echo "run web/build.sh"; exit 1; }
for file in page.js worker.js; do
    gzip -dc "dist/$file.gz" | cmp - "$made/$file" || { echo "run web/build.sh"; exit 1; }
done

chromium=${CHROMIUM:-/usr/bin/chromium}
if [ -x "$chromium" ]; then
    export CHROMIUM=$chromium SKELOBJ=$command
    node test/page.mjs dist ${SHOTS:+"$SHOTS"}
else
    echo "SKIPPED: the page, as there is no Chromium"
fi
