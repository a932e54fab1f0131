// Sign-ins alone, and beside five operators who open pages of the console and watch the audit log: npx node bench/operators.ts [users].

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
const operators = 5
/** Milliseconds between two pages of an operator. */
const pause = 2000
/** Pairs of a run alone and a run beside the operators. */
const pairs = 5
const perRun = 200
/** Callers who sign in without a pause: one leaves the server time between two password hashes, two fill its processor. */
const loads = [1, 2]

const wait = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const folder = mkdtempSync(join(tmpdir(), "sallyport-bench-operators-"))
const started: Array<ChildProcess> = []
leaveServersProcessor()
build()
warnIfBusy()
const databases = await startDatabases("postgres")

try {
  const { base, headers, paths } = await openSallyport(folder, databases, started, count, 50)
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
  const run = async (callers: number) => {
    const caller = async () => {
      const times: Array<number> = []
      for (let each = 0; each < perRun / callers; each++) times.push(await signIn(next++ * 7919))
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

  const compare = async (callers: number) => {
    console.log(`${count} users, ${pairs} pairs of ${perRun} sign-ins, callers: ${callers}, ${pinning}, load ${loadavg()[0]?.toFixed(1)}`)
    const [alone, beside]: [Array<number>, Array<number>] = [[], []]
    for (let pair = 0; pair < pairs; pair++) {
      alone.push(...(await run(callers)))
      const leave = await attend()
      beside.push(...(await run(callers)))
      await leave()
    }
    for (const part of [0.5, 0.95, 0.99]) {
      const [one, other] = [quantile(alone, part), quantile(beside, part)]
      console.log(`p${part * 100}: ${one.toFixed(1)} ms alone, ${other.toFixed(1)} ms beside: ${(other / one).toFixed(2)} times`)
    }
  }

  await run(1)
  for (const callers of loads) await compare(callers)
} finally {
  await stopped(started)
  await databases.stop()
  rmSync(folder, { recursive: true, force: true })
}
