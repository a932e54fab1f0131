// Starts the measured server, from the built package.

import type { ChildProcess } from "node:child_process"
import { execFile, execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { optional } from "../application/modules/index.ts"
import { freePort } from "../test/free-port.ts"
import type { Database } from "./databases.ts"
import { startNode, until } from "./machine.ts"
import type { Operation } from "./operation.ts"
import { allModules } from "./options.ts"
import { secret } from "./seed.ts"
import { administrator, client, origin } from "./service.ts"

const program = join(import.meta.dirname, "../dist/bin.js")

/** Builds the package, which is what users run; not with BENCH_BUILT=1, if `dist` is up to date. */
export const build = (): void => {
  if (process.env["BENCH_BUILT"] === "1") return
  execFileSync(process.execPath, [join(import.meta.dirname, "../packaging/build.ts")], { stdio: "inherit" })
}

/** Settings of modules for the benchmark; the others have their defaults. */
const moduleSettings: Readonly<Record<string, object>> = {
  idp: { clients: [client] },
  admin: { admin_emails: [administrator], require_verified_email: false },
  jwt: { algorithm: "EdDSA" },
  siwe: { domain: "auth.example.com" },
  social: { providers: [] },
}

/** The audit log is a side of its own, so it is on only there. */
const modulesOf = (operations: ReadonlyArray<Operation>, isAudited: boolean): object => {
  const needed = allModules ? optional.map(({ name }) => name) : operations.flatMap(({ modules = [] }) => modules)
  const names = new Set([...needed.filter((name) => name !== "audit"), ...(isAudited ? ["audit"] : [])])
  return Object.fromEntries([...names].map((name) => [name, moduleSettings[name] ?? {}]))
}

export interface Variant {
  /** Processes that share the port. */
  readonly workers: number
  /** Whether the audit log and the metrics are on. */
  readonly isAudited: boolean
  /** Whether sessions are cached in the process. */
  readonly isCached: boolean
}

export const plain: Variant = { workers: 1, isAudited: false, isCached: false }

/** Settings as in production, except that all requests come from one address and no mail is sent. */
const settingsOf = async (port: number, { settings: store }: Database, operations: ReadonlyArray<Operation>, variant: Variant) => ({
  secret,
  public_url: origin,
  listen: { port, workers: variant.workers },
  store: variant.isCached ? { ...store, session_cache: 10_000 } : store,
  // Nothing listens on this port. No measured request sends a mail, except a sign-up with verification, which is off.
  mail: { kind: "smtp", url: "smtp://127.0.0.1:9", from: "bench@example.com" },
  sms: { kind: "webhook", url: "http://127.0.0.1:9", secret: "whsec_YSBzZWNyZXQgZm9yIHRoZSBiZW5jaG1hcmsgb25seSE=" },
  email_password: { enabled: true },
  rate_limit: { enabled: false },
  log: { level: "error" },
  modules: modulesOf(operations, variant.isAudited),
  ...(variant.isAudited ? { telemetry: { metrics: { port: await freePort() } } } : {}),
})

/** The server is written down before it starts: its database may need tables first. */
export interface Configured {
  readonly port: number
  readonly file: string
  readonly isOnAll: boolean
}

export const configure = async (
  folder: string,
  name: string,
  database: Database,
  operations: ReadonlyArray<Operation>,
  variant: Variant = plain,
): Promise<Configured> => {
  const port = await freePort()
  const file = join(folder, `${name}.json`)
  writeFileSync(file, JSON.stringify(await settingsOf(port, database, operations, variant)))
  return { port, file, isOnAll: variant.workers > 1 }
}

/** Makes the tables. */
export const migrate = async ({ file }: Configured): Promise<void> => {
  await promisify(execFile)(process.execPath, [program, "migrate", "--config", file])
}

/** Starts the server, with Node's options before the program, and waits until it is ready. */
export const start = async ({ port, file, isOnAll }: Configured, started: Array<ChildProcess>, nodeOptions: ReadonlyArray<string> = []) => {
  const child = startNode([...nodeOptions, program, "--config", file], {}, isOnAll)
  started.push(child)
  await until(`http://127.0.0.1:${port}/readyz`, { child })
  return child
}
