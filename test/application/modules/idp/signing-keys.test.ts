import { createHash } from "node:crypto"
import { assert, describe } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from "jose"
import { commandPolicies } from "../../../../adapters/assembly/service.ts"
import { rotateKeys } from "../../../../application/modules/idp/keys/signing-keys.ts"
import { SigningKeys } from "../../../../application/modules/idp/tables.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { Store } from "../../../../domain/ports/store.ts"
import { rotate } from "../../../../domain/secrets/sealing.ts"
import * as Keys from "../../../../domain/tokens/keys.ts"
import { rulesOf } from "../../../rule.ts"
import { core, rows, secret, signedUp, times, type WorldServices } from "../../../world.ts"
import { builtWith, call, issuer, presented, settingsOf, spa } from "./provider.ts"

const algorithms = ["EdDSA", "RS256", "ES256"] as const
const clientOf = (alg: (typeof algorithms)[number]) => ({ ...spa, client_id: alg, id_token_signed_response_alg: alg })
const configured = { clients: algorithms.map(clientOf) }
const settings = settingsOf(configured)
const module = builtWith(configured)
const { oauth2Authorize, oauth2Jwks, oauth2Token, wellKnownOpenidConfiguration } = module.endpoints
const auth = AuthOf.make([...core, module])
const rule = rulesOf([...core, module])

const day = 86_400
const published = call(oauth2Jwks, {}, null, auth)
const kidsOf = (alg: string) => Effect.map(published, ({ keys }) => keys.filter((key) => key.alg === alg).map(({ kid }) => kid))

/** An ID token of a new sign-in, and its access token. */
const tokensOf = Effect.fnUntraced(function* (client_id: string, email: string) {
  const their = yield* signedUp(email, auth)
  const request = { client_id, redirect_uri: spa.redirect_uris[0], response_type: "code", scope: "openid" }
  const challenge = createHash("sha256").update(presented.spa("").code_verifier).digest("base64url")
  const { redirect } = yield* their.body(oauth2Authorize, { ...request, code_challenge: challenge, code_challenge_method: "S256" })
  const code = new URL(redirect).searchParams.get("code") ?? ""
  const { access_token, id_token = "" } = yield* call(oauth2Token, { ...presented.spa(code), client_id }, null, auth)
  return { access_token, id_token, request: { ...request, code_challenge: challenge, code_challenge_method: "S256" } }
})

const verified = Effect.fnUntraced(function* (id_token: string, algorithm: string, now: number) {
  const set = createLocalJWKSet({ keys: [...(yield* published).keys] as Array<{ kty: string }> })
  const options = { issuer, algorithms: [algorithm], currentDate: new Date(now * 1000) }
  return (yield* Effect.promise(() => jwtVerify(id_token, set, options))).payload
})

