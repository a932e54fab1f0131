import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer } from "../../../application/modules/bearer/index.ts"
import { core, password } from "../../world.ts"
import { cookieOf, get, post, served, signedUp } from "./served.ts"

const sessionOf = (headers: Record<string, string>) => Effect.map(get("/get-session", { headers }), ({ json }) => json.session)

describe("a sign-in over HTTP by a client that is signed in", () => {
  layer(served({ modules: [...core, bearer.build({ redirects: [] })] }), { excludeTestServices: true })((it) => {
    it.effect("invalidates stolen copies of the old cookie", () =>
      Effect.gen(function* () {
        const email = "ada@example.com"
        const old = yield* signedUp(email)
        const answer = yield* post("/sign-in/email", { email, password }, { headers: old })
        assert.isNull(yield* sessionOf(old))
        assert.isNotNull(yield* sessionOf({ cookie: cookieOf(answer) }))
      }),
    )

    it.effect("invalidates stolen copies of the old bearer token", () =>
      Effect.gen(function* () {
        const email = "bob@example.com"
        const tokenOf = Effect.map(post("/sign-in/email", { email, password }), ({ headers }) => String(headers["set-auth-token"]))
        yield* signedUp(email)
        const old = { authorization: `Bearer ${yield* tokenOf}` }
        assert.isNotNull(yield* sessionOf(old))
        yield* post("/sign-in/email", { email, password }, { headers: old })
        assert.isNull(yield* sessionOf(old))
      }),
    )

    it.effect("as another user ends no session", () =>
      Effect.gen(function* () {
        const cy = yield* signedUp("cy@example.com")
        yield* post("/sign-up/email", { email: "dee@example.com", password }, { headers: cy })
        assert.isNotNull(yield* sessionOf(cy))
      }),
    )
  })
})
