import { assert, describe } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { admin } from "../../../../application/modules/admin/index.ts"
import { attributes } from "../../../../application/modules/attributes/index.ts"
import { organization } from "../../../../application/modules/organization/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { AttributeValues, UserAttributes } from "../../../../domain/attributes/tables.ts"
import { Store, update } from "../../../../domain/ports/store.ts"
import { Users } from "../../../../domain/users/tables.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, browser, core, endpoints, onWire, password, rows, signedUp as signedUpTo, times, withVerified } from "../../../world.ts"

const root = "root@example.com"
const text = (maxLength: number) => ({ type: "string", maxLength })
const settings = Schema.decodeUnknownSync(attributes.settings)({
  plan: { schema: { enum: ["free", "pro"] } },
  nickname: { schema: text(40), write: "user", sign_up: true },
  about: { schema: text(20_000), write: "user" },
  tags: { schema: { type: "array", items: text(10), maxItems: 3 }, write: "user" },
  handle: { schema: text(40), write: "user", sign_up: true, unique: true },
  source: { schema: text(40), read: "admin", sign_up: true },
  team: { schema: { type: "integer" }, read: "admin" },
  risk: { schema: { type: "integer", minimum: 0 }, read: "private" },
})
const own = attributes.build(settings)
const administration = admin.build(Schema.decodeUnknownSync(admin.settings)({ admin_emails: [root], roles: {} }))
const organizations = organization.build(Schema.decodeUnknownSync(organization.settings)({}))
const modules = [...core, own, administration, organizations]
const auth = AuthOf.make(modules)
const rule = rulesOf(modules)
const { adminUsersShow, adminUsersUpdate, adminUsersCreate, adminListUsers, adminUsersList, adminSetRole, adminRemoveUser } =
  administration.endpoints

const signedUp = (address: string) => signedUpTo(address, auth)
const team = Effect.gen(function* () {
  const owner = yield* signedUp(root)
  const ada = yield* signedUp("ada@example.com")
  const helper = yield* signedUp("helper@example.com")
  yield* owner.body(adminSetRole, { user_id: helper.user.id, role: "user_manager" })
  return { owner, ada, helper, user_id: ada.user.id }
})
type Browser = Effect.Success<ReturnType<typeof signedUp>>

/** The attributes that a user sees. */
const seenBy = (their: Pick<Browser, "body">) =>
  Effect.gen(function* () {
    const body = yield* onWire(auth.endpoints["getSession"] ?? assert.fail(), yield* their.body(endpoints.getSession))
    return body.user.attributes
  })
/** The attributes of a user that an administrator sees. */
const shownTo = (their: Pick<Browser, "body">, user_id: string) =>
  Effect.gen(function* () {
    const body = yield* onWire(auth.endpoints["adminUsersShow"] ?? assert.fail(), yield* their.body(adminUsersShow, { user_id }))
    return body.user.attributes
  })
const write = (their: Pick<Browser, "body" | "code">, user_id: string, changes: object) =>
  their.body(adminUsersUpdate, { user_id, changes: { attributes: changes } })
const refusal = (their: Pick<Browser, "call">, endpoint: any, input: unknown) =>
  Effect.map(Effect.flip(their.call(endpoint, input)), ({ _tag, message, member }) => ({ code: _tag, message, member }))

