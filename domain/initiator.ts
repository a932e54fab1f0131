import { Schema } from "effect"
import { credentialKinds, machineKinds } from "./policies.ts"

export const principalKinds = ["user", ...machineKinds] as const

/**
 * Who started work that goes on without a request, and the permissions everywhere that they had then, such as those of a narrow token: the
 * work gets no others.
 */
export const Initiator = Schema.Struct({
  kind: Schema.Literals(principalKinds),
  id: Schema.String,
  /** What proved a machine, also one that acts as a service account. */
  credential: Schema.NullOr(Schema.Struct({ kind: Schema.Literals(credentialKinds), id: Schema.String })),
  permissions: Schema.Array(Schema.String),
})
export type Initiator = typeof Initiator.Type
