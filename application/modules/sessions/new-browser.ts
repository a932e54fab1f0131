import { DateTime, Effect, Option, Schema } from "effect"
import { isKnownBrowser } from "../../../domain/limits/known-device.ts"
import { mayNotifyOfSignIn } from "../../../domain/limits/messages.ts"
import { notices } from "../../../domain/mail/notices.ts"
import type { OpenedSession } from "../../../domain/policies.ts"
import { find, put, Store } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { Settings } from "../../../domain/settings.ts"
import { Users } from "../../../domain/users/tables.ts"
import * as Emails from "./emails.ts"

/** A row for each user who has had a session. Sessions expire, so they do not tell a first sign-in from a later one. */
export const BrowserHistories = Table.make("browser_history", Schema.Struct({ user_id: Schema.String, created_at: Schema.DateTimeUtc }), {
  key: "user_id",
  references: { user_id: Users },
  data: { personal: ["created_at"], other: ["user_id"] },
})

/** Whether the user has proved who they are to an account that existed before. A guest has nothing that another person could prove. */
const isSignIn = ({ proof, began, user }: OpenedSession) =>
  proof !== "registration" && proof !== "session" && proof !== "hand_off" && !began.is_sign_up && !user.is_guest

/** Adds a mail to the commit of a sign-in from a browser that the user has not signed in with before. */
export const newBrowserNotice = Effect.fnUntraced(function* newBrowserNotice(opened: OpenedSession) {
  if (!(yield* Settings).session.notify_new_browser) return { writes: [] }
  const { user, session } = opened
  const history = yield* find(BrowserHistories, { user_id: user.id })
  const noted = Option.isSome(history) ? [] : [put(BrowserHistories, { user_id: user.id, created_at: yield* DateTime.now })]
  if (!isSignIn(opened) || (yield* isKnownBrowser(user.id))) return { writes: noted }
  if (Option.isNone(history) && !(yield* hasSession(user.id))) return { writes: noted }
  if (!(yield* mayNotifyOfSignIn(user.email))) return { writes: noted }
  return { writes: [...noted, ...(yield* notices(user, () => Emails.newBrowser(session.ip_address)))] }
})

/** Of a user from the time before `notify_new_browser`. */
const hasSession = Effect.fnUntraced(function* hasSession(user_id: string) {
  return (yield* (yield* Store).list(Sessions, { user_id }, { limit: 1 })).length > 0
})
