import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Schema } from "effect"
import * as AuthOf from "../../../application/service/auth.ts"
import type { Reply } from "../../../application/service/endpoint.ts"
import * as Endpoint from "../../../application/service/endpoint.ts"
import * as Module from "../../../application/service/module.ts"
import { Forbidden } from "../../../domain/errors.ts"
import type { OpenedSession, Outcome } from "../../../domain/policies.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { challengeIn, enrolled, shownBy, built as twoFactor } from "../../two-factor.ts"
import { atOnce, bringing, browser, core, endpoints, password, rows, signedUp, times, world } from "../../world.ts"

const email = "ada@example.com"

/** A module that records the outcomes that it observes. */
const observer = (seen: Array<Outcome>, then: Effect.Effect<void, unknown> = Effect.void, name = "observer") =>
  Module.define({
    name,
    settings: Module.NoSettings,
    parts: () => ({
      observe: (outcome) =>
        Effect.andThen(
          Effect.sync(() => seen.push(outcome)),
          then,
        ),
    }),
  }).build({})

const guarded = bringing(
  Endpoint.make({
    method: "POST",
    path: "/guarded",
    summary: "Refuses every caller.",
    access: "public",
    guard: Endpoint.guard([Forbidden], Effect.fail(new Forbidden())),
    input: Schema.Struct({ text: Schema.String }),
    output: Endpoint.Success,
    handler: () => Effect.succeed(Endpoint.reply(Endpoint.succeeded)),
  }),
)

const defective = bringing(
  Endpoint.make({
    method: "POST",
    path: "/defective",
    summary: "Dies.",
    access: "public",
    input: Endpoint.NoInput,
    output: Endpoint.Success,
    handler: () => Effect.die(new Error("a defect")),
  }),
)

const codesOf = (seen: ReadonlyArray<Outcome>) => seen.map(({ endpoint, code }) => `${endpoint.name} ${code}`)

describe("a module that observes", () => {
  it.effect("sees every outcome: successes, errors, undecodable input, refusals of a guard, callers without a session, and defects", () => {
    const seen: Array<Outcome> = []
    return Effect.gen(function* () {
      const ada = yield* signedUp(email)
      yield* ada.code(endpoints.signInEmail, { email, password: "a wrong password" })
      yield* ada.code(endpoints.signInEmail, { email })
      yield* ada.code(guarded.endpoints["guarded"], {})
      yield* browser().code(endpoints.listSessions)
      yield* Effect.exit(ada.call(defective.endpoints["defective"]))
      assert.deepStrictEqual(codesOf(seen), [
        "signUpEmail ok",
        "signInEmail invalid_credentials",
        "signInEmail invalid_request",
        "guarded forbidden",
        "listSessions unauthorized",
        "defective internal_error",
      ])
    }).pipe(Effect.provide(world([...core, guarded, defective, observer(seen)])))
  })

  it.effect("sees the caller's user, also at a public endpoint and when the operation ends the session", () => {
    const seen: Array<Outcome> = []
    return Effect.gen(function* () {
      const ada = yield* signedUp(email)
      yield* ada.body(endpoints.getSession)
      yield* ada.body(endpoints.signOut)
      yield* ada.body(endpoints.getSession)
      assert.deepStrictEqual(
        seen.map(({ caller }) => caller.user?.id ?? null),
        [null, ada.user.id, ada.user.id, null],
      )
      assert.deepStrictEqual([seen[1]?.caller.ip_address, seen[1]?.caller.user_agent], ["192.0.2.1", "test"])
    }).pipe(Effect.provide(world([...core, observer(seen)])))
  })

  it.effect("receives the user of a failed sign-in, or a hash of an unknown name, but no password or address", () => {
    const seen: Array<Outcome> = []
    return Effect.gen(function* () {
      const { user } = yield* signedUp(email)
      seen.length = 0
      const wrong = "a wrong password"
      for (const name of [email, "unknown@example.com", "unknown@example.com"])
        yield* browser().code(endpoints.signInEmail, { email: name, password: wrong })
      const [known, unknown, again] = seen.map(({ subject }) => subject)
      assert.deepStrictEqual([known?.user_id, unknown?.user_id], [user.id, null])
      assert.isString(unknown?.identifier)
      assert.notStrictEqual(known?.identifier, unknown?.identifier)
      assert.strictEqual(unknown?.identifier, again?.identifier)
      const all = JSON.stringify(seen)
      for (const secret of [wrong, "unknown@example.com", email]) assert.notInclude(all, secret)
    }).pipe(Effect.provide(world([...core, observer(seen)])))
  })

  it.effect("does not affect answers or other observers by a failure or a defect", () => {
    const seen: Array<Outcome> = []
    const broken = [observer([], Effect.fail("a failure"), "failing"), observer([], Effect.die("a defect"), "dying")]
    const throwing = Module.define({
      name: "throwing",
      settings: Module.NoSettings,
      parts: () => ({
        observe: () => {
          throw new Error("no effect at all")
        },
      }),
    }).build({})
    return Effect.gen(function* () {
      const ada = yield* signedUp(email)
      assert.strictEqual(yield* ada.code(endpoints.signInEmail, { email, password: "a wrong password" }), "invalid_credentials")
      assert.deepStrictEqual(codesOf(seen), ["signUpEmail ok", "signInEmail invalid_credentials"])
    }).pipe(Effect.provide(world([...core, ...broken, throwing, observer(seen)])))
  })

  it.effect("sees an attempt of a caller who disconnects before the answer", () => {
    const seen: Array<Outcome> = []
    return Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const slow = bringing(
        Endpoint.make({
          method: "POST",
          path: "/slow",
          summary: "Never answers.",
          access: "public",
          input: Endpoint.NoInput,
          output: Endpoint.Success,
          handler: () => Effect.andThen(Deferred.succeed(begun, undefined), Effect.never),
        }),
      )
      const yields = observer(seen, Effect.yieldNow)
      const fiber = yield* Effect.forkChild(browser(AuthOf.make([...core, slow, yields])).call(slow.endpoints["slow"]))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(codesOf(seen), ["slow interrupted"])
    }).pipe(Effect.provide(world()))
  })

  it.effect("sees each concurrent call with its own subject", () => {
    const seen: Array<Outcome> = []
    return Effect.gen(function* () {
      const users = [yield* signedUp(email), yield* signedUp("bob@example.com")]
      seen.length = 0
      yield* atOnce(
        times(10, (index) =>
          browser().call(endpoints.signInEmail, {
            email: users[index % 2]?.user.email,
            password: index < 5 ? password : "a wrong password",
          }),
        ),
      )
      const subjects = users.map(({ user }) => seen.filter(({ subject }) => subject.user_id === user.id).length)
      assert.deepStrictEqual(subjects, [5, 5])
    }).pipe(Effect.provide(world([...core, observer(seen)])))
  })
})

