import { assert, describe } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from "jose"
import { AgentClients } from "../../../../application/modules/idp/clients/agents/agent-clients.ts"
import { assertionType } from "../../../../application/modules/idp/clients/client-assertion.ts"
import { issuer } from "../../../../application/modules/idp/issuer.ts"
import { RefreshFamilies } from "../../../../application/modules/idp/tables.ts"
import { endpoints, password, rows } from "../../../world.ts"
import {
  agentService,
  allowed,
  asked,
  document,
  documentServer,
  documentUrl,
  exchange,
  files,
  json,
  refusal,
  request,
  sent,
  tokens,
} from "./agents.ts"
import { responding } from "./client-keys.ts"
import { call } from "./provider.ts"

const service = agentService()
const { module, rule, signedUp, visitor, auth } = service
const { oauth2Authorize, oauth2Consent, oauth2Userinfo, oauth2Grants, oauth2GrantsRevoke } = module.endpoints
const { adminClientsAgents, adminClientsBlock, adminClientsUnblock } = module.endpoints

const second = "1 second"
const hour = "1 hour"

describe("a client with a metadata document", () => {
  rule("signs a user in that allows it, without any registration", function* () {
    const { server, served } = documentServer()
    yield* Effect.gen(function* () {
      const ada = yield* signedUp()
      const code = yield* allowed(service, ada)
      const issued = yield* tokens(service, exchange(code))
      assert.strictEqual(issued.scope, "files:read")
      const { aud, client_id, scope, exp, iat } = decodeJwt(issued.access_token)
      assert.deepStrictEqual([aud, client_id, scope], [files.resource, documentUrl, "files:read"])
      assert.strictEqual((exp ?? 0) - (iat ?? 0), 600)
      const refreshed = yield* tokens(service, {
        grant_type: "refresh_token",
        client_id: documentUrl,
        refresh_token: issued.refresh_token,
        resource: `${files.resource}/`,
      })
      assert.strictEqual(decodeJwt(refreshed.access_token).aud, files.resource)
      assert.notStrictEqual(refreshed.refresh_token, issued.refresh_token)
      assert.strictEqual(server.requests.length, 1)
      assert.deepInclude(server.requests[0], { method: "GET", url: documentUrl, limit: 5120, allow_private: false })
    }).pipe(served)
  })

  rule("is read only once the user has signed in", function* () {
    const { server, served } = documentServer()
    yield* Effect.gen(function* () {
      const stranger = visitor()
      const { at, query } = yield* sent(service, stranger, request)
      assert.strictEqual(at, "https://app.example.com/login")
      assert.deepStrictEqual([server.requests.length, (yield* rows(AgentClients)).length], [0, 0])
      yield* signedUp()
      yield* stranger.body(endpoints.signInEmail, { email: "ada@example.com", password })
      const back = new URL(query["to"] ?? "", "http://localhost:3000").searchParams
      assert.strictEqual((yield* asked(service, stranger, Object.fromEntries(back))).at, "https://app.example.com/consent")
      assert.strictEqual(server.requests.length, 1)
    }).pipe(served)
  })

  rule("is not read for prompt=none, nor for a token request of a stranger", function* () {
    const { server, served } = documentServer()
    yield* Effect.gen(function* () {
      assert.strictEqual(yield* refusal(visitor().body(oauth2Authorize, { ...request, prompt: "none" })), "invalid_client")
      assert.strictEqual(yield* refusal(tokens(service, exchange("a code"))), "invalid_client")
      assert.strictEqual(server.requests.length, 0)
    }).pipe(served)
  })

  rule("is asked for every time, and shows the host that publishes the document", function* () {
    const { served } = documentServer()
    yield* Effect.gen(function* () {
      const ada = yield* signedUp()
      yield* allowed(service, ada)
      const { at, request_uri } = yield* asked(service, ada)
      assert.strictEqual(at, "https://app.example.com/consent")
      const shown = yield* ada.body(oauth2Consent, { request_uri })
      assert.deepInclude(shown, {
        destination: "localhost:51234",
        on_device: true,
        resource: { resource: files.resource, name: "Files" },
        scopes: [{ scope: "files:read", granted: true }],
      })
      assert.deepInclude(shown.client, { client_name: "The Agent", logo_uri: null, agent: { kind: "document", host: "agent.example.com" } })
      assert.strictEqual((yield* sent(service, ada, { ...request, prompt: "none" })).query["error"], "consent_required")
    }).pipe(served)
  })

  rule("ends with the user's revocation", function* () {
    const { served } = documentServer()
    yield* Effect.gen(function* () {
      const ada = yield* signedUp()
      const { refresh_token } = yield* tokens(service, exchange(yield* allowed(service, ada)))
      const { grants } = yield* ada.body(oauth2Grants)
      assert.deepStrictEqual(
        grants.map(({ client }) => client.agent),
        [{ kind: "document", host: "agent.example.com" }],
      )
      yield* ada.body(oauth2GrantsRevoke, { client_id: documentUrl })
      const refreshing = { grant_type: "refresh_token", client_id: documentUrl, refresh_token }
      assert.strictEqual(yield* refusal(tokens(service, refreshing)), "invalid_grant")
    }).pipe(served)
  })

  for (const [name, redirect_uri, isAccepted] of [
    ["any port of localhost", "http://localhost:1/callback", true],
    ["no port", "http://localhost/callback", true],
    ["any port of 127.0.0.1", "http://127.0.0.1:65535/callback", true],
    ["the https URL", "https://agent.example.com/callback", true],
    ["a port that is none", "http://localhost:65536/callback", false],
    ["another path", "http://localhost:1/other", false],
    ["another name of this machine", "http://[::1]:1/callback", false],
    ["a name that begins with localhost", "http://localhost.example.com:1/callback", false],
    ["a user in the URL", "http://localhost:1@example.com/callback", false],
    ["another port of the https URL", "https://agent.example.com:8443/callback", false],
  ] as const)
    rule(`is sent to ${name}: ${isAccepted}`, function* () {
      const { served } = documentServer()
      const ada = yield* signedUp()
      const outcome = ada
        .body(oauth2Authorize, { ...request, redirect_uri })
        .pipe(Effect.match({ onSuccess: () => true, onFailure: ({ _tag }) => _tag !== "invalid_redirect_uri" }), served)
      assert.strictEqual(yield* outcome, isAccepted)
    })

  for (const [name, content] of [
    ["names another client", { ...document, client_id: `${documentUrl}/` }],
    ["has no name", { ...document, client_name: undefined }],
    ["has a secret", { ...document, client_secret: "secret" }],
    ["has a private key", { ...document, jwks: { keys: [{ kty: "EC", d: "x" }] } }],
    ["authenticates by a secret", { ...document, token_endpoint_auth_method: "client_secret_post" }],
    ["declares keys that it does not have", { ...document, token_endpoint_auth_method: "private_key_jwt" }],
    ["has its keys elsewhere", { ...document, token_endpoint_auth_method: "private_key_jwt", jwks_uri: "https://keys.example.com/" }],
    ["has only redirect URIs of apps", { ...document, redirect_uris: ["com.example.app:/callback", "http://example.com/"] }],
    ["has no redirect URI", { ...document, redirect_uris: [] }],
    ["has 21 redirect URIs", { ...document, redirect_uris: Array.from({ length: 21 }, (_, index) => `https://example.com/${index}`) }],
    ["has NUL in a link", { ...document, client_uri: "https://agent.example.com/\u0000" }],
    ["repeats a member", JSON.stringify(document).replace("{", '{"client_name":"Another",')],
    ["is a list", [document]],
    ["is no JSON", "{"],
  ] as const)
    rule(`is refused if its document ${name}`, function* () {
      const { served } = documentServer(content)
      yield* Effect.gen(function* () {
        const ada = yield* signedUp()
        assert.strictEqual(yield* refusal(ada.body(oauth2Authorize, request)), "invalid_client")
        assert.deepStrictEqual(yield* rows(AgentClients), [])
      }).pipe(served)
    })

  for (const [name, answer] of [
    ["404", responding(404)],
    ["302", { ...json(document), status: 302 }],
    ["206", { ...json(document), status: 206 }],
    ["500", responding(500)],
    ["HTML", { ...json(document), headers: { "content-type": "text/html" } }],
    ["no type", { ...json(document), headers: {} }],
  ] as const)
    rule(`is refused if its server answers ${name}, and is not asked again for a minute`, function* () {
      const { server, served } = documentServer()
      server.answer = () => answer as never
      yield* Effect.gen(function* () {
        const ada = yield* signedUp()
        for (const seconds of [0, 59]) {
          yield* TestClock.adjust(`${seconds} seconds`)
          assert.strictEqual(yield* refusal(ada.body(oauth2Authorize, request)), "invalid_client")
        }
        assert.strictEqual(server.requests.length, 1)
        yield* TestClock.adjust(second)
        server.answer = () => json(document)
        assert.strictEqual((yield* asked(service, ada)).at, "https://app.example.com/consent")
      }).pipe(served)
    })

  for (const url of [
    "https://agent.example.com",
    "https://agent.example.com/",
    "https://agent.example.com/a?b",
    "https://agent.example.com/a#b",
    "https://user@agent.example.com/a",
    "https://agent.example.com:8443/a",
    "https://agent.example.com:443/a",
    "https://agent.example.com/../a",
    "https://agent.example.com/%2e%2e/a",
    "https://AGENT.example.com/a",
    "https://agent.example.com\\a",
    "http://agent.example.com/a",
    "https://localhost/a",
    "https://127.0.0.1/a",
    "https://[::1]/a",
    "https://0x7f.1/a",
    "https://10.0.0.1/a",
    "https://agent.example.com./a",
    `https://agent.example.com/${"a".repeat(1000)}`,
    "open_",
  ])
    rule(`is not read at ${url.slice(0, 50)}`, function* () {
      const { server, served } = documentServer({ ...document, client_id: url })
      const ada = yield* signedUp()
      assert.strictEqual(yield* refusal(ada.body(oauth2Authorize, { ...request, client_id: url })).pipe(served), "invalid_client")
      assert.strictEqual(server.requests.length, 0)
    })
})

