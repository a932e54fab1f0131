import { createConfig, lintFromString } from "@redocly/openapi-core"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Effect, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { makeSchema, operationsOf } from "../../../adapters/graphql/schema.ts"
import type { Json } from "../../../adapters/openapi/json.ts"
import * as Auth from "../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../application/service/endpoint.ts"
import * as Endpoint from "../../../application/service/endpoint.ts"
import * as Module from "../../../application/service/module.ts"
import { modules } from "../../everything.ts"
import { core } from "../../world.ts"
import { described, endpointOf, everySchema, operations, schemaOf, successOf } from "./described.ts"

const document = described()
const text = `${JSON.stringify(document, null, 2)}\n`
const everything = Auth.make(modules)

/** The document of the core and one operation. */
const withOperation = (changes: object) => {
  const endpoint = Endpoint.make({
    method: "POST",
    path: "/try-it",
    summary: "Tries.",
    access: "public",
    input: Endpoint.NoInput,
    output: Endpoint.Success,
    errors: [],
    handler: () => Effect.succeed(Endpoint.reply(Endpoint.succeeded)),
  })
  const tried = Module.define({
    name: "tried",
    settings: Module.NoSettings,
    parts: () => ({ endpoints: [{ ...endpoint, ...changes }] }),
  })
  return described({ modules: [...core, tried.build({})] })
}

describe("the document", () => {
  it("is the one in docs/openapi.json; `npm run openapi:update` regenerates it", async () => {
    await expect(text).toMatchFileSnapshot("../../../docs/openapi.json")
  })

  it.each(Object.entries(everything.endpoints))("has %s with its summary, success and errors", (name, { method, path, summary }) => {
    const operation = operations(document)[name]!
    expect(operation).toMatchObject({ method, path, summary })
    expect(Object.keys(operation.responses).some((status) => status < "400")).toBe(true)
    expect(operation.responses).toHaveProperty("429")
  })

  it("has no operations and schemas of a module that is off", () => {
    const lost = JSON.stringify(described({ modules: core }))
    expect(lost).not.toMatch(/organization|twoFactor|bearer|set-auth-token/)
  })

  it("has only the endpoints of other protocols where REST is off", () => {
    const shown = Object.keys(operations(described({ rest: false })))
    const bound = Object.entries(everything.endpoints).filter(([, { protocol }]) => protocol !== undefined)
    expect(shown.sort()).toEqual(bound.map(([name]) => name).sort())
  })

  it("names the service's address and cookie", () => {
    const other = described({ settings: { public_url: "https://accounts.example.com", base_path: "/auth", cookie: { name: "own" } } })
    expect(other["servers"]).toEqual([{ url: "https://accounts.example.com/auth" }])
    expect(other).toHaveProperty("components.securitySchemes.cookie.name", "__Host-own")
  })
})

describe("names", () => {
  it("are those of GraphQL, of the operations' keys and of the modules", () => {
    const types = makeSchema(everything).getTypeMap()
    const named = Object.keys(schemaOf(document)).filter((name) => name.endsWith("Payload"))
    const shared = operationsOf(everything).map(([name]) => `${name.charAt(0).toUpperCase()}${name.slice(1)}Payload`)
    expect(shared.filter((name) => name in types && !named.includes(name))).toEqual([])
    for (const [name, operation] of Object.entries(operations(document))) {
      expect(operation.operationId).toBe(name)
      expect(operation.tags).toEqual(modules.filter(({ endpoints }) => name in endpoints).map(({ name }) => name))
    }
  })

  it("exist for every object of a response or a body", () => {
    const inline = everySchema(document["paths"]).filter(({ type }) => type === "object")
    expect(inline).toEqual([])
  })

  it("of two schemas fail the build", () => {
    const User = Schema.Struct({ nickname: Schema.String }).annotate({ identifier: "User" })
    expect(() => withOperation({ output: User })).toThrow("two schemas have the OpenAPI name User")
    const SignUpEmailInput = Schema.Struct({ nickname: Schema.String }).annotate({ identifier: "SignUpEmailInput" })
    expect(() => withOperation({ output: SignUpEmailInput })).toThrow("two schemas have the OpenAPI name SignUpEmailInput")
  })
})

