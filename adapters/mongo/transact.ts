import { setTimeout } from "node:timers/promises"
import type { ClientSession, Db } from "mongodb"
import { Conflict, Taken } from "../../domain/ports/store.ts"
import { isTransient, isUnknown } from "./faults.ts"

/** The options of transactions: all reads use one snapshot, and a majority of the members acknowledges the commit. */
const options = { readConcern: { level: "snapshot" }, writeConcern: { w: "majority" }, readPreference: "primary" } as const

type Work<A> = (session: ClientSession) => Promise<A>

/** The operations of a transaction. `attempt` counts its earlier write conflicts. */
type TransactionWork<A> = (session: ClientSession, attempt: number) => Promise<A>

/** Runs one write without a transaction. */
export const write = <A>(db: Db, work: Work<A>): Promise<A> => inSession(db, (session) => awaitingMajority(db, session, work(session)))

/**
 * Runs the work in a transaction and retries it after write conflicts, for at most `timeout` milliseconds.
 * All attempts use one session: the server ends an earlier open transaction when the next one begins.
 */
export const transact = <A>(db: Db, timeout: number, work: TransactionWork<A>): Promise<A> =>
  inSession(db, (session) => {
    const end = performance.now() + timeout
    return awaitingMajority(
      db,
      session,
      runAttempts(session, () => performance.now() > end, timeout, work),
    )
  })

const longestPause = 16

const runAttempts = async <A>(session: ClientSession, isTimedOut: () => boolean, timeout: number, work: TransactionWork<A>): Promise<A> => {
  for (let attempt = 0; ; attempt++) {
    try {
      session.startTransaction({ ...options, maxCommitTimeMS: timeout })
      const answer = await work(session, attempt)
      await commit(session, isTimedOut)
      return answer
    } catch (error) {
      // Once a commit was sent, there is no transaction left to abort.
      if (session.inTransaction()) await session.abortTransaction()
      if (!isTransient(error) || isTimedOut()) throw error
      // The pause stays short: otherwise callers that have just arrived would commit before a caller that has waited.
      await setTimeout(Math.random() * Math.min(2 ** attempt, longestPause))
    }
  }
}

/** Sends the commit again when its result is unknown: the server does not apply it twice. */
const commit = async (session: ClientSession, isTimedOut: () => boolean): Promise<void> => {
  try {
    await session.commitTransaction()
  } catch (error) {
    if (!isUnknown(error) || isTimedOut()) throw error
    await setTimeout(10)
    await commit(session, isTimedOut)
  }
}

/**
 * Reads return majority-committed data. After a conflict with a write that is not majority-committed yet, this waits for it:
 * otherwise the caller would read the previous row and fail with the same conflict again.
 */
const awaitingMajority = async <A>(db: Db, session: ClientSession, work: Promise<A>): Promise<A> => {
  try {
    return await work
  } catch (error) {
    const isRefused = error instanceof Taken || error instanceof Conflict
    // The session is causally consistent: a majority read waits until the time of its last operation is majority-committed.
    if (isRefused) await db.collection("settled").findOne({}, { session, readConcern: { level: "majority" } })
    throw error
  }
}

const inSession = async <A>(db: Db, use: Work<A>): Promise<A> => {
  const session = db.client.startSession({ causalConsistency: true })
  try {
    return await use(session)
  } finally {
    await session.endSession()
  }
}
