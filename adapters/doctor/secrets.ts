import { Effect } from "effect"
import { KeyManagement } from "../../domain/ports/key-management.ts"
import type { SealedCount } from "../../domain/secrets/sealed-counts.ts"
import { missingSecretMessage, type Unreadable } from "../../domain/secrets/sealing.ts"
import type { Configuration } from "../config/load.ts"
import * as KeyManagements from "../key-management/layer.ts"

/** Read-only queries about the sealed values of a database; the tables must be up to date. */
export interface SealedView {
  /** Encrypted values that none of the configured secrets decrypts. */
  readonly unreadable: Effect.Effect<ReadonlyArray<Unreadable>, unknown>
  /** How many values each configured secret encrypts. */
  readonly sealedCounts: Effect.Effect<ReadonlyArray<SealedCount>, unknown>
}

/** What a database says about the sealed values in it. */
export type Sealed = readonly [unreadable: ReadonlyArray<Unreadable>, counts: ReadonlyArray<SealedCount>]

/** Reads the sealed values of a database whose tables are up to date. */
export const sealedIn = ({ unreadable, sealedCounts }: SealedView): Effect.Effect<Sealed, unknown> =>
  // A statement that the database refuses is a defect of the store.
  Effect.catchDefect(Effect.zip(unreadable, sealedCounts), Effect.fail)

/** Checks the secrets, and the values that they encrypt. */
export const secretCheck = Effect.fnUntraced(function* secretCheck({ secrets }: Configuration, sealed: Effect.Effect<Sealed, unknown>) {
  const { length } = yield* Effect.mapError(secrets, ({ message }) => message)
  const enough = length === 1 ? "long enough" : `all ${length} are long enough`
  // The check of the store reports why it cannot be read.
  const [missing, counts] = yield* Effect.orElseSucceed(sealed, (): Sealed => [[], []])
  return missing.length > 0 ? yield* Effect.fail(missingSecretMessage(missing)) : `${enough}${countsText(counts)}`
})

/** The number of values for each secret: an older secret that still has values must stay listed. */
const countsText = (counts: ReadonlyArray<SealedCount>): string => {
  const shown = counts.filter(({ id, count }) => id !== null || count > 0)
  if (shown.length < 2 && !shown.some(({ count }) => count > 0)) return ""
  const texts = shown.map(
    ({ id, count, more }) => `${count}${more ? " or more" : ""} ${id === null ? "without a key id" : `under the key ${id}`}`,
  )
  const isOlderUsed = shown.slice(1).some(({ count }) => count > 0)
  return `; stored values: ${texts.join(", ")}${isOlderUsed ? "; run `npm start -- secret rotate` before you remove an older secret" : ""}`
}

/** Checks the key that wraps the secrets. */
export const keyManagementCheck = (configuration: Configuration): Effect.Effect<string, string> =>
  Effect.flatMap(KeyManagement, ({ health }) => health).pipe(
    Effect.provide(KeyManagements.layer(configuration)),
    Effect.map((health) => `${health}${plainText(configuration)}`),
    Effect.mapError(({ message }) => message),
  )

const plainText = ({ plainSecrets }: Configuration) => {
  if (plainSecrets === 0) return ""
  return `; ${plainSecrets} ${plainSecrets === 1 ? "secret is" : "secrets are"} not wrapped (\`npm -s start -- secret rewrap\` wraps all)`
}