describe("no schema", () => {
  const all = everySchema(document)

  it("has descriptions beside it in allOf", () => {
    expect(all.filter((schema) => "allOf" in schema)).toEqual([])
    expect(schemaOf(document)["User"]).toHaveProperty("properties.image", { type: ["string", "null"], description: "Avatar URL." })
  })

  it("allows further members explicitly", () => {
    expect(all.filter(({ additionalProperties: more }) => more === true || JSON.stringify(more) === "{}")).toEqual([])
  })

  it("is empty in an input, also where the endpoint accepts any value", () => {
    const untyped = Object.entries(schemaOf(document)).flatMap(([name, { properties }]) =>
      Object.entries((properties ?? {}) as Json).flatMap(([member, schema]) =>
        name.endsWith("Input") && Object.keys(schema as Json).length === 0 ? [`${name}.${member}`] : [],
      ),
    )
    expect(untyped).toEqual([])
    const { AdminCreateUserInput, ChangePasswordInput } = schemaOf(document)
    expect(AdminCreateUserInput).toHaveProperty("properties.role", { type: "string", minLength: 1, maxLength: 64 })
    expect(ChangePasswordInput).toHaveProperty("properties.revoke_other_sessions", { type: "boolean" })
  })

  it("has a format without a type: a time that is no text cannot be sent", () => {
    expect(all.filter((schema) => "format" in schema && !("type" in schema))).toEqual([])
  })

  it("is a union of a scalar and null", () => {
    const scalar = ["boolean", "integer", "number", "string"]
    const unions = all.filter(({ anyOf }) => Array.isArray(anyOf) && anyOf.some(({ type }) => type === "null"))
    expect(unions.filter(({ anyOf }) => (anyOf as Array<{ type: string }>).some(({ type }) => scalar.includes(type)))).toEqual([])
    const output = Schema.Struct({ color: Schema.NullOr(Schema.Literals(["red", "green"])) })
    const tried = schemaOf(withOperation({ output }))["TryItPayload"]
    expect(tried).toHaveProperty("properties.color", { type: ["string", "null"], enum: ["red", "green", null] })
  })
})

describe("formats and lengths", () => {
  it("are stated for timestamps, addresses and integers", () => {
    const { User, SignUpEmailInput, OneTimeTokenGeneratePayload } = schemaOf(document)
    expect(User).toHaveProperty("properties.created_at", { type: "string", format: "date-time" })
    expect(SignUpEmailInput).toHaveProperty("properties.email.format", "email")
    expect(OneTimeTokenGeneratePayload).toHaveProperty("properties.expires_in", { type: "integer", format: "int64" })
  })

  it("are stated for timestamps in lists, unions and optional members", () => {
    const output = Schema.Struct({
      list: Schema.Array(Schema.DateTimeUtc),
      maybe: Schema.optionalKey(Schema.NullOr(Schema.DateTimeUtc)),
    })
    const moment = { type: "string", format: "date-time" }
    const { properties } = schemaOf(withOperation({ output }))["TryItPayload"]!
    expect(properties).toEqual({ list: { type: "array", items: moment }, maybe: { ...moment, type: ["string", "null"] } })
  })

  it("count code points, as the service does", () => {
    const { SignUpEmailInput } = schemaOf(document)
    expect(SignUpEmailInput).toHaveProperty("properties.name.maxLength", 256)
    const { input } = endpointOf(everything, "signUpEmail")
    const accepts = (length: number) => Schema.is(input)({ email: "ada@example.com", password: "12345678", name: "🔑".repeat(length) })
    expect([accepts(256), accepts(257)]).toEqual([true, false])
  })
})

describe("a member that may be left out", () => {
  const members = { maybe: Schema.optional(Schema.String), never: Schema.optionalKey(Schema.String) }

  it("may be null in an output where it is `optional`, as it is then on the wire", () => {
    const output = Schema.Struct(members)
    const { properties, required } = schemaOf(withOperation({ output }))["TryItPayload"]!
    expect(properties).toEqual({ maybe: { type: ["string", "null"] }, never: { type: "string" } })
    expect(required).toBeUndefined()
    expect(Schema.encodeSync(Schema.toCodecJson(output))({ maybe: undefined })).toEqual({ maybe: null })
  })

  it("is never null in an input, which would be refused", () => {
    const input = Schema.Struct(members)
    const { properties } = schemaOf(withOperation({ input }))["TryItInput"]!
    expect(properties).toEqual({ maybe: { type: "string" }, never: { type: "string" } })
    expect(() => Schema.decodeUnknownSync(input)({ maybe: null })).toThrow()
  })
})

