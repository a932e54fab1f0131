import { Duration, Effect, Option } from "effect"
import { isKnownBrowser, isKnownSince } from "../../../domain/limits/known-device.ts"
import { mayNotifyOfSignIn } from "../../../domain/limits/messages.ts"
import { link } from "../../../domain/mail/links.ts"
import { mail } from "../../../domain/mail/writing.ts"
import type { OpenedSession } from "../../../domain/policies.ts"
import { find, put, Store } from "../../../domain/ports/store.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { Settings } from "../../../domain/settings.ts"
import { noticeAddresses } from "../../../domain/users/user.ts"
import * as Emails from "./emails.ts"
import { alertTokens, BrowserHistories } from "./tables.ts"

/** Whether the user has proved who they are to an account that existed before. A guest has nothing that another person could prove. */
const isSignIn = ({ proof, began, user }: OpenedSession) =>
  proof !== "registration" && proof !== "session" && proof !== "hand_off" && !began.is_sign_up && !user.is_guest

/** Adds a mail to the commit of a sign-in from a browser that the user has not signed in with before. */
export const newBrowserNotice = Effect.fnUntraced(function* newBrowserNotice(opened: OpenedSession) {
  if (!(yield* Settings).session.notify_new_browser) return { writes: [] }
  const { id: user_id, email } = opened.user
  const history = Option.getOrNull(yield* find(BrowserHistories, { user_id }))
  const noted = history === null ? [put(BrowserHistories, { user_id, reported_at: null })] : []
  if (!isSignIn(opened) || (yield* isKnown(user_id, history?.reported_at ?? null))) return { writes: noted }
  if (history === null && !(yield* hasSession(user_id))) return { writes: noted }
  if (!(yield* mayNotifyOfSignIn(email))) return { writes: noted }
  return { writes: [...noted, ...(yield* alerts(opened))] }
})

const isKnown = (user_id: string, reported_at: Parameters<typeof isKnownSince>[1] | null) =>
  reported_at === null ? isKnownBrowser(user_id) : isKnownSince(user_id, reported_at)

/** Of a user from the time before `notify_new_browser`. */
const hasSession = Effect.fnUntraced(function* hasSession(user_id: string) {
  return (yield* (yield* Store).list(Sessions, { user_id }, { limit: 1 })).length > 0
})

/** The mails, each with a token of its own. */
const alerts = Effect.fnUntraced(function* alertWrites({ user, session }: OpenedSession) {
  const writes = yield* Effect.forEach(
    noticeAddresses(user),
    Effect.fnUntraced(function* alertTo(email) {
      const { token, expires_at, write } = yield* alertTokens.issue({ user_id: user.id, email }, Duration.toSeconds(Emails.reportable))
      const report = yield* link("report_sign_in", { token, email })
      const message = Emails.newBrowser({ ip_address: session.ip_address, link: report })
      return [write, yield* mail({ to: email, locale: user.locale, expiresAt: expires_at }, message)]
    }),
  )
  return writes.flat()
})
