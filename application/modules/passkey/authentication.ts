import { DateTime, Effect, Option, Schema } from "effect"
import { find, orFail, retryOnConflict, Store, update } from "../../../domain/ports/store.ts"
import { type RelyingParty, WebAuthn } from "../../../domain/ports/web-authn.ts"
import * as BrowserBinding from "../../../domain/sessions/browser-binding.ts"
import { noteUser } from "../../../domain/sessions/subject.ts"
import { signInUser } from "../../../domain/sign-in/linked-accounts.ts"
import * as StepUp from "../../../domain/sign-in/step-up.ts"
import { Users } from "../../../domain/users/tables.ts"
import { User, unknownUserId } from "../../../domain/users/user.ts"
import { Email } from "../../../domain/values/text.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { issueChallenge, lifetime, take } from "./challenges.ts"
import { decoysOf } from "./decoys.ts"
import { InvalidPasskey } from "./errors.ts"
import { type PasskeySettings, relyingParty } from "./settings.ts"
import { descriptorOf, handleOf, Passkeys, passkeysOf, type StoredPasskey } from "./table.ts"
import { AuthenticationResponse, RequestOptions } from "./wire.ts"

const browser = BrowserBinding.make("passkey_flow", lifetime)

/**
 * An email address, or null. This endpoint declares no error for an invalid address: a malformed address is treated as one without a user,
 * and a value that is not a string as omitted.
 */
const Address = Schema.optionalKey(Schema.NullOr(Schema.String)).pipe(Schema.catchDecoding(() => Effect.succeedSome(null)))

export const authenticateOptions = (settings: PasskeySettings) =>
  Endpoint.make({
    method: "POST",
    path: "/passkey/authenticate/options",
    summary: "The options for `navigator.credentials.get`: for any passkey of this site, or for those of the user with an address.",
    access: "public",
    input: Schema.Struct({ email: Address }),
    output: RequestOptions,
    handler: Effect.fnUntraced(function* passkeyAuthenticateOptions({ email: typed = null }) {
      const email = typed === null ? null : addressOf(typed)
      const { hash, cookie } = yield* browser.bind
      const { id } = yield* relyingParty(settings)
      const options = {
        challenge: yield* issueChallenge("passkey-authentication", hash, email),
        rpId: id,
        timeout: lifetime * 1000,
        allowCredentials: email === null ? [] : yield* offered(email),
        userVerification: "required",
      } as const
      return { ...Endpoint.reply(options), cookies: [cookie] }
    }),
  })

/** The address in normalised form. A malformed address is shortened and cleaned, so that it can be stored. */
const addressOf = (typed: string) =>
  Option.getOrElse(Schema.decodeUnknownOption(Email)(typed), () => typed.slice(0, 320).toWellFormed().replaceAll("\0", ""))

/**
 * The passkeys of an address, or decoys if it has none. Both take equally long, so that the response does not reveal whether the address
 * has a user.
 */
const offered = Effect.fnUntraced(function* offered(email: string) {
  const user = yield* find(Users, { email })
  const own = yield* passkeysOf(Option.match(user, { onNone: () => unknownUserId, onSome: ({ id }) => id }))
  const decoys = yield* decoysOf(email)
  return own.length === 0 ? decoys : own.map(descriptorOf)
})

/**
 * The endpoint that signs in with a passkey. Failures are not counted: signatures cannot be guessed, and with a budget an attacker could
 * lock other users out.
 */
export const authenticateVerify = (settings: PasskeySettings) =>
  Endpoint.make({
    method: "POST",
    path: "/passkey/authenticate/verify",
    summary: "Signs in with a passkey.",
    access: "public",
    signsIn: "multi_factor",
    methods: ["pop"],
    input: Schema.Struct({ response: AuthenticationResponse }),
    output: Schema.Struct({ user: User }),
    errors: [InvalidPasskey],
    handler: Effect.fnUntraced(function* passkeyAuthenticateVerify({ response }) {
      const issuedChallenge = yield* takeChallenge(response)
      const issued = yield* retryOnConflict(signIn(response, issuedChallenge, yield* relyingParty(settings)))
      return Endpoint.reply({ user: issued.user }, issued)
    }),
  })

/** The challenge of a response, if it was issued to this browser. Consumes the challenge, so run it once. */
const takeChallenge = Effect.fnUntraced(function* takeChallenge(response: AuthenticationResponse) {
  const issuedChallenge = yield* take("passkey-authentication", response.response.clientDataJSON)
  if (Option.isNone(issuedChallenge) || !(yield* browser.isSame(issuedChallenge.value.holder))) return yield* new InvalidPasskey()
  return issuedChallenge.value
})

interface IssuedChallenge {
  readonly challenge: string
  readonly email: string | null
}

/** The user of the passkey that made the response, and the write that stores its new counter. */
const asserted = Effect.fnUntraced(function* asserted(
  response: AuthenticationResponse,
  { challenge, email }: IssuedChallenge,
  party: RelyingParty,
) {
  const rows = yield* (yield* Store).readWithReferenced(Passkeys, { credential_id: response.id }, "user_id")
  if (Option.isNone(rows)) return yield* new InvalidPasskey()
  const [passkey, user] = rows.value
  yield* noteUser(user.row.id)
  if (!isTheirs(response, passkey.row, user.row, email)) return yield* new InvalidPasskey()

  const used = yield* orFail((yield* WebAuthn).asserted(response, challenge, party, passkey.row), () => new InvalidPasskey())
  return { user, write: update(Passkeys, passkey, { ...used, last_used_at: yield* DateTime.now }) }
})

/** Of two concurrent responses with the same counter, one is committed; the other is checked again and refused. */
const signIn = Effect.fnUntraced(function* signIn(response: AuthenticationResponse, issuedChallenge: IssuedChallenge, party: RelyingParty) {
  const { user, write } = yield* asserted(response, issuedChallenge, party)
  // This endpoint declares no code for an unverified address.
  return yield* orFail(signInUser(user, [write]), () => new InvalidPasskey())
})

/** A step-up with one of the user's passkeys. User verification is required, so a passkey alone is multi-factor. */
export const stepUp = (settings: PasskeySettings) =>
  StepUp.make({
    input: AuthenticationResponse,
    errors: [InvalidPasskey],
    multi_factor: true,
    methods: ["pop"],
    prove: Effect.fnUntraced(function* prove({ id }, response, renew) {
      const issuedChallenge = yield* takeChallenge(response)
      const party = yield* relyingParty(settings)
      const proof = Effect.gen(function* () {
        const { user, write } = yield* asserted(response, issuedChallenge, party)
        return user.row.id === id ? yield* renew([write]) : yield* new InvalidPasskey()
      })
      return yield* retryOnConflict(proof)
    }),
  })

/** Whether the passkey belongs to the user of the requested address or, without one, to the user of the handle (WebAuthn section 7.2, steps 5 and 6). */
const isTheirs = (
  { response: { userHandle } }: AuthenticationResponse,
  { added_by, user_id }: StoredPasskey,
  user: User,
  email: string | null,
) => {
  if (userHandle !== undefined && userHandle !== null && userHandle !== handleOf(added_by ?? user_id)) return false
  return email === null ? typeof userHandle === "string" : email === user.email
}