describe("the copy of a document", () => {
  for (const [control, seconds] of [
    [undefined, 3600],
    ["max-age=60", 300],
    ["public, max-age=7200", 7200],
    ["max-age=60, s-maxage=900", 900],
    ["max-age=99999999999999999999", 86_400],
    ["no-store", 300],
  ] as const)
    rule(`is used for ${seconds} seconds with ${control}`, function* () {
      const { server, served } = documentServer()
      server.answer = () => json(document, control === undefined ? {} : { "cache-control": control }) as never
      yield* Effect.gen(function* () {
        const ada = yield* signedUp()
        yield* asked(service, ada)
        yield* TestClock.adjust(`${seconds - 1} seconds`)
        yield* asked(service, ada)
        assert.strictEqual(server.requests.length, 1)
        yield* TestClock.adjust(second)
        yield* asked(service, ada)
        assert.strictEqual(server.requests.length, 2)
      }).pipe(served)
    })

  rule("serves for seven days while its server does not answer", function* () {
    const { server, served } = documentServer()
    yield* Effect.gen(function* () {
      const ada = yield* signedUp()
      const { refresh_token } = yield* tokens(service, exchange(yield* allowed(service, ada)))
      server.answer = () => responding(503)
      yield* TestClock.adjust("604799 seconds")
      const refreshing = { grant_type: "refresh_token", client_id: documentUrl }
      const next = yield* tokens(service, { ...refreshing, refresh_token })
      yield* TestClock.adjust(second)
      assert.strictEqual(yield* refusal(tokens(service, { ...refreshing, refresh_token: next.refresh_token })), "invalid_client")
    }).pipe(served)
  })

  rule("that was withdrawn ends new requests at once, and refreshes after a day", function* () {
    const { server, served } = documentServer()
    yield* Effect.gen(function* () {
      const ada = yield* signedUp()
      const issued = yield* tokens(service, exchange(yield* allowed(service, ada)))
      server.answer = () => responding(410)
      yield* TestClock.adjust(hour)
      assert.strictEqual(yield* refusal(ada.body(oauth2Authorize, request)), "invalid_client")
      const refreshed = yield* tokens(service, { grant_type: "refresh_token", client_id: documentUrl, refresh_token: issued.refresh_token })
      yield* TestClock.adjust("1 day")
      const late = { grant_type: "refresh_token", client_id: documentUrl, refresh_token: refreshed.refresh_token }
      assert.strictEqual(yield* refusal(tokens(service, late)), "invalid_client")
      server.answer = () => json(document)
      yield* TestClock.adjust(hour)
      assert.strictEqual((yield* asked(service, ada)).at, "https://app.example.com/consent")
    }).pipe(served)
  })

  rule("is read once for twenty requests at once", function* () {
    const { server, served } = documentServer()
    yield* Effect.gen(function* () {
      const ada = yield* signedUp()
      yield* Effect.all(
        Array.from({ length: 20 }, () => asked(service, ada)),
        { concurrency: "unbounded" },
      )
      assert.deepStrictEqual([server.requests.length, (yield* rows(AgentClients)).length], [1, 1])
    }).pipe(served)
  })

  rule("is forgotten after a day, or 90 days after a user has allowed the client something", function* () {
    const { served } = documentServer()
    yield* Effect.gen(function* () {
      const ada = yield* signedUp()
      const days = Effect.map(
        rows(AgentClients),
        ([row]) => (DateTime.toEpochMillis(row!.expires_at) - DateTime.toEpochMillis(row!.created_at)) / 86_400_000,
      )
      yield* asked(service, ada)
      assert.strictEqual(yield* days, 1)
      yield* allowed(service, ada)
      assert.strictEqual(yield* days, 90)
    }).pipe(served)
  })

  const limited = {
    rate_limit: { enabled: true, requests: { limit: 10_000, window: 60 }, session_requests: { limit: 10_000, window: 60 } },
  }
  rule(
    "is made of 20 new URLs an hour for a user, who thereby stops no known client",
    function* () {
      const { server, served } = documentServer()
      yield* Effect.gen(function* () {
        const ada = yield* signedUp()
        const { refresh_token } = yield* tokens(service, exchange(yield* allowed(service, ada)))
        const eve = yield* signedUp("eve@example.com")
        const tries = Array.from({ length: 130 }, (_, index) => ({ ...request, client_id: `https://host${index}.example.com/client` }))
        const outcomes = yield* Effect.forEach(tries, (input) => refusal(eve.body(oauth2Authorize, input)))
        assert.strictEqual(outcomes.filter((outcome) => outcome === "rate_limited").length, 110)
        assert.strictEqual(server.requests.length, 21)
        yield* TestClock.adjust(hour)
        yield* tokens(service, { grant_type: "refresh_token", client_id: documentUrl, refresh_token })
        assert.strictEqual(server.requests.length, 22)
      }).pipe(served)
    },
    limited,
  )

  rule(
    "serves while its host must not be asked more often",
    function* () {
      const { server, served } = documentServer()
      server.answer = () => json(document, { "cache-control": "max-age=300" })
      yield* Effect.gen(function* () {
        const ada = yield* signedUp()
        yield* asked(service, ada)
        yield* TestClock.adjust("300 seconds")
        const { module: other } = agentService({ metadata_clients: { allow: ["https://agent.example.com/"] } })
        const strangers = Array.from({ length: 40 }, (_, index) => ({
          ...exchange("a code"),
          client_id: `https://agent.example.com/${index}`,
        }))
        yield* Effect.forEach(strangers, (input) => Effect.exit(call(other.endpoints.oauth2Token, input, null, auth)))
        assert.strictEqual((yield* asked(service, ada)).at, "https://app.example.com/consent")
      }).pipe(served)
    },
    limited,
  )
})

