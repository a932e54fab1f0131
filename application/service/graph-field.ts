import { DateTime, type Effect, type Schema } from "effect"
import type { Permission } from "../../domain/administration/permissions.ts"
import type { AuthError } from "../../domain/errors.ts"
import type { CurrentSession } from "../../domain/sessions/caller.ts"

/** The caller with a valid session, as parent of graph fields. */
export type Viewer = CurrentSession["Service"]

/** The parent type of a field: the viewer, or a schema with an identifier. */
export type Origin = "viewer" | Schema.Codec<any, any>
type Parent<On> = On extends { readonly Type: infer A } ? A : Viewer

/** A page of a list: at most `limit` rows, after the place `after`. */
export interface Page<Place = unknown> {
  readonly limit: number
  readonly after?: Place
  /** The list is read from its end. Only for fields with `backward`. */
  readonly backward?: boolean
}

/**
 * A field of the graph. `load` receives all parents of one level at once and returns a result for each, in their order; an error in place
 * of a result affects that parent alone. It has the caller's session, and must check the caller's permissions.
 */
export interface GraphField<out R> {
  readonly on: Origin
  /** The module that has the parent type: where that module is off, the field is left out. */
  readonly of?: string
  readonly name: string
  readonly summary: string
  readonly permission?: Permission
  readonly backward?: boolean
  /** The value of the field; for a paged field, one node of its list. */
  readonly output: Schema.Codec<any, any>
  /** The position of a node in a paged list: some of its fields, or a schema of further ones. Undefined for a field without pages. */
  readonly place: ReadonlyArray<string> | Schema.Codec<any, any> | undefined
  readonly load: (parents: ReadonlyArray<any>, page: Page<any>) => Effect.Effect<ReadonlyArray<unknown>, AuthError, R>
}
export type AnyGraphField = GraphField<any>

interface Described<On> {
  readonly on: On
  readonly of?: string
  readonly name: string
  /** One sentence for the API documentation. */
  readonly summary: string
  /** The permission without which the field is refused before `load`. */
  readonly permission?: Permission
}

/** Declares a field with one value, or with a list that is always short. */
export const make = <On extends Origin, A, R>(
  graphField: Described<On> & {
    readonly output: Schema.Codec<A, any>
    readonly load: (parents: ReadonlyArray<Parent<On>>) => Effect.Effect<ReadonlyArray<A | AuthError>, AuthError, R>
  },
): GraphField<Exclude<R, CurrentSession>> => ({ ...graphField, place: undefined }) as GraphField<any>

/**
 * Declares a field with a list that can be long, loaded in pages by `Paging.pageForEach` or `Store.listForEach`. `place` lists the sort
 * fields, the key last. `hasNextPage` is true if `load` returns as many rows as the limit: only the last page may be shorter.
 */
export const paged = <On extends Origin, A, const Field extends keyof A & string, R>(
  graphField: Described<On> & {
    /** A node of the list. */
    readonly output: Schema.Codec<A, any>
    readonly place: ReadonlyArray<Field>
    /** Whether clients can also begin at the end of the list (`last`, `before`). */
    readonly backward?: true
    readonly load: (
      parents: ReadonlyArray<Parent<On>>,
      page: Page<Pick<A, Field>>,
    ) => Effect.Effect<ReadonlyArray<ReadonlyArray<A> | AuthError>, AuthError, R>
  },
): GraphField<Exclude<R, CurrentSession>> => graphField as GraphField<any>

/**
 * The same for a list sorted by fields that its nodes do not expose. `load` also returns the fields of `place`. Cursors contain these
 * fields, so they must not be secret.
 */
export const pagedBy = <On extends Origin, A, P extends object, R>(
  graphField: Described<On> & {
    /** A node of the list. */
    readonly output: Schema.Codec<A, any>
    readonly place: Schema.Codec<P, any>
    readonly load: (
      parents: ReadonlyArray<Parent<On>>,
      page: Page<P>,
    ) => Effect.Effect<ReadonlyArray<ReadonlyArray<A & P> | AuthError>, AuthError, R>
  },
): GraphField<Exclude<R, CurrentSession>> => graphField as GraphField<any>

/** A page of a list in memory that is sorted by the fields of the place. */
export const pageOf = <A extends object>(rows: ReadonlyArray<A>, { limit, after }: Page<Partial<A>>): ReadonlyArray<A> => {
  const rest = after === undefined ? rows : rows.filter((row) => isBeyond(row, after))
  return rest.slice(0, limit)
}

const isBeyond = (row: object, place: object): boolean => {
  for (const field of Object.keys(place)) {
    const [here, there] = [comparable(Reflect.get(row, field)), comparable(Reflect.get(place, field))]
    if (here !== there) return here > there
  }
  return false
}

const comparable = (value: unknown) => (DateTime.isDateTime(value) ? DateTime.toEpochMillis(value) : (value as string | number))
