import { Effect, Schema } from "effect"
import { ofPrincipal } from "../../../../domain/administration/principal.ts"
import { IdempotencyKeyReused } from "../../../../domain/errors.ts"
import { tables as outboxTables } from "../../../../domain/mail/outbox-tables.ts"
import { Policies } from "../../../../domain/policies.ts"
import { commitOrConflict, retryOnConflict } from "../../../../domain/ports/store.ts"
import { sealedCounts } from "../../../../domain/secrets/sealed-counts.ts"
import { ShownKey } from "../../../../domain/tokens/shown-key.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { IdempotencyKey, idempotent, type Keep } from "../../../service/idempotency.ts"

const list = Endpoint.make({
  method: "GET",
  path: "/admin/keys/list",
  summary: "The keys that sign tokens, without their private parts.",
  access: { permission: "keys:rotate" },
  output: Schema.Struct({ keys: Schema.Array(ShownKey) }),
  handler: Effect.fnUntraced(function* adminListKeys() {
    const keys = yield* (yield* Policies).signingKeys
    return Endpoint.reply({ keys: keys.toSorted(byUse) })
  }),
})

const order = ["next", "current", "former"]
const byUse = (one: ShownKey, other: ShownKey) =>
  one.use.localeCompare(other.use) ||
  one.algorithm.localeCompare(other.algorithm) ||
  order.indexOf(one.state) - order.indexOf(other.state) ||
  (other.from?.epochMilliseconds ?? 0) - (one.from?.epochMilliseconds ?? 0)

const Rotated = Schema.Struct({ added: Schema.Array(Schema.String) })

const rotate = Endpoint.make({
  method: "POST",
  path: "/admin/keys/rotate",
  summary:
    "Publishes the next signing keys, which sign after a day, and returns their ids. Adds none while such keys are published. Keys that are derived from the secret change with it.",
  access: { permission: "keys:rotate" },
  input: Schema.Struct(IdempotencyKey),
  output: Rotated,
  errors: [IdempotencyKeyReused],
  takesReason: true,
  handler: idempotent(
    Rotated,
    Effect.fnUntraced(function* adminRotateKeys(_: object, keep: Keep<typeof Rotated.Type>) {
      const unchanged = yield* ofPrincipal(null)
      const rotations = yield* (yield* Policies).keyRotations
      const answer = { added: rotations.flatMap(({ added }) => added) }
      yield* commitOrConflict([...unchanged, ...(yield* keep(answer)), ...rotations.flatMap(({ writes }) => writes)])
      yield* Effect.forEach(rotations, ({ published }) => published, { discard: true })
      return Endpoint.reply(answer)
    }, retryOnConflict),
  ),
})

/** About this many values of a column are counted under each secret: a request reads no more pages. */
const mostCounted = 1000

const ShownSecret = Schema.Struct({
  id: Schema.NullOr(Schema.String).pipe(Schema.annotateKey({ description: "Null for values of earlier versions, which have none." })),
  state: Schema.Literals(["current", "former"]).annotate({ identifier: "SecretState" }),
  rows: Schema.Int,
  capped: Schema.Boolean.pipe(Schema.annotateKey({ description: `Whether there are more: about ${mostCounted} of a column are counted.` })),
}).annotate({ identifier: "ServiceSecret" })

const secrets = Endpoint.make({
  method: "GET",
  path: "/admin/keys/secrets",
  summary: "The secrets of the service by id, the newest first, and how many stored values each of them encrypts.",
  access: { permission: "keys:rotate" },
  output: Schema.Struct({ secrets: Schema.Array(ShownSecret) }),
  handler: Effect.fnUntraced(function* adminListSecrets() {
    const { tables } = yield* Policies
    const counts = yield* sealedCounts([...tables, ...outboxTables], mostCounted)
    const shown = counts.filter(({ id, count }) => id !== null || count > 0)
    const secrets = shown.map(({ id, count, more }, at): typeof ShownSecret.Type => {
      const state = at === 0 ? "current" : "former"
      return { id, state, rows: count, capped: more }
    })
    return Endpoint.reply({ secrets })
  }),
})

export const keyEndpoints = [list, rotate, secrets] as const
