import { Context } from "effect"

/**
 * How long the work for one request may still wait for the store, in milliseconds, of how long in total: a request has several statements,
 * and each of them could wait for its own limit. Work without a request has no such limit.
 */
export interface Budget {
  left: number
  readonly limit: number
}

export const StoreBudget = Context.Reference<Budget>("sallyport/StoreBudget", {
  defaultValue: () => ({ left: Number.POSITIVE_INFINITY, limit: Number.POSITIVE_INFINITY }),
})
