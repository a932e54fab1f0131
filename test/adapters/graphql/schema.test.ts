import { Effect, Schema } from "effect"
import { printSchema, printType } from "graphql"
import { describe, expect, it } from "vitest"
import { enumName, memberName, typeName } from "../../../adapters/graphql/names.ts"
import { makeSchema, operationsOf, printed } from "../../../adapters/graphql/schema.ts"
import * as Auth from "../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../application/service/endpoint.ts"
import * as Endpoint from "../../../application/service/endpoint.ts"
import * as GraphField from "../../../application/service/graph-field.ts"
import * as Module from "../../../application/service/module.ts"
import { User } from "../../../domain/users/user.ts"
import { modules } from "../../everything.ts"
import { core } from "../../world.ts"
import { fieldOf } from "./wire.ts"

const everything = Auth.make(modules)

describe("the schema", () => {
  it("is the one in docs/schema.graphql; `npm run schema:update` regenerates it", async () => {
    await expect(`${printed(makeSchema(everything))}\n`).toMatchFileSnapshot("../../../docs/schema.graphql")
  })

  const schema = makeSchema(everything)

  it.each(operationsOf(everything))("has a field for %s", (name, endpoint) => {
    const field = fieldOf(schema, name, endpoint.method)
    expect(field.description).toBe(endpoint.summary)
    const expected = field.args.length === 0 ? "" : `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`
    expect(field.args.map(({ name, type }) => [name, String(type).replace("!", "")])).toEqual(expected === "" ? [] : [["input", expected]])
  })

  it.each(modules.flatMap(({ endpoints }) => Object.entries(endpoints)))("has %s, unless another protocol calls it", (name, endpoint) => {
    const fields = { ...schema.getQueryType()?.getFields(), ...schema.getMutationType()?.getFields() }
    const { protocol } = endpoint as AnyEndpoint
    expect(name in fields).toBe(protocol === undefined || protocol.isOperation === true)
  })

  it("has no field for endpoints of other protocols, and no other fields than operations and the viewer", () => {
    const fields = [...Object.keys(schema.getQueryType()!.getFields()), ...Object.keys(schema.getMutationType()!.getFields())]
    expect(fields.sort()).toEqual(["viewer", ...operationsOf(everything).map(([name]) => name)].sort())
    const bound = Object.entries(everything.endpoints).filter(([, { protocol }]) => protocol !== undefined && protocol.isOperation !== true)
    for (const [name] of bound) expect(fields).not.toContain(name)
  })

  it("has a subscription for each stream of a module, also in a subgraph, and no type for them without a stream", () => {
    const names = everything.streams.map(({ name }) => name)
    expect(names).toEqual(["jobProgress", "sessionEvents", "adminAuditEvents"])
    for (const made of [schema, makeSchema(everything, { federation: true })])
      expect(Object.keys(made.getSubscriptionType()!.getFields())).toEqual(names)
    expect(makeSchema(Auth.make(core)).getSubscriptionType()).toBeUndefined()
  })

  it("loses the fields and types of a module with the module", () => {
    const [sessions, ...others] = core
    expect(sessions?.name).toBe("sessions")
    const text = printSchema(makeSchema(Auth.make(others)))
    expect(text).not.toMatch(/listSessions|SessionListItem/)
  })
})

/** A module with one operation. */
const withOperation = (name: string, changes: object) => {
  const endpoint = Endpoint.make({
    method: "POST",
    path: `/${name}`,
    summary: "Tries.",
    access: "public",
    input: Endpoint.NoInput,
    output: Endpoint.Success,
    handler: () => Effect.succeed(Endpoint.reply(Endpoint.succeeded)),
  })
  return Module.define({ name, settings: Module.NoSettings, parts: () => ({ endpoints: [{ ...endpoint, name, ...changes }] }) }).build({})
}
const schemaWith = (...added: ReadonlyArray<Module.AnyModule>) => makeSchema(Auth.make([...core, ...added]))
const typesOf = (changes: object, ...names: ReadonlyArray<string>) => {
  const schema = schemaWith(withOperation("tryIt", changes))
  return names.map((name) => printType(schema.getType(name)!)).join("\n")
}

