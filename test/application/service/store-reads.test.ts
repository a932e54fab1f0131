import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import { assertionType } from "../../../application/modules/idp/clients/client-assertion.ts"
import { SigningKeys } from "../../../application/modules/idp/tables.ts"
import * as AuthOf from "../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../application/service/endpoint.ts"
import type { AnyModule } from "../../../application/service/module.ts"
import { PublicFetch } from "../../../domain/ports/public-fetch.ts"
import { Store, type StoreService } from "../../../domain/ports/store.ts"
import { modules as everything } from "../../everything.ts"
import { endpoints as core, password, browser as visitor, type WorldServices, world } from "../../world.ts"
import { responding } from "../modules/idp/client-keys.ts"
import { builtWith, call, issuer, presented, requests, root, spa, web } from "../modules/idp/provider.ts"

// What each operation reads from the store and from clients: with all modules, and with all but those that record events. A cache whose key
// is made anew for each call, as the `Store` of a recorded call is, shows as further reads.

const { privateKey, publicKey } = await generateKeyPair("ES256")
const known = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: "known" }] })
const keyed = { client_id: "keyed", token_endpoint_auth_method: "private_key_jwt", jwks_uri: "https://web.example.com/keys" }
const idp = builtWith({
  clients: [
    { ...spa, refresh_tokens: true },
    { ...web, ...keyed, client_secret: "" },
  ],
})
const { oauth2Authorize, oauth2Introspect, oauth2RotateKeys, oauth2Token, oauth2Userinfo, oauth2Jwks } = idp.endpoints

const all: ReadonlyArray<AnyModule> = everything.map((module) => (module.name === idp.name ? idp : module))
const unrecorded = all.filter(({ recorded }) => recorded === undefined)

/** The tables that were read and written, once for each time, and the number of fetches. */
const makeCounter = (store: StoreService) => {
  const counter = { reads: [] as Array<string>, writes: [] as Array<string>, fetches: 0, answer: () => responding(200, known) }
  const reading = <A>(names: ReadonlyArray<string>, read: A): A => {
    counter.reads.push(...names)
    return read
  }
  const counted = Store.of({
    ...store,
    read: (table, where) => Effect.suspend(() => reading([table.name], store.read(table, where))),
    readWithReferenced: (table, where, field) => Effect.suspend(() => reading([table.name], store.readWithReferenced(table, where, field))),
    readWithReferencing: (table, where, other, field, rest) =>
      Effect.suspend(() => reading([table.name, other.name], store.readWithReferencing(table, where, other, field, rest))),
    list: (table, where, options) => Effect.suspend(() => reading([table.name], store.list(table, where, options))),
    listForEach: (table, field, values, options) =>
      Effect.suspend(() => reading([table.name], store.listForEach(table, field, values, options))),
    take: (table, where) => Effect.suspend(() => reading([table.name], store.take(table, where))),
    commit: (writes) =>
      Effect.suspend(() => {
        counter.writes.push(...writes.map(({ table }) => table.name))
        return store.commit(writes)
      }),
  })
  const fetch = () =>
    Effect.sync(() => {
      counter.fetches += 1
      return counter.answer()
    })
  return { counter, store: counted, service: PublicFetch.of({ fetch }) }
}
type Counter = ReturnType<typeof makeCounter>["counter"]

interface Tally {
  readonly reads: Readonly<Record<string, number>>
  readonly writes: Readonly<Record<string, number>>
  readonly fetches: number
}
const perTable = (names: ReadonlyArray<string>) =>
  Object.fromEntries([...new Set(names)].map((name) => [name, names.filter((each) => each === name).length]))

/** What an effect reads and writes. */
const tallied = Effect.fnUntraced(function* <A, E, R>(counter: Counter, work: Effect.Effect<A, E, R>) {
  Object.assign(counter, { reads: [], writes: [], fetches: 0 })
  yield* Effect.exit(work)
  const tally: Tally = { reads: perTable(counter.reads), writes: perTable(counter.writes), fetches: counter.fetches }
  return tally
})

