import { assert, describe } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { mailExpiring } from "../../../../application/modules/api_key/expiry.ts"
import { ApiKeyNotices, ApiKeySecrets, ApiKeys, ApiKeyUses } from "../../../../application/modules/api_key/tables.ts"
import { Records } from "../../../../application/modules/audit/tables.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { remove, Store } from "../../../../domain/ports/store.ts"
import { Users } from "../../../../domain/users/tables.ts"
import { counted } from "../../../round-trips.ts"
import { atOnce, emails, endpoints, rows, whileTimePasses } from "../../../world.ts"
import { until } from "../admin/job-world.ts"
import {
  accountKey,
  administrators,
  auth,
  bodyFor,
  builtWith,
  keys,
  modulesWith,
  organizations,
  outcome,
  root,
  rule,
  send,
  signedUp,
} from "./keys.ts"

const { adminMe, adminListUsers, adminBanUser, adminUnbanUser, adminSetRole, adminCreateUser } = administrators.endpoints
const { adminServiceAccountsUpdate, adminServiceAccountsDelete, adminUsersShow } = administrators.endpoints
const {
  apiKeyCreate,
  apiKeyList,
  apiKeyReport,
  apiKeyRevoke,
  apiKeyRotate,
  apiKeyUpdate,
  apiKeyVerify,
  adminApiKeysCreate,
  adminApiKeysList,
  adminApiKeysRevoke,
  adminApiKeysRotate,
} = keys.endpoints

const days = (count: number) => TestClock.adjust(`${count} days`)

describe("a key of a service account", () => {
  rule("administers with its permissions, and nothing else", function* () {
    const owner = yield* signedUp(root)
    const { key, api_key, service_account_id } = yield* accountKey(owner, ["users:read"])
    assert.match(key, /^spk_s_[0-9A-Za-z]{49}$/)
    assert.deepStrictEqual(yield* bodyFor(key, adminMe), {
      kind: "service_account",
      id: service_account_id,
      permissions: ["users:read"],
      organizations: [],
      until: null,
      proved_at: null,
      needs_step_up: [],
    })
    assert.strictEqual((yield* bodyFor(key, adminListUsers)).users.length, 1)
    assert.strictEqual(yield* outcome({ authorization: `Bearer ${key}` }, adminListUsers), "ok")
    assert.strictEqual(yield* outcome(key, adminBanUser, { user_id: owner.user.id }), "forbidden")
    assert.deepStrictEqual(api_key.owner, { kind: "service_account", id: service_account_id })
    // Neither the key nor its hash is shown again.
    const { api_keys } = yield* owner.body(adminApiKeysList)
    assert.notInclude(JSON.stringify(api_keys), key.slice(6, 40))
    assert.notInclude(JSON.stringify(yield* rows(Records)), key.slice(6, 40))
  })

  rule("is no session: endpoints of users refuse it", function* () {
    const owner = yield* signedUp(root)
    const { key } = yield* accountKey(owner, ["users:read"])
    for (const endpoint of [endpoints.listSessions, apiKeyList, organizations.endpoints.organizationList])
      for (const sent of [{ api_key: key }, { authorization: `Bearer ${key}` }])
        assert.strictEqual(yield* outcome(sent, endpoint), "unauthorized")
    assert.strictEqual(yield* outcome(key, apiKeyCreate, { name: "Another" }), "unauthorized")
  })

  rule("loses at once the permission that its account loses, and everything with the account", function* () {
    const owner = yield* signedUp(root)
    const { key, service_account_id } = yield* accountKey(owner, ["users:read", "users:create"])
    yield* owner.body(adminServiceAccountsUpdate, { service_account_id, changes: { permissions: ["users:read"] } })
    const ada = { email: "ada@example.com", password: "correct horse battery" }
    assert.strictEqual(yield* outcome(key, adminCreateUser, ada), "forbidden")
    assert.strictEqual(yield* outcome(key, adminListUsers), "ok")
    yield* owner.body(adminServiceAccountsDelete, { service_account_id })
    assert.strictEqual(yield* outcome(key, adminListUsers), "unauthorized")
  })

  rule("is made only by callers with the permissions of the account, and has no more", function* () {
    const owner = yield* signedUp(root)
    const keeper = yield* signedUp("keeper@example.com")
    yield* owner.body(adminSetRole, { user_id: keeper.user.id, role: "keeper" })
    const { service_account_id } = yield* accountKey(owner, ["users:read"])
    const above = yield* accountKey(owner, ["users:delete"])
    const make = (id: string, permissions: ReadonlyArray<string>) =>
      keeper.code(adminApiKeysCreate, { service_account_id: id, name: "x", permissions })
    assert.strictEqual(yield* make(above.service_account_id, []), "forbidden")
    assert.strictEqual(yield* make(service_account_id, ["users:delete"]), "forbidden")
    assert.strictEqual(yield* make(service_account_id, ["unknown:thing"]), "invalid_request")
    assert.strictEqual(yield* make("nothing", []), "api_key_not_found")
    assert.strictEqual(yield* keeper.code(adminApiKeysRotate, { key_id: above.api_key.id }), "forbidden")
    assert.strictEqual(yield* keeper.code(adminApiKeysRevoke, { key_id: above.api_key.id }), "forbidden")
    yield* keeper.body(adminApiKeysCreate, { service_account_id, name: "x", permissions: ["users:read", "reports:read"] })
  })

  rule("is made once for one idempotency key", function* () {
    const owner = yield* signedUp(root)
    const { service_account_id } = yield* accountKey(owner, ["users:read"])
    const input = { service_account_id, name: "x", idempotency_key: "one" }
    const made = yield* Effect.all(
      Array.from({ length: 20 }, () => owner.body(adminApiKeysCreate, input)),
      { concurrency: "unbounded" },
    )
    assert.strictEqual(new Set(made.map(({ key }) => key)).size, 1)
    assert.strictEqual((yield* rows(ApiKeys)).length, 2)
  })

  rule("acts as the account in the audit log", function* () {
    const owner = yield* signedUp(root)
    const { key, service_account_id } = yield* accountKey(owner, ["users:create"])
    yield* bodyFor(key, adminCreateUser, { email: "ada@example.com", password: "correct horse battery" })
    const created = (yield* rows(Records))
      .filter(({ type }) => type === "user.created")
      .map(({ actor_kind, actor_id }) => ({ kind: actor_kind, id: actor_id }))
    assert.deepInclude(created, { kind: "service", id: service_account_id })
  })
})

