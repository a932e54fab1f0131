import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import type { OwnAuditEntry } from "../../../client/operations.ts"
import { credentialKindName, signInMethodName } from "../components/credential-kinds.ts"
import { leftToRight } from "../components/direction.ts"
import { deviceName, named } from "../components/names.ts"
import { time } from "../components/time.ts"
import { Visit } from "../page.ts"
import type { Template, View } from "../view.ts"
import { accountPage, framed, inSection, plainCard, section } from "./frame.ts"
import { hasPassword } from "./identity.ts"
import { linkButton, list, pageSize, paging, row, tag } from "./parts.ts"

export type Entry = Pick<
  OwnAuditEntry,
  "id" | "at" | "type" | "outcome" | "by" | "session_id" | "ip_address" | "user_agent" | "method" | "operation" | "kind" | "count"
>

interface Props {
  readonly entries: ReadonlyArray<Entry>
  /** Whether the user has a password to change. */
  readonly hasPassword: boolean
  readonly first: string | null
  readonly next: string | null
}

/** What happened in the account, the newest first. */
export const template: Template<Props> = (view, { entries, hasPassword, ...links }) => {
  const { t } = view.texts
  const rows = entries.filter((entry) => !isPartOfSignIn(entry, entries)).map((entry) => entryRow(view, entry))
  return framed(
    view,
    { title: t("account.activity") },
    section(
      t("account.activity.not_you"),
      html`<p>${t("account.activity.not_you.about")}</p>`,
      html`<div class="actions">${linkButton(view.href("/account/sessions"), t("account.sessions"))}${hasPassword ? linkButton(view.href("/account/password"), t("account.password.title")) : null}</div>`,
    ),
    plainCard(list(rows, t("account.activity.none")), paging(view, links)),
  )
}

/** A sign-in has a record of its own and one of its session. */
const isPartOfSignIn = ({ type, session_id }: Entry, entries: ReadonlyArray<Entry>) =>
  type === "session.opened" && entries.some((other) => other.type === "sign_in.succeeded" && other.session_id === session_id)

const entryRow = (view: View, entry: Entry) => {
  const { t } = view.texts
  const { at, outcome, by, count, ip_address } = entry
  const times = count > 1 ? html` <bdi>×&nbsp;${count}</bdi>` : null
  const label = html`${eventName(view, entry)}${times} ${outcome === "failure" ? tag(t("account.activity.refused")) : null}`
  const device = deviceName(view, entry.user_agent)
  const method = methodOf(view, entry)
  const lines = html`<span class="line">${time(view, at)}</span>
${by === "admin" || by === "operator" ? html`<span class="line">${t("account.activity.by_admin")}</span>` : null}
${device === null ? null : html`<span class="line"><bdi dir="${view.texts.dir}">${device}</bdi></span>`}
${ip_address === null ? null : html`<span class="line">${t("account.sessions.address")} ${leftToRight(ip_address)}</span>`}
${method === null ? null : html`<span class="line">${t("account.activity.method")} ${method}</span>`}`
  return row(label, lines)
}

/** What happened; a type without a text is shown by its name. */
const eventName = (view: View, { type, operation, kind }: Entry) => {
  const { find, t } = view.texts
  if (type === "session.revoked" && operation === "signOut") return t("account.activity.signed_out")
  if (kind === null || !type.startsWith("credential.")) return find(`account.activity.event.${type}`) ?? named(type)
  const credential = credentialKindName(view, kind)
  return find(`account.activity.event.${type}`, { credential }) ?? named(type)
}

/** How the user signed in, or tried to. */
const methodOf = (view: View, { type, method }: Entry) =>
  type.startsWith("sign_in.") && method !== null ? signInMethodName(view, method) : null

export const activity = accountPage({
  path: "/account/activity",
  needs: ["auditList"],
  show: Effect.gen(function* () {
    const { view, call, query } = yield* Visit
    const cursor = query.get("cursor")
    const { entries, next_cursor = null } = yield* call("auditList", { limit: pageSize, ...(cursor && { cursor }) }).pipe(
      Effect.catchTag("invalid_request", () => Effect.succeed({ entries: [], next_cursor: null })),
    )
    const main = template(view, {
      entries,
      hasPassword: yield* hasPassword,
      first: cursor === null ? null : view.href("/account/activity"),
      next: next_cursor === null ? null : view.href("/account/activity", { cursor: next_cursor }),
    })
    return yield* inSection("activity", view.texts.t("account.activity"), main)
  }),
})
