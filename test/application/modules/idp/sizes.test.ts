import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { UnsecuredJWT } from "jose"
import { StoredClients } from "../../../../application/modules/idp/clients/stored-clients.ts"
import { AuthorizationRequests } from "../../../../application/modules/idp/tables.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../../application/service/endpoint.ts"
import { rulesOf } from "../../../rule.ts"
import { browser, core, rows, signedUp as signedUpTo, times } from "../../../world.ts"
import { administrators, answer, builtWith, call, requests, root, spa } from "./provider.ts"

// The limits on parameters: 8,192 bytes each, and 65,536 bytes together. The endpoints and their parameters are read from the module.

const initial = "an-initial-access-token-of-forty-characters"
const grant_types = ["authorization_code", "urn:ietf:params:oauth:grant-type:device_code"]
const module = builtWith({ clients: [{ ...spa, grant_types }], registration_tokens: [initial] })
const modules = [...core, administrators, module]
const auth = AuthOf.make(modules)
const ruleOf = rulesOf(modules)
const links = { sign_in: "https://accounts.example.com/sign-in?request_uri={request_uri}" }
const rule = (name: string, shown: Parameters<typeof ruleOf>[1]) => ruleOf(name, shown, { links })
const { oauth2Authorize, oauth2Par, oauth2Register, oauth2RegisterUpdate, adminClientsCreate, adminClientsUpdate } = module.endpoints
const signedUp = (email = "ada@example.com") => signedUpTo(email, auth)

const namesOf = ({ input }: AnyEndpoint) => ("fields" in input ? Object.keys(input.fields as object) : [])
/** The endpoints that take parameters of OAuth. */
const endpoints: ReadonlyArray<AnyEndpoint> = Object.values<AnyEndpoint>(module.endpoints).filter(
  (each) => each.protocol?.form === true && namesOf(each).length > 0,
)
const isAuthorize = ({ path }: AnyEndpoint) => path === oauth2Authorize.path
const baseOf = (endpoint: AnyEndpoint): Readonly<Record<string, string>> => {
  const { redirect_uri, ...rest } = requests.spa
  const all: Record<string, string> = { ...rest, redirect_uri, client_id: "spa", grant_type: "authorization_code", token: "x" }
  return Object.fromEntries(namesOf(endpoint).flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])))
}

/** The error of a call with its description, and the target of a redirect. */
const outcomeOf = (endpoint: AnyEndpoint, input: object) =>
  answer(endpoint, input, null, auth).pipe(
    Effect.match({
      onFailure: ({ _tag, message }) => ({ error: _tag as string | null, text: message, location: undefined as string | undefined }),
      onSuccess: ({ location, text }) => {
        const query = location === undefined ? undefined : new URL(location, "http://localhost:3000").searchParams
        return { error: query?.get("error") ?? null, text: query?.get("error_description") ?? text?.content ?? "", location }
      },
    }),
  )

const largestRow = Effect.gen(function* () {
  const all = yield* Effect.forEach(module.tables, (table) => rows(table))
  return Math.max(0, ...all.flat().map((row) => Buffer.byteLength(JSON.stringify(row))))
})

const long = {
  ascii: (bytes: number) => "a".repeat(bytes),
  wide: (bytes: number) => `${"é".repeat(Math.floor(bytes / 2))}${"a".repeat(bytes % 2)}`,
}

describe("the parameters of OAuth endpoints", () => {
  it("are those of all endpoints that take forms", () => {
    assert.isAtLeast(endpoints.length, 9)
    assert.includeMembers(
      endpoints.map(({ path }) => path),
      ["authorize", "par", "token", "revoke", "introspect", "userinfo", "device-authorization", "logout"].map((path) => `/oauth2/${path}`),
    )
  })

  for (const endpoint of endpoints)
    rule(`of ${endpoint.name} have at most 8,192 bytes each`, function* () {
      for (const name of namesOf(endpoint))
        for (const [kind, text] of Object.entries(long)) {
          const shown = `${name}, ${kind}`
          const fitting = yield* outcomeOf(endpoint, { ...baseOf(endpoint), [name]: text(8192) })
          assert.notInclude(fitting.text, "is longer than", shown)

          const { error, text: reason, location } = yield* outcomeOf(endpoint, { ...baseOf(endpoint), [name]: text(8193) })
          const isUntrusted = isAuthorize(endpoint) && ["client_id", "redirect_uri"].includes(name)
          assert.strictEqual(error, isUntrusted ? `invalid_${name === "client_id" ? "client" : name}` : "invalid_request", shown)
          if (isUntrusted) assert.isUndefined(location, shown)
          else assert.strictEqual(reason, `${name} is longer than 8192 bytes.`)
          assert.isBelow(location?.length ?? 0, 1000, shown)
        }
      // Requests of 8,192 bytes in one parameter are stored, and no larger ones.
      assert.isBelow(yield* largestRow, 20_000)
    })

  for (const endpoint of endpoints.filter((each) => namesOf(each).length * 8192 > 65_536))
    rule(`of ${endpoint.name} have at most 65,536 bytes together`, function* () {
      const base = baseOf(endpoint)
      const filledTo = (total: number) => {
        let left = total - Object.values(base).join("").length
        const filled: Record<string, string> = { ...base }
        for (const name of namesOf(endpoint)) {
          if (name in base || left === 0) continue
          const bytes = Math.min(8192, left)
          filled[name] = long.ascii(bytes)
          left -= bytes
        }
        assert.strictEqual(left, 0)
        return filled
      }
      assert.notInclude((yield* outcomeOf(endpoint, filledTo(65_536))).text, "together")
      const { error, text } = yield* outcomeOf(endpoint, filledTo(65_537))
      assert.deepStrictEqual([error, text], ["invalid_request", "The parameters are longer than 65536 bytes together."])
    })

  rule("count together if they are repeated", function* () {
    const resource = (bytes: number) => [long.ascii(4096), long.ascii(bytes - 4097)]
    for (const endpoint of [oauth2Authorize, oauth2Par]) {
      assert.notInclude((yield* outcomeOf(endpoint, { ...requests.spa, resource: resource(8192) })).text, "is longer than")
      assert.include((yield* outcomeOf(endpoint, { ...requests.spa, resource: resource(8193) })).text, "resource is longer than")
    }
  })
})

