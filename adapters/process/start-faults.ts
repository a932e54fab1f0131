import type { HttpServerError } from "effect/http"
import type { KeyManagementRefused, KeyManagementUnavailable } from "../../domain/ports/key-management.ts"
import type { StoreUnavailable } from "../../domain/ports/store.ts"
import type { SecretMissing } from "../../domain/secrets/sealing.ts"
import type { BackupFailed } from "../backup-tools.ts"
import type { ConfigurationFault } from "../configuration-faults.ts"
import type { DatabaseRefused } from "../database-refused.ts"
import type { DirectoryInUse } from "../postgres/directory-lock.ts"
import type { DirectoryUnusable } from "../postgres/embedded.ts"
import type { RedisUnavailable } from "../redis/redis-unavailable.ts"
import { codeOf, reasonOf } from "../root-cause.ts"

/** The exit codes of commands. 64, 69 and 78 are those of `sysexits.h`; `refused`: an import refused a record. `byHand`: `init` left a file to the developer. */
export const codes = { failed: 1, refused: 2, byHand: 3, usage: 64, unavailable: 69, configuration: 78 } as const

/** How a command ends after a failure: its exit code, and the lines for the operator. */
export interface Ending {
  readonly code: number
  readonly lines: ReadonlyArray<string>
}

const ending = (code: keyof typeof codes, ...lines: ReadonlyArray<string>): Ending => ({ code: codes[code], lines })

/** The ending of each failure that an operator can act on, by its tag: classes of adapters would load their libraries. */
export const endings = {
  ConfigurationFault: ({ faults }: ConfigurationFault) => ending("configuration", ...faults),
  SecretMissing: ({ message }: SecretMissing) => ending("configuration", message),
  StoreUnavailable: (fault: StoreUnavailable) =>
    ending(isForbidden(fault) ? "configuration" : "unavailable", `The store ${storeFaultText(fault)}.`),
  KeyManagementUnavailable: ({ message }: KeyManagementUnavailable) => ending("unavailable", message),
  KeyManagementRefused: ({ message }: KeyManagementRefused) => ending("configuration", message),
  RedisUnavailable: (fault: RedisUnavailable) => ending("unavailable", `Redis ${redisFaultText(fault)}.`),
  DirectoryInUse: ({ message }: DirectoryInUse) => ending("unavailable", message),
  DirectoryUnusable: ({ message }: DirectoryUnusable) => ending("unavailable", message),
  BackupFailed: ({ message }: BackupFailed) => ending("failed", `${message}.`),
  DatabaseRefused: ({ lines }: DatabaseRefused) => ending("configuration", ...lines),
  ServeError: (fault: HttpServerError.ServeError) =>
    ending(
      "configuration",
      `listen: found ${reasonOf(fault)}, wanted an address of this machine and a free port (listen.host, listen.port, or SALLYPORT_PUBLIC_URL)`,
    ),
} as const

/** The ending of an expected failure; undefined for any other one. */
export const endingOf = (fault: unknown): Ending | undefined => {
  const { _tag } = Object(fault) as { readonly _tag?: unknown }
  if (typeof _tag !== "string" || !Object.hasOwn(endings, _tag)) return undefined
  return (endings[_tag as keyof typeof endings] as (fault: unknown) => Ending)(fault)
}

/** Whether a failure can be over without a change of the configuration. */
export const isUnavailable = (fault: unknown): boolean => endingOf(fault)?.code === codes.unavailable

/** Whether the database refused a statement because the role lacks rights: SQLSTATEs of PostgreSQL (3F000: on every schema), 13 of MongoDB. */
export const isForbidden = (fault: unknown): boolean => ["42501", "3F000", 13].some((code) => code === codeOf(fault))

/** Why a store cannot be used. A numeric code or an SQLSTATE is from the server itself, so the server was reached. */
export const storeFaultText = (fault: unknown, yet = "") => {
  const code = codeOf(fault)
  const isReached = typeof code === "number" || /^\d[0-9A-Z]{4}$/.test(String(code))
  return `cannot be ${isReached ? "used" : "reached"}${yet} (${reasonOf(fault)}; ${hintOf(fault)})`
}

const hintOf = (fault: unknown) => {
  if (codeOf(fault) === "3D000") return "create it, or change store.url or DATABASE_URL"
  return isForbidden(fault)
    ? "grant the right to the user of the database that store.url or DATABASE_URL names"
    : "store.url or DATABASE_URL names it"
}

/** Why Redis cannot be used. */
export const redisFaultText = (fault: unknown, yet = "") => `cannot be used${yet} (${reasonOf(fault)}; redis.url or REDIS_URL names it)`
