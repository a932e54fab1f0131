import { Effect } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest } from "effect/http"
import type { Auth } from "../../application/service/auth.ts"
import { NotFound } from "../../domain/errors.ts"
import { Settings } from "../../domain/settings.ts"
import { exactly } from "./exact-path.ts"
import { makeGuard } from "./guard.ts"
import { makeRunner } from "./runner.ts"

/**
 * One route per endpoint; every other request is `not_found`. Without `rest`, only endpoints of standard protocols (OAuth) have
 * routes.
 */
export const layer = <R>(auth: Auth<R>, { rest }: { readonly rest: boolean } = { rest: true }) =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const { base_path } = yield* Settings
      const guard = yield* makeGuard(auth)
      const run = yield* makeRunner(auth)
      const notFound = guard(() => Effect.fail(new NotFound()))

      /** A path with GET and POST needs one preflight route. */
      const preflighted = new Set<string>()
      for (const endpoint of Object.values(auth.endpoints)) {
        if (!rest && endpoint.protocol === undefined) continue
        const { alias, anyOrigin } = endpoint.protocol ?? {}
        const handle = guard(run(endpoint), endpoint)
        const aliases = alias === undefined ? [] : [alias.replace("{base_path}", base_path) as "/"]
        for (const path of [`${base_path as "/"}${endpoint.path}` as const, ...aliases]) {
          yield* router.add(endpoint.method, path, exactly(path, handle))
          if (anyOrigin !== true || preflighted.has(path)) continue
          preflighted.add(path)
          yield* router.add("OPTIONS", path, exactly(path, handle))
        }
      }
      yield* router.addGlobalMiddleware(
        Effect.catchIf(isRouteNotFound, () => Effect.flatMap(HttpServerRequest.HttpServerRequest, notFound)),
      )
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
