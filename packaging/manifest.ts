// Points `exports` and `bin` of package.json at the sources, for work in the repository, or at what `npm run build` makes of them, for the
// tarball. npm publishes the `exports` of the repository unchanged, and a custom condition would need a flag at every start of Node.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

type Conditions = Readonly<Record<string, string>>
type Target = string | Conditions

export interface Manifest {
  readonly exports: Readonly<Record<string, Target>>
  readonly bin: Readonly<Record<string, string>>
}

const mapValues = <A>(record: Readonly<Record<string, A>>, map: (value: A) => A): Readonly<Record<string, A>> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))

const isSource = (path: string) => path.startsWith("./") && path.endsWith(".ts")

const builtPath = (path: string) => `./dist/${path.slice(2, -3)}.js`
const sourcePath = (path: string) => path.replace(/^\.\/dist\//, "./").replace(/\.js$/, ".ts")

const builtTarget = (target: Target): Target => {
  const conditions = typeof target === "string" ? { default: target } : target
  const { default: source = "" } = conditions
  if (!isSource(source)) return target
  return { types: builtPath(source).replace(/\.js$/, ".d.ts"), ...mapValues(conditions, builtPath) }
}

const sourceTarget = (target: Target): Target => {
  if (typeof target === "string") return target
  const { types: _, ...conditions } = mapValues(target, sourcePath)
  return Object.keys(conditions).length > 1 ? conditions : (conditions["default"] ?? "")
}

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
