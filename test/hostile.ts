import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, type Layer } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { RateLimiter } from "effect/persistence"
import type { Page } from "../adapters/pages/page.ts"
import { pages } from "../adapters/pages/pages.ts"
import type { AnyEndpoint } from "../application/service/endpoint.ts"
import type { Asked } from "./adapters/http/served.ts"
import { ask, base, changed, served } from "./adapters/http/served.ts"
import { modules } from "./everything.ts"

const trusted_proxies = ["127.0.0.0/8"]

interface Route {
  readonly method: string
  readonly path: string
  readonly endpoint?: AnyEndpoint
  readonly page?: Page
}

const endpoints: ReadonlyArray<AnyEndpoint> = modules.flatMap((module) => Object.values(module.endpoints as Record<string, AnyEndpoint>))

/** Every address of a service with all modules, and one that it does not have. */
export const routes: ReadonlyArray<Route> = [
  { method: "GET", path: "/unknown" },
  { method: "GET", path: `${base}/unknown` },
  { method: "POST", path: "/graphql" },
  { method: "GET", path: "/graphql" },
  ...pages.flatMap((page) => ["GET", ...(page.actions === undefined ? [] : ["POST"])].map((method) => ({ method, path: page.path, page }))),
  ...endpoints.map((endpoint) => ({ method: endpoint.method, path: `${base}${endpoint.path}`, endpoint })),
]

/** The names of the members of an endpoint's input. */
export const membersOf = ({ endpoint }: Route): ReadonlyArray<string> =>
  endpoint !== undefined && "fields" in endpoint.input ? Object.keys(endpoint.input.fields as object) : []

const pagesFolder = join(import.meta.dirname, "../adapters/pages")

/** The names of the form fields that pages read. */
export const fieldsOfPages: ReadonlyArray<string> = [
  ...new Set(
    readdirSync(pagesFolder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .flatMap((name) => [...readFileSync(join(pagesFolder, name), "utf8").matchAll(/\b(?:field|enteredJson)\((?:[\w.]+, )?"(\w+)"/g)])
      .map(([, name = ""]) => name),
  ),
].filter((name) => name !== "form_token" && name !== "action")

/** The header fields that code reads from requests, and those that it reads before the request is counted. */
export const makeReads = () => {
  const early = new Set<string>()
  const fields = new Set<string>()
  let isCounted = false

  const recorded = (headers: HttpServerRequest.HttpServerRequest["headers"]) => {
    let enumerated = 0
    return new Proxy(headers, {
      ownKeys: (target) => {
        const keys = Reflect.ownKeys(target)
        enumerated = Object.keys(target).length
        return keys
      },
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (typeof name !== "string" || typeof value === "function") return value
        // The limits of all fields are checked by their lengths, which reads no field.
        if (enumerated > 0) enumerated -= 1
        else {
          fields.add(name)
          if (!isCounted) early.add(name)
        }
        return value
      },
    })
  }
  const begin = (request: HttpServerRequest.HttpServerRequest) => {
    isCounted = false
    return request.modify({ headers: recorded(request.headers) })
  }
  const more = HttpRouter.use((router) =>
    router.addGlobalMiddleware((app) => Effect.updateService(app, HttpServerRequest.HttpServerRequest, begin)),
  )
  const instead = changed(RateLimiter.RateLimiter, ({ consume }) => ({
    consume: (options) =>
      Effect.suspend(() => {
        isCounted = true
        return consume(options)
      }),
  }))
  return { early, fields, more, instead: instead as Layer.Layer<never, never, any> }
}

/** A service with every module and shell. */
export const everything = (rate_limit: object, { more, instead }: Partial<Pick<ReturnType<typeof makeReads>, "more" | "instead">> = {}) =>
  served({
    modules,
    pages: {},
    graphql: {},
    settings: { rate_limit, trusted_proxies },
    ...(more === undefined ? {} : { more }),
    ...(instead === undefined ? {} : { instead }),
  })

/** What a browser sends that navigates. */
export const navigation = { accept: "text/html", "accept-language": "de", "user-agent": "a browser" }

/** Repeated units on which parsers take too long that look at the rest of their input, or at what they have read, again for each unit. */
export const units = ["a", "xx-", "a,", "a;q=1,", "a.", "a ", "=", "%41", '\\"', "a:/@"] as const

export const filled = (unit: string, length: number) =>
  unit
    .repeat(Math.ceil(length / unit.length))
    .slice(0, length)
    .trim()

/** The processor time of a request, in milliseconds. Other processes do not add to it. */
export const costOf = Effect.fnUntraced(function* costOf(method: string, path: string, asked: Asked) {
  const begin = process.cpuUsage()
  const { status } = yield* ask(method, path, asked)
  const { user, system } = process.cpuUsage(begin)
  return { status, cost: (user + system) / 1000 }
})

/** A hostile request that costs much more than a plain one, each time; undefined if there is none. */
export const expensive = Effect.fnUntraced(function* expensive({ method, path }: Route, suffix: string, plain: Asked, hostile: Asked) {
  const attempts = 4
  let [least, most] = [Number.POSITIVE_INFINITY, 0]
  for (let attempt = 0; attempt < attempts; attempt++) {
    const { cost } = yield* costOf(method, `${path}${suffix}`, hostile)
    least = Math.min(least, cost)
    if (least < 20) return undefined
    most = Math.max(most, (yield* costOf(method, path, plain)).cost)
    if (least < 5 * most + 20) return undefined
  }
  return `${method} ${path}: ${Math.round(least)} ms`
})
