import { createHash } from "node:crypto"
import type { RequestListener } from "node:http"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Logger } from "effect"
import * as PwnedPasswords from "../../../adapters/passwords/pwned-passwords.ts"
import { BreachedPasswords } from "../../../domain/ports/breached-passwords.ts"
import { always, gateway } from "../sms/server.ts"

const password = "correct horse battery staple"
const hash = createHash("sha1").update(password).digest("hex").toUpperCase()
const [prefix, rest] = [hash.slice(0, 5), hash.slice(5)]
const other = "0018A45C4D1DEF81644B54AB7F969B88D65"

/** Checks the password against an API with this answer. Returns the result, the requests to the API, and the log lines. */
const checkedBy = Effect.fnUntraced(function* (answer: RequestListener, path = "") {
  const api = yield* gateway(answer)
  const lines: Array<string> = []
  const logger = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])
  const layer = PwnedPasswords.layer({ url: `${api.origin}${path}` }).pipe(Layer.provide([NodeHttpClient.layerUndici, NodeCrypto.layer]))
  const { has } = Context.get(yield* Layer.build(Layer.fresh(layer)), BreachedPasswords)
  const isBreached = yield* Effect.provide(has(password), logger)
  return { isBreached, requests: api.requests, log: lines.join("\n") }
})
const range = (...lines: ReadonlyArray<string>) => always(200, lines.join("\r\n"))

describe("a breached password", () => {
  it.live("is found by the part of its hash that is not sent to the API", () =>
    Effect.gen(function* () {
      for (const answer of [
        range(`${other}:3`, `${rest}:126927`),
        range(`${rest.toLowerCase()}:1`),
        always(200, `${rest}:1\n${other}:1\n`),
      ])
        assert.isTrue((yield* checkedBy(answer)).isBreached)
    }),
  )

  it.live("is not matched by the padding, another hash, or part of a hash", () =>
    Effect.gen(function* () {
      for (const line of [`${rest}:0`, `${rest}:000`, `${other}:9`, `${rest.slice(0, 34)}:9`, `F${rest}:9`, `${rest}`]) {
        const { isBreached, log } = yield* checkedBy(range(`${other}:3`, line))
        assert.deepStrictEqual([isBreached, log], [false, ""], line)
      }
    }),
  )

  it.live("reveals only five digits of its hash, and not the length of the answer", () =>
    Effect.gen(function* () {
      const { requests } = yield* checkedBy(range(`${rest}:1`), "/mirror/")
      assert.deepStrictEqual(
        requests.map(({ method, path, body }) => [method, path, body]),
        [["GET", `/mirror/range/${prefix}`, ""]],
      )
      assert.strictEqual(requests[0]?.headers["add-padding"], "true")
      assert.notProperty(requests[0]?.headers, "traceparent")
      for (const secret of [password, rest.slice(0, 6)]) assert.notInclude(JSON.stringify(requests).toUpperCase(), secret.toUpperCase())
    }),
  )
})

describe("an API that gives no range", () => {
  const answers: ReadonlyArray<readonly [string, RequestListener, string]> = [
    ["is limited", always(429, `${rest}:1`), "the answer was 429"],
    ["is broken", always(500, hash), "the answer was 500"],
    ["sends elsewhere", always(302, "", { location: "https://evil.example/" }), "the answer was 302"],
    ["answers a page", always(200, "<html>Sign in to this network</html>"), "the answer is not a range of hashes"],
    ["answers nothing", always(200), "the answer is not a range of hashes"],
    ["never ends", always(200, `${other}:1\r\n`.repeat(10_000)), "the answer is too long"],
    ["hangs up", (_, response) => void response.destroy(), "TransportError"],
    ["breaks off", (_, response) => void response.writeHead(200).write(`${other}:1\r\n`, () => response.destroy()), "the answer broke off"],
    ["does not answer", () => {}, "no answer after 2 seconds"],
  ]
  for (const [name, answer, reason] of answers)
    it.live(`does not prevent sign-ups, and logs neither password nor hash: it ${name}`, () =>
      Effect.gen(function* () {
        const { isBreached, log } = yield* checkedBy(answer)
        assert.isFalse(isBreached)
        assert.include(log, "a password was accepted without a check for breaches")
        assert.include(log, reason)
        for (const secret of [password, prefix, rest]) assert.notInclude(log.toUpperCase(), secret.toUpperCase())
      }),
    )
})

describe("doctor's check of the API", () => {
  const checked = Effect.fnUntraced(function* (answer: RequestListener) {
    const { origin } = yield* gateway(answer)
    return yield* PwnedPasswords.check({ url: origin }).pipe(
      Effect.provide(NodeHttpClient.layerUndici),
      Effect.match({ onSuccess: () => "ok", onFailure: ({ reason }) => reason }),
    )
  })
  it.live("distinguishes an API that answers from one that does not", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* checked(range(`${other}:3`)), "ok")
      assert.strictEqual(yield* checked(always(403)), "the answer was 403")
    }),
  )
})
