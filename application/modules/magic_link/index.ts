import { DateTime, Effect, Option, Schema } from "effect"
import { InvalidRequest, InvalidToken } from "../../../domain/errors.ts"
import { countMessage } from "../../../domain/limits/limits.ts"
import * as Emails from "../../../domain/mail/emails.ts"
import { link } from "../../../domain/mail/links.ts"
import { Outbox } from "../../../domain/mail/outbox.ts"
import { find, put, removeVersioned, retryOnConflict, Store } from "../../../domain/ports/store.ts"
import { orElse, Seconds } from "../../../domain/settings.ts"
import { signInByVerifiedEmail } from "../../../domain/sign-in/verified-email.ts"
import * as Table from "../../../domain/storage/table.ts"
import { Users } from "../../../domain/storage/tables.ts"
import { randomToken, tokenHash } from "../../../domain/tokens/keys.ts"
import { useUp } from "../../../domain/tokens/single-use.ts"
import { User } from "../../../domain/users/user.ts"
import { Email } from "../../../domain/values/text.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { Success, succeeded } from "../../service/endpoint.ts"
import * as Module from "../../service/module.ts"

const Settings = Schema.Struct({
  /** Lifetime of a link, seconds. */
  expires_in: Seconds.pipe(orElse(600)),
  /** Whether only users who are there already get in. */
  disable_signup: Schema.Boolean.pipe(orElse(false)),
})
type Settings = typeof Settings.Type

const kind = "magic-link"

/** Keyed by the address, which may have no user yet: a new link replaces the one before (ASVS 6.6.2), also of two requested at once. */
export const MagicLinks = Table.make(
  "magic_link",
  Schema.Struct({ email: Schema.String, hash: Schema.String, expires_at: Schema.DateTimeUtc }),
  { key: "email", unique: ["hash"], expires: "expires_at" },
)

const newLink = Effect.fnUntraced(function* newLink(email: string, seconds: number) {
  const token = yield* randomToken
  const expires_at = DateTime.add(yield* DateTime.now, { seconds })
  return { token, expires_at, write: put(MagicLinks, { email, hash: yield* tokenHash(kind, token), expires_at }) }
})

/** The stored row of a presented token while it is valid. */
const presented = Effect.fnUntraced(function* presented(token: string) {
  const held = yield* (yield* Store).read(MagicLinks, { hash: yield* tokenHash(kind, token) })
  const now = yield* DateTime.now
  return Option.filter(held, ({ row }) => DateTime.isLessThan(now, row.expires_at))
})

const send = ({ expires_in, disable_signup }: Settings) =>
  Endpoint.make({
    method: "POST",
    path: "/magic-link/send",
    summary: "Mails a link to sign in with, which replaces the one before; the answer is the same for an unknown address.",
    access: "public",
    input: Schema.Struct({ email: Email }),
    output: Success,
    errors: [InvalidRequest],
    handler: Effect.fn("magicLink.send")(function* ({ email }) {
      yield* countMessage("magic_link", email)
      const isStranger = disable_signup && Option.isNone(yield* find(Users, { email }))
      const { token, expires_at, write } = yield* newLink(email, expires_in)
      const message = signInMessage(yield* link("magic_link", { token, email }), expires_in)
      const mail = yield* (yield* Outbox).mail({ to: isStranger ? null : email, expiresAt: expires_at, ...message })
      yield* (yield* Store).commit([write, mail]).pipe(Effect.orDie)
      return Endpoint.reply(succeeded)
    }),
  })

const signInMessage = (link: string, seconds: number) =>
  Emails.compose(undefined, (service) => ({
    subject: `Sign in to ${service}`,
    paragraphs: [
      `We received a request to sign in to ${service} with this address. If you made it, continue here:`,
      { label: "Sign in", link },
      `The link is valid for ${Emails.span(seconds)} and works once.`,
      "A newer link replaces it. If you did not make this request, ignore this message: the link is needed to sign in.",
    ],
  }))

const verify = ({ disable_signup }: Settings) =>
  Endpoint.make({
    method: "POST",
    path: "/magic-link/verify",
    summary: "Signs in with the token of a mailed link; whoever is new is signed up.",
    access: "public",
    signsIn: "single_factor",
    input: Schema.Struct({ token: Schema.String }),
    output: Schema.Struct({ user: User }),
    errors: [InvalidRequest, InvalidToken],
    handler: Effect.fn("magicLink.verify")(function* ({ token }) {
      const redemption = Effect.gen(function* () {
        const held = yield* presented(token)
        if (Option.isNone(held)) return yield* new InvalidToken()
        const { email } = held.value.row
        return yield* useUp(removeVersioned(MagicLinks, held.value), new InvalidToken(), (removal) =>
          signInByVerifiedEmail(email, [removal], { name: null, disable_signup }),
        )
      })
      const issued = yield* retryOnConflict(redemption)
      return Endpoint.reply({ user: issued.user }, issued)
    }),
  })

/** Sign-in without a password, by a link that is mailed. */
export const magicLink = Module.define({
  name: "magic_link",
  settings: Settings,
  parts: (settings) => ({ tables: [MagicLinks], endpoints: { magicLinkSend: send(settings), magicLinkVerify: verify(settings) } }),
})
