import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import type { Auth } from "../../application/service/auth.ts"
import { Settings } from "../../domain/settings.ts"
import { exactly } from "../http/exact-path.ts"
import type { Handle } from "../http/guard.ts"
import { makeGuard } from "../http/guard.ts"
import type { Json } from "./json.ts"
import { reference } from "./reference.ts"
import { documentPath, referencePath } from "./settings.ts"

/** The routes of the OpenAPI document and of the reference page, behind the same guard as the routes of REST. */
export const layer = (auth: Pick<Auth<unknown>, "sessionTransports">, document: Json) =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const { base_path } = yield* Settings
      const guard = yield* makeGuard(auth)
      const page = yield* Effect.cached(reference(document))
      const text = HttpServerResponse.text(JSON.stringify(document), { contentType: "application/json" })

      const showDocument: Handle<never> = () => Effect.succeed(text)
      const showPage: Handle<never> = () => page
      const routes = { [documentPath]: showDocument, [referencePath]: showPage }
      for (const [path, handle] of Object.entries(routes)) {
        const whole = `${base_path}${path}` as "/"
        yield* router.add("GET", whole, exactly(whole, guard(handle, undefined, { isLinked: true })))
      }
    }),
  )
