import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { jwt } from "../../../application/modules/jwt/index.ts"
import { core } from "../../world.ts"
import { ask, base, get, rawAnswer, refused, served } from "./served.ts"

const modules = [...core, jwt.build({ algorithm: "EdDSA", expires_in: 900 })]

/** Other spellings of a path, which a proxy's rule for the path does not match. */
const spellings = (path: string): ReadonlyArray<string> => {
  const escaped = (at: number) =>
    `${path.slice(0, at)}%${path.charCodeAt(at).toString(16).padStart(2, "0").toUpperCase()}${path.slice(at + 1)}`
  const last = path.length - 1
  return [
    escaped(1),
    escaped(last),
    escaped(1).toLowerCase(),
    ...[";", ";x=1", "/;x=1", "#", "#fragment", "%3f", "%3B", "%23", "%00", "%20", "/", "//", "/.", "/..", "\\"].map((end) => path + end),
    `/${path}`,
    `/.${path}`,
    `/x/..${path}`,
    path.toUpperCase(),
    path.replace(/\/([^/]*)$/, "//$1"),
    path.replace(/\/([^/]*)$/, "/./$1"),
    path.replace(/\/([^/]*)$/, "\\$1"),
    path.replace(/\/([^/]*)$/, "%2f$1"),
    path.replace(/\/([^/]*)$/, "%5C$1"),
  ].filter((spelling) => spelling.startsWith("/") && spelling !== path)
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])

describe("a proxy's rule for a path cannot be bypassed", () => {
  layer(served({ modules, graphql: { graphiql: true } }), { excludeTestServices: true })((it) => {
    const body = '{"query":"{ __typename }"}'
    const html = { accept: "text/html" }
    const routes = [
      ["GET", `${base}/get-session`, {}],
      ["HEAD", `${base}/get-session`, {}],
      ["POST", `${base}/sign-in/email`, { body: "{}" }],
      ["GET", `${base}/jwks`, {}],
      ["OPTIONS", `${base}/jwks`, {}],
      ["GET", "/healthz", {}],
      ["GET", "/readyz", {}],
      ["POST", "/graphql", { body }],
      ["GET", "/graphql", { headers: html }],
    ] as const
    for (const [method, path, asked] of routes) {
      it.effect(`${method} ${path} is answered under no other spelling`, () =>
        Effect.gen(function* () {
          assert.notStrictEqual((yield* ask(method, path, asked)).status, 404)
          assert.notStrictEqual((yield* ask(method, `${path}?a=%62;c=/d`, asked)).status, 404)
          for (const spelling of spellings(path)) {
            const answer = yield* ask(method, spelling, asked)
            if (method === "HEAD") assert.strictEqual(answer.status, 404, spelling)
            else assert.strictEqual(refused(answer), "404 not_found", spelling)
          }
        }),
      )
    }

    it.effect("absolute URLs as request targets follow the same rules", () =>
      Effect.gen(function* () {
        const sent = (target: string) =>
          Effect.map(rawAnswer(`GET ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`), statusOf)
        for (const origin of ["http://localhost", "HTTP://localhost:3000", "https://user@example.com"])
          for (const query of ["", "?a=1"]) assert.strictEqual(yield* sent(`${origin}${base}/get-session${query}`), 200, origin)
        for (const path of [...spellings(`${base}/get-session`), `/x/..${base}/get-session`, `${base}/%67et-session`])
          assert.strictEqual(yield* sent(`http://localhost${path}`), 404, path)
      }),
    )
  })

  layer(served({ modules, rest: false }), { excludeTestServices: true })((it) => {
    it.effect("the published keys are readable from any origin, also where the REST shell is off", () =>
      Effect.gen(function* () {
        const answer = yield* get("/jwks", { headers: { origin: "https://rp.example", "sec-fetch-site": "cross-site" } })
        assert.deepStrictEqual([answer.status, answer.json.keys.length], [200, 1])
        assert.strictEqual(answer.headers["access-control-allow-origin"], "*")
        assert.strictEqual(refused(yield* get("/token")), "404 not_found")
      }),
    )
  })
})
