import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { AnyModule } from "../../../../application/service/module.ts"
import { PublicFetch } from "../../../../domain/ports/public-fetch.ts"
import type { StoreService } from "../../../../domain/ports/store.ts"
import { Store } from "../../../../domain/ports/store.ts"
import type { AnyTable } from "../../../../domain/storage/table.ts"
import { modules as everything } from "../../../everything.ts"
import { rulesOf } from "../../../rule.ts"
import { type browser, endpoints, password, signedUp, times } from "../../../world.ts"
import { keyServer } from "./client-keys.ts"
import { builtWith, call, issuer, presented, requests, spa, web } from "./provider.ts"

// The modules `audit` and `events` give each call a store of its own. What the process remembers must not depend on it.

const pair = await generateKeyPair("ES256")
const publicKey = { ...(await exportJWK(pair.publicKey)), kid: "one" }
const keyed = {
  ...web,
  ...{ client_id: "keyed", client_secret: "", token_endpoint_auth_method: "private_key_jwt", jwks_uri: "https://web.example.com/keys" },
}
const idp = builtWith({ clients: [{ ...spa, refresh_tokens: true }, web, keyed] })
const { oauth2Authorize, oauth2Introspect, oauth2Jwks, oauth2Token, oauth2Userinfo } = idp.endpoints

const recording = ["audit", "events"]
const others = everything.filter(({ name }) => name !== "idp" && !recording.includes(name))
const unrecorded: ReadonlyArray<AnyModule> = [...others, idp]
const recorded: ReadonlyArray<AnyModule> = [...unrecorded, ...everything.filter(({ name }) => recording.includes(name))]
const ownTables = everything.filter(({ name }) => recording.includes(name)).flatMap(({ tables }) => tables.map(({ name }) => name))
const rule = rulesOf(recorded)
const auth = AuthOf.make(recorded)

/** The service with a store that counts the reads of an effect, without those of the tables of `audit` and `events`. */
const counting = Effect.fnUntraced(function* <A, E, R>(run: Effect.Effect<A, E, R>) {
  const reads: Array<string> = []
  const store = yield* Store
  const counted = <A>(method: keyof StoreService, { name }: AnyTable, read: Effect.Effect<A>) =>
    Effect.suspend(() => {
      if (!ownTables.includes(name)) reads.push(`${method} ${name}`)
      return read
    })
  const counter: StoreService = {
    ...store,
    read: (table, where) => counted("read", table, store.read(table, where)),
    readWithReferenced: (table, where, field) => counted("readWithReferenced", table, store.readWithReferenced(table, where, field)),
    readWithReferencing: (table, where, other, field, rest) =>
      counted("readWithReferencing", table, store.readWithReferencing(table, where, other, field, rest)),
    list: (table, where, options) => counted("list", table, store.list(table, where, options)),
    listForEach: (table, field, values, options) => counted("listForEach", table, store.listForEach(table, field, values, options)),
  }
  const result = yield* Effect.provideService(run, Store, counter)
  return { result, reads }
})

type Browser = ReturnType<typeof browser>

const codeFor = Effect.fnUntraced(function* ({ body }: Pick<Browser, "body">) {
  const { redirect } = yield* body(oauth2Authorize, { ...requests.spa, scope: "openid offline_access email" })
  return new URL(redirect).searchParams.get("code") ?? assert.fail(redirect)
})

/** The reads of each operation of a warm service. */
const readsOf = Effect.fnUntraced(function* (modules: ReadonlyArray<AnyModule>) {
  const service = AuthOf.make(modules)
  const ada = yield* signedUp(`ada${modules.length}@example.com`, service)
  const exchanged = Effect.flatMap(codeFor(ada), (code) => call(oauth2Token, presented.spa(code), null, service))
  const { access_token } = yield* exchanged
  const basic = `Basic ${btoa(`${encodeURIComponent(web.client_id)}:${encodeURIComponent(web.client_secret)}`)}`
  const operations: Readonly<Record<string, Effect.Effect<unknown, any, any>>> = {
    getSession: ada.body(endpoints.getSession),
    listSessions: ada.body(endpoints.listSessions),
    listAccounts: ada.body(endpoints.listAccounts),
    updateUser: ada.body(endpoints.updateUser, { name: "Ada" }),
    oauth2Authorize: codeFor(ada),
    oauth2Token: exchanged,
    oauth2Userinfo: call(oauth2Userinfo, {}, `Bearer ${access_token}`, service),
    oauth2Introspect: call(oauth2Introspect, { token: access_token }, basic, service),
    oauth2Jwks: call(oauth2Jwks, {}, null, service),
    signInEmail: ada.body(endpoints.signInEmail, { email: ada.user.email, password }),
  }
  const found: Record<string, ReadonlyArray<string>> = {}
  for (const [name, operation] of Object.entries(operations)) {
    yield* operation
    found[name] = (yield* counting(operation)).reads.toSorted()
  }
  return found
})

/** The reads that recording adds: the rows that a commit changes, whose values before are part of the event. */
const ofChanges = {
  updateUser: ["read user"],
  oauth2Token: ["listForEach access_token", "listForEach refresh_family"],
}

/** The entries of a list that another one lacks; repeated ones count. */
const added = (all: ReadonlyArray<string>, least: ReadonlyArray<string>) => {
  const left = [...least]
  return all.filter((each) => !left.includes(each) || left.splice(left.indexOf(each), 1).length === 0)
}

describe("with audit and events", () => {
  rule("each operation reads what it reads without them", function* () {
    const [least, found] = [yield* readsOf(unrecorded), yield* readsOf(recorded)]
    const more = Object.entries(found).map(([name, reads]) => [name, added(reads, least[name] ?? [])] as const)
    assert.deepStrictEqual(Object.fromEntries(more.filter(([, reads]) => reads.length > 0)), ofChanges)
  })

  rule("exchanges of codes read the signing keys once", function* () {
    const ada = yield* signedUp("ada@example.com", auth)
    const exchange = Effect.flatMap(codeFor(ada), (code) => call(oauth2Token, presented.spa(code), null, auth))
    yield* exchange
    const { reads } = yield* counting(
      Effect.forEach(
        times(15, () => exchange),
        (each) => each,
      ),
    )
    assert.notInclude(reads, "list idp_key")
  })

  rule("twenty introspections read the keys of a client once, and twenty unknown keys once more", function* () {
    const { server, fetch } = keyServer()
    server.answer = () => Response.json({ keys: [publicKey] })
    let count = 0
    const introspected = Effect.fnUntraced(function* (kid: string) {
      const claims = { iss: "keyed", sub: "keyed", aud: issuer, jti: `${count++}`, exp: 3600 }
      const client_assertion = yield* Effect.promise(() =>
        new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid }).sign(pair.privateKey),
      )
      const client_assertion_type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
      return yield* call(oauth2Introspect, { client_assertion, client_assertion_type, token: "x" }, null, auth)
    })
    yield* Effect.gen(function* () {
      yield* Effect.forEach(
        times(20, () => introspected("one")),
        (each) => each,
      )
      assert.strictEqual(server.count, 1)
      yield* Effect.forEach(
        times(20, () => Effect.flip(introspected("unknown"))),
        (each) => each,
      )
      assert.strictEqual(server.count, 1)
      server.answer = () => new Response("", { status: 500 })
      yield* introspected("one")
    }).pipe(Effect.provideService(PublicFetch, fetch))
  })
})
