import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import type { AnyEndpoint } from "../../../application/service/endpoint.ts"
import { Counters } from "../../../domain/limits/rate-limits.ts"
import { tables as outboxTables } from "../../../domain/mail/outbox-tables.ts"
import { Store, update } from "../../../domain/ports/store.ts"
import type { AnyTable } from "../../../domain/ports/table.ts"
import { Users } from "../../../domain/users/tables.ts"
import * as everything from "../../everything.ts"
import { rulesOf } from "../../rule.ts"
import { storeName } from "../../stores.ts"
import * as TwoFactor from "../../two-factor.ts"
import { browser, endpoints as core, password, signedUp, times } from "../../world.ts"

// Anonymous clients can cause only a limited number of rows: each request adds a fixed number, the requests of each client network in a
// minute are limited, and the sweeper removes the rows after their lifetime.

const modules = everything.modules.map((module) => (module.name === TwoFactor.built.name ? TwoFactor.built : module))
const endpoints: Readonly<Record<string, AnyEndpoint>> = Object.assign({}, ...modules.map(({ endpoints }) => endpoints))
const tables = [...modules.flatMap(({ tables }) => tables), ...outboxTables, Counters]
const tableOf = (name: string) => tables.find((table) => table.name === name)!

/** Tables whose rows have no lifetime, and what bounds them. */
const bounded: Readonly<Record<string, string>> = {
  user: "rate_limit.requests",
  guest: "1 of one user",
  account: "100 of one user",
  browser_history: "1 of one user",
  passkey: "50 of one user",
  username: "1 of one user",
  two_factor: "1 of one user",
  admin_metadata: "1 of one user, written by administrators",
  required_action: "3 of one user, written by administrators",
  admin_grant: "50 of one user, written by administrators",
  owner_guard: "1",
  service_account: "1,000, written by administrators",
  api_key: "100 of one user, 200 of one organization, 40 of one service account, the ended ones included",
  api_key_secret: "2 of one key, and those of rotations in a day",
  api_key_notice: "1 of one key",
  api_key_use: "1 of one key",
  job_queue: "1",
  user_export: "1 of one user",
  pending_erasure: "1 of one user, written by administrators",
  erasure_receipt: "1 of each user whom administrators erased",
  active_organization: "1 of one user",
  managed_user: "1 of one user",
  organization: "modules.organization.max_per_user",
  member: "modules.organization.max_per_user",
  team: "modules.organization.max_teams",
  team_member: "1 of each team and member",
  consent: "1 of each user and registered client",
  pairwise_subject: "1 of each user and sector of the registered clients",
  profile: "1 of each user",
  provider_token: "1 of each linked account, of which a user has 100",
  idp_key: "1 of each algorithm and 2 days, the least modules.idp.key_rotation, in 90 days",
  oauth_client: "one for each request of an administrator, or of a client with an initial access token",
  outbox: "rate_limit.requests and rate_limit.messages, until the mail is delivered or given up",
  removal: "1 of each removed user or organization",
  audit_unsealed: "until the next seal, 10 seconds",
  audit_chain: "1",
  figure_start: "1",
  tally: "1 of each counted table",
  audit_day: "1 of each day",
  audit_erasure: "1 of each removed user, until the erasure",
  event: "until the next round of deliveries, 1 second",
  event_distribution: "1",
  webhook: "modules.events.max_webhooks, written by administrators",
  webhook_state: "1 of each webhook",
  webhook_delivery: "1 of each event and webhook, for three days",
}

const count = (table: AnyTable) =>
  Effect.flatMap(Store, (store) => Effect.map(store.list(table, {}, { limit: 10_000 }), ({ length }) => length))

/** What the sweeper does once a minute. */
const swept = Effect.gen(function* () {
  const now = DateTime.toDateUtc(yield* DateTime.now)
  while ((yield* (yield* Store).sweep(now, 1000)) > 0);
})

/** Rows of every table that has some. */
const counts = Effect.map(
  Effect.forEach(tables, (table) => Effect.map(count(table), (rows) => [table.name, rows] as const)),
  (all) => Object.fromEntries(all.filter(([, rows]) => rows > 0)),
)

interface Attack {
  readonly endpoint: string
  readonly input: (index: number) => object
  /** Rows of one request, by table. */
  readonly leaves: Readonly<Record<string, number>>
  /** Seconds until the last row is removed. */
  readonly lifetime: number
}

const email = (index: number) => `victim${index}@example.com`
const none = () => ({})

/** Counters of a request's budgets: a few each. */
const counted = { rate_limit: 4 }

/** Tables of an attack whose rows are removed after its lifetime. */
const passing = (leaves: Attack["leaves"]) =>
  Object.keys(leaves).filter((name) => name !== Counters.name && tableOf(name).expires !== undefined)