describe("a key of a user", () => {
  rule("has what the user may do now, and no more than it was given", function* () {
    const owner = yield* signedUp(root)
    const { key, api_key } = yield* owner.body(apiKeyCreate, { name: "Laptop", permissions: ["users:read", "users:suspend"] })
    const me = yield* bodyFor(key, adminMe)
    assert.deepStrictEqual([me.kind, me.id, me.permissions], ["api_key", api_key.id, ["users:read", "users:suspend"]])
    const ada = yield* signedUp("ada@example.com")
    yield* owner.body(adminSetRole, { user_id: ada.user.id, role: "reader" })
    const hers = yield* ada.body(apiKeyCreate, { name: "Phone", permissions: ["users:read"] })
    assert.strictEqual(yield* outcome(hers.key, adminListUsers), "ok")
    // The key of one with fewer rights changes none with more.
    assert.strictEqual(yield* outcome(hers.key, adminBanUser, { user_id: owner.user.id }), "forbidden")
    yield* owner.body(adminSetRole, { user_id: ada.user.id, role: "user" })
    assert.strictEqual(yield* outcome(hers.key, adminListUsers), "forbidden")
  })

  rule("cannot have a permission of the administration that the user lacks", function* () {
    yield* signedUp(root)
    const ada = yield* signedUp("ada@example.com")
    assert.strictEqual(yield* ada.code(apiKeyCreate, { name: "x", permissions: ["users:read"] }), "forbidden")
    const lacking = yield* Effect.flip(ada.call(apiKeyCreate, { name: "x", permissions: ["reports:read", "users:create"] }))
    assert.include(Reflect.get(lacking, "message"), "lacks users:read, users:create.")
    const unknown = yield* Effect.flip(ada.call(apiKeyCreate, { name: "x", permissions: ["reports:read", "reports:delete"] }))
    assert.include(unknown, { _tag: "invalid_request" })
    assert.match(Reflect.get(unknown, "message"), /^permissions\.1: Expected one of reports:read, .*users:create/)
    yield* ada.body(apiKeyCreate, { name: "x", permissions: ["reports:read"] })
  })

  rule("is dead while its user is banned, and gone with the user", function* () {
    const owner = yield* signedUp(root)
    const ada = yield* signedUp("ada@example.com")
    const { key } = yield* ada.body(apiKeyCreate, { name: "x", permissions: ["reports:read"] })
    const verdict = () => owner.body(apiKeyVerify, { key })
    assert.isTrue((yield* verdict()).valid)
    yield* owner.body(adminBanUser, { user_id: ada.user.id })
    assert.deepStrictEqual(yield* verdict(), { valid: false, code: "owner_inactive" })
    yield* owner.body(adminUnbanUser, { user_id: ada.user.id })
    assert.isTrue((yield* verdict()).valid)
    yield* owner.body(administrators.endpoints.adminRemoveUser, { user_id: ada.user.id })
    assert.deepStrictEqual(yield* verdict(), { valid: false, code: "not_found" })
    assert.deepStrictEqual([(yield* rows(ApiKeys)).length, (yield* rows(ApiKeySecrets)).length], [0, 0])
  })

  rule("needs a recent proof: at 10 minutes none is recent any more", function* () {
    const ada = yield* signedUp("ada@example.com")
    yield* TestClock.adjust("599 seconds")
    yield* ada.body(apiKeyCreate, { name: "x" })
    const owner = yield* signedUp(root)
    yield* TestClock.adjust("600 seconds")
    assert.strictEqual(yield* owner.code(apiKeyCreate, { name: "y" }), "session_not_fresh")
    assert.strictEqual(yield* owner.code(apiKeyRotate, { key_id: "x" }), "session_not_fresh")
    assert.strictEqual(yield* owner.code(apiKeyUpdate, { key_id: "x", changes: {} }), "session_not_fresh")
  })

  rule("is unknown to other users, also to administrators at the endpoints of owners", function* () {
    const owner = yield* signedUp(root)
    const ada = yield* signedUp("ada@example.com")
    const { api_key } = yield* ada.body(apiKeyCreate, { name: "x" })
    for (const their of [owner, yield* signedUp("eve@example.com")]) {
      const one = { key_id: api_key.id }
      assert.strictEqual(yield* their.code(apiKeyUpdate, { ...one, changes: { name: "mine" } }), "api_key_not_found")
      assert.strictEqual(yield* their.code(apiKeyRotate, one), "api_key_not_found")
      assert.strictEqual(yield* their.code(apiKeyRevoke, one), "api_key_not_found")
      assert.deepStrictEqual((yield* their.body(apiKeyList)).api_keys, [])
    }
  })

  rule("informs its user by mail", function* () {
    const ada = yield* signedUp("ada@example.com")
    const before = (yield* emails).length
    yield* ada.body(apiKeyCreate, { name: "Attacker's name" })
    const [mail, ...more] = (yield* emails).slice(before)
    assert.deepStrictEqual(more, [])
    assert.include(mail?.subject, "API key")
    assert.notInclude(mail?.text, "Attacker")
  })

  rule("loses permissions and gets none", function* () {
    const owner = yield* signedUp(root)
    const { key, api_key } = yield* owner.body(apiKeyCreate, { name: "x", permissions: ["users:read", "reports:read"] })
    const change = (changes: object) => owner.body(apiKeyUpdate, { key_id: api_key.id, changes })
    assert.deepStrictEqual((yield* change({ permissions: ["reports:read"], name: "y" })).api_key.permissions, ["reports:read"])
    assert.strictEqual(yield* outcome(key, adminListUsers), "forbidden")
    const more = { key_id: api_key.id, changes: { permissions: ["users:read"] } }
    assert.strictEqual(yield* owner.code(apiKeyUpdate, more), "invalid_request")
  })
})

