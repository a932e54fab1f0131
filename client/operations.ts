import type { NoInput, OptionalOperation } from "./http.ts"
export interface User {
  readonly id: string
  readonly email: string
}
export interface Session {
  readonly id: string
}
export interface Operations {
  readonly getSession: OptionalOperation<NoInput, { readonly session: Session | null; readonly user: User | null }, never>
  readonly passkey: any
}
export const gets: ReadonlyArray<string> = ["/get-session"]
