import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { identityProvider } from "../../../../application/modules/idp/index.ts"
import { builtWith } from "../../../application/modules/idp/provider.ts"
import { certificate } from "../../../certificates.ts"
import { base } from "../../http/served.ts"
import type { Browse, Shown } from "../browse.ts"
import { modules, root, rootAgain, withConsole, withRole } from "./console.ts"

/** The secret that a page shows; undefined without one. */
const secretIn = (html: string) => /It is shown only once[\s\S]*?<code[^>]*>([^<]+)</.exec(html)?.[1]

const redirects = "https://shop.example.com/callback\r\n\r\n https://shop.example.com/other "

/** A page that shows a secret shows it once. */
const shownOnce = Effect.fnUntraced(function* shownOnce(owner: Browse, page: Shown) {
  const secret = secretIn(page.html)
  assert.isAbove(secret?.length ?? 0, 20)
  assert.deepStrictEqual([page.answer.status, page.via.length], [200, 1])
  assert.isUndefined(secretIn((yield* owner.open(page.at)).html))
  return String(secret)
})

/** The addresses of the links of a page whose paths begin like this. */
const linksIn = ({ html }: Shown, path: string) =>
  [...html.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&")).filter((href) => href.startsWith(path))

describe("the form of a client", () => {
  it.layer(withConsole())((it) => {
    it.effect("creates one, whose secret is shown once, with a URL that begins a sign-in", () =>
      Effect.gen(function* () {
        const owner = yield* root
        assert.deepStrictEqual(linksIn(yield* owner.open("/admin/clients"), "/admin/clients/new").length, 1)
        const empty = yield* owner.open("/admin/clients/new")
        const entered = { client_name: "Shop <b>", redirect_uris: "http://shop.example.com/", refresh_tokens: "yes" }
        const refused = yield* owner.press(empty, "save", entered)
        assert.deepStrictEqual([refused.status, /href="#redirect_uris"/.test(refused.html)], [400, true])
        assert.include(refused.problem, "This is not accepted: ")
        assert.include(refused.html, 'value="Shop &lt;b&gt;"')
        const again = owner.formOf(refused, "save").values
        assert.deepInclude(again, {
          redirect_uris: "http://shop.example.com/",
          refresh_tokens: "yes",
          "grant_types.authorization_code": "yes",
        })

        const without = yield* owner.press(refused, "save", { redirect_uris: redirects, scopes: "" })
        assert.deepStrictEqual([without.status, /href="#scopes"/.test(without.html)], [400, true])

        const created = yield* owner.press(refused, "save", { redirect_uris: redirects, access_token_ttl: "300" })
        assert.deepStrictEqual([created.heading, created.notice], ["Shop <b>", "There is a new secret. Copy it now."])
        yield* shownOnce(owner, created)
        const { client } = yield* owner.api(`/admin/clients/show${created.at.slice(created.at.indexOf("?")).replace("id=", "client_id=")}`)
        assert.deepInclude(client, {
          redirect_uris: ["https://shop.example.com/callback", "https://shop.example.com/other"],
          post_logout_redirect_uris: [],
          scopes: ["openid", "profile", "email"],
          grant_types: ["authorization_code"],
          token_endpoint_auth_method: null,
          access_token_ttl: 300,
          consent: false,
          refresh_tokens: true,
        })
        const [, url = ""] = /<code[^>]*>(http:[^<]*\/oauth2\/authorize\?[^<]*)</.exec(created.html) ?? []
        const { pathname, searchParams } = new URL(url.replaceAll("&amp;", "&"))
        assert.strictEqual(pathname, `${base}/oauth2/authorize`)
        assert.deepStrictEqual(Object.fromEntries(searchParams), {
          response_type: "code",
          client_id: client.client_id,
          redirect_uri: "https://shop.example.com/callback",
          scope: "openid profile email",
        })
        const begun = yield* owner.open(`${pathname}?${searchParams}`)
        assert.match(begun.at, /^https:\/\/shop\.example\.com\/callback\?code=/)
      }),
    )

    it.effect("shows a public client without a secret, and asks for its challenge", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const entered = { redirect_uris: "com.example.app:/callback", token_endpoint_auth_method: "none" }
        const created = yield* owner.press(yield* owner.open("/admin/clients/new"), "save", entered)
        assert.strictEqual(created.notice, "The client was created.")
        assert.isUndefined(secretIn(created.html))
        assert.include(created.html, "code_challenge=CODE_CHALLENGE&amp;code_challenge_method=S256")
        assert.include(created.text, "Replace CODE_CHALLENGE")
        const [edit = ""] = linksIn(created, "/admin/client/edit")
        const pushed = yield* owner.press(yield* owner.open(edit), "save", { require_pushed_authorization_requests: "yes" })
        assert.notInclude(pushed.html, "/oauth2/authorize?")
      }),
    )

    it.effect("changes what was edited only, unless the client has changed meanwhile", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const metadata = { client_name: "Before", redirect_uris: ["https://a.example.com/"], require_pkce: true, refresh_tokens: true }
        const { client_id } = (yield* owner.api("/admin/clients/create", metadata)).client
        const form = yield* owner.open(`/admin/client/edit?id=${client_id}`)
        const shown = owner.formOf(form, "save").values
        assert.deepInclude(shown, { client_name: "Before", redirect_uris: "https://a.example.com/", refresh_tokens: "yes" })
        const { refresh_tokens: _, ...rest } = shown
        const to = owner.formOf(form, "save").to
        const answer = yield* owner.request("POST", to, { ...rest, client_name: "", scopes: "openid  email", action: "save" })
        assert.deepStrictEqual([answer.status, answer.headers.location], [303, `/admin/client?id=${client_id}`])
        const { client } = yield* owner.api(`/admin/clients/show?client_id=${client_id}`)
        assert.deepInclude(client, {
          client_name: null,
          scopes: ["openid", "email"],
          refresh_tokens: false,
          require_pkce: true,
          redirect_uris: ["https://a.example.com/"],
        })
        yield* owner.api("/admin/clients/update", { client_id, changes: { client_name: "Other" } })
        const refused = yield* owner.press(form, "save", { client_name: "Mine" })
        assert.deepStrictEqual([refused.status, owner.formOf(refused, "save").values["client_name"]], [412, "Mine"])
        assert.strictEqual((yield* owner.press(refused, "save")).heading, "Mine")
      }),
    )

    it.effect("is not for administrators who may only read clients", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const { client } = yield* owner.api("/admin/clients/create", { redirect_uris: ["https://b.example.com/"] })
        const watcher = yield* withRole(owner, "watcher")
        assert.deepStrictEqual(linksIn(yield* watcher.open("/admin/clients"), "/admin/clients/new"), [])
        assert.deepStrictEqual(linksIn(yield* watcher.open(`/admin/client?id=${client.client_id}`), "/admin/client/"), [])
        for (const path of ["clients/new", `client/edit?id=${client.client_id}`])
          assert.strictEqual((yield* watcher.open(`/admin/${path}`)).status, 403)
      }),
    )
  })
})

