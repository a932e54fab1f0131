import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Cookies } from "effect/http"
import { describe, expect, it, vi } from "vitest"
import { acceptedBy } from "../adapters/graphql/refusals.ts"
import { clientAddress } from "../adapters/http/client-address.ts"
import * as Siwe from "../domain/sign-in/siwe.ts"
import { maxJsonValues, structureOf } from "../domain/values/json.ts"
import { makeOriginClassifier } from "../domain/values/origins.ts"
import { strictBase64Url } from "../domain/values/strict-base64-url.ts"
import { strictJsonObject } from "../domain/values/strict-json.ts"
import { Email } from "../domain/values/text.ts"
import { instant } from "../domain/values/timestamp.ts"
import { ask, cookieOf } from "./adapters/http/served.ts"
import { everything, expensive, fieldsOfPages, filled, makeReads, membersOf, navigation, routes, units } from "./hostile.ts"

const body = 1_048_576
const header = 16_384
const utf8 = new TextEncoder()

const email = Schema.decodeUnknownOption(Email)
const addressOf = clientAddress({ client_address: "peer", trusted_proxies: ["0.0.0.0/0", "::/0"] })
const standingOf = makeOriginClassifier("https://auth.example.org", ["https://*.example.com"])
const siweHead = `example.com wants you to sign in with your Ethereum account:\n0x${"a".repeat(40)}\n\n`
const siweBody = `${siweHead}\nURI: a:b\nVersion: 1\nChain ID: 1\nNonce: abcdefgh\nIssued At: 2026-01-01T00:00:00Z`

/** The input that an anonymous client can send to each parser: a name, the maximal length, an input of about that length, the parser. */
const parsers: ReadonlyArray<
  readonly [name: string, longest: number, input: (length: number) => string, parse: (text: string) => unknown]
> = [
  ["structure of brackets", body, (length) => "[".repeat(length), structureOf],
  ["structure of one string", body, (length) => `"${'\\"'.repeat(length / 2)}`, structureOf],
  [
    "strict JSON of many members",
    body,
    (length) => `{"a":[${'{"a":1},'.repeat(length / 8)}1]}`,
    (text) => strictJsonObject(utf8.encode(text)),
  ],
  ["strict JSON of escapes", body, (length) => `{"a":"${"\\u0022".repeat(length / 6)}"}`, (text) => strictJsonObject(utf8.encode(text))],
  ["base64url", body, (length) => "A".repeat(length), strictBase64Url],
  ["an address of blanks", body, (length) => `a${" ".repeat(length)}@`, email],
  ["an address of dots", body, (length) => `a@${"a.".repeat(length / 2)}`, email],
  ["an address whose case is slow to change", body, (length) => "ǅ".repeat(length / 2), email],
  ["a wallet's message of one character", body, (length) => "a".repeat(length), Siwe.parse],
  ["a wallet's message of escapes", 16_000, (length) => "%41".repeat(length / 3), Siwe.parse],
  ["a wallet's message of user names", 16_000, (length) => `a://${"a@".repeat(length / 2)}`, Siwe.parse],
  ["a wallet's statement", 16_000, (length) => `${siweHead}${"a b".repeat(length / 3)}`, Siwe.parse],
  ["a wallet's path", 16_000, (length) => `${siweHead}\nURI: a:${"/a?".repeat(length / 3)}`, Siwe.parse],
  ["a wallet's resources", 16_000, (length) => `${siweBody}\nResources:${"\n- a://b/c".repeat(length / 10)}\n!`, Siwe.parse],
  ["a wallet's moment", 16_000, (length) => `2026-01-01T00:00:00.${"1".repeat(length)}`, instant],
  ["X-Forwarded-For of commas", header, (length) => ",".repeat(length), (text) => addressOf("192.0.2.1", { "x-forwarded-for": text })],
  [
    "X-Forwarded-For of addresses",
    header,
    (length) => "::1,".repeat(length / 4),
    (text) => addressOf("192.0.2.1", { "x-forwarded-for": text }),
  ],
  ["Origin", header, (length) => `https://${"a.".repeat(length / 2)}example.com`, standingOf],
  ["Accept of ranges", header, (length) => "a,".repeat(length / 2), acceptedBy],
  ["Accept of parameters", header, (length) => "a;".repeat(length / 2), acceptedBy],
  ["Cookie", header, (length) => "a=%41;".repeat(length / 6), Cookies.parseHeader],
]

/** The shortest of several runs, in milliseconds: other work on the machine only makes a run longer. */
const taken = (run: () => unknown): number => {
  const times = Array.from({ length: 7 }, () => {
    const begin = performance.now()
    run()
    return performance.now() - begin
  })
  return Math.min(...times)
}

describe("an anonymous client cannot block the process with the longest permitted input", () => {
  // Other work on the machine can slow one measurement down; quadratic time fails in every one.
  it.each(parsers)("%s", { retry: 5 }, (_, longest, input, parse) => {
    const [half, whole] = [input(longest / 2), input(longest)]
    const linear = 2 * taken(() => parse(half))
    // Quadratic time would be four times that of the half; a few milliseconds are noise.
    expect(taken(() => parse(whole))).toBeLessThan(1.7 * linear + 5)
  })
})

describe("JSON of too many values", () => {
  it("is counted only up to the limit, and brackets in strings do not count", () => {
    expect(structureOf("[".repeat(body))).toEqual({ members: 0, values: maxJsonValues + 1 })
    expect(structureOf('{"a:[{,":[1,2,{"b\\"":3}]}')).toEqual({ members: 2, values: 6 })
  })
})

