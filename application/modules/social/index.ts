import { phrase } from "../../../domain/ports/texts.ts"
import * as Module from "../../service/module.ts"
import { oauthCallback } from "./callback.ts"
import { OAuthStates } from "./flows.ts"
import { faults, findings, SocialSettings } from "./settings.ts"
import { linkSocial, signInSocial } from "./start.ts"

/** Sign-in with accounts at other services, by OAuth 2.0 with PKCE. */
export const social = Module.define({
  name: "social",
  settings: SocialSettings,
  faults,
  parts: (settings) => ({
    tables: [OAuthStates],
    endpoints: [signInSocial(settings), linkSocial(settings), oauthCallback(settings)],
    accountKinds: settings.providers.map(({ id }) => ({
      provider_id: id,
      label: phrase("mail.credential.provider", { provider: id }),
      isFactor: false,
    })),
    findings: () => findings(settings),
  }),
})