/** A proxy proves certificates, and one authority is trusted. */
const authority = await certificate({ name: "CN=CA", isAuthority: true })
const own = await certificate()
const withCertificates = withConsole({}, [
  ...modules.filter(({ name }) => name !== identityProvider.name),
  builtWith({ client_certificate_header: "Client-Cert", client_certificate_authorities: [authority.pem] }),
])

describe("the form of a client with keys or a certificate", () => {
  it.layer(withCertificates)((it) => {
    const machine = { redirect_uris: "", "grant_types.authorization_code": "", "grant_types.client_credentials": "yes" }
    const newForm = Effect.flatMap(rootAgain, (owner) => Effect.map(owner.open("/admin/clients/new"), (page) => [owner, page] as const))
    const clientOf = Effect.fnUntraced(function* clientOf(owner: Browse, { at }: Shown) {
      return (yield* owner.api(`/admin/clients/show?client_${at.slice(at.indexOf("id="))}`)).client
    })
    const isOpen = ({ html }: Shown) => /<details class="confirm" open>/.test(html)
    const faultOf = ({ html }: Shown) => /<p class="fault" id="([\w]+)-fault">/.exec(html)?.[1]

    it.effect("creates one with private_key_jwt, whose keys are one public JSON object", () =>
      Effect.gen(function* () {
        yield* root
        const [owner, empty] = yield* newForm
        assert.isFalse(isOpen(empty))
        const { x5c: _, ...jwk } = own.jwk
        const keys = { keys: [jwk] }
        const entered = { ...machine, token_endpoint_auth_method: "private_key_jwt" }
        const faulty = ["", "not JSON", "[]", '"text"', "7", "{}", '{"keys":[]}', '{"keys":[{"kty":"oct"}]}', '{"keys":[{}],"keys":[]}']
        const deep = `{"keys":${"[".repeat(9_000)}${"]".repeat(9_000)}}`
        for (const jwks of [...faulty, deep, JSON.stringify({ keys: [{ ...jwk, d: "a-private-value" }] })]) {
          const refused = yield* owner.press(empty, "save", { ...entered, jwks })
          assert.deepStrictEqual([refused.status, faultOf(refused), isOpen(refused)], [400, "jwks", true], jwks.slice(0, 99))
          assert.strictEqual(owner.formOf(refused, "save").values["jwks"], jwks)
          assert.notInclude(refused.problem, "a-private-value")
        }
        const both = { ...entered, jwks: JSON.stringify(keys), jwks_uri: "https://keys.example.com/" }
        const refused = yield* owner.press(empty, "save", both)
        assert.strictEqual(faultOf(refused), "jwks_uri")
        const created = yield* owner.press(refused, "save", { jwks_uri: "" })
        assert.deepStrictEqual([created.notice, secretIn(created.html)], ["The client was created.", undefined])
        assert.deepInclude(yield* clientOf(owner, created), { token_endpoint_auth_method: "private_key_jwt", jwks: keys, jwks_uri: null })

        const [edit = ""] = linksIn(created, "/admin/client/edit")
        const form = yield* owner.open(edit)
        assert.deepStrictEqual(JSON.parse(owner.formOf(form, "save").values["jwks"] ?? ""), keys)
        const changed = yield* owner.press(form, "save", { jwks: '{"keys":[{"kty":"oct"}]}' })
        assert.deepStrictEqual([changed.status, faultOf(changed)], [400, "jwks"])
        const moved = yield* owner.press(changed, "save", { jwks: "", jwks_uri: "https://keys.example.com/" })
        assert.deepInclude(yield* clientOf(owner, moved), { jwks: null, jwks_uri: "https://keys.example.com/" })
      }),
    )

    it.effect("creates one with a certificate of an authority, by exactly one name", () =>
      Effect.gen(function* () {
        const [owner, empty] = yield* newForm
        const entered = { ...machine, token_endpoint_auth_method: "tls_client_auth" }
        const none = yield* owner.press(empty, "save", entered)
        assert.deepStrictEqual([none.status, faultOf(none), isOpen(none)], [400, "tls_client_auth_subject_dn", true])
        const two = { tls_client_auth_san_dns: "client.example.com", tls_client_auth_san_uri: "spiffe://example.com/client" }
        assert.strictEqual(faultOf(yield* owner.press(none, "save", two)), "tls_client_auth_subject_dn")
        for (const [name, wrong] of [
          ["subject_dn", "client"],
          ["san_dns", "two words"],
          ["san_uri", "a b"],
          ["san_ip", "300.0.0.1"],
          ["san_email", "a b@example.com"],
        ] as const) {
          const refused = yield* owner.press(none, "save", { [`tls_client_auth_${name}`]: wrong })
          assert.strictEqual(faultOf(refused), `tls_client_auth_${name}`)
        }
        for (const [name, right] of [
          ["subject_dn", "CN=client,O=Example"],
          ["san_dns", "client.example.com"],
          ["san_uri", "spiffe://example.com/client"],
          ["san_ip", "192.0.2.1"],
          ["san_email", "client@example.com"],
        ] as const) {
          const bound = { tls_client_certificate_bound_access_tokens: "yes" }
          const created = yield* owner.press(none, "save", { ...bound, [`tls_client_auth_${name}`]: right })
          const client = yield* clientOf(owner, created)
          assert.deepInclude(client, { [`tls_client_auth_${name}`]: right, tls_client_certificate_bound_access_tokens: true })
        }
      }),
    )

    it.effect("creates one with a certificate of its own", () =>
      Effect.gen(function* () {
        const [owner, empty] = yield* newForm
        const entered = { ...machine, token_endpoint_auth_method: "self_signed_tls_client_auth" }
        const none = yield* owner.press(empty, "save", entered)
        assert.strictEqual(faultOf(none), "jwks")
        const keys = { keys: [own.jwk] }
        const created = yield* owner.press(none, "save", { jwks: JSON.stringify(keys) })
        assert.deepInclude(yield* clientOf(owner, created), { token_endpoint_auth_method: "self_signed_tls_client_auth", jwks: keys })
      }),
    )

    it.effect("shows keys that are too long for indented lines on one line, which still fits", () =>
      Effect.gen(function* () {
        const [owner] = yield* newForm
        const { x5c: _, ...jwk } = own.jwk
        const keys = { keys: [{ ...jwk, note: Array.from({ length: 9_900 }, (_, at) => at % 10) }] }
        const metadata = { jwks: keys, token_endpoint_auth_method: "private_key_jwt", grant_types: ["client_credentials"] }
        const { client_id } = (yield* owner.api("/admin/clients/create", metadata)).client
        const form = yield* owner.open(`/admin/client/edit?id=${client_id}`)
        assert.strictEqual(owner.formOf(form, "save").values["jwks"], JSON.stringify(keys))
        const saved = yield* owner.press(form, "save", { client_name: "Long" })
        assert.strictEqual(saved.notice, "Your changes were saved.")
        assert.deepInclude(yield* clientOf(owner, saved), { client_name: "Long", jwks: keys })
      }),
    )
  })
})

