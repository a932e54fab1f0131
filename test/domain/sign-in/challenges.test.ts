import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import { magicLink } from "../../../application/modules/magic_link/index.ts"
import * as AuthOf from "../../../application/service/auth.ts"
import * as Endpoint from "../../../application/service/endpoint.ts"
import * as Module from "../../../application/service/module.ts"
import { InvalidToken } from "../../../domain/errors.ts"
import { find, put, retryOnConflict, Store } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import * as Challenges from "../../../domain/sign-in/challenges.ts"
import { PendingSignIns } from "../../../domain/sign-in/challenges.ts"
import { issue, resume } from "../../../domain/sign-in/issuing.ts"
import { Users } from "../../../domain/users/tables.ts"
import { User } from "../../../domain/users/user.ts"
import { rulesOf } from "../../rule.ts"
import { enrolled, shownBy, built as twoFactor } from "../../two-factor.ts"
import { at, atOnce, bringing, browser, core, endpoints, isSignedIn, mailedToken, password, rows, signedUp, times } from "../../world.ts"

// Modules with a challenge: here a promise, which every user must give once.

const { signUpEmail, signInEmail, changePassword, revokeSessions } = endpoints
const { twoFactorTotpChallenge } = twoFactor.endpoints
const email = "ada@example.com"

/** A module that requires a promise, with a separate name and table. */
const promising = (name: string) => {
  const Promises = Table.make(name, Schema.Struct({ user_id: Schema.String }), { key: "user_id", references: { user_id: Users } })
  const give = Endpoint.make({
    method: "POST",
    path: `/${name}/give`,
    summary: "Gives the promise, and continues the sign-in.",
    access: "public",
    signsIn: "challenge",
    input: Schema.Struct({ challenge_token: Schema.String }),
    output: Schema.Struct({ user: User }),
    errors: [InvalidToken],
    handler: ({ challenge_token }) =>
      Effect.gen(function* () {
        const pendingSignIn = yield* Challenges.pendingSignIn(challenge_token)
        return yield* resume(pendingSignIn, [put(Promises, { user_id: pendingSignIn.user.row.id })])
      }).pipe(
        retryOnConflict,
        Effect.map((issued) => Endpoint.reply({ user: issued.user }, issued)),
      ),
  })
  const module = Module.define({
    name,
    settings: Module.NoSettings,
    parts: () => ({
      tables: [Promises],
      endpoints: [give],
      reclaimedTables: [{ table: Promises, label: name }],
      challenge: Challenges.make({
        of: "every_sign_in",
        output: Schema.Struct({ promise_required: Schema.Literal(name), ...Challenges.ChallengeFields }).annotate({
          identifier: `${name}Challenge`,
        }),
        ask: Effect.fnUntraced(function* ({ id }) {
          return Option.isSome(yield* find(Promises, { user_id: id })) ? Option.none() : Option.some({ promise_required: name })
        }),
      }),
    }),
  }).build({})
  return { module, give }
}

const { module: promise, give } = promising("promise")
const oath = promising("oath")
const links = magicLink.build({ expires_in: 600, disable_signup: false })
const { magicLinkSend, magicLinkVerify } = links.endpoints
const modules = [...core, promise]
const rule = rulesOf(modules)

/** The same service without the challenge. */
const unasking = AuthOf.make(core)

const tokenIn = ({ body }: Endpoint.Reply<unknown>) =>
  Schema.decodeUnknownSync(Schema.Struct(Challenges.ChallengeFields))(body).challenge_token
const credentials = { email, password }
const asked = (their = browser()) => Effect.map(their.call(signInEmail, credentials), tokenIn)

describe("a module that challenges every sign-in", () => {
  rule("challenges new users, and creates them nevertheless", function* () {
    const ada = browser()
    const reply = yield* ada.call(signUpEmail, credentials)
    assert.deepInclude(reply.body as object, { promise_required: "promise", expires_in: 300 })
    assert.strictEqual(reply.session, "keep")
    assert.lengthOf(yield* rows(Users), 1)
    assert.lengthOf(yield* rows(Sessions), 0)

    const challenge_token = tokenIn(reply)
    const { user } = yield* ada.body(give, { challenge_token })
    assert.strictEqual(user.email, email)
    assert.isTrue(yield* isSignedIn(ada))
    assert.lengthOf(yield* rows(PendingSignIns), 0)
    assert.strictEqual(yield* browser().code(give, { challenge_token }), "invalid_token")
  })

  rule("does not challenge a user who has answered before, or who has a session", function* () {
    const ada = browser()
    yield* ada.body(give, { challenge_token: tokenIn(yield* ada.call(signUpEmail, credentials)) })
    const { session } = yield* browser().call(signInEmail, credentials)
    assert.isObject(session)
    yield* ada.body(changePassword, { current_password: password, new_password: "another fine password", revoke_other_sessions: true })
    assert.isTrue(yield* isSignedIn(ada))
  })

  rule("lets a sign-in wait for 300 seconds", function* () {
    const ada = browser()
    const challenge_token = tokenIn(yield* ada.call(signUpEmail, credentials))
    const late = yield* asked()
    yield* TestClock.adjust("299999 millis")
    yield* ada.body(give, { challenge_token })
    yield* TestClock.adjust("1 millis")
    assert.strictEqual(yield* browser().code(give, { challenge_token: late }), "invalid_token")
    assert.lengthOf(yield* rows(Sessions), 1)
  })

  rule("admits no user who has changed since the challenge", function* () {
    const ada = yield* signedUp(email, unasking)
    const changes = [ada.body(changePassword, { current_password: password, new_password: password }), ada.body(revokeSessions)]
    for (const change of changes) {
      const challenge_token = yield* asked()
      yield* change
      assert.strictEqual(yield* browser().code(give, { challenge_token }), "invalid_token")
    }
    assert.lengthOf(yield* rows(Sessions), 0)
  })

  rulesOf([...modules, links])("challenges the owner of an address for what an attacker who registered it had answered", function* () {
    const attacker = browser()
    yield* attacker.body(give, { challenge_token: tokenIn(yield* attacker.call(signUpEmail, credentials)) })
    const owner = browser()
    yield* owner.body(magicLinkSend, { email })
    const reply = yield* owner.call(magicLinkVerify, { token: yield* mailedToken })
    assert.deepInclude(reply.body as object, { promise_required: "promise" })
    assert.lengthOf(yield* rows(Sessions), 0)
    const { user } = yield* owner.body(give, { challenge_token: tokenIn(reply) })
    assert.isTrue(user.email_verified)
    assert.isFalse(yield* isSignedIn(attacker))
  })

  rule("stores no token in the clear, and accepts only its own", function* () {
    yield* browser().call(signUpEmail, credentials)
    const challenge_token = yield* asked()
    assert.notInclude(JSON.stringify(yield* rows(PendingSignIns)), challenge_token)
    for (const token of ["", `${challenge_token}x`, challenge_token.toUpperCase()])
      assert.strictEqual(yield* browser().code(give, { challenge_token: token }), "invalid_token")
    assert.strictEqual(yield* at(browser(), promise, oath.module).code(oath.give, { challenge_token }), "invalid_token")
    yield* browser().body(give, { challenge_token })
  })

  rule("ten concurrent answers with one token: one is accepted", function* () {
    const challenge_token = tokenIn(yield* browser().call(signUpEmail, credentials))
    assert.deepStrictEqual(yield* atOnce(times(10, () => browser().call(give, { challenge_token }))), { ok: 1, invalid_token: 9 })
    assert.lengthOf(yield* rows(Sessions), 1)
  })
})

