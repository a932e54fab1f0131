import { describe, expect, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { getCountries } from "libphonenumber-js/min"
import { configurationOf } from "../../../adapters/config/load.ts"
import { optional } from "../../../application/modules/index.ts"
import { PhoneSettings } from "../../../application/modules/phone/settings.ts"

const read = (phone: object) =>
  configurationOf({ secret: "a secret for these tests only, 32+ bytes", store: { kind: "memory" }, modules: { phone } }, optional)
const letters = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
const pairs = letters.flatMap((first) => letters.map((second) => `${first}${second}`))
const faultsOf = (phone: object) => Effect.map(Effect.flip(read(phone)), ({ faults }) => JSON.stringify(faults))

describe("the countries of telephone numbers", () => {
  it.effect("are codes of ISO 3166-1", () =>
    Effect.gen(function* () {
      yield* read({})
      yield* read({ countries: ["DE", "US", "XK"], default_country: "DE" })
      yield* read({ default_country: "GB" })
      for (const wrong of ["de", "UK", "ZZ", "QQ", "EU", "DEU", "49", ""]) {
        expect(yield* faultsOf({ countries: ["DE", wrong] }), wrong).toContain("modules.phone.countries")
        expect(yield* faultsOf({ default_country: wrong }), wrong).toContain("modules.phone.default_country")
      }
      expect(yield* faultsOf({ countries: [] })).toContain("modules.phone.countries")
    }),
  )

  it("are those that have numbers", () => {
    const accepted = pairs.filter((code) => Option.isSome(Schema.decodeUnknownOption(PhoneSettings)({ default_country: code })))
    expect(accepted).toEqual(getCountries().toSorted())
  })

  it.effect("contain the default country", () =>
    Effect.gen(function* () {
      expect(yield* faultsOf({ countries: ["US"], default_country: "DE" })).toContain("a country of `countries`")
    }),
  )
})
