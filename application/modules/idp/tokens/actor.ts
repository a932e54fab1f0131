import { Effect, Schema } from "effect"
import { subjectOf } from "../claims/subject.ts"
import type { Client } from "../clients/client.ts"

/** A party that acts for the user of a token: another user, or a client (RFC 8693 section 1.1). */
export const Actor = Schema.Struct({ kind: Schema.Literals(["user", "client"]), id: Schema.String })
export type Actor = typeof Actor.Type

/** The claim `act`. A prior actor is nested in the one that followed it (RFC 8693 section 4.1). */
interface Act {
  readonly [member: string]: unknown
  readonly sub: string
  readonly act?: Act
}

/** The claim `act` of a client's token, from the actors with the current one first; none without actors. */
export const actClaim = Effect.fnUntraced(function* actClaim(client: Client, actors: ReadonlyArray<Actor> | null) {
  let nested: { readonly act?: Act } = {}
  for (const { kind, id } of (actors ?? []).toReversed()) {
    nested = { act: { sub: kind === "user" ? yield* subjectOf(client, id) : id, ...nested } }
  }
  return nested
})
