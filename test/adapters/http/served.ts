import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http"
import { Agent, request } from "node:http"
import { connect } from "node:net"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { assert } from "@effect/vitest"
import { Context, Effect, Layer, Logger, Schema } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import * as PagesAssembly from "../../../adapters/assembly/pages.ts"
import * as GraphqlShell from "../../../adapters/graphql/graphql-shell.ts"
import { makeSchema } from "../../../adapters/graphql/schema.ts"
import * as GraphqlSettings from "../../../adapters/graphql/settings.ts"
import { health } from "../../../adapters/http/health.ts"
import * as HttpShell from "../../../adapters/http/http-shell.ts"
import * as NodeServer from "../../../adapters/http/node-server.ts"
import { Branding, Settings as PagesSettings } from "../../../adapters/pages/settings.ts"
import type { OwnTexts } from "../../../adapters/texts/languages.ts"
import * as Auth from "../../../application/service/auth.ts"
import { type AnyModule, ownedByAll } from "../../../application/service/module.ts"
import { standard } from "../../../domain/organizations/access-control.ts"
import { Store } from "../../../domain/ports/store.ts"
import { Settings } from "../../../domain/settings.ts"
import { RepeatedLines } from "../../../domain/storage/repeated-log.ts"
import { owned } from "../../owned.ts"
import type { WorldServices } from "../../world.ts"
import { core, password, world } from "../../world.ts"

/** All log lines, as JSON. */
export class Logged extends Context.Service<Logged, Array<string>>()("test/Logged") {}

const logger = Layer.unwrap(Logged.useSync((lines) => Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))]))).pipe(
  Layer.provideMerge(Layer.sync(Logged, () => [])),
  Layer.provideMerge(Layer.sync(RepeatedLines, () => new Map())),
)

/** The agent of a test: connections stay open between requests and end with the test. */
class Connections extends Context.Service<Connections, Agent>()("test/Connections") {}

const connections = Layer.effect(
  Connections,
  Effect.acquireRelease(
    Effect.sync(() => new Agent({ keepAlive: true })),
    (agent) => Effect.sync(() => agent.destroy()),
  ),
)

export interface Served {
  readonly modules?: ReadonlyArray<AnyModule>
  readonly settings?: Record<string, unknown>
  /** Serves GraphQL as well, with these settings; `rest` leaves it alone when false. */
  readonly graphql?: Record<string, unknown>
  readonly rest?: boolean
  /** Serves the pages as well, with these settings. */
  readonly pages?: Record<string, unknown>
  /** The ids of the social providers that the pages offer. */
  readonly providers?: ReadonlyArray<string>
  /** The country whose telephone numbers need no calling code on the pages. */
  readonly phoneCountry?: string | undefined
  /** Texts of the operator on the pages. */
  readonly texts?: OwnTexts
  /** Runs the background work too. */
  readonly background?: boolean
  /** Further routes, or middleware around all routes. */
  readonly more?: Layer.Layer<never, never, HttpRouter.HttpRouter>
  /** Services that replace those of the test world. */
  readonly instead?: Layer.Layer<never, never, WorldServices>
}

/** The shell on a free port, with the services of the test world. */
export const served = ({
  modules = core,
  settings = {},
  graphql,
  rest = true,
  instead = Layer.empty,
  background = false,
  pages,
  providers = [],
  texts = {},
  phoneCountry,
  more = Layer.empty,
}: Served = {}) => {
  const auth = Auth.make(modules)
  const routes = Layer.mergeAll(
    more,
    pages === undefined
      ? HttpShell.layer(auth, { rest })
      : pagesShell(auth, pages, { modules, settings, rest, providers, texts, phoneCountry }),
    graphql === undefined ? Layer.empty : graphqlShell(auth, graphql),
    Layer.unwrap(Store.useSync(({ ping }) => health(ping))),
    background ? Layer.effectDiscard(auth.background) : Layer.empty,
  )
  return HttpRouter.serve(routes, HttpShell.options).pipe(
    Layer.provideMerge(NodeServer.layer({ host: "127.0.0.1", port: 0, drain: 1 })),
    Layer.provideMerge(connections),
    Layer.provideMerge(Layer.provideMerge(instead, world(modules, settings))),
    Layer.provideMerge(logger),
  ) as Layer.Layer<WorldServices | HttpServer.HttpServer | Connections | Logged>
}

const pagesShell = (
  auth: Auth.Auth<any>,
  pages: Record<string, unknown>,
  {
    modules,
    settings: shared,
    rest,
    providers,
    texts,
    phoneCountry,
  }: Required<Pick<Served, "modules" | "settings" | "rest" | "providers" | "texts" | "phoneCountry">>,
) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const graphql = { enabled: false, path: "/graphql" }
      const settings = yield* Settings
      const configuration = {
        settings,
        branding: yield* Schema.decodeUnknownEffect(Branding)(shared["branding"] ?? {}),
        providers,
        rest: { enabled: rest },
        graphql,
        texts,
        owned: ownedByAll([owned, ...modules]),
        accessControl: standard,
        phoneCountry,
        codeDigits: { email: 6, phone: 6 },
      }
      return PagesAssembly.layer(auth, configuration, yield* Schema.decodeUnknownEffect(PagesSettings)(pages))
    }),
  )

