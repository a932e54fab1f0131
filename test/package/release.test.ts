import { spawnSync } from "node:child_process"
import { copyFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import manifest from "../../package.json" with { type: "json" }
import lock from "../../package-lock.json" with { type: "json" }
import { releasesIn, withRelease } from "../../packaging/changelog.ts"
import { environment, repository, run, temporaryFolder } from "./tarball.ts"

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

describe("the workflow", () => {
  const workflow = (name: string) => parse(readFileSync(join(repository, `.github/workflows/${name}.yml`), "utf8"))
  const jobs = { ...workflow("release").jobs, ...workflow("image").jobs }
  const runs = (job: string): ReadonlyArray<string> => jobs[job].steps.flatMap(({ run }: { readonly run?: string }) => run ?? [])
  const shell = (folder: string, script = "exit 1", more = {}) =>
    spawnSync("bash", ["-e", "-c", script], { cwd: folder, env: { ...environment, ...more }, encoding: "utf8" })

  it("writes its repository into package.json before it packs", () => {
    const steps = runs("prepare")
    const step = steps.findIndex((text) => text.startsWith("npm pkg set"))
    expect(steps.indexOf("npm run release:prepare")).toBe(step + 1)
    const folder = temporaryFolder()
    copyFileSync(join(repository, "package.json"), join(folder, "package.json"))
    const more = { GITHUB_SERVER_URL: "https://github.com", GITHUB_REPOSITORY: "example/sallyport" }
    expect(shell(folder, steps[step], more).status).toBe(0)
    expect(JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))).toEqual({
      ...manifest,
      repository: { type: "git", url: "git+https://github.com/example/sallyport.git" },
    })
  })

  it("names the image by the release, also weekly, and candidates by nothing else", () => {
    const [step] = runs("image")
    const tagsOf = (existing: ReadonlyArray<string>, ref: string, type: string) => {
      const folder = temporaryFolder()
      const git = `git() { if [ "$1" = tag ]; then echo "${existing.join("\n")}"; else echo "$*" >> log; fi; }`
      const more = { GITHUB_REF_NAME: ref, GITHUB_REF_TYPE: type, GITHUB_REPOSITORY: "Example/Sallyport", GITHUB_OUTPUT: "output" }
      expect(shell(folder, `${git}\n${step}`, more).status).toBe(0)
      return [readFileSync(join(folder, "log"), "utf8").trim(), readFileSync(join(folder, "output"), "utf8").split("\n")[1]]
    }
    const image = "ghcr.io/example/sallyport"
    expect(tagsOf([], "v1.2.3", "tag")).toEqual(["checkout --quiet v1.2.3", `tags=${image}:1.2.3,${image}:1.2`])
    expect(tagsOf([], "v1.3.0-rc.1", "tag")).toEqual(["checkout --quiet v1.3.0-rc.1", `tags=${image}:1.3.0-rc.1`])
    expect(tagsOf(["v1.3.0-rc.1", "v1.2.10", "v1.2.9"], "main", "branch")).toEqual([
      "checkout --quiet v1.2.10",
      `tags=${image}:1.2.10,${image}:1.2`,
    ])
    expect(workflow("release").jobs.image).toMatchObject({ needs: "publish", uses: "./.github/workflows/image.yml" })
  })

  it("publishes sallyport before create-sallyport, and in a second run only what is missing", () => {
    const folder = temporaryFolder()
    for (const file of ["create-sallyport-1.2.3.tgz", "sallyport-1.2.3.tgz", "log"]) writeFileSync(join(folder, file), "")
    // `npm view` shows nothing of a version that does not exist.
    const npm = `npm() {
      if [ "$1" = view ]; then case "$EXISTING" in *" $2 "*) echo 1.2.3;; esac; return; fi
      echo "$*" >> log; case "$*" in *"/$FAILING") return 1;; esac
    }\n`
    const publish = (more: Readonly<Record<string, string>>) => shell(folder, `${npm}${runs("publish").at(-1)}`, more).status
    expect(publish({ FAILING: "create-sallyport-1.2.3.tgz" })).toBe(1)
    expect(publish({ EXISTING: " sallyport@1.2.3 " })).toBe(0)
    expect(publish({ EXISTING: " sallyport@1.2.3 create-sallyport@1.2.3 " })).toBe(0)
    const [first, second] = ["sallyport", "create-sallyport"].map((name) => `publish --provenance --access public ./${name}-1.2.3.tgz`)
    expect(readFileSync(join(folder, "log"), "utf8").trim().split("\n")).toEqual([first, second, second])
  })
})
