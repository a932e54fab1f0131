import * as Module from "../Module.ts"
import { oauthCallback } from "./social/callback.ts"
import { OAuthStates } from "./social/flows.ts"
import { faults, findings, SocialSettings } from "./social/settings.ts"
import { linkSocial, signInSocial } from "./social/start.ts"

/** Sign-in with accounts at other services, by OAuth 2.0 with PKCE. */
export const social = Module.define({
  name: "social",
  settings: SocialSettings,
  faults,
  parts: (settings) => ({
    tables: [OAuthStates],
    endpoints: { signInSocial: signInSocial(settings), linkSocial: linkSocial(settings), oauthCallback: oauthCallback(settings) },
    findings: () => findings(settings),
  }),
})
