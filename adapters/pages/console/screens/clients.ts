import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { linkButton } from "../../account/parts.ts"
import { leftToRight } from "../../components/direction.ts"
import { named } from "../../components/names.ts"
import { Visit } from "../../page.ts"
import { confirmation, type Subject } from "../confirmation.ts"
import { actionLink, actions } from "../parts/actions.ts"
import { body, card } from "../parts/body.ts"
import { filtersIn } from "../parts/filters.ts"
import { paging, table } from "../parts/table.ts"
import { badge, code, details, id, twoLines, words } from "../parts/values.ts"
import { type ConsoleView, calling, Operator, type Screen, type Template } from "../screen.ts"
import { newSecret, secretCard, showSecret } from "../secret.ts"
import { authorizationCard, authorizationUrl } from "./clients/authorization.ts"
import { type Client, nameOf, shownClient } from "./clients/client.ts"

interface Props {
  readonly clients: ReadonlyArray<Client>
  readonly query: Readonly<Record<string, string>>
  readonly next: string | null
  readonly mayAdd: boolean
}

/** Where a client sends its users back, without the paths. */
const hosts = ({ redirect_uris = [] }: Client) => [...new Set(redirect_uris.map((uri) => URL.parse(uri)?.host || uri))]

/** The clients of the identity provider. */
export const listTemplate: Template<Props> = (view, { clients, query, next, mayAdd }) => {
  const { t } = view.texts
  return body(
    view,
    { title: t("console.clients"), action: mayAdd ? linkButton(view.at("/clients/new"), t("console.client.new")) : null },
    html`<div class="card">${table({
      caption: t("console.clients"),
      columns: [
        {
          label: t("console.client"),
          cell: (client) =>
            twoLines(
              html`<a href="${view.at("/client", { id: client.client_id })}">${named(nameOf(client))}</a>`,
              leftToRight(client.client_id),
              "line muted",
            ),
        },
        {
          label: t("console.client.redirects"),
          cell: (client) => html`${hosts(client).map((host) => html`<span class="line">${leftToRight(host)}</span>`)}`,
        },
        { label: t("console.client.source"), cell: (client) => source(view, client) },
        { label: t("console.client.secrets"), cell: ({ secrets }) => String(secrets) },
      ],
      rows: clients,
      empty: t("console.clients.none"),
    })}${paging(view, "/clients", query, next)}</div>`,
  )
}

/** Clients of the configuration are changed there only. */
const source = ({ texts: { t } }: ConsoleView, { configured }: Client) =>
  configured ? badge("open", t("console.configured")) : badge("good", t("console.stored"))

interface One {
  readonly client: Client
  readonly secret: string | null
  /** A URL that begins a sign-in for it; null if it has none. */
  readonly url: string | null
}

/** One client, with all of its metadata. */
export const template: Template<One> = (view, { client, secret, url }) => {
  const { t } = view.texts
  const { client_id, configured, secrets, ...metadata } = client
  const members = Object.entries(metadata).flatMap(([name, value]) => (value === null ? [] : [[name, shownMember(value)] as const]))
  return body(
    view,
    { title: nameOf(client), parent: { href: view.at("/clients"), label: t("console.clients") } },
    secretCard(view, secret),
    card(
      t("console.client"),
      {},
      details([
        [t("console.id"), id(client_id)],
        [t("console.client.source"), source(view, client)],
        [t("console.client.secrets"), String(secrets)],
      ]),
      configured
        ? html`<p class="muted">${t("console.configured.about")}</p>`
        : actions(...links.map((link) => actionLink(view, { id: client_id }, link))),
    ),
    authorizationCard(view, client, url),
    card(t("console.client.metadata"), {}, details(members)),
  )
}

/** A member of the metadata; several words or addresses as a list. */
const shownMember = (value: unknown) => {
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return words(value)
  return code(typeof value === "object" ? JSON.stringify(value) : String(value))
}

const links = [
  { path: "/client/edit", label: "console.edit", permission: "clients:write" },
  { path: "/client/secret", label: "console.secret.rotate", permission: "clients:secrets" },
  { path: "/client/delete", label: "console.client.delete", permission: "clients:write", isDanger: true },
] as const

export const clients: Screen = {
  path: "/clients",
  permission: "clients:read",
  needs: ["adminClientsList"],
  section: { label: "console.clients", group: "applications", key: "c" },
  show: Effect.gen(function* () {
    const { call, query, has } = yield* Visit
    const { view } = yield* Operator
    const chosen = filtersIn(query, [])
    const { clients, next_cursor: next = null } = yield* call("adminClientsList", chosen)
    const mayAdd = view.may("clients:write") && has("adminClientsCreate")
    const main = listTemplate(view, { clients, query: chosen, next, mayAdd })
    return { title: view.texts.t("console.clients"), main }
  }),
}

export const client: Screen = {
  path: "/client",
  permission: "clients:read",
  needs: ["adminClientsShow"],
  section: "/clients",
  show: Effect.gen(function* () {
    const { view } = yield* Operator
    const { core } = (yield* Visit).site
    const client = yield* shownClient
    const props = { client, secret: yield* newSecret("/client"), url: authorizationUrl(core, client) }
    return { title: nameOf(client), main: template(view, props) }
  }),
}

const subject = Effect.gen(function* () {
  const { texts } = (yield* Operator).view
  const client = yield* shownClient
  const { client_id } = client
  const about = [[texts.t("console.id"), id(client_id)]] as const
  return { id: client_id, name: nameOf(client), about, page: ["/client", { id: client_id }] } satisfies Subject
})

export const rotateClientSecret = confirmation({
  path: "/client/secret",
  permission: "clients:secrets",
  section: "/clients",
  needs: ["adminClientsShow", "adminClientsRotateSecret"],
  title: "console.secret.rotate",
  text: "console.client.rotate.text",
  subject,
  run: Effect.fnUntraced(function* rotateSecret({ id: client_id }) {
    const { call } = yield* Visit
    const { client_secret } = yield* call("adminClientsRotateSecret", { client_id })
    return yield* showSecret(client_secret, "/client", "console.secret.rotated", { id: client_id })
  }),
})

export const deleteClient = confirmation({
  path: "/client/delete",
  permission: "clients:write",
  section: "/clients",
  needs: ["adminClientsShow", "adminClientsDelete"],
  title: "console.client.delete",
  text: "console.client.delete.text",
  subject: Effect.map(subject, (shown): Subject => ({ ...shown, page: ["/clients"], typed: shown.id })),
  run: ({ id: client_id }) => calling("console.client.deleted", "adminClientsDelete", { client_id }),
})
