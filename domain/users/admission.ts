import { Effect, Option } from "effect"
import { AddressNotAllowed, InvalidToken, RegistrationClosed } from "../errors.ts"
import { Policies } from "../policies.ts"
import { orFail, type Write } from "../ports/store.ts"
import { Settings } from "../settings.ts"
import { blockRule, requireAllowed } from "./address-rules.ts"
import type { StoredUser } from "./user.ts"

declare const admitted: unique symbol

/** The permission to add the user of an address. Only the functions of this file make one. */
export interface Admission {
  readonly [admitted]: true
  readonly email: string
  /** The writes that spend the invitation of the address; empty without one. */
  readonly spent: ReadonlyArray<Write>
}

const admission = (email: string, spent: ReadonlyArray<Write> = []) => ({ email, spent }) as Admission

/**
 * Admits a user who signs up, by any method. Fails with `registration_closed` or `address_not_allowed`. An invitation lets its address in
 * unless that is blocked. It is read for every address, so that the time does not reveal who is invited.
 */
export const admit = Effect.fnUntraced(function* admit(email: string) {
  return yield* admitBy(email, (yield* Policies).invitationOf(email))
})

/**
 * The same for the owner of an invited address, where the commit of the sign-up uses this invitation up. `isSpent`: a user has signed up by
 * it before.
 */
export const admitInvited = (email: string, isSpent: boolean) => admitBy(email, Effect.succeed(isSpent ? Option.none() : Option.some([])))

const admitBy = Effect.fnUntraced(function* admitBy<R>(email: string, found: Effect.Effect<Option.Option<ReadonlyArray<Write>>, never, R>) {
  const { registration } = yield* Settings
  if (registration === undefined) return admission(email)
  if (registration.mode === "closed") return yield* new RegistrationClosed()
  const invitation = yield* found
  if (Option.isSome(invitation)) {
    if ((yield* blockRule)(email)) return yield* new AddressNotAllowed()
    return admission(email, invitation.value)
  }
  if (registration.mode === "invited")
    return yield* new RegistrationClosed({ message: "New users need an open invitation to sign up here." })
  yield* requireAllowed(email)
  return admission(email)
})

/**
 * The writes that spend the invitation by which this user signed up, for the commit of the proof of the address. Fails as a sign-up does if
 * the invitation was withdrawn, or has expired, since.
 */
export const admitProved = Effect.fnUntraced(function* admitProved({ email, needs_invitation }: StoredUser) {
  return needs_invitation ? (yield* admit(email)).spent : []
})

/** The same where an administrator vouches for the address, under every mode. */
export const admitVouched = Effect.fnUntraced(function* admitVouched({ email, needs_invitation }: StoredUser) {
  return needs_invitation ? Option.getOrElse(yield* (yield* Policies).invitationOf(email), () => []) : []
})

/** Admits a user whom an administrator or operator adds, under every mode. Fails with `address_not_allowed`. */
export const admitByOperator = (email: string) => Effect.as(requireAllowed(email), admission(email))

/** Admits any address, for operators who waive the rules or have applied them. */
export const admitAnyway = (email: string): Admission => admission(email)

/** For `catchTags`: a code or a link of an address that is not admitted is refused as a wrong one is. */
export const noneIfNotAdmitted = { registration_closed: () => Effect.succeedNone, address_not_allowed: () => Effect.succeedNone }

/** The writes of `admitProved` for a mailed link, which is refused as a wrong one is. */
export const admitByLink = (user: StoredUser) =>
  orFail(Effect.catchTags(Effect.asSome(admitProved(user)), noneIfNotAdmitted), () => new InvalidToken())

/** Whether users of this address can sign up, for messages to an address that may have no user. */
export const isAdmitted = (email: string) => Effect.map(Effect.catchTags(Effect.asSome(admit(email)), noneIfNotAdmitted), Option.isSome)
