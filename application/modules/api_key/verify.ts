import { Effect, Schema } from "effect"
import { everywhere } from "../../../domain/administration/grants.ts"
import { consume } from "../../../domain/limits/limits.ts"
import { Permissions } from "../../../domain/organizations/access-control.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { examine, type Live, type Refusal, refusals } from "./examine.ts"
import type { ApiKeySettings } from "./settings.ts"
import { Owner } from "./shown.ts"
import type { Uses } from "./uses.ts"

const Verdict = Schema.Struct({
  valid: Schema.Boolean,
  code: Schema.optionalKey(Schema.Literals(refusals).annotate({ identifier: "ApiKeyRefusal" })),
  key_id: Schema.optionalKey(Schema.String),
  owner: Schema.optionalKey(Owner),
  permissions: Schema.optionalKey(Schema.Array(Schema.String)),
  statement: Schema.optionalKey(Permissions).pipe(Schema.annotateKey({ description: "What a key of an organization may do in it now." })),
  expires_at: Schema.optionalKey(Schema.NullOr(Schema.DateTimeUtc)),
}).annotate({ identifier: "ApiKeyVerdict" })
type Verdict = typeof Verdict.Type

const refused = (code: Refusal) => Endpoint.reply<Verdict>({ valid: false, code })

/** The permissions of the application in a key, and those of the administration that its owner has now. */
const permissionsOf = ({ permissions: own }: ApiKeySettings, { key, held }: Live): ReadonlyArray<string> => [
  ...key.row.permissions.filter((permission) => own.includes(permission)),
  ...everywhere(held.grants),
]

/** Counts the use of a key; false if its budget is used up. */
const countUse = ({ per_minute: limit }: ApiKeySettings, key_id: string) =>
  consume({ name: "api_key", limit, window: 60 }, key_id).pipe(
    Effect.as(true),
    Effect.catch(() => Effect.succeed(false)),
  )

export const verify = (settings: ApiKeySettings, uses: Uses) =>
  Endpoint.make({
    method: "POST",
    path: "/api-key/verify",
    summary: "Whether a key that another service received is valid now, for a caller from this address, with these permissions.",
    access: { permission: "api_keys:verify" },
    input: Schema.Struct({
      key: Schema.String.check(Schema.isMaxLength(200)),
      permissions: Schema.optionalKey(Schema.Array(Schema.String).check(Schema.isMaxLength(250))),
      address: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(45))),
    }),
    output: Verdict,
    handler: Effect.fnUntraced(function* apiKeyVerify({ key: text, permissions: needed = [], address = null }) {
      const live = yield* examine(settings, text, address)
      if (typeof live === "string") return refused(live)
      const permissions = permissionsOf(settings, live)
      if (!needed.every((permission) => permissions.includes(permission))) return refused("permission")
      const { id, owner_kind, owner_id, expires_at } = live.key.row
      if (!(yield* countUse(settings, id))) return refused("budget")
      yield* uses.note(id, address)
      const owner = { kind: owner_kind, id: owner_id }
      const { organization } = live.held
      const statement = organization === undefined ? {} : { statement: organization.statement }
      return Endpoint.reply<Verdict>({ valid: true, key_id: id, owner, permissions, ...statement, expires_at })
    }),
  })
