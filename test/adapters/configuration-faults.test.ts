import { describe, expect, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { faultsOf } from "../../adapters/configuration-faults.ts"

const day = Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/, { expected: "a day such as 2026-01-31" }))

const wanted = (schema: Schema.Codec<any, any>, value: unknown) =>
  Effect.map(Effect.flip(Schema.decodeUnknownEffect(schema)(value)), ({ issue }) => faultsOf(issue).map(({ wanted }) => wanted))

describe("the expected values where several are valid", () => {
  it.effect.each([
    [Schema.NullOr(day), 20260131, "a day such as 2026-01-31 or null"],
    [Schema.NullOr(day), "tomorrow", "a day such as 2026-01-31"],
    [Schema.NullOr(Schema.String), true, "a text or null"],
    [Schema.Union([Schema.String, Schema.Number, Schema.Null]), {}, "a text, a number or null"],
    [Schema.Literals(["a", "b", "c"]), "d", '"a", "b" or "c"'],
  ] as const)("%#", ([schema, value, expected]) => Effect.map(wanted(schema, value), (told) => expect(told).toEqual([expected])))
})
