import { readFileSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import { caller, checks, type Held } from "./held.ts"

// Prints what the service that runs answers to what clients hold of another release: node test/upgrade/check.ts HELD

const held: Held = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"))
// Each code of an authenticator app works once.
await setTimeout(Math.max(0, held.at + 31_000 - Date.now()))
for (const [what, check] of Object.entries(checks(caller(fetch), held, Date.now))) {
  const result = await check()
  console.log(`${result === true || result === 200 ? "ok   " : "fault"}  ${what}: ${result}`)
}
