import { Context } from "effect"
import type { StoredUser } from "../users/user.ts"
import type { StoredSession } from "./session.ts"

/** The caller's credentials and origin, as the adapter read them from the request. */
export class Caller extends Context.Service<
  Caller,
  {
    /** The signed session credential of the request, not yet verified. */
    readonly credential: string | null
    /** The other cookies of the request, not yet verified. */
    readonly cookies: Readonly<Record<string, string>>
    /** The `Authorization` header, for protocols with their own credentials. */
    readonly authorization: string | null
    /** The `X-API-Key` header, not yet verified. */
    readonly api_key: string | null
    /** The `Accept` header, for endpoints with several formats. */
    readonly accept: string | null
    /** The `DPoP` header, not yet verified (RFC 9449 section 4.1). */
    readonly dpop: string | null
    /** The header field with the certificate of the TLS client, from a trusted proxy; not yet read (RFC 8705). */
    readonly client_certificate: string | null
    /** Whether a browser sent the request, according to its Fetch Metadata or because it navigates; other clients send neither. */
    readonly from_browser: boolean
    readonly ip_address: string | null
    readonly user_agent: string | null
    /** The `Accept-Language` header, which decides the language of messages to users without a `locale`. */
    readonly accept_language: string | null
    /** The `Origin` header. The guard of the shell has refused untrusted origins; calls without HTTP are not checked. */
    readonly origin: string | null
  }
>()("sallyport/Caller") {}

/** The caller's valid session, provided to endpoints with `access: "session"`. */
export class CurrentSession extends Context.Service<
  CurrentSession,
  { readonly session: StoredSession; readonly user: StoredUser; readonly credential: string }
>()("sallyport/CurrentSession") {}

/** The caller of work without a request: its mails are in the language of their recipients, and name no browser. */
export const noCaller = Caller.of({
  credential: null,
  cookies: {},
  authorization: null,
  api_key: null,
  accept: null,
  dpop: null,
  client_certificate: null,
  from_browser: false,
  ip_address: null,
  user_agent: null,
  accept_language: null,
  origin: null,
})
