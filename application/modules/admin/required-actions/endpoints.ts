import { Effect, Option, Schema } from "effect"
import { InvalidRequest, InvalidToken, invalidMember, PasswordTooLong, PasswordTooShort } from "../../../../domain/errors.ts"
import { PasswordHasher } from "../../../../domain/ports/password-hasher.ts"
import { find, insert, remove, retryOnConflict, update, type Versioned } from "../../../../domain/ports/store.ts"
import { revokeAll } from "../../../../domain/sessions/sessions.ts"
import * as Challenges from "../../../../domain/sign-in/challenges.ts"
import { resumeWith } from "../../../../domain/sign-in/issuing.ts"
import { passwordWrites } from "../../../../domain/sign-in/password-change.ts"
import { checkNewPassword, checkPasswordRules, credentialOf } from "../../../../domain/sign-in/passwords.ts"
import { Users } from "../../../../domain/users/tables.ts"
import { type StoredUser, User } from "../../../../domain/users/user.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { ExpectedVersion } from "../../../service/versions.ts"
import type { AdminSettings } from "../administrators.ts"
import { changeUser, Shown, versionErrors } from "../versions.ts"
import { actions, canAsk, keyOf, RequiredActionName, RequiredActions, requiredOf, requiredRow } from "./table.ts"

export const actionsAreOff = () =>
  new InvalidRequest({ message: "This service requires no actions: modules.admin.required_actions is off." })

const requireActions = (settings: AdminSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/users/require",
    summary: "Sets what a user has to do at the next sign-in before it gets a session; an empty list ends it. Present sessions stay.",
    access: { permission: "users:credentials", within: true },
    input: Schema.Struct({
      user_id: Schema.String,
      actions: Schema.Array(RequiredActionName).check(Schema.isMaxLength(actions.length)),
      ...ExpectedVersion,
    }),
    output: Shown,
    errors: versionErrors,
    handler: Effect.fnUntraced(function* adminRequireActions({ actions: wanted, ...target }) {
      if (!settings.required_actions) return yield* actionsAreOff()
      for (const action of wanted)
        if (!(yield* canAsk(action))) return yield* invalidMember("actions", `This service cannot ask for ${action}`)
      const writesOf = Effect.fnUntraced(function* requirementWrites(user: Versioned<StoredUser>) {
        const { id } = user.row
        const present = yield* requiredOf(id)
        const added = actions.filter((action) => wanted.includes(action) && !present.includes(action))
        const removed = present.filter((action) => !wanted.includes(action))
        const rows = yield* Effect.forEach(added, (action) => requiredRow(id, action))
        return [
          update(Users, user, {}),
          ...removed.map((action) => remove(RequiredActions, keyOf(id, action))),
          ...rows.map((row) => insert(RequiredActions, row)),
        ]
      })
      return Endpoint.reply(yield* changeUser(settings, target, writesOf))
    }),
  })

/** Fails if the new password is the one that is to be replaced. */
const mustDiffer = Effect.fnUntraced(function* mustDiffer(password: string, hash: string | null) {
  if (hash !== null && (yield* (yield* PasswordHasher).verify(password, hash)).correct)
    return yield* new InvalidRequest({ reason: "same_password", message: "This is the present password. Choose another." })
})

const changePassword = Endpoint.make({
  method: "POST",
  path: "/required-actions/change-password",
  summary: "Replaces the password during a sign-in that requires it, ends the user's other sessions, and continues the sign-in.",
  access: "public",
  signsIn: "challenge",
  input: Schema.Struct({ challenge_token: Schema.String, new_password: Schema.String }),
  output: Schema.Struct({ user: User }),
  errors: [InvalidToken, PasswordTooShort, PasswordTooLong],
  handler: Effect.fnUntraced(function* requiredPasswordChange({ challenge_token, new_password }) {
    const pending = yield* Challenges.pendingSignIn(challenge_token)
    const { user } = pending
    if (Option.isNone(yield* find(RequiredActions, { id: keyOf(user.row.id, "change_password") }))) return yield* new InvalidToken()
    const accepted = yield* checkNewPassword(new_password)
    yield* checkPasswordRules(accepted, user.row)
    const account = yield* credentialOf(user.row.id)
    yield* mustDiffer(accepted, Option.match(account, { onNone: () => null, onSome: ({ row }) => row.password_hash }))
    const writes = [...(yield* revokeAll(user)), ...(yield* passwordWrites(user.row, account, accepted))]
    const issued = yield* resumeWith(pending, writes, pending.pending.row.authentication)
    return Endpoint.reply({ user: issued.user }, issued)
  }, retryOnConflict),
})

export const requiredActionEndpoints = (settings: AdminSettings) => [requireActions(settings), changePassword] as const
