import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { codingOf } from "../../../adapters/pages/encoding.ts"
import { type Browse, browse, signUp } from "./browse.ts"
import { root, rootAgain, withConsole } from "./console/console.ts"

const encodings = "gzip, deflate, br, zstd"
const asked = (browser: Browse, path: string, site: string) =>
  browser.request("GET", path, undefined, { "accept-encoding": encodings, "sec-fetch-site": site })

describe("the coding of a response", () => {
  it.each([
    [undefined, undefined],
    ["", undefined],
    ["identity, deflate", undefined],
    [encodings, "br"],
    ["gzip", "gzip"],
    ["BR;q=0.5, gzip;q=1.0", "br"],
    ["br;q=0, gzip", "gzip"],
    ["br; q=0.000, gzip;q=0", undefined],
    ["br;q=0.01", "br"],
    ["brotli, xgzip", undefined],
  ])("for %j is %j", (accepted, coding) => {
    assert.strictEqual(codingOf(accepted), coding)
  })
})

describe("responses of the pages", () => {
  it.layer(withConsole())((it) => {
    it.effect("are compressed if they are files, with the same content", () =>
      Effect.gen(function* () {
        const her = browse()
        const { html } = yield* her.open("/sign-in")
        const path = /"(\/assets\/page\.[^"]+)"/.exec(html)?.[1] ?? ""
        const plain = yield* her.request("GET", path)
        assert.isUndefined(plain.headers["content-encoding"])
        for (const [accepted, coding] of [[encodings, "br"] as const, ["gzip", "gzip"] as const]) {
          const { headers, text } = yield* her.request("GET", path, undefined, { "accept-encoding": accepted })
          assert.deepStrictEqual([headers["content-encoding"], headers.vary, text], [coding, "Accept-Encoding", plain.text])
          assert.isBelow(Number(headers["content-length"]), Number(plain.headers["content-length"]) / 2)
        }
      }),
    )

    it.effect("are compressed if they are pages of the console that no other site asked for", () =>
      Effect.gen(function* () {
        const owner = yield* root
        for (const site of ["same-origin", "none"]) {
          const { headers, text } = yield* asked(owner, "/admin/users", site)
          assert.deepStrictEqual([headers["content-encoding"], text.includes("</main>")], ["br", true])
          assert.include(headers.vary, "Accept-Encoding, Sec-Fetch-Site")
        }
        for (const site of ["cross-site", "same-site", ""])
          assert.isUndefined((yield* asked(owner, "/admin/users", site)).headers["content-encoding"], site)
        const { headers } = yield* owner.request("GET", "/admin/users", undefined, { "accept-encoding": encodings })
        assert.isUndefined(headers["content-encoding"])
      }),
    )

    it.effect("are not compressed if they are other pages, or show a new secret", () =>
      Effect.gen(function* () {
        const her = browse()
        yield* signUp(her)
        assert.isUndefined((yield* asked(her, "/account", "none")).headers["content-encoding"])
        const owner = yield* rootAgain
        const { client } = yield* owner.api("/admin/clients/create", {
          client_name: "Reports",
          token_endpoint_auth_method: "client_secret_basic",
          grant_types: ["client_credentials"],
          scopes: ["read"],
        })
        const asking = yield* owner.open(`/admin/client/secret?id=${client.client_id}`)
        const form = owner.formOf(asking, "confirm")
        const { headers } = yield* owner.request("POST", form.to, { ...form.values, action: "confirm" })
        const shown = yield* asked(owner, headers.location ?? "", "same-origin")
        assert.include(shown.text, "It is shown only once")
        assert.isUndefined(shown.headers["content-encoding"])
        assert.strictEqual((yield* asked(owner, headers.location ?? "", "same-origin")).headers["content-encoding"], "br")
      }),
    )
  })
})