describe("the form of a webhook", () => {
  it.layer(withConsole())((it) => {
    it.effect("creates and changes one, unless it has changed meanwhile", () =>
      Effect.gen(function* () {
        const owner = yield* root
        const empty = yield* owner.open("/admin/webhooks/new")
        const url = "https://hooks.example.com/in"
        const refused = yield* owner.press(empty, "save", { url, types: "user.created\nunknown.type" })
        assert.deepStrictEqual([refused.status, /href="#types"/.test(refused.html)], [400, true])
        const none = yield* owner.press(refused, "save", { types: " " })
        assert.deepStrictEqual([none.status, owner.formOf(none, "save").values["types"]], [400, " "])
        const created = yield* owner.press(none, "save", { types: "user.created\nsession.*" })
        assert.deepStrictEqual([created.at, created.text.includes("hooks.example.com")], ["/admin/webhooks", true])
        assert.match(yield* shownOnce(owner, created), /^whsec_/)

        const [edit = ""] = linksIn(created, "/admin/webhook/edit")
        const form = yield* owner.open(edit)
        assert.deepInclude(owner.formOf(form, "save").values, { url, types: "user.created\nsession.*" })
        const saved = yield* owner.press(form, "save", { types: "user.created, credential.*" })
        assert.strictEqual(saved.notice, "Your changes were saved.")
        const { webhooks } = yield* owner.api("/admin/webhooks/list")
        assert.deepStrictEqual(webhooks[0].types, ["user.created", "credential.*"])
        assert.strictEqual((yield* owner.press(form, "save", { types: "user.*" })).status, 412)
      }),
    )
  })
})

