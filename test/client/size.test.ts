import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { assert, describe, it } from "vitest"

const bundled = async (entry: string, external: ReadonlyArray<string> = []) => {
  const { outputFiles, metafile } = await build({
    stdin: { contents: entry, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    external: [...external],
    metafile: true,
    write: false,
  })
  const inputs = Object.keys(metafile.inputs).filter((input) => input !== "<stdin>")
  return { bytes: gzipSync(outputFiles[0]?.contents ?? "").length, inputs }
}

describe("the client", () => {
  it("takes at most 3,000 bytes with passkeys, minified and gzipped, and contains only its own files", async () => {
    const { bytes, inputs } = await bundled(`export * from "../../client/index.ts"`)
    assert.isAtMost(bytes, 3000)
    assert.deepStrictEqual(
      inputs.filter((input) => !input.startsWith("client/")),
      [],
    )
  })

  it("takes at most 3,000 bytes with what Expo adds", async () => {
    const { bytes, inputs } = await bundled(`export * from "../../client/expo.ts"`)
    assert.isAtMost(bytes, 3000)
    assert.isTrue(inputs.every((input) => input.startsWith("client/")))
  })

  it.each(["react", "vue", "svelte"])("adds less than 400 bytes for %s", async (framework) => {
    const { bytes } = await bundled(`export * from "../../client/${framework}.ts"`, [framework])
    assert.isBelow(bytes, 400)
  })
})
