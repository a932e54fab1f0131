import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { password } from "../../../world.ts"
import type { Browse } from "../browse.ts"
import { root, rootAgain, withConsole, withRole } from "./console.ts"

/** A client in the database. */
const created = Effect.fnUntraced(function* created(owner: Browse, client_name: string) {
  const metadata = { client_name, token_endpoint_auth_method: "client_secret_basic", grant_types: ["client_credentials"], scopes: ["read"] }
  const { client, client_secret } = yield* owner.api("/admin/clients/create", metadata)
  return { id: String(client.client_id), first: String(client_secret), at: `/admin/client?id=${client.client_id}` }
})

/** The secret that a page shows; undefined without one. */
const secretIn = (html: string) => /It is shown only once[\s\S]*?<code[^>]*>([^<]+)</.exec(html)?.[1]

describe("the clients in the console", () => {
  it.layer(withConsole())((it) => {
    it.effect("get a new secret, which is shown once", () =>
      Effect.gen(function* () {
        const owner = yield* root
        const { id, at, first } = yield* created(owner, "Reports <b>")
        assert.include((yield* owner.open("/admin/clients")).text, "Reports <b>")
        const page = yield* owner.open(at)
        assert.include(page.html, `href="/admin/client/secret?id=${id}"`)
        assert.notInclude(page.html, first)
        const rotated = yield* owner.press(yield* owner.open(`/admin/client/secret?id=${id}`), "confirm")
        assert.deepStrictEqual([rotated.at, rotated.notice], [at, "There is a new secret. Copy it now."])
        const secret = secretIn(rotated.html)
        assert.isAbove(secret?.length ?? 0, 20)
        assert.notStrictEqual(secret, first)
        assert.isUndefined(secretIn((yield* owner.open(at)).html))
      }),
    )

    it.effect("do not show it to another administrator in the same browser, nor on another page", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const { id, at } = yield* created(owner, "Shared browser")
        const rotate = Effect.gen(function* () {
          const { to, values } = owner.formOf(yield* owner.open(`/admin/client/secret?id=${id}`), "confirm")
          const answer = yield* owner.request("POST", to, { ...values, action: "confirm" })
          assert.deepStrictEqual([answer.status, answer.headers.location], [303, at])
        })
        yield* rotate
        assert.isUndefined(secretIn((yield* owner.open("/admin/webhooks")).html))
        assert.isUndefined(secretIn((yield* owner.open(at)).html))

        yield* withRole(owner, "admin", "second@example.com")
        yield* rotate
        yield* owner.api("/sign-in/email", { email: "second@example.com", password })
        const page = yield* owner.open(at)
        assert.strictEqual(page.heading, "Shared browser")
        assert.isUndefined(secretIn(page.html))
      }),
    )

    it.effect("are deleted once their ID is typed", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const { id, at } = yield* created(owner, "Former")
        const asked = yield* owner.open(`/admin/client/delete?id=${id}`)
        const refused = yield* owner.press(asked, "confirm", { typed: "Former" })
        assert.deepStrictEqual([refused.status, (yield* owner.open(at)).status], [400, 200])
        const deleted = yield* owner.press(refused, "confirm", { typed: id })
        assert.deepStrictEqual([deleted.at, deleted.notice], ["/admin/clients", "The client was deleted."])
        assert.strictEqual((yield* owner.open(at)).status, 404)
      }),
    )

    it.effect("have no buttons for administrators who may only read them", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const { id, at } = yield* created(owner, "Read only")
        const watcher = yield* withRole(owner, "watcher")
        const page = yield* watcher.open(at)
        assert.strictEqual(page.heading, "Read only")
        assert.notMatch(page.html, /\/client\/(secret|delete)/)
        assert.strictEqual((yield* watcher.open(`/admin/client/secret?id=${id}`)).status, 403)
      }),
    )
  })
})

