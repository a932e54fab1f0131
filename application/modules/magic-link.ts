import { Effect, Option, Schema } from "effect"
import { InvalidRequest, InvalidToken } from "../../domain/Errors.ts"
import { Email } from "../../domain/Text.ts"
import { User } from "../../domain/User.ts"
import * as Endpoint from "../Endpoint.ts"
import { Success, succeeded } from "../Endpoint.ts"
import { countMessage } from "../Limits.ts"
import { link } from "../Links.ts"
import * as Letters from "../letters.ts"
import { signInByMailbox } from "../Mailboxes.ts"
import { mailedToken, presented } from "../MailedTokens.ts"
import * as Module from "../Module.ts"
import { Outbox } from "../Outbox.ts"
import { decide, find, removeHeld, Store } from "../ports/Store.ts"
import { orElse, Seconds } from "../Settings.ts"
import { useUp } from "../SingleUse.ts"
import { MailedTokens, Users } from "../Tables.ts"

const Settings = Schema.Struct({
  /** Lifetime of a link, seconds. */
  expires_in: Seconds.pipe(orElse(600)),
  /** Whether only users who are there already get in. */
  disable_signup: Schema.Boolean.pipe(orElse(false)),
})
type Settings = typeof Settings.Type

/** The token stands for the address and belongs to no user: there may be none yet. */
const kind = "magic-link"

const send = ({ expires_in, disable_signup }: Settings) =>
  Endpoint.make({
    method: "POST",
    path: "/magic-link/send",
    summary: "Mails a link to sign in with; the answer is the same for an unknown address.",
    access: "public",
    input: Schema.Struct({ email: Email }),
    output: Success,
    errors: [InvalidRequest],
    handler: Effect.fn("magicLink.send")(function* ({ email }) {
      yield* countMessage("magic_link", email)
      const isStranger = disable_signup && Option.isNone(yield* find(Users, { email }))
      const { token, expires_at, write } = yield* mailedToken(kind, null, email, expires_in)
      const letter = signInLetter(yield* link("magic_link", { token, email }), expires_in)
      const mail = yield* (yield* Outbox).mail({ to: isStranger ? null : email, expiresAt: expires_at, ...letter })
      yield* (yield* Store).commit([write, mail]).pipe(Effect.orDie)
      return Endpoint.reply(succeeded)
    }),
  })

const signInLetter = (link: string, seconds: number) =>
  Letters.compose(undefined, (service) => ({
    subject: `Sign in to ${service}`,
    paragraphs: [
      `Somebody asked to sign in to ${service} with this address. If it was you, go on here:`,
      { label: "Sign in", link },
      `The link is valid for ${Letters.span(seconds)} and works once.`,
      "If it was not you, ignore this letter: without the link nobody gets in.",
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
        const held = yield* presented(kind, token)
        if (Option.isNone(held)) return yield* new InvalidToken()
        const { email } = held.value.row
        return yield* useUp(removeHeld(MailedTokens, held.value), new InvalidToken(), (removal) =>
          signInByMailbox(email, [removal], { name: null, disable_signup }),
        )
      })
      const issued = yield* decide(redemption)
      return Endpoint.reply({ user: issued.user }, issued)
    }),
  })

/** Sign-in without a password, by a link that is mailed. */
export const magicLink = Module.define({
  name: "magic_link",
  settings: Settings,
  parts: (settings) => ({ endpoints: { magicLinkSend: send(settings), magicLinkVerify: verify(settings) } }),
})
