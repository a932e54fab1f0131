import { Effect } from "effect"
import { Policies } from "../../../../domain/policies.ts"
import { find, Store } from "../../../../domain/ports/store.ts"
import { behindIds } from "../../../../domain/storage/new-id.ts"
import { phoneProvider } from "../../../../domain/users/credential-account.ts"
import { Accounts, Users } from "../../../../domain/users/tables.ts"
import { searchableDomain } from "../../../../domain/values/text.ts"
import type { Filters } from "../user-filters.ts"
import { beginning, byEmail, byEntry, byTime, type Lead, type Led, only } from "../user-leads.ts"
import { isNamed, type Typed } from "./typed.ts"

// The indexes that lead through the users whom a typed text finds.

/** The users whom a typed text finds. */
export const searchLead = ({ kind, text }: Typed, filters: Filters): Lead<Policies | Store> => {
  if (kind === "id") return only(find(Users, { id: text }))
  if (kind === "phone") return byPhone(text)
  if (kind === "address") return byEmail(text)
  if (kind === "domain") return byTime(filters, true, beginning("search_domain", text))
  return byAnyName(text, filters)
}

/** Whether a user still has the text by which the index found them: an earlier version of the program changes users without their texts. */
export const isStill = ({ kind, text }: Typed, { user, place }: Led): boolean => {
  if (kind === "domain") return searchableDomain(user.email).startsWith(text)
  return kind !== "name" || place.text !== undefined || isNamed(user, text)
}

/** In the order of the numbers. */
const byPhone = (beginning: string): Lead =>
  byEntry(
    Effect.fnUntraced(function* ownersOfNumbers(after, limit) {
      const place = { account_id: after?.text ?? beginning, id: after === undefined ? "" : behindIds }
      const rows = yield* (yield* Store).list(Accounts, { provider_id: phoneProvider }, { limit, order: "account_id", after: place })
      const found = rows.filter(({ account_id }) => account_id.startsWith(beginning))
      return { entries: found.map(({ user_id, account_id }) => ({ id: user_id, text: account_id })), isOver: found.length < limit }
    }),
  )

/** By the name or its last word, the newest first; then by the user name, in the order of these. */
const byAnyName = (text: string, filters: Filters): Lead<Policies | Store> => {
  const byOwnName = byNames(text, filters)
  const byUserName = byEntry(userNames(text), (user) => !isNamed(user, text))
  return Effect.fnUntraced(function* usersByAnyName(after, limit) {
    const first = after?.text === undefined ? yield* byOwnName(after, limit) : []
    if (first.length === limit) return first
    return [...first, ...(yield* byUserName(after?.text === undefined ? undefined : after, limit - first.length))]
  })
}

/** Both lists begin at the same place, so that together they make a complete page. No last word contains a blank. */
const byNames = (text: string, filters: Filters): Lead => {
  const fields = /\s/.test(text) ? (["search_name"] as const) : (["search_name", "search_last"] as const)
  const lists = fields.map((field) => byTime(filters, true, beginning(field, text)))
  return Effect.fnUntraced(function* usersByNames(after, limit) {
    const found = yield* Effect.forEach(lists, (list) => list(after, limit), { concurrency: 2 })
    return [...new Map(found.flat().map((each) => [each.place.id, each])).values()].toSorted(newestFirst).slice(0, limit)
  })
}

const newestFirst = ({ place: one }: Led, { place: other }: Led) => other.at - one.at || (one.id < other.id ? 1 : -1)

const userNames = (text: string) =>
  Effect.fnUntraced(function* entriesOfUserNames(after: { readonly text?: string } | undefined, limit: number) {
    const names = yield* (yield* Policies).userNames(text, after?.text ?? "", limit)
    return { entries: names.map(({ user_id, name }) => ({ id: user_id, text: name })), isOver: names.length < limit }
  })
