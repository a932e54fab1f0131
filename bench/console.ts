// Time to first byte of the console's pages with many users (default: 100,000), and the bytes of a first visit. With KEYCLOAK_HOME, beside
// the calls that Keycloak's console sends for the same pages, with as many users: npx node bench/console.ts [users].

import type { ChildProcess } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { get } from "node:http"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { openSallyport, quantile } from "./console-service.ts"
import { startDatabases } from "./databases.ts"
import { leaveServersProcessor, pinning, stopped, warnIfBusy } from "./machine.ts"
import { type Directory, openKeycloak } from "./peers/keycloak-users.ts"
import { build } from "./sallyport.ts"

const count = Number(process.argv[2] ?? 100_000)
const rounds = 100
const limit = 50

const folder = mkdtempSync(join(tmpdir(), "sallyport-bench-console-"))
const started: Array<ChildProcess> = []

/** Milliseconds until the first byte of the body, and the bytes of the answer as they are sent. */
const exchange = async ({ base, headers }: Directory, path: string) => {
  const begun = performance.now()
  const sent = { ...(await headers()), "accept-encoding": "br, gzip" }
  return new Promise<{ readonly millis: number; readonly bytes: number }>((resolve, reject) => {
    get(base + path, { headers: sent }, (answer) => {
      let [millis, bytes] = [0, 0]
      if (answer.statusCode !== 200) reject(new Error(`${path} is answered ${answer.statusCode}`))
      answer.on("data", (chunk: Buffer) => {
        if (bytes === 0) millis = performance.now() - begun
        bytes += chunk.length
      })
      answer.on("end", () => resolve({ millis, bytes }))
    }).on("error", reject)
  })
}

leaveServersProcessor()
build()
warnIfBusy()
const databases = await startDatabases("postgres")
try {
  const sides = [await openSallyport(folder, databases, started, count, limit)]
  if (process.env["KEYCLOAK_HOME"] !== undefined)
    sides.push(await openKeycloak(folder, await databases.create("keycloak"), started, count, limit))
  console.log(`${count} users, ${limit} a page, ${pinning}, load ${loadavg()[0]?.toFixed(1)}`)
  for (const name of Object.keys(sides[0]?.paths ?? {}))
    for (const side of sides) {
      const pathOf = side.paths[name]
      if (pathOf === undefined) continue
      const answers: Array<{ readonly millis: number; readonly bytes: number }> = []
      for (let round = 0; round < rounds + 20; round++) answers.push(await exchange(side, pathOf((round * 7919) % count)))
      const times = answers.slice(20).map(({ millis }) => millis)
      const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)].map((millis) => millis.toFixed(1))
      console.log(`${name}, ${side.name}: p50 ${p50} ms, p95 ${p95} ms, ${answers.at(-1)?.bytes} bytes`)
    }
} finally {
  await stopped(started)
  await databases.stop()
  rmSync(folder, { recursive: true, force: true })
}