describe("an input", () => {
  it("has required and optional members, lists, enums, scalars, ids and descriptions", () => {
    const input = Schema.Struct({
      user_id: Schema.String,
      tag_ids: Schema.optionalKey(Schema.Array(Schema.String)),
      count: Schema.Int.pipe(Schema.annotateKey({ description: "How often." })),
      ratio: Schema.NullOr(Schema.Number),
      color: Schema.optionalKey(Schema.Literals(["dark-red", "green"])),
      at: Schema.DateTimeUtcFromString,
      page: Schema.optionalKey(Schema.NumberFromString),
      nested: Schema.Struct({ first_name: Schema.String }),
      any: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
      defaulted: Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(true))),
    })
    expect(typesOf({ input }, "TryItInput", "TryItColor", "TryItNestedInput")).toBe(
      [
        "input TryItInput {",
        "  userId: ID!",
        "  tagIds: [ID!]",
        "",
        '  """How often."""',
        "  count: Int!",
        "  ratio: Float",
        "  color: TryItColor",
        "  at: DateTime!",
        "  page: Float",
        "  nested: TryItNestedInput!",
        "  any: JSON",
        "  defaulted: Boolean",
        "}",
        "enum TryItColor {",
        "  DARK_RED",
        "  GREEN",
        "}",
        "input TryItNestedInput {",
        "  firstName: String!",
        "}",
      ].join("\n"),
    )
  })

  it("that is one of several structs has the members of all", () => {
    const input = Schema.Union([
      Schema.Struct({ kind: Schema.Literal("mail"), address: Schema.String }),
      Schema.Struct({ kind: Schema.Literal("phone"), number: Schema.String }),
    ])
    const kinds = "enum TryItKind {\n  MAIL\n  PHONE\n}"
    const members = "input TryItInput {\n  kind: TryItKind!\n  address: String\n  number: String\n}"
    expect(typesOf({ input }, "TryItInput", "TryItKind")).toBe(`${members}\n${kinds}`)
    const same = Schema.Union([Schema.Struct({ token: Schema.String, a: Schema.String }), Schema.Struct({ token: Schema.String })])
    expect(typesOf({ input: same }, "TryItInput")).toBe("input TryItInput {\n  token: String!\n  a: String\n}")
  })
})

describe("an output", () => {
  it("has shared types by identifier, unions with named members, and null for an empty body", () => {
    const Own = Schema.Struct({ id: Schema.String }).annotate({ identifier: "Own", description: "One's own." })
    const output = Schema.Union([
      Schema.Struct({ user: User, owned: Schema.Array(Own) }),
      Schema.Struct({ status: Schema.Literal("sent_on"), at: Schema.optionalKey(Schema.DateTimeUtc) }),
    ])
    const types = typesOf({ output }, "TryItPayload", "TryItUser", "TryItSentOn", "Own")
    expect(types).toBe(
      [
        "union TryItPayload = TryItUser | TryItSentOn",
        "type TryItUser {\n  user: User!\n  owned: [Own!]!\n}",
        "type TryItSentOn {\n  status: TryItSentOnStatus!\n  at: DateTime\n}",
        '"""One\'s own."""\ntype Own {\n  id: ID!\n}',
      ].join("\n"),
    )
  })
})

describe("names are unique", () => {
  const named = (identifier: string) => Schema.Struct({ id: Schema.String }).annotate({ identifier })
  const edge = (name: string, on: GraphField.Origin = User, of?: string) =>
    Module.define({
      name,
      settings: Module.NoSettings,
      parts: () => ({
        graphFields: [
          GraphField.make({
            on,
            ...(of && { of }),
            name,
            summary: "Leads.",
            output: Schema.String,
            load: (all) => Effect.succeed(all.map(() => "there")),
          }),
        ],
      }),
    }).build({})

  it.each([
    [
      "a shared type with other members",
      [withOperation("tryIt", { output: Schema.Struct({ a: Schema.String }).annotate({ identifier: "User" }) })],
      "User",
    ],
    ["a graph field with the name of a member", [edge("email")], "email"],
    ["an operation with the name of the viewer", [withOperation("viewer", { method: "GET" })], "viewer"],
    ["a graph field on an unreachable type", [edge("lost", Schema.Struct({ a: Schema.String }))], "lost"],
    ["a graph field on a misspelt type of a module that is on", [edge("lost", named("Sesion"), "sessions")], "lost"],
  ])("%s", (_, added, name) => {
    expect(() => schemaWith(...added)).toThrow(name)
  })

  it("but a graph field on a type of a module that is off is left out", () => {
    const field = edge("nickname", named("Own"), "tryIt")
    expect(printSchema(schemaWith(field))).not.toContain("nickname")
    expect(printType(schemaWith(field, withOperation("tryIt", { output: named("Own") })).getType("Own")!)).toContain("nickname: String")
  })

  it("but a graph field beside the members is allowed", () => {
    expect(printType(schemaWith(edge("nickname")).getType("User")!)).toContain('"""Leads."""\n  nickname: String\n')
  })
})

it.each([
  ["email_verified", "emailVerified", "EmailVerified", "EMAIL_VERIFIED"],
  ["signUpEmail", "signUpEmail", "SignUpEmail", "SIGN_UP_EMAIL"],
  ["dark-red", "darkRed", "DarkRed", "DARK_RED"],
  ["2fa", "_2fa", "_2fa", "_2FA"],
  ["clientDataJSON", "clientDataJSON", "ClientDataJSON", "CLIENT_DATA_JSON"],
])("%s is %s, %s or %s", (text, member, type, value) => {
  expect([memberName(text), typeName(text), enumName(text)]).toEqual([member, type, value])
})
