import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Table from "../../../domain/ports/table.ts"

describe("a table", () => {
  it("refuses an added column by which rows are found", () => {
    for (const options of [{ unique: ["name"] }, { indexed: ["name"] }, { key: "name" }] as const)
      assert.throws(
        () => Table.make("box", Schema.Struct({ id: Schema.String, name: Schema.String }), { key: "id", ...options, added: { name: "" } }),
        /would not be found/,
      )
  })
})
