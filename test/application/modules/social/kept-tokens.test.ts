import { assert, describe } from "@effect/vitest"
import { Clock, DateTime, Effect, Fiber, Latch, Logger, Option, Schema } from "effect"
import { HttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { audit } from "../../../../application/modules/audit/index.ts"
import { events } from "../../../../application/modules/events/index.ts"
import { type KeptTokens, ProviderTokens } from "../../../../application/modules/social/kept-tokens.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { removeVersioned, Store, update } from "../../../../domain/ports/store.ts"
import { Accounts, Users } from "../../../../domain/users/tables.ts"
import { rulesOf } from "../../../rule.ts"
import { browser, endpoints, rows, signedUp, times } from "../../../world.ts"
import { begin, rule as ruleOf, type World } from "./openid.ts"

type Json = Record<string, unknown>

const rule = (name: string, shown: Parameters<typeof ruleOf>[1], more: Json = {}) => ruleOf(name, shown, { keep_tokens: true, ...more })

/** The claims of an ID token that comes with refreshed tokens, without a nonce. */
const refreshed = ({ nonce: _, ...claims }: Json): Json => ({ ...claims, exp: 10_000 })

/** The grant types of the token requests. */
const grants = ({ requests }: World) => requests.flatMap(({ form }) => form.getAll("grant_type"))
const refreshes = (world: World) => grants(world).filter((grant) => grant === "refresh_token").length

/** Tokens that end after an hour; each refresh token is valid once. */
const rotating = (world: World, suffix = "") => {
  const { op, requests } = world
  let valid = `r0${suffix}`
  let count = 0
  op.token = (answer) => {
    const form = requests.at(-1)?.form
    if (form?.get("grant_type") !== "refresh_token")
      return { ...answer, access_token: `a0${suffix}`, refresh_token: valid, expires_in: 3600 }
    if (form.get("refresh_token") !== valid) return { error: "invalid_grant" }
    count += 1
    valid = `r${count}${suffix}`
    return { access_token: `a${count}${suffix}`, token_type: "Bearer", refresh_token: valid, expires_in: 3600, scope: "mail files" }
  }
}

const linkedIn = Effect.fnUntraced(function* ({ auth, signInSocial, oauthCallback, visit }: World) {
  const their = browser(auth)
  const { url } = yield* their.body(signInSocial, { provider: "op" })
  yield* their.body(oauthCallback, visit(url))
  const { accounts } = yield* their.body(endpoints.listAccounts)
  return { ...their, id: accounts[0]?.id ?? "" }
})
type Their = Effect.Success<ReturnType<typeof linkedIn>>

const tokenOf = ({ accountsAccessToken }: World, their: Pick<Their, "body">, id: string) =>
  Effect.match(their.body(accountsAccessToken, { id }), {
    onSuccess: ({ access_token }) => access_token,
    onFailure: ({ _tag }) => _tag,
  })

const realTime = (milliseconds: number) => Effect.promise(() => new Promise((done) => setTimeout(done, milliseconds)))

/** The result of the fiber. The clock moves on meanwhile, slowly, because the store needs real time. */
const joined = Effect.fnUntraced(function* <A, E>(fiber: Fiber.Fiber<A, E>) {
  for (let steps = 100; steps > 0 && fiber.pollUnsafe() === undefined; steps--) {
    yield* realTime(50)
    yield* TestClock.adjust("100 millis")
  }
  return yield* Fiber.join(fiber)
})

/** Starts the effect in a fiber, and returns the fiber when it sleeps for the first time. */
const asleep = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const clock = yield* Clock.Clock
  const hasSlept = yield* Latch.make()
  const sleep: Clock.Clock["sleep"] = (duration) => Effect.andThen(hasSlept.open, clock.sleep(duration))
  const fiber = yield* Effect.forkChild(Effect.provideService(effect, Clock.Clock, { ...clock, sleep }))
  yield* hasSlept.await
  return fiber
})

