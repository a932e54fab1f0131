import { html } from "@remix-run/html-template"
import { Clock, Effect } from "effect"
import { NotFound } from "../../../../domain/errors.ts"
import { leftToRight } from "../../components/direction.ts"
import { type Output, Visit } from "../../page.ts"
import { confirmation, type Subject } from "../confirmation.ts"
import { actionLink, actions } from "../parts/actions.ts"
import { body } from "../parts/body.ts"
import { filtersIn } from "../parts/filters.ts"
import { paging, tableCard } from "../parts/table.ts"
import { badge, id, time, words } from "../parts/values.ts"
import { askedId, type ConsoleView, calling, Operator, type Screen, type Template } from "../screen.ts"
import { newSecret, secretCard } from "../secret.ts"
import { party } from "./audit.ts"

type ApiKey = Output<"adminApiKeysList">["api_keys"][number]

interface Props {
  readonly keys: ReadonlyArray<ApiKey>
  /** Null where the visitor may not see them. */
  readonly accounts: Output<"adminServiceAccountsList"> | null
  /** A new key, which is shown once; null without one. */
  readonly secret: string | null
  readonly now: number
  readonly query: Readonly<Record<string, string>>
  readonly next: string | null
}

/** The API keys, and the service accounts that have some. */
export const template: Template<Props> = (view, { keys, accounts, secret, now, query, next }) => {
  const { t } = view.texts
  return body(
    view,
    { title: t("console.machines") },
    secretCard(view, secret),
    tableCard(
      t("console.api_keys"),
      {
        columns: [
          {
            label: t("console.api_key"),
            cell: ({ name, hint }) => html`<bdi>${name}</bdi><span class="line muted"><code dir="ltr">…${hint}</code></span>`,
          },
          { label: t("console.api_key.owner"), cell: ({ owner }) => party(view, owner) },
          { label: t("console.users.state"), cell: (key) => state(view, key, now) },
          { label: t("console.api_key.expires"), cell: ({ expires_at }) => time(view, expires_at, t("console.user.no_end")) },
          {
            label: t("console.session.used"),
            cell: ({ last_used_at, last_used_from }) =>
              html`${time(view, last_used_at)}${last_used_from === null ? null : html`<span class="line muted">${leftToRight(last_used_from)}</span>`}`,
          },
          { label: t("console.actions"), cell: (key) => revoke(view, key, query) },
        ],
        rows: keys,
        empty: t("console.api_keys.none"),
      },
      paging(view, "/machines", query, next),
    ),
    accounts === null ? null : accountsCard(view, accounts, query),
  )
}

/** The link has the place in the list, where the page finds the key. */
const revoke = (view: ConsoleView, { id, revoked_at }: ApiKey, query: Props["query"]) =>
  revoked_at === null
    ? actionLink(
        view,
        { ...query, id },
        { path: "/api-key/revoke", label: "console.api_key.revoke", permission: "api_keys:revoke", isDanger: true },
      )
    : null

const state = ({ texts: { t } }: ConsoleView, { revoked_at, expires_at }: ApiKey, now: number) => {
  if (revoked_at !== null) return badge("stopped", t("console.api_key.revoked"))
  if (expires_at !== null && Date.parse(expires_at) <= now) return badge("stopped", t("console.api_key.expired"))
  return badge("good", t("console.state.active"))
}

const accountsCard = (
  view: ConsoleView,
  { service_accounts, next_cursor = null }: NonNullable<Props["accounts"]>,
  query: Props["query"],
) => {
  const { t } = view.texts
  return tableCard(
    t("console.service_accounts"),
    {
      action: actionLink(view, {}, newAccount),
      columns: [
        { label: t("console.name"), cell: ({ name, id: own }) => html`<bdi>${name}</bdi><span class="line">${id(own)}</span>` },
        { label: t("console.roles.permissions"), cell: ({ permissions }) => words(permissions) },
        { label: t("console.users.created"), cell: ({ created_at }) => time(view, created_at) },
        { label: t("console.actions"), cell: ({ id }) => actions(...accountLinks.map((link) => actionLink(view, { id }, link))) },
      ],
      rows: service_accounts,
      empty: t("console.service_accounts.none"),
    },
    paging(view, "/machines", query, next_cursor, "accounts"),
  )
}

const newAccount = {
  path: "/service-accounts/new",
  label: "console.service_account.new",
  permission: "service_accounts:write",
} as const
const accountLinks = [
  { path: "/api-key/new", label: "console.api_key.new", permission: "api_keys:write" },
  { path: "/service-account/edit", label: "console.edit", permission: "service_accounts:write" },
  { path: "/service-account/delete", label: "console.remove", permission: "service_accounts:write", isDanger: true },
] as const

/** Rows of a list on this page. */
const limit = 50

export const machines: Screen = {
  path: "/machines",
  permission: "api_keys:read",
  needs: ["adminApiKeysList"],
  uses: ["adminServiceAccountsList"],
  section: { label: "console.machines", group: "applications", key: "k" },
  show: Effect.gen(function* () {
    const { call, query } = yield* Visit
    const { view } = yield* Operator
    const chosen = filtersIn(query, ["accounts"])
    const { cursor, accounts: place } = chosen
    const [{ api_keys: keys, next_cursor: next = null }, accounts] = yield* Effect.all(
      [
        call("adminApiKeysList", { limit, ...(cursor && { cursor }) }),
        view.may("service_accounts:read")
          ? call("adminServiceAccountsList", { limit, ...(place && { cursor: place }) })
          : Effect.succeed(null),
      ],
      { concurrency: 2 },
    )
    const now = yield* Clock.currentTimeMillis
    const props = { keys, accounts, secret: yield* newSecret("/machines"), now, query: chosen, next }
    return { title: view.texts.t("console.machines"), main: template(view, props) }
  }),
}

export const revokeApiKey = confirmation({
  path: "/api-key/revoke",
  permission: "api_keys:revoke",
  section: "/machines",
  also: ["api_keys:read"],
  needs: ["adminApiKeysList", "adminApiKeysRevoke"],
  title: "console.api_key.revoke",
  text: "console.api_key.revoke.text",
  subject: Effect.gen(function* () {
    const { call, query } = yield* Visit
    const { view } = yield* Operator
    const own = yield* askedId
    const place = filtersIn(query, [])
    const { api_keys } = yield* call("adminApiKeysList", { limit, ...place })
    const key = api_keys.find((each) => each.id === own)
    if (key === undefined) return yield* new NotFound()
    const { t } = view.texts
    const about = [
      [t("console.api_key.owner"), party(view, key.owner)],
      [t("console.id"), id(own)],
    ] as const
    return { id: own, name: key.name, about, page: ["/machines", place] } satisfies Subject
  }),
  run: ({ id: key_id }) => calling("console.api_key.revoked_now", "adminApiKeysRevoke", { key_id }),
})
