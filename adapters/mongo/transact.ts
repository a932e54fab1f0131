import { setTimeout } from "node:timers/promises"
import type { ClientSession, MongoClient } from "mongodb"
import { isTransient, isUnknown } from "./faults.ts"

/** All of it or nothing, on one snapshot, and acknowledged by most members before it counts. */
const options = { readConcern: { level: "snapshot" }, writeConcern: { w: "majority" }, readPreference: "primary" } as const

/**
 * Runs the work in a transaction, anew while somebody else is in its way, for at most so many milliseconds.
 * One session for all attempts: the server ends what an earlier one has left open when the next one begins.
 */
export const transact = async <A>(client: MongoClient, patience: number, work: (session: ClientSession) => Promise<A>): Promise<A> => {
  const end = performance.now() + patience
  const isOver = () => performance.now() > end
  const session = client.startSession({ causalConsistency: false })
  try {
    for (let attempt = 0; ; attempt++) {
      try {
        session.startTransaction({ ...options, maxCommitTimeMS: patience })
        const answer = await work(session)
        await commit(session, isOver)
        return answer
      } catch (error) {
        // After a commit that was asked for, there is nothing left to abort.
        if (session.inTransaction()) await session.abortTransaction()
        if (!isTransient(error) || isOver()) throw error
        await setTimeout(Math.random() * Math.min(5 * 1.5 ** attempt, 100))
      }
    }
  } finally {
    await session.endSession()
  }
}

/** Asks again where nobody knows what came of it: a commit that has happened is not done twice. */
const commit = async (session: ClientSession, isOver: () => boolean): Promise<void> => {
  try {
    await session.commitTransaction()
  } catch (error) {
    if (!isUnknown(error) || isOver()) throw error
    await setTimeout(10)
    await commit(session, isOver)
  }
}
