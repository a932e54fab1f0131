import { setTimeout } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { assemble } from "../../../adapters/assembly/service.ts"
import { configurationOf } from "../../../adapters/config/load.ts"
import * as GraphqlShell from "../../../adapters/graphql/graphql-shell.ts"
import { makeSchema } from "../../../adapters/graphql/schema.ts"
import * as GraphqlSettings from "../../../adapters/graphql/settings.ts"
import * as HttpShell from "../../../adapters/http/http-shell.ts"
import * as NodeServer from "../../../adapters/http/node-server.ts"
import { optional } from "../../../application/modules/index.ts"
import * as Auth from "../../../application/service/auth.ts"
import * as Endpoint from "../../../application/service/endpoint.ts"
import * as Module from "../../../application/service/module.ts"
import type { WorldServices } from "../../world.ts"
import { core, world } from "../../world.ts"

const auth = Auth.make(core)

/** A server whose schema is built by `build`, which gets the number of the build. */
const serverOf = (build: (builds: number) => Promise<void>) => {
  const counted = { builds: 0 }
  const schema = Effect.promise(async () => {
    counted.builds += 1
    await build(counted.builds)
    return makeSchema(auth)
  })
  const shell = Layer.unwrap(Effect.map(GraphqlSettings.decode({}), (settings) => GraphqlShell.layer(auth, schema, settings)))
  const server = HttpRouter.serve(shell, HttpShell.options).pipe(
    Layer.provideMerge(NodeServer.layer({ host: "127.0.0.1", port: 0, drain: 0 })),
    Layer.provideMerge(world()),
  ) as Layer.Layer<WorldServices | HttpServer.HttpServer>
  return { counted, server }
}

const sent = (headers: Record<string, string> = { "content-type": "application/json" }) =>
  HttpServer.HttpServer.use(({ address }) =>
    Effect.promise(async () => {
      const url = `http://127.0.0.1:${"port" in address ? address.port : 0}/graphql`
      const response = await fetch(url, { method: "POST", headers, body: '{"query":"{ viewer { user { id } } }"}' })
      return { status: response.status, text: await response.text() }
    }),
  )

describe("the first GraphQL request", () => {
  it.effect("builds the schema, once for concurrent requests", () => {
    const { counted, server } = serverOf(async () => void (await setTimeout(50)))
    return Effect.gen(function* () {
      assert.strictEqual((yield* sent({ "content-type": "text/plain" })).status, 415)
      assert.strictEqual(counted.builds, 0)
      const answers = yield* Effect.all([sent(), sent(), sent()], { concurrency: "unbounded" })
      for (const { status, text } of [...answers, yield* sent()]) assert.deepStrictEqual([status, text], [200, '{"data":{"viewer":null}}'])
      assert.strictEqual(counted.builds, 1)
    }).pipe(Effect.provide(server))
  })

  it.effect("is answered with 500 when the build fails, and the next request builds again", () => {
    const { counted, server } = serverOf(async (builds) => {
      if (builds <= 2) throw new Error("two types have one name")
    })
    return Effect.gen(function* () {
      for (const _ of [1, 2]) {
        const { status, text } = yield* sent()
        assert.deepStrictEqual([status, JSON.parse(text).errors[0].extensions.code], [500, "internal_error"])
        assert.notInclude(text, "two types")
      }
      assert.strictEqual((yield* sent()).status, 200)
      assert.strictEqual(counted.builds, 3)
    }).pipe(Effect.provide(server))
  })
})

/** An endpoint whose field in the graph has the name of one that exists. */
const second = Endpoint.make({
  method: "GET",
  path: "/viewer",
  summary: "Conflicts with the field viewer.",
  access: "public",
  input: Endpoint.NoInput,
  output: Endpoint.Success,
  handler: () => Effect.succeed(Endpoint.reply(Endpoint.succeeded)),
})
const conflicting = Module.define({ name: "conflicting", settings: Module.NoSettings, parts: () => ({ endpoints: [second] }) })

const configured = (changes: object) =>
  configurationOf({ secret: "x".repeat(32), public_url: "http://localhost:3000", store: { kind: "memory" }, ...changes }, optional)

describe("a start", () => {
  it.effect("refuses extensions whose fields conflict", () =>
    Effect.gen(function* () {
      const fault = yield* Effect.flip(Effect.flatMap(configured({ extensions: [conflicting] }), assemble))
      assert.include(fault.faults.join(), "extensions: found a conflict")
    }),
  )

  it.effect("refuses a path of GraphQL that an endpoint has", () =>
    Effect.gen(function* () {
      const fault = yield* Effect.flip(Effect.flatMap(configured({ graphql: { path: "/api/auth/get-session" } }), assemble))
      assert.include(fault.faults.join(), "graphql.path")
    }),
  )

  it.each(optional.map(({ name }) => name))(
    "needs no schema: with %s as the only module, or as the only one that is off, no names conflict",
    (name) => {
      const built = (definitions: typeof optional) =>
        makeSchema(Auth.make([...core, ...definitions.map((each) => each.build(settingsOf(each.name)))]))
      built(optional.filter((each) => each.name === name))
      built(optional.filter((each) => each.name !== name))
    },
  )
})

const settingsOf = (name: string) => ({ social: { providers: [] }, idp: { clients: [] }, two_factor: { methods: ["totp"] } })[name] ?? {}
