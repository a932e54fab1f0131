import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { builtWith } from "../../application/modules/idp/provider.ts"
import { core } from "../../world.ts"
import { ask, base, served } from "./served.ts"

const initial = "an-initial-access-token-of-forty-characters"
const modules = [...core, builtWith({ registration_tokens: [initial] })]
const redirect_uris = ["https://wiki.example.com/callback"]

const sent = (method: string, token: string, query = "", body?: object) =>
  ask(method, `${base}/oauth2/register${query}`, {
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

describe("registration over HTTP", () => {
  it.layer(served({ modules }))((it) => {
    it.effect("uses POST, GET, PUT and DELETE, as RFC 7591 and RFC 7592 say", () =>
      Effect.gen(function* () {
        const created = yield* sent("POST", initial, "", { redirect_uris })
        assert.strictEqual(created.status, 201)
        const { client_id, registration_access_token: token, registration_client_uri } = created.json
        const query = new URL(registration_client_uri).search
        assert.deepStrictEqual((yield* sent("GET", token, query)).json.redirect_uris, redirect_uris)
        const changed = yield* sent("PUT", token, query, { client_id, redirect_uris, client_name: "The Wiki" })
        assert.deepStrictEqual([changed.status, changed.json.client_name], [200, "The Wiki"])
        assert.strictEqual((yield* sent("DELETE", token, query)).status, 204)
        assert.strictEqual((yield* sent("GET", token, query)).status, 401)
      }),
    )

    it.effect("has the errors of RFC 7591 section 3.2.2", () =>
      Effect.gen(function* () {
        const refused = yield* sent("POST", initial, "", { redirect_uris: ["http://wiki.example.com/"] })
        assert.deepStrictEqual([refused.status, refused.json.error], [400, "invalid_redirect_uri"])
        const unknown = yield* sent("POST", "unknown", "", { redirect_uris })
        assert.deepStrictEqual([unknown.status, unknown.json.error], [401, "invalid_token"])
        assert.match(unknown.headers["www-authenticate"] ?? "", /^Bearer error="invalid_token"/)
      }),
    )
  })
})
