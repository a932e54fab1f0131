import { globSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, expect, it } from "vitest"
import manifest from "../../package.json" with { type: "json" }
import { pack } from "../package/tarball.ts"
import { copyExamples, installExample, linesOf, runIn } from "./example.ts"

let folder: string
beforeAll(() => {
  folder = join(copyExamples(), "expo")
  installExample(folder, pack())
}, 600_000)

it("the example has at most 60 lines", () => {
  expect(linesOf("expo")).toBeLessThanOrEqual(60)
})

it("the app type-checks with the modules of Expo, and without the types of Effect", async () => {
  const { stdout } = await runIn(folder, ["tsc", "-p", ".", "--listFiles"])
  expect(stdout).toMatch(/sallyport\/dist\/client\/expo\.d\.ts$/m)
  expect(stdout).not.toMatch(/node_modules\/(@effect|effect)\//)
})

it("the bundles of the app for iOS and Android have the client, and nothing of the service", async () => {
  const variables = { CI: "1", EXPO_OFFLINE: "1", EXPO_NO_TELEMETRY: "1" }
  await runIn(folder, ["expo", "export", "--platform", "ios", "--platform", "android", "--source-maps"], variables)
  const maps = globSync("dist/**/*.map", { cwd: folder })
  expect(maps).toHaveLength(2)
  for (const map of maps) {
    const { sources }: { readonly sources: ReadonlyArray<string> } = JSON.parse(readFileSync(join(folder, map), "utf8"))
    const own = [...new Set(sources.flatMap((source) => /\/(sallyport\/dist\/.*)$/.exec(source)?.[1] ?? []))]
    expect(own).toContain("sallyport/dist/client/expo.js")
    const sizes = own.map((file) => statSync(join(folder, "node_modules", file)).size)
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(12_000)
    const packages = Object.keys(manifest.dependencies).filter((name) => sources.some((source) => source.includes(`node_modules/${name}/`)))
    expect(packages).toEqual([])
  }
}, 600_000)
