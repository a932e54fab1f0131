import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose"
import { createResourceServer, type ResourceServerOptions } from "../../backend/resource-server.ts"

const resource = "https://files.example.com/mcp"
const { privateKey, publicKey } = await generateKeyPair("ES256")
const other = await generateKeyPair("ES256")
const hs = new TextEncoder().encode("a secret of thirty-two characters")

let issuer = ""
let answer: { status: number; body: unknown } = { status: 200, body: {} }
const requests: Array<{ readonly url: string | undefined; readonly authorization: string | undefined; readonly body: string }> = []
const bodyOf = async (request: IncomingMessage) => (await request.toArray()).join("")
const provider = createServer(async (request, response) => {
  requests.push({ url: request.url, authorization: request.headers.authorization, body: await bodyOf(request) })
  response.writeHead(answer.status).end(JSON.stringify(answer.body))
})
beforeAll(async () => {
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve))
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
})
afterAll(() => provider.close())

const keySet = async () => ({ status: 200, body: { keys: [{ ...(await exportJWK(publicKey)), kid: "one" }] } })
const server = (options: Partial<ResourceServerOptions> = {}) =>
  createResourceServer({ issuer, resource, name: "Files", scopes: ["files:read"], ...options })

const claims = (changes: Readonly<Record<string, unknown>> = {}): JWTPayload => ({
  iss: issuer,
  aud: resource,
  sub: "ada",
  client_id: "agent",
  scope: "files:read openid",
  exp: Math.floor(Date.now() / 1000) + 600,
  ...changes,
})
const signed = (payload: JWTPayload, { typ = "at+jwt", alg = "ES256", key = privateKey as CryptoKey | Uint8Array } = {}) =>
  new SignJWT(payload).setProtectedHeader({ alg, typ, kid: "one" }).sign(key)
const withToken = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

/** The refusal of a request, with its challenge. */
const refusalOf = async (sent: object, needed?: { scopes: ReadonlyArray<string> }, options: Partial<ResourceServerOptions> = {}) => {
  const verdict = await server(options).authorize(sent as never, needed)
  if (verdict.status !== "refused") throw new Error("it was authorized")
  return { status: verdict.refusal.status, challenge: verdict.refusal.headers["www-authenticate"], error: verdict.refusal.body.error }
}
const metadataUrl = "https://files.example.com/.well-known/oauth-protected-resource/mcp"

