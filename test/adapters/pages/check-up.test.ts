import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { passkey } from "../../../application/modules/passkey/index.ts"
import { twoFactor } from "../../../application/modules/two_factor/index.ts"
import type { AnyModule } from "../../../application/service/module.ts"
import { built, shownBy, step } from "../../two-factor.ts"
import { core, password, withVerified } from "../../world.ts"
import { served } from "../http/served.ts"
import { type Browse, type Shown, signedUp } from "./browse.ts"

const withModules = (...modules: ReadonlyArray<AnyModule>) => served({ modules: [...core, ...modules], pages: {} })
const passkeys = passkey.build({})
const mailed = twoFactor.build({ methods: ["email"], issuer: "service", backup_code_count: 10, required: "none" })

/** The card of the check-up as a person sees it. */
const checkUpOn = ({ text }: Shown) =>
  /Security check-up(.*?)(?:Your profile|Profile picture|$)/s.exec(text)?.[1] ?? assert.fail("no check-up")
const checkUp = (their: Browse) => Effect.map(their.open("/account"), checkUpOn)

describe("the security check-up", () => {
  it.layer(withModules(passkeys, built))((it) => {
    it.effect("asks for a verified address and a passkey, and later for new recovery codes", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("ada@example.com")
        yield* withVerified(ada.user.id, false)
        const unverified = yield* ada.open("/account")
        assert.include(checkUpOn(unverified), "Verify your email address")
        assert.include(checkUpOn(unverified), "A passkey is safer than a password")
        assert.strictEqual((yield* ada.press(unverified, "verify")).at, "/account")
        yield* withVerified(ada.user.id)
        assert.notInclude(yield* checkUp(ada), "Verify your email address")

        const app = yield* ada.api("/2fa/totp/enable", { password })
        yield* ada.api("/2fa/totp/confirm", { code: yield* shownBy(app.secret) })
        assert.include(yield* checkUp(ada), "Your account is well protected.")
        for (const backup_code of app.backup_codes.slice(0, 7)) yield* ada.api("/step-up", { backup_code })
        assert.include(yield* checkUp(ada), "Your account is well protected.")
        yield* TestClock.adjust(step * 1000)
        yield* ada.api("/step-up", { backup_code: app.backup_codes[7] })
        assert.include(yield* checkUp(ada), "2 recovery codes are left.")
      }),
    )
  })

  it.layer(withModules(built))((it) => {
    it.effect("asks for an authenticator app where there are no passkeys", () =>
      Effect.gen(function* () {
        assert.include(yield* checkUp(yield* signedUp("ada@example.com")), "Then a stolen password alone is not enough to sign in.")
      }),
    )
  })

  const none = { nothing: withModules(), "mailed codes only": withModules(mailed) }
  for (const [name, service] of Object.entries(none))
    it.layer(service)((it) => {
      it.effect(`asks for nothing that the service does not have: ${name}`, () =>
        Effect.gen(function* () {
          assert.include(yield* checkUp(yield* signedUp("ada@example.com")), "Your account is well protected.")
        }),
      )
    })
})