describe("a key of an organization", () => {
  const found = Effect.fnUntraced(function* (email: string) {
    const founder = yield* signedUp(email)
    const { organization } = yield* founder.body(organizations.endpoints.organizationCreate, { name: "Acme", slug: "acme" })
    return { founder, organization_id: organization.id }
  })

  rule("is made by members who may change the organization, and has permissions of the application", function* () {
    const owner = yield* signedUp(root)
    const { founder, organization_id } = yield* found("ada@example.com")
    const { key } = yield* founder.body(apiKeyCreate, { name: "CI", organization_id, permissions: ["reports:read"] })
    assert.match(key, /^spk_o_/)
    assert.deepInclude(yield* owner.body(apiKeyVerify, { key }), {
      valid: true,
      owner: { kind: "organization", id: organization_id },
      permissions: ["reports:read"],
    })
    assert.strictEqual(yield* founder.code(apiKeyCreate, { name: "x", organization_id, permissions: ["users:read"] }), "forbidden")
    assert.strictEqual(yield* outcome(key, adminMe), "forbidden")
    assert.strictEqual(yield* owner.code(apiKeyCreate, { name: "x", organization_id }), "forbidden")
    assert.strictEqual(yield* owner.code(apiKeyList, { organization_id }), "forbidden")
    assert.strictEqual((yield* founder.body(apiKeyList, { organization_id })).api_keys.length, 1)
    assert.strictEqual((yield* founder.body(apiKeyList)).api_keys.length, 0)
  })

  rule("ends with the organization", function* () {
    const owner = yield* signedUp(root)
    const { founder, organization_id } = yield* found("ada@example.com")
    const { key } = yield* founder.body(apiKeyCreate, { name: "CI", organization_id })
    yield* founder.body(organizations.endpoints.organizationDelete, { organization_id })
    assert.deepStrictEqual(yield* owner.body(apiKeyVerify, { key }), { valid: false, code: "owner_inactive" })
  })
})

