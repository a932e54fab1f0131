import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { mailLinks } from "../../../adapters/pages/mail-links.ts"
import { builtWith } from "../../application/modules/idp/provider.ts"
import { modules as everything } from "../../everything.ts"
import { ask, base } from "../http/served.ts"
import { browse, origin, signedUp, withPages } from "./browse.ts"

const grant_type = "urn:ietf:params:oauth:grant-type:device_code"
const tv = {
  client_id: "tv",
  client_secret: "",
  grant_types: [grant_type],
  scopes: ["openid", "looms:write"],
  client_name: "The TV & Sons",
}
const modules = [...everything.filter(({ name }) => name !== "idp"), builtWith({ clients: [tv] })]
const links = mailLinks({ path: "/", routes: {} }, { public_url: origin, links: {} }, { idp: {} })

/** The JSON that the device gets. */
const sent = Effect.fnUntraced(function* (path: string, fields: Record<string, string>) {
  const headers = { "content-type": "application/x-www-form-urlencoded" }
  const body = new URLSearchParams({ client_id: "tv", ...fields }).toString()
  return (yield* ask("POST", `${base}${path}`, { headers, body })).json
})
const begun = sent("/oauth2/device-authorization", {})
const polled = (device_code: string) => sent("/oauth2/token", { grant_type, device_code })
const pathOf = (uri: string) => uri.slice(origin.length)

describe("the page for devices", () => {
  it.layer(withPages(modules, { links }))((it) => {
    it.effect("asks for the code, shows it for comparison, and connects the device", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("ada@example.com")
        const { device_code, user_code, verification_uri } = yield* begun
        const page = yield* ada.open(pathOf(verification_uri))
        assert.deepStrictEqual([page.at, page.heading], ["/device", "Connect a device"])
        const wrong = yield* ada.press(page, "find", { code: "BBBB-BBBB" })
        assert.include(wrong.problem, "This code is wrong or has expired.")

        const asked = yield* ada.press(page, "find", { code: user_code.toLowerCase() })
        assert.strictEqual(asked.heading, "The TV & Sons wants to use your account")
        for (const part of [user_code, "ada@example.com", "Use the permission looms:write", "another person"])
          assert.include(asked.text, part)
        assert.strictEqual((yield* polled(device_code)).error, "authorization_pending")

        assert.strictEqual((yield* ada.press(asked, "allow")).heading, "You are connected")
        assert.isString((yield* polled(device_code)).access_token)
        yield* TestClock.adjust("1 minute")
        assert.include((yield* ada.press(asked, "allow")).problem, "This code is wrong or has expired.")
      }),
    )

    it.effect("is shown after signing in, with the code of the address, and never connects unasked", () =>
      Effect.gen(function* () {
        const { device_code, verification_uri_complete } = yield* begun
        const signIn = yield* browse().open(pathOf(verification_uri_complete))
        assert.match(signIn.at, /^\/sign-in\?return_to=%2Fdevice%3Fuser_code%3D/)
        const ada = yield* signedUp("grace@example.com")
        const asked = yield* ada.open(pathOf(verification_uri_complete))
        assert.strictEqual((yield* polled(device_code)).error, "authorization_pending")
        assert.strictEqual((yield* ada.request("POST", asked.at, { action: "allow" })).status, 403)
        assert.strictEqual((yield* ada.press(asked, "deny")).heading, "The device is not connected")
        assert.strictEqual((yield* polled(device_code)).error, "access_denied")
      }),
    )

    it.effect("asks again after a wrong code in the address", () =>
      Effect.gen(function* () {
        const page = yield* (yield* signedUp("mary@example.com")).open("/device?user_code=BBBB-BBBB")
        assert.deepStrictEqual([page.status, page.heading], [400, "Connect a device"])
        assert.include(page.problem, "This code is wrong or has expired.")
      }),
    )
  })
})
