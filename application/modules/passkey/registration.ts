import { DateTime, Effect, Option, Schema } from "effect"
import { EmailNotVerified, InvalidRequest } from "../../../domain/errors.ts"
import { notices } from "../../../domain/mail/notices.ts"
import { conflictIfTaken, find, insert, retryOnConflict, Store, update } from "../../../domain/ports/store.ts"
import { type Credential, WebAuthn } from "../../../domain/ports/web-authn.ts"
import { CurrentSession } from "../../../domain/sessions/caller.ts"
import { rereadSession } from "../../../domain/sessions/sessions.ts"
import { Settings } from "../../../domain/settings.ts"
import { accountsOf, newAccount, requireRoom } from "../../../domain/sign-in/linked-accounts.ts"
import { requireEstablishedAddress } from "../../../domain/sign-in/verification.ts"
import { Accounts, Users } from "../../../domain/users/tables.ts"
import { Text } from "../../../domain/values/text.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { steppedUp } from "../../service/guards.ts"
import { issueChallenge, lifetime, take } from "./challenges.ts"
import { passkeyAdded } from "./emails.ts"
import { InvalidPasskey, PasskeyExists } from "./errors.ts"
import { type PasskeySettings, relyingParty } from "./settings.ts"
import { descriptorOf, handleOf, maxPasskeys, Passkey, Passkeys, passkeysOf, provider_id, type StoredPasskey, shown } from "./table.ts"
import { CreationOptions, RegistrationResponse } from "./wire.ts"

/** The name that a user gives a passkey. */
export const Name = Text.check(Schema.isNonEmpty(), Schema.isMaxLength(100))

export const registerOptions = (settings: PasskeySettings) =>
  Endpoint.make({
    method: "POST",
    path: "/passkey/register/options",
    summary: "The options for `navigator.credentials.create`, to register a passkey.",
    ...steppedUp,
    output: CreationOptions,
    errors: [EmailNotVerified],
    handler: Effect.fnUntraced(function* passkeyRegisterOptions() {
      const { session, user } = yield* CurrentSession
      yield* requireEstablishedAddress(user)
      const { id } = yield* relyingParty(settings)
      const { algorithms } = yield* WebAuthn
      const own = yield* passkeysOf(user.id)
      return Endpoint.reply({
        challenge: yield* issueChallenge("passkey-registration", session.id),
        rp: { id, name: settings.rp_name ?? (yield* Settings).branding.name },
        user: { id: handleOf(user.id), name: user.email, displayName: user.name ?? user.email },
        pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key" as const, alg })),
        timeout: lifetime * 1000,
        excludeCredentials: own.map(descriptorOf),
        authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
        attestation: "none",
      })
    }),
  })

export const registerVerify = (settings: PasskeySettings) =>
  Endpoint.make({
    method: "POST",
    path: "/passkey/register/verify",
    summary: "Registers the passkey that the browser created.",
    ...steppedUp,
    input: Schema.Struct({ response: RegistrationResponse, name: Schema.optionalKey(Name) }),
    output: Schema.Struct({ passkey: Passkey }),
    errors: [[InvalidPasskey, 400], EmailNotVerified, PasskeyExists],
    handler: Effect.fnUntraced(function* passkeyRegisterVerify({ response, name = null }) {
      const { session } = yield* CurrentSession
      const issuedChallenge = yield* take("passkey-registration", response.response.clientDataJSON)
      if (Option.isNone(issuedChallenge) || issuedChallenge.value.holder !== session.id) return yield* new InvalidPasskey()

      const { registered } = yield* WebAuthn
      const credential = yield* registered(response, issuedChallenge.value.challenge, yield* relyingParty(settings))
      if (Option.isNone(credential)) return yield* new InvalidPasskey()
      const transports = knownTransports.filter((transport) => response.response.transports?.includes(transport))
      return Endpoint.reply({ passkey: shown(yield* retryOnConflict(keep(credential.value, name, transports))) })
    }),
  })

/** The transports of WebAuthn section 5.8.4. Others that a client reports are dropped. */
const knownTransports = ["ble", "hybrid", "internal", "nfc", "smart-card", "usb"]

/** Stores a new passkey. The commit writes the user, so that concurrent requests cannot exceed the limit. */
const keep = Effect.fnUntraced(function* keep(credential: Credential, name: string | null, transports: ReadonlyArray<string>) {
  const { user } = yield* rereadSession
  yield* requireEstablishedAddress(user.row)
  const account_id = credential.credential_id
  if (Option.isSome(yield* find(Accounts, { provider_id, account_id }))) return yield* new PasskeyExists()
  const own = yield* passkeysOf(user.row.id)
  if (own.length >= maxPasskeys) return yield* new InvalidRequest({ message: `A user can have at most ${maxPasskeys} passkeys.` })
  yield* requireRoom((yield* accountsOf(user.row.id)).length)

  const account = yield* newAccount(user.row.id, { provider_id, account_id })
  const { id, user_id } = account
  const created_at = yield* DateTime.now
  const passkey: StoredPasskey = { id, user_id, name, created_at, last_used_at: null, added_by: null, transports, ...credential }
  const added = [update(Users, user, {}), insert(Accounts, account), insert(Passkeys, passkey)]
  yield* (yield* Store).commit([...added, ...(yield* notices(user.row, () => passkeyAdded))]).pipe(conflictIfTaken)
  return passkey
})
