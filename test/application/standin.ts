import { DateTime, Effect, Layer, Option } from "effect"
import { Conflict, Store, Taken } from "../../application/ports/Store.ts"
export const layer = (_tables: ReadonlyArray<any>) =>
  Layer.sync(Store, () => {
    const all = new Map<string, Map<any, { row: any; revision: number }>>()
    const of = (t: any) => all.get(t.name) ?? all.set(t.name, new Map()).get(t.name)!
    const num = (v: any) => (DateTime.isDateTime(v) ? DateTime.toEpochMillis(v) : v)
    return Store.of({
      read: (t: any, w: any) => Effect.suspend(() => Effect.andThen(Effect.yieldNow, Effect.sync(() => Option.fromNullishOr(of(t).get(w[t.key]))))),
      follow: () => Effect.die("no"),
      list: (t: any, _w: any, o: any) =>
        Effect.andThen(Effect.yieldNow, Effect.sync(() => [...of(t).values()].map((h) => h.row).sort((a, b) => (o.order ? num(a[o.order]) - num(b[o.order]) : 0) || (a[t.key] < b[t.key] ? -1 : 1)).slice(0, o.limit))),
      take: () => Effect.die("no"),
      commit: (ws: any) =>
        Effect.andThen(Effect.yieldNow, Effect.suspend((): Effect.Effect<void, any> => {
          for (const w of ws) {
            const key = w.row?.[w.table.key] ?? w.key
            const held = of(w.table).get(key)
            if (w._tag === "insert" && held) return Effect.fail(new Taken({ table: w.table.name, field: "id" }))
            if (typeof w.expected === "number" && held?.revision !== w.expected) return Effect.fail(new Conflict({ table: w.table.name }))
          }
          for (const w of ws) {
            const key = w.row?.[w.table.key] ?? w.key
            if (w._tag === "remove") of(w.table).delete(key)
            else of(w.table).set(key, { row: w.row, revision: (of(w.table).get(key)?.revision ?? 0) + 1 })
          }
          return Effect.void
        })),
      sweep: () => Effect.succeed(0),
      ping: Effect.void,
    } as any)
  })
