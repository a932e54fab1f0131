import { Effect } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest } from "effect/http"
import type { Auth } from "../../application/service/auth.ts"
import { NotFound } from "../../domain/errors.ts"
import { Settings } from "../../domain/settings.ts"
import { exactly } from "./exact-path.ts"
import { makeGuard } from "./guard.ts"
import { makeRunner } from "./runner.ts"

/**
 * One route per endpoint; no endpoint is named here. Whatever no route takes is `not_found`. Without `rest`, the endpoints of
 * protocols that are spoken over HTTP alone are left.
 */
export const layer = <R>(auth: Auth<R>, { rest }: { readonly rest: boolean } = { rest: true }) =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const { base_path } = yield* Settings
      const guard = yield* makeGuard(auth)
      const run = yield* makeRunner(auth)
      const notFound = guard(() => Effect.fail(new NotFound()))

      /** Paths that pages of any origin may ask about, by GET, POST or both. */
      const open = new Set<string>()
      for (const endpoint of Object.values(auth.endpoints)) {
        if (!rest && endpoint.protocol === undefined) continue
        const { alias, anyOrigin } = endpoint.protocol ?? {}
        const handle = guard(run(endpoint), endpoint)
        const further = alias === undefined ? [] : [alias.replace("{base_path}", base_path) as "/"]
        for (const path of [`${base_path as "/"}${endpoint.path}` as const, ...further]) {
          yield* router.add(endpoint.method, path, exactly(path, handle))
          if (anyOrigin !== true || open.has(path)) continue
          open.add(path)
          yield* router.add("OPTIONS", path, exactly(path, handle))
        }
      }
      yield* router.addGlobalMiddleware(
        Effect.catchIf(isRouteNotFound, () => Effect.flatMap(HttpServerRequest.HttpServerRequest, notFound)),
      )
    }),
  )

/** A wildcard route would not do: it would take HEAD from the GET routes, and paths that no route can take have no envelope then. */
const isRouteNotFound = (error: unknown) => HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"

/** How routes are matched; `exactly` refuses the spellings that these options leave. */
export const options = {
  routerConfig: { caseSensitive: true, ignoreDuplicateSlashes: false, ignoreTrailingSlash: false },
  disableListenLog: true,
  disableLogger: true,
} as const