describe("challenges", () => {
  it("are one of named branches, each with a required member that no other has", () => {
    const unions = Object.values(operations(document)).flatMap((operation) => {
      const { oneOf, anyOf } = successOf(document, operation)
      expect(anyOf).toBeUndefined()
      return Array.isArray(oneOf) ? [oneOf as ReadonlyArray<{ readonly $ref: string }>] : []
    })
    expect(unions.length).toBeGreaterThan(6)
    for (const branches of unions) {
      const required = branches.map(({ $ref }) => schemaOf(document)[$ref.split("/").at(-1)!]!["required"] as ReadonlyArray<string>)
      required.forEach((own, index) => {
        const others = required.filter((_, position) => position !== index)
        expect(others.every((other) => own.some((member) => !other.includes(member)))).toBe(true)
      })
    }
    expect(schemaOf(document)["SignInEmailPayload"]).toEqual({
      oneOf: [{ $ref: "#/components/schemas/SignInEmailUser" }, { $ref: "#/components/schemas/TwoFactorChallenge" }],
    })
  })

  it("stay anyOf where one branch has all that another requires", () => {
    const output = Schema.Union([Schema.Struct({ a: Schema.String }), Schema.Struct({ a: Schema.String, b: Schema.String })])
    expect(() => withOperation({ output })).toThrow("TryItA")
    const named = Schema.Union([Schema.Struct({ b: Schema.String, a: Schema.String }), Schema.Struct({ a: Schema.String })])
    expect(schemaOf(withOperation({ output: named }))["TryItPayload"]).toHaveProperty("anyOf")
  })
})

describe("errors", () => {
  const { responses } = document["components"] as { responses: Record<string, any> }
  const codesOf = (name: string, status: number): ReadonlyArray<string> => {
    const response = operations(document)[name]!.responses[status]
    return response === undefined ? [] : Object.keys(responses[response.$ref.split("/").at(-1)!].content["application/json"].examples)
  }

  it.each(Object.entries(everything.endpoints))("of %s are all there, with the status that the service answers", (name, endpoint) => {
    const { errors, invalid } = endpoint as AnyEndpoint
    for (const declared of errors) {
      const error = new (typeof declared === "function" ? declared : declared[0])()
      expect(codesOf(name, Endpoint.statusOf(endpoint, error))).toContain(error._tag)
    }
    const { requestBody, parameters } = operations(document)[name]!
    const decodes = requestBody !== undefined || parameters !== undefined
    if (decodes) expect(codesOf(name, Endpoint.statusOf(endpoint, new invalid()))).toContain(invalid.code)
    expect(codesOf(name, 401).includes("unauthorized") || endpoint.access === "public").toBe(true)
    expect(codesOf(name, 400).includes("invalid_json")).toBe(endpoint.method === "POST" || endpoint.method === "PUT")
  })

  it("include what the gates of sign-ins and the guards of modules refuse with", () => {
    expect(codesOf("signInEmail", 403)).toEqual([
      "banned",
      "email_not_verified",
      "email_password_disabled",
      "impersonation_refused",
      "second_factor_unavailable",
      "suspended",
      "untrusted_origin",
    ])
    expect(codesOf("updateUser", 403)).toEqual(["impersonation_refused", "untrusted_origin"])
    expect(codesOf("adminSetRole", 403)).toEqual(["forbidden", "impersonation_refused", "session_not_fresh", "untrusted_origin"])
  })

  it("have one schema for each status and set of codes, with an example of each", () => {
    const seen = new Set<string>()
    for (const [name, { content }] of Object.entries(responses)) {
      const { schema, examples } = content["application/json"]
      const envelope = schemaOf(document)[(schema.$ref as string).split("/").at(-1)!] as any
      const codes: ReadonlyArray<string> | undefined = envelope.properties?.error.properties?.code.enum
      if (codes === undefined) continue
      expect(Object.keys(examples)).toEqual(codes)
      for (const code of codes) expect(examples[code].value.error).toMatchObject({ code, message: expect.any(String) })
      const status = /\d{3}/.exec(name)?.[0]
      if (name.startsWith("Error")) expect(seen.has(`${status} ${codes}`)).toBe(false)
      if (name.startsWith("Error")) seen.add(`${status} ${codes}`)
    }
    expect(seen.size).toBeGreaterThan(40)
  })
})