describe("a resource server", () => {
  it("publishes its metadata for any origin", async () => {
    const { respond, metadataPath } = server()
    assert.strictEqual(metadataPath, "/.well-known/oauth-protected-resource/mcp")
    const found = respond(new Request(metadataUrl))
    assert.deepStrictEqual(await found?.json(), {
      resource,
      authorization_servers: [issuer],
      scopes_supported: ["files:read"],
      bearer_methods_supported: ["header"],
      resource_name: "Files",
    })
    assert.strictEqual(found?.headers.get("access-control-allow-origin"), "*")
    assert.strictEqual(respond(new Request(metadataUrl, { method: "OPTIONS" }))?.status, 204)
    assert.strictEqual(respond(new Request(metadataUrl, { method: "POST" }))?.status, 405)
    assert.isUndefined(respond(new Request(resource)))
    assert.strictEqual(server({ resource: "https://files.example.com/" }).metadataPath, "/.well-known/oauth-protected-resource")
  })

  it("accepts a token for it alone", async () => {
    answer = await keySet()
    const token = await signed(claims())
    const verdict = await server().authorize(withToken(token))
    assert.deepInclude(verdict, {
      status: "authorized",
      subject: "ada",
      client_id: "agent",
      scopes: ["files:read", "openid"],
      actor: null,
      token,
    })
    assert.deepInclude(await server().authorize(new Request(resource, withToken(token))), { status: "authorized" })
  })

  it("asks for a token without one, also if it is in the query", async () => {
    const expected = {
      status: 401 as const,
      challenge: `Bearer scope="files:read", resource_metadata="${metadataUrl}"`,
      error: "unauthorized",
    }
    assert.deepStrictEqual(await refusalOf({ headers: {} }), expected)
    assert.deepStrictEqual(await refusalOf(new Request(`${resource}?access_token=${await signed(claims())}`)), expected)
  })

  for (const [name, token] of [
    ["another resource", () => signed(claims({ aud: "https://mail.example.com" }))],
    ["two resources", () => signed(claims({ aud: [resource, "https://mail.example.com"] }))],
    ["no resource", () => signed(claims({ aud: issuer }))],
    ["another issuer", () => signed(claims({ iss: "https://other.example.com" }))],
    ["a key that it must prove", () => signed(claims({ cnf: { jkt: "x" } }))],
    ["an end in the past", () => signed(claims({ exp: Math.floor(Date.now() / 1000) - 6 }))],
    ["no end", () => signed(claims({ exp: undefined }))],
    ["no client", () => signed(claims({ client_id: undefined }))],
    ["the type of an ID token", () => signed(claims(), { typ: "JWT" })],
    ["another key", () => signed(claims(), { key: other.privateKey })],
    ["a secret as its key", () => signed(claims(), { alg: "HS256", key: hs })],
    ["no signature", async () => `${btoa('{"alg":"none","typ":"at+jwt"}')}.${btoa(JSON.stringify(claims()))}.`],
    ["no form", async () => "opaque"],
  ] as const)
    it(`refuses a token with ${name}`, async () => {
      answer = await keySet()
      const { status, challenge, error } = await refusalOf(withToken(await token()))
      assert.deepStrictEqual([status, error], [401, "invalid_token"])
      assert.match(challenge ?? "", /^Bearer error="invalid_token", /)
    })

  it("names the scopes of an operation that the token lacks", async () => {
    answer = await keySet()
    const { status, challenge } = await refusalOf(withToken(await signed(claims())), { scopes: ["files:read", "files:write"] })
    assert.strictEqual(status, 403)
    assert.match(challenge ?? "", /error="insufficient_scope", .*scope="files:read files:write", resource_metadata=/)
  })

  it("says that the provider does not answer, and does not ask for a new token", async () => {
    const token = withToken(await signed(claims()))
    const jwksUrl = "http://127.0.0.1:1/jwks"
    assert.deepStrictEqual(await refusalOf(token, undefined, { jwksUrl }), {
      status: 503,
      challenge: undefined,
      error: "temporarily_unavailable",
    })
    answer = { status: 500, body: {} }
    assert.strictEqual((await refusalOf(token)).status, 503)
    const introspection = { client_id: "files", client_secret: "secret" }
    assert.strictEqual((await refusalOf(token, undefined, { introspection })).status, 503)
    assert.strictEqual((await refusalOf(token, undefined, { introspection, issuer: "http://127.0.0.1:1" })).status, 503)
  })

  it("asks the provider about each token with introspection", async () => {
    const introspection = { client_id: "the files", client_secret: "a: secret" }
    answer = { status: 200, body: { active: true, ...claims() } }
    requests.length = 0
    const verdict = await server({ introspection }).authorize(withToken("opaque"))
    assert.deepInclude(verdict, { status: "authorized", subject: "ada" })
    const basic = `Basic ${btoa("the%20files:a%3A%20secret")}`
    assert.deepStrictEqual(requests, [{ url: "/oauth2/introspect", authorization: basic, body: "token=opaque" }])
    answer = { status: 200, body: { active: false } }
    assert.strictEqual((await refusalOf(withToken("opaque"), undefined, { introspection })).status, 401)
    answer = { status: 200, body: { active: true, ...claims({ aud: "https://mail.example.com" }) } }
    assert.strictEqual((await refusalOf(withToken("opaque"), undefined, { introspection })).status, 401)
  })
})
