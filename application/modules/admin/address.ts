import { DateTime, Effect, Option, Schema } from "effect"
import { ofPrincipal } from "../../../domain/administration/principal.ts"
import { AddressNotAllowed, EmailNotVerified, EmailTaken } from "../../../domain/errors.ts"
import { find, update, type Versioned } from "../../../domain/ports/store.ts"
import { addressChangeWrites } from "../../../domain/sign-in/address-change.ts"
import { refuseGuest } from "../../../domain/sign-in/verification.ts"
import { revokeUnverifiedCredentials } from "../../../domain/sign-in/verified-email.ts"
import { requireAllowed } from "../../../domain/users/address-rules.ts"
import { Users } from "../../../domain/users/tables.ts"
import { changedAddressColumns, noticeAddresses, type StoredUser, verifiedNewAddressColumns } from "../../../domain/users/user.ts"
import { Email } from "../../../domain/values/text.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { ExpectedVersion } from "../../service/versions.ts"
import type { AdminSettings } from "./administrators.ts"
import { changeUser, Shown, versionErrors } from "./versions.ts"

export const setEmail = (settings: AdminSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/users/set-email",
    summary: "Gives a user another address, and tells the former and the new one.",
    access: { permission: "users:credentials", within: true },
    input: Schema.Struct({
      user_id: Schema.String,
      email: Email,
      email_verified: Schema.optionalKey(Schema.Boolean).pipe(
        Schema.annotateKey({ description: "Whether the administrator knows that the mailbox is the user's. Default: false." }),
      ),
      ...ExpectedVersion,
    }),
    output: Shown,
    errors: [...versionErrors, EmailTaken, AddressNotAllowed, EmailNotVerified],
    takesReason: true,
    handler: Effect.fnUntraced(function* adminSetEmail({ email, email_verified = false, ...target }) {
      yield* requireAllowed(email)
      const writesOf = Effect.fnUntraced(function* addressWrites(user: Versioned<StoredUser>) {
        yield* refuseGuest(user.row)
        if (email === user.row.email) return [update(Users, user, {})]
        const now = yield* DateTime.now
        const changes = email_verified ? verifiedNewAddressColumns(email, now) : changedAddressColumns(user.row, email, now)
        // The address alone can make the user an administrator. Callers learn of no address that they could not give whether it is taken.
        const unchanged = yield* ofPrincipal({ ...user.row, ...changes, email_verified: true })
        if (Option.isSome(yield* find(Users, { email }))) return yield* new EmailTaken()
        const removals = email_verified ? yield* revokeUnverifiedCredentials(user.row, email) : []
        const told = [...new Set([...noticeAddresses(user.row), email])]
        return [...unchanged, ...removals, ...(yield* addressChangeWrites(user, changes, told))]
      })
      return Endpoint.reply(yield* changeUser(settings, target, writesOf))
    }),
  })