const { privateKey, publicKey } = await generateKeyPair("ES256")
const keyed = {
  ...document,
  token_endpoint_auth_methods_supported: ["none", "private_key_jwt"],
  jwks: { keys: [{ ...(await exportJWK(publicKey)), kid: "one" }] },
  client_uri: "https://agent.example.com/",
  policy_uri: "https://elsewhere.example.com/privacy",
}
const assertion = (jti: string) =>
  Effect.flatMap(issuer, (aud) =>
    Effect.promise(() =>
      new SignJWT({ iss: documentUrl, sub: documentUrl, aud, jti, exp: 60 })
        .setProtectedHeader({ alg: "ES256", kid: "one" })
        .sign(privateKey),
    ),
  )

describe("an agent with keys", () => {
  rule("must use them, and its links lead to its own host only", function* () {
    const { served } = documentServer(keyed)
    yield* Effect.gen(function* () {
      const ada = yield* signedUp()
      const { request_uri } = yield* asked(service, ada)
      const { client } = yield* ada.body(oauth2Consent, { request_uri })
      assert.deepInclude(client, { client_uri: "https://agent.example.com/", policy_uri: null })
      assert.strictEqual(yield* refusal(tokens(service, exchange(yield* allowed(service, ada)))), "invalid_client")
      const proof = { client_assertion_type: assertionType, client_assertion: yield* assertion("1") }
      assert.strictEqual((yield* tokens(service, { ...exchange(yield* allowed(service, ada)), ...proof })).scope, "files:read")
    }).pipe(served)
  })

  rule("cannot sign its requests, which may be stored before its keys are known", function* () {
    const { served } = documentServer(keyed)
    const ada = yield* signedUp()
    const { query } = yield* sent(service, ada, { ...request, request: yield* assertion("2") }).pipe(served)
    assert.strictEqual(query["error"], "request_not_supported")
  })
})

