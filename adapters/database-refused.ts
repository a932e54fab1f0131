import { Data } from "effect"

interface Refusal {
  readonly reason: string
  /** The statement to run after the decision; undefined if the reason says what to do. */
  readonly statement?: string | undefined
}

/** The database does not have the required state, and only its owner can decide on the changes. */
export class DatabaseRefused extends Data.TaggedError("DatabaseRefused")<{ readonly refusals: ReadonlyArray<Refusal> }> {
  static because(reason: string, statement?: string): DatabaseRefused {
    return new DatabaseRefused({ refusals: [{ reason, statement }] })
  }

  /** Fails with all refusals among planned changes. */
  static among(changes: ReadonlyArray<{ readonly statement: string; readonly refusal?: string }>): DatabaseRefused | undefined {
    const refusals = changes.flatMap(({ statement, refusal }) => (refusal === undefined ? [] : [{ reason: refusal, statement }]))
    return refusals.length === 0 ? undefined : new DatabaseRefused({ refusals })
  }

  get lines(): ReadonlyArray<string> {
    return this.refusals.map(({ reason, statement }) =>
      statement === undefined ? reason : `${reason}. Sallyport does not change this by itself; to make the change, run: ${statement}`,
    )
  }

  override get message() {
    return this.lines.join("\n")
  }
}
