import { createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { Base64Url } from "effect/encoding"
import { TestClock } from "effect/testing"
import { matchCode } from "../../../application/modules/two_factor/codes.ts"
import type { TwoFactor } from "../../../application/modules/two_factor/tables.ts"
import { noFailures } from "../../../domain/sign-in/lockout.ts"
import { counterBytes, stepAt, truncated } from "../../../domain/sign-in/totp.ts"
import { Keys } from "../../../domain/tokens/keys.ts"
import { vectors } from "../../vectors.ts"
import { world } from "../../world.ts"

interface Timed {
  readonly secret: string
  readonly vectors: ReadonlyArray<{ readonly epoch: number; readonly expected: string; readonly t: string }>
}
interface Vectors {
  readonly hotp: {
    readonly secretAscii: string
    readonly vectors: ReadonlyArray<{ readonly counter: number; readonly expected: string; readonly hmac: string }>
  }
  readonly totp: { readonly digits: number; readonly sha1: Timed; readonly sha256: Timed; readonly sha512: Timed }
}

describe("one-time passwords", () => {
  const read = () => vectors<Vectors>("otp/rfc4226-rfc6238.json")

  it("RFC 4226: every value", () => {
    const { hotp } = read()
    assert.lengthOf(hotp.vectors, 10)
    for (const { counter, expected, hmac } of hotp.vectors) {
      const mac = createHmac("sha1", hotp.secretAscii).update(counterBytes(counter)).digest()
      assert.strictEqual(mac.toString("hex"), hmac)
      assert.strictEqual(truncated(mac), expected)
    }
  })

  it("RFC 6238: every value, with each of its hashes", () => {
    const { totp } = read()
    for (const hash of ["sha1", "sha256", "sha512"] as const) {
      assert.lengthOf(totp[hash].vectors, 6)
      for (const { epoch, expected, t } of totp[hash].vectors) {
        const counter = counterBytes(stepAt(DateTime.makeUnsafe(epoch * 1000)))
        assert.strictEqual(Buffer.from(counter).toString("hex"), t)
        const mac = createHmac(hash, totp[hash].secret).update(counter).digest()
        assert.strictEqual(truncated(mac, totp.digits), expected, `${hash} ${epoch}`)
      }
    }
  })

  it.effect("RFC 6238: every value of SHA-1, with six digits, is accepted at its time and once", () =>
    Effect.gen(function* () {
      const { totp } = read()
      const now = yield* DateTime.now
      const secret = yield* (yield* Keys).seal("two_factor", Base64Url.encode(new TextEncoder().encode(totp.sha1.secret)))
      let app: TwoFactor = {
        user_id: "ada",
        secret,
        backup_codes: [],
        used_steps: [],
        ...noFailures,
        confirmed_at: now,
        created_at: now,
        updated_at: now,
      }
      for (const { epoch, expected } of totp.sha1.vectors) {
        yield* TestClock.setTime(epoch * 1000)
        const match = yield* matchCode(app, expected.slice(-6))
        assert.include(Option.getOrThrow(match).used_steps, Math.floor(epoch / 30))
        app = { ...app, ...Option.getOrThrow(match) }
        assert.isTrue(Option.isNone(yield* matchCode(app, expected.slice(-6))))
      }
    }).pipe(Effect.provide(world())),
  )
})
