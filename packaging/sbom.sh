#!/usr/bin/env bash
# Writes the SBOM (CycloneDX, JSON) to the file that the argument names. It lists the dependencies that `npm ci --omit=dev` installs.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
"$root/node_modules/.bin/cyclonedx-npm" --package-lock-only --omit dev --output-reproducible --output-format JSON \
  --output-file "$1" -- "$root/package.json"
