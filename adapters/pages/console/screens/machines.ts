import { html } from "@remix-run/html-template"
import { Clock, Effect } from "effect"
import { leftToRight } from "../../components/direction.ts"
import { type Output, Visit } from "../../page.ts"
import { confirmation, type Subject } from "../confirmation.ts"
import { badge } from "../parts/badge.ts"
import { body, card } from "../parts/body.ts"
import { id } from "../parts/details.ts"
import { filtersIn } from "../parts/filters.ts"
import { paging, table } from "../parts/table.ts"
import { time, timeOr } from "../parts/time.ts"
import { type ConsoleView, Operator, type Screen, type Template } from "../screen.ts"
import { party } from "./audit.ts"

type ApiKey = Output<"adminApiKeysList">["api_keys"][number]

interface Props {
  readonly keys: ReadonlyArray<ApiKey>
  /** Null where the visitor may not see them. */
  readonly accounts: Output<"adminServiceAccountsList">["service_accounts"] | null
  readonly now: number
  readonly query: Readonly<Record<string, string>>
  readonly next: string | null
}

/** The API keys, and the service accounts that have some. */
export const template: Template<Props> = (view, { keys, accounts, now, query, next }) => {
  const { t } = view.texts
  const revoke = (key: ApiKey) =>
    key.revoked_at === null && view.may("api_keys:revoke")
      ? html`<a class="button small danger" href="${view.at("/api-key/revoke", { id: key.id, name: key.name })}">${t("console.api_key.revoke")}</a>`
      : null
  return body(
    view,
    { title: t("console.machines") },
    card(
      t("console.api_keys"),
      {},
      table({
        caption: t("console.api_keys"),
        columns: [
          {
            label: t("console.api_key"),
            cell: ({ name, hint }) => html`<bdi>${name}</bdi><span class="line muted"><code dir="ltr">…${hint}</code></span>`,
          },
          { label: t("console.api_key.owner"), cell: ({ owner }) => party(view, owner) },
          { label: t("console.users.state"), cell: (key) => state(view, key, now) },
          { label: t("console.api_key.expires"), cell: ({ expires_at }) => timeOr(view, expires_at, t("console.user.no_end")) },
          {
            label: t("console.session.used"),
            cell: ({ last_used_at, last_used_from }) =>
              html`${timeOr(view, last_used_at, "–")}${last_used_from === null ? null : html`<span class="line muted">${leftToRight(last_used_from)}</span>`}`,
          },
          { label: t("console.actions"), cell: revoke },
        ],
        rows: keys,
        empty: t("console.api_keys.none"),
      }),
      paging(view, "/machines", query, next),
    ),
    accounts === null ? null : accountsCard(view, accounts),
  )
}

const state = ({ texts: { t } }: ConsoleView, { revoked_at, expires_at }: ApiKey, now: number) => {
  if (revoked_at !== null) return badge("stopped", t("console.api_key.revoked"))
  if (expires_at !== null && Date.parse(expires_at) <= now) return badge("stopped", t("console.api_key.expired"))
  return badge("good", t("console.state.active"))
}

const accountsCard = (view: ConsoleView, accounts: NonNullable<Props["accounts"]>) => {
  const { t } = view.texts
  return card(
    t("console.service_accounts"),
    {},
    table({
      caption: t("console.service_accounts"),
      columns: [
        { label: t("console.name"), cell: ({ name, id: own }) => html`<bdi>${name}</bdi><span class="line">${id(own)}</span>` },
        {
          label: t("console.roles.permissions"),
          cell: ({ permissions }) => html`${permissions.map((each) => html`<code dir="ltr">${each}</code> `)}`,
        },
        { label: t("console.users.created"), cell: ({ created_at }) => time(view, created_at) },
      ],
      rows: accounts,
      empty: t("console.service_accounts.none"),
    }),
  )
}

export const machines: Screen = {
  path: "/machines",
  permission: "api_keys:read",
  needs: ["adminApiKeysList"],
  uses: ["adminServiceAccountsList"],
  section: { label: "console.machines", group: "applications" },
  show: Effect.gen(function* () {
    const { call, query } = yield* Visit
    const { view } = yield* Operator
    const chosen = filtersIn(query, [])
    const { api_keys, next_cursor = null } = yield* call("adminApiKeysList", chosen)
    const accounts = view.may("service_accounts:read") ? (yield* call("adminServiceAccountsList")).service_accounts : null
    const now = yield* Clock.currentTimeMillis
    return {
      title: view.texts.t("console.machines"),
      main: template(view, { keys: api_keys, accounts, now, query: chosen, next: next_cursor }),
    }
  }),
}

export const revokeApiKey = confirmation({
  path: "/api-key/revoke",
  permission: "api_keys:revoke",
  section: "/machines",
  needs: ["adminApiKeysRevoke"],
  title: "console.api_key.revoke",
  text: "console.api_key.revoke.text",
  asksReason: false,
  subject: Effect.gen(function* () {
    const { query } = yield* Visit
    const { texts } = (yield* Operator).view
    const key_id = query.get("id") ?? ""
    const shown: Subject = {
      id: key_id,
      name: query.get("name") ?? key_id,
      about: [[texts.t("console.id"), id(key_id)]],
      page: ["/machines"],
    }
    return shown
  }),
  run: Effect.fnUntraced(function* revokeKey({ id: key_id }) {
    const { call } = yield* Visit
    yield* call("adminApiKeysRevoke", { key_id })
    return "console.api_key.revoked_now" as const
  }),
})
