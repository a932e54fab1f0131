import { Effect, Schema, Struct } from "effect"
import type { Permission } from "../../../../domain/administration/permissions.ts"
import { ofPrincipal } from "../../../../domain/administration/principal.ts"
import type { AuthError } from "../../../../domain/errors.ts"
import { administrator, Role as RoleName } from "../../../../domain/users/admin-metadata.ts"
import type { AdminSettings } from "../administrators.ts"
import { sendResetTo, sendVerificationTo } from "../credentials.ts"
import { notOneself } from "../oneself.ts"
import { keepingOwner } from "../owners.ts"
import { knownRole } from "../roles.ts"
import { checkSuspension, Suspension, suspendUser } from "../suspension/endpoints.ts"
import * as Users from "../users.ts"

type Members = Readonly<Record<string, Schema.Codec<any, any>>>

/** What a job can do to each of its users. */
export interface Operation<Name extends string, out R> {
  readonly name: Name
  /** What its administrator needs beside `jobs:run`. */
  readonly permission: Permission
  /** The members of `input`. No two operations have one of the same name and another encoded type. */
  readonly input: Schema.Struct<Members>
  /** Further conditions of the input, before the job starts. */
  readonly check: (input: any) => Effect.Effect<void, AuthError<"invalid_request">>
  /** The most users of one commit. */
  readonly together: number
  /** Whether it goes on with the only user of the job until it has nothing left to commit. */
  readonly isRepeated: boolean
  /** The operation for one user, which commits once at most and has no other effect. */
  readonly run: (user_id: string, input: any) => Effect.Effect<unknown, AuthError, R>
}

export const make = <const Name extends string, Fields extends Members, R>(operation: {
  readonly name: Name
  readonly permission: Permission
  readonly input?: Schema.Struct<Fields>
  readonly check?: (input: Schema.Struct.Type<Fields>) => Effect.Effect<void, AuthError<"invalid_request">>
  readonly together?: number
  readonly isRepeated?: boolean
  readonly run: (user_id: string, input: Schema.Struct.Type<Fields>) => Effect.Effect<unknown, AuthError, R>
}): Operation<Name, R> => ({ input: Schema.Struct({}), check: () => Effect.void, together: 100, isRepeated: false, ...operation })

/** The operations. One more is one value more. */
export const operations = (settings: AdminSettings) =>
  [
    make({
      name: "ban",
      permission: "users:suspend",
      input: Users.Ban,
      run: (user_id, terms) => Effect.andThen(notOneself(user_id), Users.ban(user_id, terms, keepingOwner(settings, "ban"))),
    }),
    make({ name: "unban", permission: "users:suspend", run: (user_id) => Users.unban(user_id, ofPrincipal) }),
    make({ name: "revoke_sessions", permission: "sessions:revoke", run: (user_id) => Users.revokeSessions(user_id, ofPrincipal) }),
    make({
      name: "suspend",
      permission: "users:suspend",
      input: Suspension,
      check: (terms) => checkSuspension(settings, terms),
      run: (user_id, terms) => Effect.andThen(checkSuspension(settings, terms), suspendUser(settings, user_id, terms)),
    }),
    make({
      name: "remove",
      permission: "users:delete",
      // Up to a hundred rows of each table go with each user.
      together: 10,
      run: (user_id) => Effect.andThen(notOneself(user_id), Users.remove(user_id, ofPrincipal)),
    }),
    make({
      name: "set_role",
      permission: "users:roles",
      input: Schema.Struct({ role: RoleName }),
      run: Effect.fnUntraced(function* setRoleOf(user_id, { role }) {
        if (role !== administrator) yield* notOneself(user_id)
        const may = role === administrator ? ofPrincipal : keepingOwner(settings, "role")
        yield* Users.setRole(user_id, yield* knownRole(settings, role), may)
      }),
    }),
    make({ name: "send_verification", permission: "users:credentials", run: sendVerificationTo }),
    make({ name: "send_reset", permission: "users:credentials", run: sendResetTo }),
  ] as const
/** What `POST /admin/jobs/create` starts. */
export type StartedOperation = ReturnType<typeof operations>[number]
type Needs<O> = O extends Operation<string, infer R> ? R : never
/** What jobs do, also those that other endpoints start. */
export type AnyOperation = Operation<string, Needs<StartedOperation>>

/** The members of the inputs of all operations. Which of them an operation takes, `input` of the operation decides. */
export const anyInput = (all: ReadonlyArray<StartedOperation>): Schema.Codec<Readonly<Record<string, unknown>>, any> =>
  Schema.toEncoded(
    Schema.Struct(Object.assign({}, ...all.map(({ input }) => input.mapFields(Struct.map(Schema.optionalKey)).fields)) as Members),
  )
