import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { StoredClients } from "../../../../application/modules/idp/clients/stored-clients.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { PendingMessages } from "../../../../domain/mail/outbox-tables.ts"
import { newId } from "../../../../domain/storage/new-id.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, core, endpoints, password, rows, signedUp as signedUpTo, times } from "../../../world.ts"
import { administrators, builtWith, call, requests, root, spa, verifier } from "./provider.ts"

const module = builtWith({ clients: [spa], signing_algorithms: ["EdDSA", "ES256"] })
const modules = [...core, administrators, module]
const auth = AuthOf.make(modules)
/** The same service in another process. */
const otherProcess = AuthOf.make(modules)
const rule = rulesOf(modules)
const { adminClientsList, adminClientsShow, adminClientsCreate, adminClientsUpdate, adminClientsRotateSecret, adminClientsDelete } =
  module.endpoints
const { oauth2Authorize, oauth2Introspect, oauth2Token, oauth2Userinfo } = module.endpoints

const redirect_uris = ["https://wiki.example.com/callback"]
const wiki = { redirect_uris, client_name: "The Wiki", logo_uri: "https://wiki.example.com/logo.svg", scopes: ["openid", "wiki:read"] }

const administrator = signedUpTo(root, auth)
const created = Effect.fnUntraced(function* (metadata: object = wiki) {
  const their = yield* administrator
  const { client, client_secret } = yield* their.body(adminClientsCreate, metadata)
  return { their, client_id: client.client_id, client, client_secret: client_secret ?? "" }
})
const isKnown = (credentials: { readonly client_id: string; readonly client_secret: string }, service = auth) =>
  Effect.match(call(oauth2Introspect, { ...credentials, token: "unknown" }, null, service), {
    onSuccess: () => true,
    onFailure: () => false,
  })

