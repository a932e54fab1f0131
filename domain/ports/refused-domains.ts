import { Context, Layer } from "effect"

/** Domains whose addresses are refused, such as those of disposable mailboxes. */
export class RefusedDomains extends Context.Service<
  RefusedDomains,
  {
    /** Whether a domain, in ASCII and lower case, is on a list. Its subdomains are not asked for here. */
    has(domain: string): boolean
  }
>()("sallyport/RefusedDomains") {}

/** Refuses no domain. */
export const layerNone = Layer.succeed(RefusedDomains, new Set<string>())
