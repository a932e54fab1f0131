import { Data } from "effect"

/** A record of a file, before a source reads it. */
export interface RawRecord {
  /** The line on which it begins. */
  readonly line: number
  /** The text in the file of refused records. */
  readonly raw: string
  /** Undefined for a record that is not well-formed. */
  readonly value: unknown
}

/** A file that cannot be read further. The reason has no value of the file. */
export class FileFault extends Data.TaggedError("FileFault")<{ readonly reason: string }> {}

/** The maximum size of one record in characters. The reader keeps a whole record in memory. */
export const max_record = 1_048_576

export const tooLarge = (line: number) => new FileFault({ reason: `line ${line}: the record is larger than ${max_record} bytes` })

/** The text before, between and after the records of a file. */
export interface Frame {
  readonly header: string
  readonly separator: string
  readonly footer: string
}