describe("the forms of service accounts and their keys", () => {
  it.layer(withConsole())((it) => {
    it.effect("create an account and its key, which is shown once, and delete it once its name is typed", () =>
      Effect.gen(function* () {
        const owner = yield* root
        const [add = ""] = linksIn(yield* owner.open("/admin/machines"), "/admin/service-accounts/new")
        const made = yield* owner.press(yield* owner.open(add), "save", {
          name: "Nightly",
          "permissions.users:read": "yes",
          "permissions.audit:read": "yes",
        })
        assert.strictEqual(made.notice, "The service account was created.")
        const [edit = ""] = linksIn(made, "/admin/service-account/edit")
        const form = yield* owner.open(edit)
        assert.deepInclude(owner.formOf(form, "save").values, { name: "Nightly", "permissions.audit:read": "yes" })
        const changed = yield* owner.press(form, "save", { name: "Sync", "permissions.clients:read": "yes" })
        assert.include(changed.text, "users:read clients:read audit:read")
        assert.strictEqual((yield* owner.press(form, "save", { name: "Late" })).status, 412)

        const [newKey = ""] = linksIn(changed, "/admin/api-key/new")
        const asked = yield* owner.open(newKey)
        const { fields } = owner.formOf(asked, "save")
        assert.deepStrictEqual(
          fields.filter((name) => name.startsWith("permissions.")),
          ["permissions.users:read", "permissions.clients:read", "permissions.audit:read"],
        )
        const entered = { name: "Sync <b>", "permissions.audit:read": "", expires_at: "1970-02-01" }
        const refused = yield* owner.press(asked, "save", { ...entered, addresses: "everywhere" })
        assert.deepStrictEqual([refused.status, /href="#addresses"/.test(refused.html)], [400, true])
        const keyed = yield* owner.press(refused, "save", { addresses: "203.0.113.0/24" })
        assert.match(yield* shownOnce(owner, keyed), /^spk_s_/)
        const { api_keys } = yield* owner.api("/admin/api-keys/list")
        assert.deepInclude(api_keys[0], {
          name: "Sync <b>",
          permissions: ["users:read", "clients:read"],
          addresses: ["203.0.113.0/24"],
          expires_at: "1970-02-01T00:00:00.000Z",
        })

        const [remove = ""] = linksIn(keyed, "/admin/service-account/delete")
        const wrong = yield* owner.press(yield* owner.open(remove), "confirm", { typed: "Nightly" })
        assert.strictEqual(wrong.status, 400)
        const removed = yield* owner.press(wrong, "confirm", { typed: "Sync" })
        assert.strictEqual(removed.notice, "The service account was deleted.")
      }),
    )

    it.effect("need a proof of identity that is not too old", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const { service_account } = yield* owner.api("/admin/service-accounts/create", { name: "Old", permissions: [] })
        const paths = [
          "/service-accounts/new",
          ...["/service-account/edit", "/api-key/new"].map((path) => `${path}?id=${service_account.id}`),
        ]
        for (const path of paths) assert.strictEqual((yield* owner.open(`/admin${path}`)).status, 200)
        yield* TestClock.adjust("600 seconds")
        for (const path of paths) assert.match((yield* owner.open(`/admin${path}`)).at, /^\/step-up\?/)
      }),
    )

    it.effect("offer only the permissions of the visitor", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const clerk = yield* withRole(owner, "clerk")
        const { values, fields } = clerk.formOf(yield* clerk.open("/admin/service-accounts/new"), "save")
        const offered = fields.filter((name) => name.startsWith("permissions."))
        assert.deepStrictEqual(offered, [
          "permissions.service_accounts:read",
          "permissions.service_accounts:write",
          "permissions.api_keys:read",
        ])
        const more = { ...values, name: "Mighty", "permissions.users:delete": "yes", action: "save" }
        assert.strictEqual((yield* clerk.request("POST", "/admin/service-accounts/new", more)).status, 403)
        const page = yield* clerk.open("/admin/machines")
        assert.deepStrictEqual(linksIn(page, "/admin/api-key/"), [])
      }),
    )
  })
})