describe("the end of a key", () => {
  rule("is after 90 days: a second before, the key is valid", function* () {
    const owner = yield* signedUp(root)
    const { key } = yield* accountKey(owner, ["users:read"])
    yield* TestClock.adjust(90 * 86_400_000 - 1000)
    assert.strictEqual(yield* outcome(key, adminListUsers), "ok")
    yield* TestClock.adjust(1000)
    assert.strictEqual(yield* outcome(key, adminListUsers), "unauthorized")
  })

  rule("is at most a year ahead, in the future, and can be missing only if the service allows it", function* () {
    const owner = yield* signedUp(root)
    const now = yield* DateTime.now
    const at = (seconds: number) => DateTime.formatIso(DateTime.add(now, { seconds }))
    const year = 365 * 86_400
    const longest = yield* owner.body(apiKeyCreate, { name: "x", expires_at: at(year) })
    assert.strictEqual(DateTime.formatIso(longest.api_key.expires_at ?? now), at(year))
    for (const expires_at of [at(year + 1), at(0), "tomorrow", null])
      assert.strictEqual(yield* owner.code(apiKeyCreate, { name: "x", expires_at }), "invalid_request", String(expires_at))
    const lenient = builtWith({ allow_unlimited: true })
    const { api_key } = yield* send(
      { credential: owner.jar.credential },
      lenient.endpoints.apiKeyCreate,
      { name: "x", expires_at: null },
      AuthOf.make(modulesWith(lenient)),
    ).pipe(Effect.map(({ body }) => body))
    assert.isNull(api_key.expires_at)
  })

  rule("comes at once when it is revoked or reported, also to the secret before a rotation", function* () {
    const owner = yield* signedUp(root)
    const stranger = {}
    for (const end of [
      (id: string, _: string) => owner.body(apiKeyRevoke, { key_id: id }),
      (id: string, _: string) => owner.body(adminApiKeysRevoke, { key_id: id }),
      (_: string, key: string) => Effect.map(send(stranger, apiKeyReport, { keys: [key, "no key", key] }), ({ body }) => body),
    ]) {
      const { key, api_key } = yield* owner.body(apiKeyCreate, { name: "x", permissions: ["users:read"] })
      const second = yield* owner.body(apiKeyRotate, { key_id: api_key.id })
      assert.deepStrictEqual([yield* outcome(key, adminListUsers), yield* outcome(second.key, adminListUsers)], ["ok", "ok"])
      yield* end(api_key.id, second.key)
      assert.deepStrictEqual(yield* Effect.all([outcome(key, adminListUsers), outcome(second.key, adminListUsers)]), [
        "unauthorized",
        "unauthorized",
      ])
      assert.strictEqual(yield* owner.code(apiKeyRotate, { key_id: api_key.id }), "api_key_not_found")
    }
    const types = (yield* rows(Records)).map(({ type }) => type).filter((type) => type.startsWith("api_key."))
    const tally = (type: string) => types.filter((each) => each === type).length
    assert.deepStrictEqual(
      ["created", "rotated", "revoked", "reported"].map((type) => tally(`api_key.${type}`)),
      [3, 3, 2, 1],
    )
    assert.include((yield* emails).at(-1)?.subject, "ended")
  })

  rule("comes to the secret before a rotation after the overlap, to a still older one at once", function* () {
    const owner = yield* signedUp(root)
    const first = yield* owner.body(apiKeyCreate, { name: "x", permissions: ["users:read"] })
    const key_id = first.api_key.id
    const second = yield* owner.body(apiKeyRotate, { key_id, overlap: 300 })
    yield* TestClock.adjust("299 seconds")
    assert.strictEqual(yield* outcome(first.key, adminListUsers), "ok")
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* outcome(first.key, adminListUsers), "unauthorized")
    const third = yield* owner.body(apiKeyRotate, { key_id })
    const fourth = yield* owner.body(apiKeyRotate, { key_id })
    const valid = yield* Effect.forEach([first, second, third, fourth], ({ key }) => outcome(key, adminListUsers))
    assert.deepStrictEqual(valid, ["unauthorized", "unauthorized", "ok", "ok"])
    yield* owner.body(apiKeyRotate, { key_id, overlap: 0 })
    assert.strictEqual(yield* outcome(fourth.key, adminListUsers), "unauthorized")
    assert.strictEqual(yield* owner.code(apiKeyRotate, { key_id, overlap: 7 * 86_400 + 1 }), "invalid_request")
  })

  rule("holds against every rotation at the same time", function* () {
    const owner = yield* signedUp(root)
    for (let round = 0; round < 10; round += 1) {
      const { api_key } = yield* owner.body(apiKeyCreate, { name: "x", permissions: ["users:read"] })
      const texts: Array<string> = []
      const rotate = Effect.tap(owner.body(apiKeyRotate, { key_id: api_key.id }), ({ key }) => Effect.sync(() => texts.push(key)))
      yield* atOnce([rotate, rotate, owner.call(apiKeyRevoke, { key_id: api_key.id }), rotate])
      for (const text of texts) assert.strictEqual(yield* outcome(text, adminListUsers), "unauthorized")
    }
  })
})