describe("a module that observes opened sessions", () => {
  const telling = (seen: Array<OpenedSession>) =>
    Module.define({
      name: "telling",
      settings: Module.NoSettings,
      parts: () => ({
        sessionOpened: (opened) =>
          Effect.as(
            Effect.sync(() => seen.push(opened)),
            { writes: [] },
          ),
      }),
    }).build({})

  it.effect("receives the session, its user, the proof and the endpoint", () => {
    const seen: Array<OpenedSession> = []
    return Effect.gen(function* () {
      const { user } = yield* signedUp(email)
      yield* browser().body(endpoints.signInEmail, { email, password })
      assert.deepStrictEqual(
        seen.map(({ proof, endpoint }) => [proof, endpoint.name, endpoint.path]),
        [
          ["registration", "signUpEmail", "/sign-up/email"],
          ["single_factor", "signInEmail", "/sign-in/email"],
        ],
      )
      assert.deepStrictEqual(
        seen.map(({ session, user }) => [session.user_id, user.id]),
        times(2, () => [user.id, user.id]),
      )
      assert.sameMembers(
        seen.map(({ session }) => session.id),
        (yield* rows(Sessions)).map(({ id }) => id),
      )
    }).pipe(Effect.provide(world([...core, telling(seen)])))
  })

  it.effect("receives where a challenged sign-in began, and an observer that it was challenged", () => {
    const seen: Array<OpenedSession> = []
    const outcomes: Array<Outcome> = []
    return Effect.gen(function* () {
      const ada = yield* signedUp(email)
      const { secret } = yield* enrolled(ada)
      ;[seen.length, outcomes.length] = [0, 0]
      const { challenge_token } = challengeIn(yield* browser().call(endpoints.signInEmail, { email, password }))
      const code = yield* shownBy(secret)
      yield* browser().body(twoFactor.endpoints.twoFactorTotpChallenge, { challenge_token, code })
      assert.deepStrictEqual(
        seen.map(({ proof, endpoint, began }) => [proof, endpoint.path, endpoint.module, began]),
        [["multi_factor", "/2fa/totp/challenge", "two_factor", { path: "/sign-in/email", provider_id: null, is_sign_up: false }]],
      )
      assert.deepStrictEqual(codesOf(outcomes), ["signInEmail challenged", "twoFactorTotpChallenge ok"])
    }).pipe(Effect.provide(world([...core, twoFactor, telling(seen), observer(outcomes)])))
  })

  it.effect("sets cookies in the browser that gets the session, also after a challenge, and not when the session is read", () => {
    const greeting = Module.define({
      name: "greeting",
      settings: Module.NoSettings,
      parts: () => ({
        sessionOpened: ({ endpoint }) => Effect.succeed({ writes: [], cookies: [{ name: "greeting", value: endpoint.name, max_age: 60 }] }),
      }),
    }).build({})
    const greetings = ({ cookies = [] }: Reply<unknown>) => cookies.flatMap(({ name, value }) => (name === "greeting" ? [value] : []))
    return Effect.gen(function* () {
      const ada = browser()
      assert.deepStrictEqual(greetings(yield* ada.call(endpoints.signUpEmail, { email, password })), ["signUpEmail"])
      assert.deepStrictEqual(greetings(yield* ada.call(endpoints.getSession)), [])
      const { secret } = yield* enrolled(ada)

      const challenged = yield* browser().call(endpoints.signInEmail, { email, password })
      assert.deepStrictEqual(greetings(challenged), [])
      const { challenge_token } = challengeIn(challenged)
      const answered = browser().call(twoFactor.endpoints.twoFactorTotpChallenge, { challenge_token, code: yield* shownBy(secret) })
      assert.deepStrictEqual(greetings(yield* answered), ["twoFactorTotpChallenge"])
    }).pipe(Effect.provide(world([...core, twoFactor, greeting])))
  })

  it.effect("prevents the session when it fails, so that its writes are never missing", () => {
    const dying = Module.define({
      name: "dying",
      settings: Module.NoSettings,
      parts: () => ({ sessionOpened: () => Effect.die(new Error("no log, no session")) }),
    }).build({})
    return Effect.gen(function* () {
      yield* Effect.exit(browser().call(endpoints.signUpEmail, { email, password }))
      assert.lengthOf(yield* rows(Sessions), 0)
    }).pipe(Effect.provide(world([...core, dying])))
  })
})
