import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { admin } from "../../../../application/modules/admin/index.ts"
import { organizationAttributes } from "../../../../application/modules/attributes/organizations.ts"
import { audit } from "../../../../application/modules/audit/index.ts"
import { Records } from "../../../../application/modules/audit/tables.ts"
import { organization } from "../../../../application/modules/organization/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import { OrganizationAttributes } from "../../../../domain/attributes/organizations.ts"
import { owned } from "../../../owned.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, core, onWire, rows, signedUp as signedUpTo } from "../../../world.ts"

const root = "root@example.com"
const text = (maxLength: number) => ({ type: "string", maxLength })
const own = organizationAttributes.build(
  Schema.decodeUnknownSync(organizationAttributes.settings)({
    tier: { schema: { enum: ["small", "large"] } },
    about: { schema: text(20_000), write: "user" },
    city: { schema: text(40), write: "user" },
    risk: { schema: { type: "integer" }, read: "admin" },
    seats: { schema: { type: "integer" }, read: "client" },
  }),
)
const administration = admin.build(Schema.decodeUnknownSync(admin.settings)({ admin_emails: [root], roles: {} }))
const organizations = organization.build(Schema.decodeUnknownSync(organization.settings)({}))
const log = audit.build(Schema.decodeUnknownSync(audit.settings)({}), owned)
const modules = [...core, own, administration, organizations, log]
const auth = AuthOf.make(modules)
const rule = rulesOf(modules)
const { organizationCreate, organizationUpdate, organizationGetFull, organizationSetActive } = organizations.endpoints
const { organizationInvite, organizationAcceptInvitation, organizationDelete } = organizations.endpoints
const { adminOrganizationsCreate, adminOrganizationsShow, adminOrganizationsUpdate, adminOrganizationsList } = organizations.endpoints

const signedUp = (address: string) => signedUpTo(address, auth)
const acme = Effect.gen(function* () {
  const [owner, ada] = [yield* signedUp(root), yield* signedUp("ada@example.com")]
  const created = yield* ada.body(organizationCreate, { name: "Acme", slug: "acme" })
  const organization_id = created.organization.id
  const change = (attributes: object) => ada.body(organizationUpdate, { organization_id, attributes })
  const administer = (attributes: object) => owner.body(adminOrganizationsUpdate, { organization_id, changes: { attributes } })
  return { owner, ada, organization_id, change, administer }
})
type Browser = Effect.Success<ReturnType<typeof signedUp>>
const shown = (their: Pick<Browser, "body">, endpoint: { readonly name: string }, input: object) =>
  Effect.gen(function* () {
    const complete = auth.endpoints[endpoint.name] ?? assert.fail(endpoint.name)
    const body = yield* onWire(complete, yield* their.body(complete, input))
    return body.organization.attributes
  })

