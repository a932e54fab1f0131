import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { getIntrospectionQuery } from "graphql"
import { Store } from "../../../domain/ports/store.ts"
import { modules } from "../../everything.ts"
import { password } from "../../world.ts"
import type { Asked } from "../http/served.ts"
import { ask } from "../http/served.ts"
import { graphqlServed, query, signUp } from "./asked.ts"

/** The number of calls of the store. */
const verbs = { count: 0 }
const counted = Layer.effect(
  Store,
  Effect.map(Store, (store) => {
    const once = <A, E, R>(verb: Effect.Effect<A, E, R>) =>
      Effect.suspend(() => {
        verbs.count += 1
        return verb
      })
    const members = Object.entries(store).map(([name, verb]) => {
      return [name, Effect.isEffect(verb) ? once(verb) : (...asked: ReadonlyArray<unknown>) => once((verb as any)(...asked))]
    })
    return Store.of(Object.fromEntries(members))
  }),
)

const times = (count: number, text: string | ((index: number) => string)) =>
  Array.from({ length: count }, (_, index) => (typeof text === "string" ? text : text(index))).join(" ")
const nested = (depth: number, open: string, inner: string, close: string) => open.repeat(depth) + inner + close.repeat(depth)

const signIn = 'signInEmail(input: { email: "ada@example.com", password: "a wrong password" }) { user { id } }'
const mutation = "mutation ($input: SignInEmailInput!) { signInEmail(input: $input) { user { id } } }"
const complex = "400 query_too_complex"
const invalid = "400 invalid_request"

