import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { expect, it } from "vitest"

const folder = join(import.meta.dirname, "../../../client/elements")

/** The files that a bundler makes of an element: the first one is loaded with the page, the others when they are needed. */
const built = async (name: string) => {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(folder, `${name}.ts`)],
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    outdir: "out",
    external: ["./texts/*", "./own-client.ts"],
    metafile: true,
    write: false,
  })
  const files = outputFiles.map(({ path, contents }) => ({ path, bytes: gzipSync(contents).length }))
  const entry = Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint?.endsWith(`/${name}.ts`))
  const imported = entry?.imports.filter(({ kind, external }) => kind === "import-statement" && !external) ?? []
  const first = files.filter(({ path }) => path.endsWith(`/${name}.js`) || imported.some((each) => path.endsWith(each.path)))
  return { first: first.reduce((sum, { bytes }) => sum + bytes, 0), all: files.reduce((sum, { bytes }) => sum + bytes, 0), metafile }
}

// Minified, gzipped, without the texts of one language (at most 1,700 bytes), and the client that an element makes if it gets none.
it.each([
  ["user-button", 2000, 2000],
  ["organization-switcher", 2200, 3200],
  ["sign-in", 4500, 4500],
])("%s takes at most %d bytes in a page and %d in total, and imports only files of the client", async (name, page, most) => {
  const { first, all, metafile } = await built(name)
  expect(first).toBeGreaterThan(1000)
  expect(first).toBeLessThanOrEqual(page)
  expect(all).toBeLessThanOrEqual(most)
  expect(Object.keys(metafile.inputs).filter((path) => !path.startsWith("client/"))).toEqual([])
})

it("elements.css takes at most 1,500 bytes as it is published", () => {
  expect(gzipSync(readFileSync(join(folder, "elements.css"))).length).toBeLessThanOrEqual(1500)
})

it.each(["en", "de", "ar", "ja"])("the texts in %s take at most 1,700 bytes", async (tag) => {
  const { outputFiles } = await build({ entryPoints: [join(folder, `texts/${tag}.ts`)], minify: true, format: "esm", write: false })
  expect(gzipSync(outputFiles[0]!.contents).length).toBeLessThanOrEqual(1700)
})
