import { html } from "@remix-run/html-template"
import { DateTime, Duration, Effect } from "effect"
import type { SessionListItem } from "../../../client/operations.ts"
import { leftToRight } from "../components/direction.ts"
import { form } from "../components/form.ts"
import { deviceName, labelFor, named } from "../components/names.ts"
import { time } from "../components/time.ts"
import { field, Visit } from "../page.ts"
import type { Template, View } from "../view.ts"
import { accountPage, framed, goTo, inSection, plainCard, section, signedIn } from "./frame.ts"
import { confirmation, list, pageSize, paging, row, tag } from "./parts.ts"
import { forget, rememberedBrowsers, type ShownBrowser, shownBrowsers } from "./remembered-browsers.ts"

interface ListedSession extends Omit<SessionListItem, "expires_at"> {
  /** The name of the address's range in `pages.places`. */
  readonly place: string | null
  /** The latest time at which it can have been used: uses soon after `updated_at` are not stored. */
  readonly used_until: string
}

interface Props {
  readonly sessions: ReadonlyArray<ListedSession>
  /** The id of the session of this browser. */
  readonly own: string
  readonly first: string | null
  readonly next: string | null
  readonly hasOthers: boolean
  readonly remembered: ReadonlyArray<ShownBrowser>
}

/** The devices on which the user is signed in. */
export const template: Template<Props> = (view, { sessions, own, hasOthers, remembered, ...links }) => {
  const { t } = view.texts
  const everywhere = form(view, { action: "others", submit: t("account.sessions.others.submit"), look: "small danger" })
  const rows = sessions.map((each) => sessionRow(view, each, each.id === own))
  return framed(
    view,
    { title: t("account.sessions") },
    plainCard(html`<p>${t("account.sessions.about")}</p>`, list(rows, t("account.sessions.none")), paging(view, links)),
    rememberedBrowsers(view, remembered),
    hasOthers
      ? section(t("account.sessions.others"), confirmation(t("account.sessions.others"), t("account.sessions.others.about"), everywhere))
      : null,
  )
}

const sessionRow = (
  view: View,
  { id, user_agent, place, ip_address, created_at, updated_at, used_until }: ListedSession,
  isOwn: boolean,
) => {
  const { t, rich } = view.texts
  const device = html`<bdi dir="${view.texts.dir}">${deviceName(view, user_agent) ?? t("device.unknown")}</bdi>`
  const name = html`${device} ${isOwn ? tag(t("account.sessions.this")) : null}`
  const about = html`${isOwn ? null : html`<span class="line">${lastUse(view, updated_at, used_until)}</span>`}
<span class="line">${rich("account.sessions.started", { date: time(view, created_at) })}</span>
${place === null ? null : html`<span class="line">${t("account.sessions.place")} ${named(place)}</span>`}
${ip_address === null ? null : html`<span class="line">${t("account.sessions.address")} ${leftToRight(ip_address)}</span>`}`
  const submit = labelFor(t("account.sessions.revoke"), device)
  const end = form(view, { action: "revoke", submit, look: "small danger", hidden: { session_id: id } })
  return row(name, about, isOwn ? null : end)
}

const lastUse = (view: View, from: string, until: string) => {
  const { rich } = view.texts
  if (from === until) return rich("account.sessions.used", { date: time(view, from) })
  return rich("account.sessions.used_between", { from: time(view, from), until: time(view, until) })
}

/** When a session of this last refresh can have been used last. */
const usedUntil = Effect.fnUntraced(function* usedUntil(updated_at: string) {
  const { site } = yield* Visit
  const refresh = DateTime.addDuration(DateTime.makeUnsafe(updated_at), Duration.seconds(site.core.session.update_age))
  return DateTime.formatIso(DateTime.min(refresh, yield* DateTime.now))
})

/** The number of the page in the list; other texts than numbers are the first one. */
const pageNumber = Effect.map(Visit, ({ query }) => {
  const wanted = query.get("page") ?? ""
  return /^[1-9]\d{0,3}$/.test(wanted) ? Number(wanted) : 1
})

const revoke = Effect.gen(function* () {
  const { call, form } = yield* Visit
  const { success } = yield* call("revokeSession", { session_id: field(form, "session_id") })
  return yield* goTo("/account/sessions", success ? "account.sessions.revoked" : "account.sessions.gone")
})

const others = Effect.gen(function* () {
  const { call } = yield* Visit
  yield* call("revokeOtherSessions")
  return yield* goTo("/account/sessions", "account.sessions.others.revoked")
})

export const sessions = accountPage({
  path: "/account/sessions",
  needs: [],
  uses: ["twoFactorBrowsersList", "twoFactorBrowsersRevoke"],
  show: Effect.gen(function* () {
    const { view, call, site } = yield* Visit
    const { session } = yield* signedIn
    const all = (yield* call("listSessions")).sessions
    const rest = all.filter(({ id }) => id !== session.id).toSorted((one, other) => (one.updated_at < other.updated_at ? 1 : -1))
    const ordered = [...all.filter(({ id }) => id === session.id), ...rest]
    const number = yield* pageNumber
    const start = (number - 1) * pageSize
    const hrefOf = (wanted: number) => view.href("/account/sessions", { page: String(wanted) })
    const sessions = yield* Effect.forEach(ordered.slice(start, start + pageSize), (each) =>
      Effect.map(usedUntil(each.updated_at), (used_until) => ({ ...each, used_until, place: site.placeOf(each.ip_address) })),
    )
    const main = template(view, {
      sessions,
      own: session.id,
      first: number > 1 ? view.href("/account/sessions") : null,
      next: ordered.length > start + pageSize ? hrefOf(number + 1) : null,
      hasOthers: rest.length > 0,
      remembered: number === 1 ? yield* shownBrowsers : [],
    })
    return yield* inSection("sessions", view.texts.t("account.sessions"), main)
  }),
  actions: { revoke, others, forget },
})
