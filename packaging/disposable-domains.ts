// Updates the vendored list of disposable domains from npm: `node packaging/disposable-domains.ts`.
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const source = "disposable-email-domains-js"
const run = (command: string, ...parameters: ReadonlyArray<string>) => execFileSync(command, parameters, { encoding: "utf8" })

const folder = mkdtempSync(join(tmpdir(), "disposable-domains-"))
try {
  const version: string = JSON.parse(run("npm", "view", source, "version", "--json"))
  const times: Readonly<Record<string, string>> = JSON.parse(run("npm", "view", source, "time", "--json"))
  const [packed] = JSON.parse(run("npm", "pack", `${source}@${version}`, "--json", "--pack-destination", folder))
  run("tar", "xzf", join(folder, packed.filename), "-C", folder)
  const listed: ReadonlyArray<string> = JSON.parse(readFileSync(join(folder, "package/dist/dict/disposable_email_blocklist.json"), "utf8"))
  const domains = [...new Set(listed.map((domain) => domain.toLowerCase()))].filter((domain) => /^[a-z0-9.-]+$/.test(domain)).sort()
  const list = { source, version, license: "CC0-1.0", date: times[version]!.slice(0, 10), domains }
  writeFileSync(join(import.meta.dirname, "../adapters/refused-domains/disposable-domains.json"), `${JSON.stringify(list, null, 2)}\n`)
  console.log(`${domains.length} domains of ${source} ${version}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
