import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { takenPath } from "../../../adapters/assembly/pages.ts"
import { load } from "../../../adapters/config/load.ts"
import { pages, resources } from "../../../adapters/pages/pages.ts"
import { optional } from "../../../application/modules/index.ts"
import * as Auth from "../../../application/service/auth.ts"
import { modules } from "../../everything.ts"
import { ask, served } from "../http/served.ts"
import { browse, signUp } from "./browse.ts"

const folder = mkdtempSync(join(tmpdir(), "sallyport-pages-"))
afterAll(() => rmSync(folder, { recursive: true }))

const loaded = Effect.fnUntraced(function* (config: object) {
  const given = { secret: "a secret of thirty-two bytes or more", public_url: "https://id.example.com", ...config }
  writeFileSync(join(folder, "config.json"), JSON.stringify(given))
  return yield* load({ file: "config.json", directory: folder, environment: {} }, optional)
})
const linksOf = (config: object) => Effect.map(loaded(config), ({ settings }) => settings.links)
const faultsOf = (config: object) => Effect.map(Effect.flip(loaded(config)), ({ faults }) => faults)

describe("the links of mails", () => {
  it.effect("are those of the contract without pages", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* linksOf({}), {})
    }),
  )

  it.effect("lead to the pages, wherever these are", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* linksOf({ pages: { path: "/auth" } }), {
        verify_email: "https://id.example.com/auth/verify-email?token={token}",
        reset_password: "https://id.example.com/auth/reset-password?token={token}",
        change_email: "https://id.example.com/auth/verify-email?token={token}",
        magic_link: "https://id.example.com/auth/magic-link?token={token}",
        report_sign_in: "https://id.example.com/auth/report-sign-in?token={token}",
        invitation: "https://id.example.com/auth/accept-invitation?invitation_id={invitation_id}&token={token}",
        sign_up: "https://id.example.com/auth/sign-up?login_hint={email}",
        existing_account: "https://id.example.com/auth/sign-in",
        security: "https://id.example.com/auth/account/security",
        sign_in: "https://id.example.com/auth/sign-in?return_to={return_to}&login_hint={login_hint}&prompt={prompt}",
      })
    }),
  )

  it.effect("lead to pages of the operator's own; `links` comes first", () =>
    Effect.gen(function* () {
      const routes = { verify_email: "https://app.example.com/verify?from=mail", invitation: "https://app.example.com/#/join" }
      const magic_link = "https://app.example.com/in/{token}"
      const links = yield* linksOf({ pages: { routes }, links: { magic_link }, trusted_origins: ["https://app.example.com"] })
      assert.strictEqual(links.verify_email, "https://app.example.com/verify?from=mail&token={token}")
      assert.strictEqual(links.invitation, "https://app.example.com/#/join?invitation_id={invitation_id}&token={token}")
      assert.strictEqual(links.magic_link, magic_link)
    }),
  )
})

describe("without the key pages", () => {
  it.layer(served({ modules }))((it) => {
    it.effect("no address of the pages answers, no cookie is set, and browsers get the JSON of the endpoints", () =>
      Effect.gen(function* () {
        const accept = "text/html,application/xhtml+xml"
        const files = ["/assets/page.css", "/.well-known/change-password", "/.well-known/passkey-endpoints"]
        const addresses = [...pages, ...resources].map(({ path }) => path)
        for (const path of [...addresses, ...files, "/nowhere"])
          for (const method of ["GET", "POST"] as const) {
            const { status, json, headers } = yield* ask(method, path, { headers: { accept }, ...(method === "POST" && { body: ["{}"] }) })
            assert.deepStrictEqual([status, json.error.code], [404, "not_found"], `${method} ${path}`)
            assert.isUndefined(headers["set-cookie"], `${method} ${path}`)
          }
        const session = yield* ask("GET", "/api/auth/get-session", { headers: { accept } })
        assert.deepStrictEqual([session.status, session.json], [200, { session: null, user: null }])
        const signedUp = yield* browse().api("/sign-up/email", { email: "ada@example.com", password: "correct horse battery" })
        assert.strictEqual(signedUp.user.email, "ada@example.com")
      }),
    )
  })
})

describe("wrong routes stop the start", () => {
  it.effect.each(["/login", "app.example.com/login", "javascript:alert(1)", "ftp://app.example.com/", ""])("%j is no URL", (sign_in) =>
    Effect.gen(function* () {
      const [fault] = yield* faultsOf({ pages: { routes: { sign_in } } })
      assert.match(fault ?? "", /^pages\.routes\.sign_in: found .*, wanted a URL that begins with https:\/\/ or http:\/\/$/)
    }),
  )

  it.effect("a page of an origin that is not trusted", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* faultsOf({ pages: { routes: { account: "https://other.example.com/me" } } }), [
        'pages.routes.account: found "https://other.example.com/me", wanted a page of public_url, or of an origin in trusted_origins',
      ])
    }),
  )

  it.effect.each(["auth", "/auth/", "//auth", "/a b"])("%j is no path", (path) =>
    Effect.gen(function* () {
      assert.match((yield* faultsOf({ pages: { path } })).join(), /^pages\.path: found .*, wanted \/ or a path such as \/auth/)
    }),
  )
})

