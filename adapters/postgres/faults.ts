import { Predicate } from "effect"
import { SqlError } from "effect/sql"
import { isTlsFault } from "../tls-fault.ts"

/** Every SQLSTATE of PostgreSQL has a digit, unlike codes of the system such as EPIPE. */
const sqlState = /^(?=.*\d)[0-9A-Z]{5}$/

/** The SQLSTATE of an error. */
export const codeOf = ({ reason }: SqlError.SqlError): string | undefined =>
  Predicate.hasProperty(reason.cause, "code") && typeof reason.cause.code === "string" && sqlState.test(reason.cause.code)
    ? reason.cause.code
    : undefined

/** The index or constraint that a row violates. */
export const constraintOf = ({ reason }: SqlError.SqlError): string =>
  Predicate.hasProperty(reason.cause, "constraint") ? String(reason.cause.constraint) : ""

/** Prefixes of SQLSTATEs: connection, resources, operator intervention, system error, read-only standby, refused login, missing database. */
const unavailableCodes = ["08", "53", "57", "58", "25006", "28", "3D"]

/** Whether the database is unavailable, as opposed to an error in the statement. */
export const isUnavailable = (error: unknown): boolean => {
  if (!SqlError.isSqlError(error)) return false
  const code = codeOf(error)
  if (code === undefined) return error.reason._tag === "ConnectionError" || error.reason._tag === "AuthenticationError"
  return unavailableCodes.some((prefix) => code.startsWith(prefix))
}

/** Prefixes of SQLSTATEs: refused login, missing database, missing right, no schema that the role may use. */
const refusedCodes = ["28", "3D", "42501", "3F"]

/** Whether the server, or the driver, refuses to work with this configuration: waiting does not help. */
export const isRefused = (error: unknown): boolean => {
  if (!SqlError.isSqlError(error)) return false
  const { reason } = error
  const code = codeOf(error)
  if (code !== undefined) return refusedCodes.some((prefix) => code.startsWith(prefix))
  return reason._tag === "AuthenticationError" || isTlsFault(reason.cause) || settledMessages.test(reason.message)
}

/** What the driver says about TLS that the server does not speak, and about its URL; these errors have no code. */
const settledMessages = /^PgConnection: (Server refused TLS|Invalid SSLRequest response|No username|Unrecognized |Invalid |Unsupported )/

/** Whether the server has become a standby since the connection was opened. */
export const isDemoted = (error: unknown): boolean => SqlError.isSqlError(error) && codeOf(error) === "25006"

/** The SQLSTATE of a division by zero. A conditional write that matches no row causes it, so that its transaction is rolled back. */
const divisionByZero = "22012"

/** Whether the commit failed because of a concurrent write. It may succeed if the caller reads again and decides anew. */
export const isConflict = (error: SqlError.SqlError): boolean =>
  error.reason._tag === "DeadlockError" || error.reason._tag === "SerializationError" || codeOf(error) === divisionByZero
