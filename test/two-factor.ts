import { DateTime, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { generateSync } from "otplib"
import { TwoFactorChallenge } from "../application/modules/two_factor/challenge.ts"
import { twoFactor } from "../application/modules/two_factor/index.ts"
import type { Reply } from "../application/service/endpoint.ts"
import type { browser } from "./world.ts"
import { endpoints, password, withVerified } from "./world.ts"

/** The module as tests use it. */
export const built = twoFactor.build({ methods: ["totp"], issuer: "service", backup_code_count: 10, required: "none" })

type Browser = ReturnType<typeof browser>

/** The time step of codes in seconds. */
export const step = 30

/** The code of an authenticator app, this many time steps from now. */
export const shownBy = (secret: string, steps = 0) =>
  Effect.map(DateTime.now, (now) => generateSync({ secret, epoch: Math.floor(DateTime.toEpochMillis(now) / 1000) + steps * step }))

/** Verifies the address of a browser's user, as second factors and passkeys require. */
export const verified = Effect.fnUntraced(function* (their: Browser) {
  const { user } = yield* their.body(endpoints.getSession)
  yield* withVerified(user?.id ?? "unknown")
})

/** The same only during this effect, as for a factor that was added before the address was changed. */
export const whileVerified = Effect.fnUntraced(function* <A, E, R>(their: Browser, effect: Effect.Effect<A, E, R>) {
  const { user } = yield* their.body(endpoints.getSession)
  const { id = "unknown", email_verified = false } = user ?? {}
  yield* withVerified(id)
  const done = yield* effect
  yield* withVerified(id, email_verified)
  return done
})

/** Sets an authenticator app up for a browser's user; afterwards the app shows a new code. */
export const enrolled = Effect.fnUntraced(function* (their: Browser, proof: object = { password }, module: typeof built = built) {
  const { twoFactorTotpEnable, twoFactorTotpConfirm } = module.endpoints
  const app = yield* their.body(twoFactorTotpEnable, proof)
  yield* whileVerified(their, their.body(twoFactorTotpConfirm, { code: yield* shownBy(app.secret) }))
  yield* TestClock.adjust(step * 1000)
  return app
})

/** The challenge of a sign-in; any other answer makes the test fail. */
export const challengeIn = ({ body }: Pick<Reply<unknown>, "body">) => Schema.decodeUnknownSync(TwoFactorChallenge)(body)
