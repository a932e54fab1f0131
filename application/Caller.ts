import { Context } from "effect"
import type { StoredSession } from "../domain/Session.ts"
import type { User } from "../domain/User.ts"

/** Who is asking and from where, as the shell knows it. */
export class Caller extends Context.Service<
  Caller,
  {
    /** The signed session value that came with the request, not yet looked at. */
    readonly credential: string | null
    readonly ip_address: string | null
    readonly user_agent: string | null
  }
>()("sallyport/Caller") {}

/** The caller's valid session. Endpoints with `access: "session"` have it. */
export class CurrentSession extends Context.Service<
  CurrentSession,
  { readonly session: StoredSession; readonly user: User; readonly credential: string }
>()("sallyport/CurrentSession") {}
