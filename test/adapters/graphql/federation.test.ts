import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { expect } from "vitest"
import { makeSchema, printed } from "../../../adapters/graphql/schema.ts"
import { decode } from "../../../adapters/graphql/settings.ts"
import { admin } from "../../../application/modules/admin/index.ts"
import { organization } from "../../../application/modules/organization/index.ts"
import * as Auth from "../../../application/service/auth.ts"
import * as Module from "../../../application/service/module.ts"
import { permissions } from "../../../domain/administration/permissions.ts"
import { core } from "../../world.ts"
import { port, post } from "../http/served.ts"
import { counted, questions } from "./counted.ts"
import { codes, graphqlServed, joined, query } from "./request.ts"

const gateway_secret = "a secret of the gateway, 32 bytes and more"
const administrator = "root@example.com"
const settings = Schema.decodeUnknownSync(organization.settings)({})

/** The state of a module whose rule makes every user an administrator who needs a second factor. */
const rule = { holdsFactor: true, asked: 0, observed: 0 }
const ruling = Module.define({
  name: "ruling",
  settings: Module.NoSettings,
  parts: () => ({
    grants: () =>
      Effect.sync(() => {
        rule.asked += 1
        return permissions
      }),
    administratorsNeedFactor: true,
    factor: { second: true, heldBy: (ids) => Effect.sync(() => new Set(rule.holdsFactor ? ids : [])) },
    observe: () =>
      Effect.sync(() => {
        rule.observed += 1
      }),
  }),
}).build({})

const modules = [
  ...core,
  organization.build(settings),
  admin.build(Schema.decodeUnknownSync(admin.settings)({ admin_emails: [administrator] })),
]
const federation = { federation: true, gateway_secret }
const asGateway = { "sallyport-gateway-secret": gateway_secret }

type Headers = Readonly<Record<string, string>>

const entities = `query ($representations: [_Any!]!) {
  _entities(representations: $representations) {
    __typename
    ... on User { id email }
    ... on Organization { id slug }
    ... on Team { id name }
  }
}`
const resolve = (representations: ReadonlyArray<object>, headers: Headers = {}) => query(entities, { representations }, { headers })
const sdl = (headers: Headers = {}) => query("{ _service { sdl } }", {}, { headers })

const done = Effect.fnUntraced(function* (headers: Headers, path: string, input: object) {
  const answer = yield* post(`/organization/${path}`, input, { headers })
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.json
})
const idOf = (headers: Headers) =>
  Effect.map(query("{ viewer { user { id } } }", {}, { headers }), ({ data }) => data.viewer.user.id as string)

/** An organization with an owner and a member, who is alone in its team, and their representations. */
const staffed = Effect.fnUntraced(function* (slug: string) {
  const owner = yield* joined(`${slug}-owner@example.com`)
  const member = yield* joined(`${slug}-member@example.com`)
  const { organization } = yield* done(owner, "create", { name: slug, slug })
  const at = { organization_id: organization.id as string }
  const { invitation } = yield* done(owner, "invite", { ...at, email: `${slug}-member@example.com`, role: "member" })
  yield* done(member, "accept-invitation", { invitation_id: invitation.id })
  const { team } = yield* done(owner, "create-team", { ...at, name: `${slug} team` })
  const [owner_id, member_id] = [yield* idOf(owner), yield* idOf(member)]
  yield* done(owner, "add-team-member", { team_id: team.id, user_id: member_id })
  const all = [
    { __typename: "User", id: owner_id },
    { __typename: "User", id: member_id },
    { __typename: "Organization", id: at.organization_id },
    { __typename: "Team", id: team.id as string },
  ] as const
  return { owner, member, all }
})
const unknown = ["User", "Organization", "Team"].map((__typename) => ({ __typename, id: "nope" }))

/** The types of the entities that the caller gets, null for the others. */
const seen = Effect.fnUntraced(function* (representations: ReadonlyArray<object>, headers: Headers = {}) {
  const answer = yield* resolve(representations, headers)
  assert.deepStrictEqual(codes(answer), [], answer.text)
  return answer.data._entities.map((entity: any) => entity?.__typename ?? null)
})

