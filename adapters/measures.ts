import { Context, Effect } from "effect"

/** A value that is read when metrics are collected. What knows it counts nothing for it while it works. */
export interface Measure {
  readonly name: string
  readonly description: string
  readonly type: "gauge" | "counter"
  /** Labels with values that no client can choose. */
  readonly attributes?: Readonly<Record<string, string>>
  readonly read: () => number
}

/** The measures of the parts of one service. */
export const Measures = Context.Reference<Set<Measure>>("sallyport/Measures", { defaultValue: () => new Set() })

/** Offers measures until the scope ends. */
export const offer = (measures: ReadonlyArray<Measure>) =>
  Effect.flatMap(Measures, (all) =>
    Effect.acquireRelease(
      Effect.sync(() => {
        for (const measure of measures) all.add(measure)
      }),
      () =>
        Effect.sync(() => {
          for (const measure of measures) all.delete(measure)
        }),
    ),
  )

/** The measures of a pool of connections, named as in OpenTelemetry's semantic conventions for databases. */
export const poolMeasures = (pool: string, usage: () => { readonly open: number; readonly used: number; readonly waiting: number }) => {
  const attributes = { pool }
  const connections = (state: string, read: () => number): Measure => ({
    name: "db_client_connections",
    description: "Open connections to the database.",
    type: "gauge",
    attributes: { ...attributes, state },
    read,
  })
  const waiting: Measure = {
    name: "db_client_connection_pending_requests",
    description: "Statements that wait for a connection to the database.",
    type: "gauge",
    attributes,
    read: () => usage().waiting,
  }
  return [connections("used", () => usage().used), connections("idle", () => usage().open - usage().used), waiting]
}
