import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { password } from "../../world.ts"
import { get, Logged, post, raw, rawAnswer, served } from "./served.ts"

const head = "POST /api/auth/sign-up/email HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n"

describe("clients that misbehave", () => {
  layer(served(), { excludeTestServices: true })((it) => {
    it.effect("and stop in the middle of their body delay no other client", () =>
      Effect.gen(function* () {
        const hanging = yield* Effect.all(Array.from({ length: 200 }, () => raw(`${head}{"email":`)))
        yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 50)))
        assert.strictEqual((yield* get("/get-session")).status, 200)
        assert.strictEqual((yield* post("/sign-up/email", { email: "next@example.com", password })).status, 200)
        for (const { received } of hanging) assert.strictEqual(received(), "")
      }),
    )

    it.effect("and disconnect in the middle of their body, or before the answer, cause no logged error", () =>
      Effect.gen(function* () {
        for (const bytes of [
          `${head}{"email":`,
          `${head}${" ".repeat(98)}{}`,
          "GET /api/auth/get-session HTTP/1.1\r\nhost: localhost\r\n\r\n",
          "GET /api",
        ]) {
          for (const leave of ["destroy", "resetAndDestroy"] as const) {
            const { socket } = yield* raw(bytes)
            yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 10)))
            socket[leave]()
          }
        }
        yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 50)))
        assert.deepStrictEqual(yield* Logged, [])
        assert.strictEqual((yield* get("/get-session")).status, 200)
      }),
    )

    it.effect("and speak another protocol get an error and are disconnected", () =>
      Effect.gen(function* () {
        const both = "POST /api/auth/sign-out HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n"
        for (const bytes of ["nonsense\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", `GET / HTTP/1.1\r\nx: ${"x".repeat(20_000)}\r\n\r\n`, both]) {
          assert.match(yield* rawAnswer(bytes), /^HTTP\/1\.1 4\d\d /, bytes.slice(0, 40))
        }
        assert.deepStrictEqual(yield* Logged, [])
        assert.strictEqual((yield* get("/get-session")).status, 200)
      }),
    )
  })
})
