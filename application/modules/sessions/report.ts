import { DateTime, Effect, Option, Schema } from "effect"
import { InvalidToken } from "../../../domain/errors.ts"
import { mail } from "../../../domain/mail/writing.ts"
import { orFail, put, removeAll, removeVersioned, retryOnConflict, Store } from "../../../domain/ports/store.ts"
import { revokeAll } from "../../../domain/sessions/sessions.ts"
import { noteUser } from "../../../domain/sessions/subject.ts"
import { Settings } from "../../../domain/settings.ts"
import { disabledPasswordWrites } from "../../../domain/sign-in/password-change.ts"
import { credentialOf } from "../../../domain/sign-in/passwords.ts"
import { resetLinkWrites } from "../../../domain/sign-in/reset-link.ts"
import { MailedTokens } from "../../../domain/users/tables.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { shownLink } from "../../service/shown-link.ts"
import { alertTokens, BrowserHistories, SignInAlerts } from "./tables.ts"

const openAlert = (token: string) => orFail(alertTokens.readWithReferenced(token, "user_id"), () => new InvalidToken())

export const showReport = shownLink(
  "/report-sign-in/show",
  "The address to which the mail about a sign-in was sent. The token stays valid.",
  (token) => Effect.map(openAlert(token), ([alert]) => alert.row.email),
)

export const reportSignIn = Endpoint.make({
  method: "POST",
  path: "/report-sign-in",
  summary:
    "Reports a sign-in with the token of the mail about it: ends all of the user's sessions and the password, and mails a link to set a new one. Factors and linked accounts stay.",
  access: "public",
  input: Schema.Struct({ token: Schema.String }),
  output: Schema.Struct({
    reset_sent: Schema.Boolean.pipe(
      Schema.annotateKey({ description: "False for a user without a password, or if the address of the account has changed since." }),
    ),
  }),
  errors: [InvalidToken],
  handler: Effect.fnUntraced(function* reportSignIn({ token }) {
    const [alert, user] = yield* openAlert(token)
    const { id: user_id, email } = user.row
    yield* noteUser(user_id)
    const account = yield* credentialOf(user_id)
    // Also ends a change of address that the attacker has requested.
    const disabled = Option.isSome(account)
      ? yield* disabledPasswordWrites(user.row, account.value)
      : [removeAll(MailedTokens, { user_id })]
    const reset_sent = Option.isSome(account) && alert.row.email === email && (yield* Settings).email_password.enabled
    const reset = reset_sent ? yield* resetLinkWrites(email, Option.some(user.row), mail) : []
    yield* (yield* Store).commit([
      removeVersioned(SignInAlerts, alert),
      removeAll(SignInAlerts, { user_id }),
      put(BrowserHistories, { user_id, reported_at: yield* DateTime.now }),
      ...disabled,
      ...(yield* revokeAll(user)),
      ...reset,
    ])
    return Endpoint.reply({ reset_sent })
  }, retryOnConflict),
})
