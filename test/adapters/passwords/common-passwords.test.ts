import { describe, expect, layer } from "@effect/vitest"
import { dictionary } from "@zxcvbn-ts/language-common"
import { Effect, Result } from "effect"
import * as CommonPasswords from "../../../adapters/passwords/common-passwords.ts"
import { Blocklist, layerNone } from "../../../domain/ports/blocklist.ts"
import { check } from "../../../domain/sign-in/passwords.ts"

const outcome = (password: string, blocklist: Blocklist["Service"]) =>
  Result.match(check(password, { min_password_length: 8, max_password_length: 128, blocklist }), {
    onSuccess: () => "accepted",
    onFailure: (error) => error._tag,
  })

/** Passwords from the list of zxcvbn 4.4.2: the first ones of eight or more characters, and some near rank 3000 of these. Some are reversed. */
const known = [
  "password",
  "12345678",
  "baseball",
  "football",
  "trustno1",
  "poiuytrewq",
  "0987654321q",
  "qwertyuiop",
  "iloveyou",
  "1q2w3e4r",
]

describe("the common passwords", () => {
  layer(CommonPasswords.layer)((it) => {
    it.effect.each(known)("refuse %s", (password) =>
      Effect.map(Blocklist, (list) => expect(outcome(password, list)).toBe("invalid_request")),
    )

    it.effect("refuse them in capitals", () =>
      Effect.map(Blocklist, (list) => {
        expect(outcome("PassWord", list)).toBe("invalid_request")
        expect(outcome("QWERTYUIOP", list)).toBe("invalid_request")
      }),
    )

    it.effect("are enough for ASVS 6.2.4: more than 3000 have the required eight characters, and each is refused", () =>
      Effect.gen(function* () {
        const list = yield* Blocklist
        const long = dictionary["passwords-common"].filter((password) => password.length >= 8)
        expect(long.length).toBeGreaterThan(3000)
        expect(long.filter((password) => outcome(password, list) !== "invalid_request")).toEqual([])
      }),
    )

    it.effect("do not refuse uncommon ones", () =>
      Effect.map(Blocklist, (list) => {
        for (const password of ["correct horse battery staple", "password ", "пароль-девять", "\u{1F511}".repeat(8)]) {
          expect(outcome(password, list)).toBe("accepted")
        }
      }),
    )
  })

  layer(layerNone)((it) => {
    it.effect("are allowed without a list", () => Effect.map(Blocklist, (list) => expect(outcome("password", list)).toBe("accepted")))
  })
})
