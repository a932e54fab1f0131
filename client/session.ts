import type { Operations } from "./operations.ts"
import type { SessionStore } from "./session-store.ts"

type DataOf<O> = O extends (...args: Array<any>) => Promise<infer R>
  ? R extends { readonly data: infer D; readonly error: null }
    ? D
    : never
  : never
type GetSession = DataOf<Operations["getSession"]>

/** A session and its user, as `GET /get-session` answers them. */
export interface SessionOf {
  readonly session: NonNullable<GetSession["session"]>
  readonly user: NonNullable<GetSession["user"]>
}

/** A client, as elements and the bindings for frameworks need it. */
export interface WithSession {
  readonly $session: SessionStore<SessionOf>
}
