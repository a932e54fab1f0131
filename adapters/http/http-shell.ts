import { Effect } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest } from "effect/http"
import type { Auth } from "../../application/service/auth.ts"
import { NotFound } from "../../domain/errors.ts"
import { Settings } from "../../domain/settings.ts"
import type { Browsers } from "./browsers.ts"
import { type Handle, makeGuard } from "./guard.ts"
import { isNavigation } from "./navigations.ts"
import { type Refuse, refusal } from "./refusals.ts"
import { makeRunner } from "./runner.ts"
import { exactly, hidingQuery, pathOf } from "./target.ts"

interface Options<B, S> {
  /** Without it, only endpoints of standard protocols (OAuth) have routes. */
  readonly rest: boolean
  /** What browsers get in place of JSON. */
  readonly browsers?: Effect.Effect<Browsers<B>, never, S>
}

/** One route per endpoint; every other request is `not_found`. */
export const layer = <R, B = never, S = never>(auth: Auth<R>, { rest, browsers: made }: Options<B, S> = { rest: true }) =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const { base_path } = yield* Settings
      yield* router.addGlobalMiddleware(hidingQuery)
      const guard = yield* makeGuard(auth)
      const run = yield* makeRunner(auth)
      const browsers = made === undefined ? undefined : yield* made
      const refuse: Refuse = (error, request, ...rest) =>
        (browsers !== undefined && isNavigation(request) ? browsers.refuse : refusal)(error, request, ...rest)

      /** Answers browsers that navigate here by `shown`, and all other requests by `handle`. */
      const split = <H, S>(handle: Handle<H>, shown: Handle<S> | undefined): Handle<H | S> => {
        if (shown === undefined) return handle
        return (request, address, id): ReturnType<Handle<H | S>> =>
          isNavigation(request) ? shown(request, address, id) : handle(request, address, id)
      }

      /** The page for an unknown path; undefined if the request gets JSON. */
      const unknownPage = (request: HttpServerRequest.HttpServerRequest) =>
        isNavigation(request) ? browsers?.unknown(pathOf(request)) : undefined
      const notFound: Handle<B> = (request, address, id) => unknownPage(request)?.(request, address, id) ?? Effect.fail(new NotFound())
      const unknown = guard(notFound, undefined, {
        refuse: (error, request, ...rest) => (unknownPage(request) === undefined ? refusal : refuse)(error, request, ...rest),
        isLinked: (request) => unknownPage(request) !== undefined,
      })

      /** The paths that have a preflight route already: a path with GET and POST needs only one. */
      const preflighted = new Set<string>()
      for (const endpoint of Object.values(auth.endpoints)) {
        if (!rest && endpoint.protocol === undefined) continue
        const { aliases = [], anyOrigin } = endpoint.protocol ?? {}
        const shown = browsers?.endpoint(endpoint)
        const isVisited = shown !== undefined || endpoint.protocol?.navigable === true
        const handle = guard(split(run(endpoint), shown), endpoint, isVisited ? { refuse } : {})
        const further = aliases.map((alias) => alias.replace("{base_path}", base_path) as "/")
        for (const path of new Set([`${base_path as "/"}${endpoint.path}` as const, ...further])) {
          yield* router.add(endpoint.method, path, exactly(path, handle))
          if (anyOrigin !== true || preflighted.has(path)) continue
          preflighted.add(path)
          yield* router.add("OPTIONS", path, exactly(path, handle))
        }
      }
      yield* router.addGlobalMiddleware(Effect.catchIf(isRouteNotFound, () => Effect.flatMap(HttpServerRequest.HttpServerRequest, unknown)))
    }),
  )

/** Not a wildcard route: it would shadow HEAD of the GET routes, and paths that the router rejects would have no envelope. */
const isRouteNotFound = (error: unknown) => HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"

/** Strict matching; `exactly` refuses the spellings that these options still accept. */
export const options = {
  routerConfig: { caseSensitive: true, ignoreDuplicateSlashes: false, ignoreTrailingSlash: false },
  disableListenLog: true,
  disableLogger: true,
} as const
