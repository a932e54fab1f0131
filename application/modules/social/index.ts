import { phrase } from "../../../domain/ports/texts.ts"
import * as Module from "../../service/module.ts"
import { accountsAccessToken, keepsTokens } from "./access-token.ts"
import { oauthCallback } from "./callback.ts"
import { makeDirectory } from "./code-exchange.ts"
import * as Errors from "./errors.ts"
import { OAuthStates } from "./flows.ts"
import { oauthCallbackForm } from "./form-post.ts"
import { acceptsIdTokens, IdTokenNonces, signInIdToken, signInIdTokenNonce } from "./id-token-sign-in.ts"
import { ProviderTokens } from "./kept-tokens.ts"
import { faults, findings, SocialSettings } from "./settings.ts"
import { linkSocial, signInSocial } from "./start.ts"

/** Sign-in with accounts at other services, by OAuth 2.0 with PKCE and OpenID Connect. */
export const social = Module.define({
  name: "social",
  errors: Object.values(Errors),
  texts: async (tag) => (await import(`./texts/${tag}.json`, { with: { type: "json" } })).default,
  settings: SocialSettings,
  faults,
  parts: (settings) => {
    const directory = makeDirectory(settings.timeout)
    const { providers } = settings
    return {
      tables: [OAuthStates, IdTokenNonces, ProviderTokens],
      endpoints: [
        signInSocial(settings, directory),
        linkSocial(settings, directory),
        oauthCallback(settings, directory),
        ...onlyIf(
          providers.some(({ response_mode }) => response_mode === "form_post"),
          [oauthCallbackForm],
        ),
        ...onlyIf(acceptsIdTokens(settings), [signInIdTokenNonce, signInIdToken(settings, directory)]),
        ...onlyIf(keepsTokens(settings), [accountsAccessToken(settings, directory)]),
      ],
      accountKinds: providers.map(({ id }) => ({
        provider_id: id,
        label: phrase("mail.credential.provider", { provider: { provider: id } }),
        isFactor: false,
      })),
      findings: () => findings(settings),
    }
  },
})

/** The endpoints that exist only if the settings of a provider enable them. */
const onlyIf = <const E>(isEnabled: boolean, endpoints: ReadonlyArray<E>): ReadonlyArray<E> => (isEnabled ? endpoints : [])
