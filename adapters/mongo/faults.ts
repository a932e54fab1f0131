import { Data } from "effect"
import * as Mongo from "mongodb"

/** What the driver throws when there is nobody to talk to. */
const unavailableErrors = [
  Mongo.MongoNetworkError,
  Mongo.MongoServerSelectionError,
  Mongo.MongoOperationTimeoutError,
  Mongo.MongoNotConnectedError,
  Mongo.MongoServerClosedError,
  Mongo.MongoTopologyClosedError,
  Mongo.MongoClientClosedError,
  Mongo.MongoStalePrimaryError,
  Mongo.MongoWriteConcernError,
]

/** Of the server: shutting down, no primary, out of time, too few members to acknowledge, overloaded, a refused login. */
const unavailableCodes = new Set([
  6, 7, 18, 24, 50, 63, 64, 89, 91, 100, 112, 133, 134, 189, 246, 251, 262, 462, 9001, 10058, 10107, 11600, 11602, 13435, 13436,
])

/** With these the driver or the server says that it is about the moment, and not about the command. */
const unavailableLabels = ["RetryableWriteError", "TransientTransactionError", "UnknownTransactionCommitResult", "SystemOverloadedError"]

/** Whether the database is away, rather than the command at fault. */
export const isUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Mongo.MongoError)) return false
  if (error.name === "MongoWaitQueueTimeoutError" || unavailableErrors.some((kind) => error instanceof kind)) return true
  return unavailableCodes.has(Number(error.code)) || unavailableLabels.some((label) => error.hasErrorLabel(label))
}

/** Whether a transaction left nothing behind, and may pass when it is begun anew. */
export const isTransient = (error: unknown): boolean => error instanceof KeyRace || isLabelled(error, "TransientTransactionError")

/** Whether a commit may or may not have happened; it can be asked for again. */
export const isUnknown = (error: unknown): boolean => isLabelled(error, "UnknownTransactionCommitResult")

const isLabelled = (error: unknown, label: string) => error instanceof Mongo.MongoError && error.hasErrorLabel(label)

/** Somebody else added the row of a key while it was about to be added or replaced. */
export class KeyRace extends Data.TaggedError("KeyRace")<{ readonly cause: unknown }> {}

const duplicateKey = 11000

/** The first path of the unique index that a document ran into, if that is what happened. */
export const duplicatePath = (error: unknown): string | undefined => {
  if (!(error instanceof Mongo.MongoServerError) || error.code !== duplicateKey) return undefined
  return Object.keys(error["keyPattern"] ?? {})[0]
}

/** Why no server was found, where its own words would only speak of time. */
export const selectionFault = (error: unknown): unknown => {
  if (!(error instanceof Mongo.MongoServerSelectionError) || error.reason === undefined) return error
  const servers = [...error.reason.servers.values()]
  if (servers.length === 0 || servers.some(({ type }) => type !== "RSGhost")) return error
  return new Error("its replica set was never initiated; run once: mongosh --eval 'rs.initiate()'")
}