describe("an agent", () => {
  rule("has at most 20 families of refresh tokens of a user", function* () {
    const { served } = documentServer()
    yield* Effect.gen(function* () {
      const ada = yield* signedUp()
      for (let index = 0; index < 22; index++) yield* tokens(service, exchange(yield* allowed(service, ada)))
      assert.strictEqual((yield* rows(RefreshFamilies)).length, 20)
    }).pipe(served)
  })

  for (const [name, changes] of [
    ["denies its host", { metadata_clients: { allow: ["any"], deny: ["https://agent.example.com/"] } }],
    ["permits other hosts only", { metadata_clients: { allow: ["https://other.example.com/"] } }],
    ["permits no documents", { metadata_clients: null }],
  ] as const)
    rule(`ends when the configuration ${name}`, function* () {
      const { served } = documentServer()
      yield* Effect.gen(function* () {
        const ada = yield* signedUp()
        const { refresh_token } = yield* tokens(service, exchange(yield* allowed(service, ada)))
        const later = agentService(changes)
        const refreshing = { grant_type: "refresh_token", client_id: documentUrl, refresh_token }
        assert.strictEqual(yield* refusal(call(later.module.endpoints.oauth2Token, refreshing, null, later.auth)), "invalid_client")
      }).pipe(served)
    })

  rule("gets no token for a resource server that the configuration no longer has", function* () {
    const { served } = documentServer()
    yield* Effect.gen(function* () {
      const ada = yield* signedUp()
      const { refresh_token } = yield* tokens(service, exchange(yield* allowed(service, ada)))
      const later = agentService({ metadata_clients: { allow: ["any"] }, resources: [] })
      const refreshing = { grant_type: "refresh_token", client_id: documentUrl, refresh_token }
      assert.strictEqual(yield* refusal(call(later.module.endpoints.oauth2Token, refreshing, null, later.auth)), "invalid_target")
    }).pipe(served)
  })
})