describe("the number of keys", () => {
  rule("is at most 50 for a user, also when they are made at the same time", function* () {
    const ada = yield* signedUp("ada@example.com")
    for (let made = 0; made < 45; made += 1) yield* ada.body(apiKeyCreate, { name: "x" })
    const tally = yield* atOnce(Array.from({ length: 8 }, () => ada.call(apiKeyCreate, { name: "x" })))
    assert.deepStrictEqual(tally, { ok: 5, too_many_api_keys: 3 })
  })

  rule("counts no key that has ended, and the rows of those stay few", function* () {
    const owner = yield* signedUp(root)
    const { service_account_id } = yield* accountKey(owner, ["users:read"])
    for (let made = 0; made < 45; made += 1) {
      const { api_key } = yield* owner.body(adminApiKeysCreate, { service_account_id, name: "x" })
      yield* owner.body(adminApiKeysRevoke, { key_id: api_key.id })
    }
    const stored = (yield* rows(ApiKeys)).length
    assert.isAtMost(stored, 22)
    assert.strictEqual((yield* rows(ApiKeySecrets)).length, stored)
  })
})

describe("the caller of a key", () => {
  rule("has an address in the networks of the key", function* () {
    const owner = yield* signedUp(root)
    const { key } = yield* accountKey(owner, ["users:read"], { addresses: ["203.0.113.0/24", "2001:db8::/32"] })
    const from = (ip_address: string | null) => outcome({ api_key: key, ip_address }, adminListUsers)
    assert.strictEqual(yield* from("203.0.113.255"), "ok")
    assert.strictEqual(yield* from("2001:db8:ffff::1"), "ok")
    for (const address of ["203.0.114.0", "2001:db9::", null]) assert.strictEqual(yield* from(address), "unauthorized")
    assert.deepStrictEqual(yield* owner.body(apiKeyVerify, { key }), { valid: false, code: "address" })
    assert.isTrue((yield* owner.body(apiKeyVerify, { key, address: "203.0.113.9" })).valid)
    const others = { name: "x", addresses: ["somewhere"] }
    assert.strictEqual(yield* owner.code(apiKeyCreate, others), "invalid_request")
    assert.strictEqual(yield* owner.code(apiKeyCreate, { name: "x", addresses: Array(21).fill("203.0.113.1") }), "invalid_request")
  })

  rule("is no browser, unless the service allows it", function* () {
    const owner = yield* signedUp(root)
    const { key } = yield* accountKey(owner, ["users:read"])
    assert.strictEqual(yield* outcome({ api_key: key, from_browser: true }, adminListUsers), "unauthorized")
    const open = builtWith({ browsers: true })
    assert.strictEqual(yield* outcome({ api_key: key, from_browser: true }, adminListUsers, {}, AuthOf.make(modulesWith(open))), "ok")
  })

  rule("has no second credential in the request", function* () {
    const owner = yield* signedUp(root)
    const { key } = yield* accountKey(owner, ["users:read"])
    const { credential } = owner.jar
    assert.strictEqual(yield* outcome({ api_key: key, credential }, adminListUsers), "unauthorized")
    assert.strictEqual(yield* outcome({ api_key: key, authorization: `Bearer ${key}` }, adminListUsers), "unauthorized")
    assert.strictEqual(yield* outcome({ api_key: "nonsense", credential }, endpoints.listSessions), "unauthorized")
    assert.strictEqual(yield* outcome({ credential }, endpoints.listSessions), "ok")
    // Without this module, the field means nothing.
    const without = AuthOf.make(modulesWith(keys).filter(({ name }) => name !== "api_key"))
    assert.strictEqual(yield* outcome({ api_key: key, credential }, endpoints.listSessions, {}, without), "ok")
    assert.strictEqual(yield* outcome(key, adminListUsers, {}, without), "unauthorized")
  })
})

