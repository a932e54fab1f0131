import { readFileSync } from "node:fs"
import { join } from "node:path"
import { type BuildOptions, build, type Plugin } from "esbuild"

export const root = join(import.meta.dirname, "..")

const isPackage = /^[^./]/
const inlined = /^(effect|@effect\/[^/]+)(\/|$)/

/** Leaves packages to be resolved where the built files are installed. */
export const external = (isInlined: (path: string) => boolean): Plugin => ({
  name: "external",
  setup: ({ onResolve }) =>
    onResolve({ filter: isPackage }, ({ path, kind }) =>
      kind === "entry-point" || isInlined(path) ? undefined : { path, external: true },
    ),
})

/**
 * Lets effect's command line make its segmenter of text at the first use. It needs the data of ICU, 5 MB, which a service that runs does not
 * read.
 */
export const lazySegmenter: Plugin = {
  name: "lazy segmenter",
  setup: ({ onLoad }) =>
    onLoad({ filter: /effect[/\\]dist[/\\]cli[/\\]CliOutput\.js$/ }, ({ path }) => {
      const source = readFileSync(path, "utf8")
      const contents = source
        .replace("const graphemeSegmenter = /*#__PURE__*/new Intl.Segmenter(", "const graphemeSegmenter = () => new Intl.Segmenter(")
        .replace("graphemeSegmenter.segment(", "graphemeSegmenter().segment(")
      if (!contents.includes("graphemeSegmenter().segment(") || !contents.includes("() => new Intl")) throw new Error(`${path} has changed`)
      return { contents }
    }),
}

export const shared: BuildOptions = {
  absWorkingDir: root,
  outdir: "dist",
  outbase: ".",
  bundle: true,
  splitting: true,
  format: "esm",
  target: "es2024",
  chunkNames: "chunks/[name]-[hash]",
  legalComments: "linked",
}

/** Builds the program and these other entries of the server. */
export const buildServer = (entries: ReadonlyArray<string>, outdir: string) =>
  build({
    ...shared,
    outdir,
    entryPoints: ["bin.js", "main.ts", ...entries],
    platform: "node",
    plugins: [external((path) => inlined.test(path)), lazySegmenter],
    // In `node -e`, `__filename` is a text that is no path.
    define: { __filename: "undefined" },
  })
