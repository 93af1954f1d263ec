#!/bin/bash
# Checks the format, the rules and the types of all JavaScript: `lint.sh`. `lint.sh --write` mends first what can be mended
# safely. biome.jsonc and tsconfig.json say which rules are off. Needs node and npm.
set -euo pipefail
cd "$(dirname "$0")"
./modules.sh
node_modules/.bin/biome check --error-on-warnings "$@" ..
# The formatter leaves comments and texts as long as they are.
if git ls-files -z '../*.js' '../*.mjs' '../*.d.ts' ':!layout.js' ':!skelobj.d.ts' |
    LC_ALL=C.UTF-8 xargs -0 grep -nE '^.{121}'; then
    echo "these lines have more than 120 columns"
    exit 1
fi
node_modules/.bin/tsc -p .
