import { Schema } from "effect"

/** A requested scope, and whether the user has allowed it before. */
export const RequestedScope = Schema.Struct({ scope: Schema.String, granted: Schema.Boolean })
