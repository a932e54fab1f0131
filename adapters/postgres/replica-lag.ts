import { performance } from "node:perf_hooks"
import { Effect } from "effect"
import type { Database } from "./database.ts"

/** A place in the write-ahead log of a primary. */
export interface Position {
  /** Names the history that the log belongs to: the cluster, its timeline, and the database. */
  readonly history: string
  /** In bytes. */
  readonly bytes: bigint
}

/** The position of a primary, and when it was read: milliseconds of `performance.now()`. */
export interface Mark extends Position {
  readonly at: number
}

const history = (timeline: string) =>
  `(SELECT system_identifier FROM pg_control_system()) || ' ' || (${timeline}) || ' ' || current_database()`

/** Every commit that was answered before is in the log before this position. The name of a log file begins with the timeline. */
const primaryPosition = `SELECT ${history("SELECT ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int")} AS history,
  pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text AS bytes`

/** What a standby has applied. It returns no row on a server that is no standby. */
const standbyPosition = `SELECT ${history("SELECT timeline_id FROM pg_control_checkpoint()")} AS history,
  pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text AS bytes WHERE pg_is_in_recovery()`

/** The position of the primary now. */
export const markOf = (primary: Database["Service"]) =>
  Effect.suspend(() => {
    // Before the query is sent: commits that are answered after this moment may be missing at the position.
    const at = performance.now()
    return Effect.map(positionOf(primary, primaryPosition), (position): Mark => ({ ...position, at }))
  })

/** What a standby has applied now. */
export const appliedBy = (standby: Database["Service"]) => positionOf(standby, standbyPosition)

const positionOf = (database: Database["Service"], query: string) =>
  Effect.flatMap(
    database.withShared((connection) => connection.query(query, [], false)),
    ({ rows: [row] }) =>
      row === undefined
        ? Effect.die(new Error("it is not a standby"))
        : Effect.succeed<Position>({ history: String(row["history"]), bytes: BigInt(String(row["bytes"])) }),
  )

/**
 * The last moment of which a standby is known to have every commit. Unlike a comparison of times of the servers, this needs no equal
 * clocks, no rights, and no writes on the primary.
 */
export const follow = (lag: number) => {
  let marks: ReadonlyArray<Mark> = []
  let upToDateAt = Number.NEGATIVE_INFINITY
  return {
    /** Whether it lacks no commit that was answered more than `lag` milliseconds ago. */
    isUsable: (now = performance.now()) => now < upToDateAt + lag,
    /** The age, in milliseconds, of the last moment of which it has every commit. */
    behind: () => performance.now() - upToDateAt,
    /** Compares the standby's position with the primary's at this mark and the marks before. */
    compare: (mark: Mark, applied: Position) => {
      if (mark.history !== applied.history) {
        marks = []
        upToDateAt = Number.NEGATIVE_INFINITY
        throw new Error("it has another history than the primary, or another database")
      }
      marks = [...marks, mark].filter(({ at, history }) => at > mark.at - lag && history === mark.history)
      const reached = marks.findLast(({ bytes }) => bytes <= applied.bytes)
      if (reached !== undefined) upToDateAt = reached.at
    },
    /** The standby did not answer: it is not used before the next comparison. */
    forget: () => {
      upToDateAt = Number.NEGATIVE_INFINITY
    },
  }
}
