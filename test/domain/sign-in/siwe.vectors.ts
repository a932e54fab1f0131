import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { SiweNonces, siwe } from "../../../application/modules/siwe/index.ts"
import { Ethereum } from "../../../domain/ports/ethereum.ts"
import { insert, Store } from "../../../domain/ports/store.ts"
import type { SiweMessage } from "../../../domain/sign-in/siwe.ts"
import { parse } from "../../../domain/sign-in/siwe.ts"
import { tokenHash } from "../../../domain/tokens/keys.ts"
import type { Parts } from "../../siwe.ts"
import { written } from "../../siwe.ts"
import { vectors } from "../../vectors.ts"
import { browser, core, world } from "../../world.ts"

type Named<A> = Readonly<Record<string, A>>

interface Signed extends Parts {
  readonly signature: string
  readonly time?: string
  readonly domainBinding?: string
  readonly matchNonce?: string
}

const read = Effect.fnUntraced(function* (text: string) {
  const { checksummed } = yield* Ethereum
  const message = Option.getOrNull(parse(text))
  return message !== null && (yield* checksummed(message.address)) === message.address ? message : null
})

/** A message with the values of a vector. */
const inTheirWords = ({ issued_at, expiration_time, not_before, ...message }: SiweMessage) => ({
  ...{ scheme: message.scheme, domain: message.domain, address: message.address, uri: message.uri, version: "1" },
  ...{ statement: message.statement ?? undefined, requestId: message.request_id ?? undefined },
  ...{ chainId: message.chain_id, nonce: message.nonce, issuedAt: DateTime.formatIso(issued_at) },
  expirationTime: expiration_time === null ? undefined : DateTime.formatIso(expiration_time),
  notBefore: not_before === null ? undefined : DateTime.formatIso(not_before),
  resources: message.resources.length > 0 ? message.resources : undefined,
})

/** The time for the signatures whose vector names none. */
const today = "2026-11-21T00:00:00Z"

/** The result for a signed message under the vector's expectations: a code, or the address. */
const resultOf = (message: string, expected: Omit<Signed, "signature">, signature: string) => {
  const wallets = siwe.build({ domain: expected.domainBinding ?? expected.domain ?? "", chain_id: 1, nonce_ttl: 600 })
  return Effect.gen(function* () {
    const time = DateTime.makeUnsafe(expected.time ?? today)
    yield* TestClock.setTime(DateTime.toEpochMillis(time))
    const hash = yield* tokenHash("siwe-nonce", expected.matchNonce ?? expected.nonce ?? "")
    yield* (yield* Store).commit([insert(SiweNonces, { hash, expires_at: DateTime.add(time, { seconds: 1 }) })])

    return yield* Effect.match(browser().call(wallets.endpoints.siweVerify, { message, signature }), {
      onFailure: ({ _tag }) => _tag,
      onSuccess: ({ body }) => body.address,
    })
  }).pipe(Effect.provide(world([...core, wallets])))
}

describe("wallets' vectors", () => {
  it.effect("every message is parsed into its fields", () =>
    Effect.gen(function* () {
      const cases = Object.entries(
        vectors<Named<{ readonly message: string; readonly fields: Parts & { readonly issuedAt: string } }>>(
          "siwe/spruceid-parsing_positive.json",
        ),
      )
      assert.lengthOf(cases, 19)
      for (const [name, { message, fields }] of cases) {
        const found = yield* read(message)
        assert.isNotNull(found, name)
        const issuedAt = DateTime.formatIso(DateTime.makeUnsafe(fields.issuedAt))
        const { expirationTime, notBefore, statement, requestId, resources } = { ...fields }
        const optional = { expirationTime, notBefore, statement, requestId, resources }
        if (found) assert.deepStrictEqual(inTheirWords(found), { scheme: null, ...optional, ...fields, issuedAt } as object, name)
      }
    }).pipe(Effect.provide(world(core))),
  )

  it.effect("every malformed text is refused", () =>
    Effect.gen(function* () {
      const texts = Object.entries(vectors<Named<string>>("siwe/spruceid-parsing_negative.json"))
      const objects = Object.entries(vectors<Named<Parts>>("siwe/spruceid-parsing_negative_objects.json"))
      assert.deepStrictEqual([texts.length, objects.length], [29, 18])
      for (const [name, text] of texts) assert.isNull(yield* read(text), name)
      for (const [name, parts] of objects) assert.isNull(yield* read(written(parts)), name)
    }).pipe(Effect.provide(world(core))),
  )

  it.effect("every right signature signs in", () =>
    Effect.gen(function* () {
      const cases = Object.entries(vectors<Named<Signed>>("siwe/spruceid-verification_positive.json"))
      assert.lengthOf(cases, 4)
      for (const [name, signed] of cases)
        assert.strictEqual(yield* resultOf(written(signed), signed, signed.signature), signed.address, name)
    }),
  )

  it.effect("every wrong one is refused for its reason", () =>
    Effect.gen(function* () {
      const cases = vectors<Named<Signed>>("siwe/spruceid-verification_negative.json")
      const found: Record<string, string | undefined> = {}
      for (const [name, signed] of Object.entries(cases)) found[name] = yield* resultOf(written(signed), signed, signed.signature)
      assert.deepStrictEqual(found, {
        "expired message": "expired_message",
        "domain binding": "invalid_message",
        "custom time": "expired_message",
        "custom nonce": "invalid_nonce",
        "malformed signature": "invalid_signature",
        "wrong signature": "invalid_signature",
        "not yet valid": "invalid_message",
        "invalid issuedAt": "invalid_message",
        "invalid notBefore": "invalid_message",
        "invalid expirationTime": "invalid_message",
      })
    }),
  )

  it.effect("signatures of contracts, which only their chain could verify, are refused", () =>
    Effect.gen(function* () {
      const cases = Object.entries(vectors<Named<{ readonly message: string; readonly signature: string }>>("siwe/spruceid-eip1271.json"))
      assert.lengthOf(cases, 2)
      for (const [name, { message, signature }] of cases) {
        const { nonce = "", domain } = (yield* Effect.provide(read(message), world(core))) ?? {}
        assert.strictEqual(domain, "localhost:4361")
        assert.strictEqual(yield* resultOf(message, { nonce, domain: "localhost:4361" }, signature), "invalid_signature", name)
      }
    }),
  )
})
