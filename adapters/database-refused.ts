import { Data } from "effect"

/** The database does not have the required state, and only its owner can decide on the change. */
export class DatabaseRefused extends Data.TaggedError("DatabaseRefused")<{
  readonly reason: string
  /** The statement to run after that decision; undefined if the reason says what to do. */
  readonly statement?: string
}> {
  override get message() {
    if (this.statement === undefined) return this.reason
    return `${this.reason}. Sallyport does not change this by itself; to make the change, run: ${this.statement}`
  }
}
