import type { ReadRecord } from "../../../application/import/record.ts"
import type { Attributes } from "../../../domain/attributes/attributes.ts"
import { isJsonObject } from "../../../domain/values/json.ts"
import type { Values } from "../fields.ts"

/** Settings that are needed to read the records of some systems. */
export interface Options {
  /** The password hash parameters of the Firebase project. */
  readonly firebase?: { readonly salt_separator: string; readonly rounds: number; readonly mem_cost: number; readonly signer_key: string }
  /** Whether bcrypt hashes of Devise have a pepper. */
  readonly peppered?: boolean
  /** The attributes of users that the configuration declares. */
  readonly attributes?: Attributes
}

/** The export of another system. */
export interface Source {
  /** Whether a record looks like one of this system. */
  readonly matches: (values: Values) => boolean
  readonly read: (values: Values, options: Options) => ReadRecord
}

/** A record that cannot be read. */
export const unreadable: ReadRecord = {
  record: null,
  issues: [{ field: "", code: "invalid_record" }],
  ignored: [],
  dropped: { factors: 0, identities: 0 },
}

/** Reads any value of a file. */
export const readBy = ({ read }: Source, value: unknown, options: Options): ReadRecord =>
  isJsonObject(value) ? read(value, options) : unreadable

/** The hash, under the name of its format in the other system. The report prints the name, so any other text becomes `unknown`. */
export const passwordOf = (format: string, hash: string | null) => ({
  password: { format: /^[A-Za-z0-9_.-]{1,40}$/.test(format) ? format : "unknown", hash },
})
