import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Module from "../../../application/service/module.ts"
import type { Outcome } from "../../../domain/policies.ts"
import { signInLog } from "../../../examples/sign-in-log.ts"
import { core, password } from "../../world.ts"
import { query } from "../graphql/request.ts"
import { cookieOf, get, Logged, post, refused, served } from "./served.ts"

describe("a module that observes, behind both shells", () => {
  const seen: Array<Outcome> = []
  const failing = Module.define({
    name: "failing",
    settings: Module.NoSettings,
    parts: () => ({
      observe: (outcome) =>
        Effect.andThen(
          Effect.sync(() => seen.push(outcome)),
          Effect.die(new Error("out of order")),
        ),
    }),
  }).build({})
  const log = signInLog.build({ expires_in: 3600 })

  layer(served({ modules: [...core, failing, log], graphql: {} }))((it) => {
    it.effect("sees outcomes of REST and GraphQL alike; its defects are logged and change no answer", () =>
      Effect.gen(function* () {
        const email = "ada@example.com"
        const signedUp = yield* post("/sign-up/email", { email, password })
        assert.strictEqual(signedUp.status, 200)
        const headers = { cookie: cookieOf(signedUp) }
        const wrong = { email, password: "a wrong password" }
        assert.strictEqual(refused(yield* post("/sign-in/email", wrong)), "401 invalid_credentials")
        assert.strictEqual(refused(yield* post("/sign-in/email", { email })), "400 invalid_request")
        const field = `mutation { signInEmail(input: { email: "${email}", password: "a wrong password" }) { user { id } } }`
        assert.strictEqual((yield* query(field)).errors[0]?.extensions.code, "invalid_credentials")
        assert.deepStrictEqual(
          seen.map(({ endpoint, code }) => `${endpoint.name} ${code}`),
          ["signUpEmail ok", "signInEmail invalid_credentials", "signInEmail invalid_request", "signInEmail invalid_credentials"],
        )
        assert.isTrue((yield* Logged).some((line) => line.includes("The module failing failed to observe /sign-in/email.")))

        const listed = yield* get("/sign-in-log", { headers })
        assert.deepStrictEqual(
          listed.json.entries.map(({ outcome }: { readonly outcome: string }) => outcome),
          ["invalid_credentials", "invalid_credentials", "registration"],
        )
        assert.notProperty(listed.json.entries[0], "user_id")
        const graph = yield* query(
          "{ viewer { signInLog(first: 1) { edges { node { outcome } } pageInfo { hasNextPage } } } }",
          {},
          { headers },
        )
        assert.deepStrictEqual(graph.data.viewer.signInLog, {
          edges: [{ node: { outcome: "invalid_credentials" } }],
          pageInfo: { hasNextPage: true },
        })
      }),
    )
  })
})
