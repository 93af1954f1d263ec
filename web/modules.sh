#!/bin/bash
# Installs the packages of npm into node_modules, unless they are there. No package runs a script but esbuild, which
# checks its program with one.
set -euo pipefail
cd "$(dirname "$0")"
[ -d node_modules ] && exit
npm ci --no-audit --no-fund
npm rebuild --ignore-scripts=false esbuild