describe("an administrator", () => {
  rule("sees agents and blocks one, which ends its tokens at once, and unblocks it", function* () {
    const { server, served } = documentServer()
    yield* Effect.gen(function* () {
      const ada = yield* signedUp()
      const { refresh_token } = yield* tokens(service, exchange(yield* allowed(service, ada)))
      const root = yield* signedUp("root@example.com")
      const { clients } = yield* root.body(adminClientsAgents, {})
      assert.deepInclude(clients[0], { client_id: documentUrl, kind: "document", client_name: "The Agent", blocked_at: null })
      yield* root.body(adminClientsBlock, { client_id: documentUrl })
      const refreshing = { grant_type: "refresh_token", client_id: documentUrl, refresh_token }
      assert.strictEqual(yield* refusal(tokens(service, refreshing)), "invalid_client")
      yield* TestClock.adjust(hour)
      assert.strictEqual(yield* refusal(ada.body(oauth2Authorize, request)), "invalid_client")
      assert.strictEqual(server.requests.length, 1)
      yield* root.body(adminClientsUnblock, { client_id: documentUrl })
      yield* tokens(service, refreshing)
      assert.strictEqual(yield* refusal(root.body(adminClientsBlock, { client_id: "spa" })), "client_not_found")
    }).pipe(served)
  })
})

