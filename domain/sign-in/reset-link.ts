import { Effect, Option } from "effect"
import * as Emails from "../mail/emails.ts"
import { link } from "../mail/links.ts"
import { mailedToken, resetKinds } from "../mail/mailed-tokens.ts"
import { recipientAt, type WriteMail } from "../mail/writing.ts"
import { type StoredUser, unknownUserId } from "../users/user.ts"
import { otherCredentialLabels } from "./credentials.ts"
import { credentialOf } from "./passwords.ts"
import { isReclaimable } from "./verified-email.ts"

/** The writes that mail a link to set a new password; a mail for an unknown address is stored and discarded. */
export const resetLinkWrites = Effect.fnUntraced(function* resetLinkWrites<R>(
  email: string,
  owner: Option.Option<StoredUser>,
  writeMail: WriteMail<R>,
) {
  const user = Option.getOrNull(owner)
  // Unknown addresses cause the same reads, so that the response time does not reveal them.
  const id = user?.id ?? unknownUserId
  const others = yield* otherCredentialLabels(id)
  const kind = Option.isSome(yield* credentialOf(id)) ? resetKinds.replacing : resetKinds.creating

  const { token, expires_at, write } = yield* mailedToken(kind, user, email)
  const removesOthers = user !== null && (yield* isReclaimable(user))
  const message = Emails.resetPassword({ link: yield* link("reset_password", { token, email }), others, removesOthers })
  const recipient = { ...recipientAt(email, owner, expires_at), to: user === null ? null : email }
  return [write, yield* writeMail(recipient, message)]
})
