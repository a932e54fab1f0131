import type { LookupFunction } from "node:net"
import { assert, describe } from "@effect/vitest"
import { DateTime, Effect, Result, Schema, type Scope } from "effect"
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import * as Outgoing from "../../../../adapters/outgoing/public-fetch.ts"
import { Metadata } from "../../../../application/modules/idp/clients/client.ts"
import { assertionType } from "../../../../application/modules/idp/clients/client-assertion.ts"
import { StoredClients } from "../../../../application/modules/idp/clients/stored-clients.ts"
import { issuer } from "../../../../application/modules/idp/issuer.ts"
import { ClientSessions } from "../../../../application/modules/idp/tokens/client-sessions.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { PublicFetch, type PublicRequest } from "../../../../domain/ports/public-fetch.ts"
import { insert, put, Store } from "../../../../domain/ports/store.ts"
import { hostileUrls, privateAddresses, resolver } from "../../../hostile-urls.ts"
import { countingListener } from "../../../listener.ts"
import { rulesOf } from "../../../rule.ts"
import { at, core, rows, signedUp, type WorldServices, withSettings } from "../../../world.ts"
import { responding } from "./client-keys.ts"
import { administrators, builtWith, call, root, spa } from "./provider.ts"

const initial = "an-initial-access-token-of-forty-characters"
const redirect_uris = ["https://wiki.example.com/callback"]
const { privateKey, publicKey } = await generateKeyPair("ES256")
const jwk = { ...(await exportJWK(publicKey)), kid: "one" }

const internal = "https://10.0.0.1/"
const keyed = { redirect_uris, token_endpoint_auth_method: "private_key_jwt" }
const configured = { ...spa, ...keyed, client_id: "configured", jwks_uri: internal, backchannel_logout_uri: internal }
const builtAs = (settings: object) => {
  const module = builtWith({ clients: [spa, configured], registration_tokens: [initial], ...settings })
  const modules = [...core, administrators, module]
  return { module, modules, auth: AuthOf.make(modules) }
}
const closed = builtAs({})
const open = builtAs({ allow_private_addresses: true })
type Built = typeof closed

type Shown = Generator<Effect.Effect<any, any, WorldServices | Scope.Scope>, unknown, never>
const rule = rulesOf(closed.modules)

/** A test with a listener on this machine, which must not be connected to. */
const unreached = (name: string, shown: (port: number) => Shown, lookup: LookupFunction = resolver(["127.0.0.1"]).lookup) =>
  rule(name, function* () {
    const { count, port } = yield* Effect.acquireRelease(Effect.promise(countingListener), ({ close }) => Effect.sync(close))
    yield* Effect.gen(() => shown(port)).pipe(Effect.provide(Outgoing.layer(lookup)))
    assert.strictEqual(count.connections, 0)
  })

const outcome = <A, R>(effect: Effect.Effect<A, { readonly _tag: string }, R>) =>
  Effect.match(effect, { onSuccess: () => "ok", onFailure: ({ _tag }) => _tag })
const registered = (metadata: object, { module, auth }: Built = closed) =>
  call(module.endpoints.oauth2Register, { redirect_uris, ...metadata }, `Bearer ${initial}`, auth)

/** A client in the store, also one that is refused now. */
const stored = Effect.fnUntraced(function* (metadata: object, registration_hash: string | null) {
  const now = yield* DateTime.now
  const decoded = Schema.decodeUnknownSync(Metadata)({ ...keyed, ...metadata })
  const row = { client_id: "stored", metadata: decoded, secret_hashes: [], registration_hash, created_at: now, updated_at: now }
  yield* Effect.orDie((yield* Store).commit([put(StoredClients, row)]))
})

let count = 0
/** Authenticates a client by its key. */
const authenticated = Effect.fnUntraced(function* (client_id: string, { module, auth }: Built = closed) {
  const jwt = new SignJWT({ iss: client_id, sub: client_id, aud: yield* issuer, jti: `${count++}`, exp: 60 })
  const client_assertion = yield* Effect.promise(() => jwt.setProtectedHeader({ alg: "ES256", kid: "one" }).sign(privateKey))
  const input = { client_assertion, client_assertion_type: assertionType, token: "x" }
  return yield* outcome(call(module.endpoints.oauth2Revoke, input, null, auth))
})

/** Notifies a client of the end of a session. */
const notified = Effect.fnUntraced(function* (client_id: string, { module }: Built = closed) {
  const ended = { sid: `${count++}`, session_id: "ended", user_id: "ada", client_id, sub: "ada" }
  const expires_at = DateTime.add(yield* DateTime.now, { hours: 1 })
  yield* Effect.orDie((yield* Store).commit([insert(ClientSessions, { ...ended, expires_at })]))
  return yield* Effect.result(module.channels["idp_logout"]!("ada", client_id))
})

const notUrls = ["text", "https://", "ftp://example.com/"]
const accepts = (member: string, value: unknown) =>
  Result.isSuccess(Result.try(() => Schema.decodeUnknownSync(Metadata)({ redirect_uris, [member]: value })))
/** The members of a client that are one URL. */
const urlMembers = Object.keys(Metadata.fields).filter(
  (member) => accepts(member, "https://wiki.example.com/x") && !notUrls.some((text) => accepts(member, text)),
)
/** Those that only browsers load. */
const ofBrowsers = ["client_uri", "logo_uri", "policy_uri", "tos_uri", "frontchannel_logout_uri"]
const requested = urlMembers.filter((member) => !ofBrowsers.includes(member))

