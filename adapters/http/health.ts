import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { StoreUnavailable } from "../../domain/ports/store.ts"
import { Drain } from "./drain.ts"
import { exactly } from "./target.ts"

const headers = { "cache-control": "no-store", "x-content-type-options": "nosniff" }
const ok = HttpServerResponse.jsonUnsafe({ status: "ok" }, { headers })
const unavailable = (reason: string) => HttpServerResponse.jsonUnsafe({ status: "unavailable", reason }, { status: 503, headers })
const down = unavailable("the store does not answer")
const stopping = unavailable("the process is stopping")

/** Load balancers give up after a few seconds, and the limit of a call of the store is longer. */
export const answering = (ping: Effect.Effect<void>) =>
  Effect.timeoutOrElse(ping, { duration: "2 seconds", orElse: () => Effect.die(new StoreUnavailable({ cause: "No answer within 2 s" })) })

/** `/healthz`: the process runs. `/readyz`: the store answers, and the process is not stopping. */
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
      exactly("/readyz", () =>
        Effect.flatMap(Drain, ({ isDraining }) =>
          isDraining ? Effect.succeed(stopping) : Effect.catchDefect(Effect.as(answering(ready), ok), () => Effect.succeed(down)),
        ),
      ),
    ),
  )
