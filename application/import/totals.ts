import { Schema } from "effect"

const Counts = Schema.Record(Schema.String, Schema.Int)
const Carried = Schema.Struct({ carried: Schema.Int, dropped: Schema.Int })

/** The totals of a run. Each record is in exactly one of `created`, `added`, `already_there` and `refused`. */
export const Totals = Schema.Struct({
  read: Schema.Int,
  created: Schema.Int,
  /** Records with credentials for users of earlier records. */
  added: Schema.Int,
  already_there: Schema.Int,
  refused: Schema.Int,
  /** By format. */
  passwords: Schema.Struct({ kept: Counts, reset: Counts }),
  factors: Carried,
  identities: Carried,
  /** By field: in how many records it was ignored. */
  ignored: Counts,
})
export interface Totals extends Schema.Schema.Type<typeof Totals> {}

export const none: Totals = {
  read: 0,
  created: 0,
  added: 0,
  already_there: 0,
  refused: 0,
  passwords: { kept: {}, reset: {} },
  factors: { carried: 0, dropped: 0 },
  identities: { carried: 0, dropped: 0 },
  ignored: {},
}

/** Further names are counted together: a file can have any number of them. */
const max_names = 100
const others = "…"

type CountsByName = Readonly<Record<string, number>>

const sum = (left: CountsByName, right: CountsByName): CountsByName => {
  const counts = new Map(Object.entries(left))
  for (const [name, count] of Object.entries(right)) {
    const key = counts.has(name) || counts.size < max_names ? name : others
    counts.set(key, (counts.get(key) ?? 0) + count)
  }
  return Object.fromEntries(counts)
}

const sumCarried = (left: Totals["factors"], right: Totals["factors"]) => ({
  carried: left.carried + right.carried,
  dropped: left.dropped + right.dropped,
})

export const add = (left: Totals, right: Totals): Totals => ({
  read: left.read + right.read,
  created: left.created + right.created,
  added: left.added + right.added,
  already_there: left.already_there + right.already_there,
  refused: left.refused + right.refused,
  passwords: { kept: sum(left.passwords.kept, right.passwords.kept), reset: sum(left.passwords.reset, right.passwords.reset) },
  factors: sumCarried(left.factors, right.factors),
  identities: sumCarried(left.identities, right.identities),
  ignored: sum(left.ignored, right.ignored),
})

/** How often each name occurs. */
export const countsOf = (names: ReadonlyArray<string>): CountsByName => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Object.fromEntries(counts)
}
