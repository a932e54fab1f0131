import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { admin } from "../../../application/modules/admin/index.ts"
import { core, password } from "../../world.ts"
import { get, post, refused, served, signedUp } from "./served.ts"

const root = "root@example.com"
const modulesWith = (settings: object) => [
  ...core,
  admin.build(Schema.decodeUnknownSync(admin.settings)({ admin_emails: [root], ...settings })),
]

/** The headers of the administrator, and what they see of themselves. */
const seen = Effect.gen(function* () {
  const headers = yield* signedUp(root)
  const shown = yield* get("/admin/users/show?email=root@example.com", { headers })
  return { headers, shown, user_id: shown.json.user.id as string }
})

describe("a version over HTTP", () => {
  layer(served({ modules: modulesWith({}), settings: { trusted_origins: ["https://console.example.net"] } }))((it) => {
    it.effect("is the entity tag of what is shown, and the condition of a change", () =>
      Effect.gen(function* () {
        const { headers, shown, user_id } = yield* seen
        const { etag } = shown.headers
        assert.strictEqual(etag, `"${shown.json.version}"`)
        const change = (name: string, more: object, body: object = {}) =>
          post("/admin/users/update", { user_id, changes: { name }, ...body }, { headers: { ...headers, ...more } })
        const changed = yield* change("Ada", { "if-match": etag })
        assert.deepStrictEqual([changed.status, changed.headers.etag], [200, `"${changed.json.version}"`])
        assert.notStrictEqual(changed.headers.etag, etag)
        const now = String(changed.headers.etag)
        for (const tag of [etag, `W/${now}`, `${now}, "other"`, '""', changed.json.version.slice(1)])
          assert.strictEqual(refused(yield* change("Eve", { "if-match": tag })), "412 version_mismatch", tag)
        const both = { expected_version: changed.json.version }
        assert.strictEqual(refused(yield* change("Eve", { "if-match": etag }, both)), "400 invalid_request")
        assert.strictEqual((yield* change("Ada", { "if-match": now }, both)).status, 200)
        assert.strictEqual((yield* change("Ada", { "if-match": "*" })).status, 200)

        const origin = "https://console.example.net"
        const exposed = (yield* change("Ada", { origin })).headers["access-control-expose-headers"]
        assert.includeMembers(String(exposed).split(", "), ["etag", "idempotency-replayed"])
        const other = yield* get("/get-session", { headers: { ...headers, origin } })
        assert.notInclude(other.headers["access-control-expose-headers"], "etag")
        assert.isUndefined(other.headers.etag)
      }),
    )
  })

  layer(served({ modules: modulesWith({ require_versions: true }) }))((it) => {
    it.effect("is required where the configuration says so", () =>
      Effect.gen(function* () {
        const { headers, shown, user_id } = yield* seen
        const body = { user_id, changes: { name: "Ada" } }
        for (const more of [{}, { "if-match": "*" }])
          assert.strictEqual(
            refused(yield* post("/admin/users/update", body, { headers: { ...headers, ...more } })),
            "428 version_required",
          )
        const known = { ...headers, "if-match": shown.headers.etag }
        assert.strictEqual((yield* post("/admin/users/update", body, { headers: known })).status, 200)
      }),
    )
  })
})

describe("an idempotency key over HTTP", () => {
  layer(served({ modules: modulesWith({}) }))((it) => {
    it.effect("is a header field, with or without quotes", () =>
      Effect.gen(function* () {
        const { headers } = yield* seen
        const create = (key: string, more: object = {}) =>
          post("/admin/create-user", { email: "ada@example.com", password, ...more }, { headers: { ...headers, "idempotency-key": key } })
        const first = yield* create("one")
        assert.deepStrictEqual([first.status, first.headers["idempotency-replayed"]], [200, undefined])
        for (const again of [yield* create("one"), yield* create('"one"'), yield* create("one", { idempotency_key: "one" })]) {
          assert.deepStrictEqual([again.status, again.text], [200, first.text])
          assert.strictEqual(again.headers["idempotency-replayed"], "true")
        }
        assert.strictEqual(refused(yield* create("one", { name: "Ada" })), "422 idempotency_key_reused")
        assert.strictEqual(refused(yield* create("one", { idempotency_key: "two" })), "400 invalid_request")
        assert.strictEqual(refused(yield* create("a".repeat(256))), "400 invalid_request")
      }),
    )
  })
})
