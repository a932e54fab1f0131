import { phrase } from "../../../domain/ports/texts.ts"
import * as Module from "../../service/module.ts"
import { authenticateOptions, authenticateVerify, stepUp } from "./authentication.ts"
import { PasskeyChallenges } from "./challenges.ts"
import { passkeyDelete, passkeyList, passkeyRename, viewersPasskeys } from "./own.ts"
import { registerOptions, registerVerify } from "./registration.ts"
import { faults, PasskeySettings } from "./settings.ts"
import { factor, Passkeys, provider_id } from "./table.ts"

/** Sign-in with passkeys (WebAuthn). User verification is required, so a passkey is multi-factor. */
export const passkey = Module.define({
  name: "passkey",
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
    ],
    graphFields: [viewersPasskeys],
    accountKinds: [{ provider_id, label: phrase("mail.credential.passkey"), isFactor: true }],
    factor,
    stepUps: { passkey: stepUp(settings) },
  }),
})
