import { Effect, Option, Schema } from "effect"
import { ofPrincipal } from "../../../domain/administration/principal.ts"
import { retryOnConflict, Store } from "../../../domain/ports/store.ts"
import { Impersonation, ImpersonationState, Impersonations } from "../../../domain/sessions/impersonation.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { NextPage, PageInput, page } from "../../service/paging.ts"
import { ending } from "./ending.ts"
import type { ImpersonationSettings } from "./settings.ts"

const { impersonator_session_id: _, expires_at: __, ...fields } = Impersonation.fields
const Shown = Schema.Struct(fields).annotate({ identifier: "Impersonation" })

const list = Endpoint.make({
  method: "GET",
  path: "/admin/impersonations/list",
  summary: "The impersonations of the last 90 days, the newest first, with their reasons.",
  access: { permission: "audit:read" },
  input: Schema.Struct({ state: Schema.optionalKey(ImpersonationState), ...PageInput }),
  output: Schema.Struct({ impersonations: Schema.Array(Shown), ...NextPage }),
  handler: Effect.fnUntraced(function* adminListImpersonations({ state, ...request }) {
    const { rows, rest } = yield* page(Impersonations, state === undefined ? {} : { state }, request, true)
    return Endpoint.reply({ impersonations: rows, ...rest })
  }),
})

const end = (settings: ImpersonationSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/impersonations/end",
    summary: "Ends the impersonation of another administrator; `success` is false if it has ended.",
    access: { permission: "sessions:revoke" },
    input: Schema.Struct({ session_id: Schema.String }),
    output: Schema.Struct({ success: Schema.Boolean }),
    handler: Effect.fnUntraced(function* adminEndImpersonation({ session_id }) {
      const unchanged = yield* ofPrincipal(null)
      const store = yield* Store
      const found = yield* store.read(Impersonations, { session_id })
      if (Option.isNone(found) || found.value.row.state === "ended") return Endpoint.reply({ success: false })
      yield* store.commit([...unchanged, ...(yield* ending(settings, found.value))])
      return Endpoint.reply({ success: true })
    }, retryOnConflict),
  })

/** The endpoints for those who watch administrators. */
export const administration = (settings: ImpersonationSettings) => [list, end(settings)] as const