describe("a client of an administrator", () => {
  rule("gets an id and a secret, which is stored hashed, and signs users in", function* () {
    const { client_id, client, client_secret } = yield* created()
    assert.match(client_secret, /^[\w-]{43}$/)
    assert.deepInclude(client, { ...wiki, configured: false, secrets: 1, token_endpoint_auth_method: null })
    assert.notInclude(JSON.stringify(yield* rows(StoredClients)), client_secret)

    const ada = yield* signedUpTo("ada@example.com", auth)
    const request = { client_id, redirect_uri: redirect_uris[0]!, response_type: "code", scope: "openid wiki:read", state: "xyz" }
    const { redirect } = yield* ada.body(oauth2Authorize, request)
    const code = new URL(redirect).searchParams.get("code")
    const exchange = { grant_type: "authorization_code", code, redirect_uri: redirect_uris[0], client_id }
    const { access_token, scope } = yield* call(oauth2Token, { ...exchange, client_secret }, null, otherProcess)
    assert.strictEqual(scope, "openid wiki:read")
    assert.strictEqual((yield* call(oauth2Userinfo, {}, `Bearer ${access_token}`, auth)).sub, ada.user.id)
  })

  rule("is notified of the end of a session, although no client in the configuration is", function* () {
    const ada = yield* signedUpTo("ada@example.com", auth)
    yield* ada.body(endpoints.signOut)
    assert.lengthOf(yield* rows(PendingMessages), 0)

    const { client_id, client_secret } = yield* created({ ...wiki, backchannel_logout_uri: "https://wiki.example.com/logout" })
    yield* ada.body(endpoints.signInEmail, { email: "ada@example.com", password })
    const request = { client_id, redirect_uri: redirect_uris[0]!, response_type: "code", scope: "openid", state: "xyz" }
    const { redirect } = yield* ada.body(oauth2Authorize, request)
    const exchange = { grant_type: "authorization_code", code: new URL(redirect).searchParams.get("code"), redirect_uri: redirect_uris[0] }
    yield* call(oauth2Token, { ...exchange, client_id, client_secret }, null, auth)
    yield* ada.body(endpoints.signOut)
    assert.lengthOf(yield* rows(PendingMessages), 1)
  })

  rule("is refused with a wrong secret, and with none", function* () {
    const { client_id, client_secret } = yield* created()
    assert.isTrue(yield* isKnown({ client_id, client_secret }))
    assert.isFalse(yield* isKnown({ client_id, client_secret: `${client_secret}x` }))
    assert.isFalse(yield* isKnown({ client_id, client_secret: "" }))
  })

  rule("has two valid secrets after a rotation, and no more after the next one", function* () {
    const { their, client_id, client_secret: first } = yield* created()
    const rotated = (more: object = {}) =>
      Effect.map(their.body(adminClientsRotateSecret, { client_id, ...more }), ({ client_secret }) => client_secret)
    const validOf = (secrets: ReadonlyArray<string>) =>
      Effect.forEach(secrets, (client_secret) => isKnown({ client_id, client_secret }, otherProcess))
    const second = yield* rotated()
    assert.deepStrictEqual(yield* validOf([first, second]), [true, true])
    assert.strictEqual((yield* their.body(adminClientsShow, { client_id })).client.secrets, 2)
    const third = yield* rotated()
    assert.deepStrictEqual(yield* validOf([first, second, third]), [false, true, true])
    const fourth = yield* rotated({ revoke_previous: true })
    assert.deepStrictEqual(yield* validOf([second, third, fourth]), [false, false, true])
  })

  rule("keeps two of many secrets of rotations at once", function* () {
    const { their, client_id } = yield* created()
    assert.deepStrictEqual(yield* atOnce(times(10, () => their.body(adminClientsRotateSecret, { client_id }))), { ok: 10 })
    const [row] = yield* rows(StoredClients)
    assert.lengthOf(row?.secret_hashes ?? [], 2)
  })

  rule("is refused everywhere as soon as it is removed, with its tokens", function* () {
    const { their, client_id } = yield* created({ redirect_uris, token_endpoint_auth_method: "none" })
    const code = yield* codeForPublic(client_id)
    const { access_token } = yield* exchanged(client_id, code)
    const another = yield* codeForPublic(client_id)
    yield* their.body(adminClientsDelete, { client_id })
    const refused = (effect: Effect.Effect<unknown, { readonly _tag: string }, any>) => Effect.map(Effect.flip(effect), ({ _tag }) => _tag)
    assert.strictEqual(yield* refused(call(oauth2Userinfo, {}, `Bearer ${access_token}`, otherProcess)), "invalid_token")
    assert.strictEqual(yield* refused(exchanged(client_id, another)), "invalid_client")
    assert.strictEqual(yield* their.code(oauth2Authorize, { ...requests.spa, client_id }), "invalid_client")
    assert.strictEqual(yield* their.code(adminClientsDelete, { client_id }), "client_not_found")
  })

  const codeForPublic = Effect.fnUntraced(function* (client_id: string) {
    const ada = yield* signedUpTo(`${yield* newId}@example.com`, auth)
    const { redirect } = yield* ada.body(oauth2Authorize, { ...requests.spa, client_id, redirect_uri: redirect_uris[0] })
    return new URL(redirect).searchParams.get("code") ?? ""
  })
  const exchanged = (client_id: string, code: string) =>
    call(
      oauth2Token,
      { grant_type: "authorization_code", code, redirect_uri: redirect_uris[0], client_id, code_verifier: verifier },
      null,
      otherProcess,
    )

  rule("changes in the given members only", function* () {
    const { their, client_id, client_secret } = yield* created()
    const changed = yield* their.body(adminClientsUpdate, { client_id, changes: { client_name: "The Pedia", consent: true } })
    assert.deepInclude(changed.client, { ...wiki, client_name: "The Pedia", consent: true })
    assert.isNull(changed.client_secret)
    assert.isTrue(yield* isKnown({ client_id, client_secret }))
    const cleared = yield* their.body(adminClientsUpdate, { client_id, changes: { client_name: null } })
    assert.deepInclude(cleared.client, { client_name: null, consent: true })
  })

  rule("loses its secrets when it becomes public, and gets one when it is no longer", function* () {
    const { their, client_id, client_secret } = yield* created()
    const open = yield* their.body(adminClientsUpdate, { client_id, changes: { token_endpoint_auth_method: "none" } })
    assert.deepStrictEqual([open.client.secrets, open.client_secret], [0, null])
    assert.isFalse(yield* isKnown({ client_id, client_secret }))
    assert.strictEqual(yield* their.code(adminClientsRotateSecret, { client_id }), "invalid_request")
    const closed = yield* their.body(adminClientsUpdate, { client_id, changes: { token_endpoint_auth_method: "client_secret_basic" } })
    assert.isString(closed.client_secret)
    assert.notStrictEqual(closed.client_secret, client_secret)
  })
})

