import { Effect, Option, Schema } from "effect"
import { AddressNotAllowed, EmailTaken, Forbidden, InvalidOtp, InvalidToken } from "../../../domain/errors.ts"
import { codeOfFlow, flowCode, flowCodes, optionalFlow, redeemFlowCode } from "../../../domain/limits/flow-codes.ts"
import { countMessage } from "../../../domain/limits/messages.ts"
import { link } from "../../../domain/mail/links.ts"
import { recipientAt, requestedMail } from "../../../domain/mail/writing.ts"
import { find, orFail, remove, removeVersioned, retryOnConflict, Store, type Versioned, type Write } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"
import { CurrentSession } from "../../../domain/sessions/caller.ts"
import { current } from "../../../domain/sessions/sessions.ts"
import { flag, orElse, Seconds } from "../../../domain/settings.ts"
import { mailGuest, ownGuest, upgradeGuest } from "../../../domain/sign-in/guests.ts"
import { signInByVerifiedEmail } from "../../../domain/sign-in/verified-email.ts"
import { consumeProof } from "../../../domain/tokens/single-use.ts"
import { singleUseToken } from "../../../domain/tokens/single-use-token.ts"
import { isAdmitted, noneIfNotAdmitted } from "../../../domain/users/admission.ts"
import { Users } from "../../../domain/users/tables.ts"
import { User, verifiedOwner } from "../../../domain/users/user.ts"
import { Email } from "../../../domain/values/text.ts"
import * as Endpoint from "../../service/endpoint.ts"
import * as Module from "../../service/module.ts"
import { shownLink } from "../../service/shown-link.ts"
import { guestMessage, mails, signInMessage } from "./emails.ts"

const Settings = Schema.Struct({
  expires_in: Seconds.pipe(orElse(600, "Lifetime of a link in seconds.")),
  disable_signup: flag("With true, a link only signs in users who already exist."),
})
type Settings = typeof Settings.Type

/**
 * The unused magic links, one for each address, with or without a user. A new link replaces the previous one (ASVS 6.6.2), also under
 * concurrent requests.
 */
export const MagicLinks = Table.make(
  "magic_link",
  Schema.Struct({ email: Schema.String, hash: Schema.String, expires_at: Schema.DateTimeUtc }),
  { key: "email", unique: ["hash"], expires: "expires_at", data: { address: "email" } },
)

const tokens = singleUseToken(MagicLinks, { kind: "magic-link" })

/** The unused links of guests, one for each, with the address that it proves. */
export const GuestLinks = Table.make(
  "guest_link",
  Schema.Struct({ user_id: Schema.String, email: Schema.String, hash: Schema.String, expires_at: Schema.DateTimeUtc }),
  {
    key: "user_id",
    unique: ["hash"],
    references: { user_id: Users },
    expires: "expires_at",
    data: { personal: ["email"], secret: ["hash"], other: ["user_id", "expires_at"] },
  },
)

const guestTokens = singleUseToken(GuestLinks, { kind: "guest-link" })

/** The codes beside the links. The first one that is used removes the link of its address. */
const MagicLinkCodes = flowCodes("magic_link_code")

const send = ({ expires_in, disable_signup }: Settings) =>
  Endpoint.make({
    method: "POST",
    path: "/magic-link/send",
    summary: "Mails a sign-in link, which replaces the previous one. The response is the same for an unknown address.",
    access: "public",
    input: Schema.Struct({ email: Email, ...optionalFlow }),
    output: Endpoint.Success,
    handler: Effect.fnUntraced(function* magicLinkSend({ email, flow }) {
      const user = yield* find(Users, { email })
      const owner = verifiedOwner(user)
      yield* countMessage({ channel: "mail", purpose: "magic_link", to: email, owner })
      const isAwaited = (yield* isAdmitted(email)) && !disable_signup
      const isUnknown = !isAwaited && Option.isNone(user)
      const { token, expires_at, write } = yield* tokens.issue({ email }, expires_in)
      const made = flow === undefined ? undefined : yield* flowCode(MagicLinkCodes, { flow, email }, expires_at)
      const message = signInMessage(yield* link("magic_link", { token, email }), expires_in, made?.code)
      const recipient = { ...recipientAt(email, user, expires_at), to: isUnknown ? null : email }
      const codes = made === undefined ? [] : [made.write]
      yield* (yield* Store).commit([write, ...codes, yield* requestedMail(recipient, message)]).pipe(Effect.orDie)
      return Endpoint.reply(Endpoint.succeeded)
    }),
  })

