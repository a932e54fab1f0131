import { randomBytes } from "node:crypto"
import { exportJWK, generateKeyPair } from "jose"
import * as client from "openid-client"
import { beforeAll, describe, expect, it } from "vitest"
import { type Program, start } from "./program.ts"

// What openid-client does as an administrator, with each way to prove a client.

const secret = randomBytes(24).toString("base64url")
const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true })
const jwk = await exportJWK(publicKey)
const elsewhere = "https://api.example.com"
const machine = {
  grant_types: ["client_credentials"],
  scopes: ["users:read", "sessions:read", "audit:read", "clients:read", "webhooks:read"],
}

let program: Program
let issuer: URL
let administration: string

beforeAll(async () => {
  program = await start((url) => ({ store: { kind: "memory" }, modules: modulesAt(url) }))
  issuer = new URL(`http://localhost:${program.port}/api/auth`)
  administration = `${issuer.href}/admin`
  await program.call("/sign-up/email", { email: "ada@example.com", password: "correct horse battery staple" })
})

const modulesAt = (url: string) => {
  const common = { ...machine, resources: [`${url}/api/auth/admin`, elsewhere], client_secret: secret }
  const clients = [
    { ...common, client_id: "nightly" },
    { ...common, client_id: "bound", dpop_bound_access_tokens: true },
    { ...common, client_id: "signed", client_secret: "", token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [jwk] } },
  ]
  return { idp: { clients }, admin: { admin_emails: ["root@example.com"] }, audit: {}, events: {} }
}

const discovered = (id: string, auth: client.ClientAuth) =>
  client.discovery(issuer, id, undefined, auth, { execute: [client.allowInsecureRequests] })

const reads: ReadonlyArray<readonly [path: string, scope: string]> = [
  ["list-users", "users:read"],
  ["users/list?total=true", "users:read"],
  ["users/show?email=ada@example.com", "users:read"],
  ["roles/list", "users:read"],
  ["audit/list", "audit:read"],
  ["clients/list", "clients:read"],
  ["webhooks/list", "webhooks:read"],
]

describe("openid-client", () => {
  const ways: ReadonlyArray<readonly [string, client.ClientAuth]> = [
    ["nightly", client.ClientSecretBasic(secret)],
    ["nightly", client.ClientSecretPost(secret)],
    ["signed", client.PrivateKeyJwt(privateKey)],
    ["bound", client.ClientSecretBasic(secret)],
  ]

  it.each(ways)("reads as %s what its scope permits, and nothing else (%#)", async (id, auth) => {
    const config = await discovered(id, auth)
    const keys = await client.randomDPoPKeyPair("ES256")
    const options = id === "bound" ? { DPoP: client.getDPoPHandle(config, keys) } : {}
    const read = async (scope: string, path: string, resource = administration) => {
      const { access_token } = await client.clientCredentialsGrant(config, { scope, resource }, options)
      const url = new URL(`${administration}/${path}`)
      const answer = await client.fetchProtectedResource(config, access_token, url, "GET", null, undefined, options).catch(statusOf)
      return answer.status
    }
    for (const [path, scope] of reads) {
      expect(await read(scope, path), path).toBe(200)
      expect(await read("sessions:read", path), path).toBe(403)
      expect(await read(scope, path, elsewhere), path).toBe(401)
    }
  })
})

/** The refusal of a resource, which openid-client throws if the response has a challenge. */
const statusOf = (fault: unknown) => {
  if (fault instanceof client.WWWAuthenticateChallengeError) return fault.response
  throw fault
}
