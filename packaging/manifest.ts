// Points `exports` and `bin` of package.json at the sources, for work in the repository, or at what `npm run build` makes of them, for the
// tarball. npm publishes the `exports` of the repository unchanged, and a custom condition would need a flag at every start of Node.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

interface Built {
  readonly types: string
  readonly default: string
}
type Target = string | Built

export interface Manifest {
  readonly exports: Readonly<Record<string, Target>>
  readonly bin: Readonly<Record<string, string>>
}

const isSource = (path: string) => path.startsWith("./") && path.endsWith(".ts")

const builtTarget = (target: Target): Target => {
  if (typeof target !== "string" || !isSource(target)) return target
  const path = `./dist/${target.slice(2, -3)}`
  return { types: `${path}.d.ts`, default: `${path}.js` }
}

const sourceTarget = (target: Target): Target =>
  typeof target === "string" ? target : target.default.replace(/^\.\/dist\//, "./").replace(/\.js$/, ".ts")

const mapValues = <A>(record: Readonly<Record<string, A>>, map: (value: A) => A): Readonly<Record<string, A>> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))

export const forTarball = <M extends Manifest>(manifest: M): M => ({
  ...manifest,
  bin: mapValues(manifest.bin, (path) => path.replace(/^\.\/(?!dist\/)/, "./dist/")),
  exports: mapValues(manifest.exports, builtTarget),
})

export const forRepository = <M extends Manifest>(manifest: M): M => ({
  ...manifest,
  bin: mapValues(manifest.bin, (path) => path.replace(/^\.\/dist\//, "./")),
  exports: mapValues(manifest.exports, sourceTarget),
})

const maps = new Map([
  ["dist", forTarball],
  ["source", forRepository],
])

if (process.argv[1] === import.meta.filename) {
  const map = maps.get(process.argv[2] ?? "")
  if (map === undefined) throw new Error("wanted dist or source")
  const path = join(import.meta.dirname, "../package.json")
  const manifest: Manifest = JSON.parse(readFileSync(path, "utf8"))
  writeFileSync(path, `${JSON.stringify(map(manifest), null, 2)}\n`)
}
