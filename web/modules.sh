#!/bin/bash
# Installs the packages of package-lock.json into node_modules, unless they are there. No package runs a script but
# esbuild, which checks its program with one.
set -euo pipefail
cd "$(dirname "$0")"
cmp -s package-lock.json node_modules/installed.json && exit
npm ci --no-audit --no-fund
npm rebuild --ignore-scripts=false esbuild
cp package-lock.json node_modules/installed.json