describe("the tokens of a provider", () => {
  rule("are kept encrypted, and returned to their user while they are valid", function* (world) {
    rotating(world, "-of-the-provider")
    const their = yield* linkedIn(world)
    const kept = JSON.stringify(yield* rows(ProviderTokens))
    assert.notInclude(kept, "-of-the-provider")
    const { access_token, expires_at, scope } = yield* their.body(world.accountsAccessToken, { id: their.id })
    assert.deepStrictEqual([access_token, expires_at?.epochMilliseconds, scope], ["a0-of-the-provider", 3_600_000, null])
    assert.strictEqual(refreshes(world), 0)
  })

  rule("are refreshed a minute before their end", function* (world) {
    rotating(world)
    const their = yield* linkedIn(world)
    yield* TestClock.adjust("3539 seconds")
    assert.strictEqual(yield* tokenOf(world, their, their.id), "a0")
    yield* TestClock.adjust("1 second")
    const { access_token, expires_at, scope } = yield* their.body(world.accountsAccessToken, { id: their.id })
    assert.deepStrictEqual([access_token, expires_at?.epochMilliseconds, scope], ["a1", (3540 + 3600) * 1000, "mail files"])
    assert.strictEqual(yield* tokenOf(world, their, their.id), "a1")
    assert.deepStrictEqual(grants(world), ["authorization_code", "refresh_token"])
  })

  rule("are refreshed by one of twenty requests at once, and all get the same token", function* (world) {
    rotating(world)
    const their = yield* linkedIn(world)
    yield* TestClock.adjust("1 hour")
    const calls = yield* Effect.forkChild(
      Effect.all(
        times(20, () => tokenOf(world, their, their.id)),
        { concurrency: "unbounded" },
      ),
    )
    assert.deepStrictEqual([...new Set(yield* joined(calls))], ["a1"])
    assert.strictEqual(refreshes(world), 1)
  })

  rule("are refreshed by a refresh token of any printable characters", function* (world) {
    const refresh_token = ' !"#%&+=?~'
    world.op.token = (answer) => ({ ...answer, access_token: "a", refresh_token, expires_in: 3600 })
    world.op.claims = (claims) => (claims["nonce"] === null ? refreshed(claims) : claims)
    const their = yield* linkedIn(world)
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(yield* tokenOf(world, their, their.id), "a")
    assert.strictEqual(world.requests.find(({ form }) => form.has("refresh_token"))?.form.get("refresh_token"), refresh_token)
  })

  rule("that are always valid for a minute only are refreshed at most once by each request", function* (world) {
    let count = 0
    world.op.claims = (claims) => (claims["nonce"] === null ? refreshed(claims) : claims)
    world.op.token = (answer) => ({ ...answer, access_token: `a${count++}`, refresh_token: "r", expires_in: 60 })
    const their = yield* linkedIn(world)
    const calls = yield* Effect.forkChild(
      Effect.all(
        times(20, () => tokenOf(world, their, their.id)),
        { concurrency: "unbounded" },
      ),
    )
    for (const token of yield* joined(calls)) assert.match(token, /^a[1-9]\d*$/)
    assert.isAtMost(refreshes(world), 20)
  })

  rule("are refreshed only for the user who signed in", function* (world) {
    let count = 0
    world.op.token = (answer) => ({ ...answer, access_token: `a${count++}`, refresh_token: "r", expires_in: 3600 })
    const their = yield* linkedIn(world)
    yield* TestClock.adjust("1 hour")
    for (const fault of [{ sub: "eve" }, { iss: "https://other.example" }, { aud: "another" }, { exp: 3600 - 30 }]) {
      world.op.claims = (claims) => ({ ...refreshed(claims), ...fault })
      assert.strictEqual(yield* tokenOf(world, their, their.id), "oauth_token_error", JSON.stringify(fault))
    }
    const { sign } = world.op
    world.op.claims = refreshed
    world.op.sign = async (claims, key) => `${await sign(claims, key)}x`
    assert.strictEqual(yield* tokenOf(world, their, their.id), "oauth_token_error")
    world.op.sign = sign
    assert.strictEqual(yield* tokenOf(world, their, their.id), "a6")
  })

  rule("keep the refresh token where the provider sends no new one", function* (world) {
    let count = 0
    world.op.claims = (claims) => (claims["nonce"] === null ? refreshed(claims) : claims)
    world.op.token = (answer) => ({
      ...answer,
      access_token: `a${count++}`,
      expires_in: 3600,
      ...(count === 1 ? { refresh_token: "r" } : {}),
    })
    const their = yield* linkedIn(world)
    for (const expected of ["a1", "a2"]) {
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* tokenOf(world, their, their.id), expected)
    }
    assert.deepStrictEqual(
      world.requests.flatMap(({ form }) => form.getAll("refresh_token")),
      ["r", "r"],
    )
  })

  rule("without an end are returned as they are", function* (world) {
    world.op.token = (answer) => ({ ...answer, access_token: "a0" })
    const their = yield* linkedIn(world)
    yield* TestClock.adjust("6 days")
    assert.strictEqual(yield* tokenOf(world, their, their.id), "a0")
  })

  rule("that ended without a refresh token are gone", function* (world) {
    world.op.token = (answer) => ({ ...answer, expires_in: 3600 })
    const their = yield* linkedIn(world)
    yield* TestClock.adjust("3599 seconds")
    assert.notInclude(["no_provider_token"], yield* tokenOf(world, their, their.id))
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* tokenOf(world, their, their.id), "no_provider_token")
  })

  rule("are removed when the provider refuses the refresh token, until the next sign-in", function* (world) {
    rotating(world)
    const their = yield* linkedIn(world)
    const { token } = world.op
    world.op.token = () => ({ error: "invalid_grant" })
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(yield* tokenOf(world, their, their.id), "no_provider_token")
    assert.lengthOf(yield* rows(ProviderTokens), 0)
    assert.strictEqual(yield* tokenOf(world, their, their.id), "no_provider_token")
    assert.strictEqual(refreshes(world), 1)
    world.op.token = token
    world.op.claims = (claims) => ({ ...claims, exp: 9999 })
    yield* linkedIn(world)
    assert.strictEqual(yield* tokenOf(world, their, their.id), "a0")
  })

  rule("survive an outage of the provider", function* (world) {
    rotating(world)
    const their = yield* linkedIn(world)
    const { token } = world.op
    world.op.token = () => ({ error: "temporarily_unavailable" })
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(yield* tokenOf(world, their, their.id), "oauth_token_error")
    world.op.token = token
    assert.strictEqual(yield* tokenOf(world, their, their.id), "a1")
  })

  rule("are returned in their last minute during an outage of the provider", function* (world) {
    rotating(world)
    const their = yield* linkedIn(world)
    world.op.token = () => ({ error: "temporarily_unavailable" })
    yield* TestClock.adjust("3599 seconds")
    assert.strictEqual(yield* tokenOf(world, their, their.id), "a0")
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* tokenOf(world, their, their.id), "oauth_token_error")
    assert.strictEqual(refreshes(world), 2)
  })

  rule("are not lost with a client that disconnects during the refresh", function* (world) {
    rotating(world)
    const their = yield* linkedIn(world)
    yield* TestClock.adjust("1 hour")
    const leaving = yield* Effect.forkChild(tokenOf(world, their, their.id))
    for (let left = 1000; left > 0 && refreshes(world) === 0; left--) yield* Effect.yieldNow
    yield* Fiber.interrupt(leaving)
    const next = yield* Effect.forkChild(tokenOf(world, their, their.id))
    assert.strictEqual(yield* joined(next), "a1")
    assert.strictEqual(refreshes(world), 1)
  })

  rule("are stored although the row changes during the refresh, unless a sign-in replaced them", function* (world) {
    rotating(world)
    const their = yield* linkedIn(world)
    const store = yield* Store
    const { token } = world.op
    /** Changes the row while the provider refreshes the tokens. */
    const meanwhile = (changes: Partial<KeptTokens>) => {
      const change = Effect.gen(function* () {
        const stored = Option.getOrThrow(yield* store.read(ProviderTokens, { account: their.id }))
        yield* store.commit([update(ProviderTokens, stored, changes)])
      })
      world.op.token = (answer) => Effect.runPromise(Effect.as(change, answer)).then(token)
    }
    // As `secret rotate` does.
    meanwhile({})
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(yield* tokenOf(world, their, their.id), "a1")
    meanwhile({ refreshing_until: null, access_until: null })
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(yield* tokenOf(world, their, their.id), "a1")
    assert.strictEqual(refreshes(world), 2)
  })

  rule("are refreshed after a process that stopped while it refreshed them", function* (world) {
    rotating(world)
    const their = yield* linkedIn(world)
    yield* TestClock.adjust("1 hour")
    const store = yield* Store
    const stored = Option.getOrThrow(yield* store.read(ProviderTokens, { account: their.id }))
    const refreshing_until = DateTime.add(yield* DateTime.now, { seconds: 15 })
    yield* store.commit([update(ProviderTokens, stored, { refreshing_until })])

    const waiting = yield* asleep(tokenOf(world, their, their.id))
    yield* TestClock.adjust("11 seconds")
    assert.strictEqual(yield* joined(waiting), "oauth_token_error")
    assert.strictEqual(refreshes(world), 0)
    yield* TestClock.adjust("4 seconds")
    assert.strictEqual(yield* tokenOf(world, their, their.id), "a1")
  })

  rule("are those of a user who linked the account", function* (world) {
    rotating(world)
    const their = yield* signedUp("ada@example.com")
    const at = browser(world.auth, their.jar)
    const { url } = yield* at.body(world.linkSocial, { provider: "op" })
    yield* at.body(world.oauthCallback, world.visit(url))
    const [account] = (yield* rows(Accounts)).filter(({ provider_id }) => provider_id === "op")
    assert.strictEqual(yield* tokenOf(world, at, account?.id ?? ""), "a0")
  })
})

