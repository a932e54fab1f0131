import { expect, it, vi } from "vitest"
import { instanceFor, register } from "../../../adapters/assembly/instances.ts"
import type { Running } from "../../../adapters/assembly/start.ts"

it("each of several configurations for one database has one service", async () => {
  let [opened, seconds] = [0, 0]
  const running = { close: async () => {} } as Running
  const serving = (fingerprint: string) =>
    instanceFor(
      "one database",
      { fingerprint, registration: register() },
      {
        open: async () => {
          opened += 1
          return running
        },
        onFailure: () => {},
        onSecond: () => {
          seconds += 1
        },
      },
    )
  const [a, b] = [serving("a"), serving("b")]
  expect([serving("a") === a, serving("b") === b, seconds]).toEqual([true, true, 1])
  await Promise.all([a, b, serving("a")].map((each) => each.running()))
  expect(opened).toBe(2)

  await a.close()
  const again = serving("a")
  expect([again === a, serving("a") === again, serving("b") === b]).toEqual([false, true, true])

  vi.stubEnv("NODE_ENV", "development")
  const newest = serving("c")
  expect([again.current === newest, b.current === newest]).toEqual([true, true])
  await newest.running()
  expect([again.isClosed, b.isClosed]).toEqual([true, true])
  vi.unstubAllEnvs()
})
