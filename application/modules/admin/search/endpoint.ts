import { Effect, Schema } from "effect"
import { CurrentPrincipal, isAdmitted } from "../../../../domain/administration/principal.ts"
import { Hit, maxHits } from "../../../../domain/administration/search.ts"
import { Policies } from "../../../../domain/policies.ts"
import { Text } from "../../../../domain/values/text.ts"
import * as Endpoint from "../../../service/endpoint.ts"

const Hits = Schema.optionalKey(Schema.Array(Hit))

/** What begins with a text, of each kind that the caller may read. */
export const search = Endpoint.make({
  method: "GET",
  path: "/admin/search",
  summary: `Users, organizations and clients by the beginning of a text, at most ${maxHits} of each kind; without those that the caller may not read.`,
  access: { permission: null },
  input: Schema.Struct({
    q: Text.check(Schema.isPattern(/\S.*\S/su, { expected: "at least 2 characters" }), Schema.isMaxLength(254)).pipe(
      Schema.annotateKey({ description: "As `search` of `/admin/users/list`; also the beginning of a name, a slug or a client's id." }),
    ),
  }),
  output: Schema.Struct({ users: Hits, organizations: Hits, clients: Hits }),
  handler: Effect.fnUntraced(function* adminSearch({ q }) {
    const principal = yield* CurrentPrincipal
    const permitted = (yield* Policies).searches.filter((kind) => isAdmitted(principal.grants, kind))
    // The reach of the caller depends on the permission.
    const hits = ({ kind, permission, find }: (typeof permitted)[number]) =>
      Effect.map(Effect.provideService(find(q), CurrentPrincipal, { ...principal, permission }), (found) => [kind, found] as const)
    return Endpoint.reply(Object.fromEntries(yield* Effect.forEach(permitted, hits, { concurrency: permitted.length })))
  }),
})
