import { Effect } from "effect"
import type { Key } from "../../../../texts/texts.ts"
import { leftToRight } from "../../../components/direction.ts"
import { type Output, Visit } from "../../../page.ts"
import type { Subject } from "../../confirmation.ts"
import { id } from "../../parts/details.ts"
import { goTo, Operator } from "../../screen.ts"

export type ShownUser = Output<"adminUsersShow">

/** The id of the user of this page, in its address. */
export const userId = Effect.map(Visit, ({ query }) => query.get("id") ?? "")

/** The user of this page. */
export const userShown = Effect.gen(function* () {
  const { call } = yield* Visit
  return yield* call("adminUsersShow", { user_id: yield* userId })
})

/** Redirects to the page of the user, which shows this text once. */
export const backToUser = Effect.fnUntraced(function* backToUser(notice: Key) {
  return yield* goTo("/user", notice, { id: yield* userId })
})

/** A user, as the subject of an action that has to be confirmed. */
export const userSubject = Effect.gen(function* () {
  const { user, version } = yield* userShown
  const { texts } = (yield* Operator).view
  const subject: Subject = {
    id: user.id,
    name: user.name ?? user.email,
    about: [
      [texts.t("console.user.address"), leftToRight(user.email)],
      [texts.t("console.user.id"), id(user.id)],
    ],
    page: ["/user", { id: user.id }],
    version,
  }
  return subject
})

/** The same, for an action that needs the address to be typed. */
export const typedUserSubject = Effect.gen(function* () {
  const { user } = yield* userShown
  return { ...(yield* userSubject), typed: user.email }
})
