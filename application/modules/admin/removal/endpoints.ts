import { Effect, Schema } from "effect"
import { Reason } from "../../../../domain/administration/reason.ts"
import { AccountNotFound, invalidMember, LastAccount } from "../../../../domain/errors.ts"
import { notices } from "../../../../domain/mail/notices.ts"
import { remove, update, type Versioned } from "../../../../domain/ports/store.ts"
import { revokeAll } from "../../../../domain/sessions/sessions.ts"
import { factorRemovals, isFactorKind, labelsOf } from "../../../../domain/sign-in/credentials.ts"
import { accountsOf, requireNoFactor, unlinkOneWrites } from "../../../../domain/sign-in/linked-accounts.ts"
import { Accounts, Users } from "../../../../domain/users/tables.ts"
import type { StoredUser } from "../../../../domain/users/user.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { ExpectedVersion } from "../../../service/versions.ts"
import type { AdminSettings } from "../administrators.ts"
import { notOneself } from "../oneself.ts"
import { changeUser, Shown, versionErrors } from "../versions.ts"
import { credentialsRemoved } from "./emails.ts"

// Administrators remove credentials of others only: of their own, the endpoints of the account ask for a proof of identity first.

const Target = {
  user_id: Schema.String,
  force: Schema.optionalKey(Schema.Boolean).pipe(
    Schema.annotateKey({ description: "Whether the last way to sign in can be removed. Default: false." }),
  ),
  ...ExpectedVersion,
}

const removeCredential = (settings: AdminSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/users/remove-credential",
    summary: "Removes the password, a passkey, a telephone number or another linked account of a user, whom a mail tells.",
    access: { permission: "users:credentials", within: true },
    input: Schema.Struct({
      credential_id: Schema.String.pipe(Schema.annotateKey({ description: "The `id` in `accounts` of `GET /admin/users/credentials`." })),
      ...Target,
    }),
    output: Shown,
    errors: [...versionErrors, AccountNotFound, LastAccount],
    takesReason: true,
    handler: Effect.fnUntraced(function* adminRemoveCredential({ credential_id, force = false, ...target }) {
      yield* notOneself(target.user_id)
      const writesOf = Effect.fnUntraced(function* removalWrites(user: Versioned<StoredUser>) {
        const account = (yield* accountsOf(user.row.id)).find(({ id }) => id === credential_id)
        if (account === undefined) return yield* new AccountNotFound()
        yield* requireNoFactor(user.row.id, [account.provider_id])
        const removed = yield* labelsOf([account])
        const mails = yield* notices(user.row, () => credentialsRemoved(removed))
        const writes = force ? [update(Users, user, {}), remove(Accounts, account.id)] : yield* unlinkOneWrites(user, account.id)
        return [...writes, ...mails]
      })
      return Endpoint.reply(yield* changeUser(settings, target, writesOf))
    }),
  })

const resetFactors = (settings: AdminSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/users/reset-factors",
    summary:
      "Removes the authenticator app, backup codes and passkeys of a user, or the factors of one kind, ends their sessions and tells them by mail.",
    access: { permission: "users:credentials", within: true },
    input: Schema.Struct({
      reason: Reason,
      kind: Schema.optionalKey(Schema.String).pipe(
        Schema.annotateKey({
          description: "A `kind` in `authenticators` of `GET /admin/users/credentials`, or `passkey`. Default: factors of all kinds.",
        }),
      ),
      ...Target,
    }),
    output: Shown,
    errors: [...versionErrors, LastAccount],
    takesReason: true,
    handler: Effect.fnUntraced(function* adminResetFactors({ reason: _, kind, force = false, ...target }) {
      yield* notOneself(target.user_id)
      if (kind !== undefined && !(yield* isFactorKind(kind)))
        return yield* invalidMember("kind", "Expected a kind of factor of this service")
      const writesOf = Effect.fnUntraced(function* resetWrites(user: Versioned<StoredUser>) {
        const { writes, removed, isLast } = yield* factorRemovals(user.row, kind)
        if (isLast && !force) return yield* new LastAccount()
        if (removed.length === 0) return [update(Users, user, {})]
        return [...writes, ...(yield* revokeAll(user)), ...(yield* notices(user.row, () => credentialsRemoved(removed)))]
      })
      return Endpoint.reply(yield* changeUser(settings, target, writesOf))
    }),
  })

/** The endpoints that remove credentials of users. */
export const removalEndpoints = (settings: AdminSettings) => [removeCredential(settings), resetFactors(settings)] as const
