import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { printRows } from "../../../adapters/cli/printed.ts"
import { printed } from "./printed.ts"

const rows = [
  { id: "1", email: "ada@example.com", name: null },
  { id: "22", email: "b@example.com", name: "Bob\u001b[2J" },
]

it.effect("prints a table with the names of the columns on a terminal", () =>
  Effect.gen(function* () {
    const lines = yield* printed(printRows(rows, false, true))
    assert.deepStrictEqual(lines.slice(0, 2), ["id  email            name", "1   ada@example.com  -"])
    assert.match(lines[2] ?? "", /^22 {2}b@example\.com {4}Bob/)
    assert.notInclude(lines.join(""), "\u001b")
    assert.deepStrictEqual(yield* printed(printRows([], false, true)), [])
  }),
)

it.effect("prints columns without names for other programs, or JSON", () =>
  Effect.gen(function* () {
    assert.strictEqual((yield* printed(printRows(rows, false, false)))[0], "1\tada@example.com\t-")
    assert.deepStrictEqual(JSON.parse((yield* printed(printRows(rows, true, true)))[0] ?? ""), rows[0])
  }),
)
