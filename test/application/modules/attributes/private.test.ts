import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { decodeJwt } from "jose"
import { admin } from "../../../../application/modules/admin/index.ts"
import { attributes } from "../../../../application/modules/attributes/index.ts"
import { audit } from "../../../../application/modules/audit/index.ts"
import { events } from "../../../../application/modules/events/index.ts"
import { jwt } from "../../../../application/modules/jwt/index.ts"
import { multiSession } from "../../../../application/modules/multi_session/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { Definition } from "../../../../application/service/module.ts"
import { UserAttributes } from "../../../../domain/attributes/tables.ts"
import { rulesOf } from "../../../rule.ts"
import { browser, core, endpoints, onWire, password, rows, signedUp as signedUpTo } from "../../../world.ts"
import { builtWith, call, presented, requests, spa } from "../idp/provider.ts"

const built = <D extends Definition<any, any, any>>(definition: D, settings: object = {}): ReturnType<D["build"]> =>
  definition.build(Schema.decodeUnknownSync(definition.settings)(settings)) as ReturnType<D["build"]>

const root = "root@example.com"
const marker = "a-private-value"
const text = { type: "string", maxLength: 40 }
const administrationOf = (settings: object) =>
  built(admin, { admin_emails: [root], roles: { auditor: ["audit:read", "users:private"] }, ...settings })
const administration = administrationOf({})
const recorded = built(audit)
const tokens = built(jwt)
const provider = builtWith({ clients: [{ ...spa, scopes: ["openid", "profile", "plans"] }] })
const own = built(attributes, {
  plan: { schema: text, claims: "plans" },
  level: { schema: { type: "integer" }, claims: "profile" },
  seen: { schema: text },
  internal: { schema: text, read: "admin" },
  risk: { schema: text, read: "private", indexed: true },
})
const modulesWith = (ofAdmin: typeof administration) => [
  ...[...core, own, ofAdmin],
  ...[recorded, built(events), tokens, built(multiSession), provider],
]
const modules = modulesWith(administration)
const auth = AuthOf.make(modules)
const rule = rulesOf(modules)
const { adminUsersShow, adminUsersUpdate, adminUsersList, adminListUsers, adminSetRole, adminCreateUser } = administration.endpoints
const { oauth2Authorize, oauth2Token, oauth2Userinfo } = provider.endpoints
const signedUp = (email: string) => signedUpTo(email, auth)

const storedIn = Effect.fnUntraced(function* storedIn(service: typeof auth, { adminUsersUpdate }: typeof administration.endpoints) {
  const owner = yield* signedUpTo(root, service)
  const ada = yield* signedUpTo("ada@example.com", service)
  const values = { plan: "pro", level: 3, seen: "yes", internal: "note", risk: marker }
  yield* owner.body(adminUsersUpdate, { user_id: ada.user.id, changes: { attributes: values } })
  return { owner, ada, values, user_id: ada.user.id }
})
const stored = storedIn(auth, administration.endpoints)

/** The claims of the ID token and of userinfo for a client with these scopes, without those of the protocol. */
const claimsFor = Effect.fnUntraced(function* (their: ReturnType<typeof browser>, scope: string) {
  const { redirect } = yield* their.body(oauth2Authorize, { ...requests.spa, scope })
  const code = new URL(redirect).searchParams.get("code") ?? assert.fail("no code")
  const { id_token = "", access_token } = yield* call(oauth2Token, presented.spa(code), null, auth)
  const userinfo = yield* onWire(oauth2Userinfo, yield* call(oauth2Userinfo, {}, `Bearer ${access_token}`, auth))
  return [decodeJwt(id_token), userinfo].map((claims) =>
    Object.fromEntries(Object.entries<unknown>(claims).filter(([name]) => ["plan", "level", "seen", "internal", "risk"].includes(name))),
  )
})

describe("claims of attributes", () => {
  rule("are in ID tokens and userinfo by scope, and no others", function* () {
    const { ada } = yield* stored
    assert.deepStrictEqual(yield* claimsFor(ada, "openid"), [{}, {}])
    assert.deepStrictEqual(yield* claimsFor(ada, "openid plans"), [{ plan: "pro" }, { plan: "pro" }])
    const both = { plan: "pro", level: 3 }
    assert.deepStrictEqual(yield* claimsFor(ada, "openid profile plans"), [both, both])
    const eve = yield* signedUp("eve@example.com")
    assert.deepStrictEqual(yield* claimsFor(eve, "openid profile plans"), [{}, {}])
  })
})

