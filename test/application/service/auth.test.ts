import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as AuthOf from "../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../application/service/endpoint.ts"
import { Users } from "../../../domain/users/tables.ts"
import { modules as everything } from "../../everything.ts"
import { browser, core, endpoints, rows, signedUp, world } from "../../world.ts"

const auth = AuthOf.make(core)

// `docs/openapi.json` lists the endpoints and their access.
const guarded = Object.entries(auth.endpoints).filter(([, { access }]) => access === "session")

describe("every endpoint that requires a session", () => {
  for (const [name, endpoint] of Object.entries<AnyEndpoint>(endpoints).filter(([name]) => guarded.some(([each]) => each === name))) {
    it.effect(`answers unauthorized without one, before it validates the input: ${name}`, () =>
      Effect.gen(function* () {
        yield* signedUp("ada@example.com")
        const forged = browser()
        forged.jar.credential = "forged.credential"
        const signedOut = yield* signedUp("bob@example.com")
        const { credential } = signedOut.jar
        yield* signedOut.body(endpoints.signOut)
        signedOut.jar.credential = credential
        for (const their of [browser(), forged, signedOut]) {
          for (const input of [{}, null, { session_id: 7 }, "x"]) assert.strictEqual(yield* their.code(endpoint, input), "unauthorized")
        }
        assert.lengthOf(yield* rows(Users), 2)
      }).pipe(Effect.provide(world())),
    )
  }
})

describe("an undecodable input", () => {
  it.effect("gets an error that says where and why, without its value", () =>
    Effect.gen(function* () {
      const told = (input: unknown) => Effect.map(Effect.flip(browser().call(endpoints.signInEmail, input)), ({ message }) => message)
      assert.strictEqual(yield* told({ email: "hunter2" }), "email: Expected an email address")
      assert.strictEqual(yield* told({ email: "ada@example.com" }), "password: Missing key")
      assert.strictEqual(yield* told("hunter2"), "Expected object")
    }).pipe(Effect.provide(world())),
  )
})

describe("every endpoint of every module", () => {
  it("is named by its path in camelCase", () => {
    const camelCase = (words: string) => words.replace(/[/-](\w)/g, (_, message: string) => message.toUpperCase())
    // Several methods of one path.
    const ofMethod = (path: string) => (path === "/oauth2/register" ? /(Read|Update|Delete)$/ : /Form$/)
    for (const [name, { path }] of Object.entries(AuthOf.make(everything).endpoints))
      assert.strictEqual(name.replace(ofMethod(path), ""), camelCase(path.replace("2fa", "two-factor").replace(/^\/\.?/, "")))
  })
})
