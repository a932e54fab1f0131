// The hand-written lower bounds as sides.

import type { ChildProcess } from "node:child_process"
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { freePort } from "../test/free-port.ts"
import type { Round } from "./compare.ts"
import type { Database } from "./databases.ts"
import { onServersProcessor, startNode, until } from "./machine.ts"
import { hashing } from "./operation.ts"
import { seconds } from "./options.ts"
import type { Prepared } from "./prepared.ts"
import { secret } from "./seed.ts"
import { issuer } from "./service.ts"
import { requestsOf, type Server, type Side, served } from "./sides.ts"

const folderOfFloors = join(import.meta.dirname, "floors")

/** A hand-written server of GET /get-session; undefined for the embedded database, which only one process can open. */
export const sessionFloor = async (
  folder: string,
  { settings: { kind, url = "" } }: Database,
  prepared: Prepared,
  started: Array<ChildProcess>,
): Promise<Side | undefined> => {
  if (kind === "embedded") return undefined
  const port = await freePort()
  const env = { DATABASE_URL: url, MONGODB_URL: url, SALLYPORT_SECRET: secret, PORT: String(port) }
  const child = startNode([join(folderOfFloors, `${kind}.ts`)], env)
  started.push(child)
  await until(`http://127.0.0.1:${port}/`, { child })
  return {
    contender: async (operation) =>
      operation.name === "get-session"
        ? { ...(await served(folder, { name: "floor", child, port }, operation, await requestsOf(operation, prepared))), group: url }
        : undefined,
  }
}

/** A program that verifies the tokens of a server. */
const verifier = async (name: string, file: string, serverPort: number, started: Array<ChildProcess>): Promise<Server> => {
  const port = await freePort()
  const env = { JWKS_URL: `http://127.0.0.1:${serverPort}/api/auth/jwks`, ISSUER: issuer, PORT: String(port) }
  const child = startNode([join(import.meta.dirname, file)], env)
  started.push(child)
  await until(`http://127.0.0.1:${serverPort}/api/auth/jwks`)
  return { name, child, port }
}

/** A backend that verifies tokens with the library, and its floor. */
export const backends = async (folder: string, prepared: Prepared, started: Array<ChildProcess>): Promise<ReadonlyArray<Side>> => {
  const servers = [
    await verifier("sallyport/backend", "backend.ts", prepared.port, started),
    await verifier("floor", "floors/backend.ts", prepared.port, started),
  ]
  return servers.map((server) => ({
    contender: async (operation) =>
      operation.isOfBackend
        ? { ...(await served(folder, server, operation, await requestsOf(operation, prepared))), group: "backend" }
        : undefined,
  }))
}

/** The password hash of a sign-in alone. */
export const hashes: Side = {
  contender: async ({ name }) => (name === "sign-in" ? { name: "bare password hash", round: hashRound } : undefined),
}

const hashRound = async (): Promise<Round> => {
  const args = [join(folderOfFloors, "hashes.ts"), String(hashing), String(seconds)]
  const [command, all] = onServersProcessor(process.execPath, args)
  const { perSecond, micros } = JSON.parse((await promisify(execFile)(command, [...all])).stdout)
  return { perSecond, micros, p50: Number.NaN, p99: Number.NaN, loadShare: Number.NaN }
}
