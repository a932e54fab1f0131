import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Result, Schema } from "effect"
import { deliveryOf } from "../../../application/modules/events/distribute.ts"
import { Deliveries } from "../../../application/modules/events/tables.ts"
import * as AuthOf from "../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../application/service/endpoint.ts"
import { NextPage, PageInput } from "../../../application/service/paging.ts"
import { insert, Store } from "../../../domain/ports/store.ts"
import { modules } from "../../everything.ts"
import { rulesOf } from "../../rule.ts"
import { browser, password, signedUp } from "../../world.ts"

// Every list that pages has the same members with the same meaning. The lists are found by their members.

const service = AuthOf.make(modules)
const { endpoints } = service
const fieldsOf = (schema: Schema.Top): Readonly<Record<string, Schema.Top>> => ("fields" in schema ? (schema.fields as any) : {})

/** Lists with filters, whose cursors are sealed: their pages are smaller, and may be short. They have tests of their own. */
const filtered = ["/admin/users/list", "/admin/organizations/list"]
const isPaged = ({ input, output }: AnyEndpoint) =>
  "cursor" in fieldsOf(input) || "limit" in fieldsOf(input) || Object.keys(fieldsOf(output)).some((name) => /cursor$/i.test(name))
const lists: ReadonlyArray<AnyEndpoint> = Object.values<AnyEndpoint>(endpoints).filter(
  (endpoint) => isPaged(endpoint) && !filtered.includes(endpoint.path),
)
const pathsOf = (all: ReadonlyArray<AnyEndpoint>) => all.map(({ path }) => path)

const described = (schema: Schema.Top) => JSON.stringify(Schema.toJsonSchemaDocument(schema))
const accepts = (schema: Schema.Top, value: unknown) => Result.isSuccess(Schema.decodeUnknownResult(schema as Schema.Codec<any>)(value))

/** The member with the rows: the only one next to `next_cursor`. */
const rowsMember = ({ output }: AnyEndpoint) => Object.keys(fieldsOf(output)).filter((name) => name !== "next_cursor")

const forged = (place: unknown) => Buffer.from(JSON.stringify(place)).toString("base64url")
const badLimits = [0, "0", 1001, "1001", -1, "-1", 1.5, "1.5", "", " 1", "1e2", "0x10", "ten", null, [], true]
const badCursors = [
  "",
  "x",
  "%%%",
  "~",
  7,
  null,
  ["x"],
  true,
  forged({}),
  forged([1]),
  forged({ id: 7 }),
  forged({ id: "\0" }),
  forged("a"),
]

const delivery = (id: string, webhook_id: string) =>
  deliveryOf({ id, type: "user.created", subject: "user:1", body: "{}" }, webhook_id, DateTime.makeUnsafe(0))

