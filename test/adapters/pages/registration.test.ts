import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { modules } from "../../everything.ts"
import { password } from "../../world.ts"
import { codes, graphqlServed, query, signUp } from "../graphql/request.ts"
import { post, refused } from "../http/served.ts"
import { browse, withPages } from "./browse.ts"

const email_password = { enabled: true }

describe("the pages where registration is closed", () => {
  it.layer(withPages(modules, { email_password, registration: { mode: "closed" } }))((it) => {
    it.effect("say so, and offer no sign-up", () =>
      Effect.gen(function* () {
        const page = yield* browse().open("/sign-up")
        assert.strictEqual(page.heading, "Sign-up is closed")
        assert.include(page.text, "New accounts are not open here")
        assert.lengthOf(page.forms, 0)
        assert.notInclude((yield* browse().open("/sign-in")).html, 'href="/sign-up"')
        const invitation = yield* browse().open("/accept-invitation?invitation_id=x")
        assert.notInclude(invitation.html, 'href="/sign-up"')
      }),
    )

    it.effect("answer sign-ups with 403", () =>
      Effect.gen(function* () {
        const answer = yield* post("/sign-up/email", { email: "ada@example.com", password })
        assert.strictEqual(refused(answer), "403 registration_closed")
      }),
    )
  })

  it.layer(withPages(modules, { email_password, registration: { email: { block: ["example.org"] } } }))((it) => {
    it.effect("fill in the address of an invitation", () =>
      Effect.gen(function* () {
        const { html } = yield* browse().open("/sign-up?login_hint=ada%40example.com")
        assert.include(html, 'value="ada@example.com"')
      }),
    )

    it.effect("show why an address is refused", () =>
      Effect.gen(function* () {
        const her = browse()
        const page = yield* her.open("/sign-up")
        const answer = yield* her.press(page, "sign_up", { email: "ada@example.org", name: "Ada", new_password: password })
        assert.strictEqual(answer.status, 422)
        assert.include(answer.problem, "This e-mail address cannot be used here")
        assert.strictEqual(refused(yield* post("/sign-up/email", { email: "ada@example.org", password })), "422 address_not_allowed")
      }),
    )
  })

  it.layer(withPages(modules, { email_password: { enabled: false }, registration: { mode: "invited" } }))((it) => {
    it.effect("lead invited people to the methods of the sign-in page where there are no passwords", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual((yield* browse().open("/sign-up")).via, ["/sign-in"])
      }),
    )
  })
})

describe("GraphQL", () => {
  it.layer(graphqlServed({ modules, settings: { email_password, registration: { mode: "closed" } } }))((it) => {
    it.effect("has the codes of REST", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(codes(yield* query(signUp, { input: { email: "ada@example.com", password } })), ["registration_closed"])
      }),
    )
  })
})
