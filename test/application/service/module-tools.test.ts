import { assert, describe } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import { countByNetwork, Endpoint, isKnownBrowser, Module, type ModuleKeys } from "sallyport/module"
import * as AuthOf from "../../../application/service/auth.ts"
import { rulesOf } from "../../rule.ts"
import { atOnce, browser, core, emptyJar, password, signedUp, endpoints as theirs, times } from "../../world.ts"

// What `sallyport/module` offers to the endpoints of third parties.

const limited = { rate_limit: { enabled: true } }

/** A module with an endpoint that runs this effect. */
const running = <A, R>(
  name: string,
  effect: (keys: ModuleKeys, input: string) => Effect.Effect<A, any, R>,
  output: Schema.Codec<A, any>,
) => {
  const module = Module.define({
    name,
    settings: Module.NoSettings,
    parts: (_, __, keys) => ({
      endpoints: [
        Endpoint.make({
          method: "POST",
          path: `/${name}`,
          name,
          summary: "Runs.",
          access: "public",
          input: Schema.Struct({ text: Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.succeed(""))) }),
          output: Schema.Struct({ value: output }),
          handler: ({ text }) => Effect.map(effect(keys, text), (value) => Endpoint.reply({ value })),
        }),
      ],
    }),
  }).build({})
  return { module, run: module.endpoints[name]! }
}

describe("countByNetwork", () => {
  const counting = (name: string) => running(name, () => countByNetwork("starts", { limit: 3, window: 60 }), Schema.Void)
  const [one, other] = [counting("one"), counting("other")]
  const calls = (count: number, ip_address: string | null, { run } = one) => {
    const their = browser(undefined, { ...emptyJar(), ip_address: ip_address as string })
    return atOnce(times(count, () => their.call(run)))
  }

  rulesOf([...core, one.module])(
    "admits as many concurrent calls of a network as the limit, until the window ends",
    function* () {
      assert.deepStrictEqual(yield* calls(5, "192.0.2.7"), { ok: 3, rate_limited: 2 })
      assert.deepStrictEqual(yield* calls(1, "192.0.2.8"), { ok: 1 })
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* calls(4, "192.0.2.7"), { ok: 3, rate_limited: 1 })
    },
    limited,
  )

  rulesOf([...core, one.module])(
    "counts the addresses of an IPv6 /64 together, and unknown ones by ten times the limit",
    function* () {
      assert.deepStrictEqual(yield* calls(3, "2001:db8::1"), { ok: 3 })
      assert.deepStrictEqual(yield* calls(1, "2001:db8::2"), { rate_limited: 1 })
      assert.deepStrictEqual(yield* calls(1, "2001:db8:0:1::1"), { ok: 1 })
      assert.deepStrictEqual(yield* calls(31, null), { ok: 30, rate_limited: 1 })
    },
    limited,
  )

  rulesOf([...core, one.module])("counts nothing without rate limits", function* () {
    assert.deepStrictEqual(yield* calls(9, "192.0.2.7"), { ok: 9 })
  })

  rulesOf([...core, one.module, other.module])(
    "has a budget for each module",
    function* () {
      for (const module of [one, other]) assert.deepStrictEqual(yield* calls(4, "192.0.2.7", module), { ok: 3, rate_limited: 1 })
    },
    limited,
  )
})

describe("the keys of a module", () => {
  const Values = Schema.Struct({ tag: Schema.String, sealed: Schema.String })
  const making = running("one", (keys) => Effect.all({ tag: keys.sign("ticket", "milk"), sealed: keys.seal("ticket", "milk") }), Values)
  const checking = (name: string, purpose: string) =>
    running(
      name,
      Effect.fnUntraced(function* (keys, text) {
        const { tag, sealed } = JSON.parse(text)
        return { isSigned: yield* keys.verify(purpose, "milk", tag), opened: Option.getOrNull(yield* keys.open(purpose, sealed)) }
      }),
      Schema.Struct({ isSigned: Schema.Boolean, opened: Schema.NullOr(Schema.String) }),
    )

  rulesOf([...core, making.module])("make values for one purpose of this module alone", function* () {
    const made = (yield* browser().body(making.run)).value
    const checked = ({ module, run }: ReturnType<typeof checking>) =>
      Effect.map(browser(AuthOf.make([...core, module])).body(run, { text: JSON.stringify(made) }), ({ value }) => value)
    assert.deepStrictEqual(yield* checked(checking("one", "ticket")), { isSigned: true, opened: "milk" })
    for (const [name, purpose] of [
      ["one", "other"],
      ["other", "ticket"],
      ["one/ticket", ""],
    ] as const)
      assert.deepStrictEqual(yield* checked(checking(name, purpose)), { isSigned: false, opened: null })
  })
})

describe("isKnownBrowser", () => {
  const asking = running("asking", (_, id) => isKnownBrowser(id), Schema.Boolean)
  const isKnown = (their: { readonly body: ReturnType<typeof browser>["body"] }, text: string) =>
    Effect.map(their.body(asking.run, { text }), ({ value }) => value)

  rulesOf([...core, asking.module])(
    "is true in a browser where this user signed in, also after the sign-out",
    function* () {
      const [ada, bob] = [yield* signedUp("ada@example.com"), yield* signedUp("bob@example.com")]
      yield* ada.body(theirs.signOut)
      assert.isTrue(yield* isKnown(ada, ada.user.id))
      assert.isFalse(yield* isKnown(ada, bob.user.id))
      assert.isFalse(yield* isKnown(browser(), ada.user.id))
      yield* TestClock.adjust("1 minute")
      const elsewhere = browser()
      yield* elsewhere.body(theirs.signInEmail, { email: "ada@example.com", password })
      yield* elsewhere.body(theirs.changePassword, { current_password: password, new_password: "another long password" })
      assert.isFalse(yield* isKnown(ada, ada.user.id))
    },
    limited,
  )
})
