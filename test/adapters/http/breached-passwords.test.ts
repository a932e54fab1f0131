import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as CommonPasswords from "../../../adapters/passwords/common-passwords.ts"
import * as PwnedPasswords from "../../../adapters/passwords/pwned-passwords.ts"
import { password } from "../../world.ts"
import { always, gateway } from "../sms/server.ts"
import { Logged, post, refused, served } from "./served.ts"

/** SHA-1 of "password": 5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8. */
const api = gateway((request, response) =>
  request.url === "/range/5BAA6"
    ? always(200, "1E4C9B93F3F0682250B6CF8331B7EE68FD8:9\r\n")(request, response)
    : always(503)(request, response),
)
const pwned = Layer.unwrap(Effect.map(api, ({ origin }) => PwnedPasswords.layer({ url: origin }))).pipe(
  Layer.provide(NodeHttpClient.layerUndici),
)

describe("a password over HTTP", () => {
  layer(served({ instead: pwned }), { excludeTestServices: true })((it) => {
    it.effect("known from a breach is refused at sign-up", () =>
      Effect.gen(function* () {
        const answer = yield* post("/sign-up/email", { email: "ada@example.com", password: "password" })
        assert.strictEqual(refused(answer), "400 invalid_request")
        assert.include(answer.text, "data breach")
      }),
    )

    it.effect("is accepted while the list of breaches is unavailable, and the log says so without the password", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* post("/sign-up/email", { email: "bob@example.com", password })).status, 200)
        const log = (yield* Logged).join("\n")
        assert.include(log, "a password was accepted without a check for breaches")
        assert.notInclude(log, password)
      }),
    )
  })

  layer(served({ instead: CommonPasswords.layer }), { excludeTestServices: true })((it) => {
    it.effect("from the list of most-guessed passwords is refused at sign-up", () =>
      Effect.gen(function* () {
        const answer = yield* post("/sign-up/email", { email: "ada@example.com", password: "iloveyou" })
        assert.strictEqual(refused(answer), "400 invalid_request")
        assert.strictEqual((yield* post("/sign-up/email", { email: "ada@example.com", password })).status, 200)
      }),
    )
  })
})
