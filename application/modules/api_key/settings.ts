import { Schema } from "effect"
import { permissions } from "../../../domain/administration/permissions.ts"
import { between, flag, orElse } from "../../../domain/settings.ts"
import type { Fault } from "../../service/module.ts"

const Application = Schema.String.check(
  Schema.isPattern(/^[a-z][a-z0-9_.-]{0,63}(:[a-z][a-z0-9_.-]{0,63})?$/, { expected: "a permission such as reports:read" }),
)

export const ApiKeySettings = Schema.Struct({
  prefix: Schema.String.check(Schema.isPattern(/^[a-z][a-z0-9]{1,11}$/, { expected: "2 to 12 small letters and digits" })).pipe(
    orElse("spk", "The beginning of every key. Another value ends the keys that exist."),
  ),
  permissions: Schema.Array(Application)
    .check(Schema.isMaxLength(200))
    .pipe(orElse([], "The permissions of your application that keys can have, such as `reports:read`.")),
  default_days: between(1, 3650).pipe(orElse(90, "Days after which a key ends, if its owner chooses no end.")),
  max_days: between(1, 3650).pipe(orElse(365, "The longest lifetime of a key in days.")),
  allow_unlimited: flag("Whether keys can be without an end."),
  per_minute: between(1, 1_000_000).pipe(orElse(600, "How often one key is verified in a minute (`POST /api-key/verify`).")),
  browsers: flag("Whether requests of browsers can have a key."),
})
export type ApiKeySettings = typeof ApiKeySettings.Type

/** Rejects permissions that the administration has, and repeated ones. */
export const faults = ({ permissions: own, default_days, max_days }: ApiKeySettings): ReadonlyArray<Fault> => [
  ...own.flatMap((permission, at) => {
    if (permissions.some((known) => known === permission))
      return [{ path: ["permissions", at], wanted: "a permission that the administration does not have" }]
    return own.indexOf(permission) === at ? [] : [{ path: ["permissions", at], wanted: "each permission once" }]
  }),
  ...(default_days <= max_days ? [] : [{ path: ["default_days"], wanted: "at most max_days" }]),
]
