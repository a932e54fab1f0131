import type { Effect, Schema } from "effect"
import { DateTime } from "effect"
import type { AuthError } from "../../domain/errors.ts"
import type { CurrentSession } from "../../domain/sessions/caller.ts"

/** Somebody with a valid session, as what hangs from them sees them. */
export type Viewer = CurrentSession["Service"]

/** What an edge hangs from: the viewer, or a type that has an identifier. */
export type Origin = "viewer" | Schema.Codec<any, any>
type Parent<On> = On extends { readonly Type: infer A } ? A : Viewer

/** A part of a list: so many rows, after the one at this place. */
export interface Page<Place = unknown> {
  readonly limit: number
  readonly after?: Place
}

/**
 * A way from one thing to others, for shells that show a graph. `load` is given the parents of one level all at once and answers for each of
 * them, in their order; an error in an answer's place refuses that parent alone. It has the caller's session, and checks their rights.
 */
export interface GraphField<out R> {
  readonly on: Origin
  readonly name: string
  readonly summary: string
  /** Of each parent; of a paged edge, one node of its list. */
  readonly output: Schema.Codec<any, any>
  /** What says where in the list a node stands: some of its fields, or what it has beside them; undefined where there are no pages. */
  readonly place: ReadonlyArray<string> | Schema.Codec<any, any> | undefined
  readonly load: (parents: ReadonlyArray<any>, page: Page<any>) => Effect.Effect<ReadonlyArray<unknown>, AuthError, R>
}
export type AnyGraphField = GraphField<any>

interface Described<On> {
  readonly on: On
  readonly name: string
  /** One sentence for people who read the API's documentation. */
  readonly summary: string
}

/** Declares an edge to one thing, or to a list that is always short. */
export const make = <On extends Origin, A, R>(
  graphField: Described<On> & {
    readonly output: Schema.Codec<A, any>
    readonly load: (parents: ReadonlyArray<Parent<On>>) => Effect.Effect<ReadonlyArray<A | AuthError>, AuthError, R>
  },
): GraphField<Exclude<R, CurrentSession>> => ({ ...graphField, place: undefined }) as GraphField<any>

/**
 * Declares an edge to a list that can be long. It is loaded by pages: what `Store.listForEach` is told. The fields of `place` are
 * those it is sorted by, the key last.
 */
export const paged = <On extends Origin, A, const Field extends keyof A & string, R>(
  graphField: Described<On> & {
    /** A node of the list. */
    readonly output: Schema.Codec<A, any>
    readonly place: ReadonlyArray<Field>
    readonly load: (
      parents: ReadonlyArray<Parent<On>>,
      page: Page<Pick<A, Field>>,
    ) => Effect.Effect<ReadonlyArray<ReadonlyArray<A> | AuthError>, AuthError, R>
  },
): GraphField<Exclude<R, CurrentSession>> => graphField as GraphField<any>

/**
 * The same for a list that is sorted by what its nodes do not show. They are loaded with it: `place` says what it is. Cursors
 * have it in them, so it can be no secret.
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

/** A page of a list that is in hand, sorted by the fields of its places. */
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
