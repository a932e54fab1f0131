import { beforeAll, describe, expect, it } from "vitest"
import type { Program } from "./program.ts"
import { start } from "./program.ts"

// Tests whether response times reveal that an account exists. Run it with `npm run test:timing`, on a machine without other work.

const pairs = 200
const known = "known@example.com"
const password = "correct horse battery staple"

/** Smaller relative differences cannot be measured over a network, even if they are statistically significant. */
const perceptible = 0.05

/** The number of standard deviations above which a difference is significant (p < 0.001, two-sided). */
const beyondChance = 3.29

let program: Program

beforeAll(async () => {
  program = await start({
    store: { kind: "memory" },
    email_password: { enabled: true },
    modules: { email_otp: { disable_signup: true }, magic_link: { disable_signup: true }, phone: { disable_signup: true }, username: {} },
  })
  const { cookie } = await program.call("/sign-up/email", { email: known, password })
  await program.call("/username/set", { username: "known" }, { cookie })
})

const timed = async (path: string, body: unknown) => {
  const begin = process.hrtime.bigint()
  const { status, body: answer } = await program.call(path, body)
  return { micros: Number(process.hrtime.bigint() - begin) / 1000, told: JSON.stringify([status, answer]) }
}

const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Wilcoxon's signed-rank test with the normal approximation: the deviation of the pairs to one side, in standard deviations. */
const lean = (differences: ReadonlyArray<number>) => {
  const ranked = differences.filter((value) => value !== 0).toSorted((a, b) => Math.abs(a) - Math.abs(b))
  const count = ranked.length
  const positive = ranked.reduce((sum, value, index) => (value > 0 ? sum + index + 1 : sum), 0)
  return (positive - (count * (count + 1)) / 4) / Math.sqrt((count * (count + 1) * (2 * count + 1)) / 24)
}

describe("response times do not reveal which addresses have users", () => {
  it.each<[path: string, known: object, unknown: (index: number) => object]>([
    ["/email-otp/send", { email: known }, (index) => ({ email: `unknown${index}@example.com` })],
    ["/magic-link/send", { email: known }, (index) => ({ email: `unknown${index}@example.com` })],
    ["/request-password-reset", { email: known }, (index) => ({ email: `unknown${index}@example.com` })],
    ["/send-verification-email", { email: known }, (index) => ({ email: `unknown${index}@example.com` })],
    ["/sign-in/email-otp", { email: known, otp: "no code" }, (index) => ({ email: `unknown${index}@example.com`, otp: "no code" })],
    ["/sign-in/email", { email: known, password: "wrong" }, (index) => ({ email: `unknown${index}@example.com`, password: "wrong" })],
    ["/sign-in/username", { username: "known", password: "wrong" }, (index) => ({ username: `unknown_${index}`, password: "wrong" })],
  ])(
    "%s",
    async (path, here, nowhere) => {
      const differences: Array<number> = []
      const times: Array<number> = []
      for (let index = -20; index < pairs; index++) {
        const first = index % 2 === 0
        const early = await timed(path, first ? here : nowhere(index + 20))
        const late = await timed(path, first ? nowhere(index + 20) : here)
        expect(early.told).toBe(late.told)
        if (index < 0) continue
        differences.push(first ? early.micros - late.micros : late.micros - early.micros)
        times.push(early.micros, late.micros)
      }
      const share = Math.abs(median(differences)) / median(times)
      const deviations = lean(differences)
      console.log(`${path}: ${(share * 100).toFixed(2)} % of ${median(times).toFixed(0)} µs, ${deviations.toFixed(2)} standard deviations`)
      expect(share < perceptible || Math.abs(deviations) < beyondChance).toBe(true)
    },
    120_000,
  )
})