describe("the keys of machines in the console", () => {
  it.layer(withConsole())((it) => {
    it.effect("are revoked after a question that names them as they are stored", () =>
      Effect.gen(function* () {
        const owner = yield* root
        const permissions = ["users:read"]
        const { service_account } = yield* owner.api("/admin/service-accounts/create", { name: "Nightly sync", permissions })
        const key = { service_account_id: service_account.id, name: "Sync <b>", permissions }
        const { api_key } = yield* owner.api("/admin/api-keys/create", key)
        const page = yield* owner.open("/admin/machines")
        assert.include(page.text, "Nightly sync")
        const [, href = ""] = /href="(\/admin\/api-key\/revoke[^"]*)"/.exec(page.html) ?? []
        const link = href.replaceAll("&amp;", "&")
        assert.include(link, api_key.id)
        assert.strictEqual((yield* owner.open(link.replace(api_key.id, "other"))).status, 404)
        const asked = yield* owner.open(`${link}&name=Another`)
        assert.include(asked.text, "Sync <b>")
        assert.notInclude(asked.text, "Another")
        const revoked = yield* owner.press(asked, "confirm")
        assert.deepStrictEqual([revoked.at, revoked.notice], ["/admin/machines", "The key was revoked."])
        assert.include(revoked.text, "■ Revoked")
        assert.notInclude(revoked.html, "/api-key/revoke")
      }),
    )
  })
})

describe("the service accounts in the console", () => {
  it.layer(withConsole())((it) => {
    it.effect("are on several pages, beside the first page of keys", () =>
      Effect.gen(function* () {
        const owner = yield* root
        const names = Array.from({ length: 51 }, (_, at) => `Account ${at + 1}.`)
        for (const name of names) yield* owner.api("/admin/service-accounts/create", { name, permissions: [] })
        const [first, last] = ["Account 1.", "Account 51."]
        const page = yield* owner.open("/admin/machines")
        assert.deepStrictEqual([page.text.includes(first), page.text.includes(last)], [true, false])
        const [, next = ""] = /href="([^"]*accounts=[^"]*)"/.exec(page.html) ?? []
        const second = yield* owner.open(next.replaceAll("&amp;", "&"))
        assert.deepStrictEqual([second.text.includes(first), second.text.includes(last)], [false, true])
      }),
    )
  })
})

describe("the webhooks in the console", () => {
  it.layer(withConsole())((it) => {
    it.effect("get a new secret, which is shown once, and are deleted once their host is typed", () =>
      Effect.gen(function* () {
        const owner = yield* root
        const stored = { url: "https://hooks.example.com/in", types: ["user.created"] }
        const { webhook, secret: first } = yield* owner.api("/admin/webhooks/create", stored)
        const list = yield* owner.open("/admin/webhooks")
        assert.include(list.text, "hooks.example.com")
        assert.notInclude(list.html, first)
        const rotated = yield* owner.press(yield* owner.open(`/admin/webhook/secret?id=${webhook.id}`), "confirm")
        assert.deepStrictEqual([rotated.at, rotated.notice], ["/admin/webhooks", "There is a new secret. Copy it now."])
        assert.match(secretIn(rotated.html) ?? "", /^whsec_/)
        assert.isUndefined(secretIn((yield* owner.open("/admin/webhooks")).html))

        const asked = yield* owner.open(`/admin/webhook/delete?id=${webhook.id}`)
        const refused = yield* owner.press(asked, "confirm", { typed: "example.com" })
        assert.strictEqual(refused.status, 400)
        const deleted = yield* owner.press(refused, "confirm", { typed: "hooks.example.com" })
        assert.deepStrictEqual([deleted.at, deleted.notice], ["/admin/webhooks", "The webhook was deleted."])
        assert.include(deleted.text, "There are no webhooks.")
        assert.strictEqual((yield* owner.open(`/admin/webhook/delete?id=${webhook.id}`)).status, 404)
      }),
    )
  })
})
