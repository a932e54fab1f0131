import { spawn, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { optional } from "../../../application/modules/index.ts"
import { until } from "../../e2e/waiting.ts"
import { freePort } from "../../free-port.ts"

const root = join(import.meta.dirname, "../../..")

/** How long one command may take, milliseconds; a machine that downloads its tools is slow. */
const patience = 600_000

type Settings = Readonly<Record<string, unknown>>
type Run = (command: string, ...given: ReadonlyArray<string>) => void

/** A service with a store in memory for tools that are installed into a temporary folder. Throws when a command of theirs
 * fails. `settings` are those of modules, by the base URL, and `others` further ones. */
export const withService = async (
  use: (at: { readonly folder: string; readonly base: string; readonly run: Run }) => Promise<void> | void,
  settings: (base: string) => Settings = () => ({}),
  others: Settings = {},
) => {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-openapi-"))
  const run: Run = (command, ...given) => {
    const { status, error } = spawnSync(command, given, { cwd: folder, stdio: "inherit", timeout: patience })
    if (error !== undefined || status !== 0) throw new Error(`${command} ended with ${error?.message ?? status}`)
  }
  const port = await freePort()
  writeFileSync(join(folder, "service.json"), JSON.stringify({ ...configurationAt(port, settings(baseAt(port))), ...others }))
  const service = spawn(process.execPath, [join(root, "main.ts"), "--config", "service.json"], { cwd: folder, stdio: "inherit" })
  try {
    const isReady = async () => (await fetch(`http://localhost:${port}/readyz`).catch(() => undefined))?.ok || undefined
    await until("the service to be ready", isReady, 60)
    await use({ folder, base: baseAt(port), run })
  } finally {
    service.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

const baseAt = (port: number) => `http://localhost:${port}/api/auth`

/** Every module but those that send to other services. */
const modules = optional.map(({ name }) => name).filter((name) => name !== "phone" && name !== "social")
const configurationAt = (port: number, settings: Settings) => ({
  public_url: `http://localhost:${port}`,
  store: { kind: "memory" },
  mail: { kind: "none" },
  log: { level: "error" },
  secret: "a secret of thirty-two bytes or more",
  rate_limit: { enabled: false },
  email_password: { enabled: true, hash: { memory_kib: 1024, passes: 1, lanes: 1 } },
  modules: {
    ...Object.fromEntries(modules.map((name) => [name, {}])),
    siwe: { domain: `localhost:${port}` },
    ...settings,
  },
})