describe("attributes of users", () => {
  rule("are what the user, administrators, and those with users:private may see", function* () {
    const { owner, ada, helper, user_id } = yield* team
    assert.deepStrictEqual(yield* seenBy(ada), {})
    const all = { plan: "pro", nickname: "Countess", source: "fair", team: 7, risk: 3 }
    yield* write(owner, user_id, all)
    assert.deepStrictEqual(yield* shownTo(owner, user_id), all)
    const { risk: _, ...ofHelper } = all
    assert.deepStrictEqual(yield* shownTo(helper, user_id), ofHelper)
    assert.deepStrictEqual(yield* seenBy(ada), { plan: "pro", nickname: "Countess" })
    const listed = yield* helper.body(adminUsersList, { user_id })
    assert.deepStrictEqual(Reflect.get(listed.users[0] ?? {}, "attributes"), ofHelper)
    const { users } = yield* owner.body(adminListUsers)
    assert.deepStrictEqual(
      users.map((user) => Reflect.get(user, "attributes")),
      [{}, all, {}],
    )
  })

  rule("change by members: absent ones stay, null removes one, and a list replaces the earlier one", function* () {
    const { owner, ada, user_id } = yield* team
    yield* write(owner, user_id, { plan: "free", tags: ["a", "b"] })
    yield* write(owner, user_id, { tags: ["c"], risk: 1 })
    assert.deepStrictEqual(yield* shownTo(owner, user_id), { plan: "free", tags: ["c"], risk: 1 })
    yield* write(owner, user_id, { plan: null, team: null })
    assert.deepStrictEqual(yield* shownTo(owner, user_id), { tags: ["c"], risk: 1 })
    const { user } = yield* ada.body(endpoints.updateUser, { name: "Ada", attributes: { nickname: "A", tags: null } })
    assert.deepInclude(user as object, { name: "Ada", attributes: { nickname: "A" } })
    assert.deepStrictEqual(yield* seenBy(ada), { nickname: "A" })
    yield* ada.body(endpoints.updateUser, { attributes: {} })
    assert.deepStrictEqual(
      (yield* rows(Users)).map((row) => "attributes" in row),
      [false, false, false],
    )
  })

  rule("are refused with their path if they are unknown, invalid, or another's to write", function* () {
    const { owner, ada, helper, user_id } = yield* team
    for (const name of ["plan", "source", "team", "risk", "unknown", "__proto__", "toString", "constructor"]) {
      const refused = yield* refusal(ada, endpoints.updateUser, JSON.parse(`{"attributes":{${JSON.stringify(name)}:1}}`))
      assert.deepStrictEqual(refused, { code: "invalid_request", message: `attributes.${name}: Unexpected key`, member: "attributes" })
    }
    const unknown = yield* refusal(owner, adminUsersUpdate, { user_id, changes: { attributes: { unknown: 1 } } })
    assert.deepStrictEqual(unknown, { code: "invalid_request", message: "changes.attributes.unknown: Unexpected key", member: "changes" })
    const invalid = yield* refusal(owner, adminUsersUpdate, { user_id, changes: { attributes: { risk: -1 } } })
    assert.strictEqual(invalid.code, "invalid_request")
    assert.include(invalid.message, "changes.attributes.risk: ")
    assert.notInclude(invalid.message, "-1")
    for (const attributes of [1, [], "x", null, { plan: "gold" }, { tags: ["a", "b", "c", "d"] }, { tags: ["12345678901"] }])
      assert.strictEqual(yield* owner.code(adminUsersUpdate, { user_id, changes: { attributes } }), "invalid_request")
    for (const risk of [1, null]) {
      const changes = { attributes: { plan: "pro", risk } }
      assert.strictEqual(yield* helper.code(adminUsersUpdate, { user_id, changes }), "forbidden")
    }
    assert.strictEqual(yield* helper.code(adminUsersCreate, { email: null, attributes: { risk: 1 } }), "forbidden")
    assert.deepStrictEqual(yield* rows(UserAttributes), [])
  })

  rule("take at most 16 KiB of a user as JSON", function* () {
    const { owner, ada, user_id } = yield* team
    const rest = JSON.stringify({ about: "" }).length
    yield* ada.body(endpoints.updateUser, { attributes: { about: "x".repeat(16_384 - rest) } })
    for (const attributes of [{ about: "x".repeat(16_385 - rest) }, { nickname: "" }, { about: `é${"x".repeat(16_383 - rest)}` }])
      assert.strictEqual(yield* ada.code(endpoints.updateUser, { attributes }), "invalid_request")
    assert.strictEqual(yield* owner.code(adminUsersUpdate, { user_id, changes: { attributes: { risk: 1 } } }), "invalid_request")
    yield* ada.body(endpoints.updateUser, { attributes: { about: null, nickname: "A" } })
  })

  rule("of different names that change at once both stay, and change the version of the user", function* () {
    const { owner, ada, user_id } = yield* team
    const { version } = yield* owner.body(adminUsersShow, { user_id })
    const names = ["nickname", "handle", "about"]
    const changes = names.map((name) => ada.body(endpoints.updateUser, { attributes: { [name]: name } }))
    const byAdministrators = ["team", "risk"].map((name) => write(owner, user_id, { [name]: 1 }))
    assert.deepStrictEqual(yield* atOnce<any, any>([...changes, ...byAdministrators]), { ok: 5 })
    const expected = { nickname: "nickname", handle: "handle", about: "about", team: 1, risk: 1 }
    assert.deepEqual(yield* shownTo(owner, user_id), expected)
    const stale = { user_id, expected_version: version, changes: { attributes: { plan: "pro" } } }
    assert.strictEqual(yield* owner.code(adminUsersUpdate, stale), "version_mismatch")
    const current = yield* owner.body(adminUsersShow, { user_id })
    yield* owner.body(adminUsersUpdate, { ...stale, expected_version: current.version })
  })

  rule("that are unique have one user, also if many set them at once, and are free after a change or a removal", function* () {
    const { owner, ada, user_id } = yield* team
    const others = yield* Effect.forEach(times(8, String), (name) => signedUp(`u${name}@example.com`))
    const takes = (their: Browser, handle: string | null) => their.body(endpoints.updateUser, { attributes: { handle } })
    assert.deepStrictEqual(yield* atOnce<any, any>(others.map((their) => takes(their, "ada"))), { ok: 1, invalid_request: 7 })
    const taken = yield* refusal(ada, endpoints.updateUser, { attributes: { handle: "ada" } })
    const message = "attributes.handle: Expected a value that no other user has"
    assert.deepStrictEqual(taken, { code: "invalid_request", message, member: "attributes.handle" })
    assert.strictEqual(yield* owner.code(adminUsersUpdate, { user_id, changes: { attributes: { handle: "ada" } } }), "invalid_request")

    const holder = (yield* rows(AttributeValues)).find(({ attribute }) => attribute === "handle")?.user_id ?? ""
    const their = others.find(({ user }) => user.id === holder) ?? assert.fail()
    yield* takes(their, "ada")
    yield* takes(their, "other")
    yield* takes(ada, "ada")
    yield* takes(their, null)
    yield* owner.body(adminRemoveUser, { user_id })
    yield* takes(their, "ada")
    assert.deepStrictEqual(
      (yield* rows(AttributeValues)).map(({ value }) => value),
      ['"ada"'],
    )
    assert.lengthOf(yield* rows(UserAttributes), 1)
  })

  rule("of a sign-up are those with sign_up", function* () {
    const registration = { email: "new@example.com", password }
    for (const name of ["plan", "about", "risk", "unknown"])
      assert.strictEqual(
        yield* browser(auth).code(endpoints.signUpEmail, { ...registration, attributes: { [name]: "free" } }),
        "invalid_request",
      )
    assert.strictEqual(
      yield* browser(auth).code(endpoints.signUpEmail, { ...registration, attributes: { nickname: null } }),
      "invalid_request",
    )
    const their = browser(auth)
    const { user } = yield* their.body(endpoints.signUpEmail, {
      ...registration,
      attributes: { nickname: "New", source: "fair", handle: "new" },
    })
    assert.deepStrictEqual(Reflect.get(user, "attributes"), { nickname: "New", handle: "new" })
    assert.deepStrictEqual(yield* seenBy(their), { nickname: "New", handle: "new" })
    const sameHandle = times(4, (at) =>
      browser(auth).body(endpoints.signUpEmail, { email: `u${at}@example.com`, password, attributes: { handle: "rare" } }),
    )
    assert.deepStrictEqual(yield* atOnce<any, any>(sameHandle), { ok: 1, invalid_request: 3 })
    const known = { ...registration, attributes: { handle: "rare" } }
    assert.strictEqual(yield* browser(auth).code(endpoints.signUpEmail, known), "user_already_exists")
    assert.lengthOf(yield* rows(Users), 2)
  })

  rule("of a user whom an administrator adds are in the same commit, and once with a key", function* () {
    const { owner, helper } = yield* team
    const input = { email: "new@example.com", attributes: { plan: "pro", team: 1 }, idempotency_key: "one" }
    const { user } = yield* helper.body(adminUsersCreate, input)
    const again = yield* helper.body(adminUsersCreate, input)
    assert.strictEqual(again.user.id, user.id)
    for (const each of [user, again.user]) assert.deepStrictEqual(Reflect.get(each, "attributes"), { plan: "pro", team: 1 })
    const other = { ...input, attributes: { plan: "free" } }
    assert.strictEqual(yield* helper.code(adminUsersCreate, other), "idempotency_key_reused")
    yield* owner.body(adminUsersCreate, { email: "other@example.com", attributes: { risk: 2, handle: "x" } })
    assert.strictEqual(yield* owner.code(adminUsersCreate, { email: "third@example.com", attributes: { handle: "x" } }), "invalid_request")
    assert.strictEqual(
      yield* owner.code(adminUsersCreate, { email: "other@example.com", attributes: { handle: "y" } }),
      "user_already_exists",
    )
  })

  rule("that an earlier configuration had, or whose schema refuses the value now, stay stored and are shown nowhere", function* () {
    const { owner, ada, user_id } = yield* team
    yield* write(owner, user_id, { plan: "pro", risk: 1 })
    const { read, commit } = yield* Store
    const row = Option.getOrThrow(yield* read(UserAttributes, { user_id }))
    yield* Effect.orDie(commit([update(UserAttributes, row, { values: { ...row.row.values, plan: "gone", former: "x" } })]))
    assert.deepStrictEqual(yield* shownTo(owner, user_id), { risk: 1 })
    assert.deepStrictEqual(yield* seenBy(ada), {})
    yield* ada.body(endpoints.updateUser, { attributes: { nickname: "A" } })
    assert.deepEqual((yield* rows(UserAttributes))[0]?.values, { plan: "gone", former: "x", risk: 1, nickname: "A" })
  })

  rule("of members of an organization are not shown to each other", function* () {
    const { ada } = yield* team
    yield* withVerified(ada.user.id)
    const fields = auth.graphFields
      .filter(({ name }) => name === "user")
      .map(({ on, output }) => [on === "viewer", Object.keys(Object(output).fields ?? {}).includes("attributes")])
    assert.deepEqual(fields.toSorted(), [
      [false, false],
      [true, true],
    ])
    yield* ada.body(endpoints.updateUser, { attributes: { nickname: "A" } })
    assert.deepInclude(yield* ada.edge("user"), { attributes: { nickname: "A" } })
  })
})

describe("a configuration without attributes", () => {
  const plain = AuthOf.make([...core, administration])
  const emptied = AuthOf.make([...core, attributes.build({}), administration])

  rule("has the endpoints as they are declared, and ignores the member as any unknown one", function* () {
    for (const service of [plain, emptied]) {
      assert.strictEqual(service.endpoints["getSession"], endpoints.getSession)
      assert.strictEqual(service.endpoints["adminUsersUpdate"]?.input, adminUsersUpdate.input)
    }
  })
})
