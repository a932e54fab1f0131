import * as Module from "../Module.ts"
import { authenticateOptions, authenticateVerify, stepUp } from "./passkey/authentication.ts"
import { PasskeyChallenges } from "./passkey/challenges.ts"
import { passkeyDelete, passkeyList, passkeyRename, viewersPasskeys } from "./passkey/own.ts"
import { registerOptions, registerVerify } from "./passkey/registration.ts"
import { faults, PasskeySettings } from "./passkey/settings.ts"
import { factor, Passkeys, provider_id } from "./passkey/table.ts"

/** Sign-in by passkeys (WebAuthn): what the user has and, since they have to be verified by it, what they know or are. */
export const passkey = Module.define({
  name: "passkey",
  settings: PasskeySettings,
  faults,
  parts: (settings) => ({
    tables: [Passkeys, PasskeyChallenges],
    endpoints: {
      passkeyRegisterOptions: registerOptions(settings),
      passkeyRegisterVerify: registerVerify(settings),
      passkeyAuthenticateOptions: authenticateOptions(settings),
      passkeyAuthenticateVerify: authenticateVerify(settings),
      passkeyList,
      passkeyRename,
      passkeyDelete,
    },
    edges: [viewersPasskeys],
    accountKinds: [{ provider_id, label: "passkey", isFactor: true }],
    factor,
    stepUps: { passkey: stepUp(settings) },
  }),
})
