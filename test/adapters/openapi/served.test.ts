import { setTimeout } from "node:timers/promises"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import * as HttpShell from "../../../adapters/http/http-shell.ts"
import * as NodeServer from "../../../adapters/http/node-server.ts"
import type { Json } from "../../../adapters/openapi/json.ts"
import * as OpenApiShell from "../../../adapters/openapi/openapi-shell.ts"
import { isServed, takenPath } from "../../../adapters/openapi/settings.ts"
import * as Auth from "../../../application/service/auth.ts"
import type { WorldServices } from "../../world.ts"
import { core, world } from "../../world.ts"
import { described } from "./described.ts"

const auth = Auth.make(core)
const document = described({ modules: core })
const serverOf = (build: Effect.Effect<Json, Error>) =>
  HttpRouter.serve(Layer.mergeAll(HttpShell.layer(auth), OpenApiShell.layer(auth, build)), HttpShell.options).pipe(
    Layer.provideMerge(NodeServer.layer({ host: "127.0.0.1", port: 0, drain: 1 })),
    Layer.provideMerge(world()),
  ) as Layer.Layer<WorldServices | HttpServer.HttpServer>

let builds = 0
const slowly = Effect.promise(async () => {
  builds += 1
  await setTimeout(50)
  return document
})

const asked = (path: string, headers: Record<string, string> = {}) =>
  HttpServer.HttpServer.use(({ address }) =>
    Effect.promise(async () => {
      const response = await fetch(`http://127.0.0.1:${"port" in address ? address.port : 0}/api/auth${path}`, { headers })
      return { status: response.status, headers: response.headers, text: await response.text() }
    }),
  )

layer(serverOf(slowly))("the OpenAPI shell", (it) => {
  it.effect("builds the document once, at the first requests for it", () =>
    Effect.gen(function* () {
      assert.strictEqual(builds, 0)
      const answers = yield* Effect.all([asked("/openapi.json"), asked("/openapi.json"), asked("/docs")], { concurrency: "unbounded" })
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 200, 200],
      )
      yield* asked("/openapi.json")
      assert.strictEqual(builds, 1)
    }),
  )

  it.effect("serves the document as JSON", () =>
    Effect.gen(function* () {
      const { status, headers, text } = yield* asked("/openapi.json")
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("content-type"), "application/json")
      assert.strictEqual(headers.get("content-security-policy"), "default-src 'none'; frame-ancestors 'none'")
      assert.deepStrictEqual(JSON.parse(text), JSON.parse(JSON.stringify(document)))
    }),
  )

  it.effect("refuses pages of other origins", () =>
    Effect.gen(function* () {
      const { status, text } = yield* asked("/openapi.json", { origin: "https://elsewhere.example" })
      assert.strictEqual(status, 403)
      assert.strictEqual(JSON.parse(text).error.code, "untrusted_origin")
    }),
  )

  it.effect("serves a page whose scripts its policy names by their hashes, with styles allowed and nothing of other origins", () =>
    Effect.gen(function* () {
      const { status, headers, text } = yield* asked("/docs")
      const policy = headers.get("content-security-policy") ?? ""
      assert.strictEqual(status, 200)
      assert.match(policy, /^default-src 'none'; script-src 'sha256-[^']+' 'sha256-[^']+'; style-src 'unsafe-inline';/)
      assert.notMatch(policy, /https?:|unsafe-eval/)
      assert.include(text, '"signUpEmail"')
      assert.include(text, '"operationTitleSource":"path"')
      assert.notMatch(text, /<(script|link)[^>]+(src|href)=/)
    }),
  )
})

layer(serverOf(Effect.fail(new Error("two schemas have one name"))))("a document that cannot be built", (it) => {
  it.effect("is answered with 500, and its fault is logged", () =>
    Effect.gen(function* () {
      for (const path of ["/openapi.json", "/docs"]) {
        const { status, text } = yield* asked(path)
        assert.strictEqual(status, 500)
        assert.strictEqual(JSON.parse(text).error.code, "internal_error")
      }
    }),
  )
})

describe("docs", () => {
  it("are served where public_url is on this machine, unless the setting says otherwise", () => {
    const shown = (public_url: string, docs = {}) => isServed(docs, { public_url })
    assert.isTrue(shown("http://localhost:3000"))
    assert.isFalse(shown("https://accounts.example.com"))
    assert.isTrue(shown("https://accounts.example.com", { enabled: true }))
    assert.isFalse(shown("http://localhost:3000", { enabled: false }))
  })

  it("have paths that GraphQL and endpoints leave free", () => {
    const graphql = { enabled: true, path: "/api/auth/docs" }
    assert.strictEqual(takenPath([], "/api/auth", graphql), "/api/auth/docs")
    assert.isUndefined(takenPath([], "/api/auth", { ...graphql, enabled: false }))
    const [endpoint] = Object.values(auth.endpoints)
    assert.strictEqual(takenPath([{ ...endpoint!, path: "/openapi.json" }], "/auth", graphql), "/auth/openapi.json")
  })
})
