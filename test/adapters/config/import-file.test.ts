import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, expect, it } from "vitest"

const place = mkdtempSync(join(tmpdir(), "sallyport-import-"))
afterAll(() => rmSync(place, { recursive: true }))

/** What Node prints, and its warnings: in this process Vite would load the files. */
const imported = (manifest: object, files: Readonly<Record<string, string>>) => {
  const folder = mkdtempSync(join(place, "app-"))
  for (const [name, text] of Object.entries({ "package.json": JSON.stringify(manifest), ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const { href } = new URL("../../../adapters/config/import-file.ts", import.meta.url)
  const [path = ""] = Object.keys(files)
  const program = `import { importDefault } from "${href}"
    const path = ${JSON.stringify(join(folder, path))}
    console.log(JSON.stringify([await importDefault(path), await importDefault(path)]))`
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" })
  return [stdout.trim(), stderr]
}

const files = {
  "sallyport.config.ts": [
    'import { a } from "./lib/a"',
    'import { b } from "./lib/b.js"',
    'import { c } from "./lib/c.ts"',
    'import { d } from "./lib"',
    "export default { text: a + b + c + d } satisfies { readonly text: string }",
  ].join("\n"),
  "lib/a.ts": 'import { e } from "./e"\nexport const a: string = "a" + e',
  "lib/b.ts": 'export const b: string = "b"',
  "lib/c.ts": 'export const c: string = "c"',
  "lib/e.js": 'export const e = "e"',
  "lib/index.ts": 'export const d: string = "d"',
}

it.each([{}, { type: "commonjs" }, { type: "module" }])(
  "a configuration has imports as bundlers and the compiler read them, without a warning, in a package with %j",
  (manifest) => expect(imported(manifest, files)).toEqual(['[{"text":"aebcd"},{"text":"aebcd"}]', ""]),
)

it.each([{}, { type: "commonjs" }])("a configuration in JavaScript has imports or requires, in a package with %j", (manifest) => {
  const other = { "lib/a.js": 'module.exports = "a"' }
  const module = { "sallyport.config.js": 'import a from "./lib/a"\nexport default { a }', ...other }
  const common = { "sallyport.config.js": 'const text = "export default"\nmodule.exports = { a: require("./lib/a") }', ...other }
  for (const written of [module, common]) expect(imported(manifest, written)).toEqual(['[{"a":"a"},{"a":"a"}]', ""])
})
