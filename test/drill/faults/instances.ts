import { existsSync, readdirSync, readFileSync } from "node:fs"
import type { Program } from "../../e2e/program.ts"
import { pause, until } from "../../e2e/waiting.ts"
import { broken, type Fault, sized } from "../fault.ts"

const library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"
const slowClock = { LD_PRELOAD: library, FAKETIME: "-15m", FAKETIME_DONT_FAKE_MONOTONIC: "1" }
const [firstSecret, secondSecret] = ["a secret for these tests only, 32+ bytes", "the next secret of the drill, 32+ bytes"]

export const rollingRestart: Fault = {
  name: "rolling restart",
  expected: "no failed request",
  stopsInstances: true,
  run: async ({ programs, restart }) => {
    for (const program of programs) await restart(program)
  },
}

export const killedInstance: Fault = {
  name: "SIGKILL of an instance",
  expected: "its requests break, the other one serves",
  tolerated: broken,
  stopsInstances: true,
  run: async ({ programs: [program] }) => {
    await program.kill()
    await pause(sized(2_000, 10_000))
    program.begin()
    await program.ready()
  },
}

/** docs/configuration.md#rotating-the-secret */
export const rotatedSecret: Fault = {
  name: "rotation of the secret",
  expected: "no failed request, cookies stay valid",
  stopsInstances: true,
  run: async ({ programs, restart, operations, client }) => {
    for (const secret of [
      [firstSecret, secondSecret],
      [secondSecret, firstSecret],
    ])
      for (const program of programs) {
        program.configure({ secret })
        await restart(program)
      }
    await programs[0].command("secret", "rotate")
    const signedIn = operations.ledger.people.slice(0, 20).map(({ cookie }) => client.send("/get-session", undefined, cookie))
    const lost = (await Promise.all(signedIn)).filter(({ user }) => !user).length
    if (lost > 0) throw new Error(`${lost} of 20 cookies were refused`)
  },
}

export const slowClockOfOne: Fault = {
  name: "the clock of one instance is 15 minutes slow",
  expected: "both serve the sessions of both",
  stopsInstances: true,
  omitted: existsSync(library) ? undefined : "Debian's package faketime is not installed",
  run: async ({ programs: [program], restart }) => {
    await restart(program, slowClock)
    await pause(sized(4_000, 60_000))
    await restart(program)
  },
}

const useOf = ({ pid }: Program) => ({
  descriptors: readdirSync(`/proc/${pid()}/fd`).length,
  megabytes: Math.round(Number(readFileSync(`/proc/${pid()}/status`, "utf8").match(/VmRSS:\s+(\d+)/)?.[1]) / 1024),
})

export const steadyUse: Fault = {
  name: `memory and descriptors in ${sized("30 seconds", "an hour")}`,
  // In an hour, another program of the machine can make requests wait.
  tolerated: sized(/^$/, /^503 overloaded$/),
  expected: "flat",
  run: async ({ programs }) => {
    const measured = () => programs.map(useOf)
    const [warmUp, rest] = sized([10, 20], [600, 3000])
    await pause(warmUp * 1000)
    const before = measured()
    await pause(rest * 1000)
    const after = measured()
    const shown = after.map(({ descriptors, megabytes }, index) => `${before[index]?.descriptors} → ${descriptors}, ${megabytes} MB`)
    const grown = after.filter(({ descriptors }, index) => descriptors > (before[index]?.descriptors ?? 0) + 15)
    const larger = after.filter(({ megabytes }, index) => megabytes > 1.3 * (before[index]?.megabytes ?? 0) + sized(200, 0))
    if (grown.length + larger.length > 0) throw new Error(shown.join("; "))
    return shown.join("; ")
  },
}

export const refusedMail: Fault = {
  name: "the mail server answers 451, later 250",
  expected: "each message waits, and is delivered once",
  run: async ({ mailbox, operations: { ledger }, client }) => {
    const receivers = ledger.people.slice(0, 5).map(({ email }) => email)
    mailbox.become("refusing")
    for (const email of receivers) await client.send("/request-password-reset", { email }, undefined)
    await until("a refusal of each", () => mailbox.refused() >= receivers.length || undefined)
    mailbox.become("well")
    for (const email of receivers) await mailbox.messageTo(email, /password/i, 120)
    const got = mailbox.emails.filter(({ to }) => receivers.includes(to?.[0]?.address ?? "")).length
    if (got !== receivers.length) throw new Error(`${got} mails instead of ${receivers.length}`)
  },
}
