import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { exactly } from "./exact-path.ts"

const headers = { "cache-control": "no-store", "x-content-type-options": "nosniff" }
const ok = HttpServerResponse.jsonUnsafe({ status: "ok" }, { headers })
const down = HttpServerResponse.jsonUnsafe({ status: "unavailable", reason: "the store does not answer" }, { status: 503, headers })

/** `/healthz`: the process runs. `/readyz`: the store answers. */
export const health = (ready: Effect.Effect<void>) =>
  Layer.merge(
    HttpRouter.add(
      "GET",
      "/healthz",
      exactly("/healthz", () => Effect.succeed(ok)),
    ),
    HttpRouter.add(
      "GET",
      "/readyz",
      exactly("/readyz", () => Effect.catchDefect(Effect.as(ready, ok), () => Effect.succeed(down))),
    ),
  )
