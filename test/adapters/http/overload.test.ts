import { assert, describe, layer } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { makeGate } from "../../../adapters/passwords/password-hasher.ts"
import { PasswordHasher } from "../../../domain/ports/password-hasher.ts"
import { codes, query } from "../graphql/request.ts"
import { changed, post, refused, served, signedUp } from "./served.ts"

const places = 4
const callers = 12

/** A queue with four places, whose hashes are done when the test says so. */
const queue = { done: Promise.resolve(), gate: makeGate(1, places - 1) }
const queued = changed(PasswordHasher, ({ verify }) => ({
  verify: (password, hash) =>
    Effect.andThen(
      queue.gate(() => queue.done),
      verify(password, hash),
    ),
}))

const email = "ada@example.com"
const signIn = /* GraphQL */ `mutation SignIn($input: SignInEmailInput!) { signInEmail(input: $input) { user { email } } }`

/** Sends all requests at once, and lets the hashes run when the rest was refused. Returns the refused answers and the others. */
const storm = Effect.fnUntraced(function* <A, E, R>(send: (index: number) => Effect.Effect<A, E, R>, isRefused: (answer: A) => boolean) {
  const release = Promise.withResolvers<void>()
  queue.done = release.promise
  const allRefused = yield* Deferred.make<void>()
  const refused: Array<A> = []
  const others: Array<A> = []
  const one = Effect.fnUntraced(function* (index: number) {
    const answer = yield* send(index)
    ;(isRefused(answer) ? refused : others).push(answer)
    if (refused.length === callers - places) yield* Deferred.succeed(allRefused, undefined)
  })
  const sending = Effect.forEach(Array.from({ length: callers }).keys(), one, { concurrency: "unbounded" })
  const releasing = Effect.andThen(
    Deferred.await(allRefused),
    Effect.sync(() => release.resolve()),
  )
  yield* Effect.timeout(Effect.all([sending, releasing], { concurrency: 2 }), "30 seconds")
  return { refused, others }
})

describe("when more sign-ins arrive at once than the queue of the hasher has places", () => {
  const settings = { rate_limit: { enabled: false } }
  layer(served({ instead: queued, settings, graphql: {} }), { excludeTestServices: true })((it) => {
    it.effect("the rest is refused over REST with the seconds to wait, for known and unknown users alike", () =>
      Effect.gen(function* () {
        yield* signedUp(email)
        const inputs = [
          { email, password: "correct horse battery staple" },
          { email, password: "wrong horse battery staple" },
          { email: "unknown@example.com", password: "wrong horse battery staple" },
        ]
        const { refused: rest, others } = yield* storm(
          (index) => post("/sign-in/email", inputs[index % inputs.length]),
          ({ status }) => status === 503,
        )
        assert.lengthOf(others, places)
        for (const { status } of others) assert.include([200, 401], status)
        for (const answer of rest) {
          assert.deepStrictEqual([refused(answer), answer.headers["retry-after"]], ["503 overloaded", "1"])
          assert.isUndefined(answer.headers["set-cookie"])
        }
        assert.lengthOf([...new Set(rest.map(({ text }) => text))], 1)
      }),
    )

    it.effect("the rest is refused over GraphQL with the seconds to wait", () =>
      Effect.gen(function* () {
        const input = { email: "unknown@example.com", password: "wrong horse battery staple" }
        const { refused: rest, others } = yield* storm(
          () => query(signIn, { input }),
          (answer) => codes(answer).includes("overloaded"),
        )
        assert.deepStrictEqual(others.map(codes), Array(places).fill(["invalid_credentials"]))
        for (const { headers, errors } of rest) {
          assert.strictEqual(headers["retry-after"], "1")
          assert.deepInclude(errors[0]?.extensions, { code: "overloaded", status: 503, retryAfter: 1 })
        }
      }),
    )

    it.effect("the places are free again afterwards", () =>
      Effect.gen(function* () {
        const answer = yield* post("/sign-in/email", { email: "unknown@example.com", password: "wrong horse battery staple" })
        assert.strictEqual(refused(answer), "401 invalid_credentials")
      }),
    )
  })
})
