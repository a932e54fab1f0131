import { assert, describe } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { decodeJwt } from "jose"
import { AgentClients } from "../../../../application/modules/idp/clients/agents/agent-clients.ts"
import { rows } from "../../../world.ts"
import { agentService, allowed, asked, exchange, files, refusal, request, tokens } from "./agents.ts"
import { call } from "./provider.ts"

const cursor = "cursor://anysphere.cursor-mcp/oauth/callback"
const service = agentService({ open_registration: { native_redirect_uris: [cursor] } })
const { module, rule, signedUp, auth } = service
const { oauth2Register, oauth2RegisterRead, oauth2Consent, adminClientsBlock, wellKnownOpenidConfiguration } = module.endpoints

const metadata = {
  client_name: "The Editor",
  redirect_uris: ["http://localhost:8787/callback"],
  grant_types: ["authorization_code", "refresh_token"],
  token_endpoint_auth_method: "none",
}
const registered = (changes: object = {}) => call(oauth2Register, { ...metadata, ...changes }, null, auth)

describe("open registration", () => {
  rule("gives a public client without a secret, which a user can allow to use a resource", function* () {
    const { client_id, client_id_issued_at, ...rest } = yield* registered()
    assert.match(client_id, /^open_[\w-]{43}$/)
    assert.deepStrictEqual(rest, {
      ...metadata,
      response_types: ["code"],
      scope: "openid profile email offline_access files:read files:write mail:read",
    } as never)
    const ada = yield* signedUp()
    const own = { ...request, client_id, redirect_uri: "http://localhost:8788/callback" }
    const { request_uri } = yield* asked(service, ada, own)
    const shown = yield* ada.body(oauth2Consent, { request_uri })
    assert.deepStrictEqual(shown.client.agent, { kind: "open", host: null })
    const issued = yield* tokens(service, exchange(yield* allowed(service, ada, own), own))
    assert.strictEqual(decodeJwt(issued.access_token).aud, files.resource)
    assert.isString(issued.refresh_token)
    // Kept for longer once a user has allowed it something.
    const [row] = yield* rows(AgentClients)
    assert.isAbove(DateTime.toEpochMillis(row!.expires_at) - DateTime.toEpochMillis(row!.created_at), 89 * 86_400_000)
  })

  rule("stores equal clients once, whatever their port and the order of their URIs", function* () {
    const one = { redirect_uris: ["http://localhost:1/callback", "https://editor.example.com/callback"] }
    const other = { redirect_uris: ["https://editor.example.com/callback", "http://localhost:65535/callback"] }
    const answers = yield* Effect.all([registered(one), registered(other), ...Array.from({ length: 18 }, () => registered(one))], {
      concurrency: "unbounded",
    })
    assert.strictEqual(new Set(answers.map(({ client_id }) => client_id)).size, 1)
    assert.deepInclude(answers[1], other)
    assert.strictEqual((yield* rows(AgentClients)).length, 1)
    for (const changes of [{ ...one, client_name: "Another" }, { ...one, grant_types: ["authorization_code"] }, metadata])
      yield* registered(changes)
    assert.strictEqual((yield* rows(AgentClients)).length, 4)
  })

  rule("leaves out redirect URIs that are not permitted while one remains", function* () {
    const redirect_uris = [
      cursor,
      "vscode://other/callback",
      "javascript:alert(1)",
      "http://example.com/",
      "http://localhost:8787/callback",
    ]
    const answer = yield* registered({ redirect_uris, token_endpoint_auth_method: "client_secret_basic" })
    assert.deepInclude(answer, { redirect_uris: ["http://localhost:8787/callback", cursor], token_endpoint_auth_method: "none" })
    const ada = yield* signedUp()
    const { at } = yield* asked(service, ada, { ...request, client_id: answer.client_id, redirect_uri: cursor })
    assert.strictEqual(at, "https://app.example.com/consent")
    for (const uris of [["vscode://other/callback"], [], undefined])
      assert.strictEqual(yield* refusal(registered({ redirect_uris: uris ?? [] })), "invalid_redirect_uri")
    assert.strictEqual(yield* refusal(registered({ client_name: "a".repeat(65) })), "invalid_client_metadata")
  })

  rule("gives no token to read the registration, and no second client to a wrong token", function* () {
    const { client_id } = yield* registered()
    assert.strictEqual(yield* refusal(call(oauth2RegisterRead, { client_id }, "Bearer unknown", auth)), "invalid_token")
    assert.strictEqual(yield* refusal(call(oauth2Register, metadata, "Bearer unknown", auth)), "invalid_token")
  })

  rule("does not bring back a client that an administrator has blocked", function* () {
    const { client_id } = yield* registered()
    const root = yield* signedUp("root@example.com")
    yield* root.body(adminClientsBlock, { client_id })
    // Nor does it count as a new client: those are limited to 50 a day for a network.
    for (let index = 0; index < 59; index++) assert.strictEqual((yield* registered()).client_id, client_id)
    const ada = yield* signedUp()
    const own = { ...request, client_id, redirect_uri: "http://localhost:8787/callback" }
    assert.strictEqual(yield* refusal(ada.body(module.endpoints.oauth2Authorize, own)), "invalid_client")
  })

  rule("lives for another day when it is repeated", function* () {
    const { client_id } = yield* registered()
    yield* TestClock.adjust("86399 seconds")
    yield* registered()
    yield* TestClock.adjust("86399 seconds")
    const ada = yield* signedUp()
    const own = { ...request, client_id, redirect_uri: "http://localhost:8787/callback" }
    assert.strictEqual((yield* asked(service, ada, own)).at, "https://app.example.com/consent")
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* refusal(ada.body(module.endpoints.oauth2Authorize, own)), "invalid_client")
    // The expired row is still there; a registration makes it a client again.
    assert.strictEqual((yield* registered()).client_id, client_id)
    assert.strictEqual((yield* asked(service, ada, own)).at, "https://app.example.com/consent")
  })

  rule(
    "is limited to 60 in ten minutes for a network",
    function* () {
      for (let index = 0; index < 50; index++) yield* registered({ client_name: `Editor ${index}` })
      assert.strictEqual(yield* refusal(registered({ client_name: "Editor 50" })), "rate_limited")
      for (let index = 0; index < 9; index++) yield* registered({ client_name: "Editor 0" })
      assert.strictEqual(yield* refusal(registered()), "rate_limited")
    },
    { rate_limit: { enabled: true, requests: { limit: 10_000, window: 60 } } },
  )

  rule("and its scopes are in the metadata of the provider", function* () {
    const found = yield* call(wellKnownOpenidConfiguration, {}, null, auth)
    assert.deepInclude(found, {
      registration_endpoint: "http://localhost:3000/api/auth/oauth2/register",
      scopes_supported: ["openid", "profile", "email", "offline_access", "files:read", "files:write", "mail:read"],
    })
    assert.notProperty(found, "client_id_metadata_document_supported")
  })
})

const closed = agentService({ registration_tokens: ["an-initial-access-token-of-forty-characters"] })
describe("without the setting", () => {
  closed.rule("a registration needs a token", function* () {
    assert.strictEqual(yield* refusal(call(closed.module.endpoints.oauth2Register, metadata, null, closed.auth)), "unauthorized")
    const found = yield* call(closed.module.endpoints.wellKnownOpenidConfiguration, {}, null, closed.auth)
    assert.deepStrictEqual(found.scopes_supported, ["openid", "profile", "email"])
  })
})
