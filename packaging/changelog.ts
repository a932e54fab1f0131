// Gives the changes under "Unreleased" in CHANGELOG.md the version of package.json and today's date.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const unreleased = "## Unreleased"

/** The changelog after a release. Throws when there is nothing to release. */
export const withRelease = (changelog: string, version: string, date: string): string => {
  const [before, after, ...others] = changelog.split(`${unreleased}\n`)
  if (before === undefined || after === undefined || others.length > 0) throw new Error(`CHANGELOG.md needs one heading "${unreleased}"`)
  if (!/^\n*(###[^\n]*\n+)?- /.test(after)) throw new Error(`CHANGELOG.md has no changes under "${unreleased}"`)
  return `${before}${unreleased}\n\n## ${version} - ${date}\n${after}`
}

/** The versions of a changelog, newest first. */
export const releasesIn = (changelog: string): ReadonlyArray<string> =>
  [...changelog.matchAll(/^## (\d+\.\d+\.\d+\S*) - \d{4}-\d{2}-\d{2}$/gm)].map(([, version = ""]) => version)

if (process.argv[1] === import.meta.filename) {
  const root = join(import.meta.dirname, "..")
  const { version }: { readonly version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const path = join(root, "CHANGELOG.md")
  writeFileSync(path, withRelease(readFileSync(path, "utf8"), version, new Date().toISOString().slice(0, 10)))
}
