import { DateTime, Effect, Option, Schema } from "effect"
import { CurrentPrincipal, ofPrincipal } from "../../../../domain/administration/principal.ts"
import { Forbidden, invalidMember } from "../../../../domain/errors.ts"
import { notices } from "../../../../domain/mail/notices.ts"
import { conflictIfTaken, insert, put, retryOnConflict, Store } from "../../../../domain/ports/store.ts"
import { revokeAll } from "../../../../domain/sessions/sessions.ts"
import { isBanned, isSuspended, suspension } from "../../../../domain/users/admin-metadata.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import type { AdminSettings } from "../administrators.ts"
import { TooMany } from "../errors.ts"
import { queued, targetsOf } from "../jobs/creation.ts"
import { roomInQueue } from "../jobs/queue.ts"
import { shownJob, WithJob } from "../jobs/shown.ts"
import { Jobs } from "../jobs/tables.ts"
import { notOneself } from "../oneself.ts"
import { decided } from "../users.ts"
import { keptVersion, type Rows, read, versionErrors } from "../versions.ts"
import { merged } from "./emails.ts"
import { requireUnprivileged } from "./moves.ts"
import { kept, MergedUsers } from "./table.ts"

const version = Schema.String.pipe(Schema.annotateKey({ description: "The `version` of `GET /admin/users/show`." }))

const Input = Schema.Struct({ from: Schema.String, into: Schema.String, from_version: version, into_version: version })

/** Fails unless both users can be merged: neither has a role, and the other user can sign in. */
const requireMergeable = Effect.fnUntraced(function* requireMergeable([former, formerMetadata]: Rows, [user, metadata]: Rows) {
  yield* requireUnprivileged(former.row, "from")
  yield* requireUnprivileged(user.row, "into")
  const now = yield* DateTime.now
  // A ban would become a suspension, which can be ended.
  if (Option.exists(formerMetadata, ({ row }) => isBanned(row, now) && !isSuspended(row, now)))
    return yield* invalidMember("from", "Expected a user who is not banned")
  if (Option.exists(metadata, ({ row }) => isBanned(row, now)))
    return yield* invalidMember("into", "Expected a user who is neither banned nor suspended")
})

/** The writes that suspend the former user, end the sessions of both, note the merge, and tell the other user. */
const suspended = Effect.fnUntraced(function* suspendFormer([former, metadata]: Rows, [user]: Rows) {
  const [from_id, into_id] = [former.row.id, user.row.id]
  const ban = { banned: true, ban_kind: suspension, ban_reason: `Merged into ${into_id}.`, ban_expires: null }
  const merged_at = yield* DateTime.now
  const noted = put(MergedUsers, { from_id, into_id, merged_at, expires_at: DateTime.addDuration(merged_at, kept) })
  const mails = yield* notices(user.row, () => merged)
  return [...(yield* revokeAll(former)), ...(yield* revokeAll(user)), yield* decided(former, metadata, ban), noted, ...mails]
})

/** The job that moves what the former user has. */
const jobOf = (into: string) =>
  queued({ operation: "merge", input: JSON.stringify({ into }), filter: null, total: null, on_error: "stop", dry_run: false })

const mergeUsers = (settings: AdminSettings) =>
  Endpoint.make({
    method: "POST",
    path: "/admin/users/merge",
    summary:
      "Suspends a user, ends the sessions of both, and starts a job that moves linked accounts, passkeys, memberships, consents and absent attributes to the other user. Needs `jobs:run` as well.",
    access: { permission: "users:merge" },
    input: Input,
    output: WithJob,
    errors: [...versionErrors, TooMany],
    takesReason: true,
    handler: Effect.fnUntraced(function* adminMergeUsers({ from, into, from_version, into_version }: typeof Input.Type) {
      if (!(yield* CurrentPrincipal).permissions.has("jobs:run")) return yield* new Forbidden()
      if (from === into) return yield* invalidMember("into", "Expected another user")
      yield* notOneself(from)
      yield* notOneself(into)
      const [former, user] = [yield* read({ id: from }), yield* read({ id: into })]
      const permitted = [...(yield* ofPrincipal(former[0].row)), ...(yield* ofPrincipal(user[0].row))]
      // The suspension writes what the version of the former user covers.
      yield* keptVersion(settings, former, from_version)
      const unchanged = yield* keptVersion(settings, user, into_version)
      yield* requireMergeable(former, user)
      const job = yield* jobOf(into)
      const added = [...(yield* roomInQueue), insert(Jobs, job), ...targetsOf(job, [from])]
      yield* conflictIfTaken((yield* Store).commit([...permitted, ...unchanged, ...(yield* suspended(former, user)), ...added]))
      return Endpoint.reply({ job: shownJob(job) })
    }, retryOnConflict),
  })

/** The endpoints that merge users. */
export const mergeEndpoints = (settings: AdminSettings) => [mergeUsers(settings)] as const