describe("the administration of clients", () => {
  rule("lists the clients of the configuration first, without their secrets", function* () {
    const { their, client_id } = yield* created()
    const { clients } = yield* their.body(adminClientsList, {})
    assert.deepStrictEqual(
      clients.map((each) => [each.client_id, each.configured]),
      [
        ["spa", true],
        [client_id, false],
      ],
    )
    assert.notInclude(JSON.stringify(clients), "secret_hash")
    const first = yield* their.body(adminClientsList, { limit: 1 })
    assert.isNull(first.next_cursor)
    assert.strictEqual((yield* their.body(adminClientsShow, { client_id: "spa" })).client.configured, true)
  })

  rule("never changes a client of the configuration", function* () {
    const their = yield* administrator
    assert.strictEqual(yield* their.code(adminClientsUpdate, { client_id: "spa", changes: { consent: true } }), "invalid_request")
    assert.strictEqual(yield* their.code(adminClientsRotateSecret, { client_id: "spa" }), "invalid_request")
    assert.strictEqual(yield* their.code(adminClientsDelete, { client_id: "spa" }), "invalid_request")
    assert.strictEqual(yield* their.code(adminClientsShow, { client_id: "unknown" }), "client_not_found")
  })

  rule("refuses what the configuration refuses, and algorithms without a key", function* () {
    const their = yield* administrator
    const invalid: ReadonlyArray<object> = [
      {},
      { redirect_uris: ["http://wiki.example.com/"] },
      { redirect_uris: [...redirect_uris, ...redirect_uris] },
      { redirect_uris, client_name: "x".repeat(65) },
      { redirect_uris, token_endpoint_auth_method: "client_secret_jwt" },
      { redirect_uris, token_endpoint_auth_method: "private_key_jwt" },
      { redirect_uris, id_token_signed_response_alg: "RS256" },
      { redirect_uris, scopes: ["openid", "offline_access"] },
      { redirect_uris, token_endpoint_auth_method: "none", require_pkce: false },
    ]
    for (const metadata of invalid) assert.strictEqual(yield* their.code(adminClientsCreate, metadata), "invalid_request")
    yield* their.body(adminClientsCreate, { redirect_uris, id_token_signed_response_alg: "ES256" })
    const { client_id } = (yield* their.body(adminClientsCreate, { redirect_uris })).client
    assert.strictEqual(yield* their.code(adminClientsUpdate, { client_id, changes: { redirect_uris: [] } }), "invalid_request")
  })

  rule("is for administrators", function* () {
    const ada = yield* signedUpTo("ada@example.com", auth)
    assert.strictEqual(yield* ada.code(adminClientsList, {}), "forbidden")
    assert.strictEqual(yield* ada.code(adminClientsCreate, wiki), "forbidden")
    assert.strictEqual(yield* ada.code(adminClientsDelete, { client_id: "spa" }), "forbidden")
  })
})