describe("security, OAuth and header fields", () => {
  it("is the cookie or bearer where a session is needed, and empty where an endpoint is public", () => {
    for (const [name, operation] of Object.entries(operations(document))) {
      const { access, protocol } = endpointOf(everything, name)
      const session = [{ cookie: [] }, { bearer: [] }]
      const keys = [{ api_key: [] }, { api_key_bearer: [] }]
      if (access === "session") expect(operation.security).toEqual(session)
      else if (access === "member") expect(operation.security).toEqual([...session, ...keys])
      else if (typeof access === "object") expect(operation.security).toEqual([...session, { access_token: [] }, ...keys])
      else if (protocol?.anyOrigin !== true) expect(operation.security).toEqual([])
    }
  })

  it("names the permission of an endpoint", () => {
    const { adminUsersCreate, adminMe, stepUp } = operations(document)
    expect(adminUsersCreate).toMatchObject({ "x-permission": "users:create", description: "Needs the permission `users:create`." })
    for (const operation of [adminMe, stepUp]) expect(operation).not.toHaveProperty("x-permission")
  })

  it("has no bearer without a module that reads it", () => {
    const { stepUp } = operations(described({ modules: core }))
    expect(stepUp!.security).toEqual([{ cookie: [] }])
  })

  it("of OAuth is the client's secret or an access token", () => {
    const { oauth2Token, oauth2Userinfo, oauth2UserinfoForm, oauth2Jwks } = operations(document)
    expect(oauth2Token!.security).toEqual([{ client: [] }, {}])
    expect(oauth2Userinfo!.security).toEqual([{ access_token: [] }])
    expect(oauth2UserinfoForm!.security).toEqual([{ access_token: [] }, {}])
    expect(oauth2Jwks!.security).toEqual([])
  })

  it("has forms and redirects", () => {
    const { oauth2Token, oauth2AuthorizeForm, oauth2Authorize, oauthCallback } = operations(document)
    for (const operation of [oauth2Token!, oauth2AuthorizeForm!])
      expect(Object.keys(operation.requestBody!.content)).toEqual(["application/json", "application/x-www-form-urlencoded"])
    for (const operation of [oauth2Authorize!, oauth2AuthorizeForm!, oauthCallback!])
      expect(operation.responses[302]).toMatchObject({ headers: { Location: { $ref: "#/components/headers/Location" } } })
    expect(oauth2Authorize!.responses[200]).toMatchObject({ content: { "text/html": { schema: { type: "string" } } } })
    expect(oauthCallback!.responses[200]).toBeDefined()
    expect(oauth2Token!.responses[401]).toEqual({ $ref: "#/components/responses/OauthFormError401InvalidClient" })
    expect(schemaOf(document)["OauthFormError401InvalidClientBody"]).toMatchObject({ required: ["error", "error_description"] })
  })

  it("has the errors of registrations as RFC 7591 defines them, also for bodies in JSON", () => {
    const { oauth2Register } = operations(document)
    const name = "ProtocolError401InvalidTokenUnauthorized"
    expect(oauth2Register!.responses[401]).toEqual({ $ref: `#/components/responses/${name}` })
    expect(schemaOf(document)[name]).toMatchObject({ properties: { error: { enum: ["invalid_token", "unauthorized"] } } })
    const { responses } = document["components"] as { responses: Record<string, any> }
    const { unauthorized } = responses[name].content["application/json"].examples
    expect(unauthorized.value).toMatchObject({ error: "unauthorized", error_description: expect.any(String) })
  })

  it("has the header fields of cookies, budgets and retries", () => {
    const { signInEmail, oauth2Jwks } = operations(document)
    expect(Object.keys(signInEmail!.responses[200].headers)).toEqual(
      expect.arrayContaining(["Set-Cookie", "set-auth-token", "RateLimit-Limit"]),
    )
    expect(Object.keys(oauth2Jwks!.responses[200].headers)).not.toContain("Set-Cookie")
    const { responses } = document["components"] as { responses: Record<string, any> }
    for (const name of ["Error429RateLimited", "Error503OverloadedUnavailable"])
      expect(responses[name].headers).toHaveProperty("Retry-After")
  })
})

describe("the header fields about the session", () => {
  const fields = ["Set-Cookie", "set-auth-token", "Session-Changed"]
  const aboutSession = ({ headers }: { readonly headers: object }) => fields.filter((field) => field in headers)

  it("are in successes: Session-Changed where they can change the session", () => {
    const { updateUser, signInEmail, signOut, verifyEmail, getSession, listSessions, oauth2Jwks } = operations(document)
    for (const operation of [updateUser, signInEmail, signOut, verifyEmail]) expect(aboutSession(operation!.responses[200])).toEqual(fields)
    for (const operation of [getSession, listSessions])
      expect(aboutSession(operation!.responses[200])).toEqual(["Set-Cookie", "set-auth-token"])
    expect(aboutSession(oauth2Jwks!.responses[200])).toEqual([])
  })

  it("are in errors that end the session", () => {
    const { responses } = document["components"] as { responses: Record<string, any> }
    for (const [name, response] of Object.entries(responses)) expect(aboutSession(response)).toEqual(name.includes("Banned") ? fields : [])
  })
})

describe("the document is valid", () => {
  it("by its JSON schema", async () => {
    expect(await new Validator().validate(JSON.parse(text))).toEqual({ valid: true })
  })

  it("by the rules of Redocly", async () => {
    const rules = { "no-server-example.com": "off", "tag-description": "off", "operation-2xx-response": "off" } as const
    const config = await createConfig({ extends: ["recommended-strict"], rules })
    const problems = await lintFromString({ source: text, config })
    expect(problems.map(({ ruleId, message, location }) => `${ruleId} ${message} ${location[0]?.pointer}`)).toEqual([])
  })
})
