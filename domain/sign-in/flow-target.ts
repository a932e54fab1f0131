import { Context } from "effect"

/**
 * The address to which the pages of the service lead the caller after a proof of identity. Null if they lead to none; undefined if the
 * caller uses other pages, or none.
 */
export const FlowTarget = Context.Reference<string | null | undefined>("sallyport/FlowTarget", { defaultValue: () => undefined })
