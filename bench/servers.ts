// The measured server as sides: with one process, with two, with audit log and metrics, with a cache, and with different numbers of users.

import type { ChildProcess } from "node:child_process"
import type { Database, Databases } from "./databases.ts"
import type { Operation } from "./operation.ts"
import { sizes, store } from "./options.ts"
import { type Prepared, prepare } from "./prepared.ts"
import { configure, migrate, plain, start, type Variant } from "./sallyport.ts"
import { requestsOf, type Server, type Side, served } from "./sides.ts"

/** What a run has from its beginning to its end. */
export interface Run {
  readonly folder: string
  readonly databases: Databases
  readonly started: Array<ChildProcess>
  readonly operations: ReadonlyArray<Operation>
}

/** A started server with its database. */
export interface Ours {
  readonly side: Side
  readonly database: Database
  readonly prepared: Prepared
}

/** Servers of one group use one database, so they answer the same. */
const side = (folder: string, server: Server, prepared: Prepared, group: string): Side => ({
  contender: async (operation) => {
    if (operation.isOfBackend) return undefined
    const refill = async () => operation.refill?.(prepared)
    const group_ = operation.isRepeatable ? { group } : {}
    return { ...(await served(folder, server, operation, await requestsOf(operation, prepared), refill)), ...group_ }
  },
})

const groupOf = ({ settings: { url, directory } }: Database) => url ?? directory ?? ""

/** Starts a server on a database of its own, with so many seeded users. */
const startOn = async (run: Run, name: string, database: Database, seeded: number, variant = plain): Promise<Ours> => {
  const file = `${name.replaceAll(/\W+/g, "-")}-${run.started.length}`
  const configured = await configure(run.folder, file, database, run.operations, variant)
  if (seeded > 0) {
    await migrate(configured)
    await database.seed(0, seeded)
  }
  const child = await start(configured, run.started)
  const prepared = prepare(configured.port, database, seeded)
  const server = { name, child, port: configured.port }
  return { side: side(run.folder, server, prepared, groupOf(database)), database, prepared }
}

/** Starts a further server on the database of another one. The embedded database has one process, so the server gets its own there. */
const startBeside = async (run: Run, name: string, first: Ours, variant: Variant): Promise<Side> => {
  if (store === "embedded") return (await startOn(run, name, await run.databases.create("beside"), 0, variant)).side
  const configured = await configure(run.folder, `beside-${run.started.length}`, first.database, run.operations, variant)
  const child = await start(configured, run.started)
  return side(run.folder, { name, child, port: configured.port }, first.prepared, groupOf(first.database))
}

const variants: Readonly<Record<string, readonly [string, Variant]>> = {
  two: ["sallyport, 2 processes", { ...plain, workers: 2 }],
  audit: ["sallyport, audit+metrics", { ...plain, isAudited: true }],
  cache: ["sallyport, cached", { ...plain, isCached: true }],
}

/** The server with one process, and the named variants of it. */
export const startVariants = async (
  run: Run,
  names: ReadonlyArray<string>,
): Promise<{ readonly first: Ours; readonly sides: ReadonlyArray<Side> }> => {
  const first = await startOn(run, "sallyport", await run.databases.create("main"), 0)
  const sides = [first.side]
  for (const name of names) {
    const variant = variants[name]
    if (variant !== undefined) sides.push(await startBeside(run, variant[0], first, variant[1]))
  }
  return { first, sides }
}

/** One server for each number of users. */
export const startSizes = async (run: Run): Promise<ReadonlyArray<Side>> => {
  const sides: Array<Side> = []
  for (const size of sizes) {
    const database = await run.databases.create(`users_${size}`)
    sides.push((await startOn(run, `${size} users`, database, size)).side)
  }
  return sides
}
