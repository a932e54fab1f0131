import { Effect } from "effect"
import type { Key } from "../../../../texts/texts.ts"
import { leftToRight } from "../../../components/direction.ts"
import { type Output, Visit } from "../../../page.ts"
import { id } from "../../parts/values.ts"
import { askedId, goTo, Operator } from "../../screen.ts"

export type ShownUser = Output<"adminUsersShow">

/** The user of this page. */
export const userShown = Effect.gen(function* () {
  const { call } = yield* Visit
  return yield* call("adminUsersShow", { user_id: yield* askedId })
})

/** Redirects to the page of the user, which shows this text once. */
export const backToUser = Effect.fnUntraced(function* backToUser(notice: Key) {
  return yield* goTo("/user", notice, { id: yield* askedId })
})

/** A user, as the subject of an action that has to be confirmed. */
export const userSubject = Effect.gen(function* () {
  const { user, version } = yield* userShown
  const { texts } = (yield* Operator).view
  const about = [
    [texts.t("field.email"), leftToRight(user.email)],
    [texts.t("console.id"), id(user.id)],
  ] as const
  const { id: own, name, email } = user
  return { id: own, name: name ?? email, email, about, page: ["/user", { id: own }] as const, version }
})

/** The same, for an action that needs the address to be typed. */
export const typedUserSubject = Effect.map(userSubject, (subject) => ({ ...subject, typed: subject.email }))
