import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import manifest from "../../package.json" with { type: "json" }
import lock from "../../package-lock.json" with { type: "json" }
import { releasesIn, withRelease } from "../../packaging/changelog.ts"
import { repository, run, temporaryFolder } from "./tarball.ts"

interface Component {
  readonly group?: string
  readonly name: string
  readonly version: string
  readonly components?: ReadonlyArray<Component>
}
interface Locked {
  readonly version?: string
  readonly dev?: boolean
  readonly link?: boolean
}

const nested = (components: ReadonlyArray<Component> = []): ReadonlyArray<Component> =>
  components.flatMap((component) => [component, ...nested(component.components)])

const changelog = readFileSync(join(repository, "CHANGELOG.md"), "utf8")

describe("the SBOM", () => {
  it("lists exactly the dependencies that npm ci --omit=dev installs", () => {
    const file = join(temporaryFolder(), "sbom.json")
    expect(run(repository, "bash", "packaging/sbom.sh", file)).toMatchObject({ status: 0 })
    const { metadata, components } = JSON.parse(readFileSync(file, "utf8"))
    expect(metadata.component).toMatchObject({ name: "sallyport", version: manifest.version })
    const listed = nested(components).map(({ group, name, version }) => `${group === undefined ? "" : `${group}/`}${name}@${version}`)
    const installed = Object.entries(lock.packages as Readonly<Record<string, Locked>>).flatMap(([path, { version, dev, link }]) =>
      dev === true || link === true || !path.includes("node_modules/") ? [] : [`${path.split("node_modules/").at(-1)}@${version}`],
    )
    expect([...new Set(listed)].toSorted()).toEqual([...new Set(installed)].toSorted())
    for (const [name, version] of Object.entries(manifest.dependencies)) expect(listed).toContain(`${name}@${version}`)
  })
})

describe("the version", () => {
  it("is the same in package.json, in the lock file, in the newest release of the changelog and in --version", () => {
    expect([lock.version, lock.packages[""].version]).toEqual([manifest.version, manifest.version])
    expect([manifest.version, ...releasesIn(changelog)][1] ?? manifest.version).toBe(manifest.version)
    expect(run(repository, "node", "bin.js", "--version").stdout).toContain(`v${manifest.version}`)
  })

  it("heads the changes that were unreleased", () => {
    const changed = withRelease(changelog, "1.2.3", "2026-11-22")
    expect(changed).toContain("## Unreleased\n\n## 1.2.3 - 2026-11-22\n\n### ")
    expect(releasesIn(changed)[0]).toBe("1.2.3")
    expect(() => withRelease(changed, "1.2.4", "2026-11-23")).toThrow("no changes")
  })
})
