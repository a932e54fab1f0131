import { Context, Schema } from "effect"
import * as Table from "../ports/table.ts"
import { Users } from "../users/tables.ts"

// An administrator in the account of a user. Two sessions belong to it: the administrator's own, and one of the user with a fixed end.

export const ImpersonationMode = Schema.Literals(["read", "act"]).annotate({
  identifier: "ImpersonationMode",
  description: "Whether the administrator only reads, or also makes the changes that endpoints admit.",
})

export const ImpersonationState = Schema.Literals(["active", "ended"]).annotate({ identifier: "ImpersonationState" })

export const Impersonation = Schema.Struct({
  session_id: Schema.String,
  user_id: Schema.String,
  impersonator_user_id: Schema.String,
  impersonator_session_id: Schema.String,
  mode: ImpersonationMode,
  reason: Schema.String,
  state: ImpersonationState,
  started_at: Schema.DateTimeUtc,
  /** The end of its session, which nothing extends. */
  ends_at: Schema.DateTimeUtc,
  ended_at: Schema.NullOr(Schema.DateTimeUtc),
  expires_at: Schema.DateTimeUtc,
})
export type Impersonation = typeof Impersonation.Type

export const Impersonations = Table.make("impersonation", Impersonation, {
  key: "session_id",
  indexed: [["state", "session_id"]],
  references: { user_id: Users },
  expires: "expires_at",
  isLog: true,
  data: {
    personal: ["mode", "started_at", "ends_at", "ended_at"],
    other: ["session_id", "user_id", "impersonator_user_id", "impersonator_session_id", "reason", "state", "expires_at"],
  },
})

/** The impersonation in whose session this call runs, and the credential of that session; null: none. The service finds it before a call. */
export const CurrentImpersonation = Context.Reference<(Impersonation & { readonly credential: string }) | null>(
  "sallyport/CurrentImpersonation",
  { defaultValue: () => null },
)
