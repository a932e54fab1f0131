import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import type { HttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { OAuthStates } from "../../../../application/modules/social/flows.ts"
import type { StoreService } from "../../../../domain/ports/store.ts"
import { Store } from "../../../../domain/ports/store.ts"
import { Sessions } from "../../../../domain/sessions/tables.ts"
import { Accounts, Users } from "../../../../domain/users/tables.ts"
import type { WorldServices } from "../../../world.ts"
import { atOnce, browser, emails, isSignedIn, linked as linkedAs, password, rows, times } from "../../../world.ts"
import { began, beganLink, configured, guest, including, linked, rule, service, signedIn, signedUp, waysIn } from "./provider.ts"

const { linkSocial, oauthCallback, unlinkAccount, signOut, signInEmail, revokeSessions, deleteUser } = service
const ada = { uid: "42", mail: "another@example.com", nick: "Ada" }
const email = "ada@example.com"

/** A store that ends a browser's session before the first commit. */
const ending = Effect.fnUntraced(function* (their: ReturnType<typeof guest>) {
  const store = yield* Store
  const services = yield* Effect.context<WorldServices>()
  const end = yield* Effect.cached(Effect.provideContext(Effect.orDie(their.call(signOut)), services))
  return Store.of({ ...store, commit: (writes) => Effect.andThen(end, store.commit(writes)) })
})

describe("link-social", () => {
  rule("requires a session first, then a known provider", function* () {
    assert.strictEqual(yield* guest().code(linkSocial, { provider: "acme" }), "unauthorized")
    assert.strictEqual(yield* guest().code(linkSocial, {}), "unauthorized")
    const their = yield* signedUp(email)
    for (const input of [{}, { provider: 1 }, { provider: "unknown" }]) {
      assert.strictEqual(yield* their.code(linkSocial, input), "unknown_provider")
    }
    assert.lengthOf(yield* rows(OAuthStates), 0)
  })

  rule("requires a session that began less than fresh_age ago, however often it was used", function* () {
    const their = yield* signedUp(email)
    yield* TestClock.adjust("86399 seconds")
    yield* their.body(linkSocial, { provider: "acme" })
    yield* TestClock.adjust("1 second")
    assert.isTrue(yield* isSignedIn(their))
    assert.strictEqual(yield* their.code(linkSocial, { provider: "acme" }), "session_not_fresh")
    assert.lengthOf(yield* rows(OAuthStates), 1)
    yield* their.body(signInEmail, { email, password })
    yield* their.body(linkSocial, { provider: "acme" })
  })

  rule("starts no flow for a session that ends concurrently", function* () {
    const their = yield* signedUp(email)
    const begun = their.code(linkSocial, { provider: "acme" })
    assert.strictEqual(yield* Effect.provideService(begun, Store, yield* ending(their)), "unauthorized")
    assert.lengthOf(yield* rows(OAuthStates), 0)
  })

  rule("redirects the browser like sign-in/social", function* () {
    const their = yield* signedUp(email)
    const pages = [yield* their.body(linkSocial, { provider: "acme" }), yield* their.body(service.signInSocial, { provider: "acme" })]
    const [link, signIn] = pages.map(({ url }) => {
      const { state, code_challenge, ...rest } = Object.fromEntries(new URL(url).searchParams)
      return rest
    })
    assert.deepStrictEqual(link, signIn)
  })
})

describe("oauth/callback links", () => {
  rule("the account to the user, and starts no session", function* (provider) {
    const their = yield* signedUp(email)
    const { body, session } = yield* their.call(oauthCallback, yield* beganLink(their, provider, ada))
    assert.deepStrictEqual(body, { success: true })
    assert.strictEqual(session, "keep")
    assert.deepStrictEqual((yield* waysIn(their)).toSorted(), ["acme:42", "credential"])
    assert.lengthOf(yield* rows(Sessions), 1)
    const { user } = yield* their.body(service.getSession)
    assert.deepStrictEqual([user?.email, user?.email_verified, user?.name], [email, false, null])

    const again = yield* signedIn(provider, { uid: "42" })
    assert.strictEqual(again.user.id, their.user.id)
  })

  rule("to the user who began the flow, whatever session the callback has", function* (provider) {
    const [their, other] = [yield* signedUp(email), yield* signedUp("other@example.com")]
    yield* other.body(oauthCallback, yield* beganLink(their, provider, ada))
    assert.deepStrictEqual((yield* waysIn(their)).toSorted(), ["acme:42", "credential"])
    assert.deepStrictEqual(yield* waysIn(other), ["credential"])
  })

  rule("no account of another user: account_linked", function* (provider) {
    const [their, other] = [yield* signedUp(email), yield* signedUp("other@example.com")]
    yield* linked(their, provider, ada)
    const back = yield* beganLink(other, provider, ada)
    assert.strictEqual(yield* other.code(oauthCallback, back), "account_linked")
    assert.strictEqual(yield* other.code(oauthCallback, back), "invalid_state")
    assert.deepStrictEqual(yield* waysIn(other), ["credential"])
  })

  rule("with a notice to the user's address that names the provider, and not the account", function* (provider) {
    const their = yield* signedUp(email)
    yield* linked(their, provider, ada)
    const [notice, ...more] = yield* emails
    assert.deepStrictEqual([notice?.to, more], [email, []])
    assert.match(notice?.subject ?? "", /^An account at another service was linked to your/)
    assert.include(notice?.text, "(Acme)")
    for (const part of [ada.mail, ada.nick, ada.uid]) assert.notInclude(notice?.text, part)
  })

  rule("an account of the same user once, with one notice", function* (provider) {
    const their = yield* signedUp(email)
    for (const _ of times(2, String)) assert.deepStrictEqual(yield* linked(their, provider, ada), { success: true })
    assert.lengthOf(yield* emails, 1)
    assert.deepStrictEqual((yield* waysIn(their)).toSorted(), ["acme:42", "credential"])
  })

  rule("an account that can be unlinked again, unless it is the last one", function* (provider) {
    const their = yield* signedUp(email)
    yield* linked(their, provider, ada)
    yield* their.body(unlinkAccount, { provider_id: "acme" })
    assert.deepStrictEqual(yield* waysIn(their), ["credential"])

    const another = yield* signedIn(provider, { uid: "42" })
    assert.notStrictEqual(another.user.id, their.user.id)
    assert.strictEqual(yield* another.code(unlinkAccount, { provider_id: "acme" }), "last_account")
  })

  rule(
    "nothing once the session that began it has ended",
    function* (provider) {
      const endings = [
        (their: ReturnType<typeof guest>) => their.call(signOut),
        (their: ReturnType<typeof guest>) => their.call(revokeSessions),
        () => TestClock.adjust("599 seconds"),
      ]
      for (const [index, end] of endings.entries()) {
        const address = `ada${index}@example.com`
        const their = yield* signedUp(address)
        const back = yield* beganLink(their, provider, ada)
        yield* end(their)
        const elsewhere = guest()
        yield* elsewhere.body(signInEmail, { email: address, password })
        assert.strictEqual(yield* elsewhere.code(oauthCallback, back), "invalid_state", address)
      }
      assert.deepStrictEqual(
        (yield* rows(Accounts)).map(({ provider_id }) => provider_id),
        ["credential", "credential", "credential"],
      )
    },
    { session: { expires_in: 599 } },
  )

  rule("nothing when that session ends during the provider's requests", function* (provider) {
    const their = yield* signedUp(email)
    const back = yield* beganLink(their, provider, ada)
    const { userinfo } = provider.answers
    const services = yield* Effect.context<WorldServices>()
    const end = Effect.provideContext(Effect.orDie(their.call(signOut)), services)
    provider.answers.userinfo = (request) => Effect.andThen(end, userinfo(request))
    assert.strictEqual(yield* their.code(oauthCallback, back), "invalid_state")
    assert.lengthOf(yield* rows(Accounts), 1)
  })

  rule("nothing when that session ends during the commit", function* (provider) {
    const their = yield* signedUp(email)
    const back = yield* beganLink(their, provider, ada)
    assert.strictEqual(yield* Effect.provideService(their.code(oauthCallback, back), Store, yield* ending(their)), "invalid_state")
    assert.lengthOf(yield* rows(Accounts), 1)
  })

  rule("nothing when another person proves the address concurrently", function* (provider) {
    const attacker = yield* signedUp(email)
    const back = yield* beganLink(attacker, provider, ada)
    const owner = yield* began(guest(), provider, { uid: "owner", mail: email, confirmed: true })
    const store = yield* Store
    const services = yield* Effect.context<WorldServices>()
    const proof = Effect.provideContext(Effect.orDie(guest().call(oauthCallback, owner)), services)
    const late = Store.of({
      ...store,
      commit: (writes) => {
        const links = writes.some(({ _tag, table }) => _tag === "insert" && table.name === Accounts.name)
        return links ? Effect.andThen(proof, store.commit(writes)) : store.commit(writes)
      },
    })
    assert.strictEqual(yield* Effect.provideService(attacker.code(oauthCallback, back), Store, late), "invalid_state")
    const accounts = yield* rows(Accounts)
    assert.deepStrictEqual(
      accounts.map(({ account_id }) => account_id),
      ["owner"],
    )
  })

  rule("redirects as configured, without a session", function* (provider) {
    const { auth, linkSocial, oauthCallback, signUpEmail } = including({
      providers: [configured("acme", { success_redirect: "https://app.example.com/settings" })],
    })
    const their = browser(auth)
    yield* their.body(signUpEmail, { email, password })
    const { url } = yield* their.body(linkSocial, { provider: "acme" })
    const { body, location, session } = yield* their.call(oauthCallback, provider.visit(url, ada))
    assert.deepStrictEqual(body, { redirect: "https://app.example.com/settings" })
    assert.strictEqual(location, "https://app.example.com/settings")
    assert.strictEqual(session, "keep")
  })

  rule("pending flows are removed with their session and with the user", function* (provider) {
    const their = yield* signedUp(email)
    yield* beganLink(their, provider, ada)
    yield* their.body(signOut)
    assert.lengthOf(yield* rows(OAuthStates), 0)
    yield* their.body(signInEmail, { email, password })
    yield* linked(their, provider, ada)
    yield* beganLink(their, provider, ada)
    yield* their.body(deleteUser, { password })
    assert.lengthOf(yield* rows(OAuthStates), 0)
    assert.lengthOf(yield* rows(Accounts), 0)
  })
})

/** One account less than the limit. */
const nearlyFull = (user_id: string) => Effect.all(times(98, (index) => linkedAs(user_id, `idp_${index}`)))

rule("a user has at most a hundred accounts, also when two are linked concurrently", function* (provider) {
  const their = yield* signedUp(email)
  yield* nearlyFull(their.user.id)
  const back = yield* beganLink(their, provider, ada)
  const other = yield* beganLink(their, provider, { ...ada, uid: "43" })
  const services = yield* Effect.context<WorldServices | HttpClient.HttpClient>()
  const meanwhile = Effect.orDie(Effect.provide(their.call(oauthCallback, other), services))
  const store = yield* Store
  let commits = 0
  const commit: StoreService["commit"] = (writes) =>
    commits++ > 0 ? store.commit(writes) : Effect.andThen(meanwhile, store.commit(writes))
  const outcome = their.code(oauthCallback, back).pipe(Effect.provideService(Store, { ...store, commit }))
  assert.strictEqual(yield* outcome, "invalid_request")
  assert.lengthOf(yield* rows(Accounts), 100)
})

rule("a sign-in by a verified address respects that limit", function* (provider) {
  const profile = { ...ada, mail: email, confirmed: true }
  const { user } = yield* signedIn(provider, profile)
  yield* nearlyFull(user.id)
  yield* signedIn(provider, { ...profile, uid: "43" })
  const their = guest()
  const page = yield* their.body(service.signInSocial, { provider: "acme" })
  assert.strictEqual(yield* their.code(oauthCallback, provider.visit(page.url, { ...profile, uid: "44" })), "invalid_request")
  assert.lengthOf(yield* rows(Accounts), 100)
})

describe("concurrently", () => {
  rule("one account linked by several users belongs to one of them", function* (provider) {
    const people = yield* Effect.forEach(times(6, String), (index) => signedUp(`person${index}@example.com`))
    const backs = yield* Effect.forEach(people, (their) => beganLink(their, provider, ada))
    const calls = people.map((their, index) => their.call(oauthCallback, backs[index]))
    assert.deepStrictEqual(yield* atOnce(calls), { ok: 1, account_linked: 5 })
    assert.lengthOf(yield* rows(Accounts), 7)
  })

  rule("one user's flows for one account all succeed", function* (provider) {
    const their = yield* signedUp(email)
    const backs = yield* Effect.forEach(times(6, String), () => beganLink(their, provider, ada))
    assert.deepStrictEqual(yield* atOnce(backs.map((back) => their.call(oauthCallback, back))), { ok: 6 })
    assert.lengthOf(yield* rows(Accounts), 2)
  })

  rule("a link and a sign-in with one new account: it belongs to one user", function* (provider) {
    const their = yield* signedUp(email)
    const link = yield* beganLink(their, provider, { uid: "42" })
    const other = guest()
    const { url } = yield* other.body(service.signInSocial, { provider: "acme" })
    yield* atOnce([their.call(oauthCallback, link), other.call(oauthCallback, provider.visit(url, { uid: "42" }))])
    const accounts = (yield* rows(Accounts)).filter(({ provider_id }) => provider_id === "acme")
    assert.lengthOf(accounts, 1)
    assert.isTrue(yield* isSignedIn(other))
    const { user } = yield* other.body(service.getSession)
    assert.strictEqual(accounts[0]?.user_id, user?.id)
    assert.lengthOf(yield* rows(Users), user?.id === their.user.id ? 1 : 2)
  })
})
