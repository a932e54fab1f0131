import { setTimeout } from "node:timers/promises"
import type { ClientSession, Db } from "mongodb"
import { Conflict, Taken } from "../../domain/ports/store.ts"
import { isTransient, isUnknown } from "./faults.ts"

/** All of it or nothing, on one snapshot, and acknowledged by most members before it counts. */
const options = { readConcern: { level: "snapshot" }, writeConcern: { w: "majority" }, readPreference: "primary" } as const

type Work<A> = (session: ClientSession) => Promise<A>

/** What a transaction does. It is told how often it has been in somebody's way before. */
type TransactionWork<A> = (session: ClientSession, attempt: number) => Promise<A>

/** Runs one write, on its own. */
export const write = <A>(db: Db, work: Work<A>): Promise<A> => inSession(db, (session) => awaitingMajority(db, session, work(session)))

/**
 * Runs the work in a transaction, anew while somebody else is in its way, for at most so many milliseconds.
 * One session for all attempts: the server ends what an earlier one has left open when the next one begins.
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
      // After a commit that was asked for, there is nothing left to abort.
      if (session.inTransaction()) await session.abortTransaction()
      if (!isTransient(error) || isTimedOut()) throw error
      // Never for long: whoever has waited must not be at a disadvantage against those who have just come.
      await setTimeout(Math.random() * Math.min(2 ** attempt, longestPause))
    }
  }
}

/** Asks again where nobody knows what came of it: a commit that has happened is not done twice. */
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
 * Reads see what most members have. Whoever ran into a write that is not there yet waits for it: reading
 * at once they would see the row as it was before, and decide the same again.
 */
const awaitingMajority = async <A>(db: Db, session: ClientSession, work: Promise<A>): Promise<A> => {
  try {
    return await work
  } catch (error) {
    const isRefused = error instanceof Taken || error instanceof Conflict
    // The session has kept the time of its last answer, and nothing is read in it before that time has come for most members.
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
