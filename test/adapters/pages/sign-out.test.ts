import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { decodeJwt } from "jose"
import { mailLinks } from "../../../adapters/pages/mail-links.ts"
import { builtWith, presented, requests, spa } from "../../application/modules/idp/provider.ts"
import { modules as everything } from "../../everything.ts"
import type { Browse } from "./browse.ts"
import { origin, signedUp, withPages } from "./browse.ts"

const out = "https://spa.example.com/out"
const client = { ...spa, post_logout_redirect_uris: [out] }
const framed = {
  ...client,
  client_id: "framed",
  frontchannel_logout_uri: "https://spa.example.com/frame?a=b",
  frontchannel_logout_session_required: true,
}
const modules = [...everything.filter(({ name }) => name !== "idp"), builtWith({ clients: [client, framed] })]
const links = mailLinks({ path: "/", routes: {} }, { public_url: origin, links: {} }, { idp: {} })
const plain = withPages(modules, { links })

/** The ID token of a client for the session of a browser. */
const idTokenFor = Effect.fnUntraced(function* (their: Browse, client_id = "spa") {
  const { headers } = yield* their.request("GET", `/api/auth/oauth2/authorize?${new URLSearchParams({ ...requests.spa, client_id })}`)
  const code = new URL(headers.location ?? "about:blank").searchParams.get("code") ?? assert.fail(headers.location)
  const { id_token } = yield* their.api("/oauth2/token", { ...presented.spa(code), client_id })
  return id_token as string
})

/** Sends the browser from a client to the page that the service answers with. */
const logout = Effect.fnUntraced(function* (their: Browse, query: Record<string, string>) {
  const { headers } = yield* their.request("GET", `/api/auth/oauth2/logout?${new URLSearchParams(query)}`)
  return yield* their.open((headers.location ?? "").slice(origin.length))
})

describe("the sign-out page", () => {
  it.layer(plain)((it) => {
    it.effect("asks users whom a client sends without an id_token of their session, and leads back if it had one", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("ada@example.com")
        const bob = yield* signedUp("bob@example.com")
        const asking = yield* logout(ada, {})
        assert.match(asking.at, /^\/sign-out\?logout_request=[\w-]{43}/)
        assert.strictEqual((yield* ada.press(asking, "sign_out")).at, "/sign-out/done")

        const input = { id_token_hint: yield* idTokenFor(bob), post_logout_redirect_uri: out, state: "x" }
        const grace = yield* signedUp("grace@example.com")
        const back = yield* grace.press(yield* logout(grace, input), "sign_out")
        assert.include(back.html, `content="0; url=${out}?state=x"`)
        assert.strictEqual((yield* grace.open("/account")).at.split("?")[0], "/sign-in")
        assert.strictEqual((yield* bob.open("/account")).at, "/account")
      }),
    )

    it.effect("loads the pages of clients in frames, which only its policy permits, and then goes on", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("mary@example.com")
        const { sid } = decodeJwt(yield* idTokenFor(ada, "framed"))
        const left = yield* ada.press(yield* ada.open("/sign-out"), "sign_out")
        const iss = encodeURIComponent(`${origin}/api/auth`)
        assert.include(left.html, `<iframe src="https://spa.example.com/frame?a=b&amp;iss=${iss}&amp;sid=${sid}"`)
        assert.include(left.html, 'content="3; url=/sign-out/done"')
        assert.include(left.answer.headers["content-security-policy"] ?? "", "; frame-src https://spa.example.com; ")
        const done = yield* ada.open("/sign-out/done")
        assert.notInclude(done.answer.headers["content-security-policy"] ?? "", "frame-src")
        assert.notInclude(done.html, "<iframe")
      }),
    )
  })
})