describe("entities", () => {
  layer(graphqlServed({ modules, graphql: federation, instead: counted }), { excludeTestServices: true })((it) => {
    it.effect("are resolved for those who may see them, in batches", () =>
      Effect.gen(function* () {
        const { owner, member, all } = yield* staffed("acme")
        const other = yield* staffed("other")
        const types = ["User", "User", "Organization", "Team"]
        const nothing = [null, null, null, null]
        assert.deepStrictEqual(yield* seen(all, member), types)
        assert.deepStrictEqual(yield* seen(all, owner), ["User", "User", "Organization", null])
        assert.deepStrictEqual(yield* seen(all), nothing)
        assert.deepStrictEqual(yield* seen(other.all, member), nothing)
        assert.deepStrictEqual(yield* seen(all, { ...other.member, "sallyport-gateway-secret": `${gateway_secret}.` }), nothing)
        assert.deepStrictEqual(yield* seen(all, yield* joined("alone@example.com")), nothing)
        for (const headers of [yield* joined(administrator), asGateway])
          assert.deepStrictEqual(yield* seen([...all, ...other.all], headers), [...types, ...types])
        for (const headers of [member, asGateway, {}]) assert.deepStrictEqual(yield* seen(unknown, headers), [null, null, null])

        const { data } = yield* resolve([all[1], all[2], all[3]], member)
        assert.deepInclude(data._entities[0], { __typename: "User", email: "acme-member@example.com" })
        assert.deepInclude(data._entities[1], { __typename: "Organization", slug: "acme" })
        assert.deepInclude(data._entities[2], { __typename: "Team", name: "acme team" })

        const reads = Effect.fnUntraced(function* (representations: ReadonlyArray<object>) {
          questions.count = 0
          yield* seen(representations, member)
          return questions.count
        })
        const one = yield* reads(all.slice(0, 1))
        assert.isAtLeast(one, 3)
        assert.strictEqual(yield* reads(all.slice(0, 2)), one)
      }),
    )

    it.effect("are requested by type and id, in bounded numbers", () =>
      Effect.gen(function* () {
        for (const wrong of [
          { __typename: "Session", id: "1" },
          { __typename: "User" },
          { __typename: "constructor", id: "1" },
          { id: "1" },
        ])
          assert.deepStrictEqual(codes(yield* resolve([wrong])), ["invalid_request"])
        const texts = [
          { __typename: "User", id: "a\u0000b" },
          { __typename: "User", id: "\ud800" },
        ]
        assert.deepStrictEqual(yield* seen(texts, asGateway), [null, null])
        const many = (count: number) => Array.from({ length: count }, (_, index) => ({ __typename: "User", id: `${index}` }))
        assert.lengthOf(yield* seen(many(600), asGateway), 600)
        assert.deepStrictEqual(codes(yield* resolve(many(700), asGateway)), ["query_too_complex"])
      }),
    )

    it.effect("are in the SDL with their keys", () =>
      Effect.gen(function* () {
        const { data } = yield* sdl()
        for (const type of ["User", "Organization", "Team"]) assert.include(data._service.sdl, `extend type ${type} @key(fields: "id")`)
        assert.notInclude(data._service.sdl, "_entities")
      }),
    )
  })

  layer(graphqlServed({ modules: [...core, organization.build(settings), ruling], graphql: federation }), {
    excludeTestServices: true,
  })((it) => {
    it.effect("are resolved for administrators with the required factor, who are looked up once in a request", () =>
      Effect.gen(function* () {
        const { all } = yield* staffed("acme")
        const caller = yield* joined("alone@example.com")
        const many = Array.from({ length: 250 }, (_, index) => ({ __typename: "User", id: `${index}` }))
        const seenTypes = Effect.fnUntraced(function* (holdsFactor: boolean) {
          Object.assign(rule, { holdsFactor, asked: 0, observed: 0 })
          const types = yield* seen([...all, ...many], caller)
          assert.deepStrictEqual([rule.asked, rule.observed], [1, 0])
          return types.slice(0, all.length)
        })
        assert.deepStrictEqual(yield* seenTypes(true), ["User", "User", "Organization", "Team"])
        assert.deepStrictEqual(yield* seenTypes(false), [null, null, null, null])
      }),
    )
  })

  layer(graphqlServed({ modules, graphql: { ...federation, max_cost: 20 } }), { excludeTestServices: true })((it) => {
    it.effect("cost as much as their number", () =>
      Effect.gen(function* () {
        const users = (count: number) => Array.from({ length: count }, () => unknown[0]!)
        assert.lengthOf(yield* seen(users(20)), 20)
        assert.deepStrictEqual(codes(yield* resolve(users(21))), ["query_too_complex"])
        const literal = `{ _entities(representations: [${'{ __typename: "User", id: "1" } '.repeat(21)}]) { __typename } }`
        assert.deepStrictEqual(codes(yield* query(literal)), ["query_too_complex"])
      }),
    )
  })

  layer(graphqlServed({ graphql: { ...federation, introspection: false } }), { excludeTestServices: true })((it) => {
    it.effect("are described only to the gateway where introspection is off", () =>
      Effect.gen(function* () {
        for (const headers of [{}, { "sallyport-gateway-secret": "x" }]) assert.deepStrictEqual(codes(yield* sdl(headers)), ["forbidden"])
        const { data } = yield* sdl(asGateway)
        assert.include(data._service.sdl, 'extend type User @key(fields: "id")')
        assert.notInclude(data._service.sdl, "extend type Team")
      }),
    )
  })

  layer(graphqlServed({ modules, graphql: { gateway_secret } }), { excludeTestServices: true })((it) => {
    it.effect("do not exist without federation", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(codes(yield* sdl(asGateway)), ["invalid_request"])
        assert.include(codes(yield* resolve(unknown, asGateway)), "invalid_request")
      }),
    )
  })
})

