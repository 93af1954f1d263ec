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

chromium=${CHROMIUM:-/usr/bin/chromium}
if [ -x "$chromium" ]; then
    export CHROMIUM=$chromium SKELOBJ=$command
    node test/page.mjs dist ${SHOTS:+"$SHOTS"}
else
    echo "SKIPPED: the page, as there is no Chromium"
fi
