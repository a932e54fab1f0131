import { DateTime, Effect, Stream } from "effect"
import type { Authority } from "../../../../domain/administration/principal.ts"
import { UserNotFound } from "../../../../domain/errors.ts"
import type { Party } from "../../../../domain/events/security-event.ts"
import { notices } from "../../../../domain/mail/notices.ts"
import { messageRemovals } from "../../../../domain/mail/outbox-removal.ts"
import { Policies } from "../../../../domain/policies.ts"
import { orFail, put, removeAll, retryOnConflict, Store } from "../../../../domain/ports/store.ts"
import { accountsOf } from "../../../../domain/sign-in/linked-accounts.ts"
import { userRemovalWrites } from "../../../../domain/users/before-user-removal.ts"
import { phoneProvider } from "../../../../domain/users/credential-account.ts"
import { type Owned, ownedTables, rowsOfUser } from "../../../../domain/users/owned-rows.ts"
import { Users } from "../../../../domain/users/tables.ts"
import { noticeAddresses, type StoredUser } from "../../../../domain/users/user.ts"
import { JobFailures } from "../jobs/tables.ts"
import { erased } from "./emails.ts"
import { ErasureReceipts } from "./tables.ts"

/** The rows of a user, by table. */
const countsOf = Effect.fnUntraced(function* countsOf(user_id: string) {
  const countOf = (owned: Owned) => Effect.map(Stream.runCount(rowsOfUser(owned, user_id)), (count) => [owned.table.name, count] as const)
  const counts = yield* Effect.forEach(ownedTables((yield* Policies).tables), countOf, { concurrency: 4 })
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
})

/** The addresses that the user proved: rows with another one may be those of its owner. */
const provenAddresses = ({ email, email_verified, last_verified_email }: StoredUser) => [
  ...(email_verified ? [email] : []),
  ...(last_verified_email === null ? [] : [last_verified_email]),
]

/** The writes that remove what names the user without a reference: messages, codes, invitations and failures of jobs. */
const traceRemovals = Effect.fnUntraced(function* traceRemovals(user: StoredUser) {
  const { tables } = yield* Policies
  const numbers = (yield* accountsOf(user.id)).flatMap(({ provider_id, account_id }) => (provider_id === phoneProvider ? [account_id] : []))
  const proven = [...provenAddresses(user), ...numbers]
  const addressed = tables.flatMap((table) => {
    const { address } = table.data
    return address === undefined ? [] : proven.map((text) => removeAll(table, { [address]: text }))
  })
  const failures = tables.includes(JobFailures) ? [removeAll(JobFailures, { user_id: user.id })] : []
  return [...(yield* messageRemovals([...noticeAddresses(user), ...numbers])), ...addressed, ...failures]
})

interface Erasing<R, E extends string> {
  readonly by: Party
  /** Its writes are part of the commit. */
  readonly may: Authority<R, E>
  /** Whether a mail tells the user. */
  readonly isTold: boolean
}

/** Removes a user, what belongs to them and what names them, and leaves a receipt. The audit log erases its records later. */
export const erase = Effect.fnUntraced(function* eraseUser<R, E extends string>(user_id: string, erasing: Erasing<R, E>) {
  const { by, may, isTold } = erasing
  const { commit, read } = yield* Store
  const user = yield* orFail(read(Users, { id: user_id }), () => new UserNotFound())
  const unchanged = yield* may(user.row)
  const receipt = { user_id, rows: yield* countsOf(user_id), erased_at: yield* DateTime.now, erased_by: by }
  const removed = [...(yield* userRemovalWrites(user)), ...(yield* traceRemovals(user.row))]
  const mails = isTold ? yield* notices(user.row, () => erased) : []
  yield* commit([...unchanged, ...removed, put(ErasureReceipts, receipt), ...mails])
}, retryOnConflict)

/** Whether the service erases users: otherwise the receipts have no table. */
export const hasErasures = Effect.map(Policies, ({ tables }) => tables.includes(ErasureReceipts))
