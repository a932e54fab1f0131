import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import * as RefusedDomains from "../../../domain/ports/refused-domains.ts"
import { decode, Settings } from "../../../domain/settings.ts"
import { addressRules } from "../../../domain/users/address-rules.ts"
import type { Admission } from "../../../domain/users/admission.ts"
import { newUser } from "../../../domain/users/new-user.ts"
import { Email } from "../../../domain/values/text.ts"

const domains = Layer.succeed(RefusedDomains.RefusedDomains, new Set(["trash.example"]))

/** Which of these addresses, as users type them, the rules allow. */
const allowed = Effect.fnUntraced(function* (email: Record<string, unknown>, ...typed: ReadonlyArray<string>) {
  const settings = Layer.effect(Settings, decode({ registration: { email } }))
  const isAllowed = yield* Effect.provide(addressRules, Layer.merge(settings, domains))
  return typed.filter((address) => isAllowed(Schema.decodeSync(Email)(address)))
})

describe("the rules for addresses", () => {
  it.effect("match a domain and its subdomains, in any case and script, and no other domain", () =>
    Effect.gen(function* () {
      const block = ["example.com", "xn--bcher-kva.example"]
      const refused = ["a@example.com", "a@EU.Example.COM", "a@bücher.example", "a@mail.xn--bcher-kva.example"]
      assert.deepStrictEqual(yield* allowed({ block }, ...refused), [])
      const others = ["a@notexample.com", "a@example.com.evil.example", "a@com", "example.com@other.example"]
      assert.deepStrictEqual(yield* allowed({ block }, ...others), others)
      assert.deepStrictEqual(yield* allowed({ allow: ["example.com"] }, ...refused, ...others), refused.slice(0, 2))
    }),
  )

  it.effect("refuse subaddresses, and do not fold dots", () =>
    Effect.gen(function* () {
      const typed = ["ada+shop@example.com", "a.d.a@example.com", "ada@example.com"]
      assert.deepStrictEqual(yield* allowed({ block_subaddress: true }, ...typed), typed.slice(1))
      assert.deepStrictEqual(yield* allowed({}, ...typed), typed)
    }),
  )

  it.effect("refuse what is listed, also where it is allowed", () =>
    Effect.gen(function* () {
      const typed = ["a@trash.example", "a@in.trash.example"]
      assert.deepStrictEqual(yield* allowed({ allow: ["example", "trash.example"] }, ...typed), [])
    }),
  )

  it.effect("do not exist without the setting", () =>
    Effect.gen(function* () {
      const isAllowed = yield* Effect.provide(addressRules, Layer.merge(Layer.effect(Settings, decode({})), domains))
      assert.isTrue(isAllowed("a+b@trash.example"))
    }),
  )
})

it("a way in that forgets to ask does not compile", () => {
  const forgotten = { email: "ada@example.com", spent: [] }
  // @ts-expect-error: only the functions of admission.ts make an Admission.
  const admission: Admission = forgotten
  assert.isFunction(newUser)
  assert.strictEqual(admission.email, "ada@example.com")
})