describe("a list that pages", () => {
  it("is one of these", () => {
    assert.sameMembers(pathsOf(lists), [
      "/admin/api-keys/list",
      "/admin/audit/list",
      "/admin/clients/agents",
      "/admin/clients/list",
      "/admin/impersonations/list",
      "/admin/organizations/invitations",
      "/admin/invitations/list",
      "/admin/jobs/list",
      "/admin/list-users",
      "/admin/outbox/list",
      "/admin/users/memberships",
      "/admin/webhooks/deliveries",
      "/admin/organizations/members",
      "/admin/service-accounts/list",
      "/api-key/list",
      "/audit/list",
      "/organization/audit/list",
      "/organization/list",
      "/organization/list-invitations",
      "/organization/list-members",
      "/organization/list-team-members",
      "/organization/list-teams",
    ])
  })

  it.each(lists.map((endpoint) => [endpoint.path, endpoint] as const))("has the same members: %s", (_, endpoint) => {
    const { limit, cursor } = fieldsOf(endpoint.input)
    assert.strictEqual(limit, PageInput.limit)
    assert.isDefined(cursor)
    assert.strictEqual(fieldsOf(endpoint.output)["next_cursor"], NextPage.next_cursor)
    assert.lengthOf(rowsMember(endpoint), 1)
    assert.include(described(endpoint.output), `"${rowsMember(endpoint)[0]}":{"type":"array"`)

    const required = Object.fromEntries(
      Object.keys(fieldsOf(endpoint.input)).flatMap((name) => (/^(organization|team|user|webhook)_id$/.test(name) ? [[name, "1"]] : [])),
    )
    assert.isTrue(accepts(endpoint.input, required))
    for (const limit of [1, "1", 1000, "1000", "0007"]) assert.isTrue(accepts(endpoint.input, { ...required, limit }), String(limit))
    for (const limit of badLimits) assert.isFalse(accepts(endpoint.input, { ...required, limit }), JSON.stringify(limit))
    for (const cursor of badCursors) assert.isFalse(accepts(endpoint.input, { ...required, cursor }), JSON.stringify(cursor))
  })

  const rule = rulesOf(modules)
  rule("has next_cursor only if rows remain or a page was requested, and null at its end", function* () {
    const call = Effect.fnUntraced(function* (their: ReturnType<typeof browser>, name: string, input: object = {}) {
      return (yield* their.body(endpoints[name]!, input)) as any
    })
    const root = yield* signedUp("root@example.com", service)
    const bob = yield* signedUp("bob@example.com", service)
    const { organization } = yield* call(root, "organizationCreate", { name: "Acme", slug: "acme" })
    yield* call(root, "organizationCreate", { name: "Other", slug: "other" })
    const organization_id = organization.id
    const invite = (email: string) => call(root, "organizationInvite", { organization_id, email })
    const { invitation } = yield* invite("bob@example.com")
    yield* call(bob, "organizationAcceptInvitation", { invitation_id: invitation.id })
    yield* Effect.forEach(["carl@example.com", "dora@example.com"], invite)
    const { team } = yield* call(root, "organizationCreateTeam", { organization_id, name: "one" })
    yield* call(root, "organizationCreateTeam", { organization_id, name: "two" })
    for (const { user } of [root, bob]) yield* call(root, "organizationAddTeamMember", { team_id: team.id, user_id: user.id })
    for (const port of [1, 2])
      yield* call(root, "adminClientsCreate", { redirect_uris: [`https://app${port}.example/cb`], client_name: `app ${port}` })
    for (const client_name of ["one", "two"])
      yield* call(browser(service), "oauth2Register", { redirect_uris: ["http://localhost/cb"], client_name })
    for (const name of ["one", "two"]) yield* call(root, "adminServiceAccountsCreate", { name, permissions: [] })
    for (const name of ["one", "two"]) yield* call(root, "apiKeyCreate", { name, organization_id })
    for (const reason of ["the first look", "the second look"])
      yield* call(browser(service, { ...root.jar }), "adminImpersonateStart", { user_id: bob.user.id, reason })
    for (const id of ["1", "2"]) yield* call(root, "adminJobsCreate", { operation: "unban", user_ids: [id] })
    const { webhook } = yield* call(root, "adminWebhooksCreate", { url: "https://example.com/events", types: ["*"] })
    yield* Effect.orDie((yield* Store).commit(["1", "2"].map((id) => insert(Deliveries, delivery(id, webhook.id)))))
    yield* Effect.forEach(["eve@example.com", "fay@example.com"], (email) => call(root, "adminInvitationsCreate", { email }))
    yield* call(browser(service), "signInEmail", { email: "root@example.com", password })

    for (const endpoint of lists) {
      const input = Object.fromEntries(
        Object.entries({ organization_id, team_id: team.id, user_id: root.user.id, webhook_id: webhook.id }).filter(
          ([name]) => name in fieldsOf(endpoint.input) && endpoint.path !== "/admin/audit/list",
        ),
      )
      const [member = ""] = rowsMember(endpoint)
      const read = (page: object) => call(root, endpoint.name, { ...input, ...page })
      const all = yield* read({})
      assert.deepStrictEqual(Object.keys(all), [member], endpoint.path)
      assert.isAtLeast(all[member].length, 2, endpoint.path)
      assert.isNull((yield* read({ limit: 1000 })).next_cursor, endpoint.path)

      const seen: Array<unknown> = []
      let page = yield* read({ limit: "1" })
      while (page.next_cursor !== null && seen.length <= all[member].length) {
        assert.isString(page.next_cursor, endpoint.path)
        seen.push(...page[member])
        page = yield* read({ limit: "1", cursor: page.next_cursor })
      }
      assert.deepStrictEqual([...seen, ...page[member]], all[member], endpoint.path)
      const [first] = [yield* read({ limit: 1 })]
      assert.isNull((yield* read({ cursor: first.next_cursor })).next_cursor, endpoint.path)
    }
  })
})
