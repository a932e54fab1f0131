import { Effect, Option, Schema } from "effect"
import { find } from "../../../../domain/ports/store.ts"
import { Filters, filtersOf } from "../user-filters.ts"
import { Place } from "../user-leads.ts"
import { searched, searchOf } from "../user-list.ts"
import type { AnyOperation } from "./operations.ts"
import { chunk, type Job, JobTargets, numbered } from "./tables.ts"

const Filter = Schema.fromJsonString(Schema.toCodecJson(Schema.Struct(Filters)))
const PlaceText = Schema.fromJsonString(Place)
const writePlace = Schema.encodeSync(PlaceText)

/** The filters as a job keeps them. */
export const filterText = Effect.fnUntraced(function* filterText(filter: Filters) {
  yield* searchOf(filter, undefined)
  return Schema.encodeSync(Filter)(filtersOf(filter))
})

/** The next users of a job. */
export interface Targets {
  readonly users: ReadonlyArray<{
    readonly id: string
    /** `place` of the job once this user is done. */
    readonly place: string | null
  }>
  /** `place` of the job once all of them are done. */
  readonly place: string | null
  readonly isLast: boolean
}

export const nextTargets = Effect.fnUntraced(function* nextTargets(
  job: Job,
  { isRepeated, together: limit }: Pick<AnyOperation, "isRepeated" | "together">,
) {
  if (isRepeated) return yield* again(job)
  const targets: Targets =
    job.filter === null ? yield* chosen(job, limit) : yield* matching(job, Schema.decodeSync(Filter)(job.filter), limit)
  return targets
})

/** The only user of the job; the outcome decides whether it was for the last time. */
const again = Effect.fnUntraced(function* sameTarget({ id }: Job) {
  const row = yield* find(JobTargets, { id: numbered(id, 0) })
  const ids = Option.match(row, { onNone: () => [], onSome: ({ user_ids }) => user_ids })
  return { users: ids.map((id) => ({ id, place: null })), place: null, isLast: ids.length === 0 } satisfies Targets
})

const chosen = Effect.fnUntraced(function* chosenTargets({ id, position, total }: Job, limit: number) {
  const row = yield* find(JobTargets, { id: numbered(id, Math.floor(position / chunk)) })
  const ids = Option.match(row, { onNone: () => [], onSome: ({ user_ids }) => user_ids.slice(position % chunk).slice(0, limit) })
  const isLast = ids.length === 0 || position + ids.length >= (total ?? 0)
  return { users: ids.map((id) => ({ id, place: null })), place: null, isLast } satisfies Targets
})

/** Users who began to match behind the place are left out, among them all who sign up meanwhile: the newest come first. */
const matching = Effect.fnUntraced(function* matchingTargets({ place }: Job, filters: Filters, limit: number) {
  const after = place === null ? undefined : Schema.decodeSync(PlaceText)(place)
  const { found, next } = yield* searched(yield* searchOf(filters, undefined), limit, after)
  return {
    users: found.map(({ user, place }) => ({ id: user.id, place: writePlace(place) })),
    place: next === null ? null : writePlace(next),
    isLast: next === null,
  } satisfies Targets
})
