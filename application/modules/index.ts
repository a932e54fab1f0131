import type { Aead, Digest, Kdf, Mac } from "effect/crypto"
import type { HttpClient } from "effect/http"
import type { Settings as AttributeSettings, GroupSettings, MemberSettings } from "../../domain/attributes/settings.ts"
import type { Policies } from "../../domain/policies.ts"
import type { Certificates } from "../../domain/ports/certificates.ts"
import type { Ethereum } from "../../domain/ports/ethereum.ts"
import type { HashFormats } from "../../domain/ports/hash-formats.ts"
import type { Jose } from "../../domain/ports/jose.ts"
import type { PhoneNumbers } from "../../domain/ports/phone-numbers.ts"
import type { PublicFetch } from "../../domain/ports/public-fetch.ts"
import type { WebAuthn } from "../../domain/ports/web-authn.ts"
import type { WebhookSender } from "../../domain/ports/webhook-sender.ts"
import type { AnyEndpoint } from "../service/endpoint.ts"
import { type Definition, type Module, type Needs, type Owned, ownedBy } from "../service/module.ts"
import { account } from "./account/index.ts"
import { admin } from "./admin/index.ts"
import { apiKey } from "./api_key/index.ts"
import { attributes } from "./attributes/index.ts"
import { memberAttributes } from "./attributes/members.ts"
import { organizationAttributes } from "./attributes/organizations.ts"
import { labelsOf } from "./attributes/texts.ts"
import { audit } from "./audit/index.ts"
import { bearer } from "./bearer/index.ts"
import { emailOtp } from "./email_otp/index.ts"
import { emailPassword } from "./email_password/index.ts"
import { emailVerification } from "./email_verification/index.ts"
import { events } from "./events/index.ts"
import { guest } from "./guest/index.ts"
import { identityProvider } from "./idp/index.ts"
import { impersonation } from "./impersonation/index.ts"
import { jwt } from "./jwt/index.ts"
import { magicLink } from "./magic_link/index.ts"
import { multiSession } from "./multi_session/index.ts"
import { oneTimeToken } from "./one_time_token/index.ts"
import { organization } from "./organization/index.ts"
import { passkey } from "./passkey/index.ts"
import { phone } from "./phone/index.ts"
import { sessions } from "./sessions/index.ts"
import { siwe } from "./siwe/index.ts"
import { social } from "./social/index.ts"
import { stepUp } from "./step_up/index.ts"
import { twoFactor } from "./two_factor/index.ts"
import { username } from "./username/index.ts"

/** The modules that are always enabled. Their settings are at the top level of the configuration. */
export const core = [sessions.build({}), emailPassword.build({}), emailVerification.build({}), account.build({}), stepUp.build({})] as const

type Provided =
  | Needs<(typeof core)[number]>
  | Policies
  | HttpClient.HttpClient
  | PublicFetch
  | Ethereum
  | Certificates
  | HashFormats
  | Jose
  | PhoneNumbers
  | WebAuthn
  | WebhookSender
  | Aead.Aead
  | Digest.Digest
  | Kdf.Kdf
  | Mac.Mac
type Endpoints = Readonly<Record<string, AnyEndpoint<Provided>>>

/** A module that is not part of the core. It can use the core's services, an HTTP client, and the ports for telephone numbers, Ethereum, JOSE and WebAuthn. */
export type ExtraModule = Module<Endpoints, Provided>
export type ExtraDefinition = Definition<any, Endpoints, Provided>

/** The modules that the configuration can enable, by their keys under `modules`. */
export const named = {
  social,
  phone,
  email_otp: emailOtp,
  magic_link: magicLink,
  username,
  one_time_token: oneTimeToken,
  multi_session: multiSession,
  bearer,
  jwt,
  idp: identityProvider,
  admin,
  organization,
  siwe,
  two_factor: twoFactor,
  passkey,
  audit,
  events,
  api_key: apiKey,
  impersonation,
  guest,
} satisfies Readonly<Record<string, ExtraDefinition>>

/** The same modules, in the order in which they run. */
export const optional: ReadonlyArray<ExtraDefinition> = Object.values(named)

/** The texts of the section `users` of the configuration. */
export const ownedByUsers = (users: { readonly attributes: AttributeSettings }): Owned =>
  ownedBy({ texts: async () => labelsOf(users.attributes) })

/** The modules that the section `users` of the configuration enables. */
export const usersModules = (users: { readonly attributes: AttributeSettings }): ReadonlyArray<ExtraModule> =>
  Object.keys(users.attributes).length === 0 ? [] : [{ ...attributes.build(users.attributes), texts: ownedByUsers(users).texts }]

/** The modules that the section `organizations` of the configuration enables. */
export const organizationsModules = (organizations: { readonly attributes: GroupSettings }): ReadonlyArray<ExtraModule> =>
  Object.keys(organizations.attributes).length === 0 ? [] : [organizationAttributes.build(organizations.attributes)]

/** The modules that the section `members` of the configuration enables. */
export const membersModules = (members: { readonly attributes: MemberSettings }): ReadonlyArray<ExtraModule> =>
  Object.keys(members.attributes).length === 0 ? [] : [memberAttributes.build(members.attributes)]