/** Every anonymous request that leaves rows, to a new identifier each time. `rate_limit` counts the messages of an identifier. */
const attacks: ReadonlyArray<Attack> = [
  { endpoint: "siweNonce", input: none, leaves: { siwe_nonce: 1 }, lifetime: 600 },
  { endpoint: "passkeyAuthenticateOptions", input: (index) => ({ email: email(index) }), leaves: { passkey_challenge: 1 }, lifetime: 300 },
  { endpoint: "signInIdTokenNonce", input: none, leaves: { id_token_nonce: 1 }, lifetime: 600 },
  { endpoint: "signInSocial", input: () => ({ provider: "idp_one" }), leaves: { oauth_state: 1 }, lifetime: 600 },
  {
    endpoint: "emailOtpSend",
    input: (index) => ({ email: email(index) }),
    leaves: { email_code: 1, outbox: 1, ...counted },
    lifetime: 300,
  },
  {
    endpoint: "phoneSendOtp",
    input: (index) => ({ phone: `+1555${index}` }),
    leaves: { phone_code: 1, outbox: 1, ...counted },
    lifetime: 300,
  },
  {
    endpoint: "magicLinkSend",
    input: (index) => ({ email: email(index) }),
    leaves: { magic_link: 1, outbox: 1, ...counted },
    lifetime: 600,
  },
  {
    endpoint: "requestPasswordReset",
    input: (index) => ({ email: email(index) }),
    leaves: { mailed_token: 1, outbox: 1, audit_record: 1, audit_unsealed: 1, event: 1, ...counted },
    lifetime: 7 * 86_400,
  },
  {
    endpoint: "oauth2Register",
    input: (index) => ({ redirect_uris: ["http://localhost/cb"], client_name: `${index}` }),
    leaves: { agent_client: 1, ...counted },
    lifetime: 86_400,
  },
  { endpoint: "signInEmail", input: (index) => ({ email: email(index), password }), leaves: counted, lifetime: 300 },
]

const requests = storeName === "memory" ? 1000 : 50
const limited = { rate_limit: { enabled: true } }
const rule = rulesOf(modules)

const call = (endpoint: string, input: object) => Effect.exit(browser().call(endpoints[endpoint]!, input))

describe("a client that proves nothing", () => {
  it("fills no table without a lifetime or a limit", () => {
    const unbounded = tables.filter(({ name, expires }) => expires === undefined && bounded[name] === undefined)
    assert.deepStrictEqual(
      unbounded.map(({ name }) => name),
      [],
    )
  })

  for (const { endpoint, input, leaves, lifetime } of attacks) {
    rule(
      `leaves at most the rows of each of ${requests} calls of ${endpoint}, for ${lifetime} s`,
      function* () {
        yield* Effect.forEach(times(requests, input), (each) => call(endpoint, each), { discard: true })
        const left = yield* counts
        for (const [table, rows] of Object.entries(left)) assert.isAtMost(rows, requests * (leaves[table] ?? 0), table)

        yield* TestClock.adjust(`${lifetime} seconds`)
        yield* swept
        for (const name of passing(leaves)) assert.strictEqual(yield* count(tableOf(name)), 0, name)
        yield* TestClock.adjust("1 day")
        yield* swept
        assert.strictEqual(yield* count(Counters), 0)
      },
      limited,
    )
  }

  for (const { endpoint, input, leaves } of attacks.filter(({ leaves }) => "outbox" in leaves)) {
    rule(
      `leaves at most five messages for one recipient by ${requests} calls of ${endpoint}`,
      function* () {
        yield* Effect.forEach(
          times(requests, () => input(1)),
          (each) => call(endpoint, each),
          { discard: true },
        )
        const left = yield* counts
        for (const name of Object.keys(leaves)) assert.isAtMost(left[name] ?? 0, 5, name)
      },
      limited,
    )
  }

  rule("leaves no row by signing up an address again", function* () {
    yield* signedUp("ada@example.com")
    const before = yield* counts
    yield* Effect.forEach(times(requests, Number), () => call("signUpEmail", { email: "ada@example.com", password }), { discard: true })
    assert.deepStrictEqual(yield* counts, before)
  })

  rule("leaves sign-ins that wait for a second factor for 300 s", function* () {
    const ada = yield* signedUp("ada@example.com")
    const held = Option.getOrThrow(yield* (yield* Store).read(Users, { id: ada.user.id }))
    yield* Effect.orDie((yield* Store).commit([update(Users, held, { email_verified: true })]))
    yield* TwoFactor.enrolled(ada)
    yield* Effect.forEach(times(requests, Number), () => browser().call(core.signInEmail, { email: ada.user.email, password }), {
      discard: true,
    })
    assert.strictEqual(yield* count(tableOf("held_up_sign_in")), requests)
    assert.strictEqual(yield* count(tableOf("session")), 1)
    yield* TestClock.adjust("299 seconds")
    yield* swept
    assert.strictEqual(yield* count(tableOf("held_up_sign_in")), requests)
    yield* TestClock.adjust("1 second")
    yield* swept
    assert.strictEqual(yield* count(tableOf("held_up_sign_in")), 0)
  })
})