const graphqlShell = (auth: Auth.Auth<any>, settings: Record<string, unknown>) =>
  Layer.unwrap(
    Effect.map(GraphqlSettings.decode(settings), (decoded) =>
      GraphqlShell.layer(
        auth,
        Effect.sync(() => makeSchema(auth, decoded)),
        decoded,
      ),
    ),
  )

/** A changed service of the test world. */
export const changed = <I, S extends object>(
  service: Context.Service<I, S>,
  changes: (original: S) => Partial<S>,
): Layer.Layer<I, never, I> =>
  Layer.effect(
    service,
    Effect.map(service, (original) => ({ ...original, ...changes(original) })),
  )

export const port = HttpServer.HttpServer.useSync(({ address }) => ("port" in address ? address.port : 0))

export interface Asked {
  readonly headers?: OutgoingHttpHeaders
  /** A list is sent in chunks, without a length. */
  readonly body?: string | Uint8Array | ReadonlyArray<string | Uint8Array>
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly json: any
}

export const base = "/api/auth"

const decoded = (body: Buffer, coding: string | undefined) =>
  coding === "br" ? brotliDecompressSync(body) : coding === "gzip" ? gunzipSync(body) : body

/** One request to a path of the server. A body is sent as JSON unless a header says otherwise. */
export const ask = Effect.fnUntraced(function* (method: string, path: string, { headers: given = {}, body }: Asked = {}) {
  const headers = body === undefined ? given : { "content-type": "application/json", ...given }
  // A response can repeat what a hostile request contains.
  const maxHeaderSize = 131_072
  const options = { agent: yield* Connections, port: yield* port, host: "127.0.0.1", method, path, headers, maxHeaderSize }
  return yield* Effect.callback<Answer>((resume) => {
    const sent = request(options, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk) => chunks.push(chunk))
      response.on("error", (error) => resume(Effect.die(error)))
      response.on("end", () => {
        const text = decoded(Buffer.concat(chunks), response.headers["content-encoding"]).toString("utf8")
        const isJson = response.headers["content-type"] === "application/json" && text !== ""
        const json: unknown = isJson ? JSON.parse(text) : undefined
        resume(Effect.succeed({ status: response.statusCode ?? 0, headers: response.headers, text, json }))
      })
    })
    sent.on("error", (error) => resume(Effect.die(error)))
    if (body === undefined) return void sent.end()
    if (typeof body === "string" || body instanceof Uint8Array) {
      sent.setHeader("content-length", Buffer.byteLength(body))
      return void sent.end(body)
    }
    sent.setHeader("transfer-encoding", "chunked")
    for (const chunk of body) sent.write(chunk)
    sent.end()
  })
})

export const get = (path: string, asked?: Asked) => ask("GET", `${base}${path}`, asked)

export const post = (path: string, input: unknown, asked: Asked = {}) =>
  ask("POST", `${base}${path}`, { body: JSON.stringify(input), ...asked })

/** Status and code of an error; fails the test if the body is not exactly the envelope. */
export const refused = (answer: Answer): string => {
  assert.deepStrictEqual(Object.keys(answer.json ?? {}), ["error"], `not the envelope: ${answer.status} ${answer.text.slice(0, 200)}`)
  assert.deepStrictEqual(Object.keys(answer.json.error), ["code", "message"])
  assert.isString(answer.json.error.message)
  return `${answer.status} ${answer.json.error.code}`
}

/** The first cookie that an answer sets, as a browser sends it back. */
export const cookieOf = (answer: Answer): string => {
  const [set] = answer.headers["set-cookie"] ?? []
  assert.isDefined(set, `no cookie: ${answer.status} ${answer.text.slice(0, 200)}`)
  return set?.split(";")[0] ?? ""
}

/** Signs a user up; returns the headers of their requests. */
export const signedUp = Effect.fnUntraced(function* (email = "ada@example.com") {
  const answer = yield* post("/sign-up/email", { email, password })
  return { cookie: cookieOf(answer) }
})

/** A separate connection with these bytes sent, and the response so far. */
export const raw = Effect.fnUntraced(function* (bytes: string) {
  const socket = yield* Effect.acquireRelease(
    Effect.map(port, (number) => connect(number, "127.0.0.1")),
    (open) => Effect.sync(() => open.destroy()),
  )
  let text = ""
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1")
  })
  socket.on("error", () => {})
  socket.write(bytes)
  const next = (event: "data" | "close") => Effect.promise(() => new Promise((resolve) => socket.once(event, resolve)))
  return { socket, next, received: () => text }
})

/** The whole response to these bytes, until the server closes the connection. */
export const rawAnswer = Effect.fnUntraced(function* (bytes: string) {
  const { next, received } = yield* raw(bytes)
  yield* next("close")
  return received()
})
