import { Predicate } from "effect"
import { SqlError } from "effect/sql"

/** The five characters by which PostgreSQL names what went wrong. */
export const codeOf = ({ reason }: SqlError.SqlError): string | undefined =>
  Predicate.hasProperty(reason.cause, "code") && typeof reason.cause.code === "string" && /^[0-9A-Z]{5}$/.test(reason.cause.code)
    ? reason.cause.code
    : undefined

/** The index or constraint that a row ran into. */
export const constraintOf = ({ reason }: SqlError.SqlError): string =>
  Predicate.hasProperty(reason.cause, "constraint") ? String(reason.cause.constraint) : ""

/** Connection, resources, operator, system, a server that became a standby, a refused login, a database that is not there. */
const away = ["08", "53", "57", "58", "25006", "28", "3D"]

/** Whether the database is away, rather than the statement at fault. */
export const isUnavailable = (error: unknown): boolean => {
  if (!SqlError.isSqlError(error)) return false
  const code = codeOf(error)
  if (code === undefined) return error.reason._tag === "ConnectionError"
  return away.some((prefix) => code.startsWith(prefix))
}

/** Raised by a conditional write that met no row, to take the rest of its transaction along. */
const unmet = "22012"

/** Whether somebody else was faster: decided anew, the same commit may pass. */
export const isConflict = (error: SqlError.SqlError): boolean =>
  error.reason._tag === "DeadlockError" || error.reason._tag === "SerializationError" || codeOf(error) === unmet
