import { Effect, Option, Schema } from "effect"
import { InvalidToken } from "../../../domain/errors.ts"
import { countMessage } from "../../../domain/limits/messages.ts"
import { link } from "../../../domain/mail/links.ts"
import { recipientAt, requestedMail } from "../../../domain/mail/writing.ts"
import { find, orFail, removeVersioned, retryOnConflict, Store } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"
import { flag, orElse, Seconds } from "../../../domain/settings.ts"
import { signInByVerifiedEmail } from "../../../domain/sign-in/verified-email.ts"
import { consumeProof } from "../../../domain/tokens/single-use.ts"
import { singleUseToken } from "../../../domain/tokens/single-use-token.ts"
import { isAdmitted, noneIfNotAdmitted } from "../../../domain/users/admission.ts"
import { Users } from "../../../domain/users/tables.ts"
import { User, verifiedOwner } from "../../../domain/users/user.ts"
import { Email } from "../../../domain/values/text.ts"
import * as Endpoint from "../../service/endpoint.ts"
import * as Module from "../../service/module.ts"
import { mails, signInMessage } from "./emails.ts"

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

const send = ({ expires_in, disable_signup }: Settings) =>
  Endpoint.make({
    method: "POST",
    path: "/magic-link/send",
    summary: "Mails a sign-in link, which replaces the previous one. The response is the same for an unknown address.",
    access: "public",
    input: Schema.Struct({ email: Email }),
    output: Endpoint.Success,
    handler: Effect.fnUntraced(function* magicLinkSend({ email }) {
      const user = yield* find(Users, { email })
      const owner = verifiedOwner(user)
      yield* countMessage({ channel: "mail", purpose: "magic_link", to: email, owner })
      const isAwaited = (yield* isAdmitted(email)) && !disable_signup
      const isUnknown = !isAwaited && Option.isNone(user)
      const { token, expires_at, write } = yield* tokens.issue({ email }, expires_in)
      const message = signInMessage(yield* link("magic_link", { token, email }), expires_in)
      const recipient = { ...recipientAt(email, user, expires_at), to: isUnknown ? null : email }
      yield* (yield* Store).commit([write, yield* requestedMail(recipient, message)]).pipe(Effect.orDie)
      return Endpoint.reply(Endpoint.succeeded)
    }),
  })

const verify = ({ disable_signup }: Settings) =>
  Endpoint.make({
    method: "POST",
    path: "/magic-link/verify",
    summary: "Signs in with the token of a mailed link, and signs up new users.",
    access: "public",
    signsIn: "single_factor",
    input: Schema.Struct({ token: Schema.String }),
    output: Schema.Struct({ user: User }),
    errors: [InvalidToken],
    handler: Effect.fnUntraced(function* magicLinkVerify({ token }) {
      const magicLink = yield* orFail(tokens.read(token), () => new InvalidToken())
      const { email } = magicLink.row
      const issued = yield* consumeProof(removeVersioned(MagicLinks, magicLink), new InvalidToken(), (removal) =>
        signInByVerifiedEmail(email, [removal], { name: null, disable_signup }).pipe(Effect.catchTags(noneIfNotAdmitted)),
      )
      return Endpoint.reply({ user: issued.user }, issued)
    }, retryOnConflict),
  })

/** Sign-in with a mailed link instead of a password. */
export const magicLink = Module.define({
  name: "magic_link",
  mails,
  texts: async (tag) => (await import(`./texts/${tag}.json`, { with: { type: "json" } })).default,
  settings: Settings,
  parts: (settings) => ({ tables: [MagicLinks], endpoints: [send(settings), verify(settings)] }),
})
