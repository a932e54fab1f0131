import { Schema } from "effect"

/** A scope that a client asks for, and whether the user has allowed it before. */
export const RequestedScope = Schema.Struct({ scope: Schema.String, granted: Schema.Boolean })
