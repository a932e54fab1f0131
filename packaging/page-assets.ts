// Builds the scripts, styles and icons of the pages into one module, so that the service needs no build step to serve them.
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { build } from "esbuild"

const pages = join(import.meta.dirname, "../adapters/pages")

/** The module with all files: names and contents. */
export const assetsModule = async (): Promise<string> => {
  const scripts = readdirSync(join(pages, "scripts"))
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(pages, "scripts", name))
  const { outputFiles } = await build({
    entryPoints: [...scripts, ...readdirSync(join(pages, "styles")).map((name) => join(pages, "styles", name))],
    bundle: true,
    minify: true,
    write: false,
    outdir: "out",
    entryNames: "[name]",
    target: ["es2022", "chrome120", "firefox120", "safari17"],
    format: "iife",
  })
  const built = outputFiles.map(({ path, text }) => [path.replace(/.*[/\\]/, ""), text])
  const icons = readdirSync(join(pages, "icons")).map((name) => [name, readFileSync(join(pages, "icons", name), "utf8").trim()])
  const files = Object.fromEntries([...built, ...icons].toSorted(([one = ""], [other = ""]) => (one < other ? -1 : 1)))
  const entries = Object.entries(files).map(([name, text]) => `  ${JSON.stringify(name)}: ${JSON.stringify(text)},`)
  return `// Generated from icons/, scripts/ and styles/ by \`npm run pages:update\`.\nexport const files: Readonly<Record<string, string>> = {\n${entries.join("\n")}\n}\n`
}

if (process.argv[1] === import.meta.filename) writeFileSync(join(pages, "assets.generated.ts"), await assetsModule())
