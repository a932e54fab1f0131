import { Data } from "effect"
import * as Mongo from "mongodb"
import { rootCauseOf } from "../root-cause.ts"
import { isTlsFault } from "../tls-fault.ts"

/** What the driver throws when no server is reachable. */
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

/**
 * The error codes of an unavailable server: shutting down, no primary, time limit, too few members to acknowledge, overloaded, refused
 * login; and those of a restart in the middle of a list (its cursor or its snapshot is gone).
 */
const unavailableCodes = new Set([
  6, 7, 18, 24, 43, 50, 63, 64, 89, 91, 100, 112, 133, 134, 175, 189, 239, 246, 251, 262, 462, 9001, 10058, 10107, 11600, 11601, 11602,
  13435, 13436,
])

/** The error codes of a refused login, in MongoDB and in Atlas, and of a missing right. */
const refusedCodes = new Set([13, 18, 8000])

/** Whether the server refuses to work with this configuration: waiting does not help. */
export const isRefused = (error: unknown): boolean => {
  const cause = rootCauseOf(selectionFault(error))
  return (cause instanceof Mongo.MongoServerError && refusedCodes.has(Number(cause.code))) || isTlsFault(cause)
}

/** Labels of temporary errors that the command itself did not cause. */
const unavailableLabels = ["RetryableWriteError", "TransientTransactionError", "UnknownTransactionCommitResult", "SystemOverloadedError"]

/** Whether the database is unavailable, as opposed to an error in the command. A race that outlasts the time limit counts too. */
export const isUnavailable = (error: unknown): boolean => {
  if (error instanceof KeyRace) return true
  if (!(error instanceof Mongo.MongoError)) return false
  if (error.name === "MongoWaitQueueTimeoutError" || unavailableErrors.some((kind) => error instanceof kind)) return true
  return unavailableCodes.has(Number(error.code)) || unavailableLabels.some((label) => error.hasErrorLabel(label))
}

/** Whether a transaction was rolled back and may succeed when it is retried. */
export const isTransient = (error: unknown): boolean => error instanceof KeyRace || isLabelled(error, "TransientTransactionError")

/** Whether the result of a commit is unknown; the commit can be sent again. */
export const isUnknown = (error: unknown): boolean => isLabelled(error, "UnknownTransactionCommitResult")

const isLabelled = (error: unknown, label: string) => error instanceof Mongo.MongoError && error.hasErrorLabel(label)

/** A concurrent write added the key while an upsert was about to add it. */
export class KeyRace extends Data.TaggedError("KeyRace")<{ readonly cause: unknown }> {}

const duplicateKey = 11000

/** The first path of the unique index that a document violates; undefined for any other error. */
export const duplicatePath = (error: unknown): string | undefined => {
  if (!(error instanceof Mongo.MongoServerError) || error.code !== duplicateKey) return undefined
  return Object.keys(error["keyPattern"] ?? {})[0]
}

/** The cause of a failed server selection that the driver reports only as a time-out: a replica set that was never initiated. */
export const selectionFault = (error: unknown): unknown => {
  if (!(error instanceof Mongo.MongoServerSelectionError) || error.reason === undefined) return error
  const servers = [...error.reason.servers.values()]
  if (servers.length === 0 || servers.some(({ type }) => type !== "RSGhost")) return error
  return new Error("its replica set was never initiated; run once: mongosh --eval 'rs.initiate()'")
}
