import { NodeCrypto } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import type { Scope } from "effect"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { layer as textHashes } from "../../../adapters/crypto/text-hashes.ts"
import { insert, removeVersioned, Store } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"
import type { TextHashes } from "../../../domain/ports/text-hashes.ts"
import { singleUseToken } from "../../../domain/tokens/single-use-token.ts"
import { storeLayer } from "../../stores.ts"
import { atOnce, rows, times } from "../../world.ts"

const Holders = Table.make("holder", Schema.Struct({ id: Schema.String }), { key: "id" })

const Passes = Table.make("pass", Schema.Struct({ hash: Schema.String, holder_id: Schema.String, expires_at: Schema.DateTimeUtc }), {
  key: "hash",
  references: { holder_id: Holders },
  expires: "expires_at",
})

/** One row for each address. */
const Links = Table.make("link", Schema.Struct({ email: Schema.String, hash: Schema.String, expires_at: Schema.DateTimeUtc }), {
  key: "email",
  unique: ["hash"],
  expires: "expires_at",
})

const passes = singleUseToken(Passes, { kind: "pass" })
const links = singleUseToken(Links, { kind: "link" })

const email = "ada@example.com"

/** A committed pass of the holder `ada`, valid for 300 seconds. */
const issued = Effect.gen(function* () {
  const { token, expires_at, write } = yield* passes.issue({ holder_id: "ada" }, 300)
  yield* (yield* Store).commit([write])
  return { token, expires_at }
}).pipe(Effect.orDie)

const mailed = Effect.gen(function* () {
  const { token, write } = yield* links.issue({ email }, 300)
  yield* (yield* Store).commit([write])
  return token
}).pipe(Effect.orDie)

type Services = TextHashes | SecureRandom.SecureRandom | Store | Scope.Scope

const rule = (name: string, shown: () => Generator<Effect.Effect<any, any, Services>, unknown, never>) =>
  it.effect(name, () =>
    Effect.gen(function* () {
      yield* (yield* Store).commit([insert(Holders, { id: "ada" })])
      yield* Effect.gen(shown)
    }).pipe(Effect.provide(Layer.mergeAll(storeLayer([Holders, Passes, Links]), NodeCrypto.layer, textHashes))),
  )