describe("wrong places stop the start", () => {
  it.effect.each(["10.0.0.0", "10.0.0.0/33", "10.0.0/8", "10.0.0.0/-1", "10.0.0.0/8/8", "fe80::1%eth0/64", "2001:db8::/129", "Office", ""])(
    "%j is no range",
    (range) =>
      Effect.gen(function* () {
        const [fault] = yield* faultsOf({ pages: { places: { "192.0.2.0/24": "Office", [range]: "Home" } } })
        assert.match(fault ?? "", /^pages\.places: .*by ranges of addresses such as 10\.0\.0\.0\/8 or 2001:db8::\/32/)
      }),
  )

  it.effect.each(["", " ", "x".repeat(65)])("%j is no name", (name) =>
    Effect.gen(function* () {
      const [fault] = yield* faultsOf({ pages: { places: { "10.0.0.0/8": name } } })
      assert.match(fault ?? "", /^pages\.places.*wanted 1 to 64 characters/)
    }),
  )

  it.effect("64 characters are a name, also characters of two code units", () =>
    Effect.gen(function* () {
      const places = { "10.0.0.0/0": "🏢".repeat(64), "::/0": "x".repeat(64), "192.0.2.1/32": "a", "2001:db8::1/128": "b" }
      assert.deepStrictEqual((yield* loaded({ pages: { places } })).pages?.places, places)
    }),
  )
})

describe("a path that something else has", () => {
  it.effect.each([
    ["/api/auth", "/api/auth/verify-email"],
    ["/graphql", "/graphql/sign-in"],
    ["/auth", undefined],
  ] as const)("pages.path %j", ([path, taken]) =>
    Effect.gen(function* () {
      const configuration = yield* loaded({ pages: { path }, graphql: { path: "/graphql/sign-in" } })
      assert.strictEqual(takenPath(Object.values(Auth.make(modules).endpoints), configuration, { path }), taken)
    }),
  )
})

describe("pages at another path", () => {
  it.layer(served({ modules, pages: { path: "/auth" } }))((it) => {
    it.effect("link to each other there", () =>
      Effect.gen(function* () {
        const her = browse()
        const page = yield* her.open("/auth/sign-in")
        assert.strictEqual(page.status, 200)
        for (const [, href = ""] of page.html.matchAll(/(?:href|src|action)="([^"]*)"/g)) assert.match(href, /^(\/auth\/|#main$)/)
        assert.deepStrictEqual(
          (yield* her.press(yield* her.open("/auth/sign-up"), "sign_up", { email: "a@example.com", new_password: "correct horse battery" }))
            .via,
          ["/auth/account"],
        )
        assert.strictEqual((yield* ask("GET", "/sign-in", { headers: { accept: "text/html" } })).json.error.code, "not_found")
        assert.strictEqual((yield* her.open("/auth/nowhere")).heading, "Page not found")
      }),
    )
  })
})

describe("pages of the operator's own", () => {
  const routes = { sign_in: "https://app.example.com/login?x=1", account: "https://app.example.com/me" }
  it.layer(served({ modules, pages: { routes }, settings: { trusted_origins: ["https://app.example.com"] } }))((it) => {
    it.effect("get the redirects, with absolute targets", () =>
      Effect.gen(function* () {
        const replaced = yield* browse().request("GET", "/sign-in?return_to=/step-up&login_hint=ada%40example.com")
        assert.strictEqual(replaced.status, 303)
        assert.strictEqual(
          replaced.headers.location,
          "https://app.example.com/login?x=1&return_to=http%3A%2F%2Flocalhost%3A3000%2Fstep-up&login_hint=ada%40example.com",
        )
        const needed = yield* browse().request("GET", "/step-up")
        assert.match(needed.text, /url=https:\/\/app\.example\.com\/login\?x=1&amp;return_to=http%3A%2F%2Flocalhost%3A3000%2Fstep-up"/)
        const done = yield* signUp(browse())
        assert.match(done.html, /<meta http-equiv="refresh" content="0; url=https:\/\/app\.example\.com\/me">/)
        assert.strictEqual((yield* browse().request("POST", "/sign-in", { action: "password" })).status, 404)
      }),
    )
  })
})
