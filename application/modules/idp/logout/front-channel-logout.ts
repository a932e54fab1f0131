import { Effect, Option } from "effect"
import { escaped } from "../../../../domain/values/html.ts"
import { redirection } from "../../../../domain/values/redirect-uri.ts"
import { clientOf } from "../clients/stored-clients.ts"
import { issuer } from "../issuer.ts"
import type { Settings } from "../settings.ts"
import { clientsOf } from "../tokens/client-sessions.ts"

// OpenID Connect Front-Channel Logout 1.0: the browser loads a page of each client in a frame. Most browsers block the cookies in frames
// of other sites, so clients should prefer the back channel.

/** The pages to load in frames at the end of a session. */
export const framesOf = Effect.fnUntraced(function* framesOf(settings: Settings, session_id: string) {
  const iss = yield* issuer
  const rows = yield* clientsOf({ session_id })
  const known = yield* Effect.forEach(rows, ({ client_id, sid }) =>
    Effect.map(clientOf(settings, client_id), (client) => ({ client: Option.getOrUndefined(client), sid })),
  )
  return known.flatMap(({ client, sid }) => {
    const uri = client?.frontchannel_logout_uri ?? null
    if (client === undefined || uri === null) return []
    return [client.frontchannel_logout_session_required ? redirection(uri, { iss, sid }) : uri]
  })
})

/** Seconds that the frames have to load before the browser is redirected. */
const patience = 3

const frameOf = (uri: string) =>
  `<iframe src="${escaped(uri)}" title="Signing out" sandbox="allow-scripts allow-same-origin" hidden></iframe>`

/** The page after a logout: loads the frames, and then redirects to the client. It is in English. */
export const signedOutPage = (redirect: string | null, frames: ReadonlyArray<string>) => {
  const onward =
    redirect === null ? "" : `<meta http-equiv="refresh" content="${frames.length > 0 ? patience : 0};url=${escaped(redirect)}">`
  const link = redirect === null ? "" : `<p><a href="${escaped(redirect)}">Continue</a></p>`
  const origins = [...new Set(frames.map((uri) => new URL(uri).origin))].join(" ")
  const policy = `default-src 'none'; frame-src ${origins || "'none'"}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  return {
    type: "text/html; charset=utf-8",
    content: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Signed out</title>${onward}</head><body><p>You are signed out.</p>${link}${frames.map(frameOf).join("")}</body></html>`,
    headers: { "content-security-policy": policy },
  }
}
