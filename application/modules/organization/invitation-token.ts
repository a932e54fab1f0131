import { Effect } from "effect"
import { link } from "../../../domain/mail/links.ts"
import type { StoredInvitation } from "../../../domain/organizations/tables.ts"
import { randomToken, tokenHash } from "../../../domain/tokens/keys.ts"

// The token in the mail of an invitation proves the mailbox: unlike the id, no endpoint returns it.

const hashOf = (token: string) => tokenHash("invitation", token)

/** A new token, which replaces that of an earlier mail. */
export const newInvitationToken = Effect.gen(function* newInvitationToken() {
  const token = yield* randomToken
  return { token, token_hash: yield* hashOf(token) }
})

/** Whether this is the token in the newest mail of the invitation. */
export const isMailed = (invitation: StoredInvitation, token: string) => Effect.map(hashOf(token), (hash) => hash === invitation.token_hash)

/** The link of the mail. */
export const invitationLink = ({ id, email }: Pick<StoredInvitation, "id" | "email">, token: string, slug: string) =>
  link("invitation", { invitation_id: id, token, email, organization: slug })