describe("a single-use token", () => {
  rule("is 256 random bits, and the store has only its hash", function* () {
    const { token, expires_at } = yield* issued
    assert.match(token, /^[\w-]{43}$/)
    assert.notStrictEqual(token, (yield* issued).token)
    const stored = yield* rows(Passes)
    assert.lengthOf(stored, 2)
    for (const row of stored) {
      assert.notInclude(JSON.stringify(row), token)
      assert.deepStrictEqual([row.holder_id, row.expires_at], ["ada", expires_at])
    }
    assert.include(
      stored.map(({ hash }) => hash),
      yield* passes.hashOf(token),
    )
  })

  rule("has another form where a protocol prescribes one", function* () {
    const counted = singleUseToken(Links, { kind: "link", secret: Effect.succeed("0123456789abcdef") })
    const { token, write } = yield* counted.issue({ email }, 300)
    yield* (yield* Store).commit([write])
    assert.strictEqual(token, "0123456789abcdef")
    assert.isTrue(Option.isSome(yield* counted.take(token)))
  })

  rule("is valid only once its write is committed", function* () {
    const { token } = yield* passes.issue({ holder_id: "ada" }, 300)
    assert.isTrue(Option.isNone(yield* passes.read(token)))
    assert.isTrue(Option.isNone(yield* passes.take(token)))
  })

  rule("is taken once", function* () {
    const { token } = yield* issued
    const { token: other } = yield* issued
    assert.strictEqual(Option.getOrThrow(yield* passes.take(token)).holder_id, "ada")
    assert.isTrue(Option.isNone(yield* passes.take(token)))
    assert.isTrue(Option.isNone(yield* passes.read(token)))
    assert.isTrue(Option.isSome(yield* passes.take(other)))
  })

  rule("is taken by one of twenty concurrent callers", function* () {
    const { token } = yield* issued
    const taken = yield* Effect.all(
      times(20, () => passes.take(token)),
      { concurrency: "unbounded" },
    )
    assert.lengthOf(taken.filter(Option.isSome), 1)
  })

  rule("is not consumed by reading it", function* () {
    const { token } = yield* issued
    const read = Option.getOrThrow(yield* passes.read(token))
    assert.strictEqual(read.row.holder_id, "ada")
    const [pass, holder] = Option.getOrThrow(yield* passes.readWithReferenced(token, "holder_id"))
    assert.deepStrictEqual([pass, holder.row], [read, { id: "ada" }])
    assert.isTrue(Option.isSome(yield* passes.take(token)))
  })

  rule("is consumed by one of twenty concurrent commits that remove the row as it was read", function* () {
    const { token } = yield* issued
    const { commit } = yield* Store
    const read = yield* Effect.forEach(times(20, String), () => Effect.map(passes.read(token), Option.getOrThrow))
    const outcome = yield* atOnce(read.map((held) => commit([removeVersioned(Passes, held)])))
    assert.deepStrictEqual(outcome, { ok: 1, Conflict: 19 })
    assert.isTrue(Option.isNone(yield* passes.read(token)))
  })

  rule("is valid after 299 seconds and has expired after 300", function* () {
    const { token, expires_at } = yield* issued
    const { token: other } = yield* issued
    const link = yield* mailed
    yield* TestClock.adjust("299 seconds")
    assert.isTrue(Option.isSome(yield* passes.read(token)))
    assert.isTrue(Option.isSome(yield* passes.readWithReferenced(token, "holder_id")))
    assert.isTrue(Option.isSome(yield* links.read(link)))
    assert.isTrue(Option.isSome(yield* passes.take(other)))

    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(yield* DateTime.now, expires_at)
    assert.isTrue(Option.isNone(yield* passes.read(token)))
    assert.isTrue(Option.isNone(yield* passes.readWithReferenced(token, "holder_id")))
    assert.isTrue(Option.isNone(yield* links.read(link)))
    assert.isTrue(Option.isNone(yield* passes.take(token)))
    assert.lengthOf(yield* rows(Passes), 0)
  })

  rule("is not accepted as another kind, neither from its own table nor from another one", function* () {
    const { token } = yield* issued
    const kept = yield* mailed
    for (const others of [singleUseToken(Passes, { kind: "guest" }), singleUseToken(Passes, { kind: "" })]) {
      assert.isTrue(Option.isNone(yield* others.read(token)))
      assert.isTrue(Option.isNone(yield* others.readWithReferenced(token, "holder_id")))
      assert.isTrue(Option.isNone(yield* others.take(token)))
    }
    assert.isTrue(Option.isNone(yield* links.take(token)))
    assert.isTrue(Option.isNone(yield* passes.take(kept)))
    assert.isTrue(Option.isSome(yield* passes.take(token)))
    assert.isTrue(Option.isSome(yield* links.take(kept)))
  })

  rule("is refused in any other spelling, and its hash is no token", function* () {
    const { token } = yield* issued
    const hash = yield* passes.hashOf(token)
    for (const wrong of ["", `${token}=`, ` ${token}`, token.slice(1), hash, "\0", "\ud800", "x".repeat(10_000)]) {
      assert.isTrue(Option.isNone(yield* passes.read(wrong)), wrong)
      assert.isTrue(Option.isNone(yield* passes.take(wrong)), wrong)
    }
    assert.isTrue(Option.isSome(yield* passes.take(token)))
  })

  rule("replaces the previous one where the table has another key than the hash", function* () {
    const first = yield* mailed
    const second = yield* mailed
    assert.lengthOf(yield* rows(Links), 1)
    assert.isTrue(Option.isNone(yield* links.take(first)))
    assert.isTrue(Option.isSome(yield* links.take(second)))
  })
})
