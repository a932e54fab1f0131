import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { password } from "../../world.ts"
import { ask, get, post, raw, rawAnswer, refused, served } from "./served.ts"

const signUp = "/api/auth/sign-up/email"
const send = (body: string | Uint8Array | ReadonlyArray<string>) => ask("POST", signUp, { body })
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`

describe("the body of a request", () => {
  layer(served(), { excludeTestServices: true })((it) => {
    it.effect("is invalid_json unless it is a JSON object in UTF-8", () =>
      Effect.gen(function* () {
        const bodies = ["{", "nope", " ", "[]", "[{}]", "1", '"text"', "null", "true", "NaN", "{'a':1}", '{"a":1,}', '{"a":1} x', "a=1&b=2"]
        for (const body of bodies) assert.strictEqual(refused(yield* send(body)), "400 invalid_json", body)

        const broken = [Buffer.from('{"name":"\xff"}', "latin1"), Buffer.from('{"name":"é"}', "latin1"), Buffer.from('{"a":1}', "utf16le")]
        for (const body of broken) assert.strictEqual(refused(yield* send(body)), "400 invalid_json", body.toString("hex"))
      }),
    )

    it.effect("with more than 10,000 values is refused before it is parsed", () =>
      Effect.gen(function* () {
        assert.strictEqual(refused(yield* send("[".repeat(1_000_000))), "400 invalid_json")
        assert.strictEqual(refused(yield* send(nested(150_000))), "400 invalid_json")
        assert.strictEqual(refused(yield* send(nested(9_999))), "400 invalid_request")
        assert.strictEqual(refused(yield* send(nested(10_000))), "400 invalid_json")
        const withUnknown = (values: number) =>
          `{"email":"many${values}@example.com","password":"${password}","unknown":[${Array(values).fill('"[{,:"').join()}]}`
        assert.strictEqual((yield* send(withUnknown(9_990))).status, 200)
        assert.strictEqual(refused(yield* send(withUnknown(10_001))), "400 invalid_json")
      }),
    )

    it.effect("may begin with a byte order mark, repeat a member, or be missing", () =>
      Effect.gen(function* () {
        const marked = yield* send(`\ufeff{"email":"bom@example.com","password":"${password}"}`)
        assert.strictEqual(marked.json.user.email, "bom@example.com")
        const twice = yield* send(`{"email":1,"email":"twice@example.com","password":"${password}"}`)
        assert.strictEqual(twice.json.user.email, "twice@example.com")
        assert.strictEqual((yield* ask("POST", "/api/auth/sign-out")).status, 200)
        assert.strictEqual((yield* ask("POST", "/api/auth/sign-out", { body: "" })).status, 200)
        assert.strictEqual(refused(yield* ask("POST", signUp)), "400 invalid_request")
      }),
    )

    it.effect("of a cross-site form or script is refused: only JSON is accepted", () =>
      Effect.gen(function* () {
        const reset = (type: string) => post("/request-password-reset", { email: "a@example.com" }, { headers: { "content-type": type } })
        const json = [
          "application/json",
          "application/json; charset=utf-8",
          "application/json;charset=UTF-8",
          "APPLICATION/JSON",
          "application/vnd.api+json",
        ]
        for (const type of json) assert.deepStrictEqual((yield* reset(type)).json, { success: true }, type)
        const others = [
          "",
          "text/plain",
          "text/plain; application/json",
          "text/plain, application/json",
          "application/x-www-form-urlencoded",
          "multipart/form-data; boundary=application/json",
          "application/jsonp",
          "application/json-seq",
          "text/json",
          "nonsense",
        ]
        for (const type of others) assert.strictEqual(refused(yield* reset(type)), "400 invalid_json", type)

        const body = '{"email":"a@example.com"}'
        const head = `POST /api/auth/request-password-reset HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n`
        assert.include(yield* rawAnswer(head + body), '"invalid_json"')
      }),
    )

    it.effect("may be missing under any content type where nothing is required", () =>
      Effect.gen(function* () {
        for (const type of ["text/plain", "application/x-www-form-urlencoded"])
          assert.strictEqual((yield* ask("POST", "/api/auth/sign-out", { headers: { "content-type": type } })).status, 200)
      }),
    )

    it.effect("may be 1 MiB by default", () =>
      Effect.gen(function* () {
        const of = (bytes: number) => `{"pad":"${"x".repeat(bytes - 10)}"}`
        assert.strictEqual(refused(yield* send(of(1_048_576))), "400 invalid_request")
        assert.strictEqual(refused(yield* send(of(1_048_577))), "413 payload_too_large")
      }),
    )

    it.effect("may also be 1 MiB where its length is not announced", () =>
      Effect.gen(function* () {
        const of = (bytes: number) => [
          `{"pad":"`,
          ...Array(16).fill("x".repeat(65_536)).slice(1),
          "x".repeat(bytes - 10 - 15 * 65_536),
          `"}`,
        ]
        assert.strictEqual(refused(yield* send(of(1_048_576))), "400 invalid_request")
        assert.strictEqual(refused(yield* send(of(1_048_577))), "413 payload_too_large")
      }),
    )
  })

  const max_body_bytes = 1000
  layer(served({ settings: { max_body_bytes } }), { excludeTestServices: true })((it) => {
    const of = (bytes: number) => `{"pad":"${"x".repeat(bytes - 10)}"}`

    it.effect("may have max_body_bytes and no more, with a length or in chunks", () =>
      Effect.gen(function* () {
        for (const body of [of(max_body_bytes), [of(max_body_bytes)], [...of(max_body_bytes)]]) {
          assert.strictEqual(refused(yield* send(body)), "400 invalid_request")
        }
        for (const body of [of(max_body_bytes + 1), [of(max_body_bytes + 1)], [...of(max_body_bytes + 1)]]) {
          assert.strictEqual(refused(yield* send(body)), "413 payload_too_large")
          assert.strictEqual((yield* get("/get-session")).status, 200)
        }
        assert.strictEqual(refused(yield* send(["x".repeat(200), "x".repeat(2_000_000)])), "413 payload_too_large")
        assert.strictEqual((yield* get("/get-session")).status, 200)
      }),
    )

    it.effect("is measured in bytes, not characters", () =>
      Effect.gen(function* () {
        assert.strictEqual(refused(yield* send(`{"pad":"${"é".repeat(495)}"}`)), "400 invalid_request")
        assert.strictEqual(refused(yield* send(`{"pad":"${"é".repeat(496)}"}`)), "413 payload_too_large")
      }),
    )

    it.effect("with too large a Content-Length is refused before it is sent", () =>
      Effect.gen(function* () {
        const head = `POST ${signUp} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000000000\r\n`
        for (const request of [`${head}\r\n`, `${head}expect: 100-continue\r\n\r\n`]) {
          const answer = yield* rawAnswer(request)
          assert.match(answer, /^HTTP\/1\.1 413 /)
          assert.match(answer, /\r\nconnection: close\r\n/i)
          assert.include(answer, '"payload_too_large"')
        }
      }),
    )

    it.effect("without a length that never ends is refused while it is sent", () =>
      Effect.gen(function* () {
        const head = `POST ${signUp} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
        const { socket, next, received } = yield* raw(`${head}${(1000).toString(16)}\r\n${"x".repeat(1000)}\r\n`)
        assert.strictEqual((yield* get("/get-session")).status, 200)
        assert.strictEqual(received(), "")
        socket.write("1\r\nx\r\n")
        yield* next("data")
        assert.include(received(), '"payload_too_large"')
        assert.strictEqual((yield* get("/get-session")).status, 200)
      }),
    )

    it.effect("is requested when the client expects 100 Continue", () =>
      Effect.gen(function* () {
        const head = `POST ${signUp} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 2\r\nexpect: 100-continue\r\n\r\n`
        const { socket, next, received } = yield* raw(head)
        yield* next("data")
        assert.strictEqual(received(), "HTTP/1.1 100 Continue\r\n\r\n")
        socket.write("{}")
        yield* next("close")
        assert.include(received(), '"invalid_request"')
      }),
    )
  })
})