describe("the signing keys", () => {
  rule("sign the ID tokens of each client with its algorithm", function* () {
    assert.sameMembers((yield* call(wellKnownOpenidConfiguration, {}, null, auth)).id_token_signing_alg_values_supported as Array<string>, [
      ...algorithms,
    ])
    for (const alg of algorithms) {
      const { access_token, id_token } = yield* tokensOf(alg, `${alg}@example.com`)
      const { kid, ...header } = decodeProtectedHeader(id_token)
      assert.deepStrictEqual(header, { alg, typ: "JWT" })
      assert.deepStrictEqual(yield* kidsOf(alg), [kid ?? ""])
      const claims = yield* verified(id_token, alg, 0)
      const hash = createHash(alg === "EdDSA" ? "sha512" : "sha256")
        .update(access_token)
        .digest()
      assert.strictEqual(claims["at_hash"], hash.subarray(0, hash.length / 2).toString("base64url"))
    }
  })

  rule("publish no private part, and are stored encrypted", function* () {
    const { keys } = yield* published
    const members = { EdDSA: "alg crv kid kty use x", RS256: "alg e kid kty n use", ES256: "alg crv kid kty use x y" }
    for (const alg of algorithms) {
      const [key] = keys.filter((each) => each.alg === alg)
      assert.strictEqual(
        Object.keys(key ?? {})
          .sort()
          .join(" "),
        members[alg],
      )
    }
    for (const { public_jwk, sealed_jwk } of yield* rows(SigningKeys)) {
      assert.notProperty(JSON.parse(public_jwk), "d")
      assert.isBelow(sealed_jwk.length, 2600)
    }
  })

  rule("of many first requests, one generates them", function* () {
    const sets = yield* Effect.all(
      times(20, () => published),
      { concurrency: "unbounded" },
    )
    assert.lengthOf(yield* rows(SigningKeys), 3)
    for (const { keys } of sets) assert.deepStrictEqual(keys, sets[0]?.keys)
  })

  rule("are published for a day before they sign, and after that until no token of theirs is valid", function* () {
    const { id_token, request } = yield* tokensOf("ES256", "ada@example.com")
    const [first] = yield* kidsOf("ES256")
    assert.strictEqual(decodeProtectedHeader(id_token).kid, first)
    yield* TestClock.adjust(`${89 * day - 1} seconds`)
    assert.lengthOf(yield* kidsOf("ES256"), 1)
    yield* TestClock.adjust("61 seconds")
    const [second, ...others] = yield* kidsOf("ES256")
    assert.deepStrictEqual(others, [first])
    const signer = (email: string) => Effect.map(tokensOf("ES256", email), (tokens) => decodeProtectedHeader(tokens.id_token).kid)
    assert.strictEqual(yield* signer("bob@example.com"), first)
    yield* TestClock.adjust(`${day - 1} seconds`)
    assert.strictEqual(yield* signer("cat@example.com"), first)
    yield* TestClock.adjust("61 seconds")
    assert.strictEqual(yield* signer("dan@example.com"), second)
    assert.deepStrictEqual(yield* kidsOf("ES256"), [second, first])
    yield* TestClock.adjust(`${day + settings.id_token_ttl} seconds`)
    assert.deepStrictEqual(yield* kidsOf("ES256"), [second])

    const hinted = Effect.fnUntraced(function* (email: string) {
      const another = yield* signedUp(email, auth)
      const { redirect } = yield* another.body(oauth2Authorize, { ...request, id_token_hint: id_token })
      return new URL(redirect).searchParams.get("error")
    })
    assert.strictEqual(yield* hinted("eve@example.com"), "login_required")
    yield* TestClock.adjust(`${89 * day} seconds`)
    assert.strictEqual(yield* hinted("fay@example.com"), "invalid_request")
  })

  rule("are removed 90 days after they were replaced", function* () {
    for (const _ of times(6, String)) {
      yield* published
      yield* TestClock.adjust(`${90 * day} seconds`)
    }
    yield* published
    const generations = (yield* rows(SigningKeys)).filter(({ alg }) => alg === "RS256").map(({ generation }) => generation)
    assert.deepStrictEqual(generations.toSorted(), [5, 6, 7])
  })

  rule("can be rotated at any time, and one rotation is under way at most", function* () {
    yield* published
    const counts = yield* Effect.all(
      times(10, () => rotateKeys(settings)),
      { concurrency: "unbounded" },
    )
    assert.isAtLeast(counts.filter((count) => count === 3).length, 1)
    assert.lengthOf(yield* rows(SigningKeys), 6)
    assert.strictEqual(yield* rotateKeys(settings), 0)
    for (const alg of algorithms) assert.lengthOf(yield* kidsOf(alg), 2)
  })

  rule("are rotated while users sign in at two processes: relying parties know the key of every ID token before it signs", function* () {
    // The cache of keys belongs to a Store, so that a second value of the same store is a second process.
    const store = yield* Store
    const copy = Store.of({ ...store })
    const processes = [store, copy].map((own) => Effect.provideService(Store, own))
    const knownTo = Effect.fnUntraced(function* () {
      const sets = yield* Effect.forEach(processes, (inProcess) => inProcess(published))
      return sets.map(({ keys }) => keys.map(({ kid }) => kid))
    })
    let round = 0
    const signedIn = Effect.fnUntraced(function* (alongside: Effect.Effect<unknown, never, WorldServices> = Effect.void) {
      round += 1
      const signIns = times(10, (index) => processes[index % 2]!(tokensOf("ES256", `user${round}-${index}@example.com`)))
      const outcomes = signIns.map((signIn) => Effect.map(signIn, ({ id_token }) => decodeProtectedHeader(id_token).kid ?? ""))
      const [, ...kids] = yield* Effect.all([alongside, ...outcomes.slice(0, 5), ...outcomes.slice(5)], { concurrency: "unbounded" })
      return kids as ReadonlyArray<string>
    })
    const expectKnown = (kids: ReadonlyArray<string>, sets: ReadonlyArray<ReadonlyArray<string>>) => {
      for (const set of sets) assert.includeMembers([...set], [...new Set(kids)])
    }

    const before = yield* knownTo()
    const rotations = Effect.all([rotateKeys(settings), processes[1]!(rotateKeys(settings))], { concurrency: "unbounded" })
    expectKnown(yield* signedIn(rotations), before)
    assert.lengthOf(yield* rows(SigningKeys), 6)
    yield* TestClock.adjust(`${day - 3600} seconds`)
    const anHourAhead = yield* knownTo()
    yield* TestClock.adjust("3599 seconds")
    expectKnown(yield* signedIn(), before)
    yield* TestClock.adjust("1 second")
    const kids = yield* signedIn()
    expectKnown(kids, anHourAhead)
    assert.isFalse(kids.some((kid) => before[0]?.includes(kid)))
  })

  rule("stay the same when the secret of the service is rotated", function* () {
    const before = yield* published
    const under = (...secrets: ReadonlyArray<string>) => Effect.provide(Layer.orDie(Keys.layer(secrets.map((text) => Redacted.make(text)))))
    const newer = "a newer secret, also long enough to be one"
    const rotated = yield* under(
      newer,
      secret,
    )(Effect.provide(rotate(auth.tables, { removeUnreadable: false }), commandPolicies([...core, module])))
    assert.strictEqual(rotated.find(({ column }) => column === "idp_key.sealed_jwk")?.resealed, 3)
    yield* TestClock.adjust("61 seconds")
    assert.deepStrictEqual(yield* under(newer)(published), before)
    const { id_token } = yield* under(newer)(tokensOf("RS256", "ada@example.com"))
    yield* verified(id_token, "RS256", 61)
  })
})
