import { expect, it } from "vitest"
import { freshStore } from "./database.ts"
import { install, start } from "./program.ts"
import { startRedis } from "./redis.ts"
import { pause, until } from "./waiting.ts"

const credentials = { email: "ada@example.com", password: "correct horse battery staple" }
const wrong = { ...credentials, password: "a wrong password" }

const limited = (url: string) => ({ redis: { url }, rate_limit: { store: "redis", requests: { limit: 1000, window: 60 } } })

const tally = (answers: ReadonlyArray<{ readonly status: number }>) => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

it("of forty wrong passwords at once on two processes, ten are checked", async () => {
  const redis = await startRedis()
  const config = { store: await freshStore(), ...limited(redis.url) }
  const [first, second] = [await start(config), await start(config)]
  await first.call("/sign-up/email", credentials)
  const guesses = Array.from({ length: 40 }, (_, index) => (index % 2 ? first : second).call("/sign-in/email", wrong))
  expect(tally(await Promise.all(guesses))).toEqual({ 401: 10, 429: 30 })
  expect(await first.command("doctor")).toMatch(/^ok +rate_limit: counted in Redis, which answers$/m)
  const refused = await second.call("/sign-in/email", credentials)
  expect([refused.status, Number(refused.headers["retry-after"]) > 290]).toEqual([429, true])
})

it("of thirty messages at once on two processes, ten are sent", async () => {
  const redis = await startRedis()
  const { rate_limit } = limited(redis.url)
  const budgets = { ...rate_limit, sms: { limit: 10, window: 3600 } }
  const config = { store: await freshStore(), redis: { url: redis.url }, rate_limit: budgets, modules: { phone: {} } }
  const [first, second] = [await start(config), await start(config)]
  const messages = Array.from({ length: 30 }, (_, index) =>
    (index % 2 ? first : second).call("/phone/send-otp", { phone: `+121255501${10 + index}` }),
  )
  expect(tally(await Promise.all(messages))).toEqual({ 200: 10, 429: 20 })
})

it("a window ends", async () => {
  const redis = await startRedis()
  const { rate_limit } = limited(redis.url)
  const sign_in = { limit: 2, window: 2 }
  const program = await start({ store: { kind: "memory" }, redis: { url: redis.url }, rate_limit: { ...rate_limit, sign_in } })
  await program.call("/sign-up/email", credentials)
  const guess = async () => (await program.call("/sign-in/email", wrong)).status
  expect([await guess(), await guess(), await guess()]).toEqual([401, 401, 429])
  await pause(2_100)
  expect(await guess()).toBe(401)
})

it("an outage of Redis allows requests without delay, and counting goes on after it", async () => {
  const redis = await startRedis()
  const program = await start({ store: { kind: "memory" }, ...limited(redis.url) })
  await program.call("/sign-up/email", credentials)
  await redis.stop()
  const begin = performance.now()
  for (let turn = 0; turn < 12; turn++) expect((await program.call("/sign-in/email", wrong)).status).toBe(401)
  expect(performance.now() - begin).toBeLessThan(10_000)
  expect(program.logs()).toContain("requests are allowed without being counted")

  await redis.start()
  const refused = async () => ((await program.call("/sign-in/email", wrong)).status === 429 ? true : undefined)
  await until("a refusal", refused)
  expect(program.logs()).not.toContain("a-password")
}, 60_000)

it("a Redis that does not answer delays a request by half a second at most for each count", async () => {
  const redis = await startRedis()
  const program = await start({ store: { kind: "memory" }, ...limited(redis.url) })
  await program.call("/sign-up/email", credentials)
  redis.process()?.kill("SIGSTOP")
  const { status } = await program.call("/sign-in/email", credentials)
  redis.process()?.kill("SIGCONT")
  expect(status).toBe(200)
})

it("a start with a wrong password of Redis ends at once with a line that says why: waiting does not change it", async () => {
  const redis = await startRedis()
  const program = await install({ store: { kind: "memory" }, ...limited(redis.url.replace("a-password", "another")) })
  program.begin()
  await until("the end", () => (program.logs().includes("Redis cannot be used (WRONGPASS") ? true : undefined), 45)
  expect(program.logs()).not.toContain("retrying")
  expect(program.logs()).not.toContain("another")
}, 60_000)
