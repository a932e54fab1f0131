import { Array, Effect } from "effect"
import { retryOnConflict } from "../../../../domain/ports/store.ts"
import type { Client } from "../clients/client.ts"
import type { Confirmation } from "../clients/confirmation.ts"
import { UnsupportedGrantType } from "../errors.ts"
import { missing } from "../parameters.ts"
import type { Settings } from "../settings.ts"
import type { Tokens } from "../tokens/issued-tokens.ts"

/** The parameters of a token request, and the key and certificate that the request proves. */
export type Presented<Required extends string, Optional extends string> = Confirmation & {
  readonly [N in Required]: string
} & { readonly [N in Optional]?: string }

/** One way to get tokens from the token endpoint (RFC 6749 section 1.3). */
interface Grant<Required extends string, Optional extends string, E, R> {
  /** The value of `grant_type`. */
  readonly type: string
  /** Whether the client may use the grant, if that does not depend on the grants that it is registered for. */
  readonly isPermitted?: (client: Client) => boolean
  readonly required: ReadonlyArray<Required>
  readonly optional: ReadonlyArray<Optional>
  /** Answers the request of an authenticated client. Runs again after a conflict with a concurrent request. */
  readonly issue: (settings: Settings, client: Client, presented: Presented<Required, Optional>) => Effect.Effect<Tokens, E, R>
}

/** A grant with `answer`, which refuses clients that may not use it and requests without its parameters. */
export const make = <const Required extends string, const Optional extends string, E, R>({
  type,
  isPermitted,
  required,
  optional,
  issue,
}: Grant<Required, Optional, E, R>) => ({
  type,
  parameters: [...required, ...optional],
  answer: Effect.fnUntraced(function* answer(settings: Settings, client: Client, presented: Presented<never, Required | Optional>) {
    if (!(isPermitted?.(client) ?? Array.contains<string>(client.grant_types, type))) return yield* new UnsupportedGrantType()
    const absent = required.find((name) => presented[name] === undefined)
    if (absent !== undefined) return yield* missing(absent)
    return yield* retryOnConflict(issue(settings, client, presented as Presented<Required, Optional>))
  }),
})
