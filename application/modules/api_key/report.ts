import { Effect, Option, Schema } from "effect"
import { notices } from "../../../domain/mail/notices.ts"
import { retryOnConflict, Store } from "../../../domain/ports/store.ts"
import { Users } from "../../../domain/users/tables.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { Success, succeeded } from "../../service/endpoint.ts"
import { apiKeyReported } from "./emails.ts"
import { readKey } from "./examine.ts"
import { revoked } from "./keys.ts"
import type { ApiKeySettings } from "./settings.ts"

/** Ends the key with this text, and informs the user who owns it. */
const end = Effect.fnUntraced(function* endReportedKey(settings: ApiKeySettings, text: string) {
  const found = yield* readKey(settings, text)
  if (Option.isNone(found)) return
  const [, key] = found.value
  if (key.row.revoked_at !== null) return
  const { read, commit } = yield* Store
  const user = key.row.user_id === null ? Option.none() : yield* read(Users, { id: key.row.user_id })
  const mails = Option.isNone(user) ? [] : yield* notices(user.value.row, () => apiKeyReported)
  yield* Effect.orDie(commit([yield* revoked(key), ...mails]))
}, retryOnConflict)

/** Every caller with the text of a key could use it, so every one may end it: finders of leaked keys have no account here. */
export const report = (settings: ApiKeySettings) =>
  Endpoint.make({
    method: "POST",
    path: "/api-key/report",
    summary: "Ends keys that were found in public. The answer is the same for texts that are no keys.",
    access: "public",
    input: Schema.Struct({ keys: Schema.Array(Schema.String.check(Schema.isMaxLength(200))).check(Schema.isMaxLength(100)) }),
    output: Success,
    handler: Effect.fnUntraced(function* apiKeyReport({ keys }) {
      for (const text of new Set(keys)) yield* end(settings, text)
      return Endpoint.reply(succeeded)
    }),
  })
