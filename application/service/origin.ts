import { Effect, Option } from "effect"
import { maxUserAgent, type Party } from "../../domain/events/security-event.ts"
import type { Operation } from "../../domain/policies.ts"
import { Caller, CurrentSession } from "../../domain/sessions/caller.ts"
import { RequestId } from "../../domain/sessions/request-id.ts"

/** Who caused an event, from where, and in which request. */
export interface Origin {
  readonly operation: Operation
  readonly actor: Party
  readonly session_id: string | null
  readonly ip_address: string | null
  readonly user_agent: string | null
  readonly request_id: string | null
  readonly trace_id: string | null
}

/** The origin of the current call. */
export const originOf = Effect.fnUntraced(function* originOf(operation: Operation) {
  const { ip_address, user_agent } = yield* Caller
  const current = Option.getOrUndefined(yield* Effect.serviceOption(CurrentSession))
  const span = Option.getOrUndefined(yield* Effect.option(Effect.currentSpan))
  const origin: Origin = {
    operation,
    actor: actorOf(operation, current?.user.id),
    session_id: current?.session.id ?? null,
    ip_address,
    user_agent: user_agent?.slice(0, maxUserAgent) ?? null,
    request_id: yield* RequestId,
    trace_id: span?.traceId ?? null,
  }
  return origin
})

const actorOf = ({ module, path }: Operation, userId: string | undefined): Party => {
  if (module === "command") return { kind: "operator", id: null }
  if (userId === undefined) return { kind: "visitor", id: null }
  return { kind: path.startsWith("/admin/") ? "admin" : "user", id: userId }
}
