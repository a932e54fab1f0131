import { DateTime, Effect, Option, Schema } from "effect"
import type { Member } from "../organizations/organization.ts"
import { Members } from "../organizations/tables.ts"
import { Policies } from "../policies.ts"
import { findEach, replace, Store } from "../ports/store.ts"
import * as Table from "../ports/table.ts"
import { type Changes, shownTo, type Values } from "./attributes.ts"
import { bytesOf } from "./size.ts"
import { StoredValues } from "./tables.ts"
import { changedValues, maxBytes } from "./writing.ts"

/** The attributes of members. Every write of a row writes the member as well: none is then added while the member is removed. */
export const MemberAttributes = Table.make(
  "member_attributes",
  Schema.Struct({
    member_id: Schema.String,
    organization_id: Schema.String,
    user_id: Schema.String,
    /** By attribute. May have values of attributes that are no longer declared. */
    values: StoredValues,
    updated_at: Schema.DateTimeUtc,
  }),
  {
    key: "member_id",
    references: { member_id: Members },
    data: { personal: ["organization_id", "values", "updated_at"], other: ["member_id", "user_id"] },
  },
)

type OneMember = Pick<Member, "id" | "organization_id" | "user_id">
const rowOf = ({ id, organization_id, user_id }: OneMember, values: Values) =>
  Effect.map(DateTime.now, (updated_at) => ({ member_id: id, organization_id, user_id, values, updated_at }))

const stored = (member_id: string) => Store.use(({ read }) => read(MemberAttributes, { member_id }))
const valuesIn = Option.match({
  onNone: (): Values => ({}),
  onSome: ({ row }: { readonly row: { readonly values: Values } }) => row.values,
})

/** The writes that change attributes of a member, for a commit that also writes the member; none if all have these values already. */
export const memberAttributeWrites = Effect.fnUntraced(function* memberAttributeWrites(member: OneMember, changes: Changes) {
  if (Object.keys(changes).length === 0) return []
  const found = yield* stored(member.id)
  const before = valuesIn(found)
  const values = yield* changedValues(before, changes)
  if (JSON.stringify(values) === JSON.stringify(before)) return []
  return [replace(MemberAttributes, found, yield* rowOf(member, values))]
})

/**
 * The writes that give a member the attributes of another one that they lack, unless they are too large together. The row of the other one
 * goes with that member.
 */
export const movedMemberAttributes = Effect.fnUntraced(function* movedMemberAttributes(from: string, into: OneMember) {
  if (!(yield* Policies).tables.includes(MemberAttributes)) return []
  const theirs = valuesIn(yield* stored(from))
  if (Object.keys(theirs).length === 0) return []
  const own = yield* stored(into.id)
  const values = { ...theirs, ...valuesIn(own) }
  return bytesOf(values) > maxBytes ? [] : [replace(MemberAttributes, own, yield* rowOf(into, values))]
})

/** `attributes` is absent where the configuration declares none. */
export interface WithAttributes {
  readonly attributes?: Values
}

/** These members with the attributes that a reader sees, in one read. */
export const withMemberAttributes = Effect.fnUntraced(function* withMemberAttributes<M extends { readonly id: string }>(
  members: ReadonlyArray<M>,
  reader: "user" | "admin",
) {
  const { memberAttributes } = yield* Policies
  if (memberAttributes.length === 0) return members as ReadonlyArray<M & WithAttributes>
  const rows = yield* findEach(
    MemberAttributes,
    members.map(({ id }) => id),
  )
  return members.map((member): M & WithAttributes => ({
    ...member,
    attributes: shownTo(memberAttributes, rows.get(member.id)?.values ?? {}, reader),
  }))
})

/** One member with the attributes that a reader sees. */
export const memberWithAttributes = <M extends { readonly id: string }>(member: M, reader: "user" | "admin") =>
  Effect.map(withMemberAttributes([member], reader), ([filled]): M & WithAttributes => filled ?? member)
