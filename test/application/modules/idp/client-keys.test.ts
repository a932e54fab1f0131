import { assert, describe } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import * as AuthOf from "../../../../application/service/auth.ts"
import { PublicFetch } from "../../../../domain/ports/public-fetch.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, core, times } from "../../../world.ts"
import { keyServer, responding } from "./client-keys.ts"
import { builtWith, call, issuer, web } from "./provider.ts"

const [first, next] = await Promise.all([generateKeyPair("ES256"), generateKeyPair("ES256")])
const publicOf = async ({ publicKey }: typeof first, kid: string) => ({ ...(await exportJWK(publicKey)), kid })
const [firstJwk, nextJwk] = await Promise.all([publicOf(first, "first"), publicOf(next, "next")])

const keyed = {
  ...web,
  ...{ client_id: "keyed", client_secret: "", token_endpoint_auth_method: "private_key_jwt", jwks_uri: "https://web.example.com/keys" },
}
const module = builtWith({ clients: [keyed] })
const auth = AuthOf.make([...core, module])
const rule = rulesOf([...core, module])

let count = 0
const asserted = Effect.fnUntraced(function* (kid: string, { privateKey } = first) {
  const jwt = new SignJWT({ iss: "keyed", sub: "keyed", aud: issuer, jti: `${count++}`, exp: 3600 }).setProtectedHeader({
    alg: "ES256",
    kid,
  })
  const client_assertion = yield* Effect.promise(() => jwt.sign(privateKey))
  const client_assertion_type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
  return yield* call(module.endpoints.oauth2Revoke, { client_assertion, client_assertion_type, token: "x" }, null, auth)
})
const outcome = (kid: string, pair = first) => Effect.match(asserted(kid, pair), { onSuccess: () => "ok", onFailure: ({ _tag }) => _tag })
const keySet =
  (...keys: ReadonlyArray<object>) =>
  () =>
    responding(200, JSON.stringify({ keys }))

describe("the keys at the jwks_uri of a client", () => {
  rule("are read once, and kept for an hour", function* () {
    const { server, client } = keyServer()
    server.answer = keySet(firstJwk)
    const check = Effect.fnUntraced(
      function* (requests: number) {
        assert.strictEqual(yield* outcome("first"), "ok")
        assert.strictEqual(server.requests.length, requests)
      },
      Effect.provideService(PublicFetch, client),
    )
    yield* check(1)
    yield* TestClock.adjust("3590 seconds")
    yield* check(1)
  })

  rule("are read again for an unknown key, at most once in 30 seconds", function* () {
    const { server, client } = keyServer()
    server.answer = keySet(firstJwk)
    yield* Effect.gen(function* () {
      assert.strictEqual(yield* outcome("first"), "ok")
      server.answer = keySet(firstJwk, nextJwk)
      yield* TestClock.adjust("29 seconds")
      assert.strictEqual(yield* outcome("next", next), "invalid_client")
      assert.strictEqual(server.requests.length, 1)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* outcome("next", next), "ok")
      assert.strictEqual(yield* outcome("unknown", next), "invalid_client")
      assert.strictEqual(server.requests.length, 2)
    }).pipe(Effect.provideService(PublicFetch, client))
  })

  rule("twenty requests at once read them once", function* () {
    const { server, client } = keyServer()
    server.answer = keySet(firstJwk)
    const calls = times(20, () => asserted("first"))
    assert.deepStrictEqual(yield* Effect.provideService(atOnce(calls), PublicFetch, client), { ok: 20 })
    assert.strictEqual(server.requests.length, 1)
  })

  rule("stay valid while the server fails, and are unknown before it has answered", function* () {
    const { server, client } = keyServer()
    yield* Effect.gen(function* () {
      assert.strictEqual(yield* outcome("first"), "invalid_client")
      server.answer = keySet(firstJwk)
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(yield* outcome("first"), "ok")
      for (const answer of [
        () => responding(500),
        () => responding(302),
        () => responding(200, "no JSON"),
        keySet(),
        keySet({ kty: "oct", k: "AA" }),
        () => ({ ...responding(200), body: Option.none() }),
      ]) {
        server.answer = answer
        yield* TestClock.adjust("30 seconds")
        assert.strictEqual(yield* outcome("next", next), "invalid_client")
        assert.strictEqual(yield* outcome("first"), "ok")
      }
    }).pipe(Effect.provideService(PublicFetch, client))
  })
})