/** Documents, and the answer to each: its status and code. */
const documents: Readonly<Record<string, readonly [document: string, answer: string]>> = {
  "fields 13 deep": [nested(12, "{ viewer ", "{ user { id } }", "}"), complex],
  "fields 600 deep": [`{ viewer ${nested(600, "{ user ", "{ id }", "}")} }`, complex],
  "fields deep in fragments": [
    `{ ...f0 } ${times(40, (n) => `fragment f${n} on Viewer { user { ...f${n + 1} } }`)} fragment f40 on Viewer { user { id } }`,
    complex,
  ],
  "fragments within each other 600 deep": [`{ ${nested(600, "... { ", "nope", "}")} }`, invalid],
  "a list 900 deep": [`mutation { signInEmail(input: ${nested(900, "[", "", "]")}) { user { id } } }`, invalid],
  "an input 450 deep": [`mutation { signInEmail(input: ${nested(450, "{ email: ", "1", "}")}) { user { id } } }`, invalid],
  "a type 400 deep": [`query ($input: ${nested(400, "[", "SignInEmailInput", "]")}) { __typename }`, invalid],
  "sign-in by 16 aliases": [`mutation { ${times(16, (n) => `a${n}: ${signIn}`)} }`, complex],
  "300 aliases": [`{ ${times(300, (n) => `a${n}: __typename`)} }`, complex],
  "aliases in fragments": [`{ ${times(2, "...a")} } fragment a on Query { ${times(8, (n) => `a${n}: __typename`)} }`, complex],
  "1,900 times the same field": [`{ ${times(1900, "__typename")} }`, complex],
  "200 times the same object": [`{ ${times(200, "viewer { user { id } }")} }`, complex],
  "the same field in fragments without names": [`{ ${times(400, "... { __typename }")} }`, complex],
  "fragments that double 60 times": [
    `{ ...f0 } ${times(60, (n) => `fragment f${n} on Query { ...f${n + 1} ...f${n + 1} }`)} fragment f60 on Query { viewer { user { id } } }`,
    complex,
  ],
  "a fragment in itself": ["{ ...a } fragment a on Query { ...a }", invalid],
  "fragments in a circle": [`{ ...f0 } ${times(100, (n) => `fragment f${n} on Query { ...f${(n + 1) % 100} }`)}`, invalid],
  "a circle through fields": ["{ viewer { ...a } } fragment a on Viewer { user { id } ... { ...a } }", invalid],
  "a circle without a use": ["{ __typename } fragment a on Query { ...b } fragment b on Query { ...a }", invalid],
  "a document of a megabyte in one word": [`{ ${"x".repeat(1_000_000)} }`, invalid],
  "a document of a megabyte in one text": [`{ viewer(of: "${"x".repeat(1_000_000)}") { user { id } } }`, invalid],
  "a document of a megabyte in brackets": ["{".repeat(1_000_000), invalid],
  "a document of a megabyte in one comment": [`# ${"x".repeat(1_000_000)}`, invalid],
  "a document of a megabyte in comments": [`${"#\n".repeat(300_000)}{ __typename }`, complex],
  "a document of a megabyte that is no word": ["\u0000".repeat(150_000), invalid],
  "a document of half a million lines, and ten faults at its end": [`{${"\n".repeat(500_000)}${times(10, (n) => `nope${n}`)}}`, complex],
  "10,000 tokens": [`{ ${times(10_000, "__typename")} }`, complex],
  "10,000 tokens of directives": [`{ __typename ${times(1500, "@skip(if: true)")} }`, complex],
  "900 unknown directives": [`{ __typename ${times(900, "@x")} }`, invalid],
  "280 times the same directive": [`{ __typename ${times(280, "@skip(if: true)")} }`, invalid],
  "900 directives at an operation": [`query ${times(900, "@x")} { __typename }`, invalid],
  "400 variables without a use": [`query (${times(400, (n) => `$v${n}: Int`)}) { __typename }`, invalid],
  "250 operations": [times(250, (n) => `query q${n} { __typename }`), complex],
  "130 fragments with the same field": [
    `{ ${times(130, (n) => `...f${n}`)} } ${times(130, (n) => `fragment f${n} on Query { viewer { user { id } } }`)}`,
    complex,
  ],
  "a chain of 120 fragments with the same field": [
    `{ ...f0 } ${times(120, (n) => `fragment f${n} on Query { ${n < 119 ? `...f${n + 1}` : ""} viewer { user { id } } }`)}`,
    complex,
  ],
  "200 fragments with different fields": [
    `{ ${times(200, (n) => `...f${n}`)} } ${times(200, (n) => `fragment f${n} on Query { nope${n} }`)}`,
    complex,
  ],
  "fragments within the same field of fragments": [
    `{ ${times(30, (n) => `...f${n}`)} } ${times(30, (n) => `fragment f${n} on Query { viewer { ${times(20, (k) => `...g${k}`)} } }`)} ${times(20, (n) => `fragment g${n} on Viewer { user { id } }`)}`,
    complex,
  ],
  "130 fragments with the same field that no operation uses": [
    `{ __typename } fragment f on Query { ${times(120, (n) => `...f${n}`)} } ${times(120, (n) => `fragment f${n} on Query { viewer { user { id } } }`)}`,
    complex,
  ],
  "100 operations that share 20 fragments": [
    `${times(100, (n) => `query q${n} { ...f }`)} fragment f on Query { ${times(20, (n) => `...f${n}`)} } ${times(20, (n) => `fragment f${n} on Query { viewer { user { id } } }`)}`,
    complex,
  ],
  "250 fragments without a use": [`{ __typename } ${times(250, (n) => `fragment f${n} on Query { __typename }`)}`, invalid],
  "600 unknown fields": [`{ ${times(600, (n) => `nope${n}`)} }`, invalid],
  "600 unknown arguments": [`{ viewer(${times(600, (n) => `a${n}: 1`)}) { user { id } } }`, invalid],
  "a page of a million": ["{ viewer { sessions(first: 1000000) { edges { node { id } } } } }", complex],
  "introspection in circles": [`{ __schema { types { fields { type { fields { type { fields { type { name } } } } } } } } }`, invalid],
  "introspection in circles of fragments": [
    `{ __schema { types { ...a } } } ${times(20, (n) => `fragment ${n === 0 ? "a" : `a${n}`} on __Type { fields { type { ...a${n + 1} } } }`)} fragment a20 on __Type { name }`,
    invalid,
  ],
  "the whole schema ten times": [
    getIntrospectionQuery().replace("__schema {", (found) => `${times(9, (n) => `s${n}: __schema { types { ...FullType } }`)} ${found}`),
    complex,
  ],
  "types by 15 aliases": [`{ ${times(15, (n) => `a${n}: __schema { types { fields { args { type { name } } } } }`)} }`, complex],
  "a subscription": ["subscription { viewer { user { id } } }", invalid],
  "a document that is none": ["DROP TABLE users;", invalid],
}

const json = { "content-type": "application/json" }
/** The server closes a connection that sends more than the server reads. */
const closing = { ...json, connection: "close" }
const text = JSON.stringify({ query: "{ viewer { user { id } } }" })
const input = { email: "ada@example.com", password: "a wrong password" }

const withInput = (input: unknown) => ({ headers: json, body: JSON.stringify({ query: mutation, variables: { input } }) })