describe("attributes of organizations", () => {
  rule("are what members and administrators may see and change", function* () {
    const { owner, ada, organization_id, change, administer } = yield* acme
    assert.deepStrictEqual(yield* shown(ada, organizationGetFull, { organization_id }), {})
    yield* administer({ tier: "large", risk: 3 })
    yield* change({ city: "Rome" })
    assert.deepStrictEqual(yield* shown(ada, organizationGetFull, { organization_id }), { tier: "large", city: "Rome" })
    yield* ada.body(organizationSetActive, { organization_id })
    assert.deepStrictEqual(yield* shown(ada, organizations.endpoints.organizationGetActive, {}), { tier: "large", city: "Rome" })
    const all = { tier: "large", city: "Rome", risk: 3 }
    assert.deepStrictEqual(yield* shown(owner, adminOrganizationsShow, { organization_id }), all)
    const { organizations: listed } = yield* owner.body(adminOrganizationsList)
    assert.deepStrictEqual(
      listed.map((each) => Reflect.get(each, "attributes")),
      [all],
    )
    yield* administer({ tier: null, city: null })
    assert.deepStrictEqual(yield* shown(owner, adminOrganizationsShow, { organization_id }), { risk: 3 })
    assert.deepStrictEqual(yield* shown(ada, organizationGetFull, { organization_id }), {})
  })

  rule("are in the list of a member as in the organization itself", function* () {
    const { ada, organization_id, administer } = yield* acme
    const other = yield* ada.body(organizationCreate, { name: "Other", slug: "other" })
    yield* administer({ tier: "large", risk: 3, seats: 5 })
    const list = auth.endpoints["organizationList"] ?? assert.fail("no list")
    const { organizations: listed } = yield* onWire(list, yield* ada.body(list))
    const of = (id: string) => listed.find((each: { readonly id: string }) => each.id === id)
    assert.deepInclude(of(organization_id), { role: "owner", attributes: { tier: "large", seats: 5 } })
    assert.deepStrictEqual(of(organization_id).attributes, yield* shown(ada, organizationGetFull, { organization_id }))
    assert.deepInclude(of(other.organization.id), { role: "owner", attributes: {} })
  })

  rule("are refused if they are unknown, invalid, too large, or another's to write", function* () {
    const { owner, ada, organization_id } = yield* acme
    for (const attributes of [{ tier: "large" }, { risk: 1 }, { seats: 1 }, { unknown: 1 }, { city: 1 }, { city: "x".repeat(41) }, 1, []])
      assert.strictEqual(
        yield* ada.code(organizationUpdate, { organization_id, attributes }),
        "invalid_request",
        JSON.stringify(attributes),
      )
    assert.strictEqual(
      yield* ada.code(organizationUpdate, { organization_id, attributes: { about: "x".repeat(16_384) } }),
      "invalid_request",
    )
    for (const attributes of [{ tier: "huge" }, { unknown: 1 }, { risk: "1" }])
      assert.strictEqual(yield* owner.code(adminOrganizationsUpdate, { organization_id, changes: { attributes } }), "invalid_request")
    const bob = yield* signedUp("bob@example.com")
    assert.strictEqual(yield* bob.code(organizationUpdate, { organization_id, attributes: { city: "Rome" } }), "forbidden")
    const { invitation } = yield* ada.body(organizationInvite, { organization_id, email: "bob@example.com", role: "member" })
    yield* bob.body(organizationAcceptInvitation, { invitation_id: invitation.id })
    assert.strictEqual(yield* bob.code(organizationUpdate, { organization_id, attributes: { city: "Rome" } }), "forbidden")
    assert.deepStrictEqual(yield* rows(OrganizationAttributes), [])
  })

  rule("that change at once all stay, and change the version", function* () {
    const { owner, organization_id, change, administer } = yield* acme
    const { version } = yield* owner.body(adminOrganizationsShow, { organization_id })
    const changes = [change({ city: "Rome" }), change({ about: "Engines" }), administer({ tier: "small" }), administer({ risk: 1 })]
    assert.deepStrictEqual(yield* atOnce<any, any>(changes), { ok: 4 })
    const all = { city: "Rome", about: "Engines", tier: "small", risk: 1 }
    assert.deepEqual(yield* shown(owner, adminOrganizationsShow, { organization_id }), all)
    const stale = { organization_id, expected_version: version, changes: { attributes: { risk: 2 } } }
    assert.strictEqual(yield* owner.code(adminOrganizationsUpdate, stale), "version_mismatch")
  })

  rule("of an organization that an administrator creates are in the same commit, and go with it", function* () {
    const { owner, ada } = yield* acme
    const input = { name: "Engines", slug: "engines", user_id: ada.user.id, attributes: { tier: "small" }, idempotency_key: "one" }
    const created = yield* owner.body(adminOrganizationsCreate, input)
    const again = yield* owner.body(adminOrganizationsCreate, input)
    for (const { organization } of [created, again]) assert.deepStrictEqual(Reflect.get(organization, "attributes"), { tier: "small" })
    assert.strictEqual(yield* owner.code(adminOrganizationsCreate, { ...input, attributes: { tier: "large" } }), "idempotency_key_reused")
    assert.lengthOf(yield* rows(OrganizationAttributes), 1)
    yield* ada.body(organizationDelete, { organization_id: created.organization.id })
    assert.lengthOf(yield* rows(OrganizationAttributes), 0)
  })

  rule("are in the audit log as a change, without names and values", function* () {
    const { change, administer } = yield* acme
    yield* change({ city: "Rome" })
    yield* administer({ risk: 471 })
    yield* administer({ risk: 471 })
    const updates = (yield* rows(Records)).filter(({ type }) => type === "organization.updated")
    assert.deepStrictEqual(
      updates.map(({ data: { fields } }) => ({ fields })),
      [{ fields: ["attributes"] }, { fields: ["attributes"] }],
    )
  })
})

const plain = AuthOf.make([...core, administration, organizations])

rule("without declared attributes, the endpoints are as they are declared", function* () {
  assert.strictEqual(plain.endpoints["organizationUpdate"]?.input, organizationUpdate.input)
  assert.strictEqual(plain.endpoints["adminOrganizationsShow"]?.output, adminOrganizationsShow.output)
  assert.strictEqual(plain.endpoints["organizationList"]?.output, organizations.endpoints.organizationList.output)
})