describe("access to the tokens", () => {
  rule("is for the user of the account, with a session", function* (world) {
    rotating(world)
    const their = yield* linkedIn(world)
    assert.strictEqual(yield* tokenOf(world, browser(world.auth), their.id), "unauthorized")
    const stranger = yield* signedUp("eve@example.com")
    assert.strictEqual(yield* tokenOf(world, browser(world.auth, stranger.jar), their.id), "account_not_found")
    for (const id of ["", "x", "00000000-0000-7000-8000-000000000000"])
      assert.strictEqual(yield* tokenOf(world, their, id), "account_not_found")
    const { accounts } = yield* stranger.body(endpoints.listAccounts)
    assert.strictEqual(yield* tokenOf(world, browser(world.auth, stranger.jar), accounts[0]?.id ?? ""), "no_provider_token")
  })

  rule("ends with the linked account", function* (world) {
    rotating(world)
    const their = yield* linkedIn(world)
    const store = yield* Store
    const account = yield* store.read(Accounts, { id: their.id })
    if (account._tag === "Some") yield* store.commit([removeVersioned(Accounts, account.value)])
    assert.lengthOf(yield* rows(ProviderTokens), 0)
    assert.strictEqual(yield* tokenOf(world, their, their.id), "account_not_found")
    assert.lengthOf(yield* rows(Users), 1)
  })
})