describe("several modules with challenges", () => {
  const both = [
    { name: "the second factor first", modules: [...core, twoFactor, promise] },
    { name: "the promise first", modules: [...core, promise, twoFactor] },
  ]
  for (const { name, modules } of both) {
    rulesOf(modules)(`challenge one after the other: ${name}`, function* () {
      yield* TestClock.setTime(1_700_000_010_000)
      const { secret } = yield* enrolled(yield* signedUp(email, AuthOf.make([...core, twoFactor])))
      const their = browser()
      const first = yield* their.call(signInEmail, credentials)
      const promiseIsFirst = "promise_required" in first.body
      assert.strictEqual(promiseIsFirst, name === "the promise first")

      const code = yield* shownBy(secret)
      const answers = [
        (challenge_token: string) => their.call(twoFactorTotpChallenge, { challenge_token, code }),
        (challenge_token: string) => their.call(give, { challenge_token }),
      ]
      const [one, other] = promiseIsFirst ? answers.toReversed() : answers
      const second = yield* one!(tokenIn(first))
      assert.isFalse(yield* isSignedIn(their))
      assert.strictEqual("two_factor_required" in second.body, promiseIsFirst)
      yield* other!(tokenIn(second))
      assert.isTrue(yield* isSignedIn(their))
      assert.lengthOf(yield* rows(PendingSignIns), 0)
    })
  }
})

describe("an endpoint's output", () => {
  const { endpoints } = AuthOf.make([...core, promise, oath.module, twoFactor])
  const namesIn = (name: string) => {
    const output = endpoints[name]?.output
    const members = output !== undefined && "members" in output ? (output.members as ReadonlyArray<Schema.Top>) : []
    return members.slice(1).map(({ ast }) => ast.annotations?.["identifier"])
  }

  it("includes its possible challenges", () => {
    assert.deepStrictEqual(namesIn("signInEmail"), ["promiseChallenge", "oathChallenge", "TwoFactorChallenge"])
    assert.deepStrictEqual(namesIn("signUpEmail"), ["promiseChallenge", "oathChallenge"])
    assert.deepStrictEqual(namesIn("promiseGive"), ["oathChallenge", "TwoFactorChallenge"])
    assert.deepStrictEqual(namesIn("oathGive"), ["TwoFactorChallenge"])
    for (const name of ["twoFactorTotpChallenge", "changePassword", "signOut"]) assert.deepStrictEqual(namesIn(name), [], name)
  })
})

describe("an endpoint that accepts an answer", () => {
  rule("issues no session of its own", function* () {
    const ada = browser()
    yield* ada.body(give, { challenge_token: tokenIn(yield* ada.call(signUpEmail, credentials)) })
    const forged = Endpoint.make({
      method: "POST",
      path: "/forged",
      summary: "Signs in the first user there is.",
      access: "public",
      signsIn: "challenge",
      input: Endpoint.NoInput,
      output: Endpoint.Success,
      handler: Effect.fnUntraced(function* () {
        const user = Option.getOrThrow(yield* (yield* Store).read(Users, { email }))
        return Endpoint.reply(Endpoint.succeeded, yield* retryOnConflict(issue(user)))
      }),
    })
    assert.include(
      String(yield* Effect.exit(at(ada, bringing(forged)).call(forged))),
      "the answer to a challenge can only continue a pending sign-in",
    )
  })

  rule("must declare it: otherwise it issues no session", function* () {
    const challenge_token = tokenIn(yield* browser().call(signUpEmail, credentials))
    const forgetful = { ...promise, endpoints: { give: { ...give, signsIn: undefined } as Endpoint.AnyEndpoint } }
    assert.include(
      String(yield* Effect.exit(at(browser(), forgetful).call(forgetful.endpoints.give, { challenge_token }))),
      `${give.path} signs users in without declaring signsIn`,
    )
    assert.lengthOf(yield* rows(Sessions), 0)
  })
})
