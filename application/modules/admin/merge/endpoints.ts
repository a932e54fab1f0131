import { DateTime, Effect, Option, Schema } from "effect"
import { CurrentPrincipal, ofPrincipal } from "../../../../domain/administration/principal.ts"
import { Forbidden, invalidMember } from "../../../../domain/errors.ts"
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
import { keptVersion, read, versionErrors } from "../versions.ts"
import { requireUnprivileged } from "./moves.ts"
import { kept, MergedUsers } from "./table.ts"

const version = Schema.String.pipe(Schema.annotateKey({ description: "The `version` of `GET /admin/users/show`." }))

const Input = Schema.Struct({ from: Schema.String, into: Schema.String, from_version: version, into_version: version })

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
    handler: Effect.fnUntraced(function* adminMergeUsers({ from, into, from_version, into_version }: typeof Input.Type) {
      if (!(yield* CurrentPrincipal).permissions.has("jobs:run")) return yield* new Forbidden()
      if (from === into) return yield* invalidMember("into", "Expected another user")
      yield* notOneself(from)
      yield* notOneself(into)
      const [formerRows, rows] = [yield* read({ id: from }), yield* read({ id: into })]
      const [[former, metadata], [user]] = [formerRows, rows]
      const unchanged = [
        ...(yield* ofPrincipal(former.row)),
        ...(yield* ofPrincipal(user.row)),
        ...(yield* keptVersion(settings, rows, into_version)),
      ]
      yield* keptVersion(settings, formerRows, from_version)
      yield* requireUnprivileged(former.row, "from")
      yield* requireUnprivileged(user.row, "into")
      const merged_at = yield* DateTime.now
      if (Option.exists(metadata, ({ row }) => isBanned(row, merged_at) && !isSuspended(row, merged_at)))
        return yield* invalidMember("from", "Expected a user who is not banned")
      const ban = { banned: true, ban_kind: suspension, ban_reason: `Merged into ${into}.`, ban_expires: null }
      const ended = [...(yield* revokeAll(former)), ...(yield* revokeAll(user)), yield* decided(former, metadata, ban)]
      const job = yield* queued({
        operation: "merge",
        input: JSON.stringify({ into }),
        filter: null,
        total: null,
        on_error: "stop",
        dry_run: false,
      })
      const merged = put(MergedUsers, { from_id: from, into_id: into, merged_at, expires_at: DateTime.addDuration(merged_at, kept) })
      const added = [merged, insert(Jobs, job), ...targetsOf(job, [from])]
      yield* conflictIfTaken((yield* Store).commit([...unchanged, ...(yield* roomInQueue), ...ended, ...added]))
      return Endpoint.reply({ job: shownJob(job) })
    }, retryOnConflict),
  })

/** The endpoints that merge users. */
export const mergeEndpoints = (settings: AdminSettings) => [mergeUsers(settings)] as const
