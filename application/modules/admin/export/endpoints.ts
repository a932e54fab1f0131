import { DateTime, Duration, Effect, Option, Schema } from "effect"
import { ofPrincipal } from "../../../../domain/administration/principal.ts"
import { readerOfPrincipal } from "../../../../domain/attributes/administrators.ts"
import type { Reader } from "../../../../domain/attributes/attributes.ts"
import { InvalidToken, RateLimited, Unauthorized, UserNotFound } from "../../../../domain/errors.ts"
import { notices } from "../../../../domain/mail/notices.ts"
import { check, replace, retryOnConflict, Store, type Versioned, type Write } from "../../../../domain/ports/store.ts"
import { rereadSession } from "../../../../domain/sessions/sessions.ts"
import { Settings } from "../../../../domain/settings.ts"
import { randomToken } from "../../../../domain/tokens/keys.ts"
import { Users } from "../../../../domain/users/tables.ts"
import type { StoredUser } from "../../../../domain/users/user.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { steppedUp } from "../../../service/guards.ts"
import { limitUpTo } from "../../../service/paging.ts"
import { read } from "../versions.ts"
import { Exported, store, taken } from "./chunks.ts"
import { exported } from "./emails.ts"
import { UserExports } from "./tables.ts"

const kept = Duration.days(7)
/** Between two exports that a user asks for. */
const pause = Duration.days(1)

const Download = Schema.Struct({
  url: Schema.String.pipe(Schema.annotateKey({ description: "Opens once, without a session." })),
  expires_at: Schema.DateTimeUtc,
})

const downloadPath = "/account/export/download"

/** Notes the export of a user, and tells them. Of two that a user asks for at once, one is refused. */
const noted = Effect.fnUntraced(function* notedExport(user: Versioned<StoredUser>, isOwn: boolean, unchanged: ReadonlyArray<Write>) {
  const user_id = user.row.id
  const { commit, read } = yield* Store
  const before = yield* read(UserExports, { user_id })
  const now = yield* DateTime.now
  const last = Option.match(before, { onNone: () => null, onSome: ({ row }) => row.own_at })
  const wait = last === null ? 0 : Duration.toSeconds(DateTime.distance(now, DateTime.addDuration(last, pause)))
  if (isOwn && wait > 0) return yield* new RateLimited({ retryAfter: Math.ceil(wait) })
  const row = { user_id, exported_at: now, own_at: isOwn ? now : last }
  const mails = yield* notices(user.row, () => exported)
  yield* commit([...unchanged, check(Users, user), replace(UserExports, before, row), ...mails])
})

/** Stores the data of a user for one download. */
const downloadOf = Effect.fnUntraced(function* downloadOf(user_id: string, reader: Reader) {
  const { public_url, base_path } = yield* Settings
  const token = yield* randomToken
  const expires_at = DateTime.addDuration(yield* DateTime.now, kept)
  yield* store({ token, user_id, reader, expires_at })
  return { url: `${public_url}${base_path}${downloadPath}?token=${token}`, expires_at }
})

const exportUser = Endpoint.make({
  method: "POST",
  path: "/admin/users/export",
  summary: "Prepares all personal data of a user for one download within 7 days, without secrets, and tells the user by mail.",
  access: { permission: "users:export" },
  input: Schema.Struct({ user_id: Schema.String }),
  output: Download,
  errors: [UserNotFound],
  takesReason: true,
  handler: Effect.fnUntraced(function* adminExportUser({ user_id }) {
    const noting = Effect.gen(function* noteExport() {
      const [user] = yield* read({ id: user_id })
      yield* noted(user, false, yield* ofPrincipal(user.row))
    })
    yield* retryOnConflict(noting)
    return Endpoint.reply(yield* downloadOf(user_id, yield* readerOfPrincipal))
  }),
})

const exportOwn = Endpoint.make({
  method: "POST",
  path: "/account/export",
  summary: "Prepares all personal data of the caller for one download within 7 days, without secrets; once a day.",
  ...steppedUp,
  output: Download,
  handler: Effect.fnUntraced(function* accountExport() {
    const noting = Effect.gen(function* noteExport() {
      const { session, user } = yield* rereadSession
      yield* noted(user, true, [])
      return session.row.user_id
    })
    const download = downloadOf(yield* retryOnConflict(noting), "user")
    return Endpoint.reply(yield* Effect.catchTag(download, "user_not_found", () => new Unauthorized()))
  }),
})

const download = Endpoint.make({
  method: "GET",
  path: downloadPath,
  summary: "A part of an export, as rows by table, once. The number of the next part is null in the last one.",
  access: "public",
  input: Schema.Struct({ token: Schema.String, part: limitUpTo(9999) }),
  output: Schema.Struct({ tables: Exported, next_part: Schema.NullOr(Schema.Int) }),
  errors: [InvalidToken],
  protocol: {},
  handler: Effect.fnUntraced(function* accountExportDownload({ token, part = 1 }) {
    const { tables, isLast } = yield* taken(token, part)
    const fields = { "content-disposition": `attachment; filename="export-${part}.json"` }
    return { ...Endpoint.reply({ tables, next_part: isLast ? null : part + 1 }), fields }
  }),
})

/** The endpoints that export users. */
export const exportEndpoints = [exportUser, exportOwn, download] as const
