import { phrase } from "../../../domain/ports/texts.ts"
import * as Module from "../../service/module.ts"
import { authenticateOptions, authenticateVerify, stepUp } from "./authentication.ts"
import { PasskeyChallenges } from "./challenges.ts"
import { mails } from "./emails.ts"
import * as Errors from "./errors.ts"
import { movedPasskeys } from "./moves.ts"
import { passkeyDelete, passkeyList, passkeyRename, viewersPasskeys } from "./own.ts"
import { registerOptions, registerVerify } from "./registration.ts"
import { relatedOrigins } from "./related-origins.ts"
import { faults, PasskeySettings } from "./settings.ts"
import { factor, Passkeys, provider_id } from "./table.ts"

/** Sign-in with passkeys (WebAuthn). User verification is required, so a passkey is multi-factor. */
export const passkey = Module.define({
  name: "passkey",
  errors: Object.values(Errors),
  mails,
  texts: async (tag) => (await import(`./texts/${tag}.json`, { with: { type: "json" } })).default,
  settings: PasskeySettings,
  faults,
  parts: (settings) => ({
    tables: [Passkeys, PasskeyChallenges],
    endpoints: [
      registerOptions(settings),
      registerVerify(settings),
      authenticateOptions(settings),
      authenticateVerify(settings),
      passkeyList,
      passkeyRename,
      passkeyDelete,
      ...(settings.related_origins?.length ? [relatedOrigins(settings.related_origins)] : []),
    ],
    graphFields: [viewersPasskeys],
    accountKinds: [{ provider_id, label: phrase("mail.credential.passkey"), isFactor: true }],
    factor,
    mergesUsers: movedPasskeys,
    stepUps: { passkey: stepUp(settings) },
  }),
})
