import { Effect, Layer, Option, Schema } from "effect"
import {
  Conflict,
  type ForEachOptions,
  type ListOptions,
  Store,
  type StoreService,
  Taken,
  type Versioned,
  type Write,
} from "../../domain/ports/store.ts"
import type { AnyTable, Row, Where } from "../../domain/ports/table.ts"
import { storeAdapter } from "../kinds/store.ts"
import { answerOf, hasMethods } from "./answer.ts"
import type { Answer, AnyOwnStore } from "./ports.ts"

/** A row. `Option.none`, null and undefined all mean that there is none. */
export type MaybeRow<A> = Option.Option<A> | A | null | undefined

/**
 * Your own store, as `store` in the configuration. Each method must meet the contract of the same method of `StoreService`
 * (`domain/ports/store.ts`): for example, a commit applies all of its writes or none, atomically. Rejections other than `Taken` and
 * `Conflict` of `commit` fail the request; `StoreUnavailable` answers 503.
 */
export interface OwnStore {
  readonly kind?: undefined
  /** Called before all other methods, with the tables of all enabled modules. */
  open?(tables: ReadonlyArray<AnyTable>): Answer<void>
  read(table: AnyTable, where: Where<AnyTable>): Answer<MaybeRow<Versioned<Row<AnyTable>>>>
  readWithReferenced(
    table: AnyTable,
    where: Where<AnyTable>,
    field: string,
  ): Answer<MaybeRow<readonly [Versioned<Row<AnyTable>>, Versioned<Row<AnyTable>>]>>
  readWithReferencing(
    table: AnyTable,
    where: Where<AnyTable>,
    other: AnyTable,
    field: string,
    rest: Where<AnyTable>,
  ): Answer<MaybeRow<readonly [Versioned<Row<AnyTable>>, MaybeRow<Versioned<Row<AnyTable>>>]>>
  list(table: AnyTable, where: Where<AnyTable>, options: ListOptions<AnyTable>): Answer<ReadonlyArray<Row<AnyTable>>>
  listForEach(
    table: AnyTable,
    field: string,
    values: ReadonlyArray<string>,
    options: ForEachOptions<AnyTable>,
  ): Answer<ReadonlyArray<ReadonlyArray<Row<AnyTable>>>>
  take(table: AnyTable, where: Where<AnyTable>): Answer<MaybeRow<Row<AnyTable>>>
  commit(writes: ReadonlyArray<Write>): Answer<void>
  sweep(now: Date, limit: number): Answer<number>
  ping(): Answer<void>
  /** Called after all other methods. */
  close?(): Answer<void>
}

const required = ["read", "readWithReferenced", "readWithReferencing", "list", "listForEach", "take", "commit", "sweep", "ping"]

const isStore = (value: unknown): value is AnyOwnStore => hasMethods(value, required)

export const ownStore = storeAdapter({
  kind: undefined,
  settings: Schema.declare(isStore),
  select: (own) => ({
    label: "your own",
    system: "other",
    isShared: true,
    isLasting: true,
    layer: (tables) => layer(own, tables),
  }),
})

export const layer = (own: OwnStore, tables: ReadonlyArray<AnyTable>): Layer.Layer<Store> =>
  Layer.effect(
    Store,
    Effect.as(
      Effect.acquireRelease(
        answered(() => own.open?.(tables) ?? Effect.void),
        () => answered(() => own.close?.() ?? Effect.void),
      ),
      Store.of(serviceOf(own)),
    ),
  )

const answered = <A>(method: () => Answer<A>): Effect.Effect<A> => Effect.orDie(answerOf(method))

const foundOf = <A>(found: MaybeRow<A>): Option.Option<A> => (Option.isOption(found) ? found : Option.fromNullishOr(found))

const found = <A>(method: () => Answer<MaybeRow<A>>) => Effect.map(answered(method), foundOf)

const isRefusal = (error: unknown): error is Taken | Conflict => error instanceof Taken || error instanceof Conflict

const serviceOf = (own: OwnStore): StoreService => ({
  read: (table, where) => found(() => own.read(table, where)),
  readWithReferenced: (table, where, field) => found(() => own.readWithReferenced(table, where, field)),
  readWithReferencing: (table, where, other, field, rest) =>
    Effect.map(
      found(() => own.readWithReferencing(table, where, other, field, rest)),
      Option.map(([row, beside]) => [row, foundOf(beside)] as const),
    ),
  list: (table, where, options) => answered(() => own.list(table, where, options)),
  listForEach: (table, field, values, options) => answered(() => own.listForEach(table, field, values, options)),
  take: (table, where) => found(() => own.take(table, where)),
  commit: (writes) =>
    answerOf(() => own.commit(writes)).pipe(Effect.catch((error) => (isRefusal(error) ? Effect.fail(error) : Effect.die(error)))),
  sweep: (now, limit) => answered(() => own.sweep(now, limit)),
  ping: answered(() => own.ping()),
})
