// Compares the server with other servers and with lower bounds, in alternating rounds of one run: README.md.

import type { ChildProcess } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { alternate } from "./compare.ts"
import { startDatabases } from "./databases.ts"
import { backends, hashes, sessionFloor } from "./floors.ts"
import { demandWrk, leaveServersProcessor, pinning, stopped, warnIfBusy } from "./machine.ts"
import type { Operation } from "./operation.ts"
import { operations } from "./operations.ts"
import { rounds, seconds, sides as sideNames, sizes, store, wanted } from "./options.ts"
import { betterAuth } from "./peers/better-auth.ts"
import { keycloak } from "./peers/keycloak.ts"
import { print, resultsOf, say } from "./report.ts"
import { build } from "./sallyport.ts"
import { type Run, startSizes, startVariants } from "./servers.ts"
import { demandSameBytes, type Readable, type Side } from "./sides.ts"

/** The operations of a run without names of operations. */
const normal = sizes.length > 0 ? ["get-session", "list-sessions", "list-users", "search-users", "sign-in"] : ["get-session", "sign-in"]

const chosen = (): ReadonlyArray<Operation> => {
  const known = operations.map(({ name }) => name)
  const names = wanted.includes("all") ? known : wanted.length > 0 ? wanted : normal
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new Error(`unknown operations: ${unknown.join(", ")}; known: ${known.join(", ")}`)
  return operations.filter(({ name, needsOpenDatabase }) => names.includes(name) && !(needsOpenDatabase && store === "embedded"))
}

const knownSides = ["floor", "hashes", "two", "audit", "cache", "better-auth", "keycloak"]

const demandSides = (): void => {
  const unknown = sideNames.filter((name) => !knownSides.includes(name))
  if (unknown.length > 0) throw new Error(`unknown sides: ${unknown.join(", ")}; known: ${knownSides.join(", ")}`)
  const impossible = { postgres: [], mongo: ["better-auth", "keycloak"], embedded: ["better-auth", "keycloak", "two"] }[store]
  const asked = impossible.filter((name) => sideNames.includes(name))
  if (asked.length > 0) throw new Error(`not measured with the store ${store}: ${asked.join(", ")}`)
}

const startSides = async (run: Run): Promise<ReadonlyArray<Side>> => {
  const has = (name: string) => sideNames.includes(name)
  const needs = (operation: string) => run.operations.some(({ name }) => name === operation)

  const { first, sides } = await startVariants(run, sideNames)
  const floor =
    has("floor") && needs("get-session") ? await sessionFloor(run.folder, first.database, first.prepared, run.started) : undefined
  return [
    ...sides,
    ...(floor === undefined ? [] : [floor]),
    ...(needs("backend") ? await backends(run.folder, first.prepared, run.started) : []),
    ...(has("hashes") ? [hashes] : []),
    ...(has("better-auth") ? [await betterAuth(run.folder, await run.databases.create("better_auth"), run.started)] : []),
    ...(has("keycloak") ? [await keycloak(run.folder, await run.databases.create("keycloak"), run.started)] : []),
  ]
}

const measure = async (operation: Operation, sides: ReadonlyArray<Side>): Promise<void> => {
  const contenders: Array<Readable> = []
  for (const side of sides) {
    const contender = await side.contender(operation)
    if (contender !== undefined) contenders.push(contender)
  }
  await demandSameBytes(contenders)
  print(resultsOf(operation, await alternate(contenders)))
}

demandWrk()
demandSides()
const measured = chosen()
build()
leaveServersProcessor()
warnIfBusy()
const run: Run = {
  folder: mkdtempSync("/tmp/sallyport-bench-"),
  databases: await startDatabases(store),
  started: [] as Array<ChildProcess>,
  operations: measured,
}
try {
  const sides = sizes.length > 0 ? await startSizes(run) : await startSides(run)
  say(`${store}: ${rounds} rounds of ${seconds} s for each side; ${pinning}`)
  for (const operation of run.operations) {
    try {
      await measure(operation, sides)
    } catch (error) {
      // The other operations are still measured.
      console.error(`${operation.name}: ${error instanceof Error ? error.message : error}`)
      process.exitCode = 1
    }
  }
} finally {
  await stopped(run.started)
  await run.databases.stop()
  rmSync(run.folder, { recursive: true, force: true })
}