describe("a private attribute", () => {
  rule("is in no response, token, event or list without users:private", function* () {
    const { owner, ada, user_id } = yield* stored
    const helper = yield* signedUp("helper@example.com")
    yield* owner.body(adminSetRole, { user_id: helper.user.id, role: "user_manager" })
    yield* owner.body(adminUsersUpdate, { user_id, changes: { attributes: { risk: `${marker} again`, seen: "no" } } })

    const seen: Array<unknown> = [
      yield* ada.body(endpoints.getSession),
      yield* ada.body(endpoints.updateUser, { name: "Ada" }),
      yield* ada.body(endpoints.listSessions),
      yield* ada.body(tokens.endpoints.token).pipe(Effect.map(({ token }) => decodeJwt(token))),
      yield* ada.body(recorded.endpoints.auditList ?? assert.fail()),
      yield* ada.edge("user"),
      yield* browser(auth).body(endpoints.signInEmail, { email: "ada@example.com", password }),
      yield* claimsFor(ada, "openid profile plans"),
      yield* helper.body(adminUsersShow, { user_id }),
      yield* helper.body(adminUsersShow, { email: "ada@example.com" }),
      yield* helper.body(adminUsersUpdate, { user_id, changes: { name: "Ada L." } }),
      yield* helper.body(adminUsersList, {}),
      yield* helper.body(adminListUsers, {}),
      yield* helper.body(adminCreateUser, { email: "new@example.com", password }),
    ]
    assert.notInclude(JSON.stringify(seen), marker)
    assert.notInclude(JSON.stringify(seen), "risk")
    assert.notInclude(JSON.stringify(seen.slice(0, 8)), "internal")
    assert.include(JSON.stringify(seen[8]), "note")
    for (const { table } of own.rowEvents) assert.strictEqual(table, UserAttributes)
    for (const table of modules.flatMap(({ tables }) => tables).filter(({ name }) => /audit|event|outbox|delivery/.test(name))) {
      const found = JSON.stringify(yield* rows(table))
      for (const hidden of [marker, "risk", "internal"]) assert.notInclude(found, hidden, table.name)
    }
  })

  rule("is shown with users:private: to owners, and to a role with it", function* () {
    const { owner, values, user_id } = yield* stored
    const auditor = yield* signedUp("auditor@example.com")
    yield* owner.body(adminSetRole, { user_id: auditor.user.id, role: "auditor" })
    for (const their of [owner, auditor])
      assert.deepInclude((yield* their.body(adminUsersShow, { user_id })).user as object, { attributes: values })
    yield* owner.body(adminSetRole, { user_id: auditor.user.id, role: "support" })
    const { risk: _, ...rest } = values
    assert.deepInclude((yield* auditor.body(adminUsersShow, { user_id })).user as object, { attributes: rest })
  })

  const strict = administrationOf({ step_up: true })
  const strictModules = modulesWith(strict)
  rulesOf(strictModules)("with step_up: is shown and changed after a proof of at most 10 minutes ago, and hidden before", function* () {
    const { owner, values, user_id } = yield* storedIn(AuthOf.make(strictModules), strict.endpoints)
    const { adminMe, adminUsersShow, adminUsersList, adminUsersUpdate } = strict.endpoints
    const { risk: _, ...rest } = values
    const shown = Effect.map(owner.body(adminUsersShow, { user_id }), ({ user }) => Object(user).attributes)
    const listed = Effect.map(owner.body(adminUsersList, { user_id }), ({ users }) => Object(users[0]).attributes)
    const changed = owner.body(adminUsersUpdate, { user_id, changes: { attributes: { risk: "new" } } })
    const stale = Effect.map(owner.body(adminMe), ({ needs_step_up }) => needs_step_up.includes("users:private"))
    yield* TestClock.adjust("599 seconds")
    assert.deepStrictEqual([yield* shown, yield* listed, yield* stale], [values, values, false])
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual([yield* shown, yield* listed, yield* stale], [rest, rest, true])
    const refused = yield* Effect.flip(changed)
    assert.deepStrictEqual([refused._tag, refused.message], ["forbidden", "Private attributes need a recent proof of identity."])
    assert.strictEqual(yield* owner.code(adminUsersList, { attribute: "risk", value: marker }), "forbidden")
    yield* owner.body(adminUsersUpdate, { user_id, changes: { attributes: { seen: "no" } } })
  })
})
