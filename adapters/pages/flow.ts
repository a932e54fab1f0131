import { Schema } from "effect"
import * as SignedCookie from "../../domain/sessions/signed-cookie.ts"
import { sentMethods } from "./sign-in/sent-methods.ts"

const Text = Schema.String
const SentBy = Schema.Literals(sentMethods)
const authenticatorApp = { secret: Text, totp_uri: Text, backup_codes: Schema.Array(Text) }

/** What a browser has begun and not completed. It is stored in an encrypted cookie, so that no URL contains it. */
export const Flow = Schema.Struct({
  /** A secret of this browser. The tokens of forms are made with it, so that no other site can forge them. A sign-in replaces it. */
  browser: Text,
  /** The same before the last sign-in: a form with such a token gets the response that it has had, and no other. */
  former: Schema.optionalKey(Text),
  /** The language that the visitor chose. */
  locale: Schema.optionalKey(Text),
  /** The target of the redirect after the sign-in. */
  return_to: Schema.optionalKey(Text),
  /** Whether a passkey is offered before the target. */
  passkey_offer: Schema.optionalKey(Schema.Literal(true)),
  /** The address, user name or phone number that was entered. */
  identifier: Schema.optionalKey(Text),
  /** The way in which this browser signs in, until the sign-in is complete. */
  method: Schema.optionalKey(Text),
  /** The pending sign-in, while a challenge is open. */
  challenge: Schema.optionalKey(
    Schema.Struct({
      kind: Schema.Literals(["two_factor", "enrolment", "new_password", "unknown"]),
      token: Text,
      methods: Schema.Array(Text),
      /** The name that was entered for the sign-in. */
      account: Schema.optionalKey(Text),
      /** Where sent codes would go, masked; without the methods whose codes do not count. */
      recipients: Schema.optionalKey(Schema.Struct({ email: Schema.optionalKey(Text), sms: Schema.optionalKey(Text) })),
      /** How the last code was sent. */
      sent_by: Schema.optionalKey(SentBy),
      /** For how many days the answer can have the browser remembered. */
      remember_days: Schema.optionalKey(Schema.Int),
    }),
  ),
  /** The last message that was sent: its purpose, and when a further one can be requested (seconds since 1970). */
  sent: Schema.optionalKey(
    Schema.Struct({
      purpose: Schema.Literals(["email_code", "phone_code", "magic_link", "verify", "reset", "step_up", "change_email", "link_phone"]),
      to: Text,
      again_at: Schema.Number,
      /** The secret with which a code beside a link counts. */
      secret: Schema.optionalKey(Text),
    }),
  ),
  /** The client of the last request that a page showed, and its site. */
  client: Schema.optionalKey(Schema.Struct({ request_uri: Text, name: Text, site: Text })),
  /** The token of a mailed link, which is removed from the URL of the page. */
  token: Schema.optionalKey(Schema.Struct({ purpose: Schema.Literals(["magic_link", "verify", "reset", "report_sign_in"]), value: Text })),
  /** The id of an invitation, which survives signing up. */
  invitation: Schema.optionalKey(Text),
  /** The token of its mail. */
  invitation_token: Schema.optionalKey(Text),
  /** An authenticator app that a sign-in requires, before its first code. */
  enrolment: Schema.optionalKey(Schema.Struct(authenticatorApp)),
  /** The user to whom a code was sent in the account or for a step-up. */
  sent_code: Schema.optionalKey(Schema.Struct({ user_id: Text, method: SentBy })),
  /** An authenticator app that a user sets up in the account, before its first code. */
  authenticator: Schema.optionalKey(Schema.Struct({ user_id: Text, ...authenticatorApp })),
  /** New recovery codes, until their owner has saved them. */
  recovery_codes: Schema.optionalKey(Schema.Struct({ user_id: Text, codes: Schema.Array(Text) })),
  /** A new secret in the console, until the administrator leaves the page that shows it. */
  console_secret: Schema.optionalKey(Schema.Struct({ user_id: Text, path: Text, value: Text })),
  /** A reason that was entered in the console, while its author proves their identity again. */
  console_reason: Schema.optionalKey(Schema.Struct({ user_id: Text, page: Text, value: Text })),
  /** The key of a text to show once on the next page. */
  notice: Schema.optionalKey(Text),
  /** The key of a text that says why the visitor was sent to the page. */
  problem: Schema.optionalKey(Text),
})
export type Flow = typeof Flow.Type

/** Seconds. */
const maxAge = 86_400

/** The cookie of the flow. */
export const flowCookie = SignedCookie.hostBound("flow", (name) => SignedCookie.makeSealed(name, Flow, maxAge))
