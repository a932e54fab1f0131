import { Effect, Option } from "effect"
import { type AuthError, Forbidden } from "../errors.ts"
import type { Party } from "../events/security-event.ts"
import type { Initiator } from "../initiator.ts"
import { type Held, Policies } from "../policies.ts"
import { check, orFail, Store } from "../ports/store.ts"
import { Users } from "../users/tables.ts"
import { grantsOf } from "./administrators.ts"
import { everywhere } from "./grants.ts"
import type { Permission } from "./permissions.ts"
import { CurrentMachine, CurrentPrincipal, heldByApplication } from "./principal.ts"

// Administrators who start work that goes on without a request.

/** The caller, in the form that a row of the work keeps. */
export const initiator = Effect.gen(function* initiatorOfCall() {
  const { kind, id, permissions } = yield* CurrentPrincipal
  const machine = yield* Effect.serviceOption(CurrentMachine)
  const credential = Option.isNone(machine) ? null : machine.value.credential
  const stored: Initiator = { kind, id, credential, permissions: [...permissions] }
  return stored
})

const parties = {
  user: "admin",
  client: "client",
  service_account: "service",
  api_key: "api_key",
  application: "application",
} as const satisfies Record<Initiator["kind"], Party["kind"]>

export const partyOf = ({ kind, id }: Pick<Initiator, "kind" | "id">): Party => ({ kind: parties[kind], id })

/**
 * The principal as which the work goes on: what the initiator may do now, within what it could do then. Fails without one of the
 * permissions, of which the first is that of the work. `reread` fails as well, so that no commit of the work outlasts the right to it.
 */
export const principalLater = Effect.fnUntraced(function* principalLater(
  stored: Initiator,
  needed: readonly [Permission, ...ReadonlyArray<Permission>],
) {
  const reread = Effect.gen(function* rereadInitiator() {
    const { grants, checks } = stored.kind === "user" ? yield* heldByUser(stored.id) : yield* heldByMachine(stored)
    const kept = grants
      .filter(({ organization_id }) => organization_id === null)
      .map((grant) => ({ ...grant, permissions: [...grant.permissions].filter((permission) => stored.permissions.includes(permission)) }))
    const own = everywhere(kept)
    if (!needed.every((permission) => own.has(permission))) return yield* new Forbidden()
    return { grants: kept, checks } satisfies Held
  })
  const { grants } = yield* reread
  const { kind, id } = stored
  return CurrentPrincipal.of({ kind, id, permission: needed[0], grants, permissions: everywhere(grants), reread })
})

/** A user whom a gate refuses, such as a banned one, could not start the work either. */
const heldByUser = Effect.fnUntraced(function* heldByUser(id: string): Effect.fn.Return<Held, AuthError<"forbidden">, Policies | Store> {
  const user = yield* orFail((yield* Store).read(Users, { id }), () => new Forbidden())
  yield* Effect.mapError((yield* Policies).passGates(user.row), () => new Forbidden())
  return { grants: yield* grantsOf(user.row), checks: [check(Users, user)] }
})

/** A credential that acts as another principal since then gives no rights: its records would name the wrong one. */
const heldByMachine = Effect.fnUntraced(function* heldByMachine({ kind, id, credential }: Initiator) {
  if (credential === null) return yield* new Forbidden()
  if (credential.kind === "application") return heldByApplication
  const held = yield* orFail((yield* Policies).machineHeld(credential), () => new Forbidden())
  return held.kind === kind && held.id === id ? held : yield* new Forbidden()
})
