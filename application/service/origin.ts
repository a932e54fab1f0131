import { Context, Tracer } from "effect"
import { partyOf } from "../../domain/administration/later.ts"
import { CurrentMachine } from "../../domain/administration/principal.ts"
import { maxUserAgent, type Party } from "../../domain/events/security-event.ts"
import type { Operation } from "../../domain/policies.ts"
import { Caller, CurrentSession } from "../../domain/sessions/caller.ts"
import { CurrentImpersonation } from "../../domain/sessions/impersonation.ts"
import { RequestId } from "../../domain/sessions/request-id.ts"

/** Who caused an event, from where, and in which request. */
export interface Origin {
  readonly operation: Operation
  readonly actor: Party
  /** The user in whose name an administrator acts; null if the actor acts by itself. */
  readonly on_behalf_of: string | null
  readonly session_id: string | null
  readonly ip_address: string | null
  readonly user_agent: string | null
  readonly request_id: string | null
  readonly trace_id: string | null
}

/** The origin of the call with these services. */
export const originOf = (operation: Operation, services: Context.Context<Caller>): Origin => {
  const { ip_address, user_agent } = Context.get(services, Caller)
  const current = Context.getOrUndefined(services, CurrentSession)
  const machine = Context.getOrUndefined(services, CurrentMachine)
  const impersonation = Context.get(services, CurrentImpersonation)
  const own = machine === undefined ? actorOf(operation, current?.user.id) : partyOf(machine)
  return {
    operation,
    actor: impersonation === null ? own : { kind: "admin", id: impersonation.impersonator_user_id },
    on_behalf_of: impersonation?.user_id ?? null,
    session_id: current?.session.id ?? null,
    ip_address,
    user_agent: user_agent?.slice(0, maxUserAgent) ?? null,
    request_id: Context.get(services, RequestId),
    trace_id: Context.getOrUndefined(services, Tracer.ParentSpan)?.traceId ?? null,
  }
}

const actorOf = ({ module, path }: Operation, userId: string | undefined): Party => {
  if (module === "command") return { kind: "operator", id: null }
  if (userId === undefined) return { kind: "visitor", id: null }
  return { kind: path.startsWith("/admin/") ? "admin" : "user", id: userId }
}
