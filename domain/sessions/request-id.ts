import { Context } from "effect"

/** The id of the request that is being answered, which its response contains as `x-request-id`. Null outside a request. */
export const RequestId = Context.Reference<string | null>("sallyport/RequestId", { defaultValue: () => null })