describe("the answer to a request that is too large", () => {
  const sent = Effect.fnUntraced(function* (input: object) {
    const { location = "" } = yield* outcomeOf(oauth2Authorize, { ...requests.spa, ...input })
    const { host, searchParams } = new URL(location)
    return [host, searchParams.get("error"), searchParams.get("state")]
  })

  rule("has the state of the request, unless the state is too long", function* () {
    assert.deepStrictEqual(yield* sent({ nonce: long.ascii(8193) }), ["spa.example.com", "invalid_request", "xyz"])
    assert.deepStrictEqual(yield* sent({ state: long.ascii(8193) }), ["spa.example.com", "invalid_request", null])
    assert.deepStrictEqual((yield* sent({ state: long.ascii(8192), prompt: "none" }))[2], long.ascii(8192))
    const form = yield* outcomeOf(oauth2Authorize, { ...requests.spa, state: long.ascii(900_000), response_mode: "form_post" })
    assert.include(form.text, "invalid_request")
    assert.isBelow(form.text.length, 5000)
  })

  rule("goes to no address that the client has not registered, and is stored nowhere", function* () {
    for (const state of times(5, () => long.ascii(900_000))) {
      const evil = yield* outcomeOf(oauth2Authorize, { ...requests.spa, redirect_uri: "https://evil.example", state })
      assert.deepStrictEqual([evil.error, evil.location], ["invalid_redirect_uri", undefined])
      yield* sent({ state })
      yield* Effect.flip(call(oauth2Par, { ...requests.spa, state }, null, auth))
    }
    assert.deepStrictEqual(yield* rows(AuthorizationRequests), [])
  })

  rule("is the same for a request object, which is not read", function* () {
    const request = new UnsecuredJWT({ ...requests.spa, response_mode: "form_post", pad: long.ascii(8192) }).encode()
    assert.deepStrictEqual(yield* sent({ request }), ["spa.example.com", "invalid_request", "xyz"])
  })
})

describe("the metadata of a client", () => {
  const redirect_uris = ["https://wiki.example.com/callback"]
  const padded = (bytes: number) => ({ redirect_uris: [...redirect_uris, `https://wiki.example.com/${long.ascii(bytes)}`] })
  const sizeOfLast = Effect.map(rows(StoredClients), (all) => Buffer.byteLength(JSON.stringify(all.at(-1)?.metadata)))

  rule("of one that registers itself has at most 65,536 bytes, also after a change", function* () {
    const registered = (metadata: object) => call(oauth2Register, metadata, `Bearer ${initial}`, auth)
    const { client_id, registration_access_token } = yield* registered(padded(0))
    const room = 65_536 - (yield* sizeOfLast)
    const changed = (metadata: object) =>
      call(oauth2RegisterUpdate, { client_id, ...metadata }, `Bearer ${registration_access_token}`, auth)
    yield* changed(padded(room))
    assert.strictEqual(yield* sizeOfLast, 65_536)
    for (const refused of [changed(padded(room + 1)), registered(padded(room + 1))]) {
      const { _tag, message } = yield* Effect.flip(refused)
      assert.deepStrictEqual([_tag, message], ["invalid_client_metadata", "The metadata is longer than 65536 bytes."])
    }
    assert.lengthOf(yield* rows(StoredClients), 1)
  })

  rule("of one that an administrator adds is limited alike", function* () {
    const admin = yield* signedUp(root)
    const { client } = yield* admin.body(adminClientsCreate, padded(0))
    const room = 65_536 - (yield* sizeOfLast)
    yield* admin.body(adminClientsUpdate, { client_id: client.client_id, changes: padded(room) })
    const changes = padded(room + 1)
    assert.strictEqual(yield* admin.code(adminClientsUpdate, { client_id: client.client_id, changes }), "invalid_request")
    assert.strictEqual(yield* admin.code(adminClientsCreate, changes), "invalid_request")
    assert.strictEqual(yield* browser(auth).code(adminClientsCreate, changes), "unauthorized")
  })
})