describe("a client that registers itself", () => {
  unreached("cannot have a URL that the service requests at a private address, in any notation or member", function* (port) {
    assert.includeMembers(requested, ["jwks_uri", "sector_identifier_uri", "backchannel_logout_uri"])
    for (const member of requested)
      for (const url of hostileUrls(port))
        assert.strictEqual(yield* outcome(registered({ [member]: url })), "invalid_client_metadata", `${member} ${url}`)
    assert.deepStrictEqual(yield* rows(StoredClients), [])
  })

  unreached("causes no connection by names that resolve to this machine", function* (port) {
    const url = `https://name.example:${port}/`
    assert.strictEqual(yield* outcome(registered({ sector_identifier_uri: url })), "invalid_client_metadata")
    yield* stored({ jwks_uri: url, backchannel_logout_uri: url }, "a hash")
    assert.strictEqual(yield* authenticated("stored"), "invalid_client")
    yield* notified("stored")
  })

  const changing = resolver(["192.0.2.1"], ["127.0.0.1"])
  unreached(
    "causes none by names that resolve to another address the second time",
    function* (port) {
      yield* stored({ jwks_uri: `https://name.example:${port}/` }, "a hash")
      assert.strictEqual(yield* authenticated("stored"), "invalid_client")
      assert.deepStrictEqual(changing.asked, ["name.example"])
    },
    changing.lookup,
  )
})

describe("a client that is stored already", () => {
  unreached("causes no connection by a private address, of any creator, and its notices are not repeated", function* (port) {
    const hosts = [...privateAddresses.map((address) => (address.includes(":") ? `[${address}]` : address)), "localhost", "a.localhost"]
    const urls = [...hosts.map((host) => `https://${host}:${port}/`), `http://127.0.0.1:${port}/`, `http://localhost:${port}/`]
    for (const url of urls) {
      yield* stored({ jwks_uri: url, backchannel_logout_uri: url }, url.includes("1") ? "a hash" : null)
      assert.strictEqual(yield* authenticated("stored"), "invalid_client", url)
      assert.isTrue(Result.isSuccess(yield* notified("stored")), url)
    }
    assert.deepStrictEqual(yield* rows(ClientSessions), [])
  })
})

describe("private addresses", () => {
  /** Whether requests for a client may reach them, with keys at this URL. */
  const allowed = Effect.fnUntraced(function* (client_id: string, built: Built) {
    const requests: Array<PublicRequest> = []
    const service = PublicFetch.of({
      fetch: (request) => Effect.sync(() => requests.push(request)).pipe(Effect.as(responding(200, JSON.stringify({ keys: [jwk] })))),
    })
    const both = Effect.andThen(authenticated(client_id, built), notified(client_id, built))
    yield* Effect.provideService(both, PublicFetch, service)
    assert.deepStrictEqual(
      requests.map(({ method, url }) => `${method} ${url}`),
      [`GET ${internal}`, `POST ${internal}`],
    )
    return requests.map(({ allow_private }) => allow_private)
  })
  const metadata = { jwks_uri: internal, backchannel_logout_uri: internal }
  const elsewhere = withSettings({ public_url: "https://login.example.com" })

  rule("are for clients of the configuration, and with the setting for those of administrators", function* () {
    yield* stored(metadata, null)
    for (const settings of [withSettings({}), elsewhere]) {
      assert.deepStrictEqual(yield* settings(allowed("configured", closed)), [true, true])
      assert.deepStrictEqual(yield* settings(allowed("stored", closed)), [false, false])
      assert.deepStrictEqual(yield* settings(allowed("stored", open)), [true, true])
    }
  })

  rule("are for clients that register themselves only on this machine, with the setting", function* () {
    yield* stored(metadata, "a hash")
    assert.deepStrictEqual(yield* allowed("stored", closed), [false, false])
    assert.deepStrictEqual(yield* allowed("stored", open), [true, true])
    assert.deepStrictEqual(yield* elsewhere(allowed("stored", closed)), [false, false])
    assert.deepStrictEqual(yield* elsewhere(allowed("stored", open)), [false, false])
    const urls = { jwks_uri: "http://localhost:8080/keys", backchannel_logout_uri: internal }
    assert.strictEqual(yield* outcome(registered(urls)), "invalid_client_metadata")
    assert.strictEqual(yield* outcome(registered(urls, open)), "ok")
    assert.strictEqual(yield* elsewhere(outcome(registered(urls, open))), "invalid_client_metadata")
  })

  rule("are refused to administrators who create or change a client, without the setting", function* () {
    const administrator = yield* signedUp(root, closed.auth)
    const { adminClientsCreate, adminClientsUpdate } = closed.module.endpoints
    const { client } = yield* administrator.body(adminClientsCreate, { redirect_uris })
    for (const member of requested) {
      assert.strictEqual(yield* administrator.code(adminClientsCreate, { redirect_uris, [member]: internal }), "invalid_request", member)
      const changes = { client_id: client.client_id, changes: { [member]: internal } }
      assert.strictEqual(yield* administrator.code(adminClientsUpdate, changes), "invalid_request", member)
    }
    const same = at(administrator, administrators, open.module)
    yield* same.body(open.module.endpoints.adminClientsCreate, { redirect_uris, jwks_uri: internal })
  })
})