const sendToGuest = ({ expires_in }: Settings) =>
  Endpoint.make({
    method: "POST",
    path: "/magic-link/send-to-guest",
    summary:
      "Mails a guest a link that proves an address. In the guest's browser, `POST /magic-link/verify` then makes the guest a full user with the same id. The response is the same for a taken address.",
    access: "session",
    input: Schema.Struct({ email: Email }),
    output: Endpoint.Success,
    errors: [Forbidden, AddressNotAllowed],
    handler: Effect.fnUntraced(function* magicLinkSendToGuest({ email }) {
      yield* mailGuest(
        email,
        "guest_link",
        Effect.fnUntraced(function* issueGuestLink({ id: user_id }) {
          const { token, ...issued } = yield* guestTokens.issue({ user_id, email }, expires_in)
          return { ...issued, message: guestMessage(yield* link("magic_link", { token, email }), expires_in) }
        }),
      )
      return Endpoint.reply(Endpoint.succeeded)
    }),
  })

/** Signs in the user of the address, or signs up a new one. */
const signedIn = (email: string, proof: ReadonlyArray<Write>, disable_signup: boolean) =>
  signInByVerifiedEmail(email, proof, { name: null, disable_signup }).pipe(Effect.catchTags(noneIfNotAdmitted))

const signedInBy = (magicLink: Versioned<Table.Row<typeof MagicLinks>>, disable_signup: boolean) =>
  consumeProof(removeVersioned(MagicLinks, magicLink), new InvalidToken(), (removal) =>
    signedIn(magicLink.row.email, [removal], disable_signup),
  )

const elsewhere = Effect.fail(new Forbidden({ message: "Open the link in the browser that requested it." }))

/**
 * Makes the guest of the session a full user. In any other browser the link does nothing, and stays valid: otherwise its reader would give
 * the guest of another person an address, or a person who opens a foreign link would give their own guest the address of a stranger.
 */
const upgradedBy = Effect.fnUntraced(function* upgradedByLink(token: string) {
  const guestLink = yield* orFail(guestTokens.read(token), () => new InvalidToken())
  const { email, user_id } = guestLink.row
  const own = Option.filter(yield* current, ({ user }) => user.id === user_id)
  if (Option.isNone(own)) return yield* elsewhere
  const guest = yield* ownGuest.pipe(
    Effect.provideService(CurrentSession, own.value),
    Effect.catchTag("unauthorized", () => elsewhere),
  )
  return yield* consumeProof(removeVersioned(GuestLinks, guestLink), new InvalidToken(), (removal) =>
    Effect.asSome(upgradeGuest(guest, email, [removal])),
  )
})

const addressOf = Effect.fnUntraced(function* addressOfLink(token: string) {
  const found = yield* tokens.read(token)
  const { row } = Option.isSome(found) ? found.value : yield* orFail(guestTokens.read(token), () => new InvalidToken())
  return row.email
})

const show = shownLink("/magic-link/show", "The address to which a link was mailed. The token stays valid.", addressOf)

const verify = ({ disable_signup }: Settings) =>
  Endpoint.make({
    method: "POST",
    path: "/magic-link/verify",
    summary: "Signs in with the token of a mailed link, and signs up new users. A guest's link makes that guest a full user.",
    access: "public",
    signsIn: "single_factor",
    input: Schema.Struct({ token: Schema.String }),
    output: Schema.Struct({ user: User }),
    errors: [InvalidToken, Forbidden, EmailTaken, AddressNotAllowed],
    handler: Effect.fnUntraced(function* magicLinkVerify({ token }) {
      const found = yield* tokens.read(token)
      const issued = yield* Option.isSome(found) ? signedInBy(found.value, disable_signup) : upgradedBy(token)
      return Endpoint.reply({ user: issued.user }, issued)
    }, retryOnConflict),
  })

const verifyCode = ({ disable_signup }: Settings) =>
  Endpoint.make({
    method: "POST",
    path: "/magic-link/verify-code",
    summary: "Signs in with the code beside a mailed link that was requested with the same `flow`, and signs up new users.",
    access: "public",
    signsIn: "single_factor",
    methods: ["otp"],
    input: Schema.Struct({ email: Email, ...codeOfFlow }),
    output: Schema.Struct({ user: User }),
    errors: [InvalidOtp],
    handler: Effect.fnUntraced(function* magicLinkVerifyCode({ email, flow, code }) {
      const redeemed = redeemFlowCode(MagicLinkCodes, { flow, email }, code)
      const issued = yield* redeemed((proof) => signedIn(email, [proof, remove(MagicLinks, email)], disable_signup))
      return Endpoint.reply({ user: issued.user }, issued)
    }),
  })

/** Sign-in with a mailed link instead of a password. */
export const magicLink = Module.define({
  name: "magic_link",
  mails,
  texts: async (tag) => (await import(`./texts/${tag}.json`, { with: { type: "json" } })).default,
  settings: Settings,
  parts: (settings) => ({
    tables: [MagicLinks, MagicLinkCodes, GuestLinks],
    endpoints: [send(settings), sendToGuest(settings), show, verify(settings), verifyCode(settings)],
  }),
})
