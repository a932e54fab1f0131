import { Schema } from "effect"
import * as Table from "../../../domain/ports/table.ts"
import { singleUseToken } from "../../../domain/tokens/single-use-token.ts"
import { Users } from "../../../domain/users/tables.ts"

const BrowserHistory = Schema.Struct({
  user_id: Schema.String,
  /** When the user last reported a sign-in: browsers known before count as new. */
  reported_at: Schema.NullOr(Schema.DateTimeUtc),
})

/** A row for each user who has had a session. Sessions expire, so they do not tell a first sign-in from a later one. */
export const BrowserHistories = Table.make("browser_history", BrowserHistory, {
  key: "user_id",
  references: { user_id: Users },
  data: { personal: ["reported_at"], other: ["user_id"] },
})

const SignInAlert = Schema.Struct({
  hash: Schema.String,
  user_id: Schema.String,
  /** The address to which the link was mailed. */
  email: Schema.String,
  expires_at: Schema.DateTimeUtc,
})

/** The tokens in mails about new browsers. A new password does not invalidate them: the attacker may have set it. */
export const SignInAlerts = Table.make("sign_in_alert", SignInAlert, {
  key: "hash",
  references: { user_id: Users },
  expires: "expires_at",
  data: { personal: ["email", "expires_at"], secret: ["hash"], other: ["user_id"] },
})

export const alertTokens = singleUseToken(SignInAlerts, { kind: "sign_in_alert" })
