/** The result of a function that reads a profile: the account id, and what the provider states about the address. */
export interface MappedUser {
  readonly account_id: string | number
  readonly email?: string | null
  /** Defaults to the profile's member of this name. */
  readonly email_verified?: boolean | null
  readonly name?: string | null
}
export type MapFunction = (profile: Readonly<Record<string, any>>) => MappedUser
