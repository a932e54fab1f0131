#!/usr/bin/env bash
# Prepares a release in the folder `release`: the tarballs, the SBOM and their checksums. Publishes nothing. Needs Node and npm, after `npm ci`.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH="$PWD/node_modules/.bin:$PATH"

if compgen -G ".changeset/*.md" > /dev/null; then
  changeset version
  npm install --package-lock-only --ignore-scripts --no-audit --no-fund
  node packaging/changelog.ts
fi
npm run check

rm -rf release
mkdir release
npm pack --pack-destination release
npm pack ./packaging/create-sallyport/dist --pack-destination release
version=$(node -p 'require("./package.json").version')
bash packaging/sbom.sh "release/sallyport-$version.cdx.json"
(cd release && sha256sum -- *.tgz *.json > SHA256SUMS)

SALLYPORT_TARBALL="$PWD/release/sallyport-$version.tgz" npm run test:package
(cd release && sha256sum --check SHA256SUMS)
