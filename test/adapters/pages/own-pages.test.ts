import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Endpoint, Errors, Module } from "sallyport/module"
import { call, card, field, form, inputField, page, text, Visit } from "sallyport/pages"
import { takenPath } from "../../../adapters/assembly/pages.ts"
import * as Auth from "../../../application/service/auth.ts"
import { age } from "../../../examples/age.ts"
import { newsletter } from "../../../examples/newsletter.ts"
import { core, password } from "../../world.ts"
import { browse, signedUp, withPages } from "./browse.ts"

const own = newsletter.build({})

describe("a section of the account that a module adds", () => {
  layer(withPages([...core, own]))((it) => {
    it.effect("is in the navigation of every account page, and works without scripts", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("ada@example.com")
        for (const path of ["/account", "/account/security", "/account/newsletter"])
          assert.include(
            (yield* ada.open(path)).html,
            `<a href="/account/newsletter"${path.endsWith("r") ? ' aria-current="page"' : ""}>Newsletter</a>`,
          )
        const off = yield* ada.open("/account/newsletter")
        assert.include(off.text, "You do not get our newsletter.")
        const on = yield* ada.press(off, "begin")
        assert.include(on.text, "You get our newsletter once a month.")
        assert.deepStrictEqual(yield* ada.api("/newsletter"), { subscribed: true })
        assert.include((yield* ada.press(on, "end")).text, "You do not get our newsletter.")
      }),
    )

    it.effect("needs a session, and refuses forms without the token of the browser and from other sites", () =>
      Effect.gen(function* () {
        const visitor = yield* browse().request("GET", "/account/newsletter")
        assert.deepStrictEqual([visitor.status, visitor.headers.location], [303, "/sign-in?return_to=%2Faccount%2Fnewsletter"])
        const eve = yield* signedUp("eve@example.com")
        const { forms } = yield* eve.open("/account/newsletter")
        assert.strictEqual((yield* eve.request("POST", "/account/newsletter", { action: "begin", form_token: "x" })).status, 403)
        const fields = { ...forms[0]?.values, action: "begin" }
        const foreign = yield* eve.request("POST", "/account/newsletter", fields, { origin: "https://evil.example" })
        assert.strictEqual(foreign.status, 403)
        assert.deepStrictEqual(yield* eve.api("/newsletter"), { subscribed: false })
      }),
    )
  })

  layer(withPages(core))((it) => {
    it.effect("is gone without the module", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("ada@example.com")
        assert.notInclude((yield* ada.open("/account")).html, "newsletter")
        assert.strictEqual((yield* ada.open("/account/newsletter")).status, 404)
      }),
    )
  })
})

describe("the page of a module's challenge", () => {
  layer(withPages([...core, age.build({ minimum: 16 })]))((it) => {
    it.effect("is shown in the middle of a sign-in, which it completes", () =>
      Effect.gen(function* () {
        const their = browse()
        const asked = yield* their.press(yield* their.open("/sign-up"), "sign_up", { email: "ada@example.com", new_password: password })
        assert.deepStrictEqual([asked.at, asked.heading], ["/sign-in/age", "When were you born?"])
        const refused = yield* their.press(asked, "declare", { year: "2035" })
        assert.deepStrictEqual([refused.status, refused.problem], [403, "You are too young to use this service."])
        const done = yield* their.press(refused, "declare", { year: "1815" })
        assert.strictEqual(done.at, "/account")
      }),
    )

    it.effect("leads back to the sign-in page without a sign-in", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* browse().open("/sign-in/age")).at, "/sign-in")
      }),
    )
  })
})

/** A page whose form the endpoint refuses with errors of the module; `problems` are the page's texts of errors. */
const shop = (problems: Readonly<Record<string, string>>) => {
  const SoldOut = Errors.define("sold_out", 409, "It is sold out.", { remedy: "Choose another." })
  const Closed = Errors.define("closed", 403, "The shop is closed.", { remedy: "Come back." })
  const buy = Endpoint.make({
    method: "POST",
    path: "/shop/buy",
    summary: "Buys something.",
    access: "session",
    input: Schema.Struct({ thing: Schema.String }),
    output: Endpoint.NoInput,
    errors: [SoldOut, Closed],
    handler: ({ thing }) => Effect.fail(thing === "car" ? new Closed() : new SoldOut({ member: "thing" })),
  })
  const texts = { "shop.title": "Shop", "shop.sold_out": "No more of these.", "error.sold_out": "Usual.", "error.closed": "Closed today." }
  const shopPage = page({
    path: "/account/shop",
    endpoints: [buy],
    access: "session",
    problems,
    show: Effect.map(Visit, ({ view }) => {
      const body = inputField(view, { name: "thing", label: "Thing" })
      const title = text(view, "shop.title")
      return { title, main: card(view, title, form(view, { action: "buy", submit: "Buy", body })) }
    }),
    actions: {
      buy: Effect.flatMap(Visit, ({ form }) => Effect.as(call(buy, { thing: field(form, "thing") }), { to: "/account" })),
    },
  })
  const parts = () => ({ endpoints: [buy], pages: [shopPage] })
  return Module.define({ name: "shop", settings: Module.NoSettings, errors: [SoldOut, Closed], texts: async () => texts, parts })
}

describe("the errors of a module on its page", () => {
  const cases = [
    [{ sold_out: "shop.sold_out" }, "No more of these.", "Closed today."],
    [{ sold_out: "sign_in.submit", closed: "shop.missing" }, "Sign in", "Closed today."],
    [{}, "Usual.", "Closed today."],
  ] as const
  for (const [problems, soldOut, closed] of cases) {
    const own = shop(problems).build({})
    layer(withPages([...core, own]))((it) => {
      it.effect(`have the texts of ${JSON.stringify(problems)}`, () =>
        Effect.gen(function* () {
          const ada = yield* signedUp("ada@example.com")
          const shown = yield* ada.open("/account/shop")
          assert.strictEqual((yield* ada.press(shown, "buy", { thing: "bike" })).problem, soldOut)
          assert.strictEqual((yield* ada.press(shown, "buy", { thing: "car" })).problem, closed)
        }),
      )
    })
  }
})

describe("the path of a module's page", () => {
  layer(withPages([...core, own]))((it) => {
    it("is not that of another page or of an endpoint", () => {
      const [page] = own.pages
      if (page === undefined) return assert.fail("the module has no page")
      assert.throws(() => Auth.make([...core, own, { ...own, name: "twin", endpoints: {}, tables: [] }]), /declare the page/)
      const places = { settings: { base_path: "/api/auth" }, graphql: { enabled: true, path: "/graphql" } }
      const at = (path: string) => takenPath([], places as never, { path: "/" } as never, [{ ...page, path } as never])
      assert.deepStrictEqual(["/account", "/graphql", "/newsletter"].map(at), ["/account", "/graphql", undefined])
    })
  })
})