/** The fields that decide on the origin and the budget of a request. Only these are read before it is counted. */
const deciding = ["authorization", "content-length", "content-type", "cookie", "origin", "sec-fetch-site", "x-api-key", "x-forwarded-for"]

const reads = makeReads()
const form = { "content-type": "application/x-www-form-urlencoded" }
const plain = { headers: navigation }
const none = (found: ReadonlyArray<string | undefined>) =>
  assert.deepStrictEqual(
    found.filter((each) => each !== undefined),
    [],
  )

describe("a request to any address", () => {
  layer(everything({ requests: { limit: 1_000_000, window: 60 } }, reads), { excludeTestServices: true })((it) => {
    it.effect("is counted before anything but its origin and its credentials is read", () =>
      Effect.gen(function* () {
        for (const { method, path } of routes)
          for (const headers of [navigation, { ...navigation, "content-type": "application/json", authorization: "Bearer a" }])
            yield* ask(method, `${path}?ui_locales=de`, { headers, ...(method === "GET" ? {} : { body: "{}" }) })
        assert.includeMembers([...reads.fields], ["accept", "accept-language", "authorization", "cookie", "dpop", "origin", "user-agent"])
        assert.deepStrictEqual([...reads.early].toSorted(), deciding)
      }),
    )

    it.effect(
      "takes little time whatever a header field contains",
      () =>
        Effect.gen(function* () {
          const found: Array<string | undefined> = []
          const names = [...reads.fields].filter((name) => name !== "content-length")
          const some = routes.filter(({ path }) =>
            ["/unknown", "/sign-in", "/graphql", "/api/auth/get-session", "/api/auth/oauth2/token"].includes(path),
          )
          for (const route of some)
            for (const name of names)
              for (const unit of units)
                for (const length of [8192, 15_000]) {
                  const headers = { ...navigation, [name]: filled(unit, length) }
                  found.push(yield* expensive(route, "", plain, { headers }))
                }
          none(found)
        }),
      { timeout: 600_000 },
    )

    it.effect("takes little time whatever a parameter of its query contains", () =>
      Effect.gen(function* () {
        const found: Array<string | undefined> = []
        const get = vi.spyOn(URLSearchParams.prototype, "get")
        for (const route of routes.filter(({ method }) => method === "GET")) {
          get.mockClear()
          yield* ask("GET", route.path, plain)
          for (const name of new Set([...get.mock.calls.map(([name]) => name), ...membersOf(route)]))
            for (const unit of units)
              for (const length of [5000, 12_000])
                found.push(yield* expensive(route, `?${name}=${encodeURI(filled(unit, length)).slice(0, length)}`, plain, plain))
        }
        assert.isAbove(found.length, 1000)
        none(found)
        get.mockRestore()
      }),
    )

    it.effect("takes little time whatever the members of its body contain", () =>
      Effect.gen(function* () {
        const found: Array<string | undefined> = []
        for (const route of routes.filter(({ method, endpoint }) => method === "POST" && endpoint !== undefined))
          for (const unit of units) {
            const members = membersOf(route).map((name) => [name, filled(unit, 8000)])
            const body = JSON.stringify(Object.fromEntries(members))
            found.push(yield* expensive(route, "", { body: "{}" }, { body }))
            const fields = new URLSearchParams(members).toString()
            if (route.endpoint?.protocol?.form === true)
              found.push(yield* expensive(route, "", { headers: form, body: "" }, { headers: form, body: fields }))
          }
        assert.isAbove(found.length, 500)
        none(found)
      }),
    )

    it.effect("takes little time whatever the fields of a form of a page contain", () =>
      Effect.gen(function* () {
        const found: Array<string | undefined> = []
        const page = yield* ask("GET", "/sign-in", plain)
        const headers = { ...form, cookie: cookieOf(page), origin: "http://localhost:3000" }
        const [, token = ""] = /name="form_token" value="([^"]+)"/.exec(page.text) ?? []
        for (const route of routes.filter(({ method, page }) => method === "POST" && page?.access === "public"))
          for (const action of Object.keys(route.page?.actions ?? {}))
            for (const unit of units) {
              const fields = fieldsOfPages.map((name) => [name, filled(unit, 8000)])
              const body = new URLSearchParams([...fields, ["form_token", token], ["action", action]]).toString()
              found.push(yield* expensive(route, "", { headers, body: "" }, { headers, body }))
            }
        assert.isAbove(found.length, 100)
        none(found)
      }),
    )
  })
})

describe("a request beyond its budget", () => {
  layer(everything({ requests: { limit: 1, window: 3600 } }), { excludeTestServices: true })((it) => {
    it.effect("costs no more because of what it contains", () =>
      Effect.gen(function* () {
        yield* ask("GET", "/sign-in", plain)
        const found: Array<string | undefined> = []
        for (const path of ["/sign-in", "/unknown", "/api/auth/oauth2/authorize", "/api/auth/list-sessions", "/graphql"]) {
          assert.strictEqual((yield* ask("GET", path, plain)).status, 429, path)
          for (const name of [...reads.fields].filter((each) => each !== "content-length"))
            for (const unit of units) {
              const headers = { ...navigation, [name]: filled(unit, 8192) }
              const query = `?ui_locales=${encodeURI(filled(unit, 6000)).slice(0, 6000)}`
              found.push(yield* expensive({ method: "GET", path }, query, plain, { headers }))
            }
        }
        none(found)
      }),
    )
  })
})
