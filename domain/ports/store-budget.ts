import { Context } from "effect"

/**
 * How long the work for one request may still wait for the store, in milliseconds: a request has several statements, and each of them could
 * wait for its own limit. Work without a request has no such limit.
 */
export const StoreBudget = Context.Reference<{ left: number }>("sallyport/StoreBudget", {
  defaultValue: () => ({ left: Number.POSITIVE_INFINITY }),
})
