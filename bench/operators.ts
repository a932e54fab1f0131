// Sign-ins alone, and beside five operators who open pages of the console and watch the audit log, with the server on one processor or on
// all: npx node bench/operators.ts [users] [all].

import type { ChildProcess } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { openSallyport, quantile } from "./console-service.ts"
import { startDatabases } from "./databases.ts"
import { leaveServersProcessor, pinning, stopped, warnIfBusy } from "./machine.ts"
import { build } from "./sallyport.ts"
import { seededUser } from "./seed.ts"
import { password } from "./service.ts"

const count = Number(process.argv[2] ?? 100_000)
const isOnAll = process.argv[3] === "all"
const operators = 5
/** Milliseconds between two pages of an operator. */
const pause = 2000
/** Pairs of a run alone and a run beside the operators. */
const pairs = 5
const perRun = 200
/** Callers, and milliseconds between two sign-ins of one: about 10 a second, as many as one caller can, and more than one processor can. */
const loads = [
  { callers: 1, rest: 80 },
  { callers: 1, rest: 0 },
  { callers: 2, rest: 0 },
]
type Load = (typeof loads)[number]

const wait = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const folder = mkdtempSync(join(tmpdir(), "sallyport-bench-operators-"))
const started: Array<ChildProcess> = []
leaveServersProcessor()
build()
warnIfBusy()
const databases = await startDatabases("postgres")

try {
  const { base, headers, paths } = await openSallyport(folder, databases, started, count, 50, isOnAll)
  const signIn = async (index: number) => {
    const begun = performance.now()
    const answer = await fetch(`${base}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: base },
      body: JSON.stringify({ email: seededUser(index % count).email, password }),
    })
    await answer.text()
    if (answer.status !== 200) throw new Error(`A sign-in is answered ${answer.status}`)
    return performance.now() - begun
  }
  let next = 0
  const run = async ({ callers, rest }: Load) => {
    const caller = async () => {
      const times: Array<number> = []
      for (let each = 0; each < perRun / callers; each++) {
        times.push(await signIn(next++ * 7919))
        if (rest > 0) await wait(rest)
      }
      return times
    }
    return (await Promise.all(Array.from({ length: callers }, caller))).flat()
  }

  /** Starts the operators; the result stops them. */
  const attend = async () => {
    const ending = new AbortController()
    const own = await headers()
    const page = await (await fetch(`${base}/admin/audit`, { headers: own })).text()
    const [, live = ""] = /data-live="([^"]*)"/.exec(page) ?? []
    const [, after = ""] = /data-after="([^"]*)"/.exec(page) ?? []
    const watch = async () => {
      const tail = await fetch(`${base}${live}?after=${encodeURIComponent(after)}`, { headers: own, signal: ending.signal })
      if (tail.status !== 200) throw new Error(`A live tail is answered ${tail.status}`)
      for await (const _ of tail.body ?? []) if (ending.signal.aborted) return
    }
    const visit = async (operator: number) => {
      const all = Object.values(paths)
      // The operators do not open their pages in the same moment.
      await wait((operator * pause) / operators)
      for (let each = operator; !ending.signal.aborted; each++) {
        await (await fetch(base + (all[each % all.length]?.(each) ?? "/admin"), { headers: own, signal: ending.signal })).text()
        await wait(pause)
      }
    }
    const isOver = (fault: unknown) => {
      if (!ending.signal.aborted) throw fault
    }
    const all = Array.from({ length: operators }, (_, operator) => [watch(), visit(operator)].map((each) => each.catch(isOver))).flat()
    return async () => {
      ending.abort()
      await Promise.all(all)
    }
  }

  /** Opens each page several times, as operators did before. */
  const warmUp = async () => {
    const own = await headers()
    for (let each = 0; each < 20; each++)
      for (const pathOf of Object.values(paths)) await (await fetch(base + pathOf(each), { headers: own })).text()
  }

  const place = isOnAll ? "server on all processors" : pinning

  const compare = async (load: Load) => {
    console.log(
      `${count} users, ${pairs} pairs of ${perRun} sign-ins by ${JSON.stringify(load)}, ${place}, load ${loadavg()[0]?.toFixed(1)}`,
    )
    const [alone, beside]: [Array<number>, Array<number>] = [[], []]
    for (let pair = 0; pair < pairs; pair++) {
      alone.push(...(await run(load)))
      const leave = await attend()
      await wait(pause)
      beside.push(...(await run(load)))
      await leave()
    }
    for (const part of [0.5, 0.95, 0.99]) {
      const [one, other] = [quantile(alone, part), quantile(beside, part)]
      console.log(`p${part * 100}: ${one.toFixed(1)} ms alone, ${other.toFixed(1)} ms beside: ${(other / one).toFixed(2)} times`)
    }
  }

  await run({ callers: 1, rest: 0 })
  await warmUp()
  for (const load of loads) await compare(load)
} finally {
  await stopped(started)
  await databases.stop()
  rmSync(folder, { recursive: true, force: true })
}