describe("verify", () => {
  rule("tells a service with the permission which key it received", function* () {
    const owner = yield* signedUp(root)
    const ada = yield* signedUp("ada@example.com")
    const service = yield* accountKey(owner, ["api_keys:verify"])
    const { key, api_key } = yield* ada.body(apiKeyCreate, { name: "x", permissions: ["reports:read"] })
    const verify = (input: object) => bodyFor(service.key, apiKeyVerify, { key, ...input })
    assert.deepStrictEqual(yield* verify({ permissions: ["reports:read"] }), {
      valid: true,
      key_id: api_key.id,
      owner: { kind: "user", id: ada.user.id },
      permissions: ["reports:read"],
      expires_at: api_key.expires_at,
    })
    assert.deepStrictEqual(yield* verify({ permissions: ["reports:write"] }), { valid: false, code: "permission" })
    assert.deepStrictEqual(yield* verify({ key: `${key.slice(0, -1)}x` }), { valid: false, code: "not_found" })
    yield* ada.body(apiKeyRevoke, { key_id: api_key.id })
    assert.deepStrictEqual(yield* verify({}), { valid: false, code: "revoked" })
    assert.strictEqual(yield* outcome(service.key, adminApiKeysList), "forbidden")
    assert.strictEqual(yield* ada.code(apiKeyVerify, { key }), "forbidden")
    yield* days(91)
    assert.strictEqual(yield* outcome(service.key, apiKeyVerify, { key }), "unauthorized")
  })

  rule(
    "counts the uses of a key: the 601st in a minute is refused",
    function* () {
      const owner = yield* signedUp(root)
      const limited = builtWith({ per_minute: 3 })
      const service = AuthOf.make(modulesWith(limited))
      const { key } = yield* owner.body(apiKeyCreate, { name: "x", permissions: ["reports:read"] })
      const verify = Effect.map(
        send({ credential: owner.jar.credential }, limited.endpoints.apiKeyVerify, { key }, service),
        ({ body }) => body,
      )
      for (let use = 0; use < 3; use += 1) assert.isTrue((yield* verify).valid)
      assert.deepStrictEqual(yield* verify, { valid: false, code: "budget" })
      yield* TestClock.adjust("1 minute")
      assert.isTrue((yield* verify).valid)
    },
    { rate_limit: { enabled: true } },
  )

  rule("asks the store at most five times, and writes nothing; a text that is no key never reaches it", function* () {
    const owner = yield* signedUp(root)
    const service = yield* accountKey(owner, ["api_keys:verify"])
    const ada = yield* signedUp("ada@example.com")
    const { key } = yield* ada.body(apiKeyCreate, { name: "x", permissions: ["reports:read"] })
    const [answer, trips] = yield* counted(bodyFor(service.key, apiKeyVerify, { key }))
    assert.isTrue(answer.valid)
    assert.notInclude(trips, "commit")
    assert.isAtMost(trips.length, 5, trips.join(" "))
    const [, none] = yield* counted(outcome({ api_key: `${key.slice(0, -1)}!` }, adminListUsers))
    assert.deepStrictEqual(none, [])
  })
})

