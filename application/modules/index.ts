import type { Mac } from "effect/crypto"
import type { HttpClient } from "effect/http"
import type { AnyEndpoint } from "../Endpoint.ts"
import type { Definition, Module, Needs } from "../Module.ts"
import type { Policies } from "../Policies.ts"
import type { Ethereum } from "../ports/Ethereum.ts"
import type { WebAuthn } from "../ports/WebAuthn.ts"
import { account } from "./account.ts"
import { admin } from "./admin.ts"
import { bearer } from "./bearer.ts"
import { emailOtp } from "./email-otp.ts"
import { emailPassword } from "./email-password.ts"
import { emailVerification } from "./email-verification.ts"
import { identityProvider } from "./identity-provider/index.ts"
import { jwt } from "./jwt.ts"
import { magicLink } from "./magic-link.ts"
import { multiSession } from "./multi-session.ts"
import { oneTimeToken } from "./one-time-token.ts"
import { organization } from "./organization/index.ts"
import { passkey } from "./passkey.ts"
import { phone } from "./phone.ts"
import { sessions } from "./sessions.ts"
import { siwe } from "./siwe.ts"
import { social } from "./social.ts"
import { stepUp } from "./step-up.ts"
import { twoFactor } from "./two-factor.ts"
import { username } from "./username.ts"

/** The modules that are always on; what they can be told stands at the top of the configuration. */
export const core = [sessions.build({}), emailPassword.build({}), emailVerification.build({}), account.build({}), stepUp.build({})] as const

type Provided = Needs<(typeof core)[number]> | Policies | HttpClient.HttpClient | Ethereum | WebAuthn | Mac.Mac
type Endpoints = Readonly<Record<string, AnyEndpoint<Provided>>>

/** A module beside those of the core: it has the services that those have, can call other people's, and knows wallets and passkeys. */
export type ExtraModule = Module<Endpoints, Provided>
export type ExtraDefinition = Definition<any, Endpoints, Provided>

/** The modules that are on when their name is a key under `modules`. */
export const optional: ReadonlyArray<ExtraDefinition> = [
  social,
  phone,
  emailOtp,
  magicLink,
  username,
  oneTimeToken,
  multiSession,
  bearer,
  jwt,
  identityProvider,
  admin,
  organization,
  siwe,
  twoFactor,
  passkey,
]
