import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"

it("the space of new objects grows under load, up to its limit", () => {
  const size = Number(execFileSync(process.execPath, [join(import.meta.dirname, "allocating.ts")], { encoding: "utf8" }))
  assert.isAbove(size, 16 * 2 ** 20)
  assert.isAtMost(size, 32 * 2 ** 20)
})
