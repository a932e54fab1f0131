import { assert, describe } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { HttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { OneTimeTokens, oneTimeToken } from "../../../application/modules/one_time_token/index.ts"
import { OAuthStates } from "../../../application/modules/social/flows.ts"
import { social } from "../../../application/modules/social/index.ts"
import type { StoreService } from "../../../domain/ports/store.ts"
import { Store, update } from "../../../domain/ports/store.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { added, built as passkey } from "../../application/modules/passkey/passkeys.ts"
import { configured, makeProvider } from "../../application/modules/social/provider.ts"
import { authenticator } from "../../passkeys.ts"
import { rulesOf, verifying } from "../../rule.ts"
import { enrolled, shownBy, built as twoFactor, verified } from "../../two-factor.ts"
import { browser, core, endpoints, isSignedIn, mailedToken, password, rows, signedIn, signedUp, type WorldServices } from "../../world.ts"

// If an attacker begins an operation with a copied session token, a later proof of identity by the owner must not apply to it.

const handOffs = oneTimeToken.build({ expires_in: 60 })
const accounts = social.build(Schema.decodeUnknownSync(social.settings)({ providers: [configured("acme")] }))
const modules = [...core, handOffs, accounts, twoFactor, passkey]
const { stepUp, changeEmail, verifyEmail, getSession } = endpoints
const { oneTimeTokenGenerate, oneTimeTokenVerify } = handOffs.endpoints
const { linkSocial, oauthCallback } = accounts.endpoints

const email = "ada@example.com"
const stepUpAge = 600
const start = 1_700_000_010_000
const rule = (...[name, shown, settings]: Parameters<ReturnType<typeof rulesOf>>) =>
  rulesOf(modules)(
    name,
    function* () {
      yield* TestClock.setTime(start)
      yield* Effect.gen(shown)
    },
    settings,
  )
const seconds = (count: number) => TestClock.adjust(count * 1000)

type Browser = ReturnType<typeof browser>
const copyOf = ({ jar }: Pick<Browser, "jar">) => browser(undefined, { ...jar })
const user = () => Effect.tap(signedUp(email), verified)

/** A user with an app in a session whose proof has expired. */
const staleOwner = Effect.gen(function* () {
  const ada = yield* user()
  const { secret } = yield* enrolled(ada)
  yield* seconds(stepUpAge)
  return { ...ada, secret }
})

/** Completes the linking of an account, with the attacker's account at the provider. */
const linkFinished = Effect.fnUntraced(function* (their: Browser, url: string) {
  const provider = makeProvider()
  const visit = provider.visit(url, { uid: "thief", mail: "thief@acme.example", confirmed: true, nick: "Thief" })
  return yield* Effect.match(their.call(oauthCallback, visit).pipe(Effect.provideService(HttpClient.HttpClient, provider.client)), {
    onSuccess: () => "linked",
    onFailure: ({ _tag }) => _tag,
  })
})

describe("a stolen copy of a session", () => {
  rule("gains no proof by a one-time token that it made before the step-up", function* () {
    const ada = yield* staleOwner
    const made = yield* copyOf(ada).body(oneTimeTokenGenerate)
    yield* ada.body(stepUp, { code: yield* shownBy(ada.secret) })
    assert.strictEqual(yield* browser().code(oneTimeTokenVerify, made), "invalid_token")
    yield* browser().body(oneTimeTokenVerify, yield* ada.body(oneTimeTokenGenerate))
  })

  rule("gains none by a one-time token whose row an earlier version wrote", function* () {
    const ada = yield* user()
    const made = yield* ada.body(oneTimeTokenGenerate)
    const store = yield* Store
    const [row] = yield* rows(OneTimeTokens)
    const held = Option.getOrThrow(yield* store.read(OneTimeTokens, { hash: row?.hash ?? "" }))
    yield* Effect.orDie(store.commit([update(OneTimeTokens, held, { session_token_hash: null })]))
    assert.strictEqual(yield* browser().code(oneTimeTokenVerify, made), "invalid_token")
  })

  rule("links no account by a flow that it began before the step-up", function* () {
    const ada = yield* user()
    const thief = copyOf(ada)
    const { url } = yield* thief.body(linkSocial, { provider: "acme" })
    yield* ada.body(stepUp, { password })
    assert.strictEqual(yield* linkFinished(thief, url), "invalid_state")
  })

  rule("links no account by a flow that it began before the user added an app, or whose row an earlier version wrote", function* () {
    const ada = yield* user()
    const thief = copyOf(ada)
    const { url } = yield* thief.body(linkSocial, { provider: "acme" })
    yield* enrolled(ada)
    assert.strictEqual(yield* linkFinished(thief, url), "invalid_state")

    const begun = yield* ada.body(linkSocial, { provider: "acme" })
    const store = yield* Store
    const [row] = yield* rows(OAuthStates)
    const held = Option.getOrThrow(yield* store.read(OAuthStates, { hash: row?.hash ?? "" }))
    yield* Effect.orDie(store.commit([update(OAuthStates, held, { session_token_hash: null })]))
    assert.strictEqual(yield* linkFinished(ada, begun.url), "invalid_state")
  })

  rule("links no account once a passkey, added in another session, requires a proof that it lacks", function* () {
    const ada = yield* user()
    const thief = copyOf(ada)
    yield* seconds(stepUpAge)
    const { url } = yield* thief.body(linkSocial, { provider: "acme" })
    yield* added(yield* signedIn(email), authenticator())
    assert.strictEqual(yield* linkFinished(thief, url), "invalid_state")
  })

  rule("is not the only one that links: a proof counts for a link until 599 s, not at 600 s", function* () {
    const ada = yield* user()
    yield* enrolled(ada)
    const late = yield* ada.body(linkSocial, { provider: "acme" })
    const right = yield* ada.body(linkSocial, { provider: "acme" })
    yield* seconds(stepUpAge - 31)
    assert.strictEqual(yield* linkFinished(ada, right.url), "linked")
    yield* seconds(1)
    assert.strictEqual(yield* linkFinished(ada, late.url), "invalid_state")
  })

  rule("gains no proof when its refresh conflicts with the step-up", function* () {
    const ada = yield* user()
    const { secret } = yield* enrolled(ada)
    yield* seconds(90_000)
    const thief = copyOf(ada)
    const store = yield* Store
    const step = Effect.orDie(Effect.flatMap(shownBy(secret), (code) => ada.body(stepUp, { code })))
    const once = yield* Effect.cached(Effect.provide(step, yield* Effect.context<WorldServices>()))
    const commit: StoreService["commit"] = (writes) => Effect.andThen(once, store.commit(writes))
    const { session } = yield* thief.body(getSession).pipe(Effect.provideService(Store, { ...store, commit }))
    assert.isNull(session)
    assert.isTrue(yield* isSignedIn(ada))
  })

  rule("gains no proof by a request that was in progress during the step-up", function* () {
    const ada = yield* staleOwner
    const thief = copyOf(ada)
    const store = yield* Store
    const step = Effect.orDie(Effect.flatMap(shownBy(ada.secret), (code) => ada.body(stepUp, { code })))
    const once = yield* Effect.cached(Effect.provide(step, yield* Effect.context<WorldServices>()))
    const commit: StoreService["commit"] = (writes) => Effect.andThen(once, store.commit(writes))
    // The step-up takes place after the request read its session the first time, and before the second time.
    let reads = 0
    const readWithReferenced: StoreService["readWithReferenced"] = (table, where, field) => {
      reads += table === (Sessions as unknown) ? 1 : 0
      return reads === 2
        ? Effect.andThen(once, store.readWithReferenced(table, where, field))
        : store.readWithReferenced(table, where, field)
    }
    const slow = Effect.provideService(Store, { ...store, commit, readWithReferenced })
    assert.strictEqual(yield* thief.code(oneTimeTokenGenerate).pipe(slow), "unauthorized")
  })

  rule(
    "changes no address by a link that was mailed before the user added an app",
    function* () {
      const ada = yield* browser().body(endpoints.signUpEmail, { email, password }).pipe(Effect.andThen(mailedToken))
      yield* browser().body(verifyEmail, { token: ada })
      const owner = yield* signedIn(email)
      yield* copyOf(owner).body(changeEmail, { new_email: "thief@example.com" })
      const token = yield* mailedToken
      yield* enrolled(owner)
      assert.strictEqual(yield* browser().code(verifyEmail, { token }), "invalid_token")
    },
    verifying,
  )
})

rule("in another session, the step-up does not end the flows that were started there", function* () {
  const ada = yield* user()
  const other = yield* signedIn(email)
  const made = yield* other.body(oneTimeTokenGenerate)
  yield* ada.body(stepUp, { password })
  yield* browser().body(oneTimeTokenVerify, made)
  assert.lengthOf(yield* rows(Sessions), 3)
})