let count = 0
const assertion = Effect.fnUntraced(function* (kid = "known") {
  const jwt = new SignJWT({ iss: "keyed", sub: "keyed", aud: issuer, jti: `${count++}`, exp: 3000 }).setProtectedHeader({
    alg: "ES256",
    kid,
  })
  return { client_assertion_type: assertionType, client_assertion: yield* Effect.promise(() => jwt.sign(privateKey)) }
})

/** An administrator's new browser. */
const signedIn = Effect.fnUntraced(function* (auth: AuthOf.Auth<any>) {
  const their = visitor(auth)
  yield* Effect.exit(their.body(core.signUpEmail, { email: root, password, name: "Root" }))
  yield* Effect.exit(their.body(core.signInEmail, { email: root, password }))
  return their
})

/** Uses of the identity provider that succeed. */
const uses = (auth: AuthOf.Auth<any>) => {
  const code = Effect.gen(function* () {
    const { redirect } = yield* (yield* signedIn(auth)).body(oauth2Authorize, { ...requests.spa, scope: "openid" })
    return new URL(redirect).searchParams.get("code") ?? assert.fail(redirect)
  })
  const exchange = (code: string) => call(oauth2Token, presented.spa(code), null, auth)
  const introspect = (credentials: object) => call(oauth2Introspect, { token: "unknown", ...credentials }, null, auth)
  const tokens = Effect.flatMap(code, exchange)
  const refresh = (refresh_token: string | undefined) =>
    call(oauth2Token, { grant_type: "refresh_token", refresh_token, client_id: "spa" }, null, auth)
  return { code, exchange, introspect, tokens, refresh }
}

/** Members of inputs with addresses, which cannot be found by chance. */
const typical = {
  ...{ email: "other@example.com", new_email: "other@example.com", password, name: "Ada", otp: "000000", organization_id: "unknown" },
  ...{ user_id: "unknown", role: "member", domain: "example.com", url: "https://example.com/", types: ["*"] },
  ...{ redirect_uri: "com.example.app:/auth", code_challenge: "E".repeat(43), code_challenge_method: "S256" },
  ...{ flow: "f".repeat(43), code: "000000" },
}

/** Inputs that an endpoint's schema accepts, by chance but always the same. */
const inputsOf = Effect.fnUntraced(function* (endpoint: AnyEndpoint) {
  const input = endpoint.input as Schema.Codec<unknown, unknown>
  const sampled = yield* Effect.option(Arbitrary.sampleEffect(Arbitrary.schema(input), { count: 3, seed: endpoint.name, size: 3 }))
  if (Option.isSome(sampled)) return sampled.value.map((each) => Schema.encodeUnknownSync(input)(each))
  Schema.decodeUnknownSync(input)(typical)
  return [typical]
})

/** The tallies of every endpoint, by name and number of the input, and of uses that succeed, each after it was used once. */
const tallies = Effect.fnUntraced(function* (modules: ReadonlyArray<AnyModule>) {
  const auth = AuthOf.make(modules)
  const { counter, store, service } = makeCounter(yield* Store)
  const measured = new Map<string, Tally>()
  yield* Effect.gen(function* () {
    const { code, exchange, introspect, tokens, refresh } = uses(auth)
    yield* tokens
    yield* introspect(yield* assertion())
    const own = yield* code
    measured.set("code exchange", yield* tallied(counter, exchange(own)))
    const { access_token, refresh_token } = yield* tokens
    measured.set("refresh", yield* tallied(counter, refresh(refresh_token)))
    measured.set("userinfo", yield* tallied(counter, call(oauth2Userinfo, {}, `Bearer ${access_token}`, auth)))
    const credentials = yield* assertion()
    measured.set("introspection", yield* tallied(counter, introspect(credentials)))
    for (const { name } of Object.values(auth.endpoints)) {
      const endpoint = auth.endpoints[name]!
      for (const [index, input] of (yield* inputsOf(endpoint)).entries()) {
        const their = yield* signedIn(auth)
        measured.set(`${name} ${index}`, yield* tallied(counter, their.call(endpoint, input)))
      }
    }
  }).pipe(Effect.provideService(Store, store), Effect.provideService(PublicFetch, service))
  return measured
})

