import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import { caller, fill } from "./held.ts"

// Fills the service of a release, and writes what its clients hold: node test/upgrade/make.ts MESSAGES HELD. The README has all steps.

const [messages = "", held = ""] = process.argv.slice(2)

/** The newest message to a receiver, which the outbox delivers after a moment. */
const sentTo = async (to: string) => {
  for (let left = 100; left > 0; left--) {
    const lines = existsSync(messages) ? readFileSync(messages, "utf8").trim().split("\n") : []
    const found = lines.map((line) => JSON.parse(line)).findLast((message) => message.to === to)
    if (found !== undefined) return found
    await setTimeout(100)
  }
  throw new Error(`no message to ${to}`)
}

writeFileSync(held, `${JSON.stringify(await fill(caller(fetch), sentTo), null, 2)}\n`)
