import { Context } from "effect"
import type { Table } from "../storage/table.ts"
import type { Users } from "../storage/tables.ts"

/** A table of rows that authenticate a user beside their linked accounts, and what mails call one. */
export interface Authenticator {
  readonly table: Table<any, any, any, { readonly user_id: typeof Users }, any>
  readonly label: string
}

/** What the modules keep to authenticate a user. `Auth.call` provides it. */
export class Authenticators extends Context.Service<
  Authenticators,
  {
    /** The tables beside the user's linked accounts. */
    readonly tables: ReadonlyArray<Authenticator>
    /** What mails call a linked account. */
    readonly accountLabel: (providerId: string) => string
    /** Whether linked accounts of this provider are second factors, which a password reset of a verified account never removes. */
    readonly isFactor: (providerId: string) => boolean
  }
>()("sallyport/Authenticators") {}