const inWorld = <A, E>(modules: ReadonlyArray<AnyModule>, work: Effect.Effect<A, E, WorldServices>) => Effect.provide(work, world(modules))

describe("an operation", () => {
  it.effect("reads no more with all modules than without those that record, except each row once before its change", () =>
    Effect.gen(function* () {
      const least = yield* inWorld(unrecorded, tallies(unrecorded))
      const most = yield* inWorld(all, tallies(all))
      assert.isAbove(least.size, 300)
      // They read rows of all modules.
      for (const name of least.keys()) if (/^(accountExport|adminHealth|adminKeysSecrets) /.test(name)) least.delete(name)
      const excess = [...least].flatMap(([name, { reads, writes, fetches }]) => {
        const found = most.get(name)
        const tables = Object.entries(found?.reads ?? {}).filter(([table, count]) => count > (reads[table] ?? 0) + (writes[table] ?? 0))
        return found === undefined || found.fetches !== fetches || tables.length > 0 ? [{ name, fetches: found?.fetches, tables }] : []
      })
      assert.deepStrictEqual(excess, [])
      for (const [name, { reads, fetches }] of most) {
        if (!name.startsWith(oauth2RotateKeys.name) && !name.startsWith("adminKeys")) assert.notProperty(reads, SigningKeys.name, name)
        assert.strictEqual(fetches, 0, name)
      }
    }),
  )
})

describe("with all modules", () => {
  const rule = (name: string, shown: (counted: ReturnType<typeof makeCounter>) => Effect.Effect<unknown, any, WorldServices>) =>
    it.effect(name, () =>
      inWorld(
        all,
        Effect.flatMap(Store, (store) => {
          const counted = makeCounter(store)
          return shown(counted).pipe(Effect.provideService(Store, counted.store), Effect.provideService(PublicFetch, counted.service))
        }),
      ),
    )
  const auth = AuthOf.make(all)
  const { code, exchange, introspect } = uses(auth)
  const accepted = (kid: string) => Effect.map(Effect.option(Effect.flatMap(assertion(kid), introspect)), Option.isSome)

  rule("twenty introspections of a client with a jwks_uri are one fetch", ({ counter }) =>
    Effect.gen(function* () {
      for (let each = 0; each < 20; each++) assert.isTrue(yield* accepted("known"))
      assert.strictEqual(counter.fetches, 1)
    }),
  )

  rule("unknown keys are one fetch in 30 seconds, and the known ones stay valid while the file cannot be read", ({ counter }) =>
    Effect.gen(function* () {
      assert.isTrue(yield* accepted("known"))
      counter.answer = () => responding(500)
      for (const fetches of [2, 3, 4]) {
        yield* TestClock.adjust("30 seconds")
        for (let each = 0; each < 5; each++) assert.isFalse(yield* accepted("unknown"))
        assert.isTrue(yield* accepted("known"))
        assert.strictEqual(counter.fetches, fetches)
      }
    }),
  )

  rule("fifteen code exchanges in a minute are one read of the signing keys", ({ counter }) =>
    Effect.gen(function* () {
      yield* call(oauth2Jwks, {}, null, auth)
      yield* TestClock.adjust("1 minute")
      counter.reads = []
      for (let each = 0; each < 15; each++) yield* exchange(yield* code)
      yield* call(oauth2Jwks, {}, null, auth)
      assert.lengthOf(
        counter.reads.filter((table) => table === SigningKeys.name),
        1,
      )
    }),
  )
})
