import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as Endpoint from "../../../application/service/endpoint.ts"
import * as Module from "../../../application/service/module.ts"
import { InvalidToken } from "../../../domain/errors.ts"
import { Caller } from "../../../domain/sessions/caller.ts"
import { core } from "../../world.ts"
import { ask, base, get, post, refused, served, signedUp } from "./served.ts"

const Seen = Schema.Struct({
  credential: Schema.Boolean,
  cookies: Schema.Int,
  authorization: Schema.NullOr(Schema.String),
  input: Schema.Unknown,
})
const seeing = (path: `/${string}`, protocol: Endpoint.Protocol) =>
  Endpoint.make({
    method: "POST",
    path,
    summary: "What a call brings.",
    access: "public",
    input: Schema.Record(Schema.String, Schema.Unknown),
    output: Seen,
    protocol,
    handler: Effect.fnUntraced(function* (input) {
      const { credential, cookies, authorization } = yield* Caller
      return Endpoint.reply({ credential: credential !== null, cookies: Object.keys(cookies).length, authorization, input })
    }),
  })

const foreign = Module.define({
  name: "foreign",
  settings: Module.NoSettings,
  parts: () => ({
    endpoints: [
      seeing("/open", { anyOrigin: true, form: true, aliases: ["/.well-known/open{base_path}"] }),
      seeing("/plain", { aliases: ["/.well-known/plain"] }),
      Endpoint.make({
        method: "GET",
        path: "/fails",
        summary: "Fails in other words.",
        access: "public",
        input: Endpoint.NoInput,
        output: Endpoint.Success,
        errors: [[InvalidToken, 401]],
        protocol: { refusal: ({ _tag }, asked) => ({ body: { said: _tag, ...asked }, headers: { "www-authenticate": "Test" } }) },
        handler: () => Effect.fail(new InvalidToken()),
      }),
    ],
  }),
}).build({})

const form = { "content-type": "Application/X-WWW-Form-Urlencoded;charset=utf-8" }

describe("endpoints of other protocols", () => {
  layer(served({ modules: [...core, foreign] }), { excludeTestServices: true })((it) => {
    it.effect("ignore sessions and cookies where pages of any origin may call, and accept only their own credentials", () =>
      Effect.gen(function* () {
        const { cookie } = yield* signedUp()
        const headers = { cookie, authorization: "Basic eDp5" }
        const { json: plain } = yield* post("/plain", {}, { headers })
        assert.deepStrictEqual([plain.credential, plain.cookies, plain.authorization], [true, 1, "Basic eDp5"])
        const { json: open } = yield* post("/open", {}, { headers })
        assert.deepStrictEqual([open.credential, open.cookies, open.authorization], [false, 0, "Basic eDp5"])
      }),
    )

    it.effect("read forms where declared, and a repeated field as a list", () =>
      Effect.gen(function* () {
        const body = "a=1&b=x+y%2B%C3%BC&a=2&c=&__proto__=p&d"
        const { json } = yield* ask("POST", `${base}/open`, { headers: form, body })
        const proto = JSON.parse('{"__proto__": "p"}')
        assert.deepStrictEqual(json.input, { a: ["1", "2"], b: "x y+ü", c: "", ...proto, d: "" })
        assert.deepStrictEqual((yield* ask("POST", `${base}/open`, { headers: form })).json.input, {})
        assert.deepStrictEqual((yield* post("/open", { a: 1 })).json.input, { a: 1 })
        assert.strictEqual(refused(yield* ask("POST", `${base}/plain`, { headers: form, body })), "400 invalid_json")
        const like = { "content-type": "application/x-www-form-urlencodedx" }
        assert.strictEqual(refused(yield* ask("POST", `${base}/open`, { headers: like, body })), "400 invalid_json")
      }),
    )

    it.effect("read forms of a hundred fields and no more, however few distinct names those have", () =>
      Effect.gen(function* () {
        const sent = (names: ReadonlyArray<string>) => ask("POST", `${base}/open`, { headers: form, body: names.join("&") })
        const names = Array.from({ length: 98 }, (_, index) => `a${index}`)
        const full = yield* sent([...names, "__proto__=p", "a0=1"])
        assert.deepStrictEqual(full.json.input, {
          ...Object.fromEntries(names.map((name) => [name, name === "a0" ? ["", "1"] : ""])),
          ...JSON.parse('{"__proto__": "p"}'),
        })
        assert.strictEqual(refused(yield* sent([...names, "__proto__", "a0", "constructor"])), "400 invalid_request")
        assert.strictEqual(refused(yield* sent(Array(101).fill("a"))), "400 invalid_request")
      }),
    )

    it.effect("refuse forms with very many fields quickly", () =>
      Effect.gen(function* () {
        const bodies = [Array.from({ length: 120_000 }, (_, index) => `${index}`).join("&"), "a&".repeat(500_000), "&".repeat(1_000_000)]
        for (const body of bodies) {
          const took: Array<number> = []
          for (let tries = 0; tries < 3; tries++) {
            const begin = process.threadCpuUsage()
            const answer = yield* ask("POST", `${base}/open`, { headers: form, body })
            const { user, system } = process.threadCpuUsage(begin)
            took.push((user + system) / 1000)
            assert.strictEqual(refused(answer), "400 invalid_request")
          }
          assert.isBelow(Math.min(...took), 100, body.slice(0, 20))
        }
      }),
    )

    it.effect("have a further path from the root of the host", () =>
      Effect.gen(function* () {
        for (const path of ["/.well-known/open/api/auth", "/.well-known/plain"]) {
          assert.strictEqual((yield* ask("POST", path)).status, 200, path)
        }
        for (const path of ["/.well-known/open", "/.well-known/open{base_path}", "/.well-known/plain/api/auth"]) {
          assert.strictEqual((yield* ask("POST", path)).status, 404, path)
        }
      }),
    )

    it.effect("answer errors in the protocol's own format and headers", () =>
      Effect.gen(function* () {
        const answer = yield* get("/fails", { headers: { authorization: "Test x", ...form } })
        assert.deepStrictEqual([answer.status, answer.json], [401, { said: "invalid_token", form: true, authorization: "Test x" }])
        assert.strictEqual(answer.headers["www-authenticate"], "Test")
        assert.isString(answer.headers["x-request-id"])
        assert.deepStrictEqual((yield* get("/fails")).json, { said: "invalid_token", form: false, authorization: null })
      }),
    )
  })
})
