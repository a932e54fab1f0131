import type { AnyEndpoint } from "../../application/service/endpoint.ts"
import type { Handle } from "./guard.ts"
import type { Refuse } from "./refusals.ts"

/** What browsers get in place of JSON where they navigate to the service. The pages provide it (`../pages/navigation.ts`). */
export interface Browsers<R> {
  /** Answers a navigation to this endpoint; undefined if it gets JSON like any other request. */
  readonly endpoint: (endpoint: AnyEndpoint) => Handle<R> | undefined
  /** Answers a navigation to an unknown path; undefined if it gets JSON like any other request. */
  readonly unknown: (path: string) => Handle<R> | undefined
  /** Writes errors of the guard. */
  readonly refuse: Refuse
}
