// Builds `dist`: JavaScript in a few files that load quickly, and the types of every file.
//
// The server's files contain the parts of Effect that the service uses: loading the whole package takes 50 MB more memory and doubles the
// time of a start. An application's own modules import Effect from its package, which stays a dependency. Values of both copies work
// together.
import { execFileSync } from "node:child_process"
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { build, type Plugin } from "esbuild"
import type { Manifest } from "./manifest.ts"
import { buildServer, external, lazySegmenter, root, shared } from "./server.ts"

const { exports, version, license, engines, repository }: Published = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

interface Published extends Manifest {
  readonly version: string
  readonly license: string
  readonly engines: object
  /** Only in a release (`.github/workflows/release.yml`). */
  readonly repository?: object
}

/** Files for browsers and for backends; all others run the service. */
const isForClients = (path: string) => /^\.\/(client|backend)\//.test(path)
const targets = Object.values(exports).flatMap((target) => (typeof target === "string" ? [target] : Object.values(target)))
/** Each language of the elements is a file of its own. */
const texts = globSync("client/elements/texts/*.ts", { cwd: root }).map((path) => `./${path}`)
const entries = [...new Set([...targets, ...texts])].filter((path) => path.endsWith(".ts"))

/** Parts of effect's command line that `create-sallyport` never runs, 60 kB: completions, the wizard, values that are files, and child processes. */
const withoutUnused: Plugin = {
  name: "without unused",
  setup: ({ onLoad }) =>
    onLoad(
      {
        filter:
          /effect[/\\]dist[/\\](cli[/\\]internal[/\\](completions[/\\](bash|descriptor|zsh|fish|powershell)|wizard)|encoding[/\\](Yaml|Toml|Ini)|process[/\\]CommandLine)\.js$/,
      },
      () => ({
        contents: "module.exports = {}",
      }),
    ),
}

for (const folder of ["dist", "packaging/create-sallyport/dist"]) rmSync(join(root, folder), { recursive: true, force: true })
await Promise.all([
  buildServer(
    entries.filter((path) => !isForClients(path)),
    "dist",
  ),
  build({ ...shared, entryPoints: entries.filter(isForClients), platform: "neutral", plugins: [external(() => false)] }),
  build({
    ...shared,
    entryPoints: ["packaging/create-sallyport/main.ts"],
    outdir: "packaging/create-sallyport/dist",
    outbase: "packaging/create-sallyport",
    splitting: false,
    minify: true,
    platform: "node",
    plugins: [withoutUnused, lazySegmenter],
  }),
])
writeFileSync(
  join(root, "packaging/create-sallyport/dist/package.json"),
  JSON.stringify({
    name: "create-sallyport",
    version,
    description: "Adds Sallyport, an authentication and identity server, to an application: npm create sallyport",
    license,
    ...(repository === undefined ? {} : { repository }),
    type: "module",
    engines,
    bin: { "create-sallyport": "main.js" },
  }),
)
copyFileSync(join(root, "LICENSE"), join(root, "packaging/create-sallyport/dist/LICENSE"))
execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: "inherit",
})

// The catalog is not part of the package, and modules of applications have texts with keys of their own.
const serverTexts = join(root, "dist/adapters/texts/texts.d.ts")
const declared = readFileSync(serverTexts, "utf8")
const keys = declared.replace(/^import en from .*$/m, "declare const en: Readonly<Record<string, string>>;")
if (keys === declared) throw new Error(`${serverTexts} does not import the catalog`)
writeFileSync(serverTexts, keys)