describe("the schema with federation", () => {
  it("differs only in the SDL's keys and two fields", () => {
    const auth = Auth.make(modules)
    const plain = makeSchema(auth)
    const federated = makeSchema(auth, { federation: true })
    expect(printed(federated).replace("PageInfo @shareable", "PageInfo").endsWith(printed(plain))).toBe(true)
    expect(Object.keys(federated.getQueryType()!.getFields()).filter((name) => !(name in plain.getQueryType()!.getFields()))).toEqual([
      "_service",
      "_entities",
    ])
  })

  it.effect("requires a secret of 32 bytes", () =>
    Effect.gen(function* () {
      assert.match(String(yield* Effect.flip(decode({ gateway_secret: "x".repeat(31) }))), /at least 32 bytes/)
      const settings = yield* decode({ gateway_secret: "x".repeat(32) })
      assert.notInclude(JSON.stringify(settings), "xxxx")
    }),
  )
})

/** A gateway in front of this service and a second subgraph; returns its URL. */
const gatewayOf = Effect.fnUntraced(function* (subgraph: string) {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [join(import.meta.dirname, "gateway/main.ts"), subgraph, gateway_secret], {
        stdio: ["ignore", "pipe", "inherit"],
      }),
    ),
    (process) => Effect.sync(() => process.kill()),
  )
  const [url] = yield* Effect.promise(() => Promise.race([once(createInterface(child.stdout), "line"), once(child, "exit")]))
  assert.match(String(url), /^http:/, "the gateway did not start")
  return String(url)
})

describe("a gateway of Apollo Federation", () => {
  layer(graphqlServed({ modules, graphql: { ...federation, introspection: false } }), { excludeTestServices: true })((it) => {
    it.effect(
      "composes the schema with that of another subgraph, and queries both",
      () =>
        Effect.gen(function* () {
          const { member, all } = yield* staffed("acme")
          const [owner, self, { id: organization }, { id: team }] = all
          const url = yield* gatewayOf(`http://127.0.0.1:${yield* port}/graphql`)
          const ask = (query: string, variables: object, headers: Headers = {}) =>
            Effect.promise(async (): Promise<any> => {
              const response = await fetch(url, { method: "POST", body: JSON.stringify({ query, variables }), headers })
              return response.json()
            })

          const own = yield* ask("{ viewer { user { email documents { title author { email } } } } }", {}, member)
          const email = "acme-member@example.com"
          assert.deepStrictEqual(own, { data: { viewer: { user: { email, documents: [{ title: `by ${self.id}`, author: { email } }] } } } })

          const document = `query ($author: ID!, $organization: ID!, $team: ID!) {
            document(author: $author, organization: $organization, team: $team) { author { email } organization { slug } team { name } }
          }`
          const variables = { author: owner.id, organization, team }
          const shown = { author: { email: "acme-owner@example.com" }, organization: { slug: "acme" }, team: { name: "acme team" } }
          assert.deepStrictEqual((yield* ask(document, variables, member)).data, { document: shown })
          assert.deepStrictEqual((yield* ask(document, variables, asGateway)).data, { document: shown })
          const stranger = yield* joined("stranger@example.com")
          for (const headers of [stranger, {}]) {
            const { data } = yield* ask(document, variables, headers)
            assert.deepStrictEqual(
              data.document,
              (yield* ask(document, { author: "1", organization: "2", team: "3" }, headers)).data.document,
            )
            assert.notInclude(JSON.stringify(data), "acme")
          }
        }).pipe(Effect.scoped),
      120_000,
    )
  })
})