describe("no token of a provider", () => {
  const world = begin({ keep_tokens: true })
  const observing = [audit.build(Schema.decodeUnknownSync(audit.settings)({})), events.build(Schema.decodeUnknownSync(events.settings)({}))]
  const modules = [...world.modules, ...observing]

  rulesOf(modules)("is in the log, in an event or readable in the store", function* () {
    const secrets = ["a0", "a1", "r0", "r1"].map((name) => `${name}-of-the-provider`)
    rotating(world, "-of-the-provider")
    const observed: World = { ...world, auth: AuthOf.make(modules) }
    const lines: Array<string> = []
    const logger = Logger.map(Logger.formatJson, (line) => void lines.push(line))
    const work = Effect.gen(function* () {
      const their = yield* linkedIn(observed)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* tokenOf(observed, their, their.id), secrets[1])
      const { token } = world.op
      world.op.token = async (answer) => ({ ...(await token(answer)), token_type: "unknown" })
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* tokenOf(observed, their, their.id), "oauth_token_error")
    })
    yield* work.pipe(Effect.provide(Logger.layer([logger])), Effect.provideService(HttpClient.HttpClient, world.client))
    const stored = yield* Effect.forEach(observed.auth.tables, (table) => rows(table))
    assert.isAbove(lines.length, 0)
    for (const secret of secrets) assert.notInclude(lines.join() + JSON.stringify(stored), secret)
  })
})

describe("without keep_tokens", () => {
  rule(
    "nothing is kept, and the endpoint does not exist",
    function* (world) {
      rotating(world)
      yield* linkedIn(world)
      assert.lengthOf(yield* rows(ProviderTokens), 0)
      assert.notProperty(world.auth.endpoints, "accountsAccessToken")
    },
    { keep_tokens: false },
  )
})
