import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Settings } from "../../domain/settings.ts"
import { type Guarding, type Handle, makeGuard } from "../http/guard.ts"
import { exactly } from "../http/target.ts"
import type { Json } from "./json.ts"
import { reference } from "./reference.ts"
import { documentPath, referencePath } from "./settings.ts"

/**
 * The routes of the OpenAPI document and of the reference page, behind the same guard as the routes of REST. The first request for either
 * builds the document; a fault in it is a defect of every request.
 */
export const layer = (auth: Guarding, build: Effect.Effect<Json, Error>) =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const { base_path } = yield* Settings
      const guard = yield* makeGuard(auth)
      const document = yield* Effect.cached(Effect.orDie(build))
      const page = yield* Effect.cached(Effect.flatMap(document, reference))
      const text = yield* Effect.cached(Effect.map(document, textOf))

      const showDocument: Handle<never> = () => text
      const showPage: Handle<never> = () => page
      const routes = { [documentPath]: showDocument, [referencePath]: showPage }
      for (const [path, handle] of Object.entries(routes)) {
        const whole = `${base_path}${path}` as "/"
        yield* router.add("GET", whole, exactly(whole, guard(handle, undefined, { isLinked: true, route: whole })))
      }
    }),
  )

const textOf = (document: Json) => HttpServerResponse.text(JSON.stringify(document), { contentType: "application/json" })
