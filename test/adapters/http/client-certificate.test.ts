import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { clientCertificate } from "../../../adapters/http/client-certificate.ts"
import { identityProvider } from "../../../application/modules/idp/index.ts"
import { certificate } from "../../certificates.ts"
import { core } from "../../world.ts"
import { post, served } from "./served.ts"

const authority = await certificate({ name: "CN=CA", isAuthority: true })
const own = await certificate({ issuer: authority })
const client = {
  client_id: "machine",
  client_secret: "",
  token_endpoint_auth_method: "tls_client_auth",
  tls_client_auth_subject_dn: "CN=client",
  grant_types: ["client_credentials"],
  scopes: ["jobs"],
}
const built = identityProvider.build(
  Schema.decodeUnknownSync(identityProvider.settings)({
    clients: [client],
    client_certificate_header: "X-Client-Cert",
    client_certificate_authorities: [authority.pem],
  }),
)
const { oauth2Token } = built.endpoints

describe("the header field with the certificate of the TLS client", () => {
  const proxies = ["10.0.0.0/8"]
  const found = clientCertificate(proxies, oauth2Token)
  const read = (value: string | undefined, peer: string | null = "10.0.0.1") => found?.({ "x-client-cert": value }, peer)

  it("counts from a trusted proxy only", () => {
    assert.strictEqual(read("x"), "x")
    assert.strictEqual(read("x", "::ffff:10.0.0.1"), "x")
    assert.isNull(read("x", "198.51.100.1"))
    assert.isNull(read("x", null))
    assert.isNull(clientCertificate([], oauth2Token)?.({ "x-client-cert": "x" }, "10.0.0.1"))
  })

  it("may be missing or empty", () => {
    assert.isNull(read(undefined))
    assert.isNull(read(""))
  })

  it("is read only at endpoints of clients", () => {
    assert.isUndefined(clientCertificate(proxies, undefined))
    assert.isUndefined(clientCertificate(proxies, built.endpoints.oauth2Jwks))
    for (const endpoint of [built.endpoints.oauth2Userinfo, built.endpoints.oauth2UserinfoForm, built.endpoints.oauth2Introspect])
      assert.strictEqual(clientCertificate(proxies, endpoint)?.({ "x-client-cert": "x" }, "10.0.0.1"), "x")
  })

  const request = (headers: Record<string, string>) =>
    post("/oauth2/token", { grant_type: "client_credentials", client_id: "machine" }, { headers })

  layer(served({ modules: [...core, built], settings: { trusted_proxies: ["127.0.0.0/8"] } }), { excludeTestServices: true })((it) => {
    it.effect("authenticates a client behind a proxy", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* request({ "x-client-cert": own.escaped })).status, 200)
        assert.strictEqual((yield* request({ "x-client-cert": own.field, "x-forwarded-for": "203.0.113.9" })).status, 200)
        assert.strictEqual((yield* request({ "client-cert": own.field })).status, 401)
        assert.strictEqual((yield* request({})).status, 401)
      }),
    )
  })

  layer(served({ modules: [...core, built], settings: { trusted_proxies: ["10.0.0.0/8"] } }), { excludeTestServices: true })((it) => {
    it.effect("does not authenticate a client that sends it itself", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* request({ "x-client-cert": own.escaped })).status, 401)
        assert.strictEqual((yield* request({ "x-client-cert": own.escaped, "x-forwarded-for": "10.0.0.1" })).status, 401)
      }),
    )
  })
})
