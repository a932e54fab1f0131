import { Effect, Option } from "effect"
import { impersonationWith } from "../../domain/administration/impersonations.ts"
import { CallingApplication } from "../../domain/administration/principal.ts"
import { ImpersonationRefused, Unauthorized } from "../../domain/errors.ts"
import { Policies } from "../../domain/policies.ts"
import { isOfSameRow, Store, type Write } from "../../domain/ports/store.ts"
import { Caller } from "../../domain/sessions/caller.ts"
import { CurrentImpersonation, Impersonations } from "../../domain/sessions/impersonation.ts"
import { isImpersonated } from "../../domain/sessions/session-token.ts"
import type { AnyEndpoint } from "./endpoint.ts"

/**
 * Runs a call with the impersonation whose session it carries. Once that has ended, the call has no session, and commits nothing: each commit
 * is conditional on the sessions of the user and of the administrator, and on the administrator's right.
 */
export const impersonating = (policies: Policies["Service"]) => {
  const isOff = !policies.tables.includes(Impersonations)
  return <A, E, R>(call: Effect.Effect<A, E, R>) => {
    if (isOff) return call
    return Effect.gen(function* runImpersonating() {
      const { credential } = yield* Caller
      const isAlone = (yield* CallingApplication) !== null
      if (isAlone || credential === null || !isImpersonated(credential)) return yield* call
      const find = Effect.provideService(impersonationWith(credential), Policies, policies)
      const found = yield* find
      if (Option.isNone(found)) return yield* call

      const store = yield* Store
      const services = yield* Effect.context<Effect.Services<typeof find>>()
      const commit = Effect.fnUntraced(function* commitWhileItLasts(writes: ReadonlyArray<Write>) {
        const now = yield* Effect.provideContext(find, services)
        if (Option.isNone(now)) return yield* Effect.die(new Unauthorized())
        const others = now.value.checks.filter((each) => !writes.some((write) => isOfSameRow(write, each)))
        yield* store.commit([...others, ...writes])
      })
      return yield* call.pipe(
        Effect.provideService(Store, Store.of({ ...store, commit })),
        Effect.provideService(CurrentImpersonation, { ...found.value.impersonation, credential }),
        Effect.catchDefect((defect) => (defect instanceof Unauthorized ? Effect.fail(defect) : Effect.die(defect))),
      )
    })
  }
}

/** Refuses calls of impersonated sessions, unless the endpoint admits them in this mode. */
export const refuseImpersonated = ({ impersonation }: AnyEndpoint) =>
  Effect.flatMap(CurrentImpersonation, (current) =>
    current === null || impersonation === "read" || impersonation === current.mode ? Effect.void : Effect.fail(new ImpersonationRefused()),
  )