describe("the mails about the end of a key", () => {
  const subjects = Effect.map(emails, (all) =>
    all.map(({ to, subject }) => [to, subject]).filter(([, subject]) => subject?.includes("ends soon")),
  )
  /** A round of two processes. */
  const afterDays = (count: number) => Effect.andThen(days(count), Effect.all([mailExpiring, mailExpiring], { concurrency: "unbounded" }))

  rule("come a week and a day before, once from all processes, to the user", function* () {
    const ada = yield* signedUp("ada@example.com")
    const owner = yield* signedUp(root)
    yield* accountKey(owner, ["users:read"])
    const { key } = yield* ada.body(apiKeyCreate, { name: "x", permissions: ["reports:read"] })
    yield* afterDays(82)
    assert.deepStrictEqual(yield* subjects, [])
    const expected = ["ada@example.com", "An API key of your Sallyport account ends soon"]
    yield* afterDays(1)
    assert.deepStrictEqual(yield* subjects, [expected])
    yield* afterDays(5)
    assert.deepStrictEqual(yield* subjects, [expected])
    yield* afterDays(1)
    assert.deepStrictEqual(yield* subjects, [expected, expected])
    yield* afterDays(30)
    assert.deepStrictEqual(yield* subjects, [expected, expected])
    assert.deepStrictEqual(yield* rows(ApiKeyNotices), [])
    assert.strictEqual(yield* outcome(key, adminListUsers), "unauthorized")
  })

  rule("do not come for a key that was revoked, or that a service without processes let end", function* () {
    const ada = yield* signedUp("ada@example.com")
    const { api_key } = yield* ada.body(apiKeyCreate, { name: "x" })
    yield* ada.body(apiKeyCreate, { name: "y" })
    yield* ada.body(apiKeyRevoke, { key_id: api_key.id })
    yield* afterDays(91)
    assert.deepStrictEqual(yield* subjects, [])
    assert.deepStrictEqual(yield* rows(ApiKeyNotices), [])
  })
})

describe("the last use of a key", () => {
  rule("is stored once a minute, not by the request", function* () {
    const owner = yield* signedUp(root)
    const { key } = yield* accountKey(owner, ["users:read"])
    yield* outcome(key, adminListUsers)
    const seen = () => Effect.map(owner.body(adminApiKeysList), ({ api_keys }) => api_keys[0]?.last_used_from)
    assert.isNull(yield* seen())
    const stored = until(Effect.orDie(Effect.map(seen(), (address) => address === "192.0.2.9")))
    yield* Effect.scoped(Effect.andThen(auth.background, Effect.andThen(TestClock.adjust("61 seconds"), whileTimePasses(stored))))
  })

  rule("of a key that was removed meanwhile is not stored", function* () {
    const ada = yield* signedUp("ada@example.com")
    const owner = yield* signedUp(root)
    const { key } = yield* ada.body(apiKeyCreate, { name: "x", permissions: ["reports:read"] })
    yield* owner.body(apiKeyVerify, { key })
    const { commit } = yield* Store
    yield* commit([remove(Users, ada.user.id), ...(yield* rows(ApiKeys)).map(({ id }) => remove(ApiKeys, id))])
    yield* Effect.scoped(Effect.andThen(auth.background, TestClock.adjust("61 seconds")))
    assert.strictEqual(yield* owner.code(adminUsersShow, { user_id: ada.user.id }), "user_not_found")
    assert.deepStrictEqual(yield* rows(ApiKeyUses), [])
  })
})