describe("the scopes and the resource of an agent", () => {
  for (const [name, changes, scope, aud] of [
    ["of the resource alone", { scope: "files:read mail:read" }, "files:read", files.resource],
    ["all of the resource without a scope", { scope: "" }, "files:read files:write", files.resource],
    ["with an alias of the resource", { resource: "HTTPS://FILES.example.com:443/mcp/" }, "files:read", files.resource],
    ["of the only resource that has them", { resource: "" }, "files:read", files.resource],
    ["with the user's claims", { scope: "openid files:write" }, "openid files:write", files.resource],
  ] as const)
    rule(`are those ${name}`, function* () {
      const { served } = documentServer()
      yield* Effect.gen(function* () {
        const ada = yield* signedUp()
        const issued = yield* tokens(service, exchange(yield* allowed(service, ada, { ...request, ...changes })))
        assert.deepStrictEqual([issued.scope, decodeJwt(issued.access_token).aud], [scope, aud])
      }).pipe(served)
    })

  rule("are those of this service without a resource", function* () {
    const { served } = documentServer()
    yield* Effect.gen(function* () {
      const ada = yield* signedUp()
      const code = yield* allowed(service, ada, { ...request, resource: "", scope: "" })
      const issued = yield* tokens(service, exchange(code))
      assert.deepStrictEqual([issued.scope, issued.expires_in], ["openid profile email", 600])
      assert.isString((yield* call(oauth2Userinfo, {}, `Bearer ${issued.access_token}`, auth)).sub)
    }).pipe(served)
  })

  for (const [name, changes, error] of [
    ["an unknown resource", { resource: "https://other.example.com/" }, "invalid_target"],
    ["the origin of a resource", { resource: "https://files.example.com" }, "invalid_target"],
    ["two resources", { resource: [files.resource, "https://mail.example.com"] }, "invalid_target"],
    ["scopes of another resource", { scope: "mail:read" }, "invalid_scope"],
    ["scopes of two resources", { resource: "", scope: "files:read mail:read" }, "invalid_scope"],
    ["an unknown scope", { scope: "files:delete" }, "invalid_scope"],
    ["no PKCE", { code_challenge: "", code_challenge_method: "" }, "invalid_request"],
  ] as const)
    rule(`are refused for ${name}`, function* () {
      const { served } = documentServer()
      const ada = yield* signedUp()
      const { query } = yield* sent(service, ada, { ...request, ...changes }).pipe(served)
      assert.strictEqual(query["error"], error)
    })

  rule("cannot be widened at the token endpoint", function* () {
    const { served } = documentServer()
    yield* Effect.gen(function* () {
      const ada = yield* signedUp()
      const code = yield* allowed(service, ada)
      assert.strictEqual(yield* refusal(tokens(service, { ...exchange(code), resource: "https://mail.example.com" })), "invalid_target")
      const plain = yield* allowed(service, ada, { ...request, resource: "", scope: "openid" })
      assert.strictEqual(yield* refusal(tokens(service, { ...exchange(plain), resource: files.resource })), "invalid_target")
    }).pipe(served)
  })
})

const strict = agentService({
  metadata_clients: { allow: ["https://*.example.com/", "https://one.example.org/client"], deny: ["https://bad.example.com/"] },
})

describe("the rules on documents", () => {
  for (const [client_id, isRead] of [
    ["https://agent.example.com/oauth/client-metadata", true],
    ["https://one.example.org/client", true],
    ["https://one.example.org/other", false],
    ["https://example.com/client", false],
    ["https://bad.example.com/client", false],
    ["https://badexample.com/client", false],
    ["https://agent.example.com.evil.org/client", false],
  ] as const)
    strict.rule(`${isRead ? "permit" : "refuse"} ${client_id}, also before a sign-in`, function* () {
      const { server, served } = documentServer({ ...document, client_id })
      yield* Effect.exit(strict.visitor().body(strict.module.endpoints.oauth2Authorize, { ...request, client_id })).pipe(served)
      assert.strictEqual(server.requests.length, isRead ? 1 : 0)
    })
})