/** Complete requests, and the response to each. */
const requests: Readonly<Record<string, readonly [asked: Asked & { readonly method?: "GET"; readonly search?: string }, answer: string]>> =
  {
    "a body of two megabytes": [{ headers: closing, body: JSON.stringify({ query: "x".repeat(2_000_000) }) }, "413 payload_too_large"],
    "a body of two megabytes in pieces": [{ headers: closing, body: Array(20).fill("x".repeat(100_000)) }, "413 payload_too_large"],
    "a batch": [{ headers: json, body: `[${Array(10).fill(text).join()}]` }, "400 invalid_json"],
    "JSON that is none": [{ headers: json, body: text.slice(0, -1) }, "400 invalid_json"],
    "JSON 400,000 deep": [{ headers: json, body: nested(400_000, "[", "", "]") }, "400 invalid_json"],
    "bytes that are no text": [{ headers: json, body: new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]) }, "400 invalid_json"],
    "a form": [
      { headers: { "content-type": "application/x-www-form-urlencoded" }, body: "query={viewer{user{id}}}" },
      "415 unsupported_media_type",
    ],
    "plain text": [{ headers: { "content-type": "text/plain" }, body: text }, "415 unsupported_media_type"],
    "a form of several parts": [
      {
        headers: { "content-type": "multipart/form-data; boundary=x" },
        body: `--x\r\ncontent-disposition: form-data; name="operations"\r\n\r\n${text}\r\n--x--`,
      },
      "415 unsupported_media_type",
    ],
    "no content type": [{ headers: { "content-type": "" }, body: text }, "415 unsupported_media_type"],
    "a document as such": [
      { headers: { "content-type": "application/graphql" }, body: "{ viewer { user { id } } }" },
      "415 unsupported_media_type",
    ],
    "a mutation by GET": [{ method: "GET", search: `?query=${encodeURIComponent(`mutation { ${signIn} }`)}` }, "405 method_not_allowed"],
    "a query by GET": [{ method: "GET", search: "?query=%7Bviewer%7Buser%7Bid%7D%7D%7D" }, "405 method_not_allowed"],
    "a variable of 9,000 members": [withInput(Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`m${n}`, n]))), complex],
    "a variable of 50,000 members": [
      withInput(Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`m${n}`, n]))),
      "400 invalid_json",
    ],
    "a list of 9,000 for a text": [withInput({ ...input, email: Array(9_000).fill(1) }), complex],
    "a list of 200,000 for a text": [withInput({ ...input, email: Array(200_000).fill(1) }), "400 invalid_json"],
    "a variable 1,900 deep": [withInput(JSON.parse(nested(1900, '{"email":', "1", "}"))), invalid],
    "a variable 9,000 deep": [{ headers: json, body: withInput("?").body.replace('"?"', nested(9_000, '{"email":', "1", "}")) }, complex],
    "a variable 100,000 deep": [
      { headers: json, body: withInput("?").body.replace('"?"', nested(100_000, '{"email":', "1", "}")) },
      "400 invalid_json",
    ],
    "1,900 unknown members": [
      withInput({ ...input, ...Object.fromEntries(Array.from({ length: 1900 }, (_, n) => [`m${n}`, n])) }),
      invalid,
    ],
    "a member that is called by a megabyte of the words of faults": [
      withInput({ ...input, ["cannot represent ".repeat(60_000)]: 1 }),
      invalid,
    ],
    "a member that is called by a megabyte of quotations": [withInput({ ...input, ['String "Int '.repeat(80_000)]: 1 }), invalid],
    "a megabyte of text beside unknown members": [
      withInput({ ...input, email: "x".repeat(1_000_000), ...Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`m${n}`, n])) }),
      invalid,
    ],
  }

/** The fastest of this many tries counts, because garbage collection slows some of them down. */
const tries = 5

/** The time that work takes on this thread, in milliseconds, without the time of other processes. Client and server share the thread. */
const timed = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const begin = process.threadCpuUsage()
  const value = yield* effect
  const { user, system } = process.threadCpuUsage(begin)
  return [value, (user + system) / 1000] as const
})

const refusedQuickly = Effect.fnUntraced(function* (request: (typeof requests)[string][0], expected: string) {
  const headers = { accept: "application/graphql-response+json", ...request.headers }
  const took: Array<number> = []
  verbs.count = 0
  for (let index = 0; index < tries; index++) {
    const [answer, millis] = yield* timed(ask(request.method ?? "POST", `/graphql${request.search ?? ""}`, { ...request, headers }))
    took.push(millis)
    const { data, errors } = JSON.parse(answer.text)
    assert.deepStrictEqual([`${answer.status} ${errors?.[0].extensions.code}`, data], [expected, undefined], answer.text.slice(0, 500))
    assert.isAtMost(answer.text.length, 10_000)
  }
  assert.strictEqual(verbs.count, 0)
  assert.isBelow(Math.min(...took), 100)
})

describe("hostile requests are refused within 100 ms without a call of the store:", () => {
  layer(graphqlServed({ modules, instead: counted }), { excludeTestServices: true })((it) => {
    it.effect("(these reach the store)", () =>
      Effect.gen(function* () {
        const { headers } = yield* query(signUp, { input: { ...input, password } })
        const cookie = headers["set-cookie"]?.map((set) => set.split(";")[0]).join("; ")
        verbs.count = 0
        const { data } = yield* query("{ viewer { user { email } } }", {}, { headers: { cookie } })
        assert.deepStrictEqual(data, { viewer: { user: { email: input.email } } })
        assert.isAbove(verbs.count, 0)
      }),
    )

    for (const [name, [document, expected]] of Object.entries(documents))
      it.effect(name, () => refusedQuickly({ headers: json, body: JSON.stringify({ query: document }) }, expected))
    for (const [name, [request, expected]] of Object.entries(requests)) it.effect(name, () => refusedQuickly(request, expected))
  })
})
