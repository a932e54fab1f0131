import { Context } from "effect"
import type { StoredUser } from "../users/user.ts"
import type { StoredSession } from "./session.ts"

/** Who is asking and from where, as the shell knows it. */
export class Caller extends Context.Service<
  Caller,
  {
    /** The signed session value that came with the request, not yet looked at. */
    readonly credential: string | null
    /** Values that this service left with the browser before, not yet looked at. */
    readonly cookies: Readonly<Record<string, string>>
    /** The `Authorization` of the request, for protocols that have credentials of their own there. */
    readonly authorization: string | null
    /** Whether a browser says that it sent the request (Fetch Metadata); other software need not. */
    readonly from_browser: boolean
    readonly ip_address: string | null
    readonly user_agent: string | null
  }
>()("sallyport/Caller") {}

/** The caller's valid session. Endpoints with `access: "session"` have it. */
export class CurrentSession extends Context.Service<
  CurrentSession,
  { readonly session: StoredSession; readonly user: StoredUser; readonly credential: string }
>()("sallyport/CurrentSession") {}
